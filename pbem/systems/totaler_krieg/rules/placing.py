"""4.6: Placement of support units, convoys, beachheads and Blitz markers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Message

from .ground import Ground
from .orders import BlitzMarker, Placement
from .pieces import Piece, maybe_piece, pool, put
from .printed import AIR
from .supply import Supply

RULE = "4.6.3"
CANNOT_BE_PLACED = ("interceptor",)
CONTESTING_AIR = ("air_force", "interceptor")
CONTESTING_FLEETS = ("cv_fleet", "surface_fleet")


class Placer:
    """Judges a faction's placements on a board."""

    def __init__(self, board: Board, faction: str, supply: Supply | None = None) -> None:
        self.board, self.faction = board, faction
        self.supply = supply or Supply(board)
        self.ground: Ground = self.supply.ground
        self.world = self.ground.world
        self._air: list[str] | None = None
        self._naval: list[str] | None = None

    @property
    def air_bases(self) -> list[str]:
        if self._air is None:
            self._air = self.supply.air_bases(self.faction)
        return self._air

    @property
    def naval_bases(self) -> list[str]:
        if self._naval is None:
            self._naval = self.supply.naval_bases(self.faction)
        return self._naval

    def faults(self, order: Placement) -> list[Diagnostic]:
        """Return the faults of one placement."""
        counter = maybe_piece(self.board, order.counter)
        if counter is None or counter.owner != self.faction:
            return [
                illegal(
                    "E-GEN-01",
                    RULE,
                    Message("totaler-krieg.organizing.no-counter-of-yours", into=order.counter),
                    "counter",
                )
            ]
        if counter.spot != "pool":
            return [
                illegal(
                    "E-GEN-01",
                    RULE,
                    Message("totaler-krieg.organizing.not-in-force-pool", output=counter.id),
                    "counter",
                )
            ]
        if counter.type not in (*AIR, "cv_fleet", "surface_fleet", "sub_fleet", "convoy"):
            return [
                illegal(
                    "E-SUP-04",
                    RULE,
                    Message("totaler-krieg.placing.neither-support-unit-nor-convoy", one=counter.id),
                    "counter",
                )
            ]
        if counter.type in CANNOT_BE_PLACED:
            return [
                illegal(
                    "E-SUP-04",
                    RULE,
                    Message("totaler-krieg.placing.can-only-contest", one=counter.id),
                    "counter",
                )
            ]
        if counter.type != "convoy" and self.ground.t.war_state == "pre_war":
            return [
                illegal(
                    "E-SUP-04",
                    "2.8",
                    Message("totaler-krieg.placing.before-war-no-support-unit-placed"),
                    "counter",
                )
            ]
        return list(self._where(counter, order))

    def _where(self, counter: Piece, order: Placement) -> Iterator[Diagnostic]:
        world, at = self.world, order.at
        zone, _, box = at.partition(".")
        if counter.type == "convoy":
            yield from self._convoy(order, zone, box)
        elif box and (zone not in world.zones or box != "on_station"):
            yield illegal(
                "E-SUP-04",
                RULE,
                Message("totaler-krieg.placing.cannot-be-placed", one=counter.id, at=at),
                "at",
            )
        elif counter.type in AIR:
            yield from self._air_unit(counter, at, zone if box else "")
        else:
            yield from self._fleet(counter, order, zone if box else "")

    def _convoy(self, order: Placement, zone: str, box: str) -> Iterator[Diagnostic]:
        if zone not in self.world.zones or box != "convoys":
            yield illegal(
                "E-SUP-04", RULE, Message("totaler-krieg.placing.convoy-goes-into-convoys-box-of-naval"), "at"
            )
        elif not self.supply.open_ports(zone, self.faction):
            yield illegal(
                "E-SUP-03",
                RULE,
                Message("totaler-krieg.placing.has-no-open-port", faction=self.faction, zone=zone),
                "at",
            )
        if order.side is None:
            yield illegal("E-SUP-04", RULE, Message("totaler-krieg.placing.which-side-of-convoy-up"), "side")

    def _air_unit(self, counter: Piece, at: str, zone: str) -> Iterator[Diagnostic]:
        if zone:
            if counter.type != "air_force":
                yield illegal(
                    "E-SUP-04",
                    RULE,
                    Message("totaler-krieg.placing.only-air-force-goes-on-station", one=counter.id),
                    "at",
                )
            elif not any(self._in_range(counter, hex) for hex in self.world.zone_hexes[zone]):
                yield illegal(
                    "E-SUP-01",
                    RULE,
                    Message("totaler-krieg.placing.out-of-range-of-every-air-base", zone=zone),
                    "at",
                )
            return
        if not self.world.land(at):
            yield illegal("E-SUP-04", RULE, Message("totaler-krieg.dropping.is-no-land-hex", hex=at), "at")
        elif self.ground.closed(at, self.faction):
            yield illegal(
                "E-SUP-04",
                RULE,
                Message("totaler-krieg.dropping.neutral-policy-or-truce-country", hex=at),
                "at",
            )
        elif not self._in_range(counter, at):
            yield illegal(
                "E-SUP-01",
                RULE,
                Message(
                    "totaler-krieg.placing.more-than-hexes-from-every-air-base",
                    at=at,
                    range=counter.print.range,
                ),
                "at",
            )

    def _in_range(self, counter: Piece, hex: str) -> bool:
        return any(self.world.distance(base, hex) <= counter.print.range for base in self.air_bases)

    def _fleet(self, counter: Piece, order: Placement, zone: str) -> Iterator[Diagnostic]:
        world, at = self.world, order.at
        if not zone:
            if not world.sea(at) or counter.type == "sub_fleet":
                yield illegal(
                    "E-SUP-04",
                    RULE,
                    Message("totaler-krieg.placing.cannot-be-placed", one=counter.id, at=at),
                    "at",
                )
                return
            zone = world.zones_of(at)[0] if world.zones_of(at) else ""
            if counter.type == "surface_fleet":
                yield from self._beachhead(counter, order)
        if not self.based(zone):
            message = Message(
                "totaler-krieg.placing.has-no-naval-base-in-or-adjacent",
                faction=self.faction,
                zone=zone or at,
            )
            yield illegal("E-SUP-02", RULE, message, "at")

    def based(self, zone: str) -> bool:
        """Return True if a friendly naval base is in the zone or an adjacent one."""
        near = {zone, *self.world.zone_beside.get(zone, ())}
        return any(near & {*self.world.ports[base].zones} for base in self.naval_bases)

    def _beachhead(self, counter: Piece, order: Placement) -> Iterator[Diagnostic]:
        if self.ground.beachhead(order.at) is not None:
            yield illegal(
                "E-SUP-04", RULE, Message("totaler-krieg.placing.holds-beachhead", at=order.at), "at"
            )
        to = None if order.facing is None else self.world.toward(order.at, order.facing)
        if to is None or not self.world.land(to):
            yield illegal(
                "E-SUP-04",
                RULE,
                Message("totaler-krieg.placing.arrow-of-beachhead-points-to-adjacent-land"),
                "facing",
            )
        elif self.ground.closed(to, self.faction):
            message = Message("totaler-krieg.dropping.neutral-policy-or-truce-country", hex=to)
            yield illegal("E-SUP-04", RULE, message, "facing")

    def options(self, counter: Piece) -> Iterator[Placement]:
        """Yield every legal placement of a counter."""
        for order in self._candidates(counter):
            if not self.faults(order):
                yield order

    def _candidates(self, counter: Piece) -> Iterable[Placement]:
        world = self.world
        stations = [Placement(counter.id, f"{zone}.on_station") for zone in world.zones]
        if counter.type == "convoy":
            for zone in world.zones:
                yield Placement(counter.id, f"{zone}.convoys", side="supply")
                yield Placement(counter.id, f"{zone}.convoys", side="troop")
        elif counter.type in AIR:
            near = {hex for base in self.air_bases for hex in world.within(base, counter.print.range)}
            yield from (Placement(counter.id, hex) for hex in sorted(near) if world.land(hex))
            yield from stations
        elif counter.type == "surface_fleet":
            for hex in (hex for zone in world.zones for hex in world.zone_hexes[zone]):
                for to in world.beside(hex):
                    if world.land(to):
                        yield Placement(counter.id, hex, facing=world.direction(hex, to))
            yield from stations
        elif counter.type == "cv_fleet":
            for zone in world.zones:
                yield from (Placement(counter.id, hex) for hex in world.zone_hexes[zone])
            yield from stations
        elif counter.type == "sub_fleet":
            yield from stations

    def make(self, order: Placement, contested: bool = False) -> None:
        """Place a counter. A carrier at sea becomes a strike, a surface fleet a beachhead."""
        counter = maybe_piece(self.board, order.counter)
        assert counter is not None
        put(counter, order.at)
        if counter.type == "convoy":
            counter.side = order.side or "supply"
        elif self.world.sea(order.at) and counter.type == "cv_fleet":
            counter.back = "strike"
        elif self.world.sea(order.at) and counter.type == "surface_fleet":
            counter.back, counter.facing = "beachhead", order.facing or 0

    def contesters(self, at: str) -> list[Piece]:
        """4.6.3: Return the counters in this faction's pool that may contest a placement there."""
        return [counter for counter in pool(self.board, self.faction) if not self.contest_faults(counter, at)]

    def contest_faults(self, counter: Piece, at: str) -> str:
        """Return the reason why a counter in the pool may not contest, empty if it may."""
        zone, _, box = at.partition(".")
        hexes = self.world.zone_hexes[zone] if box else (at,)
        if counter.type in CONTESTING_AIR:
            bases = [*self.air_bases, *self.naval_bases]
            near = any(
                self.world.distance(base, hex) <= counter.print.range for base in bases for hex in hexes
            )
            return "" if near else Message("totaler-krieg.placing.out-of-range-of-bases")
        if counter.type in CONTESTING_FLEETS:
            zones = [zone] if box else list(self.world.zones_of(at))
            at_sea = bool(box) or self.world.sea(at)
            return (
                ""
                if at_sea and any(self.based(z) for z in zones)
                else Message("totaler-krieg.placing.no-naval-base-near")
            )
        return Message("totaler-krieg.placing.cannot-contest")

    def blitz_faults(self, order: BlitzMarker) -> list[Diagnostic]:
        """R-15: Return the faults of a Blitz marker's place."""
        marker, rule = maybe_piece(self.board, order.marker), "4.6.4"
        if marker is None or marker.owner != self.faction or marker.type != "blitz" or marker.spot != "pool":
            return [
                illegal(
                    "E-GEN-01",
                    rule,
                    Message("totaler-krieg.placing.no-blitz-marker-in-your-force-pool", marker=order.marker),
                    "marker",
                )
            ]
        if not self.world.land(order.hex) or self.ground.closed(order.hex, self.faction):
            return [
                illegal(
                    "E-BLZ-01",
                    rule,
                    Message("totaler-krieg.placing.no-land-hex-that-may-be-entered", hex=order.hex),
                    "hex",
                )
            ]
        if order.hex not in self.blitz_hexes():
            message = Message("totaler-krieg.placing.farther-than-2-hexes-from-every-supplied", hex=order.hex)
            return [illegal("E-BLZ-01", rule, message, "hex")]
        return []

    def blitz_hexes(self) -> list[str]:
        """Return the hexes where a Blitz marker may be placed."""
        most = int(self.world.ranges["blitz_placement"])
        starts = [
            hex
            for hex, units in self.ground.by_role.get("ground", {}).items()
            if any(unit.owner == self.faction and self.supply.supplied(unit) for unit in units)
        ]
        starts += [
            hex
            for hex, markers in self.ground.by_role.get("beachhead", {}).items()
            if any(marker.owner == self.faction for marker in markers)
        ]
        near = {n for hex in starts if self.world.kind(hex) == "hex" for n in self.world.within(hex, most)}
        return [
            hex for hex in sorted(near) if self.world.land(hex) and not self.ground.closed(hex, self.faction)
        ]
