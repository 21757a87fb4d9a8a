"""Step losses, DG and retreats (4.0.7, 4.0.8, 4.9.9): units that lose, paths, costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pbem.rules import Board, Game, dataclass

from ..events.moving import CraftLost
from ..moving import bridged, holds_enemy_things
from ..pieces import Craft, T, Unit, points, units, world_of
from ..world import World
from ..zones import Ground
from .strength import printed_strength


def loss_key(u: Unit, wanted: Sequence[str] = ()) -> tuple[int, int, int, str]:
    """D-LOSS (R-110): Return a sort key for losses.

    The owner's order decides, then the lowest printed strength, the fewest steps, the id.
    """
    rank = min((n for n, name in enumerate(wanted) if name in (u.id, u.kind)), default=len(wanted))
    return rank, printed_strength(u)[0], u.steps, u.id


def by_combat_rule(
    pool: Sequence[Unit], n: int, ar: str | None, taken: dict[str, int], wanted: Sequence[str] = ()
) -> list[str]:
    """4.0.7: Return the units that lose steps by the combat rule, in order.

    The rating unit is first. No unit loses a second step before all have lost one; `taken` counts the losses
    of this fight so far.
    """
    losers: list[str] = []
    lost = dict(taken)
    left = {u.id: u.steps + taken.get(u.id, 0) for u in pool}
    for _ in range(n):
        able = [u for u in pool if left[u.id] > lost.get(u.id, 0)]
        if not able:
            break
        if ar is not None and not lost.get(ar) and any(u.id == ar for u in able):
            loser = ar
        else:
            fresh = [u for u in able if not lost.get(u.id)]
            loser = min(fresh or able, key=lambda u: loss_key(u, wanted)).id
        lost[loser] = lost.get(loser, 0) + 1
        losers.append(loser)
    return losers


def by_free_rule(pool: Sequence[Unit], n: int, wanted: Sequence[str] = ()) -> list[str]:
    """4.0.7: Return losses by the free rule: the owner's order, or else the lowest printed strength."""
    left = {u.id: u.steps for u in pool}
    losers: list[str] = []
    for _ in range(min(n, sum(left.values()))):
        able = [u for u in pool if left[u.id]]
        loser = min(able, key=lambda u: (*loss_key(u, wanted)[:2], left[u.id], u.id)).id
        left[loser] -= 1
        losers.append(loser)
    return losers


def lose_step(u: Unit) -> bool:
    """Remove one step; return True if it was the last and the unit is eliminated."""
    if u.steps > 1:
        u.lost += 1
        return False
    bury(u)
    return True


def bury(u: Unit) -> None:
    """4.0.7: Move a unit to the dead pile, without its markers."""
    if u.kind == "breakdown":  # it returns to the pool (4.4.15)
        u.remove()
        return
    t = T.of(u.board)
    kept = {
        key: u.position.counters[u.id][key]
        for key in ("owner", "kind", "type", "printed")
        if key in u.position.counters[u.id]
    }
    t.dead[u.id] = kept
    u.remove()


def make_dg(board: Board, side: str, hex: str) -> list[str]:
    """4.0.8: Make all combat units of a side in a hex DG; return the ones that became so.

    Organic trucks there leave Reserve.
    """
    fresh = []
    for u in units(board, side, hex):
        if u.marker != "dg":
            fresh.append(u.id)
            u.marker = "dg"
            u.min_ar = 0
    for p in points(board, side, hex):
        p.marker = "none"
    return fresh


@dataclass(frozen=True)
class Way:
    """A path of retreat with its costs."""

    path: tuple[str, ...]
    lost: int
    zones: int


class Retreat:
    """4.9.9: Legal paths of a group that retreats `n` hexes (from `origin`, if given)."""

    def __init__(
        self, board: Board, group: Sequence[Unit], n: int, barred: frozenset[str], origin: str | None = None
    ) -> None:
        self.board, self.group, self.n, self.barred = board, list(group), n, barred
        self.side = group[0].owner
        self.world: World = world_of(board)
        self.start = group[0].hex or ""
        self.origin = origin or self.start
        self.ground = Ground(board, self.side)

    def may_enter(self, a: str, b: str, group: Sequence[Unit]) -> bool:
        """Return True if a retreat may enter: no enemies now or before, and no prohibited terrain."""
        if b in self.barred or b in self.ground.hostile or not self.world.land(b):
            return False
        if holds_enemy_things(self.board, self.side, b) and not any(u.attack_capable for u in group):
            return False
        over = bridged(self.board, self.side, a, b)
        ground = T.of(self.board).ground
        for u in group:
            facing = retreat_side(u)
            if self.world.step(a, b, facing, ground=ground, bridged=over) is None:
                return False
        return True

    def paths(self, group: Sequence[Unit]) -> Iterator[tuple[str, ...]]:
        """R-34: Yield all legal paths with the fewest hexes, at most two more than the retreat."""
        most = self.n + int(self.world.numbers["retreat_detour"])
        layer: list[tuple[str, ...]] = [()]
        for length in range(1, most + 1):
            layer = [
                (*way, to)
                for way in layer
                for to in self.world.beside(way[-1] if way else self.start)
                if to not in way
                and to != self.start
                and self._hopeful(to, most - length)
                and self.may_enter(way[-1] if way else self.start, to, group)
            ]
            done = [way for way in layer if self.world.distance(self.origin, way[-1]) == self.n]
            if done:
                yield from done
                return

    def is_legal(self, path: Sequence[str], group: Sequence[Unit]) -> bool:
        """Return True if a group may retreat along a path: each step legal, no hex twice, a legal end."""
        most = self.n + int(self.world.numbers["retreat_detour"])
        here = self.start
        for hex in path:
            if hex not in self.world.beside(here) or not self.may_enter(here, hex, group):
                return False
            here = hex
        ends = self.world.distance(self.origin, here) == self.n
        return ends and len(path) <= most and len({self.start, *path}) == len(path) + 1

    def _hopeful(self, hex: str, left: int) -> bool:
        return abs(self.world.distance(self.origin, hex) - self.n) <= left

    def judged(self, path: tuple[str, ...], group: Sequence[Unit]) -> Way:
        """4.9.9: Return a path with its costs: steps that DG and Strat units lose in zones, and zones."""
        dg = {u.id: u.marker == "dg" for u in group}
        left = {u.id: u.steps for u in group}
        strat = [u.id for u in group if u.marker == "strat"]
        lost = zones = 0
        for n, hex in enumerate(path, 1):
            if hex in self.ground.zoc:
                zones += 1
                for id in strat:
                    lost, left[id] = lost + left[id], 0
                able = [id for id in left if dg[id] and left[id]]
                if able:
                    left[min(able)] -= 1
                    lost += 1
                dg = dict.fromkeys(dg, True)
            if n == 2:
                dg = dict.fromkeys(dg, True)
        return Way(path, lost, zones)

    def default(self, group: Sequence[Unit] | None = None) -> Way | None:
        """D-RETREAT: Return the best path for a group that stays together, or None."""
        group = group or self.group
        best: tuple[object, Way] | None = None
        names = {u.id for u in group}
        for path in self.paths(group):
            way, end = self.judged(path, group), path[-1]
            there = [u for u in units(self.board, self.side, end) if u.id not in names]
            size = sum((u.re for u in [*there, *group]), Fraction(0))
            over = max(Fraction(0), size - int(self.world.numbers["stacking_re"]))
            goals = [u.hex or "" for u in units(self.board, self.side) if u.is_hq and u.id not in names]
            far = min(
                (self.world.distance(end, goal) for goal in goals if goal in self.world.terrains), default=0
            )
            key = (way.lost, way.zones, over, far, end, path)
            if best is None or key < best[0]:  # type: ignore[operator]
                best = (key, way)
        return best[1] if best else None

    def groups(self) -> list[tuple[list[Unit], Way | None]]:
        """R-107: Return one group if one path is legal for all, or else one for each mobility."""
        together = self.default()
        if together is not None:
            return [(self.group, together)]
        parts: list[tuple[list[Unit], Way | None]] = []
        for m in ("leg", "track", "truck"):
            part = [u for u in self.group if retreat_side(u) == m]
            if part:
                parts.append((part, self.default(part)))
        return parts

    @property
    def possible(self) -> bool:
        """Return True if all units have a legal path."""
        return all(way is not None for _, way in self.groups())


def retreat_side(u: Unit) -> str:
    """Return the mobility in a retreat; HQs and immobile units turn over first."""
    if u.is_hq or u.side.ma == 0:
        return u.print.move.mobility
    return u.side.mobility


def take_out(c: Craft, id: str) -> dict[str, Any]:
    """Remove a unit or points from a craft; return the fields, for a counter that is not placed yet."""
    fields = dict(c.cargo[id])
    c.cargo = {key: value for key, value in c.cargo.items() if key != id}
    return fields


def drown(game: Game, c: Craft, id: str) -> None:
    """Move a unit aboard to the dead pile, or lose points aboard."""
    fields = take_out(c, id)
    if fields["kind"] != "transport":
        T.of(game).dead[id] = {k: fields[k] for k in ("owner", "kind", "type", "printed") if k in fields}


def sink_craft(game: Game, c: Craft) -> None:
    """Remove a craft with its cargo."""
    for id in sorted(c.cargo):
        drown(game, c, id)
    owner, id, hex, size = c.owner, c.id, c.hex or "", c.points
    c.remove()
    game.emit(CraftLost(owner, id, hex, size))
