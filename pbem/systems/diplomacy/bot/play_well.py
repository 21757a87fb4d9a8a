"""A player for demonstrations: goes to supply centres, supports attacks, agrees to a late draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.rules import Decision, Drafting, Game, Growing, Json, Option, Part, to_json

from ..rules.adjusting import Adjusting
from ..rules.atlas import Piece, province_of
from ..rules.drafts import adjusting, retreating
from ..rules.notation import Line
from ..rules.state import State, alive, pieces_of
from ..rules.world import World, world_of

Pick = Callable[[Sequence[Option]], Option]
Plan = Callable[[Game, str], Sequence[Any]]
YEARS = 4  # so many years are played before the bot votes for a draw
WORTH, NEAR, STEP = 20, 3, 2


def play_well(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    """Return a sensible answer."""
    plans: dict[str, Plan] = {"moves": _moves, "retreats": _retreats, "adjustments": _adjustments}
    plan = plans.get(decision.kind)
    if plan is None:
        return to_json(decision.default(game))
    assert isinstance(decision, Growing)
    drafting: Drafting[Any] = Drafting(decision, game)
    for element in plan(game, decision.player):
        drafting.offer(element)
    return drafting.json()


class _Wishes:
    """The supply centres that one power wants: those it does not hold, the near ones first."""

    def __init__(self, game: Game, player: str) -> None:
        self.player, self.world = player, world_of(game)
        self.atlas, self.pieces = self.world.atlas, pieces_of(game)
        self.centres = State.of(game).centres
        self._far: dict[tuple[str, str], int] = {}
        self.wanted = [place for place in self.atlas.centres if self.centres.get(place) != player]

    def worth(self, piece: Piece, node: str) -> int:
        """Return how much a power wants this unit there."""
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

    def _threatened(self, place: str) -> bool:
        return any(
            one.power != self.player and self.atlas.reaches(one, place) for one in self.pieces.values()
        )


def _moves(game: Game, player: str) -> list[Part[str]]:
    wishes = _Wishes(game, player)
    atlas, mine = wishes.atlas, [one for one in wishes.pieces.values() if one.power == player]
    chances = [
        (wishes.worth(piece, node), piece.place, node)
        for piece in mine
        for node in (piece.node, *atlas.steps(piece))
    ]
    goals: dict[str, str] = {}
    taken: set[str] = set()
    for _, place, node in sorted(chances, key=lambda one: (-one[0], one[1], one[2])):
        if place not in goals and province_of(node) not in taken:
            goals[place] = node
            taken.add(province_of(node))
    lines = {piece.place: _line(piece, goals.get(piece.place, piece.node)) for piece in mine}
    for piece in mine:
        helped = _helped(wishes, piece, lines)
        if helped is not None:
            lines[piece.place] = helped
    found = [Part("orders", line.text()) for line in lines.values()]
    return [*found, *_vote(game, wishes.world)]


def _line(piece: Piece, node: str) -> Line:
    place, _, coast = node.partition(".")
    if place == piece.place:
        return Line("hold", piece.kind, place)
    return Line("move", piece.kind, piece.place, to=place, to_coast=coast)


def _helped(wishes: _Wishes, piece: Piece, lines: dict[str, Line]) -> Line | None:
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


def _vote(game: Game, world: World) -> list[Part[str]]:
    late = State.of(game).year >= world.first_year + YEARS - 1
    return [Part("vote", "draw")] if late and game.options["draws"] and len(alive(game)) > 1 else []


def _retreats(game: Game, player: str) -> list[str]:
    wishes, found = _Wishes(game, player), []
    taken: set[str] = set()
    for place, (piece, nodes) in retreating(game, player).units.items():
        free = [node for node in nodes if province_of(node) not in taken]
        if free:
            best = max(free, key=lambda node: (wishes.worth(piece, node), node))
            taken.add(province_of(best))
            goal, _, coast = best.partition(".")
            found.append(Line("move", piece.kind, place, to=goal, to_coast=coast).text())
    return found


def _adjustments(game: Game, player: str) -> list[str]:
    due, wishes = adjusting(game, player), _Wishes(game, player)
    return [_best(due, wishes).text() for _ in range(abs(due.due))]


def _best(due: Adjusting, wishes: _Wishes) -> Line:
    """Return the build nearest to a wanted centre, or the disband farthest from one."""

    def far(line: Line) -> int:
        node = f"{line.place}.{line.coast}" if line.coast else line.place
        piece = due.mine.get(line.place) or Piece(due.power, _kind(line), *_apart(node))
        return wishes.far(piece)

    lines = [line for line in due.lines() if line.verb != "waive"]
    best = min(lines, key=far) if due.due > 0 else max(lines, key=far)
    due.done.append(best)
    return best


def _kind(line: Line) -> Any:
    return line.kind


def _apart(node: str) -> tuple[str, str]:
    place, _, coast = node.partition(".")
    return place, coast
