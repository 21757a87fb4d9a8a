"""The hex grid of one sheet: numbers as printed, small integers inside, neighbours and distance.

Hexes touch in *lines*, and every other line is shifted half a hex. With flat tops, lines are columns from
north to south; with pointy tops, rows from west to east. Geometry knows lines alone: a board with pointy tops
is computed as its mirror image with flat tops, columns and rows exchanged. `COMPASS` has the names of
directions on the board itself.

A hex number is usually written column first ("0305" is column 3, row 5; "w0305" on a sheet with a prefix;
"012045" on one of 100 and more columns); `numbers` has the other ways. Inside the program a hex is an
integer; integers sort by line, then along it, as both are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from pbem.board.numbers import Count, Digits, Numbering
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

Direction = Literal["N", "NE", "SE", "S", "SW", "NW"]
DIRECTIONS: tuple[Direction, ...] = ("N", "NE", "SE", "S", "SW", "NW")
# from a hex to its neighbours N to NW: columns, and half hexes to the south
STEPS: tuple[tuple[int, int], ...] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
COMPASS: dict[Direction, str] = {"N": "W", "NE": "SW", "SE": "SE", "S": "E", "SW": "NE", "NW": "NW"}
"""The step in each direction on a board with pointy tops."""
Spot = tuple[int, int]


class UnknownLocation(Refused):
    """An id that names no location of this map.

    `number` is the id.
    """

    code = "unknown-location"

    def __init__(self, number: object, message: Message, help: Sequence[str] = ()) -> None:
        self.number = number
        super().__init__([Diagnostic(self.code, message, help=tuple(help))])


class UnknownHex(UnknownLocation):
    """A hex number that names no hex of this grid."""

    code = "unknown-hex"


def span(spot: Spot, other: Spot) -> int:
    """Return the distance in hexes from spot to spot."""
    across = abs(spot[0] - other[0])
    return across + max(0, (abs(spot[1] - other[1]) - across) // 2)


class NamedHexsides:
    """The names of hexsides: "0406/0507", lower number first."""

    def number(self, hex: int) -> str:
        raise NotImplementedError

    def index(self, number: str) -> int:
        raise NotImplementedError

    def adjacent(self, a: int, b: int) -> bool:
        raise NotImplementedError

    def hexside(self, a: int, b: int) -> str:
        """Return the name of the side between adjacent hexes."""
        if not self.adjacent(a, b):
            raise ValueError(
                Message("board.hexes.no-hexside-in-common", number=self.number(a), number_2=self.number(b))
            )
        return f"{self.number(min(a, b))}/{self.number(max(a, b))}"

    def hexside_hexes(self, name: str) -> tuple[int, int]:
        """Return the two hexes of a hexside, lower first.

        Raises `UnknownLocation`, or `Refused` if not adjacent.
        """
        first, slash, second = name.partition("/")
        if not slash:
            raise Refused([_bad_hexside(Message("board.hexes.two-hexes-such-0406-0507", name=repr(name)))])
        low, high = sorted((self.index(first), self.index(second)))
        if not self.adjacent(low, high):
            raise Refused([_bad_hexside(Message("board.hexes.not-adjacent", first=first, second=second))])
        return low, high


class HexGrid(NamedHexsides):
    """A sheet of `columns` x `rows` hexes.

    `tops` are flat or pointy. `shifted` columns (with pointy tops: rows) by their printed number lie half a
    hex further where numbers along them grow. `first` is the number of the first column and row, or a pair.
    `rows_from` and `columns_from` are the edges where they begin to count: with "bottom" row 1 is the
    southernmost. `digits` says how they are written, one word for both or a pair, `order` which comes first.
    `separator` is between column and row ("05.06"), `prefix` before them ("w0506"). `without` lists hexes
    that the sheet lacks: they are off map, unknown to `index`, and no neighbour of anything.

    A grid does not change. Its neighbour table is made once.
    """

    jumps: tuple[tuple[int, int], ...] = ()
    """Neighbours that `arrivals` has not: none on a single sheet."""

    def __init__(
        self,
        columns: int,
        rows: int,
        shifted: Literal["even", "odd"] = "even",
        first: int | tuple[int, int] = 1,
        *,
        tops: Literal["flat", "pointy"] = "flat",
        rows_from: Literal["top", "bottom"] = "top",
        columns_from: Literal["left", "right"] = "left",
        digits: Digits | tuple[Digits, Digits] | None = None,
        order: Literal["column", "row"] = "column",
        separator: str = "",
        prefix: str = "",
        without: Iterable[str] = (),
    ) -> None:
        self.first_column, self.first_row = first if isinstance(first, tuple) else (first, first)
        if columns < 1 or rows < 1 or min(self.first_column, self.first_row) < 0:
            raise ValueError(
                Message("board.hexes.grid-needs-columns-rows-x", columns=columns, rows=rows, first=first)
            )
        for value, known in (
            (shifted, ("even", "odd")),
            (tops, ("flat", "pointy")),
            (rows_from, ("top", "bottom")),
            (columns_from, ("left", "right")),
            (order, ("column", "row")),
        ):
            if value not in known:
                raise ValueError(Message("board.hexes.unknown-layout", value=repr(value), known=known))
        if digits is None:
            digits = max(2, len(str(max(self.first_column + columns, self.first_row + rows) - 1)))
        wide, high = digits if isinstance(digits, tuple) else (digits, digits)
        self.numbering = Numbering(
            Count(self.first_column, wide, columns_from == "right"),
            Count(self.first_row, high, rows_from == "bottom"),
            order,
            separator,
            prefix,
        )
        if not self.numbering.fits(columns, rows):
            raise ValueError(Message("board.hexes.numbers-run-together"))
        self.columns, self.rows, self.shifted, self.pointy = columns, rows, shifted, tops == "pointy"
        self._lines, self._long = self._as_lines(columns, rows)
        self._first = self._as_lines(self.first_column, self.first_row)
        self._across, self._along = self._as_lines(
            -1 if columns_from == "right" else 1, -1 if rows_from == "bottom" else 1
        )
        self._parity = 0 if shifted == "even" else 1
        self._missing: frozenset[int] = frozenset()
        self._missing = frozenset([self.index(number) for number in without])
        for hex in sorted(self._missing):
            del self._hex_of[self.printed[hex]]
        self.hexes: tuple[int, ...] = tuple(i for i in range(columns * rows) if i not in self._missing)
        self.table: tuple[tuple[int, ...], ...] = self._neighbour_table()

    def __len__(self) -> int:
        """Return how many hexes are on the map."""
        return len(self.hexes)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, str) and self.get(number) is not None

    # Numbers

    def number(self, hex: int) -> str:
        """Return the printed number of a hex: 20 -> "0305"."""
        return self.printed[hex]

    @cached_property
    def printed(self) -> tuple[str, ...]:
        """Return the printed number of every hex of the grid, missing ones included."""
        columns = self.numbering.columns.texts(self.columns)
        rows = self.numbering.rows.texts(self.rows)
        if self.pointy:
            return tuple(self.numbering.write(c, r) for r in rows for c in columns)
        return tuple(self.numbering.write(c, r) for c in columns for r in rows)

    def numbers(self, hexes: Iterable[int]) -> tuple[str, ...]:
        """Return the printed numbers of several hexes, in the order given."""
        return tuple(self.number(hex) for hex in hexes)

    def get(self, number: str) -> int | None:
        """Return the hex of a number, or None if no hex of this map has it."""
        return self._hex_of.get(number)

    @cached_property
    def _hex_of(self) -> dict[str, int]:
        return {number: hex for hex, number in enumerate(self.printed)}

    def read(self, number: str) -> tuple[int, int] | None:
        """Return column and row of a text in the form of this sheet's numbers.

        The sheet need not have such a hex.
        """
        return self.numbering.read(number)

    def index(self, number: object) -> int:
        """Return the hex of a number.

        Raises `UnknownHex`, with a suggestion where possible.
        """
        hex = self.get(number) if isinstance(number, str) else None
        if hex is None:
            raise self._unknown(number)
        return hex

    def column_row(self, hex: int) -> tuple[int, int]:
        """Return column and row as printed."""
        line, place = divmod(hex, self._long)
        return self._as_lines(line + self._first[0], place + self._first[1])

    def line(self, hex: int) -> int:
        """Return the printed number of the column that a hex is in; with pointy tops, of its row."""
        return hex // self._long + self._first[0]

    def at(self, column: int, row: int) -> int | None:
        """Return the hex in a column and row (as printed), or None off the map."""
        line, place = self._as_lines(column, row)
        return self._at(line - self._first[0], place - self._first[1])

    # Geometry

    def is_shifted(self, line: int) -> bool:
        """Return True if this column or row (printed number) is half a hex further along."""
        return line % 2 == self._parity

    def offsets(self, line: int) -> tuple[tuple[int, int], ...]:
        """Return the steps from a hex of this line (printed number) to its neighbours N to NW.

        A step is so many lines across, and so many places along them.
        """
        across, along = self._across, self._along
        beside = (0, 1) if self.is_shifted(line) else (-1, 0)
        upper, lower = beside[::along]
        return (0, -along), (across, upper), (across, lower), (0, along), (-across, lower), (-across, upper)

    def neighbours(self, hex: int) -> tuple[int, ...]:
        """Return the adjacent hexes that are on the map, in the order N NE SE S SW NW."""
        return self.table[hex]

    def adjacent(self, a: int, b: int) -> bool:
        """Return True if the two hexes share a hexside."""
        return b in self.table[a]

    def towards(self, hex: int, direction: Direction) -> int | None:
        """Return the next hex in a direction, or None at the edge of the map."""
        line, place = divmod(hex, self._long)
        across, along = self.offsets(line + self._first[0])[DIRECTIONS.index(direction)]
        return self._at(line + across, place + along)

    def direction(self, a: int, b: int) -> Direction | None:
        """Return the direction from a to its neighbour b, or None if they are not adjacent."""
        for direction in DIRECTIONS:
            if self.towards(a, direction) == b:
                return direction
        return None

    def distance(self, a: int, b: int) -> int:
        """Return the distance in hexes from a to b; holes do not count."""
        return span(self.spot(a), self.spot(b))

    def spot(self, hex: int) -> Spot:
        """Return the spot of a hex: lines to the east of the first one, and half hexes to the south.

        With pointy tops: lines to the south, and half hexes to the east.
        """
        return self._spot(*divmod(hex, self._long))

    def spot_of(self, column: int, row: int) -> Spot:
        """Return the spot of a column and row as printed, on the sheet or beyond its edges."""
        line, place = self._as_lines(column, row)
        return self._spot(line - self._first[0], place - self._first[1])

    @property
    def ends(self) -> tuple[Spot, Spot]:
        """Return the least and the greatest spot of the sheet."""
        spots = [
            self._spot(line, place)
            for line in (0, min(1, self._lines - 1), self._lines - 1)
            for place in (0, self._long - 1)
        ]
        lines, places = zip(*spots, strict=True)
        return (min(lines), min(places)), (max(lines), max(places))

    def within(self, hex: int, radius: int) -> tuple[int, ...]:
        """Return all hexes at most `radius` away, ascending, the hex itself included."""
        return self.around(self.spot(hex), radius)

    def around(self, spot: Spot, radius: int) -> tuple[int, ...]:
        """Return the hexes at most `radius` away from a spot, which may be beyond the edges of the sheet."""
        line, height = spot[0] * self._across, spot[1] * self._along
        hexes: list[int] = []
        for other in range(max(0, line - radius), min(self._lines - 1, line + radius) + 1):
            reach = 2 * radius - abs(other - line)
            shift = self._height(other, 0)
            # places whose height lies within `reach` half hexes
            low, high = -((reach - height + shift) // 2), (height + reach - shift) // 2
            begin = other * self._long
            hexes.extend(range(begin + max(0, low), begin + min(self._long - 1, high) + 1))
        return tuple(i for i in hexes if i not in self._missing) if self._missing else tuple(hexes)

    @cached_property
    def arrivals(self) -> dict[int, int]:
        """Return for each difference `b - a` of neighbours all such b, as the set bits of one integer.

        There are at most eight differences. With them a search can step from very many hexes at once.
        """
        bits: dict[int, int] = {}
        long = self._long
        for line in range(self._lines):
            for across, along in self.offsets(line + self._first[0]):
                first, last = max(0, -along), min(long, long - along)  # clip the places to start from
                if 0 <= line + across < self._lines and first < last:
                    difference = across * long + along
                    block = ((1 << (last - first)) - 1) << (line * long + first + difference)
                    bits[difference] = bits.get(difference, 0) | block
        holes = sum(1 << hex for hex in sorted(self._missing))
        for difference, targets in bits.items():
            beyond_holes = holes << difference if difference > 0 else holes >> -difference
            bits[difference] = targets & ~(holes | beyond_holes)
        return bits

    # Inside

    def _as_lines(self, column: int, row: int) -> tuple[int, int]:
        """Return two values for columns and rows as two for lines and places along them, or back."""
        return (row, column) if self.pointy else (column, row)

    def _at(self, line: int, place: int) -> int | None:
        if not (0 <= line < self._lines and 0 <= place < self._long):
            return None
        hex = line * self._long + place
        return None if hex in self._missing else hex

    def _spot(self, line: int, place: int) -> Spot:
        return line * self._across, self._height(line, place) * self._along

    def _height(self, line: int, place: int) -> int:
        """Return the half hexes from the edge where places begin."""
        return 2 * place + self.is_shifted(line + self._first[0])

    def _neighbour_table(self) -> tuple[tuple[int, ...], ...]:
        long, missing = self._long, self._missing
        table: list[tuple[int, ...]] = []
        for line in range(self._lines):
            # a step is (places along, distance in integers)
            steps = [
                (along, across * long + along)
                for across, along in self.offsets(line + self._first[0])
                if 0 <= line + across < self._lines
            ]
            begin = line * long
            for place in range(long):
                hex = begin + place
                if 0 < place < long - 1:
                    around = tuple([hex + far for _, far in steps])
                else:
                    around = tuple([hex + far for along, far in steps if 0 <= place + along < long])
                if missing:
                    around = () if hex in missing else tuple(i for i in around if i not in missing)
                table.append(around)
        return tuple(table)

    def _unknown(self, number: object) -> UnknownHex:
        sample = self.number(self.hexes[0]) if self.hexes else ""
        if not isinstance(number, str):
            guess = self.guess(str(number)) if isinstance(number, int) else None
            help = [Message("board.hexes.write-in-quotes", guess=guess)] if guess else []
            return UnknownHex(
                number, Message("board.hexes.hex-number-such", number=repr(number), sample=sample), help
            )
        help = (
            [Message("text.suggest.did-you-mean-bare", near=guess)] if (guess := self.guess(number)) else []
        )
        columns, rows = (
            f"{axis.text(axis.first)}-{axis.text(axis.first + count - 1)}"
            for axis, count in ((self.numbering.columns, self.columns), (self.numbering.rows, self.rows))
        )
        return UnknownHex(
            number,
            Message("board.hexes.no-hex-map-columns-rows", number=repr(number), columns=columns, rows=rows),
            help,
        )

    def guess(self, text: str) -> str | None:
        """Return the hex meant by a number that is not quite in this form, or None if unclear.

        Zeros or the separator may be missing, letters may be small, or column and row be exchanged.
        """
        groups = self.numbering.groups(text)
        for first, other in (groups, groups[::-1]) if groups else ():
            column, row = (first, other) if self.numbering.order == "column" else (other, first)
            x, y = self.numbering.columns.value(column), self.numbering.rows.value(row)
            hex = self.at(x, y) if x is not None and y is not None else None
            if hex is not None:
                return self.number(hex)
            if self.numbering.alike:
                break  # nobody can tell which of two such parts is which
        return None


def _bad_hexside(message: Message) -> Diagnostic:
    return Diagnostic("bad-hexside", message)
