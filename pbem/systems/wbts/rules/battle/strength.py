"""The strengths of both sides of a battle (4.8.2, 4.8.5): points times factors, in exact fractions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction

from pbem.kit.odds import Line, line
from pbem.rules import Message

from ..pieces import Board, Unit, works_at, world_of
from ..zones import fort_of

ENDLESS = 10**9  # the ratio against a defence of nothing, where a number is wanted
IN_WORKS = ("infantry", "militia", "cavalry", "garrison")
WORDS = {
    "fort": "wbts.strength.inside-fort",
    "fortress": "wbts.strength.inside-fortress",
    "entrench_1": "wbts.strength.entrenched-1gt",
    "entrench_2": "wbts.strength.entrenched-2gt",
    "entrained": "wbts.strength.entrained",
}


def attack_lines(board: Board, units: Iterable[Unit], target: str) -> list[Line]:
    """4.8.2: Return the attackers' lines: half over a river, even over a bridge or ferry."""
    world = world_of(board)
    half = (world.tables.works["river_attack"].strength, Message("wbts.strength.across-river"))
    return [
        _line(each, [half] if not each.is_naval and world.river_like(each.hex, target) else [])
        for each in units
    ]


def defence_lines(board: Board, units: Iterable[Unit], inside: Collection[str]) -> list[Line]:
    """4.8.5: Return the defenders' lines: works, trains, and factors filled in by a GM (R-1)."""
    tables = world_of(board).tables
    lines: list[Line] = []
    for each in units:
        work = work_of(board, each, inside)
        factors: list[tuple[Fraction, str]] = (
            [(tables.works[work].strength, Message(WORDS[work]))] if work else []
        )
        if work != "entrained" and not each.is_naval:
            factors += _extra(board, each)
        lines.append(_line(each, factors))
    return lines


def _line(each: Unit, factors: Iterable[tuple[Fraction, str]]) -> Line:
    return line(each.id, each.row.name, each.hex, each.sp, *factors)


def _extra(board: Board, each: Unit) -> Iterator[tuple[Fraction, str]]:
    """Yield the extra factors that apply: type of the unit, terrain and settlement of its hex."""
    world = world_of(board)
    place = world.settlements.get(each.hex)
    for name in (each.type, world.terrain[each.hex], *([place.kind] if place else [])):
        if name in world.tables.extra_defence_factors:
            yield world.tables.extra_defence_factors[name], name


def work_of(board: Board, each: Unit, inside: Collection[str]) -> str | None:
    """4.8.5: Return the line of table 5.2 for a defender: at most one applies."""
    if each.is_naval:
        return None
    if each.entrained:
        return "entrained"
    fort = fort_of(board, each.hex, each.side)
    if fort is not None and each.id in inside:
        return fort.kind
    return works_in(board, each.hex, each.side) if each.type in IN_WORKS else None


def works_in(board: Board, hex: str, side: str) -> str | None:
    """4.4.6: Return `entrench_1` or `entrench_2` for entrenchments that count in a hex, else None."""
    works, numbers = works_at(board, hex, side), world_of(board).tables.numbers
    if works is None or works.age < numbers["exempt_entrenchment_age"]:
        return None
    return "entrench_2" if works.age >= numbers["entrench_2_age"] else "entrench_1"


def attacker_loss_factor(board: Board, units: Iterable[Unit], inside: Collection[str]) -> int:
    """4.8.5: Return the factor of the attacker's losses if a point is in such works (fort2)."""
    works = world_of(board).tables.works
    found = [work_of(board, each, inside) for each in units if each.sp >= 1]
    return max((works[work].attacker_loss for work in found if work), default=1)


def percent(attack: Fraction | int, defence: Fraction | int) -> int | None:
    """Return 100 x A / D rounded down, or None for a defence of nothing."""
    return int(100 * attack // defence) if defence else None


def working(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the working of the sum, a line for each unit."""
    texts = []
    for one in lines:
        why = f" ({one.why})" if one.why else ""
        factor = f" x {one.factor}{why} = {one.strength}" if one.factor != "1" or one.why else ""
        texts.append(f"{one.unit} {one.type} {one.sp} in {one.hex}{factor}")
    return tuple(texts)
