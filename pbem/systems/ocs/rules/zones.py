"""Enemy units and reach of zones of control (2.9, 4.4.4), for one side."""

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
    """Occupation and zones as one side sees them, `without` some of its units.

    `hostile`: hexes with enemy combat units. `zoc`: hexes in enemy zones. `held`: hexes with friendly combat
    units, and who they are. A single hex is asked for with `enemy_in`, `in_zoc`, `holders`: a move does so
    step by step, and needs no picture of the whole map.
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
        """Return the hexes of enemies, and those that their zones reach; remembered while no counter
        changes."""
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
        found: tuple[frozenset[str], frozenset[str]] = known[key]
        return found

    @cached_property
    def held(self) -> dict[str, list[Unit]]:
        found: dict[str, list[Unit]] = {}
        for u in units(self.board, self.side):
            if u.id not in self.left_out and u.hex in self.world.terrains:
                found.setdefault(u.hex, []).append(u)
        return found

    # one hex

    def enemy_in(self, hex: str) -> bool:
        """Return True if there is an enemy combat unit."""
        return hex in self.world.terrains and any(True for _ in self._foes(hex))

    def in_zoc(self, hex: str) -> bool:
        """Return True if an enemy zone reaches this hex."""
        if hex not in self.world.terrains:
            return False
        if (picture := self.board.position.known.get(("ocs-zones", self.side))) is not None:
            return hex in picture[1]
        return any(u.zoc for near in self.world.beside(hex) for u in self._foes(near))

    def holders(self, hex: str) -> list[Unit]:
        """Return the friendly combat units here."""
        if hex not in self.world.terrains:
            return []
        return [u for u in units(self.board, self.side, hex) if u.id not in self.left_out]

    def _foes(self, hex: str) -> Iterator[Unit]:
        counters = self.board.position.counters
        for id in self.board.position.at(hex):
            if counters[id]["kind"] not in OTHERS and counters[id]["owner"] != self.side:
                yield Unit(self.board, id)

    def free(self, hex: str) -> bool:
        """Return True if the enemy zone here is negated by a unit that spends no more points."""
        return any(not eligible(self.board, u) for u in self.holders(hex))

    def open_zoc(self, hex: str, trace: bool = False) -> bool:
        """R-105: Return True if a hex is in an enemy zone that no friend negates; for trace any unit does."""
        if not self.in_zoc(hex):
            return False
        return not (self.holders(hex) if trace else self.free(hex))

    def committer(self, hex: str, named: Iterable[str] = ()) -> Unit | None:
        """4.4.4: Return the unit that would be committed to negate here.

        One the filing does not name, then the smallest allowance, then id.
        """
        wanted = frozenset(named)
        able = [u for u in self.holders(hex) if eligible(self.board, u)]
        return min(able, key=lambda u: (u.id in wanted, allowance(u), u.id), default=None)


class Peace(Ground):
    """The ground as if the enemy were not there: what a path would be without him."""

    @cached_property
    def _picture(self) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(), frozenset()

    def enemy_in(self, hex: str) -> bool:
        return False

    def in_zoc(self, hex: str) -> bool:
        return False


def allowance(u: Unit) -> object:
    """4.0.2: Return the movement allowance now, with all factors."""
    return movement_allowance(u)
