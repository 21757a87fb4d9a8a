"""The value of a position to a player of victory."""

from __future__ import annotations

from pbem.kit.balance import Force, Scales, Weights, remembered
from pbem.rules import Game

from ..rules.blocks import Block
from ..rules.sides import Side, controller
from ..rules.world import world_of
from .sense import UNKNOWN_CV, power

POINT = 25
"""What a production point of a city counts as a prize."""
BASE = 8
"""What any base counts."""
SUPPLY = 6
"""What a step of a supply unit is worth."""


class Judge:
    """Judges positions for a player and those who are allied with them."""

    def __init__(self, game: Game, player: str) -> None:
        self.player, self.world = player, world_of(game)
        self.weights, self.distance = Weights(self._weigh), remembered(self.world.distance)
        side = Side(game, player)
        self.enemies = {block.owner for block in side.enemies()}

    def __call__(self, game: Game) -> int:
        """Return what the position is worth."""
        scales = Scales(self.distance)
        for hex, base in self.world.bases.items():
            holder = controller(game, hex)
            mine = holder is not None and holder not in self.enemies
            worth = BASE + POINT * base.pp + (5 if holder == self.player else 0)
            scales.prize(hex, worth, 0 if holder is None else 1 if mine else -1)
        self.weights.put(scales, game)
        return scales.total()

    def _weigh(self, game: Game, id: str) -> Force | None:
        block = Block(game, id)
        strength = 10 * power(block) if block.cls == "ground" or block.known else 10
        worth = 4 * (block.cv if block.known else UNKNOWN_CV) + strength // 5
        if block.known and block.type == "SU":
            strength, worth = 0, SUPPLY * block.cv
        elif block.known and block.cls != "ground":
            strength //= 2
        return Force(
            block.hex,
            block.owner not in self.enemies,
            attack=strength,
            defence=strength if block.cls == "ground" else strength // 2,
            worth=worth,
        )
