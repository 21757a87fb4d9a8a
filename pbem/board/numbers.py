"""The numbers of hexes as a board prints them: which part comes first, its first number, its form."""

from __future__ import annotations

import re
from functools import cached_property
from string import ascii_uppercase
from typing import Literal

from pbem.text.dataclass import dataclass

Digits = int | Literal["letters", "double"]
"""The writing of an axis: at least so many digits, or letters. AA is followed by AB, or by BB ("double")."""
MOST_DIGITS = 3


@dataclass(frozen=True)
class Count:
    """The count of the columns or rows of a sheet: the first number, and how each is written.

    With letters 1 is A. The axis counts from the left or top, or (`back`) from the right or bottom.
    """

    first: int = 1
    digits: Digits = 2
    back: bool = False

    def text(self, number: int) -> str:
        """Return a number as it is printed: 3 is "03", "3" or "C"."""
        if isinstance(self.digits, int):
            return f"{number:0{self.digits}}"
        if self.digits == "double":
            return ascii_uppercase[(number - 1) % 26] * ((number - 1) // 26 + 1)
        letters = ""
        while number > 0:
            number, last = divmod(number - 1, 26)
            letters = ascii_uppercase[last] + letters
        return letters

    def shown(self, number: int) -> str:
        """Return a number as a sentence has it: without leading zeros."""
        return str(number) if isinstance(self.digits, int) or number < 1 else self.text(number)

    def value(self, text: str) -> int | None:
        """Return the number of a text in this form, or None."""
        if isinstance(self.digits, int):
            return int(text) if text.isascii() and text.isdigit() else None
        if not text or not set(text) <= set(ascii_uppercase):
            return None
        if self.digits == "double":
            return 26 * (len(text) - 1) + ascii_uppercase.index(text[0]) + 1 if len(set(text)) == 1 else None
        number = 0
        for letter in text:
            number = 26 * number + ascii_uppercase.index(letter) + 1
        return number

    def texts(self, count: int) -> list[str]:
        """Return the texts of the first so many numbers."""
        return [self.text(n) for n in range(self.first, self.first + count)]

    @property
    def pattern(self) -> str:
        """Return the regular expression of its texts."""
        return f"[0-9]{{{self.digits},{MOST_DIGITS}}}" if isinstance(self.digits, int) else "[A-Z]{1,8}"


@dataclass(frozen=True)
class Numbering:
    """The form of the numbers of a sheet: "0305", "w03.05", "A12", "1203" with the row first."""

    columns: Count
    rows: Count
    order: Literal["column", "row"] = "column"
    separator: str = ""
    prefix: str = ""

    def write(self, column: str, row: str) -> str:
        """Return the number of a hex from the texts of its column and row."""
        parts = (column, row) if self.order == "column" else (row, column)
        return f"{self.prefix}{self.separator.join(parts)}"

    def read(self, number: str) -> tuple[int, int] | None:
        """Return column and row of a text in this form, on the sheet or not."""
        match = self._form.fullmatch(number)
        if match is None:
            return None
        first, second = match.groups()
        column, row = (first, second) if self.order == "column" else (second, first)
        values = self.columns.value(column), self.rows.value(row)
        return None if values[0] is None or values[1] is None else (values[0], values[1])

    @property
    def alike(self) -> bool:
        """Return True if columns and rows are both digits, or both letters."""
        return isinstance(self.columns.digits, int) == isinstance(self.rows.digits, int)

    def groups(self, text: str) -> tuple[str, str] | None:
        """Return the two parts of a number that is not quite in this form, or None."""
        axes = (self.columns, self.rows) if self.order == "column" else (self.rows, self.columns)
        first, second = (axis.digits for axis in axes)
        if not isinstance(first, int) or not isinstance(second, int):
            bare = text[len(self.prefix) :] if text.lower().startswith(self.prefix.lower()) else text
            groups = re.findall("[A-Z]+|[0-9]+", bare.upper())
            return (groups[0], groups[1]) if len(groups) == 2 else None
        groups = re.findall("[0-9]+", text)
        if len(groups) == 1 and 3 <= len(groups[0]) <= first + second:
            along = (len(groups[0]) + 1) // 2 if first == second else second
            groups = [groups[0][:-along], groups[0][-along:]]
        if len(groups) != 2 or len(groups[0]) > first or len(groups[1]) > second:
            return None
        return groups[0], groups[1]

    @cached_property
    def _form(self) -> re.Pattern[str]:
        axes = (self.columns, self.rows) if self.order == "column" else (self.rows, self.columns)
        first, second = (axis.pattern for axis in axes)
        if not self.separator and all(isinstance(axis.digits, int) for axis in axes):
            # without anything between them both have all their digits, or nobody could tell them apart
            first, second = (f"[0-9]{{{axis.digits}}}" for axis in axes)
        return re.compile(f"{re.escape(self.prefix)}({first}){re.escape(self.separator)}({second})")

    def fits(self, columns: int, rows: int) -> bool:
        """Return True if a sheet of this size has a number of its own for each hex."""
        axes = ((self.columns, columns), (self.rows, rows))
        if any(axis.first < 1 and not isinstance(axis.digits, int) for axis, _ in axes):
            return False
        if all(axis.digits in ("letters", "double") for axis, _ in axes):
            return bool(self.separator)
        if self.separator or any(not isinstance(axis.digits, int) for axis, _ in axes):
            return True
        return all(len(axis.text(axis.first + count - 1)) == axis.digits for axis, count in axes)
