"""Steps A.1 to A.4: who may attack, HQs, odds, column modifiers (4.13, 4.18)."""

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
    """5.4, R-42: Return the heads of the columns, as the game reads them."""
    printed = world.options.get("crt_heads") == "as_printed"
    return list(world.combat["columns_as_printed" if printed else "columns"])


def entered(world: World, attack: int, defence: int) -> int:
    """4.13.3: Return the column of unmodified odds: the highest ratio that is reached.

    Rounding is for the defender; a defence of 0 reaches every column (R-24).
    """
    ratios = [tuple(int(n) for n in head.split("-")) for head in heads(world)]
    reached = [n for n, (top, below) in enumerate(ratios) if attack * below >= defence * top]
    return max(reached, key=lambda n: (ratios[n][0] * 12 // ratios[n][1], n), default=0)


def clamp(world: World, index: int) -> int:
    return max(0, min(index, len(heads(world)) - 1))


def across(ground: Ground, one: Piece, target: str) -> str:
    """Return the kind of hexside that a unit attacks across."""
    return ground.side(one.hex or "", target)


def over_water(side: str) -> bool:
    """Return True if the hexside is beachhead, strait or All-Sea, where marines count."""
    return side in (*STRAITS, SEA) or side.startswith("beachhead")


def reach_of_hq(ground: Ground, start: str, target: str) -> bool:
    """4.13.1: Return True if an HQ reaches the target.

    In at most two hexes, touching no neutral or policy country.
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
    """An attack as it stands on a board: forces, strengths, column; nothing is changed."""

    def __init__(
        self, board: Board, faction: str, order: Attack, segment: str, supply: Supply | None = None
    ) -> None:
        self.board, self.faction, self.order, self.segment = board, faction, order, segment
        self.supply = supply or Supply(board)
        self.ground = self.supply.ground
        self.world = world_of(board)
        self.target = order.target
        self.units = [one for id in order.units if (one := maybe_piece(board, id)) is not None]
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
        return next((one for one in self.defenders if one.type == "hq"), None)

    @property
    def own_hq(self) -> Piece | None:
        """R-106: Return the one HQ of the attacker, given as support or among the units."""
        return self.hq or next((one for one in self.units if one.type == "hq"), None)

    @property
    def attack(self) -> int:
        return sum(one.face.attack for one in self.units) + (self.hq.face.attack if self.hq else 0)

    @property
    def defence(self) -> int:
        return sum(one.face.defence for one in self.defenders) + (
            self.defender_hq.face.defence if self.defender_hq else 0
        )

    # A.2

    def eligible_hqs(self) -> list[Piece]:
        """4.13.2: Return the distant HQs that the defender may involve."""
        if self.local_hq is not None or not self.defenders:
            return []
        countries = {one.country for one in self.defenders}
        return [
            one
            for hex, units in sorted(self.ground.by_role.get("ground", {}).items())
            for one in units
            if one.type == "hq"
            and one.owner == self.defender
            and one.country in countries
            and not one.hq_used
            and reach_of_hq(self.ground, hex, self.target)
            and self.supply.supplied(one)
        ]

    def column_with(self, hq: Piece | None) -> int:
        """Return the final column if the defender involved this HQ."""
        before, self.defender_hq = self.defender_hq, hq
        found = self.final()
        self.defender_hq = before
        return found

    def odds(self) -> str:
        """Return the final column; where a distant HQ can lower it, the column with that HQ as well.

        Markers alone fall without a die: ''.
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
        """5.15: Return the HQ that lowers the final column most, then the lowest id; None if none lowers
        it."""
        without = self.column_with(None)
        found = sorted((self.column_with(one), one.id) for one in self.eligible_hqs())
        return found[0][1] if found and found[0][0] < without else None

    # A.3 and A.4

    def entered(self) -> int:
        return entered(self.world, self.attack, self.defence)

    def final(self) -> int:
        """4.13.4: Return the column after the net of all modifiers."""
        return clamp(self.world, self.entered() + sum(one.value for one in self.modifiers()))

    def modifiers(self) -> list[Modifier]:
        """M-1: Return the modifiers M-1 to M-9, those of the defender negative; what is 0 is left out."""
        value = self.world.combat["modifiers"]
        found = [*self._blitz_only(), *self._both_sides()]
        if any(one.type == "fortress" for one in self.defenders):
            found.append(Modifier("fortress", "M-4", -int(value["fortress"])))
        if self.ground.weather(self.target) == "mud":
            found.append(Modifier("mud", "M-7", -int(value["mud"])))
        found.append(Modifier(*self._terrain()))
        sides = [across(self.ground, one, self.target) for one in self.units]
        chart = self.world.ground_chart["hexside"]
        if sides:
            lowest = min(sides, key=lambda side: (int(chart[side]["shift"]), side))
            found.append(Modifier(lowest.replace("_", " "), "M-9", -int(chart[lowest]["shift"])))
        return sorted((one for one in found if one.value), key=lambda one: one.rule)

    def _terrain(self) -> tuple[str, str, int]:
        name, shift = hex_shift(self.ground, self.target)
        return name, "M-8", -shift

    def _blitz_only(self) -> Iterator[Modifier]:
        if not self.blitz:
            return
        value = self.world.combat["modifiers"]
        if any(one.print.armor_type and self.supply.supplied(one) for one in self.units):
            yield Modifier("armour", "M-1", int(value["armour"]))
        for marker in self.ground.own("airdrop", self.target, self.faction):
            yield Modifier(
                Message("totaler-krieg.strength.airdrop", marker=marker.id), "M-2", int(value["airdrop"])
            )
        marines = [
            one
            for one in self.units
            if one.type == "marine" and over_water(across(self.ground, one, self.target))
        ]
        if any(self.supply.supplied(one) for one in marines):
            yield Modifier("marines", "M-3", int(value["marines"]))

    def _both_sides(self) -> Iterator[Modifier]:
        value = self.world.combat["modifiers"]
        mine, theirs = self.own_hq, self.local_hq or self.defender_hq
        if mine is not None and self.supply.supplied(mine):
            yield Modifier(f"HQ {mine.id}", "M-5", int(value["hq"]))
        if theirs is not None and self.supply.supplied(theirs):
            yield Modifier(f"HQ {theirs.id}", "M-5", -int(value["hq"]))
        for one in self._air(self.faction, [*self.units, *([self.hq] if self.hq else [])]):
            if not self.blitz or self.ground.blitz_enabled(one):
                yield Modifier(f"air {one.id}", "M-6", int(value["air"]))
        if self.defender is not None:
            extra = [self.defender_hq] if self.defender_hq else []
            for one in self._air(self.defender, [*self.defenders, *extra]):
                yield Modifier(f"air {one.id}", "M-6", -int(value["air"]))

    def _air(self, faction: str, side: Iterable[Piece]) -> list[Piece]:
        return air_for(self.ground, self.target, faction, {one.country for one in side})

    # A.1

    def faults(self) -> list[Diagnostic]:
        """4.13.1: Return the faults of the attack as ordered, here and now."""
        return [*self._named_wrong(), *self._target_wrong(), *self._units_wrong(), *self._rest_wrong()]

    def _named_wrong(self) -> Iterator[Diagnostic]:
        for n, id in enumerate(self.order.units):
            one = maybe_piece(self.board, id)
            if one is None or one.owner != self.faction or one.role != "ground" or one.spot != "map":
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
        if self.target in attacked(self.board):
            yield illegal(
                "E-ATK-03",
                RULE,
                Message("totaler-krieg.strength.attacked-in-segment", target=self.target),
                "target",
            )
        if self.ground.closed(self.target, self.faction) or not all(
            self.ground.may_fight(one, other) for one in self._mine() for other in self.defenders
        ):
            yield illegal(
                "E-ATK-07",
                "2.8",
                Message("totaler-krieg.strength.posture-forbids-attack", target=self.target),
                "target",
            )
        if any(self.ground.pre_war_bars(one, self.target) for one in self._mine()):
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
        return [one for one in self.units if one.owner == self.faction and one.role == "ground"]

    def _units_wrong(self) -> Iterator[Diagnostic]:
        chart = self.world.ground_chart["hexside"]
        for n, id in enumerate(self.order.units):
            one = maybe_piece(self.board, id)
            if one is None or one not in self._mine() or one.spot != "map":
                continue
            if not self.world.adjacent(one.hex or "", self.target):
                message = Message(
                    "totaler-krieg.strength.not-adjacent", id=id, hex=one.hex, target=self.target
                )
                yield illegal("E-ATK-01", RULE, message, "units", n)
                continue
            side = across(self.ground, one, self.target)
            allowed = chart[side]["attack"]
            if allowed == "none" or (allowed == "marine" and one.type != "marine"):
                message = Message(
                    "totaler-krieg.strength.may-not-attack-across", id=id, hexside=side.replace("_", " ")
                )
                yield illegal("E-ATK-06", RULE, message, "units", n)
            if one.flag(self.segment):
                yield illegal(
                    "E-ATK-04",
                    RULE,
                    Message("totaler-krieg.strength.has-attacked-in-segment", id=id),
                    "units",
                    n,
                )
            if one.face.attack < 1:
                yield illegal(
                    "E-ATK-05", RULE, Message("totaler-krieg.strength.has-attack-factor-0", id=id), "units", n
                )
            if self.blitz and not self.ground.blitz_enabled(one):
                message = Message("totaler-krieg.strength.farther-than-2-hexes-from-every-friendly", id=id)
                yield illegal("E-ATK-12", "4.18", message, "units", n)

    def _rest_wrong(self) -> Iterator[Diagnostic]:
        inside = [one for one in self._mine() if one.type == "hq"]
        if len(inside) + (self.order.hq is not None) > 1:
            yield illegal("E-ATK-08", RULE, Message("totaler-krieg.strength.attack-has-one-hq-most"), "hq")
        if self.order.hq is not None:
            yield from self._hq_wrong()
        elif any(one.hq_used for one in inside):
            yield illegal(
                "E-ATK-09",
                RULE,
                Message("totaler-krieg.strength.was-used-in-this-segment", inside=inside[0].id),
                "units",
            )
        minors = {
            one.country
            for one in self._mine()
            if self.world.countries[one.country].kind == "minor" and not (one.print.exp and one.one_step)
        }
        if len(minors) > 1:
            yield illegal(
                "E-ATK-10",
                RULE,
                Message("totaler-krieg.strength.units", minors=" and ".join(sorted(minors))),
                "units",
            )
        if self._mine() and self.defenders and not list(self._named_wrong()):
            attack, defence = self.attack, sum(one.face.defence for one in self.defenders)
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
        if hq.country not in {one.country for one in self._mine()}:
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

    # 4.18

    def _weather_proof(self, weather: str) -> bool:
        """4.18: Return True if the weather does not stop a Blitz attack.

        Every attacking unit, and the HQ, is SS, beside an SS unit of its country, or of a country with trait
        `blitz_weather`.
        """
        if self.world.options.get("blitz_weather_exception") == "snow_only" and weather != "snow":
            return False
        return all(self._proof(one) for one in [*self._mine(), *([self.hq] if self.hq else [])])

    def _proof(self, one: Piece) -> bool:
        if "ss" in one.print.traits or "blitz_weather" in self.world.countries[one.country].traits:
            return True
        if one.country != self.world.scenario.get("ss_country"):
            return False
        hexes = (one.hex or "", *self.world.beside(one.hex or ""))
        return any(
            "ss" in other.print.traits and other.country == one.country
            for hex in hexes
            for other in self.ground.units(hex, one.owner)
        )


def attacked(board: Board) -> tuple[str, ...]:
    """Return the hexes attacked in this segment."""
    return T.of(board).attacked


def hex_shift(ground: Ground, hex: str) -> tuple[str, int]:
    """M-8: Return the shift that the hex itself gives to its defender: city, port and rough in that order."""
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

    In or adjacent to the hex, of a country that takes part; none in mud, only those in the hex in storms and
    snow.
    """
    weather = ground.weather(target)
    if weather == "mud":
        return []
    hexes = (target,) if weather in ("storms", "snow") else (target, *ground.world.beside(target))
    return [one for hex in hexes for one in ground.own("air", hex, faction) if one.country in countries]


def markers_in(ground: Ground, hex: str, faction: str) -> list[Piece]:
    """4.13.9: Return the enemy markers that an attack removes by itself."""
    return [
        one for role in ("detachment", "logistics", "partisan") for one in ground.foes(role, hex, faction)
    ]


def first_loss(found: Assault) -> Callable[[Piece], bool]:
    """4.25: Return the test of who must take the attacker's first step.

    A marine over water, or an armor-type unit.
    """
    wet = {
        one.id
        for one in found.units
        if one.type == "marine" and over_water(across(found.ground, one, found.target))
    }
    return lambda one: one.id in wet or one.print.armor_type


def first_loss_faults(found: Assault) -> Iterator[Diagnostic]:
    mine = [one for one in found.units if one.owner == found.faction and one.role == "ground"]
    if not found.order.losses or any(not found.world.adjacent(one.hex or "", found.target) for one in mine):
        return
    must = first_loss(found)
    able = [one.id for one in mine if must(one)]
    if able and found.order.losses[0] not in able:
        message = Message("totaler-krieg.strength.first-step-lost-must-come", able=" or ".join(able))
        yield illegal("E-LOSS-01", "4.25", message, "losses", 0)
