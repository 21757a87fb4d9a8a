"""Trace supply (4.5.2): sources, detrainable hexes, HQs, and the rule of formations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from pbem.kit.paths import flood
from pbem.rules import Board, dataclass

from ..pieces import T, Unit, extenders, units, world_of
from ..zones import Ground, Peace
from .reach import Net


@dataclass(frozen=True)
class Link:
    """A trace link of a unit: the source hex, and the HQ that throws (empty: drawn directly)."""

    source: str
    hq: str = ""


def port_capacity(board: Board, hex: str) -> int:
    """4.4.10: Return the T that a port can handle: the printed number less damage, rounded."""
    port = T.of(board).ports[hex]
    percent = int(world_of(board).tables["barrage"]["port_damage"][str(port.hits)])
    return (2 * port.printed_t * percent + 100) // 200


def rail_heads(board: Board, side: str, *, cargo: bool = False, opened: Iterable[str] = ()) -> list[str]:
    """4.4.9: Return the detrainable hexes of a side; `cargo` may enter no enemy zone, negated or not.

    `opened`: rail hexes of linked Extenders, for trace only (4.5.2).
    """
    world, t, ground = world_of(board), T.of(board), Ground(board, side)
    reached: list[str] = [
        hex
        for hex in world.sources[side]
        if hex in world.on("railroad")
        and source_works(board, side, hex, ground)
        and not (cargo and hex in ground.zoc)
    ]
    reached += [hex for hex in opened if hex in world.on("railroad") and hex not in reached]

    def beside(hex: str) -> Iterator[str]:
        for to in world.linked("railroad", hex):
            closed = to in ground.zoc if cargo else ground.open_zoc(to, trace=True)
            if closed or to in ground.hostile or not right_gauge(board, side, to):
                continue
            if not _stop(board, to) or t.control.get(to) == side:
                yield to

    seen = flood(reached, beside)
    return sorted(hex for hex in seen if _stop(board, hex) and t.control.get(hex) == side)


def _stop(board: Board, hex: str) -> bool:
    """Return True if trains stop here: a village, a city, a port, or an HQ that can work."""
    return settled(board, hex) or any(u.is_hq and u.engineer for u in units(board, at=hex))


def settled(board: Board, hex: str) -> bool:
    """Return True if the hex has a village, a city or a port."""
    kinds = world_of(board).terrains[hex]
    return hex in T.of(board).ports or any(k in ("village", "minor_city", "major_city") for k in kinds)


def right_gauge(board: Board, side: str, hex: str) -> bool:
    """4.4.9: Return True if a side's trains run here; without the module they run on all rails."""
    rules = world_of(board).scenario.get("gauge")
    return rules is None or gauge_of(board, hex) == rules["sides"][side]


def gauge_of(board: Board, hex: str) -> str:
    """Return the gauge of a rail hex: as changed in play, as the scenario lists it, or the default."""
    rules = world_of(board).scenario["gauge"]
    return str(T.of(board).gauge.get(hex) or rules.get("hexes", {}).get(hex) or rules["default"])


def source_works(board: Board, side: str, hex: str, ground: Ground) -> bool:
    """4.5.2: Return True if a source gives supply: no enemy unit, open zone or enemy control."""
    t, world = T.of(board), world_of(board)
    if hex in ground.hostile or ground.open_zoc(hex, trace=True) or t.control.get(hex) == world.enemy(side):
        return False
    return hex not in t.ports or port_capacity(board, hex) >= int(world.numbers["source_port_T"])


class Tracing:
    """The units of a side that are in trace on the present board.

    `peace`: as if no enemy blocked a path; only sources that work count.
    """

    def __init__(self, board: Board, side: str, *, peace: bool = False) -> None:
        self.board, self.side = board, side
        self.net = Net(board, side, trace=True, ground=Peace(board, side) if peace else None)
        ground = self.net.ground
        own = [h for h in world_of(board).sources[side] if source_works(board, side, h, ground)]
        heads = [h for h in rail_heads(board, side) if not ground.open_zoc(h, trace=True)]
        self.sources = sorted({*own, *(h for h in heads if h not in ground.hostile)})
        self.extended: list[str] = []
        self._extend()
        self._hqs: dict[str, str | None] = {}
        self._links: dict[str, list[Link]] = {}
        self._served: dict[str, list[Unit]] | None = None

    def _extend(self) -> None:
        """4.5.2: Link Extenders that trace to a source or a linked Extender; each opens its rail line."""
        board, ground = self.board, self.net.ground
        waiting = [e for e in extenders(board, self.side) if e.hex and not ground.open_zoc(e.hex, trace=True)]
        linked = True
        while linked:
            linked = False
            for e in waiting:
                if e.id in self.extended or not self.connects(e.hex or "", e.range, e.mobility):
                    continue
                self.extended.append(e.id)
                opened = rail_heads(board, self.side, opened=[e.hex or ""])
                reached = {
                    h for h in opened if not ground.open_zoc(h, trace=True) and h not in ground.hostile
                }
                self.sources = sorted({*self.sources, e.hex or "", *reached})
                linked = True

    def connects(self, hex: str, range: int, mobility: str) -> bool:
        """Return True if an Extender here would have a source in reach."""
        return any(self.net.touches(hex, range, mobility, s) is not None for s in self.sources)

    def fed(self) -> set[str]:
        """Return all hexes without enemies in which a unit would be in trace.

        They are within a draw of a source, or a throw of an HQ that draws from one.
        """
        net = self.net
        hexes = net.reaching(self.sources, net.draw_range, net.draw_mobility(None))
        for hq in net.hqs():
            if self.of_hq(hq) is not None:
                hexes.update(net.thrown_to(hq))
        return hexes - net.ground.hostile

    def direct(self, hex: str, consumer: Unit | None = None) -> str | None:
        """Return the source to draw from directly: the nearest, then the lowest id."""
        return next(iter(self.drawn(hex, consumer)), None)

    def drawn(self, hex: str, consumer: Unit | None = None) -> list[str]:
        """Return all sources to draw from directly, the nearest first, then by id."""
        ranked = [(cost, s) for s in self.sources if (cost := self.net.direct(hex, s, consumer)) is not None]
        return [source for _, source in sorted(ranked)]

    def of_hq(self, hq: Unit) -> str | None:
        """Return the source that an HQ draws from, or None."""
        if hq.id not in self._hqs:
            self._hqs[hq.id] = self.direct(hq.hex or "", hq)
        return self._hqs[hq.id]

    def links(self, u: Unit) -> list[Link]:
        """Return all trace links of a unit: drawn directly first, then by HQs in order of id.

        A unit of a formation has one for each source in reach, because its formation shares one provider.
        """
        if u.id not in self._links:
            self._links[u.id] = self._links_of(u)
        return self._links[u.id]

    def _links_of(self, u: Unit) -> list[Link]:
        if u.hex in self.net.world.boxes or (u.dropped and u.dropped == T.of(self.board).turn):
            return [Link(u.hex or "")]
        if u.hex is None or u.hex not in self.net.world.terrains:
            return []
        sources = self.drawn(u.hex, u)
        links = [Link(source) for source in (sources if u.formation is not None else sources[:1])]
        served = self._served_in(u.hex)
        for hq in self.net.hqs(u, among=served) if served else ():
            links.append(Link(self.of_hq(hq) or "", hq.id))
        return links

    def _served_in(self, hex: str) -> list[Unit]:
        """Return the HQs that draw from a source and can throw to a hex."""
        if self._served is None:
            self._served = {}
            for hq in self.net.throwing:
                if self.of_hq(hq) is not None:
                    for end in self.net.thrown_to(hq):
                        self._served.setdefault(end, []).append(hq)
        return [] if hex in self.net.ground.hostile else self._served.get(hex, [])

    def providers(self) -> dict[str, list[str]]:
        """Return the HQs and sources that serve a unit of each formation of the side."""
        served: dict[str, set[str]] = {}
        for u in units(self.board, self.side):
            if u.formation is not None:
                served.setdefault(u.formation, set()).update(_provider_of(link) for link in self.links(u))
        return {name: sorted(served[name]) for name in sorted(served)}

    def traced(self, u: Unit) -> bool:
        """Return True if this unit is in trace by itself, without the rule of formations."""
        return bool(self.links(u))

    def whole(self, wanted: dict[str, str] | None = None) -> dict[str, Link]:
        """4.5.2: Return the link of each unit in trace, with one provider for each formation.

        The provider is the owner's choice, or else the one that covers most RE, then the lowest id.
        """
        traced: dict[str, Link] = {}
        members: dict[str, list[tuple[Unit, list[Link]]]] = {}
        for u in units(self.board, self.side):
            links = self.links(u)
            if u.formation is not None:
                members.setdefault(u.formation, []).append((u, links))
            elif links:
                traced[u.id] = links[0]
        for formation, listed in sorted(members.items()):
            provider = _provider(listed, (wanted or {}).get(formation))
            for u, links in listed:
                link = next((entry for entry in links if _provider_of(entry) == provider), None)
                if link is not None:
                    traced[u.id] = link
        return traced


def _provider_of(link: Link) -> str:
    """Return the provider of a link: an HQ, or the source drawn directly."""
    return link.hq or link.source


def _provider(listed: Iterable[tuple[Unit, list[Link]]], wanted: str | None) -> str | None:
    covered: dict[str, Fraction] = {}
    for u, links in listed:
        for name in sorted({_provider_of(link) for link in links}):
            covered[name] = covered.get(name, Fraction(0)) + u.re
    if wanted in covered:
        return wanted
    return min(covered, key=lambda name: (-covered[name], name), default=None)
