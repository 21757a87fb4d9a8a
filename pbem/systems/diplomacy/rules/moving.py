"""2: The orders that a power may give to its units, and the faults of an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Message, did_you_mean

from .atlas import Order, Piece, coast_of, province_of
from .notation import Line, NotUnderstood, place_words, read
from .world import World


class Moving:
    """The legal orders in one position, for any power."""

    def __init__(self, world: World, pieces: Mapping[str, Piece]) -> None:
        self.world, self.atlas, self.pieces = world, world.atlas, pieces
        self.fleets = tuple(
            p for p, piece in pieces.items() if piece.kind == "fleet" and self.atlas.provinces[p].sea
        )
        self._shores: dict[tuple[str, str], tuple[str, ...]] = {}
        self._ferries: dict[tuple[str, str], frozenset[str]] = {}

    def shores(self, place: str, without: str = "") -> tuple[str, ...]:
        """2.4: Return the coasts to which fleets, apart from `without`, could convoy an army from here."""
        key = (place, without)
        if key not in self._shores:
            ferries = [fleet for fleet in self.fleets if fleet != without]
            coast = self.atlas.provinces[place].terrain == "coast"
            self._shores[key] = self.atlas.shores(place, ferries) if coast else ()
        return self._shores[key]

    def ferries(self, start: str, goal: str) -> frozenset[str]:
        """2.4.2: Return the fleets on the map that could be part of a convoy."""
        if (start, goal) not in self._ferries:
            self._ferries[start, goal] = self.atlas.ferries(start, goal, self.fleets)
        return self._ferries[start, goal]

    def can_move(self, place: str, to: str, without: str = "") -> bool:
        """Return True if the unit here could move to a province, by border or convoy."""
        piece = self.pieces[place]
        by_sea = piece.kind == "army" and to in self.shores(place, without)
        return by_sea or self.atlas.reaches(piece, to)

    def lines(self, place: str) -> Iterator[Line]:
        """2: Yield every legal order for a unit: hold, moves, supports, convoys."""
        piece = self.pieces[place]
        near = self.atlas.steps(piece)
        yield Line("hold", piece.kind, place)
        for node in near:
            yield Line("move", piece.kind, place, to=province_of(node), to_coast=coast_of(node))
        if piece.kind == "army":
            for to in self.shores(place):
                yield Line("move", piece.kind, place, to=to, via=to in near)
        yield from self._supports(place, piece)
        if piece.kind == "fleet" and self.atlas.provinces[place].sea:
            yield from self._convoys(place)

    def _supports(self, place: str, piece: Piece) -> Iterator[Line]:
        goals = sorted({province_of(node) for node in self.atlas.steps(piece)})
        for goal in goals:
            if goal in self.pieces:
                yield Line("support", piece.kind, place, of_kind=self.pieces[goal].kind, of=goal)
        for other in self.pieces.values():
            for goal in goals:
                if other.place not in (place, goal) and self.can_move(other.place, goal, without=place):
                    yield Line("support", piece.kind, place, to=goal, of_kind=other.kind, of=other.place)

    def _convoys(self, place: str) -> Iterator[Line]:
        for other in self.pieces.values():
            if other.kind == "army":
                for to in self.shores(other.place):
                    if place in self.ferries(other.place, to):
                        yield Line("convoy", "fleet", place, to=to, of_kind="army", of=other.place)

    def order(self, text: str, power: str) -> Order:
        """2.5: Return the order that a line means. Raises `NotUnderstood` with its first fault."""
        line = read(self.world, text)
        for fault in self._faults(line, power):
            raise NotUnderstood(fault)
        return self._meant(line)

    def _meant(self, line: Line) -> Order:
        piece = self.pieces[line.place]
        coast = line.to_coast
        if line.verb == "move":
            nodes = [node for node in self.atlas.steps(piece) if province_of(node) == line.to]
            coast = coast_of(nodes[0]) if piece.kind == "fleet" and len(nodes) == 1 else coast
            coast = "" if piece.kind == "army" else coast
        elif line.verb == "support" and line.to and self.pieces[line.of].kind == "army":
            coast = ""
        verb = line.verb
        assert verb in ("hold", "move", "support", "convoy")
        return Order(line.place, verb, line.to, coast, line.of, line.via)  # type: ignore[arg-type]

    def _faults(self, line: Line, power: str) -> Iterator[Diagnostic]:
        """2.5: Yield the faults of an order, the gravest first."""
        piece = self.pieces.get(line.place)
        if line.verb not in ("hold", "move", "support", "convoy"):
            yield illegal("E-DIP-10", "2.1", Message("diplomacy.moving.not-now", line=line.text()))
        elif piece is None:
            yield self._nobody(line, power)
        elif piece.power != power:
            place = self.world.name(line.place)
            message = Message("diplomacy.moving.of-another", place=place, owner=piece.power)
            yield illegal("E-DIP-04", "2.5", message)
        elif line.kind and line.kind != piece.kind:
            message = Message(
                "diplomacy.moving.other-kind", place=self.world.name(line.place), kind=piece.kind
            )
            yield illegal("E-DIP-05", "2.5", message)
        elif line.verb == "move":
            yield from self._move_faults(piece, line)
        elif line.verb == "support":
            yield from self._support_faults(piece, line)
        elif line.verb == "convoy":
            yield from self._convoy_faults(piece, line)

    def _nobody(self, line: Line, power: str) -> Diagnostic:
        message = Message("diplomacy.moving.no-unit", place=self.world.name(line.place))
        mine = [p for p, piece in self.pieces.items() if piece.power == power]
        near = did_you_mean(line.place, mine)
        help_ = (
            Message("diplomacy.notation.did-you-mean", near=f"{self.world.name(near)} ({near})")
            if near
            else ()
        )
        return illegal("E-DIP-03", "2.5", message, help=help_)

    def _move_faults(self, piece: Piece, line: Line) -> Iterator[Diagnostic]:
        """2.2, 2.4: Yield the fault of a move that is impossible for the unit."""
        where, goal = self.world.name(line.place), place_words(self.world, line.goal)
        if line.to == line.place:
            yield illegal("E-DIP-06", "2.2", Message("diplomacy.moving.stays", place=where))
            return
        if piece.kind == "army" and line.to in self.shores(line.place):
            return
        nodes = [node for node in self.atlas.steps(piece) if province_of(node) == line.to]
        if not nodes:
            sail = piece.kind == "army" and self.atlas.provinces[line.to].terrain == "coast"
            message = (
                Message("diplomacy.moving.no-chain", place=where, goal=goal)
                if sail and self.atlas.provinces[line.place].terrain == "coast"
                else Message("diplomacy.moving.no-border", kind=piece.kind, place=where, goal=goal)
            )
            near = ", ".join(place_words(self.world, node) for node in self.atlas.steps(piece))
            help_ = Message("diplomacy.moving.may-go", near=near) if near else ()
            yield illegal("E-DIP-06", "2.2", message, help=help_)
        elif piece.kind == "fleet" and line.to_coast and line.goal not in nodes:
            help_ = Message("diplomacy.moving.may-go", near=place_words(self.world, nodes[0]))
            message = Message("diplomacy.moving.no-border", kind=piece.kind, place=where, goal=goal)
            yield illegal("E-DIP-07", "2.2.3", message, help=help_)
        elif piece.kind == "fleet" and not line.to_coast and len(nodes) > 1:
            coasts = " or ".join(node.replace(".", "/") for node in nodes)
            message = Message("diplomacy.moving.which-coast", goal=self.world.name(line.to), coasts=coasts)
            yield illegal("E-DIP-07", "2.2.3", message)

    def _support_faults(self, piece: Piece, line: Line) -> Iterator[Diagnostic]:
        """2.3: Yield the fault of a support that is impossible for the unit."""
        where, goal = self.world.name(line.place), line.to or line.of
        helped = self.pieces.get(line.of)
        if helped is None:
            message = Message("diplomacy.moving.no-unit", place=self.world.name(line.of))
            yield illegal("E-DIP-03", "2.3", message)
        elif line.of == line.place or goal == line.place:
            yield illegal("E-DIP-08", "2.3", Message("diplomacy.moving.helps-itself", place=where))
        elif not self.atlas.reaches(piece, goal):
            message = Message("diplomacy.moving.support-too-far", place=where, goal=self.world.name(goal))
            yield illegal("E-DIP-08", "2.3.1", message)
        elif line.to and (line.to == line.of or not self._could_go(helped, line)):
            message = Message(
                "diplomacy.moving.helped-cannot",
                place=self.world.name(line.of),
                goal=place_words(self.world, line.goal),
            )
            yield illegal("E-DIP-08", "2.3.2", message)

    def _could_go(self, helped: Piece, line: Line) -> bool:
        """2.3.2: Return True if the supported move is possible, without this unit as part of a convoy."""
        if helped.kind == "fleet" and line.to_coast:
            return line.goal in self.atlas.steps(helped)
        return self.can_move(line.of, line.to, without=line.place)

    def _convoy_faults(self, piece: Piece, line: Line) -> Iterator[Diagnostic]:
        """2.4: Yield the fault of a convoy that is impossible for the fleet."""
        helped = self.pieces.get(line.of)
        where = self.world.name(line.place)
        if piece.kind != "fleet" or not self.atlas.provinces[line.place].sea:
            yield illegal("E-DIP-09", "2.4.1", Message("diplomacy.moving.no-ferry", place=where))
        elif helped is None:
            message = Message("diplomacy.moving.no-unit", place=self.world.name(line.of))
            yield illegal("E-DIP-03", "2.4", message)
        elif helped.kind != "army":
            message = Message("diplomacy.moving.other-kind", place=self.world.name(line.of), kind=helped.kind)
            yield illegal("E-DIP-09", "2.4", message)
        elif line.place not in self.ferries(line.of, line.to):
            message = Message(
                "diplomacy.moving.no-part",
                place=where,
                start=self.world.name(line.of),
                goal=self.world.name(line.to),
            )
            yield illegal("E-DIP-09", "2.4.2", message)
