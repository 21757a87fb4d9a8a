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

EXAMPLES, ASKED = {"ocs": 6}, {"ocs": 25}
"""Examples of a system whose boards are looked at, and whose questions are answered; of others 30 and 40."""
FIGHTS = {"ocs": 3, "totaler-krieg": 5}
"""Of so many of these boards there are fights on one; of other systems on every third."""
PLACES, UNITS = 3, 4
"""Places that are attacked on each board, and counters that go as far as they can."""


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
    """Yield what is expected of attacks on some places, by the units of each owner there and beside."""
    chart = system.map_of(game.world)
    if chart is None:
        return
    position = game.position
    coming: dict[str, dict[str, list[str]]] = {}
    for place in sorted({str(position.hex(id)) for id in position.counters}):
        i = chart.get(place)
        owners: dict[str, list[str]] = {}
        for at in [place, *map(chart.number, chart.neighbours(i))] if i is not None else ():
            for id in position.at(at):
                owners.setdefault(str(position.counters[id].get("owner")), []).append(id)
        if len(owners) > 1:
            coming[place] = owners
    for place in spread(sorted(coming), PLACES):
        for owner, attackers in spread(sorted(coming[place].items()), 2):
            try:
                yield "forecast", [place, owner, plain(system.forecasts(game, place, attackers))]
            except (PbemError, LookupError, ValueError, TypeError, AttributeError) as odd:
                yield "forecast", [place, owner, type(odd).__name__]


def asked(system: System, example: Mapping[str, Any]) -> Iterator[Part]:
    game = prepare(system, example.get("given", {}))
    for name in ("check", "options"):
        if name in example:
            yield from answered(system, game, example[name])


def told(system: System, example: Mapping[str, Any], fought: bool) -> Iterator[Part]:
    game = prepare(system, example.get("given", {}))
    yield from shown(system, game)
    yield from fights(system, game) if fought else ()
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
    every = [example for _, example in examples(system)]
    lines = []
    for number, example in enumerate(spread(every, EXAMPLES.get(name, 30))):
        parts = told(system, example, not number % FIGHTS.get(name, 3))
        lines.append(f"{digests(named(parts))} | {example['example']}\n")
    asks = [example for example in every if "check" in example or "options" in example]
    for example in spread(asks, ASKED.get(name, 40)):
        lines.append(f"{digests(named(asked(system, example)))} | {example['example']}, asked\n")
    golden(f"looked-{name}.txt", "".join(lines))
