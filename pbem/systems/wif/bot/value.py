"""What a position is worth to a player of wif."""

from __future__ import annotations

from pbem.kit.balance import FAR, Scales
from pbem.rules import Game

from ..rules.pieces import T, Unit, held_by, units
from ..rules.world import world_of

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
        self.far: dict[tuple[str, str], int] = {}

    def __call__(self, game: Game) -> int:
        """Return what the position is worth."""
        world, t = self.world, T.of(game)
        scales = Scales(self._distance)
        enemy = world.enemy(self.side)
        for hex, site in world.sites.items():
            if site.vp:
                holder = 1 if held_by(game, hex, self.side) else -1 if held_by(game, hex, enemy) else 0
                scales.prize(hex, POINT * site.vp, holder)
        for u in units(game):
            if u.hex is not None and u.owner in world.side_of:
                self._weigh(scales, u)
        scales.extra += sum(SAVED * n for power, n in t.pool.items() if power in self.mine)
        scales.extra += sum(CHIT * n for power, n in t.chits.items() if power in self.mine)
        return scales.total()

    def _weigh(self, scales: Scales, u: Unit) -> None:
        mine = self.world.side_of[u.owner] == self.side
        printed, sign = u.print, 1 if mine else -1
        if printed.arm == "land" and not u.at_sea and u.aboard is None:
            strength = printed.strength * (DOWN if u.down else 10)
            held = CITY if u.place in self.world.sites else 10
            worth = 2 * printed.cost + printed.strength + (8 if printed.headquarters else 0)
            scales.force(
                u.place,
                mine=mine,
                attack=0 if u.down else strength,
                defence=strength * held // 10,
                worth=worth - (worth // 4 if u.down else 0),
            )
            return
        points = printed.ata + printed.tac + printed.ats + printed.attack + printed.defence + printed.cost
        scales.extra += sign * 10 * (2 * points + (0 if u.down else READY * points // 2))

    def _distance(self, a: str, b: str) -> int:
        if (a, b) not in self.far:
            found = self.world.hexes_between(a, b)
            self.far[a, b] = self.far[b, a] = FAR if found is None else found
        return self.far[a, b]
