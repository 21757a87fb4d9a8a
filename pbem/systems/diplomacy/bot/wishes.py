"""Goals of one power and a first plan for it: go to supply centres, support attacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.rules import Game

from ..rules.atlas import Piece, province_of
from ..rules.notation import Line
from ..rules.state import State, pieces_of
from ..rules.world import world_of

Choose = Callable[[Sequence[Any]], Any]
"""A choice of one of some values by chance."""
WORTH, NEAR, STEP = 20, 3, 2
YIELDS = (False, False, True)
"""One time in three a unit leaves a contested centre to others: equal plans would bounce for ever."""


class Wishes:
    """The supply centres that one power wants: those it does not hold, the near ones first."""

    def __init__(self, game: Game, player: str) -> None:
        self.player, self.world = player, world_of(game)
        self.atlas, self.pieces = self.world.atlas, pieces_of(game)
        self.centres = State.of(game).centres
        self._far: dict[tuple[str, str], int] = {}
        self.wanted = [place for place in self.atlas.centres if self.centres.get(place) != player]

    def worth(self, piece: Piece, node: str) -> int:
        """Return the value of this unit there for a power."""
        place = province_of(node)
        there = self.pieces.get(place)
        coast = node.partition(".")[2]
        moved = Piece(piece.power, piece.kind, place, coast)
        value = -STEP * self.far(moved)
        if place in self.wanted:
            value += WORTH // 2 if there is not None and there.power != self.player else WORTH
        elif self.centres.get(place) == self.player and self._threatened(place):
            value += NEAR
        return value

    def far(self, piece: Piece) -> int:
        """Return the steps to the nearest centre that is wanted."""
        key = (piece.kind, piece.node)
        if key not in self._far:
            self._far[key] = self.atlas.distance(piece, self.wanted)
        return self._far[key]

    def contested(self, node: str) -> bool:
        """Return True for a wanted centre without a unit that a unit of another power can enter."""
        place = province_of(node)
        return place in self.wanted and place not in self.pieces and self._threatened(place)

    def _threatened(self, place: str) -> bool:
        return any(
            piece.power != self.player and self.atlas.reaches(piece, place) for piece in self.pieces.values()
        )


def first_plan(wishes: Wishes, choose: Choose | None = None) -> dict[str, Line]:
    """Return an order for each unit: the best goals first, then support for attacks.

    With `choose`, units sometimes yield a centre that others want too.
    """
    atlas, mine = wishes.atlas, [piece for piece in wishes.pieces.values() if piece.power == wishes.player]
    chances = [
        (wishes.worth(piece, node) - _yielded(wishes, node, choose), piece.place, node)
        for piece in mine
        for node in (piece.node, *atlas.steps(piece))
    ]
    goals: dict[str, str] = {}
    taken: set[str] = set()
    for _, place, node in sorted(chances, key=lambda chance: (-chance[0], chance[1], chance[2])):
        if place not in goals and province_of(node) not in taken:
            goals[place] = node
            taken.add(province_of(node))
    lines = {piece.place: _line(piece, goals.get(piece.place, piece.node)) for piece in mine}
    for piece in mine:
        helped = _helped(wishes, piece, lines)
        if helped is not None:
            lines[piece.place] = helped
    return lines


def _yielded(wishes: Wishes, node: str, choose: Choose | None) -> int:
    return WORTH if choose is not None and wishes.contested(node) and choose(YIELDS) else 0


def _line(piece: Piece, node: str) -> Line:
    place, _, coast = node.partition(".")
    if place == piece.place:
        return Line("hold", piece.kind, place)
    return Line("move", piece.kind, piece.place, to=place, to_coast=coast)


def _helped(wishes: Wishes, piece: Piece, lines: dict[str, Line]) -> Line | None:
    """Return a support of an attack that needs it, if this unit has nothing as good to do."""
    own = lines[piece.place]
    if own.verb == "support" or (own.verb == "move" and own.to in wishes.wanted):
        return None
    if own.verb == "hold" and piece.place in wishes.wanted:
        return None
    for place, line in lines.items():
        attacks = line.verb == "move" and line.to in wishes.pieces and line.to in wishes.wanted
        if attacks and place != piece.place and wishes.atlas.reaches(piece, line.to):
            return Line("support", piece.kind, piece.place, to=line.to, of_kind=line.kind, of=place)
    return None
