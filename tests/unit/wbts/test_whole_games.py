"""Whole games of `wbts`: they end, what must hold holds, no strength point comes from nowhere."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from pbem.bot.answers import Brain, answer, clever
from pbem.bot.games import Stage, play
from pbem.engine.adjudicate import adjudicate, game_of
from pbem.model.events import rolls_in
from pbem.model.state import dump, from_json
from tests.nightly import by_the_hundred
from tests.unit.wbts.boards import WBTS

HIDDEN: dict[str, Any] = {"limited_intelligence": True}
# what a player who cannot look into enemy stacks may order in good faith
IN_GOOD_FAITH = {"E-BAT-8"}


def points(stage: Stage) -> dict[str, int]:
    """Strength points by side: on the map, lost, and ready as militia."""
    position = stage.outcome.position
    tracks: dict[str, Any] = position.tracks
    found: dict[str, int] = {}
    for side in ("north", "south"):
        on_map = sum(int(str(position.counters[id].get("sp", 0))) for id in position.find(side=side))
        ready = sum(tracks["militia_ready"][side].values())
        found[side] = on_map + ready + tracks["losses_sp"][side]
    return found


def arrived(stage: Stage, side: str) -> int:
    """Points that arrived in a stage."""
    told = [t.event for t in stage.outcome.told if t.event["event"] == "unit-arrived"]
    return sum(int(str(e["sp"])) for e in told if e["owner"] == side)


def restored(before: Stage, after: Stage, side: str) -> int:
    """Points that a depot which had lost some gets back when it is broken up (4.9.2, ruling R-69)."""
    told = [t.event for t in after.outcome.told if t.event["event"] == "depot-destroyed"]
    found = 0
    for event in told:
        if event["owner"] == side:
            depot: Any = before.outcome.position.counters[str(event["depot"])]
            back: Any = event["units"]
            found += sum(back.values()) - depot["sp"]
    return found


def check(stages: tuple[Stage, ...], *, hidden: bool) -> None:
    for stage in stages:
        outcome = stage.outcome
        assert not WBTS.invariants(game_of(WBTS, outcome.state, outcome.position)), outcome.place
        labels = [json.dumps(r["label"]) for t in outcome.told for r in rolls_in(t.event) if "stage" not in r]
        assert len(labels) == len(set(labels)), "two rolls with one label in a stage"
        refused = {why.code for _, why in outcome.diagnostics}
        assert refused <= (IN_GOOD_FAITH if hidden else set()), outcome.diagnostics
    for before, after in pairwise(stages):
        for side, total in points(before).items():
            more = arrived(after, side) + restored(before, after, side)
            assert points(after)[side] == total + more, after.outcome.place


def whole_game(seed: str, brain: Brain, options: dict[str, Any] | None = None) -> tuple[Stage, ...]:
    played = play(WBTS, "marl_crossings", options, seed, brain)
    check(played.stages, hidden=bool(options))
    assert played.last.finished and played.last.position.tracks["result"]
    return played.stages


@pytest.mark.parametrize("seed", ["ash", "beech"])
def test_a_random_game_comes_to_its_end(seed: str) -> None:
    whole_game(seed, answer)


@pytest.mark.parametrize("seed", ["cherry"])
def test_a_random_game_with_limited_intelligence_comes_to_its_end(seed: str) -> None:
    whole_game(seed, answer, HIDDEN)


@pytest.mark.long
@pytest.mark.parametrize("seed", by_the_hundred())
def test_many_random_games_come_to_their_end(seed: int) -> None:
    whole_game(f"long-{seed}", answer if seed % 3 else clever, HIDDEN if seed % 2 else None)


def test_games_of_sensible_players_have_something_of_everything() -> None:
    stages = [*whole_game("oak", clever), *whole_game("elm", clever)]
    told = {str(t.event["event"]) for stage in stages for t in stage.outcome.told}
    wanted = {
        "activated", "marched", "leader-tried", "leaders-activated", "entrenched", "span-specified",
        "battle-began", "defence-revealed", "combat-rolled", "losses-taken", "militia-deployed", "game-over",
    }  # fmt: skip
    assert not wanted - told


def test_every_stage_replays_from_its_saved_state() -> None:
    """The state goes through its file after each stage; the next stage comes out the same."""
    for before, after in pairwise(whole_game("oak", clever)):
        loaded = from_json(json.loads(dump(before.outcome.state.to_json())))
        again = adjudicate(WBTS, loaded, after.inputs)
        assert again.state.to_json() == after.outcome.state.to_json()
        assert again.told == after.outcome.told
