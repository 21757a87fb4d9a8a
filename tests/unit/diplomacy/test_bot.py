"""The computer's player: it looks at what orders come to, and ends a game that nobody wins."""

from __future__ import annotations

import random

import pytest

from pbem.bot.answers import THOROUGH, clever
from pbem.bot.games import stages
from pbem.engine.game import Game
from pbem.rules import Decision, Json
from pbem.systems.diplomacy import SYSTEM
from pbem.systems.diplomacy.bot.searching import Search
from pbem.systems.diplomacy.bot.wishes import Wishes, first_plan
from pbem.systems.diplomacy.rules.decisions import MovesAsked
from pbem.systems.diplomacy.rules.notation import read
from pbem.systems.diplomacy.rules.world import world_of
from pbem.testing.runner import prepare


def looking_ahead(game: Game, decision: Decision[object], rng: random.Random) -> Json:
    game.budget = THOROUGH
    return clever(game, decision, rng)


def orders(given: dict[str, object], player: str, budget: int) -> list[str]:
    game = prepare(SYSTEM, {"scenario": "standard", **given})
    game.budget = budget
    answer = clever(game, MovesAsked(player), random.Random(1))
    assert isinstance(answer, dict)
    return answer["orders"]  # type: ignore[return-value]


def test_it_takes_the_last_centre_with_support() -> None:
    world = world_of(prepare(SYSTEM, {"scenario": "standard"}))
    held = dict.fromkeys(world.atlas.centres, "france") | {"MUN": "germany"}
    given = {
        "only": ["FR2", "FR3", "GE3"],
        "counters": {"FR2": {"hex": "BUR"}, "FR3": {"hex": "TYR"}, "GE3": {"hex": "MUN"}},
        "tracks": {"year": 1902, "season": "fall", "centres": held},
    }
    found = [read(world, line) for line in orders(given, "france", THOROUGH)]
    assert sorted((one.verb, one.to) for one in found) == [("move", "MUN"), ("support", "MUN")]


@pytest.mark.parametrize("player", ["austria", "france", "russia"])
def test_looking_ahead_is_worth_no_less_than_the_first_plan(player: str) -> None:
    world = world_of(prepare(SYSTEM, {"scenario": "standard"}))
    held = {place: home for place in world.atlas.centres if (home := world.atlas.provinces[place].home)}
    given = {"tracks": {"year": 1901, "season": "fall", "centres": held}}
    game = prepare(SYSTEM, {"scenario": "standard", **given})
    search, plan = Search(game, Wishes(game, player), THOROUGH), first_plan(Wishes(game, player))
    found = {one.place: one for one in (read(world, line) for line in orders(given, player, THOROUGH))}
    assert found.keys() == plan.keys(), "an order for each unit, none illegal"
    assert search.worth(found) >= search.worth(plan)


def test_a_game_of_players_who_look_ahead_ends() -> None:
    last = list(stages(SYSTEM, "three_shores", {}, "ahead", looking_ahead))[-1].outcome
    assert last.state.position.tracks["over"] and last.state.position.tracks["year"] <= 1914


def test_players_without_a_look_ahead_do_not_bounce_for_ever() -> None:
    told = [
        event_told.event["event"]
        for stage in stages(SYSTEM, "three_shores", {}, "hurry", clever)
        for event_told in stage.outcome.told
    ]
    assert {"moved", "centre-taken"} <= {*told}
