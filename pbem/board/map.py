"""A game's map: what each hex, hexside and link is. Static: what changes in play belongs to the position."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pbem.board import mapdata
from pbem.board.hexes import HexGrid
from pbem.board.places import Path, Place
from pbem.text.canonical import Json


class GameMap:
    """Terrain, kinds of hexsides, networks of links, places, areas. Hexes are integers of `grid`."""

    def __init__(self, found: mapdata.MapData) -> None:
        self.grid: HexGrid = found.grid
        self._terrain = tuple(found.terrain)
        self._hexsides = {kind: frozenset(sides) for kind, sides in found.hexsides.items()}
        self._links = {
            network: {hex: tuple(sorted(ends)) for hex, ends in sorted(joined.items())}
            for network, joined in found.links.items()
        }
        self._places = {kind: tuple(places) for kind, places in found.places.items()}
        # of several in one hex the first listed is found
        self._place_at = {
            kind: {place.hex: place for place in reversed(places)} for kind, places in self._places.items()
        }
        self._areas = {layer: dict(sorted(inside.items())) for layer, inside in found.areas.items()}

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
        path: Path = (),
    ) -> GameMap:
        """The map of plain data in the form that `mapdata` describes.

        `legend` holds for letters the map's own legend leaves out; the other names are what the rules system
        knows, and anything else is a fault. Raises `Refused` with all faults; `path` leads to the map in the
        document.
        """
        words = mapdata.Words(terrains, hexsides, links, places)
        return cls(mapdata.read(data, legend or {}, words, path))

    # Terrain

    def terrain(self, hex: int) -> str:
        """The terrain of a hex; empty for one that the sheet has not."""
        return self._terrain[hex]

    def terrains(self) -> tuple[str, ...]:
        """The terrain of every hex, hex 0 first: for arrays of costs."""
        return self._terrain

    def hexes_of(self, *terrains: str) -> tuple[int, ...]:
        """The hexes of these terrains, ascending."""
        return tuple(hex for hex in self.grid.hexes if self._terrain[hex] in terrains)

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
        """Does a link of this network (road, rail ...) join the two hexes?"""
        return b in self._links.get(network, {}).get(a, ())

    def links_from(self, network: str, hex: int) -> tuple[int, ...]:
        """The hexes that links of this network lead to from a hex, ascending."""
        return self._links.get(network, {}).get(hex, ())

    def links(self, network: str) -> tuple[tuple[int, int], ...]:
        """All links of a network, each with its lower hex first, ascending."""
        return tuple((a, b) for a, ends in self._links.get(network, {}).items() for b in ends if a < b)

    def networks(self, a: int, b: int) -> tuple[str, ...]:
        """The networks that join the two hexes, in the order in which the map lists them."""
        return tuple(network for network in self._links if self.linked(network, a, b))

    # Places and areas

    def places(self, kind: str) -> tuple[Place, ...]:
        """All places of a kind, in the order of the map's list."""
        return self._places.get(kind, ())

    def place(self, kind: str, hex: int) -> Place | None:
        """The place of this kind in a hex (the first listed), or None."""
        return self._place_at.get(kind, {}).get(hex)

    def area(self, layer: str, hex: int) -> str | None:
        """The area of a layer (country, weather zone ...) in which a hex lies, or None."""
        return self._areas.get(layer, {}).get(hex)

    def area_hexes(self, layer: str, name: str) -> tuple[int, ...]:
        """The hexes of an area, ascending."""
        return tuple(hex for hex, area in self._areas.get(layer, {}).items() if area == name)
