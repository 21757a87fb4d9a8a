"""Node D: the week ends: calendar, arrivals, rail points, victory (4.10, 10.6, 10.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.rules import Game, procedure

from ..events.week import ArrivalLost, CycleEnded, GameOver, Held, PointsCounted, SupplyArrived, UnitArrived
from ..handling import add_supply
from ..pieces import is_unit, unit, world_of
from ..set_up import counter
from ..victory import Ending, ending, score
from ..zones import enemy_occupied, owner


@procedure("end_of_week", rule="4.10")
async def end_of_week(game: Game, phasing: str | None) -> None:
    """4.10 The last week counts the points; any other is followed by the next, with its arrivals."""
    world, tracks = world_of(game), game.tracks
    for side in world.seats:
        tracks["vp"][side] = score(game, side).total
    end = ending(game, week_over=True)
    if end is not None:
        finish(game, end)
        return
    if tracks["gt"] % int(game.scenario["rail_cycle"]) == 0:
        tracks["rail_points"] = dict(game.scenario["rail_points"])
        game.emit(CycleEnded(dict(tracks["rail_points"])))
    tracks["gt"] += 1
    for each in game.scenario.get("arrivals", ()):
        if each["gt"] == tracks["gt"]:
            arrive(game, each)


def arrive(game: Game, each: Mapping[str, Any]) -> None:
    """10.6 Units and supply at a city; they are lost if the enemy owns it or is in it."""
    side, hex = each["side"], each["hex"]
    if owner(game, hex) != side or enemy_occupied(game, hex, side):
        game.emit(ArrivalLost(side, hex))
        return
    for id, fields in each.get("units", {}).items():
        game.position.add(id, counter(world_of(game), {**fields, "hex": hex}))
        here = unit(game, id)
        game.emit(UnitArrived(side, id, here.row.name, here.sp, hex))
    for id, points in each.get("supply", {}).items():
        if is_unit(game, id):
            here = unit(game, id)
            taken = points if here.room is None else min(points, here.room)
            add_supply(game, id, taken)
            game.emit(SupplyArrived(side, id, here.hex, taken))
        else:
            game.emit(ArrivalLost(side, hex))


def finish(game: Game, end: Ending) -> None:
    """10.7 Both scores are told, and who has won."""
    world, tracks = world_of(game), game.tracks
    for side in world.seats:
        found = score(game, side)
        lost = tracks["losses_sp"][world.enemy(side)]
        held = tuple(Held(world.place(hex), points) for hex, points in found.holds)
        tracks["vp"][side] = found.total
        game.emit(PointsCounted(side, held, found.always, lost, found.losses, found.total))
    tracks["result"] = {"winner": end.winner, "why": end.why}
    north, south = (tracks["vp"][side] for side in world.seats)
    game.emit(GameOver(end.winner or "nobody", end.why, north, south))
