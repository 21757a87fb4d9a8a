"""Steps A.1 to A.4: Legality of an attack, HQs, odds, column modifiers (4.13, 4.18)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pbem.kit.faults import illegal
from pbem.kit.odds import Modifier
from pbem.rules import Board, Diagnostic, Message

from .ground import Ground
from .orders import Attack
from .pieces import Piece, T, maybe_piece, world_of
from .supply import Supply
from .world import SEA, World

RULE = "4.13.1"
STRAITS = ("strait_connected", "strait_unconnected")


def heads(world: World) -> list[str]:
    """5.4, R-42: Return the heads of the columns in the order of the game's option."""
    printed = world.options.get("crt_heads") == "as_printed"
    return list(world.combat["columns_as_printed" if printed else "columns"])


def entered(world: World, attack: int, defence: int) -> int:
    """4.13.3: Return the column of unmodified odds, the highest ratio that is reached.

    Rounding favours the defender. A defence of 0 reaches every column (R-24).
    """
    ratios = [tuple(int(n) for n in head.split("-")) for head in heads(world)]
    reached = [n for n, (top, below) in enumerate(ratios) if attack * below >= defence * top]
    return max(reached, key=lambda n: (ratios[n][0] * 12 // ratios[n][1], n), default=0)


def clamp(world: World, index: int) -> int:
    return max(0, min(index, len(heads(world)) - 1))


def across(ground: Ground, unit: Piece, target: str) -> str:
    """Return the kind of hexside across which a unit attacks."""
    return ground.side(unit.hex or "", target)


def over_water(side: str) -> bool:
    """Return True if the hexside is beachhead, strait or All-Sea, where marines count."""
    return side in (*STRAITS, SEA) or side.startswith("beachhead")


def reach_of_hq(ground: Ground, start: str, target: str) -> bool:
    """4.13.1: Return True if an HQ reaches the target.

    The path has at most two hexes and touches no neutral or policy country.
    """
    world = ground.world
    if start not in world.index or world.kind(start) != "hex":
        return False
    far = world.distance(start, target)
    if far > int(world.ranges["hq_support"]):
        return False
    owner = ground.units(start)[0].owner if ground.units(start) else ""

    def open_(hex: str) -> bool:
        return not ground.closed(hex, owner, "policy")

    if not open_(target):
        return False
    return far < 2 or any(open_(n) and world.adjacent(n, target) for n in world.beside(start))


class Assault:
    """An attack on a board: forces, strengths, column. It changes nothing."""

    def __init__(
        self, board: Board, faction: str, order: Attack, segment: str, supply: Supply | None = None
    ) -> None:
        self.board, self.faction, self.order, self.segment = board, faction, order, segment
        self.supply = supply or Supply(board)
        self.ground = self.supply.ground
        self.world = world_of(board)
        self.target = order.target
        self.units = [unit for id in order.units if (unit := maybe_piece(board, id)) is not None]
        self.hq = maybe_piece(board, order.hq)
        self.defenders = self.ground.enemies(self.target, faction)
        self.defender_hq: Piece | None = None

    @property
    def blitz(self) -> bool:
        return self.segment == "blitz"

    @property
    def defender(self) -> str | None:
        """Return the faction that defends."""
        return self.defenders[0].owner if self.defenders else None

    @property
    def local_hq(self) -> Piece | None:
        """4.13.2: Return the HQ in the target hex, which always defends."""
        return next((unit for unit in self.defenders if unit.type == "hq"), None)

    @property
    def own_hq(self) -> Piece | None:
        """R-106: Return the one HQ of the attacker, in support or among the units."""
        return self.hq or next((unit for unit in self.units if unit.type == "hq"), None)

    @property
    def attack(self) -> int:
        return sum(unit.face.attack for unit in self.units) + (self.hq.face.attack if self.hq else 0)

    @property
    def defence(self) -> int:
        return sum(unit.face.defence for unit in self.defenders) + (
            self.defender_hq.face.defence if self.defender_hq else 0
        )

    def eligible_hqs(self) -> list[Piece]:
        """4.13.2: Return the distant HQs that the defender may involve."""
        if self.local_hq is not None or not self.defenders:
            return []
        countries = {unit.country for unit in self.defenders}
        return [
            unit
            for hex, units in sorted(self.ground.by_role.get("ground", {}).items())
            for unit in units
            if unit.type == "hq"
            and unit.owner == self.defender
            and unit.country in countries
            and not unit.hq_used
            and reach_of_hq(self.ground, hex, self.target)
            and self.supply.supplied(unit)
        ]

    def column_with(self, hq: Piece | None) -> int:
        """Return the final column with this HQ of the defender."""
        before, self.defender_hq = self.defender_hq, hq
        column = self.final()
        self.defender_hq = before
        return column

    def odds(self) -> str:
        """Return the final column, and the one with a distant HQ if that can lower it.

        It is '' for markers alone, which fall without a die.
        """
        if not self.defenders:
            return ""
        listed, hq = heads(self.world), maybe_piece(self.board, self.default_hq())
        without = str(listed[self.column_with(None)])
        if hq is None:
            return without
        return Message(
            "totaler-krieg.strength.odds-with-hq", odds=without, hq=hq.id, lower=listed[self.column_with(hq)]
        )

    def default_hq(self) -> str | None:
        """5.15: Return the HQ that lowers the final column most, by lowest id, or None."""
        without = self.column_with(None)
        ranked = sorted((self.column_with(hq), hq.id) for hq in self.eligible_hqs())
        return ranked[0][1] if ranked and ranked[0][0] < without else None

    def entered(self) -> int:
        return entered(self.world, self.attack, self.defence)

    def final(self) -> int:
        """4.13.4: Return the column after all modifiers."""
        return clamp(self.world, self.entered() + sum(modifier.value for modifier in self.modifiers()))

    def modifiers(self) -> list[Modifier]:
        """M-1: Return the modifiers M-1 to M-9 other than 0. The defender's are negative."""
        value = self.world.combat["modifiers"]
        modifiers = [*self._blitz_only(), *self._both_sides()]
        if any(unit.type == "fortress" for unit in self.defenders):
            modifiers.append(Modifier("fortress", "M-4", -int(value["fortress"])))
        if self.ground.weather(self.target) == "mud":
            modifiers.append(Modifier("mud", "M-7", -int(value["mud"])))
        modifiers.append(Modifier(*self._terrain()))
        sides = [across(self.ground, unit, self.target) for unit in self.units]
        chart = self.world.ground_chart["hexside"]
        if sides:
            lowest = min(sides, key=lambda side: (int(chart[side]["shift"]), side))
            modifiers.append(Modifier(lowest.replace("_", " "), "M-9", -int(chart[lowest]["shift"])))
        return sorted(
            (modifier for modifier in modifiers if modifier.value), key=lambda modifier: modifier.rule
        )

    def _terrain(self) -> tuple[str, str, int]:
        name, shift = hex_shift(self.ground, self.target)
        return name, "M-8", -shift

    def _blitz_only(self) -> Iterator[Modifier]:
        if not self.blitz:
            return
        value = self.world.combat["modifiers"]
        if any(unit.print.armor_type and self.supply.supplied(unit) for unit in self.units):
            yield Modifier("armour", "M-1", int(value["armour"]))
        for marker in self.ground.own("airdrop", self.target, self.faction):
            yield Modifier(
                Message("totaler-krieg.strength.airdrop", marker=marker.id), "M-2", int(value["airdrop"])
            )
        marines = [
            unit
            for unit in self.units
            if unit.type == "marine" and over_water(across(self.ground, unit, self.target))
        ]
        if any(self.supply.supplied(unit) for unit in marines):
            yield Modifier("marines", "M-3", int(value["marines"]))

    def _both_sides(self) -> Iterator[Modifier]:
        value = self.world.combat["modifiers"]
        mine, theirs = self.own_hq, self.local_hq or self.defender_hq
        if mine is not None and self.supply.supplied(mine):
            yield Modifier(f"HQ {mine.id}", "M-5", int(value["hq"]))
        if theirs is not None and self.supply.supplied(theirs):
            yield Modifier(f"HQ {theirs.id}", "M-5", -int(value["hq"]))
        for air in self._air(self.faction, [*self.units, *([self.hq] if self.hq else [])]):
            if not self.blitz or self.ground.blitz_enabled(air):
                yield Modifier(f"air {air.id}", "M-6", int(value["air"]))
        if self.defender is not None:
            extra = [self.defender_hq] if self.defender_hq else []
            for air in self._air(self.defender, [*self.defenders, *extra]):
                yield Modifier(f"air {air.id}", "M-6", -int(value["air"]))

    def _air(self, faction: str, side: Iterable[Piece]) -> list[Piece]:
        return air_for(self.ground, self.target, faction, {unit.country for unit in side})

    def faults(self) -> list[Diagnostic]:
        """4.13.1: Return the faults of the attack as ordered, on this board."""
        return [*self._named_wrong(), *self._target_wrong(), *self._units_wrong(), *self._rest_wrong()]

    def _named_wrong(self) -> Iterator[Diagnostic]:
        for n, id in enumerate(self.order.units):
            unit = maybe_piece(self.board, id)
            if unit is None or unit.owner != self.faction or unit.role != "ground" or unit.spot != "map":
                yield illegal(
                    "E-GEN-01",
                    RULE,
                    Message("totaler-krieg.dropping.no-ground-unit-of-yours-on-map", id=id),
                    "units",
                    n,
                )
            elif id in self.order.units[:n]:
                yield illegal(
                    "E-GEN-01", RULE, Message("totaler-krieg.strength.named-twice", id=id), "units", n
                )
        if not self.order.units:
            yield illegal(
                "E-ATK-01", RULE, Message("totaler-krieg.strength.attack-needs-least-one-unit"), "units"
            )

    def _target_wrong(self) -> Iterator[Diagnostic]:
        markers = markers_in(self.ground, self.target, self.faction)
        if not self.defenders and not markers:
            message = Message("totaler-krieg.strength.holds-no-enemy-unit-and-no-marker", target=self.target)
            yield illegal("E-ATK-02", RULE, message, "target")
        if self.target in T.of(self.board).attacked:
            yield illegal(
                "E-ATK-03",
                RULE,
                Message("totaler-krieg.strength.attacked-in-segment", target=self.target),
                "target",
            )
        if self.ground.closed(self.target, self.faction) or not all(
            self.ground.may_fight(unit, other) for unit in self._mine() for other in self.defenders
        ):
            yield illegal(
                "E-ATK-07",
                "2.8",
                Message("totaler-krieg.strength.posture-forbids-attack", target=self.target),
                "target",
            )
        if any(self.ground.pre_war_bars(unit, self.target) for unit in self._mine()):
            yield illegal(
                "E-ATK-07",
                "2.8",
                Message("totaler-krieg.strength.before-war-no-unit-attacks-outside-own"),
                "target",
            )
        weather = self.ground.weather(self.target)
        if self.blitz and weather in self.world.combat["bars_blitz"]:
            if not self._weather_proof(str(weather)):
                message = Message(
                    "totaler-krieg.strength.forbids-blitz-attack-by-these-units",
                    weather=weather,
                    target=self.target,
                )
                yield illegal("E-ATK-13", "4.18", message, "target")

    def _mine(self) -> list[Piece]:
        return [unit for unit in self.units if unit.owner == self.faction and unit.role == "ground"]

    def _units_wrong(self) -> Iterator[Diagnostic]:
        chart = self.world.ground_chart["hexside"]
        for n, id in enumerate(self.order.units):
            unit = maybe_piece(self.board, id)
            if unit is None or unit not in self._mine() or unit.spot != "map":
                continue
            if not self.world.adjacent(unit.hex or "", self.target):
                message = Message(
                    "totaler-krieg.strength.not-adjacent", id=id, hex=unit.hex, target=self.target
                )
                yield illegal("E-ATK-01", RULE, message, "units", n)
                continue
            side = across(self.ground, unit, self.target)
            allowed = chart[side]["attack"]
            if allowed == "none" or (allowed == "marine" and unit.type != "marine"):
                message = Message(
                    "totaler-krieg.strength.may-not-attack-across", id=id, hexside=side.replace("_", " ")
                )
                yield illegal("E-ATK-06", RULE, message, "units", n)
            if unit.flag(self.segment):
                yield illegal(
                    "E-ATK-04",
                    RULE,
                    Message("totaler-krieg.strength.has-attacked-in-segment", id=id),
                    "units",
                    n,
                )
            if unit.face.attack < 1:
                yield illegal(
                    "E-ATK-05", RULE, Message("totaler-krieg.strength.has-attack-factor-0", id=id), "units", n
                )
            if self.blitz and not self.ground.blitz_enabled(unit):
                message = Message("totaler-krieg.strength.farther-than-2-hexes-from-every-friendly", id=id)
                yield illegal("E-ATK-12", "4.18", message, "units", n)

    def _rest_wrong(self) -> Iterator[Diagnostic]:
        inside = [unit for unit in self._mine() if unit.type == "hq"]
        if len(inside) + (self.order.hq is not None) > 1:
            yield illegal("E-ATK-08", RULE, Message("totaler-krieg.strength.attack-has-one-hq-most"), "hq")
        if self.order.hq is not None:
            yield from self._hq_wrong()
        elif any(unit.hq_used for unit in inside):
            yield illegal(
                "E-ATK-09",
                RULE,
                Message("totaler-krieg.strength.was-used-in-this-segment", inside=inside[0].id),
                "units",
            )
        minors = {
            unit.country
            for unit in self._mine()
            if self.world.countries[unit.country].kind == "minor" and not (unit.print.exp and unit.one_step)
        }
        if len(minors) > 1:
            yield illegal(
                "E-ATK-10",
                RULE,
                Message("totaler-krieg.strength.units", minors=" and ".join(sorted(minors))),
                "units",
            )
        if self._mine() and self.defenders and not list(self._named_wrong()):
            attack, defence = self.attack, sum(unit.face.defence for unit in self.defenders)
            top, below = (int(n) for n in self.world.combat["least_odds"].split("-"))
            if below * attack < top * defence:
                yield illegal(
                    "E-ATK-11",
                    RULE,
                    Message("totaler-krieg.strength.below-1-3", attack=attack, defence=defence),
                    "units",
                )
        yield from first_loss_faults(self)

    def _hq_wrong(self) -> Iterator[Diagnostic]:
        hq, id = self.hq, self.order.hq
        if (
            hq is None
            or hq.owner != self.faction
            or hq.role != "ground"
            or hq.type != "hq"
            or hq.spot != "map"
        ):
            yield illegal(
                "E-ATK-09", RULE, Message("totaler-krieg.strength.no-hq-of-yours-on-map", id=id), "hq"
            )
            return
        reasons = []
        if not self.supply.supplied(hq):
            reasons.append(Message("totaler-krieg.advancing.unsupplied"))
        if not reach_of_hq(self.ground, hq.hex or "", self.target):
            reasons.append(Message("totaler-krieg.strength.out-of-range"))
        if hq.country not in {unit.country for unit in self._mine()}:
            reasons.append(Message("totaler-krieg.strength.supports-no-unit-of-own-country"))
        if hq.hq_used or hq.flag(self.segment):
            reasons.append(Message("totaler-krieg.strength.used-in-segment"))
        if self.blitz and not self.ground.blitz_enabled(hq):
            reasons.append(Message("totaler-krieg.dropping.not-blitz-enabled"))
        if reasons:
            yield illegal(
                "E-ATK-09",
                RULE,
                Message("totaler-krieg.advancing.unit-reason", unit=id, reason=tuple(reasons)),
                "hq",
            )

    def _weather_proof(self, weather: str) -> bool:
        """4.18: Return True if the weather does not stop a Blitz attack.

        Every attacking unit and the HQ must be SS, beside an SS unit of its country, or of a
        country with the trait `blitz_weather`.
        """
        if self.world.options.get("blitz_weather_exception") == "snow_only" and weather != "snow":
            return False
        return all(self._proof(unit) for unit in [*self._mine(), *([self.hq] if self.hq else [])])

    def _proof(self, unit: Piece) -> bool:
        if "ss" in unit.print.traits or "blitz_weather" in self.world.countries[unit.country].traits:
            return True
        if unit.country != self.world.scenario.get("ss_country"):
            return False
        hexes = (unit.hex or "", *self.world.beside(unit.hex or ""))
        return any(
            "ss" in other.print.traits and other.country == unit.country
            for hex in hexes
            for other in self.ground.units(hex, unit.owner)
        )


def hex_shift(ground: Ground, hex: str) -> tuple[str, int]:
    """M-8: Return the shift of the hex for its defender, by city, port or terrain in that order."""
    world = ground.world
    chart = world.ground_chart
    place = world.settlements.get(hex)
    if place is not None and place.kind in chart["settlement"]:
        return place.kind, int(chart["settlement"][place.kind]["shift"])
    if hex in world.ports:
        return "port", int(chart["port"]["shift"])
    kind = world.terrain[hex]
    return kind, int(chart["hex"][kind]["shift"])


def air_for(ground: Ground, target: str, faction: str, countries: set[str]) -> list[Piece]:
    """M-6: Return the air units of a side that count.

    They are in or adjacent to the hex, and of a country that takes part. In storms and snow only
    those in the hex count, in mud none.
    """
    weather = ground.weather(target)
    if weather == "mud":
        return []
    hexes = (target,) if weather in ("storms", "snow") else (target, *ground.world.beside(target))
    return [air for hex in hexes for air in ground.own("air", hex, faction) if air.country in countries]


def markers_in(ground: Ground, hex: str, faction: str) -> list[Piece]:
    """4.13.9: Return the enemy markers that an attack removes by itself."""
    return [
        marker
        for role in ("detachment", "logistics", "partisan")
        for marker in ground.foes(role, hex, faction)
    ]


def first_loss(assault: Assault) -> Callable[[Piece], bool]:
    """4.25: Return the test of the units that must take the attacker's first step.

    They are marines over water and armor-type units.
    """
    wet = {
        unit.id
        for unit in assault.units
        if unit.type == "marine" and over_water(across(assault.ground, unit, assault.target))
    }
    return lambda unit: unit.id in wet or unit.print.armor_type


def first_loss_faults(assault: Assault) -> Iterator[Diagnostic]:
    mine = [unit for unit in assault.units if unit.owner == assault.faction and unit.role == "ground"]
    if not assault.order.losses or any(
        not assault.world.adjacent(unit.hex or "", assault.target) for unit in mine
    ):
        return
    must = first_loss(assault)
    able = [unit.id for unit in mine if must(unit)]
    if able and assault.order.losses[0] not in able:
        message = Message("totaler-krieg.strength.first-step-lost-must-come", able=" or ".join(able))
        yield illegal("E-LOSS-01", "4.25", message, "losses", 0)
