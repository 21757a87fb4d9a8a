"""Whole random games of `victory`: they end, what must hold holds, and nobody sees what he may not."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from pbem.bot.games import Stage, play
from pbem.engine.adjudicate import Outcome, adjudicate, facts, game_of, view_of
from pbem.engine.system import find
from pbem.model.events import rolls_in
from pbem.model.facts import may_know
from pbem.model.state import dump, from_json
from pbem.text.canonical import Json
from tests.nightly import IN_CI, by_the_hundred

VICTORY = find("victory")
FEW = ["amber", "birch", "cedar"]
VARIANTS: list[dict[str, Json]] = [
    {},
    {"battle_mode": "interactive", "loss_rule": "owner"},
    {"building_cadres": True, "front_line_replacements": "all", "city_supply": True},
    {"pursuit": True, "mech_response": True, "flak_friendly_fire": False, "su_feeds": False},
]


def blocks_by_owner(outcome: Outcome) -> dict[tuple[str, str], int]:
    """Blocks on the map and in the pool, by owner and type: no rule makes or destroys one."""
    counts: dict[tuple[str, str], int] = {}
    for fields in outcome.position.counters.values():
        key = (str(fields["owner"]), str(fields["type"]))
        counts[key] = counts.get(key, 0) + 1
    pools: dict[str, dict[str, int]] = outcome.position.tracks["pool"]  # type: ignore[assignment]
    for owner, pool in pools.items():
        for code, left in pool.items():
            counts[owner, code] = counts.get((owner, code), 0) + left
    return {key: count for key, count in sorted(counts.items()) if count}


def check_stage(stage: Stage, first: dict[tuple[str, str], int]) -> None:
    outcome = stage.outcome
    assert blocks_by_owner(outcome) == first, "a block came from nowhere or went there"
    game = game_of(VICTORY, outcome.state, outcome.position)
    assert not VICTORY.invariants(game) and not VICTORY.census(game)
    labels = [
        json.dumps(r["label"]) for told in outcome.told for r in rolls_in(told.event) if "stage" not in r
    ]
    assert len(labels) == len(set(labels)), "two rolls with one label in a stage"
    assert not outcome.diagnostics, "an answer that was legal on the player's view was refused"


def check_rounds(stages: tuple[Stage, ...]) -> None:
    """4.2.8: at most two rounds more than there were steps of supply units at the end of round 1."""
    steps: dict[Any, int] = {}
    for stage in stages:
        tracks: dict[str, Any] = stage.outcome.position.tracks
        turn, now = tracks["turn"], tracks["round"]
        total = sum(int(str(f["cv"])) for f in stage.outcome.position.counters.values() if f["type"] == "SU")
        if now <= 1:
            steps[turn] = total
        assert now <= 2 + steps.get(turn, 0)


def whole_game(seed: str, options: dict[str, Json]) -> tuple[Stage, ...]:
    first: list[dict[tuple[str, str], int]] = []

    def watch(stage: Stage) -> None:
        first.append(first[0] if first else blocks_by_owner(stage.outcome))
        check_stage(stage, first[0])

    played = play(VICTORY, "sarn_strait", options, seed, watch=watch)
    check_rounds(played.stages)
    assert played.last.finished and played.last.position.tracks["result"]
    return played.stages


@pytest.mark.parametrize(
    "options",
    [VARIANTS[0], *(pytest.param(one, marks=IN_CI) for one in VARIANTS[1:])],
    ids=lambda o: ",".join(o) or "defaults",
)
@pytest.mark.parametrize("seed", [FEW[0], pytest.param(FEW[1], marks=IN_CI)])
def test_a_random_game_comes_to_its_end(seed: str, options: dict[str, Json]) -> None:
    whole_game(seed, options)


@pytest.mark.long
@pytest.mark.parametrize("seed", by_the_hundred())
def test_many_random_games_come_to_their_end(seed: int) -> None:
    whole_game(f"long-{seed}", VARIANTS[seed % len(VARIANTS)])


@pytest.mark.parametrize("seed", FEW[:1])
def test_every_stage_replays_from_its_saved_state(seed: str) -> None:
    """The state goes through its file after each stage; the next stage comes out the same."""
    stages = whole_game(seed, VARIANTS[1])
    for before, after in pairwise(stages):
        loaded = from_json(json.loads(dump(before.outcome.state.to_json())))
        again = adjudicate(VICTORY, loaded, after.inputs)
        assert again.state.to_json() == after.outcome.state.to_json()
        assert again.told == after.outcome.told


def seen(outcome: Outcome, player: str | None) -> dict[str, Json]:
    return {f.key: f.value for f in facts(VICTORY, outcome) if may_know(f.audience, player)}


def hidden_changes(outcome: Outcome, player: str, rng: random.Random) -> Iterator[Outcome]:
    """The same position with something else under an enemy block that this player cannot look at."""
    world = VICTORY.build_world(VICTORY.scenario(outcome.state.scenario), outcome.state.options)
    friends = world.side(player)
    enemies = [
        unit
        for unit, f in sorted(outcome.position.counters.items())
        if f["owner"] not in friends and not f.get("revealed") and f["type"] in ("IN", "AR", "F", "SU")
    ]
    for unit in rng.sample(enemies, min(3, len(enemies))):
        position = outcome.position.copy()
        cv = position.counters[unit]["cv"]
        assert isinstance(cv, int)
        position.set(unit, cv=1 + cv % 4)
        yield replace(outcome, position=position)
        other = position.copy()
        fields = dict(other.remove(unit))
        other.add(f"{unit}X", fields)
        yield replace(outcome, position=other)


@pytest.mark.parametrize("player", ["red", "blue"])
def test_a_player_sees_the_same_whatever_is_hidden_from_him(player: str) -> None:
    stages = whole_game("cedar", VARIANTS[0])
    rng = random.Random(5)
    compared = 0
    for stage in stages[:: max(1, len(stages) // 12)]:
        mine = seen(stage.outcome, player)
        for other in hidden_changes(stage.outcome, player, rng):
            assert seen(other, player) == mine
            assert seen(other, None) == seen(stage.outcome, None)
            compared += 1
    assert compared > 20


def test_options_are_the_same_on_the_view_and_on_the_whole_truth() -> None:
    """What a player's own tool calls legal is what the GM's calls legal."""
    compared = 0
    for stage in whole_game("birch", VARIANTS[0])[::6]:
        truth = game_of(VICTORY, stage.outcome.state, stage.outcome.position)
        for question in stage.outcome.pending:
            decision = VICTORY.decision(question.kind, question.party, question.fields)
            view = view_of(VICTORY, stage.outcome.state, seen(stage.outcome, question.party), question.party)
            assert list(decision.options(view)) == list(decision.options(truth))
            compared += 1
    assert compared > 5


def test_no_public_event_names_a_block_by_its_id() -> None:
    stages = whole_game("amber", VARIANTS[3])
    ids = {unit for stage in stages for unit in stage.outcome.position.counters}
    for stage in stages:
        for told in stage.outcome.told:
            if told.audience == ("*",):
                words = set(strings_in(told.event))
                assert not words & ids, f"{told.event} tells {words & ids}"


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings_in(item)
