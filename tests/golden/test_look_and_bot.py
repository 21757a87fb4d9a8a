"""What a system shows of the boards of its worked examples, and what its own player answers on them.

A line for each example has a digest of each part: forecasts, who can come where, areas, holders, how fights
and the game end. If a difference is meant, run `pytest tests/golden --update-golden` and read it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from pbem.bot.answers import clever
from pbem.engine.game import Game
from pbem.engine.system import System, find, installed
from pbem.testing.examples import examples
from pbem.testing.runner import played_of, prepare
from pbem.text.diagnostics import PbemError
from tests.golden.recorded import digests, named
from tests.golden.test_workshops import spread
from tests.golden.wanderer import Part, plain
from tests.nightly import in_ci

EXAMPLES = {"diplomacy": 70, "ocs": 5, "totaler-krieg": 30, "victory": 16, "wbts": 50, "wif": 36}
PLACES, UNITS = 3, 4
"""Places that are attacked on each board, and counters."""


def shown(system: System, game: Game) -> Iterator[Part]:
    """Yield what the map and the lists beside it show."""
    yield "overlays", plain(system.overlays(game))
    yield "facilities", plain(system.facilities(game))
    yield "holders", plain(system.holders(game))
    yield "sides", plain(system.sides(game))
    yield "points", plain(system.points(game))
    yield "titles", plain(system.titles(game))
    yield "background", plain(system.background(game))
    yield "absent", plain(system.absent(game))
    yield "ending", plain(system.ending(game))
    yield "printed", plain(dict(spread(sorted(system.printed(game).items()), UNITS)))
    yield "laid_open", [plain(system.laid_open(game, player)) for player in game.players]
    for id in spread(sorted(game.position.counters), UNITS):
        reach = system.reach(game, id)
        if reach is not None:
            yield "reach", [id, sorted(reach.ends), str(reach.has), reach.rule, dict(reach.costs)]


def fights(system: System, game: Game) -> Iterator[Part]:
    """Yield what is expected of attacks on some places, by those beside and by everybody of one side."""
    chart = system.map_of(game.world)
    if chart is None:
        return
    position = game.position
    places = sorted(
        {at for id in position.counters if (at := position.hex(id)) and chart.get(at) is not None}
    )
    for place in spread(places, PLACES):
        theirs = {position.counters[id].get("owner") for id in position.at(place)}
        i = chart.get(place)
        near = [place, *map(chart.number, chart.neighbours(i))] if i is not None else [place]
        beside = [
            id for at in near for id in position.at(at) if position.counters[id].get("owner") not in theirs
        ]
        for attackers in (beside, beside[:1], spread(sorted(position.counters), UNITS)):
            try:
                yield "forecast", plain(system.forecasts(game, place, attackers))
            except (PbemError, LookupError, ValueError, TypeError, AttributeError) as odd:
                yield "forecast", type(odd).__name__


def told(system: System, example: Mapping[str, Any]) -> Iterator[Part]:
    game = prepare(system, example.get("given", {}))
    yield from shown(system, game)
    yield from fights(system, game)
    for name in ("check", "options"):
        if name in example:
            yield from answered(system, game, example[name])
    played = played_of(system, example)
    if played is not None:
        after, results = played
        events = [one.event for one in results.told]
        yield "outlook", plain(system.outlook(after, events))
        yield "fought", plain(system.fought(after, events))
        yield "captures", plain(system.captures(after, events))
        yield "ended", plain(system.ending(after))
        for question in results.pending[:2]:
            data = {"decision": question.kind, "player": question.party, "fields": question.fields}
            yield from answered(system, after, data)


def answered(system: System, game: Game, data: Mapping[str, Any]) -> Iterator[Part]:
    """Yield what the system's own player answers."""
    decision = system.decision(data["decision"], data["player"], data.get("fields", {}))
    try:
        yield "answer", clever(game.copy(), decision, random.Random("look"))
    except (PbemError, LookupError, ValueError, TypeError, AttributeError, AssertionError) as odd:
        yield "answer", type(odd).__name__


@in_ci
@pytest.mark.parametrize("name", sorted(installed()))
def test_boards_and_bots_are_what_they_were(name: str, golden: Callable[[str, str], None]) -> None:
    system = find(name)
    lines = []
    for _, example in spread(list(examples(system)), EXAMPLES[name]):
        lines.append(f"{digests(named(told(system, example)))} | {example['example']}\n")
    golden(f"looked-{name}.txt", "".join(lines))
