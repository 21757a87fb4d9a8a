"""The value of a position to a player of wif."""

from __future__ import annotations

from pbem.kit.balance import FAR, Distance, Force, Scales, Weights, remembered
from pbem.rules import Game

from ..rules.pieces import T, Unit, held_by
from ..rules.world import World, world_of

POINT = 10
"""What a victory point counts as a prize."""
DOWN = 5
"""Tenths of its strength that a face-down unit has."""
CITY = 15
"""Tenths of its strength with which a unit defends a place that counts."""
READY = 3
"""What each of its points is worth of an aircraft or ship that is face-up."""
SAVED = 20
"""What a reorganization point counts."""
CHIT = 150
"""What an offensive chit that is kept counts."""


class Judge:
    """Judges positions for the side of a player."""

    def __init__(self, game: Game, player: str) -> None:
        self.world = world_of(game)
        self.mine = game.powers_of(player)
        self.side = self.world.side_of[self.mine[0]]
        self.distance = remembered(_apart(self.world))
        self.weights = Weights(self._weigh)

    def __call__(self, game: Game) -> int:
        """Return what the position is worth."""
        world, t = self.world, T.of(game)
        scales = Scales(self.distance)
        enemy = world.enemy(self.side)
        for hex, site in world.sites.items():
            if site.vp:
                holder = 1 if held_by(game, hex, self.side) else -1 if held_by(game, hex, enemy) else 0
                scales.prize(hex, POINT * site.vp, holder)
        self.weights.put(scales, game)
        scales.extra += sum(SAVED * n for power, n in t.pool.items() if power in self.mine)
        scales.extra += sum(CHIT * n for power, n in t.chits.items() if power in self.mine)
        return scales.total()

    def _weigh(self, game: Game, id: str) -> Force | None:
        u = Unit(game, id)
        if u.hex is None or u.owner not in self.world.side_of:
            return None
        mine, printed = self.world.side_of[u.owner] == self.side, u.print
        if printed.arm == "land" and not u.at_sea and u.aboard is None:
            strength = printed.strength * (DOWN if u.down else 10)
            worth = 2 * printed.cost + printed.strength + (8 if printed.headquarters else 0)
            return Force(
                u.place,
                mine,
                attack=0 if u.down else strength,
                defence=strength * (CITY if u.place in self.world.sites else 10) // 10,
                worth=worth - (worth // 4 if u.down else 0),
                reach=printed.move,
            )
        points = printed.ata + printed.tac + printed.ats + printed.attack + printed.defence + printed.cost
        return Force(
            None, mine, extra=10 * (2 * points + (0 if u.down else READY * points // 2)) * (1 if mine else -1)
        )


def _apart(world: World) -> Distance:
    """Return how many hexes two places of a world are apart."""

    def hexes(a: str, b: str) -> int:
        distance = world.hexes_between(a, b)
        return FAR if distance is None else distance

    return hexes
