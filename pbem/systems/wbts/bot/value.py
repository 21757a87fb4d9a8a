"""The value of a position to a player of wbts."""

from __future__ import annotations

from pbem.kit.balance import Force, Scales, Weights, remembered
from pbem.rules import Game

from ..rules.pieces import Leader, Unit, world_of
from ..rules.tracks import T
from ..rules.victory import score
from ..rules.zones import owner
from .scout import UNSEEN

POINT = 15
"""The worth of a victory point as a prize."""
AT_ONCE = 60
"""The worth of a place that can end the game."""
WORKS = 15
"""Tenths of its strength that an entrenched or fortified unit has in defence."""
SUPPLY, LEADER = 3, 10
"""The worth of a supply point in a train or depot, and of a leader on the map."""


class Judge:
    """Judges positions for one side."""

    def __init__(self, game: Game, player: str) -> None:
        self.side, self.world = player, world_of(game)
        self.enemy = self.world.enemy(player)
        self.works: set[str] = set()
        self.weights, self.distance = Weights(self._weigh), remembered(self.world.distance)
        terms = self.world.victory["points"]
        self.prizes: dict[str, int] = dict.fromkeys((*self.world.settlements, *self.world.forts), 2)
        for side in (self.side, self.enemy):
            for hex, points in terms[side]["holds"].items():
                self.prizes[hex] = self.prizes.get(hex, 0) + POINT * int(points)
        for hex in self.world.victory["at_once"]:
            self.prizes[hex] = self.prizes.get(hex, 0) + AT_ONCE

    def __call__(self, game: Game) -> int:
        """Return what the position is worth."""
        t = T.of(game)
        if t.result is not None:
            return 0 if t.result.winner is None else 1_000_000 * (1 if t.result.winner == self.side else -1)
        scales = Scales(self.distance)
        for hex, worth in self.prizes.items():
            holder = owner(game, hex)
            scales.prize(hex, worth, 0 if holder is None else 1 if holder == self.side else -1)
        self.works = {str(f["hex"]) for f in game.position.counters.values() if f["type"] == "entrenchment"}
        self.weights.put(scales, game)
        losses = score(game, self.side).losses - score(game, self.enemy).losses
        scales.extra += 100 * POINT * losses
        return scales.total()

    def _weigh(self, game: Game, id: str) -> Force | None:
        mine = game.position.counters[id].get("side") == self.side
        who = game.maybe(Leader, id)
        if who is not None:
            return Force(None, mine, extra=10 * LEADER * (1 if mine else -1)) if who.on_map else None
        u = game.maybe(Unit, id)
        if u is None or u.hex not in self.world.terrain:
            return None
        points = u.sp if u.known else UNSEEN
        strength = 10 * points if u.occupies else 0
        dug_in = u.hex in self.works or u.hex in self.world.forts
        return Force(
            u.hex,
            mine,
            attack=strength if u.can_attack or not u.known else 0,
            defence=strength * (WORKS if dug_in else 10) // 10,
            worth=5 * points + SUPPLY * u.supply,
        )
