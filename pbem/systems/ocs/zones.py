"""Who stands where and what zones of control reach (2.9, 4.4.4): a snapshot for one side."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules import Board

from .pieces import OTHERS, T, Unit, world_of


def eligible(board: Board, u: Unit) -> bool:
    """4.4.4 Might this unit still spend movement points in this phase?"""
    t = T.of(board)
    if u.done or u.committed:
        return False
    mine = u.owner == t.acting
    if t.phase == "C":
        return mine
    if t.phase == "E":
        return mine and (u.marker == "reserve" or u.released)
    if t.phase == "G":
        return mine and (u.marker in ("reserve", "exploit") or u.released)
    return False


class Ground:
    """Occupation and zones as one side sees them.

    `enemies`: hexes with enemy combat units. `zoc`: hexes in enemy zones. `free`: hexes whose zone is negated
    by a friendly unit that moves no more; `held`: all hexes with friendly combat units.
    """

    def __init__(self, board: Board, side: str, without: Iterable[str] = ()) -> None:
        self.board, self.side = board, side
        world, left_out = world_of(board), frozenset(without)
        self.enemies: set[str] = set()
        self.zoc: set[str] = set()
        self.held: dict[str, list[Unit]] = {}
        every = board.position.counters
        for id in sorted(every):  # plain fields: this is built for every step of a move
            fields = every[id]
            hex = fields["hex"]
            if fields["kind"] in OTHERS or not isinstance(hex, str) or hex not in world.terrains:
                continue
            if fields["owner"] == side:
                if id not in left_out:
                    self.held.setdefault(hex, []).append(Unit(board, id))
                continue
            self.enemies.add(hex)
            if fields.get("facing", "combat") == "combat" and Unit(board, id).zoc:
                self.zoc.update(world.beside(hex))

    def free(self, hex: str) -> bool:
        """Is the enemy zone here negated by a unit that spends no more points?"""
        return any(not eligible(self.board, u) for u in self.held.get(hex, ()))

    def open_zoc(self, hex: str, trace: bool = False) -> bool:
        """Is a hex in an enemy zone that no friend negates? For trace any unit does (R-105)."""
        if hex not in self.zoc:
            return False
        return not (hex in self.held if trace else self.free(hex))

    def committer(self, hex: str, named: Iterable[str] = ()) -> Unit | None:
        """4.4.4 (R-106) The unit that would be committed to negate here: one the filing does not name, then
        the smallest allowance, then id."""
        wanted = frozenset(named)
        able = [u for u in self.held.get(hex, ()) if eligible(self.board, u)]
        return min(able, key=lambda u: (u.id in wanted, allowance(u), u.id), default=None)


def allowance(u: Unit) -> object:
    """4.0.2 The movement allowance now, with all factors."""
    from .moving import movement_allowance

    return movement_allowance(u)
