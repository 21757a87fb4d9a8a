"""The hex grid of one sheet: numbers as printed, small integers inside, neighbours and distance.

Hexes are flat-topped, columns run north-south, and every other column is shifted half a hex. A hex number is
written column first ("0305" is column 3, row 5; "w0305" on a sheet with a prefix; "012045" on one of 100 and
more columns). Inside the program a hex is an integer; integers sort like their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

Direction = Literal["N", "NE", "SE", "S", "SW", "NW"]
DIRECTIONS: tuple[Direction, ...] = ("N", "NE", "SE", "S", "SW", "NW")
# from a hex to its neighbours N to NW: columns, and half hexes to the south
STEPS: tuple[tuple[int, int], ...] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
Spot = tuple[int, int]


class UnknownLocation(Refused):
    """An id that names no location of this map.

    `number` is the id.
    """

    code = "unknown-location"

    def __init__(self, number: object, message: str, help: Sequence[str] = ()) -> None:
        self.number = number
        super().__init__([Diagnostic(self.code, message, help=tuple(help))])


class UnknownHex(UnknownLocation):
    """A hex number that names no hex of this grid."""

    code = "unknown-hex"


def span(one: Spot, other: Spot) -> int:
    """Return the distance in hexes from spot to spot."""
    across = abs(one[0] - other[0])
    return across + max(0, (abs(one[1] - other[1]) - across) // 2)


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

    `shifted` columns (by their printed number) lie half a hex further where row numbers grow. `first` is the
    number of the first column and row. `rows_from` is the edge where rows begin to count: with "bottom" row 1
    is the southernmost. `separator` stands between column and row ("05.06"), `prefix` before them ("w0506").
    `without` lists hexes that the sheet has not: they are off map, no neighbour of anything, and unknown to
    `index`.

    A grid does not change. Its neighbour table is made once.
    """

    jumps: tuple[tuple[int, int], ...] = ()
    """Neighbours that `arrivals` has not: none on a single sheet."""

    def __init__(
        self,
        columns: int,
        rows: int,
        shifted: Literal["even", "odd"] = "even",
        first: int = 1,
        *,
        rows_from: Literal["top", "bottom"] = "top",
        separator: str = "",
        prefix: str = "",
        without: Iterable[str] = (),
    ) -> None:
        if columns < 1 or rows < 1 or first < 0:
            raise ValueError(
                Message("board.hexes.grid-needs-columns-rows-x", columns=columns, rows=rows, first=first)
            )
        if shifted not in ("even", "odd") or rows_from not in ("top", "bottom"):
            raise ValueError(
                Message(
                    "board.hexes.unknown-layout-shifted-rows-from",
                    shifted=repr(shifted),
                    rows_from=repr(rows_from),
                )
            )
        self.columns, self.rows, self.first = columns, rows, first
        self.shifted, self.rows_from, self.separator, self.prefix = shifted, rows_from, separator, prefix
        self.digits = max(2, len(str(first + max(columns, rows) - 1)))
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
        columns, rows = (
            [f"{n:0{self.digits}}" for n in range(self.first, self.first + count)]
            for count in (self.columns, self.rows)
        )
        return tuple(f"{self.prefix}{c}{self.separator}{r}" for c in columns for r in rows)

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
        digits, before = self.digits, len(self.prefix)
        row_at = before + digits + len(self.separator)
        column, row = number[before : before + digits], number[row_at:]
        if len(row) != digits or number[before + digits : row_at] != self.separator:
            return None
        if not (number.isascii() and column.isdigit() and row.isdigit() and number.startswith(self.prefix)):
            return None
        return int(column), int(row)

    def reads_like(self, other: HexGrid) -> bool:
        """Return True if a number of one grid can also be read as a number of the other."""
        mine, others = ((one.prefix, one.digits, one.separator) for one in (self, other))
        return mine == others

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
        column, row = divmod(hex, self.rows)
        return column + self.first, row + self.first

    def at(self, column: int, row: int) -> int | None:
        """Return the hex in a column and row (as printed), or None off the map."""
        return self._at(column - self.first, row - self.first)

    # Geometry

    def is_shifted(self, column: int) -> bool:
        """Return True if this column (printed number) is half a hex further along."""
        return column % 2 == self._parity

    def offsets(self, column: int) -> tuple[tuple[int, int], ...]:
        """Return the columns and rows from a hex of this column (printed number) to its neighbours N to
        NW."""
        north = -1 if self.rows_from == "top" else 1
        beside = (0, 1) if self.is_shifted(column) else (-1, 0)
        upper, lower = beside if north < 0 else beside[::-1]
        return (0, north), (1, upper), (1, lower), (0, -north), (-1, lower), (-1, upper)

    def neighbours(self, hex: int) -> tuple[int, ...]:
        """Return the adjacent hexes that are on the map, in the order N NE SE S SW NW."""
        return self.table[hex]

    def adjacent(self, a: int, b: int) -> bool:
        """Return True if the two hexes share a hexside."""
        return b in self.table[a]

    def towards(self, hex: int, direction: Direction) -> int | None:
        """Return the next hex in a direction, or None at the edge of the map."""
        column, row = divmod(hex, self.rows)
        across, along = self.offsets(column + self.first)[DIRECTIONS.index(direction)]
        return self._at(column + across, row + along)

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
        """Return the spot of a hex: its column, counted from 0, and half hexes to the south."""
        column, row = divmod(hex, self.rows)
        height = self._height(column, row)
        return column, height if self.rows_from == "top" else -height

    def spot_of(self, column: int, row: int) -> Spot:
        """Return the spot of a column and row as printed, on the sheet or beyond its edges."""
        column, row = column - self.first, row - self.first
        height = self._height(column, row)
        return column, height if self.rows_from == "top" else -height

    def within(self, hex: int, radius: int) -> tuple[int, ...]:
        """Return all hexes at most `radius` away, ascending, the hex itself included."""
        return self.around(self.spot(hex), radius)

    def around(self, spot: Spot, radius: int) -> tuple[int, ...]:
        """Return the hexes at most `radius` away from a spot, which may be beyond the edges of the sheet."""
        column, south = spot
        height = south if self.rows_from == "top" else -south
        hexes: list[int] = []
        for other in range(max(0, column - radius), min(self.columns - 1, column + radius) + 1):
            reach = 2 * radius - abs(other - column)
            shift = self._height(other, 0)
            # rows whose height lies within `reach` half hexes
            low, high = -((reach - height + shift) // 2), (height + reach - shift) // 2
            begin = other * self.rows
            hexes.extend(range(begin + max(0, low), begin + min(self.rows - 1, high) + 1))
        return tuple(i for i in hexes if i not in self._missing) if self._missing else tuple(hexes)

    @cached_property
    def arrivals(self) -> dict[int, int]:
        """Return for each difference `b - a` of neighbours all such b, as the set bits of one integer.

        There are at most eight differences. With them a search can step from very many hexes at once.
        """
        found: dict[int, int] = {}
        for column in range(self.columns):
            for across, along in self.offsets(column + self.first):
                first, last = max(0, -along), min(self.rows, self.rows - along)  # clip the rows to start from
                if 0 <= column + across < self.columns and first < last:
                    difference = across * self.rows + along
                    block = ((1 << (last - first)) - 1) << (column * self.rows + first + difference)
                    found[difference] = found.get(difference, 0) | block
        holes = sum(1 << hex for hex in sorted(self._missing))
        for difference, targets in found.items():
            beyond_holes = holes << difference if difference > 0 else holes >> -difference
            found[difference] = targets & ~(holes | beyond_holes)
        return found

    # Inside

    def _at(self, column: int, row: int) -> int | None:
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return None
        hex = column * self.rows + row
        return None if hex in self._missing else hex

    def _height(self, column: int, row: int) -> int:
        """Return the half hexes from the edge where rows begin."""
        return 2 * row + self.is_shifted(column + self.first)

    def _neighbour_table(self) -> tuple[tuple[int, ...], ...]:
        rows, columns, missing = self.rows, self.columns, self._missing
        table: list[tuple[int, ...]] = []
        for column in range(columns):
            # a step is (rows along, distance in integers)
            steps = [
                (r, c * rows + r) for c, r in self.offsets(column + self.first) if 0 <= column + c < columns
            ]
            begin = column * rows
            for row in range(rows):
                hex = begin + row
                if 0 < row < rows - 1:
                    around = tuple([hex + far for _, far in steps])
                else:
                    around = tuple([hex + far for along, far in steps if 0 <= row + along < rows])
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
        wide = self.digits
        last_column, last_row = self.first + self.columns - 1, self.first + self.rows - 1
        columns = f"{self.first:0{wide}}-{last_column:0{wide}}"
        rows = f"{self.first:0{wide}}-{last_row:0{wide}}"
        return UnknownHex(
            number,
            Message("board.hexes.no-hex-map-columns-rows", number=repr(number), columns=columns, rows=rows),
            help,
        )

    def guess(self, text: str) -> str | None:
        """Return the hex meant by a number without its zero or separator, or None if that is unclear."""
        groups = "".join(c if c.isascii() and c.isdigit() else " " for c in text).split()
        if len(groups) == 1 and 3 <= len(groups[0]) <= 2 * self.digits:
            half = (len(groups[0]) + 1) // 2
            padded = groups[0].rjust(2 * half, "0")
            groups = [padded[:half], padded[half:]]
        if len(groups) != 2 or max(map(len, groups)) > self.digits:
            return None
        hex = self.at(int(groups[0]), int(groups[1]))
        return None if hex is None else self.number(hex)


def _bad_hexside(message: str) -> Diagnostic:
    return Diagnostic("bad-hexside", message)
