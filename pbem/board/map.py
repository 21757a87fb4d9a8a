"""A game's map: locations, hexsides and links with their kinds.

It is static: what changes in play belongs to the position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cached_property

from pbem.board import mapdata
from pbem.board.locations import Locations
from pbem.board.places import Path, Place
from pbem.board.shape_faults import shape_faults
from pbem.text.canonical import Json
from pbem.text.diagnostics import Refused


class GameMap(Locations):
    """The locations of a map with terrain, kinds of hexsides, networks of links, places, areas and names.

    Hexes of a map of one sheet are the integers of its `grid`.
    """

    def __init__(self, map_data: mapdata.MapData) -> None:
        super().__init__(map_data.sheets, map_data.boxes, map_data.areas, map_data.joined)
        self.known = mapdata.Words()
        """The names that the rules know, if they said so; `legend` has their letters of terrain."""
        self.legend: Mapping[str, str | None] = {}
        self._terrain = tuple(map_data.terrain)
        self._hexsides = {kind: frozenset(sides) for kind, sides in map_data.hexsides.items()}
        self._links = {
            network: {i: tuple(sorted(ends)) for i, ends in sorted(joined.items())}
            for network, joined in map_data.links.items()
        }
        self._places = {kind: tuple(places) for kind, places in map_data.places.items()}
        # of several in one hex, the first listed wins
        self._place_at = {
            kind: {place.hex: place for place in reversed(places)} for kind, places in self._places.items()
        }
        self._layers = {layer: dict(sorted(inside.items())) for layer, inside in map_data.layers.items()}
        self.names: Mapping[int, str] = dict(sorted(map_data.names.items()))
        self.shapes = map_data.shapes
        called = Counter(self.names.values())
        self._named = {name: i for i, name in self.names.items() if called[name] == 1}

    def __deepcopy__(self, memo: dict[int, object]) -> GameMap:
        """Return the map itself: it never changes."""
        return self

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
        """Return the map of plain data in the form that `mapdata` describes.

        `legend` holds for letters the map's own legend leaves out; the other names are what the rules system
        knows, and anything else is a fault. Raises `Refused` with all faults; `path` leads to the map in the
        document.
        """
        words = mapdata.Words(terrains, hexsides, links, places, layers)
        made = cls(mapdata.read(data, legend or {}, words, path))
        faults = shape_faults(made.shapes, made, (*path, "shapes")) if made.shapes is not None else []
        if faults:
            raise Refused(faults)
        made.known, made.legend = words, dict(legend or {})
        return made

    # Terrain

    def terrain(self, i: int) -> str:
        """Return the terrain of a location, or "" if it has none or is a missing hex."""
        return self._terrain[i]

    def terrains(self) -> tuple[str, ...]:
        """Return the terrain of every location, from integer 0 on, for arrays of costs."""
        return self._terrain

    # Hexsides

    def has_hexside(self, kind: str, a: int, b: int) -> bool:
        """Return True if the hexside between a and b is of this kind."""
        return ((a, b) if a < b else (b, a)) in self._hexsides.get(kind, ())

    def hexside_kinds(self, a: int, b: int) -> tuple[str, ...]:
        """Return all kinds of this hexside, in the map's order of kinds."""
        return tuple(kind for kind in self._hexsides if self.has_hexside(kind, a, b))

    def hexsides(self, kind: str) -> tuple[tuple[int, int], ...]:
        """Return all hexsides of a kind, each with its lower hex first, ascending."""
        return tuple(sorted(self._hexsides.get(kind, ())))

    # Links

    def linked(self, network: str, a: int, b: int) -> bool:
        """Return True if a link of this network (road, rail, strait ...) joins the two locations."""
        return b in self._links.get(network, {}).get(a, ())

    def links_from(self, network: str, i: int) -> tuple[int, ...]:
        """Return the locations that links of this network lead to from one, ascending."""
        return self._links.get(network, {}).get(i, ())

    def links(self, network: str) -> tuple[tuple[int, int], ...]:
        """Return all links of a network, each with its lower location first, ascending."""
        return tuple((a, b) for a, ends in self._links.get(network, {}).items() for b in ends if a < b)

    def networks(self, a: int, b: int) -> tuple[str, ...]:
        """Return the networks that join the two locations, in the map's order."""
        return tuple(network for network in self._links if self.linked(network, a, b))

    @property
    def all_networks(self) -> tuple[str, ...]:
        """Return all networks of links, in the map's order."""
        return tuple(self._links)

    # Places, names, areas

    def places(self, kind: str) -> tuple[Place, ...]:
        """Return all places of a kind, in the order of the map's list."""
        return self._places.get(kind, ())

    def place(self, kind: str, i: int) -> Place | None:
        """Return the place of this kind in a location (the first listed), or None."""
        return self._place_at.get(kind, {}).get(i)

    def name(self, i: int) -> str:
        """Return the map's name of a location, or ""."""
        return self.names.get(i, "")

    def named(self, name: str) -> int | None:
        """Return the location of this name, or None if there is none or several."""
        return self._named.get(name)

    def _guesses(self, id: str) -> list[str]:
        guesses = self.named(id)
        return super()._guesses(id) if guesses is None else [self.number(guesses)]

    @property
    def layers(self) -> tuple[str, ...]:
        """Return the layers of areas (country, weather zone, sea ...), in the map's order."""
        return tuple(self._layers)

    def area(self, layer: str, i: int) -> str | None:
        """Return the area of a layer that contains a location, or None.

        An area that is a location contains itself.
        """
        return self._layers.get(layer, {}).get(i)

    def area_locations(self, layer: str, name: str) -> tuple[int, ...]:
        """Return all locations in an area, ascending: hexes, boxes, the area if it is a location."""
        return self._inside.get(layer, {}).get(name, ())

    @cached_property
    def _inside(self) -> dict[str, dict[str, tuple[int, ...]]]:
        """Return layer -> area -> its locations, ascending as the layers are."""
        inside_: dict[str, dict[str, list[int]]] = {}
        for layer, inside in self._layers.items():
            areas = inside_.setdefault(layer, {})
            for i, area in inside.items():
                areas.setdefault(area, []).append(i)
        return {layer: {area: tuple(ids) for area, ids in areas.items()} for layer, areas in inside_.items()}

    def area_hexes(self, layer: str, name: str) -> tuple[int, ...]:
        """Return the hexes of an area, ascending."""
        return tuple(i for i in self.area_locations(layer, name) if self.kind(i) == "hex")
