"""The way from strengths to a result: lines of strength, odds, column, shifts, die, modifiers, row.

    lines = [line(u.id, u.type, u.hex, u.sp, (Fraction(1, 2), "across a river")) for u in attackers]
    odds = Odds.of(total(lines), total(against)).whole()
    cell = world.crt.at(odds, die.total + net(leaders), shift=net(shifts))
    for outcome in cell.outcomes: ...

Everything is exact: fractions until the odds are made. Shifts and modifiers add up and are applied once; the
edges of the table are in its data. A `Working` goes into an event as it is: a report shows it and computes
nothing.

Rule of thumb: what changes a strength is a factor in its line, what moves the column is a shift, what changes
the die is a modifier; each has words and a rule number where the rules give them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pbem.model.codec import Name
from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Modifier:
    """A change to a die, or a shift of the column: why, by which rule, how much (right or up positive)."""

    name: str
    rule: str
    value: int


@dataclass(frozen=True)
class Line:
    """One unit in the sum: strength points, the factor and why, and the product. Fractions as text."""

    unit: Name
    type: str
    hex: str
    sp: int
    factor: str
    why: str
    strength: str


@dataclass(frozen=True)
class Working:
    """The working of a result.

    It has the `table`, the `odds` (or whatever its columns use), the column `entered` before the shifts and
    the `column` read, the modifiers of the die, the `row`, and the `result` as printed.

    A report shows it for an event that has it as its field `working`.
    """

    table: str
    odds: str
    entered: str
    column: str
    row: str
    result: str
    shifts: tuple[Modifier, ...] = ()
    modifiers: tuple[Modifier, ...] = ()


def line(unit: str, type: str, hex: str, sp: int, *factors: tuple[Fraction | int, str]) -> Line:
    """Return the line of a unit: its points times all factors, which have words; 1 without factors."""
    product = Fraction(1)
    for factor, _ in factors:
        product *= factor
    why = ", ".join(words for _, words in factors if words)
    return Line(unit, type, hex, sp, str(product), why, str(product * sp))


def total(lines: Iterable[Line]) -> Fraction:
    """Return the sum of some lines."""
    return sum((Fraction(line.strength) for line in lines), Fraction(0))


def chances_of(results: Sequence[str]) -> tuple[tuple[str, Fraction], ...]:
    """Return the distinct results, in order, each with its chance, for forecasts."""
    return tuple((game, Fraction(results.count(game), len(results))) for game in dict.fromkeys(results))


def sums_of(dice: str) -> tuple[tuple[int, Fraction], ...]:
    """Return every total of some dice (`2d6`, `d10`) with its chance, the least first, for forecasts."""
    number, _, faces = dice.partition("d")
    ways = {0: 1}
    for _ in range(int(number or 1)):
        more: dict[int, int] = {}
        for total_, count in ways.items():
            for face in range(1, int(faces) + 1):
                more[total_ + face] = more.get(total_ + face, 0) + count
        ways = more
    return tuple((total_, Fraction(count, sum(ways.values()))) for total_, count in sorted(ways.items()))


def net(modifiers: Iterable[Modifier], *, least: int | None = None, most: int | None = None) -> int:
    """Return the sum of all modifiers, within the limits that the rules set."""
    value = sum(modifier.value for modifier in modifiers)
    value = value if most is None else min(value, most)
    return value if least is None else max(value, least)
