"""A player for demonstrations: goes to supply centres, supports attacks, agrees to a late draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pbem.rules import Decision, Drafting, Game, Growing, Json, Option, Part, to_json

from ..rules.adjusting import Adjusting
from ..rules.atlas import Piece, province_of
from ..rules.drafts import adjusting, retreating
from ..rules.notation import Line
from ..rules.state import State, alive, counts
from ..rules.world import World
from .searching import improved
from .wishes import Choose, Wishes, first_plan

Pick = Callable[[Sequence[Option]], Option]
Plan = Callable[[Game, str], Sequence[Any]]
YEARS, LONG, LEADING = 4, 10, 14
"""Years that are played before it votes for a draw: in a hurry, when it looks ahead, and then if it leads."""


def play_well(game: Game, decision: Decision[Any], pick: Pick) -> Json:
    """Return a sensible answer."""
    plans: dict[str, Plan] = {
        "moves": partial(_moves, pick),
        "retreats": _retreats,
        "adjustments": _adjustments,
    }
    plan = plans.get(decision.kind)
    if plan is None:
        return to_json(decision.default(game))
    assert isinstance(decision, Growing)
    drafting: Drafting[Any] = Drafting(decision, game)
    for element in plan(game, decision.player):
        drafting.offer(element)
    return drafting.json()


def _moves(choose: Choose, game: Game, player: str) -> list[Part[str]]:
    wishes = Wishes(game, player)
    lines = first_plan(wishes, choose)
    if game.budget:
        lines = improved(game, wishes, lines, game.budget)
    parts = [Part("orders", line.text()) for line in lines.values()]
    return [*parts, *_vote(game, wishes.world, player)]


def _vote(game: Game, world: World, player: str) -> list[Part[str]]:
    """Return the vote: for a draw late in the game; with look-ahead later, and not when leading
    alone.
    """
    state, living = State.of(game), alive(game)
    if not game.options["draws"] or len(living) < 2:
        return []
    most = max(counts(game).values())
    leads = [power for power in living if counts(game)[power] == most] == [player]
    years = YEARS if not game.budget else LEADING if leads else LONG
    return [Part("vote", "draw")] if state.year >= world.first_year + years - 1 else []


def _retreats(game: Game, player: str) -> list[str]:
    wishes, parts = Wishes(game, player), []
    taken: set[str] = set()
    for place, (piece, nodes) in retreating(game, player).units.items():
        free = [node for node in nodes if province_of(node) not in taken]
        if free:
            best = max(free, key=lambda node: (wishes.worth(piece, node), node))
            taken.add(province_of(best))
            goal, _, coast = best.partition(".")
            parts.append(Line("move", piece.kind, place, to=goal, to_coast=coast).text())
    return parts


def _adjustments(game: Game, player: str) -> list[str]:
    due, wishes = adjusting(game, player), Wishes(game, player)
    return [_best(due, wishes).text() for _ in range(abs(due.due))]


def _best(due: Adjusting, wishes: Wishes) -> Line:
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
