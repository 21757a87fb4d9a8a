"""4.24: Retreats: the units that can, their hexes, the units swept along."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Board

from .ground import Ground
from .pieces import Piece, piece, world_of
from .stacks import excess
from .supply import Supply
from .world import SEA


def held_back(units: Sequence[Piece]) -> bool:
    """4.24: Return True if a unit of MA 0 or an HQ keeps the force from retreating."""
    return any(unit.face.movement == 0 or unit.type == "hq" for unit in units)


class Retreat:
    """A force that leaves a hex, one hex at a time. `from_hex` is the defending hex of the attack."""

    def __init__(self, board: Board, ids: Sequence[str], from_hex: str, far: int) -> None:
        self.board = board
        self.ids = list(ids)
        self.from_hex = from_hex
        self.far = far
        self.world = world_of(board)
        first = piece(board, ids[0])
        self.faction = first.owner
        self.at = first.hex or ""
        self.way: list[str] = []
        self.entered: list[str] = []

    @property
    def units(self) -> list[Piece]:
        """Return the units of the force that are still on the map."""
        units = [piece(self.board, id) for id in self.ids]
        return [unit for unit in units if unit.spot == "map"]

    def legal(self) -> list[str]:
        """Return the hexes of the highest priority that may be entered next (4.24), by id."""
        ground = Ground(self.board)
        away = [
            hex
            for hex in self.world.beside(self.at)
            if self.world.distance(self.from_hex, hex) > self.far and self._passable(ground, hex)
        ]
        zone = ground.ezoc(self.faction)
        first = sorted(hex for hex in away if hex not in zone)
        return first or sorted(hex for hex in away if self._covered(ground, hex))

    def _passable(self, ground: Ground, hex: str) -> bool:
        side = ground.side(self.at, hex)
        if side == "lake" or side == SEA:
            return False
        if ground.enemies(hex, self.faction) or ground.foes("airdrop", hex, self.faction):
            return False
        if ground.foes("beachhead", hex, self.faction) or ground.closed(hex, self.faction):
            return False
        return not self.world.sea(hex) or ground.beachhead(hex, self.faction) is not None

    def _covered(self, ground: Ground, hex: str) -> bool:
        return ground.negates(hex, self.faction) or bool(ground.own("air", hex, self.faction))

    def ranked(self, legal: Sequence[str]) -> list[str]:
        """5.15: Return the legal hexes with the default first (default_retreat_hex)."""
        ground, supply = Ground(self.board), Supply(self.board)
        lead = min(self.units, key=lambda unit: unit.id)
        homes = self.world.countries[self.world.parent(lead.country)].home_cities

        def merit(hex: str) -> tuple[bool, bool, int, str]:
            others = [unit for unit in ground.units(hex, self.faction) if unit.id not in self.ids]
            over = excess(self.board, hex, [*others, *self.units], ground) is not None
            return over, not supply.supplied_at(lead, hex), self.world.nearest(hex, homes), hex

        return sorted(legal, key=merit)

    def sweep(self) -> list[Piece]:
        """4.24: Add the friendly units in the hex to a force that must go on, and return them.

        Units of MA 0 stay (R-37).
        """
        ground = Ground(self.board)
        swept = [
            unit
            for unit in ground.units(self.at, self.faction)
            if unit.id not in self.ids and unit.face.movement > 0
        ]
        for unit in swept:
            if unit.type == "hq":
                unit.hq_used = True
        self.ids += [unit.id for unit in swept]
        return swept

    def go(self, hex: str) -> None:
        """Move the force into a hex."""
        self.entered.append(hex)
        self.way.append(hex)
        self.far = self.world.distance(self.from_hex, hex)  # a legal hex is farther than those before
        for unit in self.units:
            unit.hex = hex
        self.at = hex

    def met(self) -> list[str]:
        """4.13.7: Return the friendly units in every hex that the retreat entered.

        They take part in attrition.
        """
        ground = Ground(self.board)
        return [unit.id for hex in self.entered for unit in ground.units(hex, self.faction)]


def can_retreat(board: Board, ids: Sequence[str], from_hex: str, far: int) -> bool:
    """Return True if this force can begin a retreat."""
    retreat = Retreat(board, ids, from_hex, far)
    return bool(retreat.units) and not held_back(retreat.units) and bool(retreat.legal())
