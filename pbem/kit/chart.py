"""A map by the ids that players write: base of a system's world, for rules that say "0405" and not 20.

    class World(Chart):
        def __init__(self, map: GameMap, scenario: Data, tables: Tables) -> None:
            super().__init__(map)
            self.bases = self.places_of("base", Base)          # typed, by hex
            self.seats = tuple(scenario["seats"])

    world.neighbours("0405"), world.crosses("river", "0405", "0406"), world.joins("road", "0405", "0406")

Lists of locations are in the order of the map, neighbours clockwise from north. Answers are
remembered, because a map never changes. Rule of thumb: rules that ask one thing of one hex use ids;
searches over the whole map use `index`, the integers and `map.table`, and give ids back at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TypeVar

from pbem.board.locations import Kind
from pbem.board.map import GameMap
from pbem.kit.records import record
from pbem.text.diagnostics import Diagnostic, Refused

T = TypeVar("T")


class Chart:
    """A map by ids. `UnknownLocation` for an id that the map lacks."""

    def __init__(self, map: GameMap) -> None:
        self.map = map
        self.index: dict[str, int] = {map.ids[i]: i for i in map.locations}
        self.locations: tuple[str, ...] = tuple(self.index)
        self._neighbours: dict[str, tuple[str, ...]] = {}
        self._beside: dict[str, tuple[str, ...]] = {}

    def __deepcopy__(self, memo: dict[int, object]) -> Chart:
        """Return the chart itself: it never changes."""
        return self

    def __contains__(self, id: object) -> bool:
        """Return True if this is a location of the map."""
        return id in self.index

    def at(self, id: str) -> int:
        """Return the integer of a location."""
        index = self.index.get(id)
        return self.map.index(id) if index is None else index

    def ids(self, locations: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of integers of the map, in the order given."""
        return tuple(map(self.locations.__getitem__, locations))

    @cached_property
    def hexes(self) -> tuple[str, ...]:
        """Return all hexes, in the order of the map."""
        return self.ids(self.map.hexes)

    @cached_property
    def terrain(self) -> dict[str, str]:
        """Return the terrain of each location, by id."""
        return {id: self.map.terrain(i) for id, i in self.index.items()}

    def kind(self, id: str) -> Kind:
        """Return whether a location is a hex, a box or an area."""
        return self.map.kind(self.at(id))

    # near and far

    def neighbours(self, id: str) -> tuple[str, ...]:
        """Return adjacent hexes, clockwise from north, then the locations that links lead to."""
        neighbours = self._neighbours.get(id)
        if neighbours is None:
            neighbours = self._neighbours[id] = self.ids(self.map.neighbours(self.at(id)))
        return neighbours

    def beside(self, id: str) -> tuple[str, ...]:
        """Return the hexes that share a hexside with a hex, clockwise from north."""
        hexes = self._beside.get(id)
        if hexes is None:
            hexes = self._beside[id] = self.ids(self.map.beside(self.at(id)))
        return hexes

    def adjacent(self, hex: str, other: str) -> bool:
        """Return True if two hexes share a hexside; False for ids that are not on the map."""
        return hex in self.index and other in self.beside(hex)

    def distance(self, hex: str, other: str) -> int:
        """Return the distance in hexes.

        Raises `ValueError` if there is none.
        """
        hexes = self.map.distance(self.at(hex), self.at(other))
        if hexes is None:
            raise ValueError(f"there is no distance from {hex} to {other}")
        return hexes

    def within(self, id: str, radius: int) -> tuple[str, ...]:
        """Return all hexes at most that far away, the hex itself included; of a box only itself."""
        return self.ids(self.map.within(self.at(id), radius))

    def nearest(self, id: str, goals: Iterable[str], far: int = 99) -> int:
        """Return the distance to the nearest goal, or `far` without goals."""
        return min((self.distance(id, goal) for goal in goals), default=far)

    # hexsides and links

    def hexside(self, hex: str, other: str) -> str:
        """Return the name of the hexside between adjacent hexes, as players write it: "0405/0406"."""
        return self.map.hexside(self.at(hex), self.at(other))

    def crosses(self, kind: str, hex: str, other: str) -> bool:
        """Return True if a hexside of this kind (river, mountain ...) is between two hexes."""
        return self.map.has_hexside(kind, self.at(hex), self.at(other))

    def joins(self, network: str, hex: str, other: str) -> bool:
        """Return True if a link of this network (road, rail, strait ...) joins two locations."""
        return self.map.linked(network, self.at(hex), self.at(other))

    def linked(self, network: str, id: str) -> tuple[str, ...]:
        """Return the locations that links of this network lead to."""
        return self.ids(self.map.links_from(network, self.at(id)))

    @cached_property
    def _networks(self) -> dict[str, frozenset[str]]:
        return {
            network: frozenset(self.ids(i for link in self.map.links(network) for i in link))
            for network in self.map.all_networks
        }

    def on(self, network: str) -> frozenset[str]:
        """Return all locations that a network touches."""
        return self._networks.get(network, frozenset())

    # areas and places

    def area(self, layer: str, id: str) -> str | None:
        """Return the area of a layer that contains a location, or None."""
        return self.map.area(layer, self.at(id))

    def inside(self, layer: str, area: str) -> tuple[str, ...]:
        """Return all locations in an area of a layer."""
        return self.ids(self.map.area_locations(layer, area))

    def places_of(self, kind: str, type: type[T]) -> dict[str, T]:
        """Return the places of a kind as frozen dataclasses, by id and sorted; their field `hex` is the id.

        Raises `Refused` with every fault of every place.
        """
        by_place: dict[str, T] = {}
        faults: list[Diagnostic] = []
        for place in sorted(self.map.places(kind), key=lambda kind_place: kind_place.number):
            try:
                by_place[place.number] = record(type, {"hex": place.number, **place.data}, place.path)
            except Refused as refused:
                faults += refused.diagnostics
        if faults:
            raise Refused(faults)
        return by_place
