"""What the computer makes of crowded boards in short games, and what is expected of fights there.

Before it is asked some units are put beside enemies: there is something to fight, to fear and to reach, which
games between computers seldom have. A line for each question or fight has a digest of each part.
If a difference is meant, run `pytest tests/golden --update-golden` and read it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from inspect import signature
from itertools import islice
from typing import Any

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import Stage, seen_by, stages
from pbem.engine.adjudicate import game_of
from pbem.engine.decisions import Decision
from pbem.engine.game import Game
from pbem.engine.system import System, find
from pbem.systems.diplomacy.bot.searching import Search
from pbem.systems.diplomacy.bot.wishes import Wishes, first_plan
from pbem.text.diagnostics import PbemError
from tests.golden.recorded import digests, named
from tests.golden.test_look_and_bot import shown
from tests.golden.test_workshops import spread
from tests.golden.wanderer import Part, plain
from tests.nightly import in_ci

GAMES = {
    "ocs": (("crossing_the_tol", 12), ("reed_coast", 7)),
    "totaler-krieg": (("lodestar", 20),),
    "victory": (("sarn_strait", 12), ("sarn_strait_two", 3)),
    "wbts": (("marl_crossings", 36),),
    "wif": (("narrow_sea_1943", 10), ("normandy_1944", 5), ("two_fronts_1943", 3)),
}
"""How many stages of which scenarios are played."""
PUT, SEARCHED = 6, 20
"""Units that are put beside enemies, and positions that the computer looks at for an answer."""
ODD = (PbemError, LookupError, ValueError, TypeError, AttributeError, AssertionError)
"""What a board that no game leads to may bring; that counts as what is told of it."""


def owner_of(game: Game, id: str) -> str:
    """wbts calls it a side."""
    fields = game.position.counters[id]
    return str(fields.get("owner", fields.get("side")))


def land(game: Game, hex: str) -> bool:
    world: Any = game.world
    return not world.is_sea(hex) if hasattr(world, "is_sea") else bool(world.land(hex))


def by_owner(game: Game) -> dict[str, list[str]]:
    """Return the counters on the map."""
    found: dict[str, list[str]] = {}
    for id in game.position.ids():
        if game.map.get(str(game.position.hex(id))) is not None:
            found.setdefault(owner_of(game, id), []).append(id)
    return found


def beside(game: Game, hex: str) -> list[str]:
    i = game.map.get(hex)
    return [] if i is None else [game.map.number(n) for n in game.map.neighbours(i)]


def crowded(game: Game, rng: random.Random) -> Game:
    """Return the game with some small stacks moved to empty places on land, beside somebody else's."""
    after = game.copy()
    after.asked, after.stage = game.asked, game.stage
    position, owners = after.position, by_owner(after)
    for _ in range(PUT if len(owners) > 1 else 0):
        mine, others = rng.sample(sorted(owners), 2)
        id, foe = rng.choice(owners[mine]), rng.choice(owners[others])
        here = str(position.hex(id))
        free = [hex for hex in beside(after, str(position.hex(foe))) if not position.at(hex)]
        free = [hex for hex in free if land(after, hex)]
        if free and land(after, here):
            hex = rng.choice(free)
            for each in position.at(here)[: rng.randint(1, 3)]:
                if owner_of(after, each) == mine:
                    position.move(each, hex)
    return after


def forecasts(system: System, game: Game, rng: random.Random) -> Iterator[Part]:
    """Yield what is expected of an attack by each neighbour of a place, by all of his units or by some."""
    where: dict[str, dict[str, list[str]]] = {}
    for place in sorted({str(game.position.hex(id)) for ids in by_owner(game).values() for id in ids}):
        owners: dict[str, list[str]] = {}
        for at in (place, *beside(game, place)):
            for id in game.position.at(at):
                owners.setdefault(owner_of(game, id), []).append(id)
        if len(owners) > 1:
            where[place] = owners
    if where:
        place = rng.choice(sorted(where))
        yield "expected", attempt(partial(expected, system, game, place, []))
        for _, ids in spread(sorted(where[place].items()), 2):
            some = rng.sample(ids, rng.randint(1, min(4, len(ids))))
            yield "forecast", [place, some, attempt(partial(expected, system, game, place, some))]


def expected(system: System, game: Game, place: str, attackers: list[str]) -> Any:
    return plain(system.forecasts(game, place, attackers))


def attempt(told: Callable[[], Any]) -> Any:
    try:
        return told()
    except ODD as odd:
        return f"{type(odd).__name__} {odd}"


def judged(system: System, game: Game, decision: Decision[Any], rng: random.Random) -> Iterator[Part]:
    """Yield what a position is worth to a player and what the computer would begin with."""
    bot = f"pbem.systems.{system.name.replace('-', '_')}.bot"
    plans, judge = import_module(f"{bot}.plans").plans, import_module(f"{bot}.value").Judge
    yield "worth", attempt(lambda: judge(game, decision.player)(game))
    more = [rng.choice][: len(signature(plans).parameters) - 2]
    yield "plans", attempt(lambda: list(plans(game, decision, *more)))


def told(system: System, stage: Stage) -> Iterator[str]:
    """Yield a line for the fight of a stage, if there was one, and for each question."""
    truth = game_of(system, stage.outcome.state, stage.outcome.position)
    events = [one.event for one in stage.outcome.told]
    parts: list[Part] = [
        ("outlook", plain(system.outlook(truth, events))),
        ("fought", plain(system.fought(truth, events))),
        ("captures", plain(system.captures(truth, events))),
    ]
    if named(parts):
        yield f"{stage.number}: {digests(named(parts))}"
    for n, question in enumerate(stage.outcome.pending, stage.number):
        rng = random.Random(f"{stage.number}/{question.party}/{question.key}")
        view = seen_by(system, stage.outcome, question.party)
        view.stage, view.asked = stage.number, question.key
        board = crowded(view, rng)
        decision = system.decision(question.kind, question.party, question.fields)
        parts = list(judged(system, board, decision, rng))
        if n % 4 == 0:
            parts += [*forecasts(system, board, rng), *shown(system, board)]
        elif n % 4 == 1:
            board.budget = SEARCHED
            parts.append(("searched", attempt(partial(clever, board, decision, rng))))
        yield f"{stage.number} {question.party} {question.kind}: {digests(named(parts))}"


@in_ci
@pytest.mark.parametrize("name", sorted(GAMES))
def test_crowded_boards_are_judged_as_they_were(name: str, golden: Callable[[str, str], None]) -> None:
    system, lines = find(name), []
    for scenario, most in GAMES[name]:
        lines.append(scenario)
        for stage in islice(stages(system, scenario, None, "crowd", clever), most):
            lines += told(system, stage)
    golden(f"crowded-{name}.txt", "".join(f"{line}\n" for line in lines))


def test_orders_of_diplomacy_are_weighed_as_they_were(golden: Callable[[str, str], None]) -> None:
    """What a first plan is worth, and what looking ahead makes of it, before and after units were moved."""
    system, lines = find("diplomacy"), []
    for scenario, most in (("three_shores", 7), ("standard", 4)):
        for stage in islice(stages(system, scenario, None, "crowd", clever), most):
            for question in stage.outcome.pending:
                view = seen_by(system, stage.outcome, question.party)
                decision = system.decision(question.kind, question.party, question.fields)
                about = f"{scenario} {stage.number} {question.party}"
                lines += [f"{about}: {line}" for line in weighed(view, decision, stage.number)]
    golden("crowded-diplomacy.txt", "".join(f"{line}\n" for line in lines))


def weighed(view: Game, decision: Decision[Any], stage: int) -> Iterator[str]:
    rng = random.Random(f"{stage} {view.viewer}")
    for game in (view, shuffled(view, rng)):
        wishes, worth = Wishes(game, decision.player), []
        if decision.kind == "moves":
            worth = [Search(game, wishes, SEARCHED).worth(plan) for plan in (first_plan(wishes), {})]
        game.budget = SEARCHED
        yield f"{worth} {json.dumps(clever(game, decision, rng))}"


def shuffled(view: Game, rng: random.Random) -> Game:
    """Return the game with armies that change their owners, and fleets."""
    after = view.copy()
    kinds: dict[str, list[str]] = {}
    for id in after.position.ids():
        kinds.setdefault(str(after.position.counters[id].get("type")), []).append(id)
    for ids in kinds.values():
        fields = [dict(after.position.counters[id]) for id in ids]
        for id, other in zip(ids, rng.sample(fields, len(fields)), strict=True):
            after.position.set(id, owner=other["owner"])
    return after
