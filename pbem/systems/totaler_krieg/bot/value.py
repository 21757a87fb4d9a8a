"""The value of a position to a player of Totaler Krieg."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kit.balance import FAR, Force, Scales, Weights
from pbem.kit.paths import flood
from pbem.rules import Game

from ..rules.ground import Ground
from ..rules.pieces import Piece, T, world_of
from ..rules.stacks import limits
from ..rules.supply import Supply

STRATEGIC = 20
CITY = 4
WAITING = {"pool": 5, "delay": 3, "track": 6, "naval_delay": 3}
"""Tenths of its worth that a unit has off the map."""
UNFED = 4
"""Tenths of its worth that an unsupplied unit has."""
OVERSTACK = 1500
"""What a unit or step more than a hex takes counts against its owner."""
SUPPORT = 40
"""What a support unit, a Blitz marker or a beachhead counts beside an enemy."""


class Judge:
    """Judges positions for the factions that a player leads."""

    def __init__(self, game: Game, player: str) -> None:
        self.mine = game.powers_of(player)
        self.world = world_of(game)
        axis = self.world.factions[0]
        self.allies = (
            [axis] if axis in self.mine else [faction for faction in self.world.factions if faction != axis]
        )
        self.supplies: dict[
            tuple[tuple[str, str, str], ...], tuple[Supply, dict[tuple[str, str], frozenset[str]], Weights]
        ] = {}
        self.far: dict[tuple[str, frozenset[str], frozenset[str]], dict[str, int]] = {}

    def __call__(self, game: Game) -> int:
        """Return what the position is worth."""
        t, ground = T.of(game), Ground(game)
        if t.result is not None:
            return self._result(t.result)
        beaches = frozenset(ground.by_role.get("beachhead", {}))
        lifts = frozenset(
            at.partition(".")[0]
            for at, convoys in ground.by_role.get("convoy", {}).items()
            if any(convoy.side == "troop" for convoy in convoys)
        )
        self.ports = frozenset(hex for hex in self.world.ports if self._holder(ground.control(hex)) == 1)
        self._at_sea(game, ground)
        scales = Scales(lambda a, b: self._distance(a, b, beaches, lifts))
        for hex in self.world.strategic:
            scales.prize(hex, STRATEGIC, self._holder(ground.control(hex)))
        for hex in self.world.settlements:
            if hex not in self.world.strategic:
                scales.prize(hex, CITY, self._holder(ground.control(hex)))
        for hex, units in ground.by_role.get("ground", {}).items():
            most, steps = limits(game, hex, ground)
            over = max(0, len(units) - most) + max(0, sum(unit.steps for unit in units) - steps)
            hqs = sum(unit.type == "hq" for unit in units)
            scales.extra -= OVERSTACK * (over + max(0, hqs - 1)) * self._holder(units[0].owner)
        self.weights.put(scales, game)
        scales.extra += self._support(ground)
        return scales.total()

    def _result(self, result: str) -> int:
        if result == "draw":
            return 0
        won = result in self.allies or (result in ("allied", "joint") and len(self.allies) > 1)
        return 100_000 if won else -100_000

    def _holder(self, faction: str | None) -> int:
        if faction is None:
            return 0
        return 1 if faction in self.allies else -1

    def _weigh(self, game: Game, id: str) -> Force | None:
        unit = Piece(game, id)
        mine = unit.owner in self.allies
        if unit.spot != "map":
            faces = unit.print.faces.values()
            worth = max((2 * (face.attack + face.defence) + 2 for face in faces), default=6)
            return Force(None, mine, extra=WAITING.get(unit.spot, 0) * worth * (1 if mine else -1))
        if unit.role != "ground" or unit.hex is None:
            return None
        face = unit.face
        worth = 2 * (face.attack + face.defence) + 2 * unit.steps + (6 if unit.type == "hq" else 0)
        fed = unit.hex in self._net(unit.country, unit.owner)
        return Force(
            unit.hex,
            mine,
            attack=face.attack * (2 if fed else 1),
            defence=2 * face.defence,
            worth=worth if fed else worth * UNFED // 10,
            reach=face.movement,
        )

    def _at_sea(self, game: Game, ground: Ground) -> None:
        """Look for supply again where convoys or beachheads have changed."""
        key = tuple(
            (marker.id, hex, marker.side)
            for role in ("convoy", "beachhead")
            for hex, markers in ground.by_role.get(role, {}).items()
            for marker in markers
        )
        if key not in self.supplies:
            self.supplies[key] = Supply(game.copy()), {}, Weights(self._weigh)
        self.supply, self.fed, self.weights = self.supplies[key]

    def _net(self, country: str, owner: str) -> frozenset[str]:
        if (country, owner) not in self.fed:
            known = owner in self.world.factions
            self.fed[country, owner] = (
                self.supply.net(country, owner) if known else frozenset(self.world.locations)
            )
        return self.fed[country, owner]

    def _support(self, ground: Ground) -> int:
        """Return what support units and markers near an enemy are good for."""
        total = 0
        for role in ("air", "blitz", "beachhead"):
            for hex, markers in ground.by_role.get(role, {}).items():
                for marker in markers:
                    near = [unit for n in (hex, *self.world.beside(hex)) for unit in ground.units(n)]
                    own = sum(unit.face.attack for unit in near if unit.owner == marker.owner)
                    foes = any(unit.owner != marker.owner for unit in near)
                    total += (SUPPORT + own * foes * 4) * (1 if marker.owner in self.allies else -1)
        return total

    def _distance(self, a: str, b: str, beaches: frozenset[str], lifts: frozenset[str]) -> int:
        key = b, beaches | self.ports, lifts
        if key not in self.far:
            far: dict[str, int] = {}
            for hex, before in flood([b], lambda hex: self._beside(hex, beaches, lifts)).items():
                far[hex] = 0 if before is None else far[before] + 1
            self.far[key] = far
        return self.far[key].get(a, FAR)

    def _beside(self, hex: str, beaches: frozenset[str], lifts: frozenset[str]) -> Iterator[str]:
        """Yield from where a unit may come: over land, from a beachhead ashore, from port to port."""
        world = self.world
        for n in world.beside(hex) if hex not in beaches else ():
            if (world.land(n) or n in beaches) and world.hexside_of(hex, n) != "lake":
                yield n
        havens = beaches | self.ports
        for zone in world.zones_of(hex) if hex in havens else ():
            if zone in lifts:
                yield from (n for n in sorted(havens) if n != hex and zone in world.zones_of(n))
