"""Fights for tests of forecasts: those that a position offers, and the accounts of those that were fought.

`forecasts_in` and `accounts_in` serve the gate: every forecast and every account of a game must be whole
(`Forecast.faults`, `Fought.faults`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.bot.games import seen_by
from pbem.engine.adjudicate import Outcome
from pbem.engine.game import Game
from pbem.engine.system import System
from pbem.model.facts import may_know
from pbem.model.forecasts import Forecast, Fought
from pbem.report.fights import Happened, fights
from pbem.report.reader import View
from pbem.report.wording import Wording

MOST_FIGHTS = 4
"""Fights that are looked at in one position."""


def offered(system: System, game: Game, most: int = MOST_FIGHTS) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield places with somebody's counters, each with the counters of one enemy beside it or in it."""
    chart = system.map_of(game.world)
    if chart is None:
        return
    field = system.wording.get("map", {}).get("owner", "owner")
    sides, at = system.sides(game), game.position.at
    found = 0
    for place in sorted({str(one["hex"]) for one in game.position.counters.values() if one.get("hex")}):
        if place not in chart:
            continue
        around = [place, *(chart.number(i) for i in chart.beside(chart.index(place)))]
        held = {_side(game, sides, id, field) for id in at(place)}
        near = [id for hex in around for id in sorted(at(hex))]
        for side in sorted({_side(game, sides, id, field) for id in near} - {""}):
            coming = tuple(id for id in near if _side(game, sides, id, field) == side)
            if held - {side, ""} and found < most:
                found += 1
                yield place, coming


def _side(game: Game, sides: object, id: str, field: str) -> str:
    owner = str(game.position.counters[id].get(field) or "")
    return str(sides.get(owner, owner)) if isinstance(sides, dict) else owner


def forecasts_in(system: System, outcome: Outcome) -> Iterator[Forecast]:
    """Yield forecasts at the end of a stage, as each player sees it: of the fights that are announced, and of
    some that the position offers."""
    for player in outcome.state.players:
        seen = seen_by(system, outcome, player)
        yield from system.forecasts(seen)
        for place, coming in offered(system, seen):
            yield from system.forecasts(seen, place, coming)


def accounts_in(system: System, outcome: Outcome, reader: str | None) -> Iterator[Fought]:
    """Yield how the fights of a stage ended, by what a reader is told."""
    game = seen_by(system, outcome, reader or "")
    view = View(
        game.position,
        game.players,
        Wording(system.wording),
        system.map_of(game.world),
        holders_from=lambda: system.holders(game),
        sides_from=lambda: system.sides(game),
        absent_from=lambda: system.absent(game),
        fought_from=lambda events: system.fought(game, events),
        events=system.registry.events,
    )
    told = [one for one in outcome.told if may_know(one.audience, reader)]
    happened = [Happened(n, "", None, (), one.event) for n, one in enumerate(told)]
    yield from (card.fought for card in fights(happened, view) if card.fought is not None)
