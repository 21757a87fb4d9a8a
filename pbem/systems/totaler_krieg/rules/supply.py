"""4.12, 2.9: Supply, worked out for each use, and what needs it: bases and open ports.

The search runs outwards from the sources. First it finds the hexes from which a line of roads,
rails and sea leads to a source, then up to two free hexes around them. It tests the hexes that a
line enters, but not the one of the counter itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kit.paths import flood, search
from pbem.rules import Board

from .ground import Ground
from .pieces import Piece, piece
from .world import SEA

FRESH, ON_ROAD, SPENT = (
    0,
    1,
    2,
)  # states of a line by its one stretch of road or strait: unused, on the road, used


class Supply:
    """The supplied counters of a board now.

    Without `air_closes` air units close no ports (R-107).
    """

    def __init__(
        self, board: Board, ground: Ground | None = None, *, air_closes: bool = True, by_sea: bool = True
    ) -> None:
        self.board = board
        self.ground = ground or Ground(board)
        self.world = self.ground.world
        self.air_closes, self.by_sea = air_closes, by_sea
        self._nets: dict[tuple[str, str], frozenset[str]] = {}
        self._open: dict[tuple[str, str, str], bool] = {}
        self._enter: dict[tuple[str, str], bool] = {}
        self._without_air: Supply | None = None

    def supplied(self, counter: Piece) -> bool:
        """4.12: Return True if a counter on the map is supplied now."""
        hex = counter.hex
        if hex is None or hex not in self.world.index:
            return False
        if self.world.kind(hex) != "hex" and hex not in self.world.off_map:
            return False
        return any(hex in self.net(country, counter.owner) for country in self._fed_by(counter))

    def _fed_by(self, counter: Piece) -> list[str]:
        """R-21: Return the countries whose sources supply a counter, usually its own.

        A marker of a country without home cities uses those of any Major Country of its faction.
        """
        countries = self.world.countries
        if counter.role == "ground" or countries[self.world.parent(counter.country)].home_cities:
            return [counter.country]
        states = self.ground.states
        majors = [id for id, row in countries.items() if row.kind == "major"]
        return [counter.country, *(id for id in majors if states[id].alignment == counter.owner)]

    def supplied_at(self, counter: Piece, hex: str) -> bool:
        """Return True if the counter would be supplied in that hex, all else unchanged."""
        return hex in self.net(counter.country, counter.owner)

    def sources(self, country: str, faction: str) -> set[str]:
        """4.12.2: Return the sources of a country.

        These are its home cities, boxes of the scenario, and for a minor country the partisan bases
        in it.
        """
        ground, world = self.ground, self.world
        boxes = {box for box, row in world.off_map.items() if row.source and row.faction == faction}
        cities = {*world.countries[world.parent(country)].home_cities, *boxes}
        hexes = {hex for hex in cities if not ground.blocked(hex, faction)}
        if world.countries[country].kind == "minor":
            for hex in ground.by_role.get("partisan", {}):
                mine = ground.own("partisan", hex, faction)
                if mine and world.country_of(hex) == country and not ground.blocked(hex, faction):
                    hexes.add(hex)
        return hexes

    def net(self, country: str, faction: str) -> frozenset[str]:
        """Return all hexes in which a counter of the country would be supplied."""
        key = (country, faction)
        if key not in self._nets:
            self._nets[key] = self._search(country, faction)
        return self._nets[key]

    def _search(self, country: str, faction: str) -> frozenset[str]:
        sources = self.sources(country, faction)
        lines = sources | self._on_links(
            (hex for hex in sorted(sources) if self.enterable(hex, faction)), faction
        )

        def beside(hex: str) -> Iterable[str]:
            """4.12.3: Return the hexes from which a line crosses into this one (part 1)."""
            if not self.enterable(hex, faction):
                return ()
            return (n for n in self.world.beside(hex) if self.crossable(n, hex, faction))

        return frozenset(flood(sorted(lines), beside, int(self.world.ranges["free_trace"])))

    def _on_links(self, sources: Iterable[str], faction: str) -> set[str]:
        """4.12.3: Return the hexes on a line of links and sea to a source.

        In some of them it may only begin.
        """
        index, ids = self.world.index, self.world.locations
        size = len(ids)

        def rows(node: int) -> dict[int, int]:
            """Return the steps from a node, labelled by the state of a line.

            A line in a lower state may go wherever one in a higher state may.
            """
            state, here = divmod(node, size)
            hex = ids[here]
            if not self.enterable(hex, faction):
                return {}
            by_land = [(to, then) for to, then in self._steps(hex, state) if self.crossable(to, hex, faction)]
            steps = (*by_land, *self._transfers(hex, state, faction), *self._crossings(hex, faction))
            return dict.fromkeys((then * size + index[to] for to, then in steps), 0)

        reached = search({index[hex]: 0 for hex in sources}, rows, size, labels=SPENT + 1)
        return {ids[node % size] for node in reached.costs}

    def _steps(self, hex: str, state: int) -> list[tuple[str, int]]:
        """4.12.3: Return the steps by rail, one stretch of road or one connected strait (part 2).

        Rail has no limit.
        """
        world = self.world
        steps = [(to, SPENT if state else FRESH) for to in world.linked("rail", hex)]
        if state in (FRESH, ON_ROAD):
            steps += [(to, ON_ROAD) for to in world.linked("road", hex)]
        if state == FRESH:
            steps += [(to, SPENT) for to in world.beside(hex) if self._strait(hex, to)]
        return steps

    def _strait(self, a: str, b: str) -> bool:
        """4.12.3: Return True if a connected strait joins links on both shores.

        Both shores must have a link (R-214).
        """
        world = self.world
        return world.crosses("strait_connected", a, b) and world.on_link(a) and world.on_link(b)

    def _transfers(self, hex: str, state: int, faction: str) -> list[tuple[str, int]]:
        """4.12.2: Return the transfers, each as a rail.

        No line goes through boxes of other factions (R-212).
        """
        then = SPENT if state else FRESH
        return [
            (to, then)
            for to in self.world.transfers(hex)
            if self.world.box_of(to) in (None, faction) and self.world.box_of(hex) in (None, faction)
        ]

    def _crossings(self, hex: str, faction: str) -> list[tuple[str, int]]:
        """4.12.3: Return the crossings by supply convoy to other open ports of the zone (part 3)."""
        crossings: list[tuple[str, int]] = []
        for zone in self.world.zones_of(hex) if self.by_sea else ():
            if not self.convoyed(zone, faction) or not self.open_port(hex, faction, zone):
                continue
            crossings += [(port, FRESH) for port in self.open_ports(zone, faction) if port != hex]
        return crossings

    def convoyed(self, zone: str, faction: str, side: str = "supply") -> list[Piece]:
        """Return the faction's convoys in a zone with this side up."""
        return [
            convoy for convoy in self.ground.own("convoy", f"{zone}.convoys", faction) if convoy.side == side
        ]

    def enterable(self, hex: str, faction: str) -> bool:
        """4.12.4: Return True if a line may enter the hex."""
        key = (hex, faction)
        if key not in self._enter:
            self._enter[key] = self._may_enter(hex, faction)
        return self._enter[key]

    def _may_enter(self, hex: str, faction: str) -> bool:
        ground, world = self.ground, self.world
        if ground.blocked(hex, faction) or ground.closed(hex, faction):
            return False
        if not ground.units(hex, faction):
            if hex in ground.ezoc(faction) or ground.foes("partisan", hex, faction):
                return False
        if world.city(hex) or hex in world.ports:
            return not ground.enemy_country(hex, faction) or ground.control(hex) == faction
        return not world.sea(hex) or ground.beachhead(hex, faction) is not None

    def crossable(self, a: str, b: str, faction: str) -> bool:
        """4.12.4: Return True if a line may cross the hexside.

        It crosses no lakes, and sea only at straits and friendly beachheads.
        """
        if b not in self.world.beside(a):
            return False
        side = self.world.hexside_of(a, b)
        if side == "lake":
            return False
        if side != SEA:
            return True
        return any(self.ground.beachhead(hex, faction) is not None for hex in (a, b))

    def open_port(self, hex: str, faction: str, zone: str) -> bool:
        """2.9: Return True if the hex is an Open Port of the zone for the faction."""
        key = (hex, faction, zone)
        if key not in self._open:
            self._open[key] = self._is_open(hex, faction, zone)
        return self._open[key]

    def _is_open(self, hex: str, faction: str, zone: str) -> bool:
        ground, world = self.ground, self.world
        if zone not in world.zones_of(hex) or ground.enemies(hex, faction):
            return False
        if world.sea(hex):
            mine = ground.beachhead(hex, faction) is not None
        else:
            country = world.country_of(hex)
            kind = world.countries[country].kind if country else "dependent"
            at_home = (
                kind != "dependent" and country is not None and ground.states[country].status == "active"
            )
            mine = any(ground.own(role, hex, faction) for role in ("ground", "detachment", "logistics")) or (
                at_home and ground.owner_of(country) == faction
            )
        station = f"{zone}.on_station"
        if not mine or ground.foes("fleet", station, faction):
            return False
        return not self.air_closes or not self._closed_by_air(hex, faction, station)

    def _closed_by_air(self, hex: str, faction: str, station: str) -> bool:
        most = int(self.world.ranges["enemy_air_closes_ports"])
        owners = sorted({unit.owner for unit in self.ground.foes("air", station, faction)})
        if not owners:
            return False
        if self._without_air is None:
            self._without_air = Supply(self.board, self.ground, air_closes=False)
        return any(
            self.world.distance(base, hex) <= most
            for owner in owners
            for base in self.world.ports
            if self._without_air.naval_base(base, owner)
        )

    def open_ports(self, zone: str, faction: str) -> list[str]:
        """Return all Open Ports of a zone."""
        known = [hex for hex, port in self.world.ports.items() if zone in port.zones]
        sea = [
            hex
            for hex in sorted(self.ground.by_role.get("beachhead", {}))
            if zone in self.world.zones_of(hex)
        ]
        return [hex for hex in (*known, *sea) if self.open_port(hex, faction, zone)]

    def holds(self, hex: str, faction: str) -> bool:
        """S-8: Return True if a supplied unit, detachment or logistics marker holds the hex."""
        return any(
            self.supplied(counter)
            for role in ("ground", "detachment", "logistics")
            for counter in self.ground.own(role, hex, faction)
        )

    def air_base(self, hex: str, faction: str) -> bool:
        """2.9: Return True if the hex is an Air Base of the faction."""
        world = self.world
        place = world.city(hex) or hex in world.ports or world.on_link(hex)
        clear = world.land(hex) and not self.ground.enemy_air(hex, faction)
        return place and clear and self.holds(hex, faction)

    def naval_base(self, hex: str, faction: str) -> bool:
        """2.9: Return True if the hex is a Naval Base of the faction."""
        clear = hex in self.world.ports and not self.ground.enemy_air(hex, faction)
        return clear and self.holds(hex, faction)

    def air_bases(self, faction: str) -> list[str]:
        hexes = {
            hex
            for role in ("ground", "detachment", "logistics")
            for hex, counters in self.ground.by_role.get(role, {}).items()
            if any(counter.owner == faction for counter in counters)
        }
        return [hex for hex in sorted(hexes) if self.air_base(hex, faction)]

    def naval_bases(self, faction: str) -> list[str]:
        return [hex for hex in self.world.ports if self.naval_base(hex, faction)]


def supplied(board: Board, id: str) -> bool:
    """4.12: Return True if this counter is supplied now."""
    return Supply(board).supplied(piece(board, id))
