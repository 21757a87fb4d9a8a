"""4.6: Reorganization: legality of an entry, its path and its cost in points (11.18).

`judge` works out one entry and changes nothing. It returns a `Plan`, or a `Refusal` with a code of
4.0.4. `carry` (`carrying.py`) carries out a plan. Drafts, standing orders and the procedure use the
same two. For an entry without method or source, `choosing.py` chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from pbem.rules import Board, Message

from .choosing import best_source, cheapest, nearest_source
from .entries import Via, Way
from .paths import Goal, NoPath, Path
from .pieces import Occasion, T, Unit, controller, maybe_unit, operating, port_damaged, round_half_up, site
from .plans import Plan, Refusal
from .repairing import repair
from .sources import Supply, Who, goal_of, serving, who_of
from .world import World, world_of


class Reorganizer:
    """Reorganization by one side in one occasion on one board."""

    def __init__(self, board: Board, occasion: Occasion, supply: Supply | None = None) -> None:
        self.board, self.occasion = board, occasion
        self.world: World = world_of(board)
        self.side = occasion.side
        self.half = Fraction(self.world.supply["chit"])
        self.supply = supply or Supply(board, self.side)
        self.brief = False
        self.known: dict[Any, Plan | Refusal] | None = None
        """The results of methods for one entry while it is reported and carried out, else None."""

    def judge(self, payer: str, way: Way) -> Plan | Refusal:
        """Check an entry in the order of 4.6.3. Return the plan or the first refusal."""
        if way.unit is not None and way.unit.startswith("port:"):
            return repair(self, payer, way, way.unit.removeprefix("port:"))
        u = maybe_unit(self.board, way.unit)
        if u is None or self.world.side_of[u.owner] != self.side:
            return Refusal("E-UNIT", Message("wif.reorganize.no-unit-on-side", unit=way.unit))
        refused = self.barred(u, way)
        if refused is not None:
            return refused
        if way.via is None:
            return self.told(payer, u, cheapest(self, payer, u, way))
        if way.source is None and way.via not in ("limited", "at_sea"):
            return self.told(payer, u, best_source(self, payer, u, way))
        return self.priced(payer, u, way)

    def told(self, payer: str, u: Unit, result: Plan | Refusal) -> Plan | Refusal:
        """Return a result. A brief refusal is first replaced by one with the path's length."""
        if isinstance(result, Refusal) and result.brief is not None:
            return self.priced(payer, u, nearest_source(self, payer, u, result.brief))
        return result

    def barred(self, u: Unit, way: Way) -> Refusal | None:
        """R-11: Return the refusal by checks (1) and (2), and that of a headquarters that flips."""
        if not u.down and not u.shattered:
            return Refusal("E-FACEUP", Message("wif.reorganize.face-up-and-not-shattered", u=u.id))
        if u.id in self.occasion.reorganized or u.id in T.of(self.board).cleared:
            return Refusal(
                "E-TWICE", Message("wif.reorganize.has-already-been-reorganized-in-occasion", u=u.id)
            )
        if u.id in self.occasion.flipped:
            return Refusal("E-HQFLIP", Message("wif.reorganize.flips-for-reorganization-and-so-may", u=u.id))
        if way.source == u.id:
            return Refusal("E-SELF", Message("wif.reorganize.cannot-reorganize-itself", u=u.id))
        return None

    def priced(self, payer: str, u: Unit, way: Way) -> Plan | Refusal:
        """Return the plan or refusal of a method and a source by checks (3) to (7)."""
        assert way.via is not None
        refused = self._payer(payer, u, way) or self._partner(payer, u)
        if refused is not None:
            return refused
        methods: dict[Via, Callable[[str, Unit, Way], Plan | Refusal]] = {
            "hq": self._hq,
            "limited": self._limited,
            "primary": self._primary,
            "rail": self._rail,
            "secondary": self._secondary,
            "supply_unit": self._supply_unit,
            "trs": self._trs,
            "at_sea": self._at_sea,
        }
        plan = methods[way.via](payer, u, way)
        return plan if isinstance(plan, Refusal) else self._pay(plan, u)

    def _partner(self, payer: str, u: Unit) -> Refusal | None:
        """Return the refusal by checks (4) and (5)."""
        if not self.world.cooperate(u.owner, payer):
            return Refusal("E-COOP", Message("wif.battle.does-not-cooperate", owner=u.owner, power=payer))
        if u.minor and u.owner != payer:
            return Refusal(
                "E-MINOR",
                Message("wif.reorganize.can-be-paid-for-only", u=u.id, country=u.country, owner=u.owner),
            )
        return None

    def _payer(self, payer: str, u: Unit, way: Way) -> Refusal | None:
        """Return the refusal by check (3), whether the payer controls the provider of the points."""
        source = self._source(u, way)
        if way.via == "at_sea":
            ports = self._sea_ports(u)
            if ports and all(controller(self.board, p) != payer for p in ports):
                controllers = " or ".join(sorted({str(controller(self.board, p)) for p in ports}))
                return Refusal("E-PAYER", Message("wif.reorganize.ports", whose=controllers, payer=payer))
            return None
        if self.world.land(source) and source not in self.board.position.counters:
            owners = self.supply.payer_of(source, who_of(u))
            if payer not in owners:
                return Refusal(
                    "E-PAYER", Message("wif.reorganize.does-not-control", payer=payer, source=source)
                )
            return None
        provider = maybe_unit(self.board, source)
        if provider is None:
            return Refusal("E-SOURCE", Message("wif.drafting.no-source", source=source))
        if provider.owner != payer:
            return Refusal("E-PAYER", Message("wif.reorganize.does-not-control", payer=payer, source=source))
        return None

    def _source(self, u: Unit, way: Way) -> str:
        return way.source or (u.hex if way.via == "limited" else None) or ""

    def _pay(self, plan: Plan, u: Unit) -> Plan | Refusal:
        """Return the plan with fuel, or the refusal by fuel or check (7)."""
        fueled = self._fuel(plan, u)
        if isinstance(fueled, Refusal):
            return fueled
        have = T.of(self.board).pool.get(plan.payer, 0)
        if fueled.cost > have:
            return Refusal(
                "E-RP", Message("wif.reorganize.has-rps-left", payer=plan.payer, have=have, cost=fueled.cost)
            )
        return fueled

    def _fuel(self, plan: Plan, u: Unit) -> Plan | Refusal:
        """4.8.4: Return the plan with fuel of the unit's own power.

        Halves add up over an occasion, for each power.
        """
        if not self.world.options.get("fuel") or not u.print.oil:
            return plan
        before = self.occasion.fuel_sum.get(u.owner, Fraction(0))
        due = round_half_up(before + u.print.fuel) - round_half_up(before)
        have = T.of(self.board).fuel.get(u.owner, 0)
        if due > have:
            return Refusal(
                "E-FUEL", Message("wif.reorganize.has-only-fuel-points", owner=u.owner, have=have, due=due)
            )
        return replace(plan, fuel=due, exact_fuel=u.print.fuel)

    def _path(self, payer: str, source: str, u: Unit, way: Way, *, rail: bool = False) -> Path | Refusal:
        result = self.find(payer, source, goal_of(u), way, self.supply.length(u.hex), rail)
        if isinstance(result, Path):
            return result
        refused = self.no_path(result, u.hex)
        return replace(refused, brief=way) if self.brief and refused.code == "E-PATH" else refused

    def find(
        self, payer: str, source: str, goal: Goal, way: Way, limit: int | None, rail: bool
    ) -> Path | NoPath:
        slots = self.occasion.slots
        return self.supply.paths.find(
            payer, source, goal, limit, rail=rail, slots=slots, ports=way.ports, explain=not self.brief
        )

    def no_path(self, failure: NoPath, hex: str | None, limit: int | None = None) -> Refusal:
        if failure.code == "E-PORT":
            longests = self.supply.paths.slots_each
            return Refusal(
                "E-PORT",
                Message(
                    "wif.reorganize.minor-port-has-already-served-units-occasion",
                    port=failure.port,
                    most=longests,
                ),
            )
        if failure.code == "E-PORTDAM":
            return Refusal("E-PORTDAM", Message("wif.reorganize.port-damaged", port=failure.port))
        longests = self.supply.length(hex) if limit is None else limit
        shortest = (
            Message("wif.reorganize.there-is-none")
            if failure.shortest is None
            else Message("wif.reorganize.shortest", shortest=failure.shortest)
        )
        return Refusal("E-PATH", Message("wif.reorganize.no-legal-path", shortest=shortest, most=longests))

    def _hq(self, payer: str, u: Unit, way: Way) -> Plan | Refusal:
        """4.6.5: Plan points from a face-up headquarters, which then flips.

        It serves as many units as its value.
        """
        hq = self._headquarters(way.source)
        if isinstance(hq, Refusal):
            return hq
        if hq.down and hq.id not in self.occasion.flipped:
            return Refusal("E-PROVIDER", Message("wif.land.face-down", u=hq.id))
        if hq.id in self.occasion.reorganized or hq.id in self.occasion.served:
            return Refusal(
                "E-HQFLIP",
                Message("wif.reorganize.reorganized-or-secondary-source", hq=hq.id),
            )
        path = self._path(payer, hq.place, u, way)
        if isinstance(path, Refusal):
            return path
        counts = self.half if self._halves_count(hq.id, u) else Fraction(1)
        full = self._over(hq, self.occasion.hq, counts)
        return full or self._from_hq(payer, u, "hq", hq, path, counts)

    def _headquarters(self, id: str | None) -> Unit | Refusal:
        hq = maybe_unit(self.board, id)
        if hq is None or not hq.print.headquarters or hq.shattered or not self.world.land(hq.hex or ""):
            return Refusal("E-SOURCE", Message("wif.reorganize.no-headquarters-that-can-serve", id=id))
        return hq

    def _over(self, hq: Unit, counter: dict[str, Fraction], counts: Fraction) -> Refusal | None:
        used = counter.get(hq.id, Fraction(0))
        if used + counts > hq.print.reorg:
            return Refusal(
                "E-HQVAL",
                Message("wif.reorganize.hq-limit-exceeded", limit=hq.print.reorg, used=used, counts=counts),
            )
        return None

    def _from_hq(self, payer: str, u: Unit, via: Via, hq: Unit, path: Path, counts: Fraction) -> Plan:
        """4.6.16: Return the plan of a headquarters. Halves are added up before they are rounded."""
        halved = self._halves_cost(hq, u, via)
        exact = u.print.cost * (self.half if halved else Fraction(1))
        before = self.occasion.half_sum.get(hq.id, Fraction(0))
        charge = round_half_up(before + exact) - round_half_up(before)
        return Plan(
            payer,
            u.id,
            via,
            hq.id,
            charge,
            path,
            self.supply.length(u.hex),
            exact=exact,
            counts=counts,
            halved=halved,
        )

    def _chit(self, hq: str) -> str | None:
        """Return the kind of the chit that names this headquarters, or None."""
        if self.occasion.final:
            return None
        owner = Unit(self.board, hq).owner
        chit = T.of(self.board).chit.get(owner)
        return chit.kind if chit is not None and chit.hq == hq else None

    def _halves_count(self, hq: str, u: Unit) -> bool:
        return self._chit(hq) == u.print.arm

    def _halves_cost(self, hq: Unit, u: Unit, via: Via) -> bool:
        if self._halves_count(hq.id, u):
            return True
        chit = T.of(self.board).chit.get(hq.owner)
        return via == "hq" and not self.occasion.final and chit is not None and chit.kind == "combined"

    def _limited(self, payer: str, u: Unit, way: Way) -> Plan | Refusal:
        """4.6.6: Plan points from a limited source, which serves one unit in its hex."""
        hex, who = self._source(u, way), who_of(u)
        if self.supply.kind(hex, who) != "limited":
            return Refusal("E-SOURCE", Message("wif.reorganize.not-limited-source", hex=hex, u=u.id))
        if port_damaged(self.board, hex):
            return Refusal("E-PORTDAM", Message("wif.reorganize.port-damaged", port=hex))
        if not self.supply.limited_in_supply(hex, who):
            return Refusal("E-SUPPLY", Message("wif.reorganize.not-in-supply", hex=hex))
        limit = int(self.world.supply["limited_length"])
        if u.hex != hex:
            path = self.supply.paths.find(payer, hex, goal_of(u), limit)
            return self.no_path(path if isinstance(path, NoPath) else NoPath("E-PATH"), hex, limit)
        if self.occasion.limited.get(hex, 0) >= int(self.world.supply["per_limited"]):
            return Refusal("E-LIM", Message("wif.reorganize.limited-source-has-already-served-unit", hex=hex))
        return Plan(payer, u.id, "limited", hex, u.print.cost, Path(0, (hex,)), limit)

    def _primary(self, payer: str, u: Unit, way: Way) -> Plan | Refusal:
        """4.6.8: Plan points from a primary city.

        Its factories limit land and air units that need oil. It serves one corps.
        """
        hex, who = way.source or "", who_of(u)
        if self.supply.kind(hex, who) != "primary":
            return Refusal("E-SOURCE", Message("wif.reorganize.not-primary-source", hex=hex, u=u.id))
        isolated = self.isolation(hex, who)
        if isinstance(isolated, Refusal):
            return isolated
        path = self._path(payer, hex, u, way)
        double = False
        if isinstance(path, Refusal) and way.oos:
            far = self.find(payer, hex, goal_of(u), way, None, False)
            if isinstance(far, Path):
                path, double = far, True
        if isinstance(path, Refusal):
            return path
        full = self._city_full(hex, u)
        if full is not None:
            return full
        cost = u.print.cost * (int(self.world.supply["out_of_supply"]) if double else 1)
        limit = None if double else self.supply.length(u.hex)
        return Plan(payer, u.id, "primary", hex, cost, path, limit, oos=double, isolated=isolated)

    def isolation(self, hex: str, who: Who) -> bool | Refusal:
        """4.6.10: Return True if an isolated source may serve, False for one that is not isolated.

        It serves in one occasion of a turn. Later it is refused.
        """
        isolated = self.supply.isolated(hex, who)
        used = T.of(self.board).iso_used.get(hex)
        if isolated and used is not None and used != self.occasion.id:
            return Refusal(
                "E-ISO", Message("wif.reorganize.out-of-communication-and-has-dispensed-rps", hex=hex)
            )
        return isolated

    def _city_full(self, hex: str, u: Unit) -> Refusal | None:
        if u.print.oil and u.print.arm in ("land", "air"):
            factories = operating(self.board, hex)
            if self.occasion.oil.get(hex, 0) >= factories:
                return Refusal(
                    "E-FACT", Message("wif.reorganize.has-operating-factories", hex=hex, factories=factories)
                )
        if u.print.corps and self.occasion.corps.get(hex, 0) >= int(self.world.supply["corps_per_primary"]):
            return Refusal("E-CORPS", Message("wif.reorganize.has-already-reorganized-1-corps", hex=hex))
        return None

    def _secondary(self, payer: str, u: Unit, way: Way, *, rail: bool = False) -> Plan | Refusal:
        """4.6.12: Plan points from a secondary source in supply, which serves one unit."""
        source, who = way.source or "", who_of(u)
        hq = maybe_unit(self.board, source)
        if hq is not None:
            refusal = self.secondary_hq(hq, u)
            if refusal is not None:
                return refusal
            hex = hq.place
        elif self.supply.kind(source, who) != "secondary":
            return Refusal("E-SOURCE", Message("wif.reorganize.not-secondary-source-for", hq=source, u=u.id))
        else:
            hex = source
        if not self.supply.source_in_supply(source, hex, who):
            return Refusal("E-SUPPLY", Message("wif.reorganize.not-in-supply", hex=source))
        path = self._path(payer, hex, u, way, rail=rail)
        if isinstance(path, Refusal):
            return path
        refused = self.rail_left(payer) if rail else None
        counts = self.half if hq is not None and self._halves_count(hq.id, u) else Fraction(1)
        if refused is not None:
            return refused
        if self.occasion.secondary.get(source, Fraction(0)) + counts > int(
            self.world.supply["per_secondary"]
        ):
            return Refusal(
                "E-SEC", Message("wif.reorganize.secondary-source-has-already-served-unit", source=source)
            )
        via: Via = "rail" if rail else "secondary"
        if hq is not None:
            return self._from_hq(payer, u, via, hq, path, counts)
        return Plan(
            payer,
            u.id,
            via,
            source,
            u.print.cost,
            path,
            self.supply.length(u.hex),
            counts=counts,
        )

    def secondary_hq(self, hq: Unit, u: Unit | None) -> Refusal | None:
        """Return the refusal of this headquarters as a secondary source for the unit, or None."""
        if isinstance(self._headquarters(hq.id), Refusal) or serving(self.board, hq) is not None:
            return Refusal("E-SOURCE", Message("wif.reorganize.not-secondary-source", hq=hq.id))
        if u is not None and not self.world.cooperate(hq.owner, u.owner):
            return Refusal("E-SOURCE", Message("wif.reorganize.not-secondary-source-for", hq=hq.id, u=u.id))
        if hq.id in self.occasion.flipped:
            return Refusal(
                "E-HQFLIP",
                Message("wif.reorganize.flips-for-reorganization-and-so-may-not-be-secondary", hq=hq.id),
            )
        return None

    def rail_left(self, payer: str) -> Refusal | None:
        left = 0 if self.occasion.final else T.of(self.board).rail_left.get(payer, 0)
        return (
            None
            if left > 0
            else Refusal("E-RAIL", Message("wif.reorganize.has-no-unused-rail-move", payer=payer))
        )

    def _rail(self, payer: str, u: Unit, way: Way) -> Plan | Refusal:
        """4.6.11: Plan points by rail from a primary city or a secondary source, for a rail move."""
        hex, who = way.source or "", who_of(u)
        if maybe_unit(self.board, hex) is not None or self.supply.kind(hex, who) == "secondary":
            return self._secondary(payer, u, way, rail=True)
        if self.supply.kind(hex, who) != "primary":
            return Refusal(
                "E-SOURCE", Message("wif.reorganize.neither-primary-nor-secondary-source", hex=hex, u=u.id)
            )
        isolated = self.isolation(hex, who)
        if isinstance(isolated, Refusal):
            return isolated
        path = self._path(payer, hex, u, way, rail=True)
        if isinstance(path, Refusal):
            return path
        refused = self.rail_left(payer) or self._city_full(hex, u)
        if refused is not None:
            return refused
        return Plan(
            payer,
            u.id,
            "rail",
            hex,
            u.print.cost,
            path,
            self.supply.length(u.hex),
            isolated=isolated,
        )

    def _supply_unit(self, payer: str, u: Unit, way: Way) -> Plan | Refusal:
        """4.6.13: Plan free points from a headquarters with an active supply unit.

        It serves as many units as its value.
        """
        hq = self._headquarters(way.source)
        if isinstance(hq, Refusal):
            return hq
        if serving(self.board, hq) is None:
            return Refusal("E-SOURCE", Message("wif.reorganize.no-active-supply-unit", hq=hq.id))
        path = self._path(payer, hq.place, u, way)
        if isinstance(path, Refusal):
            return path
        counts = self.half if self._halves_count(hq.id, u) else Fraction(1)
        full = self._over(hq, self.occasion.hq_supply, counts)
        return full or Plan(
            payer,
            u.id,
            "supply_unit",
            hq.id,
            0,
            path,
            self.supply.length(u.hex),
            counts=counts,
        )

    def _trs(self, payer: str, u: Unit, way: Way) -> Plan | Refusal:
        """4.6.14: Plan points from a face-up transport at sea.

        It serves one unit on the coast of its sea area.
        """
        ship = maybe_unit(self.board, way.source)
        borders = self.world.coasts.get(u.hex or "", ())
        if (
            ship is None
            or ship.type not in self.world.units["transports"]
            or ship.down
            or ship.area is None
            or ship.id in self.occasion.dispensed
            or ship.area not in borders
        ):
            return Refusal(
                "E-TRS",
                Message("wif.reorganize.ship-cannot-dispense", source=way.source, hex=u.hex),
            )
        return Plan(payer, u.id, "trs", ship.id, u.print.cost)

    def _sea_ports(self, u: Unit) -> list[str]:
        """4.6.15: Return the ports that can serve a unit at sea.

        They are undamaged major ports in supply on its sea area, held by powers that cooperate.
        """
        if u.area is None or u.print.arm == "land":
            return []
        who, ports = who_of(u), []
        for hex in self.world.shores[u.area]:
            port, power = site(self.board, hex), controller(self.board, hex)
            if port is None or port.port != "major" or power is None or port_damaged(self.board, hex):
                continue
            if self.world.cooperate(power, u.owner) and self.supply.source_in_supply(hex, hex, who):
                ports.append(hex)
        return ports

    def deliveries(self, plane: Unit, hex: str) -> int:
        """p.1.7: Return the number of units that a transport serves in a hex.

        A large one serves two within half its range.
        """
        chart = self.world.supply
        distance = (
            self.world.hexes_between(plane.hex or "", hex) if self.world.land(plane.hex or "") else None
        )
        if plane.print.large and self.world.options.get("large_atr", True) and distance is not None:
            if 2 * distance <= plane.print.range:
                return int(chart["per_large_air_transport"])
        return int(chart["per_air_transport"])

    def by_air(self, payer: str, id: str, hex: str, atr: str) -> Plan | Refusal:
        """p.1.7: Plan points from a transport for a unit in its target hex.

        Checks 1, 2, 4, 5 and 7 apply.
        """
        u = maybe_unit(self.board, id)
        if u is None or self.world.side_of[u.owner] != self.side or u.hex != hex:
            return Refusal("E-UNIT", Message("wif.reorganize.not-of-this-side-there", id=id, hex=hex))
        refused = self.barred(u, Way(id, source=atr)) or self._partner(payer, u)
        return refused or self._pay(Plan(payer, id, "atr", atr, u.print.cost), u)

    def _at_sea(self, payer: str, u: Unit, way: Way) -> Plan | Refusal:
        """4.6.15: Plan points for a ship or aircraft at sea from a major port of its sea area."""
        ports = [p for p in self._sea_ports(u) if controller(self.board, p) == payer]
        named = [p for p in ports if way.source in (None, p)]
        if not named:
            return Refusal("E-ATSEA", Message("wif.reorganize.not-sea-or-no-eligible-major-port", u=u.id))
        return Plan(payer, u.id, "at_sea", named[0], u.print.cost)

    @cached_property
    def transports(self) -> list[str]:
        """Return the transports at sea, which stay there during an occasion."""
        types = self.world.units["transports"]
        counters = self.board.position.counters
        return [
            id for id in sorted(counters) if counters[id]["type"] in types and Unit(self.board, id).at_sea
        ]
