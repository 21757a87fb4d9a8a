"""Enemy units and zones of control as one side sees them (2.9, 4.4.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from pbem.rules import Board

from .allowances import movement_allowance
from .pieces import OTHERS, T, Unit, units, world_of


def eligible(board: Board, u: Unit) -> bool:
    """4.4.4: Return True if this unit might still spend movement points in this phase."""
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
    """Units and zones of control on the map for one side, `without` some of its units.

    `hostile`: hexes with enemy combat units. `zoc`: hexes in enemy zones. `held`: hexes with friendly combat
    units, and these units. For a single hex ask `enemy_in`, `in_zoc` or `holders`: a move needs them step by
    step, without computing the whole map.
    """

    def __init__(self, board: Board, side: str, without: Iterable[str] = ()) -> None:
        self.board, self.side = board, side
        self.world, self.left_out = world_of(board), frozenset(without)

    @property
    def hostile(self) -> frozenset[str]:
        return self._picture[0]

    @property
    def zoc(self) -> frozenset[str]:
        return self._picture[1]

    @cached_property
    def _picture(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return the hexes of enemies and those in their zones; kept until a counter changes."""
        known = self.board.position.known
        key = ("ocs-zones", self.side)
        if key not in known:
            counters, terrains = self.board.position.counters, self.world.terrains
            hexes: set[str] = set()
            zone: set[str] = set()
            for id, fields in counters.items():
                hex = fields["hex"]
                if fields["kind"] in OTHERS or fields["owner"] == self.side or hex not in terrains:
                    continue
                hexes.add(str(hex))
                if fields.get("facing", "combat") == "combat" and Unit(self.board, id).zoc:
                    zone.update(self.world.beside(str(hex)))
            known[key] = frozenset(hexes), frozenset(zone)
        picture: tuple[frozenset[str], frozenset[str]] = known[key]
        return picture

    @cached_property
    def held(self) -> dict[str, list[Unit]]:
        held: dict[str, list[Unit]] = {}
        for u in units(self.board, self.side):
            if u.id not in self.left_out and u.hex in self.world.terrains:
                held.setdefault(u.hex, []).append(u)
        return held

    def enemy_in(self, hex: str) -> bool:
        """Return True if an enemy combat unit is in the hex."""
        return hex in self.world.terrains and any(True for _ in self._foes(hex))

    def in_zoc(self, hex: str) -> bool:
        """Return True if an enemy zone reaches this hex."""
        if hex not in self.world.terrains:
            return False
        if (picture := self.board.position.known.get(("ocs-zones", self.side))) is not None:
            return hex in picture[1]
        return any(u.zoc for near in self.world.beside(hex) for u in self._foes(near))

    def holders(self, hex: str) -> list[Unit]:
        """Return the friendly combat units in the hex."""
        if hex not in self.world.terrains:
            return []
        return [u for u in units(self.board, self.side, hex) if u.id not in self.left_out]

    def _foes(self, hex: str) -> Iterator[Unit]:
        counters = self.board.position.counters
        for id in self.board.position.at(hex):
            if counters[id]["kind"] not in OTHERS and counters[id]["owner"] != self.side:
                yield Unit(self.board, id)

    def free(self, hex: str) -> bool:
        """Return True if a unit here that can spend no more points negates the enemy zone."""
        return any(not eligible(self.board, u) for u in self.holders(hex))

    def open_zoc(self, hex: str, trace: bool = False) -> bool:
        """R-105: Return True if no friend negates an enemy zone here; for `trace` any friend negates it."""
        if not self.in_zoc(hex):
            return False
        return not (self.holders(hex) if trace else self.free(hex))

    def committer(self, hex: str, named: Iterable[str] = ()) -> Unit | None:
        """4.4.4: Return the unit that would be committed to negate the zone here.

        A unit that the order does not name comes first, then the smallest allowance, then the id.
        """
        wanted = frozenset(named)
        able = [u for u in self.holders(hex) if eligible(self.board, u)]
        return min(able, key=lambda u: (u.id in wanted, movement_allowance(u), u.id), default=None)


class Peace(Ground):
    """The map for one side as if there were no enemy, to find paths that only the enemy blocks."""

    @cached_property
    def _picture(self) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(), frozenset()

    def enemy_in(self, hex: str) -> bool:
        return False

    def in_zoc(self, hex: str) -> bool:
        return False
