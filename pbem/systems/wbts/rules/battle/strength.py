"""4.8.2, 4.8.5: The strengths of both sides of a battle: points times factors, in fractions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction

from pbem.kit.odds import Line, line
from pbem.rules import Message

from ..pieces import Board, Unit, works_at, world_of
from ..zones import fort_of

ENDLESS = 10**9  # the ratio against a defence of nothing, if a number is needed
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
    return [_line(u, [half] if not u.is_naval and world.river_like(u.hex, target) else []) for u in units]


def defence_lines(board: Board, units: Iterable[Unit], inside: Collection[str]) -> list[Line]:
    """4.8.5: Return the defenders' lines: works, trains, and extra factors from a GM (R-1)."""
    tables = world_of(board).tables
    lines: list[Line] = []
    for u in units:
        work = work_of(board, u, inside)
        factors: list[tuple[Fraction, str]] = (
            [(tables.works[work].strength, Message(WORDS[work]))] if work else []
        )
        if work != "entrained" and not u.is_naval:
            factors += _extra(board, u)
        lines.append(_line(u, factors))
    return lines


def _line(u: Unit, factors: Iterable[tuple[Fraction, str]]) -> Line:
    return line(u.id, u.row.name, u.hex, u.sp, *factors)


def _extra(board: Board, u: Unit) -> Iterator[tuple[Fraction, str]]:
    """Yield the extra factors that apply, by type of the unit, terrain and settlement of its hex."""
    world = world_of(board)
    place = world.settlements.get(u.hex)
    for name in (u.type, world.terrain[u.hex], *([place.kind] if place else [])):
        if name in world.tables.extra_defence_factors:
            yield world.tables.extra_defence_factors[name], name


def work_of(board: Board, u: Unit, inside: Collection[str]) -> str | None:
    """4.8.5: Return the line of table 5.2 for a defender. At most one applies."""
    if u.is_naval:
        return None
    if u.entrained:
        return "entrained"
    fort = fort_of(board, u.hex, u.side)
    if fort is not None and u.id in inside:
        return fort.kind
    return works_in(board, u.hex, u.side) if u.type in IN_WORKS else None


def works_in(board: Board, hex: str, side: str) -> str | None:
    """4.4.6: Return `entrench_1` or `entrench_2` for entrenchments that count in a hex, else None."""
    works, numbers = works_at(board, hex, side), world_of(board).tables.numbers
    if works is None or works.age < numbers["exempt_entrenchment_age"]:
        return None
    return "entrench_2" if works.age >= numbers["entrench_2_age"] else "entrench_1"


def attacker_loss_factor(board: Board, units: Iterable[Unit], inside: Collection[str]) -> int:
    """4.8.5: Return the factor of the attacker's losses if a point is in such works (fort2)."""
    works = world_of(board).tables.works
    kinds = [work_of(board, u, inside) for u in units if u.sp >= 1]
    return max((works[work].attacker_loss for work in kinds if work), default=1)


def percent(attack: Fraction | int, defence: Fraction | int) -> int | None:
    """Return 100 x A / D rounded down, or None for a defence of nothing."""
    return int(100 * attack // defence) if defence else None


def working(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the working of the sum, a line for each unit."""
    texts = []
    for row in lines:
        why = f" ({row.why})" if row.why else ""
        factor = f" x {row.factor}{why} = {row.strength}" if row.factor != "1" or row.why else ""
        texts.append(f"{row.unit} {row.type} {row.sp} in {row.hex}{factor}")
    return tuple(texts)
