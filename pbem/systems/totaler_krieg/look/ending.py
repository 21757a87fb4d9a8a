"""4.1, 4.23 The victory value as it would count now, and what the scenario asks for victory."""

from __future__ import annotations

from dataclasses import replace

from pbem.rules import Ending, Game, Level, Message

from ..rules.background import Sayer
from ..rules.pieces import T, world_of
from ..rules.victory import counted, scenario_modifier

AT_THE_END = Message("totaler-krieg.background.end")
"""The heading of what the levels say."""
MOST = 30
"""Victory values that are looked at, above and below nothing."""


def points(game: Game) -> dict[str, int]:
    """4.1: Return the victory value as if it were checked now."""
    held, lost = counted(game)
    return {"*": len(held) - len(lost) + T.of(game).csv_modifier + scenario_modifier(game)}


def ending(game: Game) -> Ending:
    """Return the victory value, what each value gives, and what ends the game at once."""
    t, world = T.of(game), world_of(game)
    levels = _levels(game)
    result = next((level.winner or level.result for level in levels if level.holds(t.csv)), "")
    return Ending(
        points=t.csv,
        levels=tuple(_shared(game, level) for level in levels),
        counted=t.result == result and not any(row.when.holds(game) for row in world.automatic),
        also=tuple(headed for headed in Sayer(game).victory() if headed.title != AT_THE_END),
        named=Message("totaler-krieg.background.victory-value"),
        best=_best(game),
    )


def _best(game: Game) -> tuple[str, ...] | None:
    """4.1, 4.23: Return the seats of the winning faction, or of all that share the result."""
    result = T.of(game).result
    if result is None:
        return None
    sharing = next((row.shared_by for row in world_of(game).final if row.result == result), ())
    factions = sharing or ((result,) if result in game.powers else game.powers)
    return tuple(dict.fromkeys(game.seat(faction) for faction in factions))


def _shared(game: Game, level: Level) -> Level:
    """4.23: Return a level of several powers with who of them wins."""
    world, name = world_of(game), Sayer(game).name
    row = next((entry for entry in world.final if entry.shared_by and entry.result == level.result), None)
    if row is None:
        return level
    who = " or ".join(map(name, row.shared_by))
    named = Message("totaler-krieg.background.shared", what=name(row.result), who=who, power=name(row.of))
    return replace(level, result=named)


def _levels(game: Game) -> tuple[Level, ...]:
    """4.23: Return what each victory value gives at the end of the last turn, the highest first."""
    t, world = T.of(game), world_of(game)
    before, results = t.csv, list[tuple[int, str]]()
    try:
        for number in range(MOST, -MOST - 1, -1):
            t.csv = number
            results.append(
                (number, next((row.result for row in world.final if row.when.holds(game)), "draw"))
            )
    finally:
        t.csv = before
    levels: list[Level] = []
    for number, result in results:
        if levels and result in (levels[-1].winner, levels[-1].result):
            least, most = number if number > -MOST else None, levels[-1].most
            levels[-1] = Level(least, most, levels[-1].winner, levels[-1].result)
        else:
            winner = result if result in world.factions else ""
            levels.append(Level(number, number if levels else None, winner, "" if winner else result))
    return tuple(levels)
