"""10.3: Victory points for hexes, bases and losses, as the scenario counts them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.rules import Board, Game

from .pieces import T, maybe_unit, units, world_of
from .supply.trace import Tracing
from .views import hides


def count(board: Board) -> dict[str, int]:
    """Return the points of the scenario's first side by item; points of the other side are negative."""
    world, t = world_of(board), T.of(board)
    rules = world.victory
    side, other = rules["sides"]
    traces = {seat: Tracing(board, seat) for seat in world.seats}
    items: dict[str, int] = {}
    for hex, points in rules["held_for"].items():
        if held(board, hex, side, traces[side]):
            items[f"holds.{hex}"] = points
    for hex, base in sorted(t.bases.items()):
        if base.owner == side and _began_with(world, hex, other) and held(board, hex, side, traces[side]):
            items[f"base.{hex}"] = rules["enemy_base"]
    items |= divisions(board, other, rules["division_halved"], rules["division_destroyed"])
    across = rules["across"]
    low, high = across["columns"]
    over = [
        u
        for u in units(board, side)
        if u.hex in world.terrains
        and low <= world.map.grid.column_row(world.at(u.hex or ""))[0] <= high
        and traces[side].traced(u)
    ]
    if over:
        items["across"] = min(across["most"], across["points"] * len(over))
    for hex, points in rules["lost"].items():
        if held(board, hex, other, traces[other]):
            items[f"lost.{hex}"] = -points
    items |= {
        key: -value
        for key, value in divisions(
            board, side, rules["own_division_halved"], rules["own_division_halved"]
        ).items()
    }
    for id, fields in sorted(t.dead.items()):
        if fields["owner"] == side and fields["kind"] == "hq":
            items[f"hq.{id}"] = -rules["own_hq_destroyed"]
    return items


def points(game: Game) -> dict[str, int]:
    """Return the points as if the game ended now, or nothing if fog hides what counts."""
    if hides(game):
        return {}
    return {"*": sum(count(game).values())}


def held(board: Board, hex: str, side: str, tracing: Tracing) -> bool:
    """Return True if a side controls a hex, and one of its units there, if any, is in trace."""
    if T.of(board).control.get(hex) != side:
        return False
    there = units(board, side, hex)
    return not there or any(tracing.traced(u) for u in there)


def divisions(board: Board, side: str, halved: int, destroyed: int) -> dict[str, int]:
    """Return points for each multi-step unit of a side that lost half its steps, or all."""
    t, points = T.of(board), {}
    for id, printed in sorted(world_of(board).units.items()):
        if not printed.multi_step:
            continue
        u = maybe_unit(board, id)
        if u is not None and u.owner == side and 2 * u.lost >= printed.steps:
            points[f"halved.{id}"] = halved
        elif id in t.dead and t.dead[id]["owner"] == side:
            points[f"destroyed.{id}"] = destroyed
    return points


def _began_with(world: Any, hex: str, side: str) -> bool:
    listed: Mapping[str, Any] = world.scenario.get("air_bases", {})
    return hex in listed and listed[hex]["owner"] == side
