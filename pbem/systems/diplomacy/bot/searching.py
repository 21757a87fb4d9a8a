"""A player who tries out orders: a plan changes order by order while its value rises.

What the others will do is not known, so each plan is judged against two guesses: they follow their own first
plan, or they stand. The value counts centres, what is on its way to one, and units lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pbem.rules import Game

from ..rules.adjudication import Outcome, adjudicate
from ..rules.atlas import Order, Piece
from ..rules.moving import Moving
from ..rules.notation import Line
from ..rules.retreating import open_nodes
from ..rules.state import State, alive
from .wishes import Wishes, first_plan

Plan = dict[str, Line]
CENTRE, TAKEN, LOST, GONE, RIVAL, STEP = 100, 70, 45, 80, 25, 6
"""The worth of a centre held, of one that would fall, of a unit dislodged and one without a retreat, of a
unit of another dislodged, and of a step nearer to a centre."""
SWEEPS = 3


def improved(game: Game, wishes: Wishes, plan: Plan, budget: int) -> Plan:
    """Return the best plan found within a number of positions."""
    search = Search(game, wishes, budget)
    best, worth = plan, search.worth(plan)
    for _ in range(SWEEPS):
        before = worth
        for other in search.changes(best):
            if not search.left:
                return best
            value = search.worth(other)
            if value > worth:
                best, worth = other, value
        if worth == before:
            break
    return best


class Search:
    """One position with guesses of what the others do."""

    def __init__(self, game: Game, wishes: Wishes, budget: int) -> None:
        self.wishes, self.left = wishes, budget
        self.player, self.atlas, self.pieces = wishes.player, wishes.atlas, wishes.pieces
        self.moving = Moving(wishes.world, self.pieces)
        self.fall = State.of(game).season == "fall"
        self._orders: dict[tuple[str, str], Order] = {}
        theirs: Plan = {}
        for other in alive(game):
            if other != self.player:
                theirs |= first_plan(Wishes(game, other))
        self.guesses = [{place: self._order(line) for place, line in theirs.items()}, {}]
        self.lines = {place: tuple(self.moving.lines(place)) for place in self.mine}

    @property
    def mine(self) -> list[str]:
        """Return the provinces of the player's units."""
        return [place for place, piece in self.pieces.items() if piece.power == self.player]

    def _order(self, line: Line) -> Order:
        key = (line.place, line.text())
        if key not in self._orders:
            self._orders[key] = self.moving.order(line.text(), self.pieces[line.place].power)
        return self._orders[key]

    def changes(self, plan: Plan) -> Iterator[Plan]:
        """Yield plans with one other order, and with an attack that another unit supports."""
        for place in self.mine:
            for line in self.lines[place]:
                if line != plan.get(place):
                    yield {**plan, place: line}
                if line.verb == "support" and line.to and line.of in self.lines:
                    yield from self._together(plan, place, line)

    def _together(self, plan: Plan, place: str, help: Line) -> Iterator[Plan]:
        """Yield the plan with a support and the move it helps."""
        for move in self.lines[help.of]:
            if move.verb == "move" and move.to == help.to:
                yield {**plan, place: help, help.of: move}

    def worth(self, plan: Plan) -> int:
        """Return the value of a plan; the worse of two guesses counts double."""
        self.left -= 1
        mine = {place: self._order(line) for place, line in plan.items()}
        values = [
            self._value(adjudicate(self.atlas, self.pieces, {**guess, **mine})) for guess in self.guesses
        ]
        return sum(values) + min(values)

    def _value(self, outcome: Outcome) -> int:
        after = dict(self._after(outcome))
        value = sum(self._standing(piece) for piece in after.values())
        for place in self.atlas.centres:
            holder = self.wishes.centres.get(place, "")
            there = after.get(place)
            if there is None:
                value += CENTRE if holder == self.player else 0
            elif there.power == self.player:
                value += CENTRE if self.fall or holder == self.player else TAKEN
            elif holder == self.player:
                value += 0 if self.fall else CENTRE - TAKEN
        return value + self._losses(outcome, after)

    def _after(self, outcome: Outcome) -> Iterator[tuple[str, Piece]]:
        for place, verdict in outcome.verdicts.items():
            piece, order = self.pieces[place], verdict.order
            if order.verb == "move" and verdict.done:
                yield order.to, replace(piece, place=order.to, coast=order.coast)
            elif place not in outcome.dislodged:
                yield place, piece

    def _standing(self, piece: Piece) -> int:
        return -STEP * self.wishes.far(piece) if piece.power == self.player else 0

    def _losses(self, outcome: Outcome, after: Mapping[str, Piece]) -> int:
        """Return the worth of units that would be dislodged."""
        value = 0
        for place, origin in outcome.dislodged.items():
            piece = self.pieces[place]
            if piece.power != self.player:
                value += RIVAL
                continue
            ways = open_nodes(self.atlas, piece, origin, after, outcome.contested)
            value -= LOST if ways else GONE
        return value
