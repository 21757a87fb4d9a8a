"""Victory points and who has won (10.7): conditions are data of the scenario."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.rules import Diagnostic

from .pieces import Board, gt, world_of
from .statics import SIDES, Data
from .world import World
from .zones import owner


@dataclass(frozen=True)
class Score:
    """The points of one side: by hexes held, always, and for losses of the enemy."""

    holds: tuple[tuple[str, int], ...]
    always: int
    losses: int

    @property
    def total(self) -> int:
        return sum(points for _, points in self.holds) + self.always + self.losses


def score(board: Board, side: str) -> Score:
    """The victory points of a side as the map stands now."""
    world = world_of(board)
    terms = world.victory["points"][side]
    losses = board.position.tracks["losses_sp"]
    assert isinstance(losses, dict)
    held = tuple((hex, int(points)) for hex, points in terms["holds"].items() if owner(board, hex) == side)
    lost = losses[world.enemy(side)]
    assert isinstance(lost, int)
    return Score(held, int(terms["always"]), lost // int(terms["per_losses"]))


@dataclass(frozen=True)
class Ending:
    """How a game ended: the winner (None: a draw), and by what."""

    winner: str | None
    why: str


def ending(board: Board, *, week_over: bool) -> Ending | None:
    """Who has won now; None while the game goes on."""
    world = world_of(board)
    keys = [owner(board, hex) for hex in world.victory["at_once"]]
    if keys and keys[0] is not None and all(each == keys[0] for each in keys):
        return Ending(keys[0], "owns " + " and ".join(world.place(hex) for hex in world.victory["at_once"]))
    if not week_over or gt(board) < int(world.victory["last_gt"]):
        return None
    totals = {side: score(board, side).total for side in world.seats}
    best = max(totals.values())
    leading = [side for side in world.seats if totals[side] == best]
    if len(leading) > 1:
        return Ending(None, "equal victory points")
    return Ending(leading[0], "more victory points")


def victory_faults(world: World, victory: Data) -> Iterator[Diagnostic]:
    """Conditions on hexes that nobody can own, of unknown sides, and a game that would never end."""
    ownable = {**world.settlements, **world.forts}
    named = [(hex, ("victory", "at_once")) for hex in victory.get("at_once", ())]
    for side, terms in victory["points"].items():
        if side not in SIDES:
            message = f"'{side}' is neither north nor south"
            yield Diagnostic("unknown-player", message, path=("victory", "points", side))
        named += [(hex, ("victory", "points")) for hex in terms["holds"]]
        if int(terms["per_losses"]) < 1:
            yield Diagnostic(
                "out-of-range", "per_losses must be at least 1", path=("victory", "points", side)
            )
    for hex, path in named:
        if hex not in ownable:
            yield Diagnostic("wrong-place", f"{hex} has neither settlement nor fort to own", path=path)
    if not 1 <= int(victory["last_gt"]) <= max(world.calendar):
        yield Diagnostic("no-ending", "last_gt must be a week of the calendar", path=("victory", "last_gt"))
