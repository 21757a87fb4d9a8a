"""10.7: Victory points and the winner. The conditions are data of the scenario."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Board, Diagnostic, Game, Message, dataclass

from .events.week import GameOver, Held, PointsCounted
from .pieces import gt, world_of
from .statics import SIDES, Data
from .tracks import Result, T
from .world import World
from .zones import owner


@dataclass(frozen=True)
class Score:
    """The points of one side: for hexes held, always, and for losses of the enemy."""

    holds: tuple[tuple[str, int], ...]
    always: int
    losses: int

    @property
    def total(self) -> int:
        return sum(points for _, points in self.holds) + self.always + self.losses


def score(board: Board, side: str) -> Score:
    """Return the present victory points of a side."""
    world = world_of(board)
    terms = world.victory["points"][side]
    held = tuple((hex, int(points)) for hex, points in terms["holds"].items() if owner(board, hex) == side)
    lost = T.of(board).losses_sp[world.enemy(side)]
    return Score(held, int(terms["always"]), lost // int(terms["per_losses"]))


def ending(board: Board, *, week_over: bool) -> Result | None:
    """Return the winner now and the reason, or None while the game continues."""
    world = world_of(board)
    cities = world.victory["at_once"]
    keys = [owner(board, hex) for hex in cities]
    if keys and keys[0] is not None and all(key == keys[0] for key in keys):
        return Result(keys[0], "owns " + " and ".join(world.place(hex) for hex in cities))
    if not week_over or gt(board) < int(world.victory["last_gt"]):
        return None
    totals = {side: score(board, side).total for side in world.seats}
    leading = [side for side, total in totals.items() if total == max(totals.values())]
    return (
        Result(None, Message("wbts.victory.equal-victory-points"))
        if leading[1:]
        else Result(leading[0], Message("wbts.victory.more-victory-points"))
    )


def decide_at_once(game: Game) -> None:
    """10.7: End the game if a side owns both cities. The week then ends without further play."""
    end = ending(game, week_over=False)
    if end is not None and T.of(game).result is None:
        finish(game, end)


def finish(game: Game, end: Result) -> None:
    """10.7: Report both scores, and the winner."""
    world, tracks = world_of(game), T.of(game)
    for side in world.seats:
        tally, lost = score(game, side), tracks.losses_sp[world.enemy(side)]
        held = tuple(Held(world.place(hex), points) for hex, points in tally.holds)
        tracks.vp[side] = tally.total
        game.emit(PointsCounted(side, held, tally.always, lost, tally.losses, tally.total))
    tracks.result = end
    north, south = (tracks.vp[side] for side in world.seats)
    game.emit(GameOver(end.winner or "nobody", end.why, north, south))


def victory_faults(world: World, victory: Data) -> Iterator[Diagnostic]:
    """Yield faults of victory conditions: hexes without an owner, unknown sides, a missing end."""
    ownable = {**world.settlements, **world.forts}
    named = [(hex, ("victory", "at_once")) for hex in victory.get("at_once", ())]
    for side, terms in victory["points"].items():
        path = ("victory", "points", side)
        if side not in SIDES:
            yield Diagnostic("unknown-player", Message("wbts.victory.unknown-player", side=side), path=path)
        named += [(hex, ("victory", "points")) for hex in terms["holds"]]
        if int(terms["per_losses"]) < 1:
            yield Diagnostic("out-of-range", Message("wbts.victory.out-of-range"), path=path)
    for hex, where in named:
        if hex not in ownable:
            yield Diagnostic("wrong-place", Message("wbts.victory.wrong-place", hex=hex), path=where)
    if not 1 <= int(victory["last_gt"]) <= len(world.calendar.rows):
        yield Diagnostic("no-ending", Message("wbts.victory.no-ending"), path=("victory", "last_gt"))
