"""What a battle may be expected to bring: strengths, ratio, each table by the die (4.8.2, 4.8.5, 4.8.9)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

from pbem.kit.odds import chances_of, total
from pbem.rules import Forecast, Game

from ..rules.battle.record import Battle
from ..rules.battle.strength import attack_lines, defence_lines, percent
from ..rules.pieces import left, units, world_of

TABLES = (1, 2, 3, 4)


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """The battle that is going on, once both strengths are known; or the one that these units would fight."""
    if place is None:
        battle = Battle.of(game) if Battle.begun(game) else None
        if battle is not None and not battle.over and all(battle.odds):
            tables = (battle.table,) if battle.table in TABLES else TABLES
            yield from _each(game, battle.target, battle.sides, battle.odds, tables)
        return
    coming = left(game, sorted(attackers))
    there = [
        one for one in units(game, hex=place) if one.is_land and one.side not in {c.side for c in coming}
    ]
    if not coming or not there:
        return
    seen, hidden = [one for one in there if one.known], sum(1 for one in there if not one.known)
    odds = total(attack_lines(game, coming, place)), total(defence_lines(game, seen, ()))
    sides = coming[0].side, there[0].side
    yield from _each(game, place, sides, odds, TABLES, ((sides[1], hidden),) if hidden else ())


def outlook(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """What the combat die of a battle might have brought, by its table, ratio and leaders (4.8.9)."""
    if event.get("event") != "combat-rolled":
        return None
    tables, ratio = world_of(game).tables, event.get("ratio")
    shift = sum(int(one["value"]) for one in event.get("modifiers", ()))
    least, most = tables.numbers["row_least"], tables.numbers["row_most"]
    rows = [max(least, min(most, die + shift)) for die in range(1, 7)]
    cells = [tables.result(int(event["table"]), ratio, row) for row in rows]
    return Forecast(str(event.get("hex")), (), chances=chances_of([str(cell.value) for cell in cells]))


def _each(
    game: Game,
    place: str,
    sides: tuple[str, str],
    odds: tuple[Fraction, Fraction],
    tables: tuple[int, ...],
    unknown: tuple[tuple[str, int], ...] = (),
) -> Iterator[Forecast]:
    """A forecast for each table: the intensity chits say which, and nobody knows them beforehand (4.8.6)."""
    data, ratio = world_of(game).tables, percent(*odds)
    for table in tables:
        cells = [data.result(table, ratio, row) for row in range(1, 7)]
        percents = [next(o for o in cell.outcomes if o.name == "losses") for cell in cells]
        expected = tuple(
            (side, "percent", Fraction(sum(one[role] for one in percents), len(cells)))
            for side, role in zip(sides, ("attacker", "defender"), strict=True)
        )
        yield Forecast(
            place,
            tuple(zip(sides, map(str, odds), strict=True)),
            f"table {table}",
            "" if ratio is None else f"{ratio} %",
            chances_of([str(cell.value) for cell in cells]),
            expected,
            unknown,
        )
