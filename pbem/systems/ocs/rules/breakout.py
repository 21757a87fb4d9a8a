"""4.4.1: Breakout: the units that may try, and its results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pbem.kit.paths import flood
from pbem.rules import Board, Game, Json, roll

from .events.turn import BreakoutRolled
from .fighting.losses import bury
from .moving import bridged
from .pieces import Points, T, Unit, points, units, world_of
from .supply.trace import Tracing
from .zones import Ground


def candidates(board: Board, side: str) -> dict[str, bool]:
    """Return the units that may break out: id -> True in their first turn without trace."""
    tracing = Tracing(board, side)
    linked = tracing.whole()
    ways = WaysBack(board, side, linked)
    able: dict[str, bool] = {}
    for u in units(board, side):
        if u.id in linked or tracing.traced(u) or not max(u.print.combat.ma, u.print.move.ma):
            continue
        if u.hex not in world_of(board).terrains:
            continue
        first = u.last_trace == "trace"
        if first or ways.reached_by(u):
            able[u.id] = first
    return able


class WaysBack:
    """4.4.1: Tests A and B: a path of any length to a friend in trace, and such a friend in 15 hexes."""

    def __init__(self, board: Board, side: str, linked: Iterable[str]) -> None:
        self.board, self.side = board, side
        self.world, self.ground, self.weather = world_of(board), Ground(board, side), T.of(board).ground
        friends = {Unit(board, id).hex or "" for id in linked}
        self.friends = sorted(hex for hex in friends if hex in self.world.terrains)
        self._joined: dict[str, frozenset[str]] = {}

    def reached_by(self, u: Unit) -> bool:
        """Return True if both tests hold for a unit."""
        here, m = u.hex or "", u.print.move.mobility
        if self.world.nearest(here, self.friends) > int(self.world.numbers["breakout_range"]):
            return False
        return here in self.friends or any(
            to in self.joined(m) and self._passable(here, to, m) for to in self.world.beside(here)
        )

    def joined(self, m: str) -> frozenset[str]:
        """Return all hexes from which this mobility reaches a friend (a path works in both directions)."""
        if m not in self._joined:

            def beside(here: str) -> Iterator[str]:
                for to in self.world.beside(here):
                    closed = to in self.ground.hostile or (m == "truck" and ground.open_zoc(to, trace=True))
                    if not closed and self._passable(here, to, m):
                        yield to

            ground = self.ground
            self._joined[m] = frozenset(flood(self.friends, beside))
        return self._joined[m]

    def _passable(self, a: str, b: str, m: str) -> bool:
        over = bridged(self.board, self.side, a, b)
        return self.world.step(a, b, m, ground=self.weather, bridged=over) is not None


def cut_off_points(board: Board, side: str, able: Mapping[str, bool]) -> dict[str, Points]:
    """R-10: Return the transport points in hexes where units are in their first turn without trace."""
    hexes = {Unit(board, id).hex for id, first in able.items() if first}
    return {p.id: p for p in points(board, side) if p.hex in hexes}


async def break_out(game: Game, side: str, id: str, first: bool) -> None:
    """4.4.1: Roll a breakout: the unit is eliminated, or leaves the map and returns after d6 turns."""
    t, u = T.of(game), Unit(game, id)
    hex = u.hex or ""
    success, back = await _try(game, side, id, hex, first)
    fields = game.position.counters[id]
    kept = {key: fields[key] for key in ("owner", "kind", "type", "printed", "lost") if key in fields}
    if success:
        u.remove()
        t.coming[id] = {"turn": back, "hexes": homes(game, side), "counter": kept}
    else:
        bury(u)


async def points_break_out(game: Game, side: str, id: str) -> None:
    """R-10: Roll a breakout for each point; loads are lost."""
    t, p = T.of(game), Points(game, id)
    fields = game.position.counters[id]
    kept = {
        key: fields[key] for key in ("owner", "kind", "type", "ma", "mobility", "organic_of") if key in fields
    }
    hex, parts = p.hex or "", [{"points": 1}] * p.points
    parts += [{"points": 0, "tokens": p.tokens}] if p.tokens else []
    p.remove()
    for n, part in enumerate(parts):
        success, back = await _try(game, side, id, hex, True)
        if success:
            name = id if not n else f"{id}.{n + 1}"
            t.coming[name] = {"turn": back, "hexes": homes(game, side), "counter": {**kept, **part}}


async def _try(game: Game, side: str, id: str, hex: str, first: bool) -> tuple[bool, int]:
    chart = world_of(game).supply["breakout"]
    die, delay = await roll("1d6", "breakout", id), await roll("1d6", "return", id)
    needed = int(chart["success_at_least"])
    success = die.total + (int(chart["first_turn_drm"]) if first else 0) >= needed
    back = T.of(game).turn + delay.total if success else 0
    game.emit(BreakoutRolled(side, id, hex, first, die, needed, success, delay, back))
    return success, back


def homes(game: Game, side: str) -> list[Json]:
    """R-9: Return the hexes where units that broke out return."""
    world = world_of(game)
    return list(world.oob[side].get("return_hexes") or world.sources[side])
