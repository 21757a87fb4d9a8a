"""The locations of a map: the hexes of one or several sheets, boxes, areas that are locations.

A location has an id, the text that players write: a hex number as printed ("0405", "08.06", "w0305") or the
name of a box or an area ("AsterSea"). Inside the program it is a small integer. The hexes of the first sheet
come first, then those of the next, then boxes, then areas; where there is one sheet, the integers are those
of its grid. `table` has the neighbours of every location: a graph that searches run over.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from pbem.board.hexes import (
    COMPASS,
    DIRECTIONS,
    STEPS,
    Direction,
    HexGrid,
    NamedHexsides,
    Spot,
    UnknownLocation,
    span,
)
from pbem.board.places import Place
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

Kind = Literal["hex", "box", "area"]
Table = tuple[tuple[int, ...], ...]
FEW = 8  # a difference that fewer pairs of neighbours share gets no lane


@dataclass(frozen=True)
class MapSheet:
    """One sheet of a map. `first` is the integer of the first hex of its grid.

    Sheets of one `field` are one field of hexes: across their seams hexes are adjacent and distances count.
    `spot` is where the hex in column and row 0 of the grid is in the field. `drawn` says beside which sheet
    it is drawn, or below which: as the scenario wants it, where the sheets are not joined.
    """

    name: str
    grid: HexGrid
    first: int
    field: int
    spot: Spot = (0, 0)
    title: str = ""
    drawn: tuple[Literal["beside", "below"], str] | None = None

    @property
    def end(self) -> int:
        """Return the integer after that of its last hex."""
        return self.first + len(self.grid.table)

    @property
    def integers(self) -> range:
        """Return all integers of its grid, those of missing hexes included."""
        return range(self.first, self.end)


class Locations(NamedHexsides):
    """All locations of a map, and who is whose neighbour. It does not change.

    `boxes` and `areas` are what the map says of them, in order. `joined` are links: pairs of locations that
    are neighbours whether they share a hexside or not.
    """

    def __init__(
        self,
        sheets: Sequence[MapSheet],
        boxes: Sequence[Place] = (),
        areas: Sequence[Place] = (),
        joined: Iterable[tuple[int, int]] = (),
    ) -> None:
        self.sheets = tuple(sheets)
        self._starts = [sheet.first for sheet in self.sheets]
        self._end = self.sheets[-1].end if self.sheets else 0
        self._others = (*boxes, *areas)
        self.boxes, self.areas = range(self._end, self._end + len(boxes)), self._areas(len(boxes))
        self._by_id = {other.number: self._end + n for n, other in enumerate(self._others)}
        self.hexes: tuple[int, ...] = tuple(
            sheet.first + hex for sheet in self.sheets for hex in sheet.grid.hexes
        )
        self.locations: tuple[int, ...] = (*self.hexes, *self.boxes, *self.areas)
        self._joined = tuple(joined)

    def _areas(self, boxes: int) -> range:
        return range(self._end + boxes, self._end + len(self._others))

    def __len__(self) -> int:
        """Return how many locations there are."""
        return len(self.locations)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self.get(id) is not None

    @cached_property
    def lies(self) -> frozenset[int]:
        """Return the hexes that are on the map as a set, for loops over integers."""
        return frozenset(self.hexes)

    # Ids

    @property
    def grid(self) -> HexGrid:
        """Return the grid of a map of one sheet.

        Raises `ValueError` for others: use `sheets`, or the map itself.
        """
        if len(self.sheets) != 1:
            raise ValueError(Message("board.locations.map-sheets-not-one", count=len(self.sheets)))
        return self.sheets[0].grid

    def get(self, id: str) -> int | None:
        """Return the location with this id, or None."""
        for sheet in self.sheets:
            hex = sheet.grid.get(id)
            if hex is not None:
                return sheet.first + hex
        return self._by_id.get(id)

    def index(self, id: object) -> int:
        """Return the location with this id.

        Raises `UnknownLocation`, with a suggestion where possible.
        """
        location = self.get(id) if isinstance(id, str) else None
        if location is None:
            raise self._unknown(id)
        return location

    def number(self, i: int) -> str:
        """Return the id of a location: 20 -> "0305"."""
        return self.ids[i]

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Return the id of every integer from 0 on, missing hexes included."""
        printed = (number for sheet in self.sheets for number in sheet.grid.printed)
        return (*printed, *(other.number for other in self._others))

    def numbers(self, locations: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of several locations, in the order given."""
        return tuple(self.number(i) for i in locations)

    def kind(self, i: int) -> Kind:
        """Return the kind of a location."""
        return "hex" if i < self._end else "box" if i < self.areas.start else "area"

    def sheet(self, i: int) -> MapSheet | None:
        """Return the sheet of a hex, or None for boxes and areas."""
        return self._sheet(i) if i < self._end else None

    def entry(self, i: int) -> Place | None:
        """Return the map's entry for a box or an area, or None for a hex."""
        return self._others[i - self._end] if i >= self._end else None

    # Neighbours

    @cached_property
    def hex_table(self) -> Table:
        """Return the hexes that share a hexside with every location."""
        return self._sewn[0]

    @cached_property
    def table(self) -> Table:
        """Return the neighbours of every location: adjacent hexes, then the ends of links."""
        if not self._far:
            return self.hex_table
        rows = list(self.hex_table)
        for a, b in self._far:
            rows[a] = (*rows[a], b)
        return tuple(rows)

    def neighbours(self, i: int) -> tuple[int, ...]:
        """Return adjacent hexes in the order N NE SE S SW NW, then the ends of links, ascending."""
        return self.table[i]

    def beside(self, i: int) -> tuple[int, ...]:
        """Return the hexes that share a hexside with a hex, over seams too, in the order N NE SE S SW NW."""
        return self.hex_table[i]

    def adjacent(self, a: int, b: int) -> bool:
        """Return True if two hexes share a hexside."""
        return b in self.hex_table[a]

    def towards(self, hex: int, direction: Direction) -> int | None:
        """Return the next hex in a direction, or None at the edge of the map and for boxes and areas."""
        return next((near for near in self.hex_table[hex] if self.direction(hex, near) == direction), None)

    def direction(self, a: int, b: int) -> Direction | None:
        """Return the direction from a to its neighbour b, or None if they share no hexside.

        A board with pointy tops has the directions of its mirror image (`hexes`); `heading` has its own.
        """
        if not self.adjacent(a, b):
            return None
        here, there = self.spot(a), self.spot(b)
        return DIRECTIONS[STEPS.index((there[0] - here[0], there[1] - here[1]))]

    def heading(self, a: int, b: int) -> str | None:
        """Return where a neighbour is on the board, or None; with pointy tops E and W, and never N or
        S."""
        direction = self.direction(a, b)
        return COMPASS[direction] if direction is not None and self._sheet(a).grid.pointy else direction

    def pointy(self, hex: int) -> bool:
        """Return True if the sheet of a hex has pointy tops."""
        return self._sheet(hex).grid.pointy

    def spot(self, hex: int) -> Spot:
        """Return the spot of a hex in its field: its column, and half hexes to the south.

        With pointy tops: its row, and half hexes to the east.
        """
        sheet = self._sheet(hex)
        column, south = sheet.grid.spot(hex - sheet.first)
        return column + sheet.spot[0], south + sheet.spot[1]

    def distance(self, a: int, b: int) -> int | None:
        """Return the distance in hexes from a to b; holes do not count.

        None if that has no meaning: to or from a box or an area, between sheets that are not joined.
        """
        if a == b:
            return 0
        if max(a, b) >= self._end or self._sheet(a).field != self._sheet(b).field:
            return None
        return span(self.spot(a), self.spot(b))

    def within(self, hex: int, radius: int) -> tuple[int, ...]:
        """Return all hexes at most `radius` away, ascending, the hex included; of a box only itself."""
        home = self.sheet(hex)
        if home is None:
            return (hex,)
        column, south = self.spot(hex)
        hexes: list[int] = []
        for sheet in self.sheets:
            if sheet.field == home.field:
                own = column - sheet.spot[0], south - sheet.spot[1]
                hexes += [sheet.first + near for near in sheet.grid.around(own, radius)]
        return tuple(hexes)

    @cached_property
    def arrivals(self) -> dict[int, int]:
        """Return for each frequent difference `b - a` of neighbours all such b, as set bits of an integer.

        With them a search can step from very many locations at once; `jumps` are the other pairs.
        """
        bits: dict[int, int] = {}
        for sheet in self.sheets:
            for difference, targets in sheet.grid.arrivals.items():
                bits[difference] = bits.get(difference, 0) | targets << sheet.first
        for difference, pairs in self._loose.items():
            if difference in bits or len(pairs) > FEW:
                for _, b in pairs:
                    bits[difference] = bits.get(difference, 0) | 1 << b
        return bits

    @cached_property
    def jumps(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs (a, b) of neighbours that are not in `arrivals`, ascending."""
        return tuple(
            sorted(pair for gap, pairs in self._loose.items() if gap not in self.arrivals for pair in pairs)
        )

    @cached_property
    def _loose(self) -> dict[int, list[tuple[int, int]]]:
        """Return pairs of neighbours except those inside a sheet, by difference."""
        pairs: dict[int, list[tuple[int, int]]] = {}
        for a, b in (*self._sewn[1], *self._far):
            pairs.setdefault(b - a, []).append((a, b))
        return pairs

    # Inside

    def _sheet(self, hex: int) -> MapSheet:
        if len(self.sheets) == 1:
            return self.sheets[0]
        return self.sheets[bisect_right(self._starts, hex) - 1]

    @cached_property
    def _sewn(self) -> tuple[Table, list[tuple[int, int]]]:
        """Return the adjacent hexes of every location, and the pairs over the seams of joined sheets."""
        if len(self.sheets) == 1 and not self._others:
            return self.sheets[0].grid.table, []
        rows: list[tuple[int, ...]] = []
        for sheet in self.sheets:
            first, table = sheet.first, sheet.grid.table
            rows += [tuple([first + near for near in around]) for around in table] if first else table
        rows += [()] * len(self._others)
        seams: list[tuple[int, int]] = []
        fields = [sheet.field for sheet in self.sheets]
        for field in sorted(set(fields)):
            if fields.count(field) > 1:
                seams += self._sew(field, rows)
        return tuple(rows), seams

    def _sew(self, field: int, rows: list[tuple[int, ...]]) -> Iterator[tuple[int, int]]:
        """Add the neighbours on another sheet to the rows of border hexes; return these pairs."""
        spots: dict[Spot, int] = {}
        for sheet in self.sheets:
            if sheet.field == field:
                edge = [sheet.first + hex for hex in sheet.grid.hexes if len(sheet.grid.table[hex]) < 6]
                spots |= {self.spot(hex): hex for hex in edge}
        for (column, south), hex in spots.items():
            beside = [spots.get((column + across, south + along)) for across, along in STEPS]
            over = [near for near in beside if near is not None and near not in rows[hex]]
            if over:
                yield from ((hex, near) for near in over)
                near_ones = {self.spot(near): near for near in (*rows[hex], *over)}
                order = [near_ones.get((column + across, south + along)) for across, along in STEPS]
                rows[hex] = tuple(near for near in order if near is not None)

    @cached_property
    def _far(self) -> list[tuple[int, int]]:
        """Return the pairs of neighbours that only links make, in both directions, ascending."""
        pairs = {pair for pair in self._joined if not self.adjacent(*pair)}
        return sorted(pairs | {(b, a) for a, b in pairs})

    def _unknown(self, id: object) -> UnknownLocation:
        if len(self.sheets) == 1 and not self._others:
            try:
                self.sheets[0].grid.index(id)
            except UnknownLocation as unknown:
                return unknown
        if not isinstance(id, str):
            sample = self.number(self.locations[0]) if self.locations else ""
            return UnknownLocation(
                id, Message("board.locations.id-location-such", id=repr(id), sample=sample)
            )
        guesses = self._guesses(id)
        help = [Message("text.suggest.did-you-mean-bare", near=" or ".join(guesses))] if guesses else []
        return UnknownLocation(id, Message("board.locations.no-hex-box-area-map", id=repr(id)), help)

    def _guesses(self, id: str) -> list[str]:
        """Return what may have been meant by an unknown id."""
        near = did_you_mean(id, list(self._by_id))
        if near:
            return [near]
        guesses = (sheet.grid.guess(id) for sheet in self.sheets)
        likely = [guess for guess in guesses if guess is not None]
        own = [guess for guess in likely if guess[:1].isalpha() and id.startswith(guess[:1])]
        return own or likely


def pairs_of(links: Mapping[str, Mapping[int, Iterable[int]]]) -> list[tuple[int, int]]:
    """Return the pairs of locations that the links of any network join, each once."""
    pairs = {(min(a, b), max(a, b)) for joined in links.values() for a, ends in joined.items() for b in ends}
    return sorted(pairs)
