"""What the two sides of a battle are worth (4.8.2, 4.8.5): strength points times factors, in exact
fractions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pbem.rules import Name, Place

from ..pieces import Board, Unit, entrenchment_age, unit, world_of
from ..zones import fort_of

ONE = Fraction(1)
ENDLESS = 10**9  # the ratio against a defence of nothing, where a number is wanted
IN_WORKS = ("infantry", "militia", "cavalry", "garrison")


@dataclass(frozen=True)
class Line:
    """One unit in the sum: its points, the factor and why, and the product. Fractions as text."""

    unit: Name
    type: str
    hex: Place
    sp: int
    factor: str
    why: str
    strength: str


def total(lines: Sequence[Line]) -> Fraction:
    """The sum of some lines."""
    return sum((Fraction(line.strength) for line in lines), Fraction(0))


def face(units: Sequence[Unit]) -> int:
    """Strength points as printed on the counters, without factors."""
    return sum(each.sp for each in units)


def _line(each: Unit, factor: Fraction, why: str) -> Line:
    return Line(each.id, each.row.name, each.hex, each.sp, str(factor), why, str(factor * each.sp))


def attack_lines(board: Board, units: Sequence[Unit], target: str) -> list[Line]:
    """4.8.2: half over a river, bridge or ferry or not."""
    world = world_of(board)
    river = world.tables.works["river_attack"].strength
    return [
        _line(each, river, "across a river")
        if not each.is_naval and world.river_like(each.hex, target)
        else _line(each, ONE, "")
        for each in units
    ]


def works_in(board: Board, hex: str, side: str) -> str | None:
    """`entrench_1` or `entrench_2` where a side has entrenchments that count in a hex, else None (4.4.6)."""
    age = entrenchment_age(board, hex, side)
    numbers = world_of(board).tables.numbers
    if age is None or age < numbers["exempt_entrenchment_age"]:
        return None
    return "entrench_2" if age >= numbers["entrench_2_age"] else "entrench_1"


def work_of(board: Board, each: Unit, inside: Collection[str]) -> str | None:
    """The line of table 5.2 that holds for a defender: at most one does (4.8.5)."""
    if each.is_naval:
        return None
    if each.entrained:
        return "entrained"
    fort = fort_of(board, each.hex, each.side)
    if fort is not None and each.id in inside:
        return fort.kind
    if each.type in IN_WORKS:
        return works_in(board, each.hex, each.side)
    return None


WORDS = {
    "fort": "inside the fort",
    "fortress": "inside the fortress",
    "entrench_1": "entrenched, 1GT",
    "entrench_2": "entrenched, 2GT",
    "entrained": "entrained",
}


def defence_lines(board: Board, units: Sequence[Unit], inside: Collection[str]) -> list[Line]:
    """4.8.5: works, trains, and the factors that a GM has filled in (R-1)."""
    tables = world_of(board).tables
    lines: list[Line] = []
    for each in units:
        work = work_of(board, each, inside)
        factor = tables.works[work].strength if work else ONE
        words = [WORDS[work]] if work else []
        if work != "entrained" and not each.is_naval:
            more, because = _extra(board, each)
            factor, words = factor * more, words + because
        lines.append(_line(each, factor, ", ".join(words)))
    return lines


def _extra(board: Board, each: Unit) -> tuple[Fraction, list[str]]:
    """The product of the extra factors that apply: type of the unit, terrain and settlement of its hex."""
    world = world_of(board)
    place = world.settlements.get(each.hex)
    factor, words = ONE, []
    for name in (each.type, world.terrain[each.hex], *([place.kind] if place else [])):
        if name in world.tables.extra_defence_factors:
            factor *= world.tables.extra_defence_factors[name]
            words.append(name)
    return factor, words


def attacker_loss_factor(board: Board, units: Sequence[Unit], inside: Collection[str]) -> int:
    """What the attacker's losses are multiplied with: at least one point is in such works (4.8.5, fort2)."""
    works = world_of(board).tables.works
    found = [work_of(board, each, inside) for each in units if each.sp >= 1]
    return max((works[work].attacker_loss for work in found if work), default=1)


def percent(attack: Fraction, defence: Fraction) -> int | None:
    """100 x A / D rounded down; None for a defence of nothing."""
    return int(100 * attack // defence) if defence else None


def face_ratio(board: Board, attackers: Sequence[str], defenders: Sequence[Unit]) -> int | None:
    """The ratio of the strengths printed on the counters, in per cent: for conditions of a list of
    battles.
    """
    against = face(defenders)
    return 100 * face([unit(board, id) for id in attackers]) // against if against else None


# inside a fort


def default_inside(board: Board, hex: str, side: str, present: Sequence[Unit]) -> tuple[str, ...]:
    """Garrison, infantry and militia by falling strength, cavalry, logistic units, each if it fits (R-17)."""
    fort = fort_of(board, hex, side)
    if fort is None:
        return ()
    room = world_of(board).tables.works[fort.kind].capacity
    order = {"garrison": 0, "infantry": 1, "militia": 1, "cavalry": 2}
    able = [each for each in present if not each.entrained and not each.is_hq and each.is_land]
    found: list[str] = []
    for each in sorted(able, key=lambda u: (order.get(u.type, 3), -u.sp, u.id)):
        if each.sp <= room:
            found.append(each.id)
            room -= each.sp
    return tuple(found)
