"""The value of a position to a player of ocs."""

from __future__ import annotations

from fractions import Fraction

from pbem.kit.balance import Force, Scales, Weights, remembered
from pbem.rules import Game

from ..rules.pieces import OTHERS, T, Unit, units, world_of
from ..rules.supply.trace import Tracing
from ..rules.views import hides

POINT = 10
"""What a victory point counts as a prize."""
STATES = {"dg": 6, "strat": 5, "reserve": 9}
"""Tenths of its strength that a unit in this state has."""
UNFED = 5
"""Tenths of its worth that a unit out of trace has."""
TOKEN = 6
"""What a token of supply on the ground counts."""
CRAFT = 120
"""What an aircraft or ship counts."""
DUG_IN = 15
"""Tenths of its strength with which a unit defends a place that counts."""
PACE = 3
"""Movement points for a hex on the way to a fight, counted coarsely."""
UNSEEN = 15
"""Tenths of what is seen of an enemy for which he is taken with fog."""


class Judge:
    """Judges positions for one side."""

    def __init__(self, game: Game, player: str) -> None:
        self.side, self.world = player, world_of(game)
        self.enemy = self.world.enemy(player)
        self.first = bool(self.world.victory["sides"][0] == player)
        self.fed = {side: Tracing(game, side).fed() for side in (player, self.enemy)}
        self.fog = UNSEEN if hides(game) else 10
        self.weights, self.distance = Weights(self._weigh), remembered(self.world.distance)
        rules = self.world.victory
        self.prizes = {**{hex: POINT * n for hex, n in rules["held_for"].items()},
                       **{hex: POINT * n for hex, n in rules["lost"].items()}}  # fmt: skip
        for hex, base in self.world.scenario.get("air_bases", {}).items():
            if base["owner"] != rules["sides"][0]:
                self.prizes.setdefault(hex, POINT * rules["enemy_base"])

    def __call__(self, game: Game) -> int:
        """Return what the position is worth."""
        t, world = T.of(game), self.world
        if t.result is not None and t.result in world.seats:
            return 1_000_000 if t.result == self.side else -1_000_000
        scales = Scales(self.distance)
        self.weights.put(scales, game)
        for hex, worth in self.prizes.items():
            holder = t.control.get(hex)
            scales.prize(hex, worth, 0 if holder is None else 1 if holder == self.side else -1)
        stocks = sum(dump.t * (1 if dump.owner == self.side else -1) for dump in t.dumps.values())
        scales.extra += TOKEN * stocks + self._points(game)
        return scales.total()

    def _weigh(self, game: Game, id: str) -> Force | None:
        fields = game.position.counters[id]
        mine = fields["owner"] == self.side
        if fields["kind"] in ("aircraft", "ship"):
            lost = int(str(fields.get("lost", 0))) + int(str(fields.get("hits", 0)))
            return Force(None, mine, extra=CRAFT // (1 + lost) * (1 if mine else -1))
        hex = fields.get("hex")
        if fields["kind"] in OTHERS or hex not in self.world.terrains:
            return None
        u, hex = Unit(game, id), str(hex)
        sides = [u.print.side("combat"), u.print.side("move")]
        strength = int(Fraction(u.side.strength or 0) * STATES.get(u.marker, 10) * (8 + u.ar))
        strength = strength if mine else strength * self.fog // 10
        worth = int(10 * u.re) + 6 * u.is_hq + int(max(side.strength or 0 for side in sides))
        fed = hex in self.fed[u.owner] and not u.oos
        return Force(
            hex,
            mine,
            attack=strength if u.attack_capable else 0,
            defence=strength * (DUG_IN if hex in self.prizes else 10) // 10,
            worth=worth if fed else worth * UNFED // 10,
            reach=1 + int(max(side.ma for side in sides)) // PACE,
        )

    def _points(self, game: Game) -> int:
        """Return the victory points for losses and for units across the river."""
        rules, total = self.world.victory, 0
        first, other = rules["sides"]
        low, high = rules["across"]["columns"]
        across = 0
        for u in units(game, first):
            if u.hex in self.world.terrains and u.hex in self.fed[first]:
                across += low <= self.world.map.grid.column_row(self.world.at(u.hex))[0] <= high
        total += min(rules["across"]["most"], rules["across"]["points"] * across)
        for id, printed in self.world.units.items():
            if not printed.multi_step:
                continue
            dead = T.of(game).dead.get(id)
            if dead is None and id not in game.position.counters:
                continue
            owner = dead["owner"] if dead else Unit(game, id).owner
            lost = printed.steps if dead else Unit(game, id).lost
            if 2 * lost >= printed.steps:
                total += rules["division_halved"] if owner == other else -rules["own_division_halved"]
            if lost >= printed.steps and owner == other:
                total += rules["division_destroyed"] - rules["division_halved"]
        return int(100 * POINT * total * (1 if self.first else -1))
