"""A game's map: its locations, and what each of them, each hexside and each link is. Static: what
changes in play belongs to the position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cached_property

from pbem.board import mapdata
from pbem.board.locations import Locations
from pbem.board.places import Path, Place
from pbem.text.canonical import Json


class GameMap(Locations):
    """The locations of a map with terrain, kinds of hexsides, networks of links, places, areas and names.

    Hexes of a map of one sheet are the integers of its `grid`.
    """

    def __init__(self, found: mapdata.MapData) -> None:
        super().__init__(found.sheets, found.boxes, found.areas, found.joined)
        self._terrain = tuple(found.terrain)
        self._hexsides = {kind: frozenset(sides) for kind, sides in found.hexsides.items()}
        self._links = {
            network: {i: tuple(sorted(ends)) for i, ends in sorted(joined.items())}
            for network, joined in found.links.items()
        }
        self._places = {kind: tuple(places) for kind, places in found.places.items()}
        # of several in one hex the first listed is found
        self._place_at = {
            kind: {place.hex: place for place in reversed(places)} for kind, places in self._places.items()
        }
        self._layers = {layer: dict(sorted(inside.items())) for layer, inside in found.layers.items()}
        self.names: Mapping[int, str] = dict(sorted(found.names.items()))
        called = Counter(self.names.values())
        self._named = {name: i for i, name in self.names.items() if called[name] == 1}

    @classmethod
    def from_data(
        cls,
        data: Mapping[str, Json],
        *,
        legend: Mapping[str, str | None] | None = None,
        terrains: Collection[str] | None = None,
        hexsides: Collection[str] | None = None,
        links: Collection[str] | None = None,
        places: Collection[str] | None = None,
        layers: Collection[str] | None = None,
        path: Path = (),
    ) -> GameMap:
        """The map of plain data in the form that `mapdata` describes.

        `legend` holds for letters the map's own legend leaves out; the other names are what the rules system
        knows, and anything else is a fault. Raises `Refused` with all faults; `path` leads to the map in the
        document.
        """
        words = mapdata.Words(terrains, hexsides, links, places, layers)
        return cls(mapdata.read(data, legend or {}, words, path))

    # Terrain

    def terrain(self, i: int) -> str:
        """The terrain of a location; empty where the map says none, and for a hex that the sheet has not."""
        return self._terrain[i]

    def terrains(self) -> tuple[str, ...]:
        """The terrain of every location, that of integer 0 first: for arrays of costs."""
        return self._terrain

    def hexes_of(self, *terrains: str) -> tuple[int, ...]:
        """The hexes of these terrains, ascending."""
        return tuple(hex for hex in self.hexes if self._terrain[hex] in terrains)

    # Hexsides

    def has_hexside(self, kind: str, a: int, b: int) -> bool:
        """Is the hexside between a and b of this kind? False for a kind that the map has nowhere."""
        return ((a, b) if a < b else (b, a)) in self._hexsides.get(kind, ())

    def hexside_kinds(self, a: int, b: int) -> tuple[str, ...]:
        """All kinds of this hexside, in the order in which the map lists kinds."""
        return tuple(kind for kind in self._hexsides if self.has_hexside(kind, a, b))

    def hexsides(self, kind: str) -> tuple[tuple[int, int], ...]:
        """All hexsides of a kind, each with its lower hex first, ascending."""
        return tuple(sorted(self._hexsides.get(kind, ())))

    # Links

    def linked(self, network: str, a: int, b: int) -> bool:
        """Does a link of this network (road, rail, strait ...) join the two locations?"""
        return b in self._links.get(network, {}).get(a, ())

    def links_from(self, network: str, i: int) -> tuple[int, ...]:
        """The locations that links of this network lead to from one, ascending."""
        return self._links.get(network, {}).get(i, ())

    def links(self, network: str) -> tuple[tuple[int, int], ...]:
        """All links of a network, each with its lower location first, ascending."""
        return tuple((a, b) for a, ends in self._links.get(network, {}).items() for b in ends if a < b)

    def networks(self, a: int, b: int) -> tuple[str, ...]:
        """The networks that join the two locations, in the order in which the map lists them."""
        return tuple(network for network in self._links if self.linked(network, a, b))

    @property
    def all_networks(self) -> tuple[str, ...]:
        """All networks of links, in the order in which the map lists them."""
        return tuple(self._links)

    # Places, names, areas

    def places(self, kind: str) -> tuple[Place, ...]:
        """All places of a kind, in the order of the map's list."""
        return self._places.get(kind, ())

    def place(self, kind: str, i: int) -> Place | None:
        """The place of this kind in a location (the first listed), or None."""
        return self._place_at.get(kind, {}).get(i)

    def name(self, i: int) -> str:
        """What the map calls a location; empty where it says nothing."""
        return self.names.get(i, "")

    def named(self, name: str) -> int | None:
        """The location of this name; None if there is none, or several."""
        return self._named.get(name)

    def _guesses(self, id: str) -> list[str]:
        found = self.named(id)
        return super()._guesses(id) if found is None else [self.number(found)]

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers of areas (country, weather zone, sea ...), in the order of the map's list."""
        return tuple(self._layers)

    def area(self, layer: str, i: int) -> str | None:
        """The area of a layer in which a location lies, or None. One that is a location lies in itself."""
        return self._layers.get(layer, {}).get(i)

    def area_locations(self, layer: str, name: str) -> tuple[int, ...]:
        """Everything that lies in an area: hexes, boxes, itself where it is a location; ascending."""
        return self._inside.get(layer, {}).get(name, ())

    @cached_property
    def _inside(self) -> dict[str, dict[str, tuple[int, ...]]]:
        """Layer -> area -> what lies in it, ascending as the layers are."""
        found: dict[str, dict[str, list[int]]] = {}
        for layer, inside in self._layers.items():
            areas = found.setdefault(layer, {})
            for i, area in inside.items():
                areas.setdefault(area, []).append(i)
        return {layer: {area: tuple(ids) for area, ids in areas.items()} for layer, areas in found.items()}

    def area_hexes(self, layer: str, name: str) -> tuple[int, ...]:
        """The hexes of an area, ascending."""
        return tuple(i for i in self.area_locations(layer, name) if self.kind(i) == "hex")
