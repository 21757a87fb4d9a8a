"""4.4.1 Breakout: who may try, and what comes of it."""

from __future__ import annotations

from pbem.rules import Board, Game, roll

from .events.turn import BreakoutRolled
from .pieces import T, Unit, units, world_of
from .trace import Tracing
from .zones import Ground


def candidates(board: Board, side: str) -> dict[str, bool]:
    """Units without trace that may break out: id -> is it the first turn without?"""
    tracing = Tracing(board, side)
    linked = tracing.whole()
    found: dict[str, bool] = {}
    for u in units(board, side):
        if u.id in linked or tracing.traced(u) or not max(u.print.combat.ma, u.print.move.ma):
            continue
        if u.hex not in world_of(board).terrains:
            continue
        first = u.last_trace == "trace"
        if first or reaches_friends(board, u, sorted(linked)):
            found[u.id] = first
    return found


def reaches_friends(board: Board, u: Unit, linked: list[str]) -> bool:
    """4.4.1 tests A and B: a way of any length to a friendly unit in trace, and one within 15 hexes."""
    world, ground = world_of(board), Ground(board, u.owner)
    friends = {Unit(board, id).hex or "" for id in linked}
    far = int(world.numbers["breakout_range"])
    if not any(world.distance(u.hex or "", hex) <= far for hex in friends if hex in world.terrains):
        return False
    m, seen, queue = u.print.move.mobility, {u.hex or ""}, [u.hex or ""]
    for here in queue:
        if here in friends:
            return True
        for to in world.beside(here):
            closed = to in ground.enemies or (m == "truck" and ground.open_zoc(to, trace=True))
            if (
                to not in seen
                and not closed
                and world.step(here, to, m, ground=T.of(board).ground) is not None
            ):
                seen.add(to)
                queue.append(to)
    return False


async def break_out(game: Game, side: str, id: str, first: bool) -> None:
    """4.4.1 One die each: eliminated, or away and back after d6 turns."""
    t, world = T.of(game), world_of(game)
    chart = world.supply["breakout"]
    u = Unit(game, id)
    hex, kind = u.hex or "", u.kind
    die = await roll("1d6", "breakout", id)
    delay = await roll("1d6", "return", id)
    total = die.total + (int(chart["first_turn_drm"]) if first else 0)
    success, back = total >= int(chart["success_at_least"]), t.turn + delay.total
    fields = game.position.counters[id]
    kept = {key: fields[key] for key in ("owner", "kind", "type", "printed", "lost") if key in fields}
    u.remove()
    if success:
        homes = world.oob[side].get("return_hexes") or world.sources[side]
        t.coming[id] = {"turn": back, "hexes": list(homes), "counter": kept}
    else:
        kept.pop("lost", None)
        t.dead[id] = kept
    assert kind
    game.emit(
        BreakoutRolled(
            side, id, hex, first, die, int(chart["success_at_least"]), success, delay, back if success else 0
        )
    )
