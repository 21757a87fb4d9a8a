"""Whole games of random legal orders come to an end, and nothing that must hold is ever broken."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.bot.answers import answer as bot_answer
from pbem.engine.adjudicate import Outcome, adjudicate, facts, game_of, start, view_of
from pbem.engine.answers import Inputs, Reply
from pbem.model.codec import from_json
from pbem.model.facts import may_know
from pbem.systems.victory import SYSTEM
from pbem.systems.victory.examples.invariants import census, invariants

MOST_STAGES = 300


def answer(out: Outcome, stage: int, pick: random.Random) -> dict[str, dict[str, Reply]]:
    """A random legal answer to everything asked, grown on the view of whoever is asked."""
    told = facts(SYSTEM, out)
    replies: dict[str, dict[str, Reply]] = {}
    for question in out.pending:
        known = {f.key: f.value for f in told if may_know(f.audience, question.party)}
        game = view_of(SYSTEM, out.state, known, question.party)
        asked = SYSTEM.decision(question.kind, question.party, question.fields)
        chosen = bot_answer(game, asked, pick)
        truth = game_of(SYSTEM, out.state, out.position.copy(), stage=stage)
        final: Any = from_json(asked.answer, chosen)
        assert asked.check(truth, final) == [], (question.kind, chosen)
        replies.setdefault(question.party, {})[question.key] = Reply(chosen)
    return replies


def play_out(seed: int, scenario: str, **options: Any) -> Outcome:
    pick = random.Random(seed)
    state = start(SYSTEM, scenario, options)
    replies: dict[str, dict[str, Reply]] = {}
    for stage in range(1, MOST_STAGES):
        out = adjudicate(SYSTEM, state, Inputs(stage, replies, seed=seed.to_bytes(2, "big") * 16))
        assert [d for _, d in out.diagnostics] == []
        state = out.state
        game = game_of(SYSTEM, state, out.position.copy())
        assert invariants(game) == [] == census(game)
        if out.finished:
            return out
        replies = answer(out, stage, pick)
    raise AssertionError("the game does not end")


def test_a_random_game_ends_with_a_result() -> None:
    out = play_out(7, "sarn_strait")
    assert out.position.tracks["result"]["turn"] == out.position.tracks["turn"]


def test_a_random_interactive_game_with_every_option_ends_with_a_result() -> None:
    every = {
        "battle_mode": "interactive",
        "building_cadres": True,
        "front_line_replacements": "all",
        "city_supply": True,
        "pursuit": True,
        "mech_response": True,
        "loss_rule": "owner",
    }
    assert play_out(3, "sarn_strait_two", **every).position.tracks["result"]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_many_random_games(seed: int) -> None:
    mode = "interactive" if seed % 3 == 0 else "doctrine"
    scenario = SYSTEM.scenarios()[seed % 2]
    assert play_out(seed, scenario, battle_mode=mode).position.tracks["result"]
