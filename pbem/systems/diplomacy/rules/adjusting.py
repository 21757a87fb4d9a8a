"""5: Builds and disbands after the fall, and disbands by civil disorder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Message

from .atlas import Atlas, Piece, coast_of, province_of
from .notation import Line, NotUnderstood, read
from .world import World


class Adjusting:
    """The adjustments of one power. `due`: builds allowed if above 0, disbands required if below."""

    def __init__(
        self, world: World, power: str, pieces: Mapping[str, Piece], centres: Mapping[str, str]
    ) -> None:
        self.world, self.power, self.pieces = world, power, pieces
        self.mine = {place: piece for place, piece in pieces.items() if piece.power == power}
        held = sorted(place for place, owner in centres.items() if owner == power)
        self.sites = [p for p in held if p in world.atlas.homes(power) and p not in pieces]
        owed = len(held) - len(self.mine)
        self.due = min(owed, len(self.sites)) if owed > 0 else owed
        self.done: list[Line] = []

    @property
    def left(self) -> int:
        """Return the number of builds or disbands still due."""
        return abs(self.due) - len(self.done)

    def lines(self) -> Iterator[Line]:
        """5.1, 5.2: Yield the orders that may come next."""
        used = {line.place for line in self.done}
        if self.left < 1:
            return
        if self.due < 0:
            for place, piece in self.mine.items():
                if place not in used:
                    yield Line("disband", piece.kind, place)
        for place in self.sites if self.due > 0 else ():
            if place not in used:
                yield Line("build", "army", place)
                if self.world.atlas.provinces[place].terrain == "coast":
                    for node in self.world.atlas.nodes(place):
                        yield Line("build", "fleet", place, coast_of(node))
        if self.due > 0:
            yield Line("waive")

    def order(self, text: str) -> Line:
        """5.1, 5.2: Return the adjustment that a line orders. Raises `NotUnderstood` with its first fault."""
        line = read(self.world, text)
        for fault in self._faults(line):
            raise NotUnderstood(fault)
        if line.verb == "disband":
            return Line("disband", self.mine[line.place].kind, line.place)
        coast = line.coast if line.kind == "fleet" else ""
        return Line(line.verb, line.kind, line.place, coast)

    def _faults(self, line: Line) -> Iterator[Diagnostic]:
        wanted = ("build", "waive") if self.due > 0 else ("disband",)
        name = self.world.name(line.place) if line.place else ""
        if line.verb not in wanted:
            yield illegal("E-DIP-12", "5.1", Message("diplomacy.adjusting.not-due", line=line.text()))
        elif line.verb == "disband" and line.place not in self.mine:
            yield illegal("E-DIP-13", "5.2", Message("diplomacy.adjusting.no-unit", place=name))
        elif line.verb == "disband" and line.kind and line.kind != self.mine[line.place].kind:
            kind = self.mine[line.place].kind
            yield illegal("E-DIP-05", "5.2", Message("diplomacy.moving.other-kind", place=name, kind=kind))
        elif line.verb == "build":
            yield from self._build_faults(line, name)
        if line.place and any(earlier.place == line.place for earlier in self.done):
            yield illegal("E-DIP-14", "5.1", Message("diplomacy.moving.twice", place=name))
        if self.left < 1:
            yield illegal("E-DIP-15", "5.1", Message("diplomacy.adjusting.too-many", due=abs(self.due)))

    def _build_faults(self, line: Line, name: str) -> Iterator[Diagnostic]:
        """5.1: Yield the fault of a build: no site, no kind of unit, or a wrong coast."""
        province = self.world.atlas.provinces[line.place]
        if line.place not in self.sites:
            yield illegal("E-DIP-16", "5.1", Message("diplomacy.adjusting.no-site", place=name))
        elif not line.kind:
            yield illegal("E-DIP-17", "5.1", Message("diplomacy.adjusting.which-kind", place=name))
        elif line.kind == "fleet" and province.terrain != "coast":
            yield illegal("E-DIP-17", "5.1", Message("diplomacy.adjusting.no-coast", place=name))
        elif line.kind == "fleet" and province.coasts and line.coast not in province.coasts:
            coasts = " or ".join(f"{line.place}/{coast}" for coast in province.coasts)
            message = Message("diplomacy.moving.which-coast", goal=name, coasts=coasts)
            yield illegal("E-DIP-07", "5.1", message)

    def missing(self) -> list[Line]:
        """5.4: Return the disbands that civil disorder adds to those ordered."""
        used = {line.place for line in self.done}
        rest = [piece for place, piece in self.mine.items() if place not in used]
        rest.sort(key=lambda piece: _first_to_go(self.world.atlas, piece))
        return [
            Line("disband", piece.kind, piece.place) for piece in rest[: self.left if self.due < 0 else 0]
        ]


def _first_to_go(atlas: Atlas, piece: Piece) -> tuple[int, bool, str]:
    """5.4: Return a sort key for civil disorder: the farthest, a fleet before an army, then by name."""
    far = atlas.distance(piece, atlas.homes(piece.power))
    return -far, piece.kind == "army", atlas.provinces[province_of(piece.place)].name
