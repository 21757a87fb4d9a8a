"""The map for the rules of movement: provinces, coasts, borders for armies and fleets, distances.

A *node* is a place for a fleet: a province, or a province with its coast (`STP.NC`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

from pbem.rules import Message, dataclass

Verb = Literal["hold", "move", "support", "convoy"]
Kind = Literal["army", "fleet"]
Terrain = Literal["inland", "coast", "sea"]
Why = Literal["", "bounced", "no-convoy", "no-match", "cut", "dislodged"]
"""Why an order failed; empty if it did not."""
COASTS = ("NC", "SC", "EC", "WC")


@dataclass(frozen=True)
class Piece:
    """A unit as the rules of movement see it."""

    power: str
    kind: Kind
    place: str
    coast: str = ""

    @property
    def node(self) -> str:
        """Return the province of the unit, with the coast if it has one."""
        return f"{self.place}.{self.coast}" if self.coast else self.place

    @property
    def letter(self) -> str:
        """Return `A` or `F`."""
        return self.kind[0].upper()


@dataclass(frozen=True)
class Order:
    """An order for the unit in `place`.

    `of`: the province of the unit that is supported or convoyed. `to`: the goal of that unit, or of this
    one's own move. `coast`: the coast of the goal, if one is named.
    """

    place: str
    verb: Verb = "hold"
    to: str = ""
    coast: str = ""
    of: str = ""
    via: bool = False


@dataclass(frozen=True)
class Province:
    """A province: inland, coast or sea, and its coasts if it has several."""

    id: str
    name: str
    terrain: Terrain
    coasts: tuple[str, ...] = ()
    centre: bool = False
    home: str | None = None

    @property
    def sea(self) -> bool:
        return self.terrain == "sea"


class Atlas:
    """The provinces and the moves that units may make between them. It never changes."""

    def __init__(self, provinces: Mapping[str, Province], borders: Mapping[str, Mapping[str, Any]]) -> None:
        self.provinces = dict(provinces)
        self.army: dict[str, tuple[str, ...]] = _sides(borders, "both", "army")
        self.fleet: dict[str, tuple[str, ...]] = _sides(borders, "both", "fleet")
        for id in provinces:
            self.army.setdefault(id, ())

    def __deepcopy__(self, memo: dict[int, object]) -> Atlas:
        """Return the atlas itself, because it never changes."""
        return self

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """Return the provinces with a supply centre, sorted."""
        return tuple(sorted(id for id, province in self.provinces.items() if province.centre))

    def homes(self, power: str) -> tuple[str, ...]:
        """Return the home supply centres of a power, sorted."""
        return tuple(id for id in self.centres if self.provinces[id].home == power)

    def nodes(self, place: str) -> tuple[str, ...]:
        """Return the nodes of a province where a fleet may be: the province, or each of its coasts."""
        coasts = self.provinces[place].coasts
        return tuple(f"{place}.{coast}" for coast in coasts) if coasts else (place,)

    def steps(self, piece: Piece) -> tuple[str, ...]:
        """2.2: Return the nodes to which a unit may move over a border."""
        return self.army[piece.place] if piece.kind == "army" else self.fleet.get(piece.node, ())

    def reaches(self, piece: Piece, place: str) -> bool:
        """2.2: Return True if a unit may move to a province over a border, to any coast."""
        if piece.kind == "army":
            return place in self.army[piece.place]
        return place in self._by_fleet.get(piece.node, ())

    @cached_property
    def _by_fleet(self) -> dict[str, frozenset[str]]:
        return {node: frozenset(map(province_of, others)) for node, others in self.fleet.items()}

    def beside(self, place: str) -> tuple[str, ...]:
        """Return all provinces with a border of any kind to this one, sorted."""
        return self._beside[place]

    @cached_property
    def _beside(self) -> dict[str, tuple[str, ...]]:
        near: dict[str, set[str]] = {id: set(self.army[id]) for id in self.provinces}
        for node, others in self.fleet.items():
            near[province_of(node)] |= {province_of(other) for other in others}
        return {id: tuple(sorted(others)) for id, others in near.items()}

    def chain(self, start: str, goal: str, ferries: Collection[str]) -> bool:
        """2.4: Return True if fleets in these provinces form a chain from one coast to another."""
        return any(goal in self._beside[sea] for sea in self.fleets_linked(start, ferries))

    def fleets_linked(self, start: str, ferries: Collection[str]) -> tuple[str, ...]:
        """Return the seas with these fleets over which an army at a coast can be convoyed, sorted."""
        waiting = [sea for sea in self._beside[start] if sea in ferries and self.provinces[sea].sea]
        linked = dict.fromkeys(waiting)
        while waiting:
            for sea in self._beside[waiting.pop()]:
                if sea in ferries and self.provinces[sea].sea and sea not in linked:
                    linked[sea] = None
                    waiting.append(sea)
        return tuple(sorted(linked))

    def shores(self, start: str, ferries: Collection[str]) -> tuple[str, ...]:
        """2.4: Return the coasts to which fleets in these provinces could convoy an army, sorted."""
        seas = self.fleets_linked(start, ferries)
        coasts = {
            place for sea in seas for place in self._beside[sea] if self.provinces[place].terrain == "coast"
        }
        return tuple(sorted(coasts - {start}))

    def ferries(self, start: str, goal: str, fleets: Collection[str]) -> frozenset[str]:
        """2.4.2: Return the fleets that are part of some convoy from start to goal.

        A convoy uses every fleet of a chain without short cuts.
        """
        used: set[str] = set()
        if start != goal and self.provinces[goal].terrain == "coast":
            seas = [sea for sea in self._beside[start] if sea in fleets and self.provinces[sea].sea]
            for sea in seas:
                self._chains([sea], frozenset(seas), goal, fleets, used)
        return frozenset(used)

    def _chains(
        self, chain: list[str], closed: frozenset[str], goal: str, fleets: Collection[str], used: set[str]
    ) -> None:
        """Add the fleets of all chains without short cuts that begin with `chain`.

        `closed`: the seas beside an earlier link of the chain, or beside its start.
        """
        last = chain[-1]
        if goal in self._beside[last]:
            used.update(chain)
            return
        beside = [sea for sea in self._beside[last] if sea in fleets and self.provinces[sea].sea]
        for sea in beside:
            if sea not in closed:
                self._chains([*chain, sea], closed | frozenset(beside), goal, fleets, used)

    def distance(self, piece: Piece, goals: Iterable[str]) -> int:
        """5.4: Return the number of steps to the nearest of these provinces.

        Armies count every border, of seas too; fleets count only their own (R-9).
        """
        wanted = set(goals)
        edge = [piece.node if piece.kind == "fleet" else piece.place]
        seen, steps = set(edge), 0
        while edge:
            if any(province_of(node) in wanted for node in edge):
                return steps
            steps += 1
            reached = [near for node in edge for near in self._from(piece, node)]
            edge = sorted(set(reached) - seen)
            seen.update(edge)
        return len(self.provinces)

    def _from(self, piece: Piece, node: str) -> tuple[str, ...]:
        return self.fleet.get(node, ()) if piece.kind == "fleet" else self._beside[node]

    def faults(self) -> Iterator[str]:
        """Yield the faults of the borders: unknown provinces and coasts."""
        for node in sorted({*self.army, *self.fleet}):
            place, _, coast = node.partition(".")
            if place not in self.provinces:
                yield Message("diplomacy.atlas.no-province", place=place)
            elif coast and coast not in COASTS:
                yield Message("diplomacy.atlas.no-coast", place=place, coast=coast)


def province_of(node: str) -> str:
    """Return the province of a node: `STP` of `STP.NC`."""
    return node.partition(".")[0]


def coast_of(node: str) -> str:
    """Return the coast of a node: `NC` of `STP.NC`, or ""."""
    return node.partition(".")[2]


def written(node: str) -> str:
    """Return a node as orders write it: `STP/NC`."""
    return node.replace(".", "/")


def _sides(borders: Mapping[str, Mapping[str, Any]], *kinds: str) -> dict[str, tuple[str, ...]]:
    """Return the borders of these kinds for both of their sides, sorted."""
    sides: dict[str, set[str]] = {}
    for kind in kinds:
        for node, others in borders.get(kind, {}).items():
            for other in others:
                sides.setdefault(node, set()).add(other)
                sides.setdefault(other, set()).add(node)
    return {node: tuple(sorted(others)) for node, others in sorted(sides.items())}
