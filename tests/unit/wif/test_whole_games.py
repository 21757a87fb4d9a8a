"""Whole games of `wif`: they end, what must hold holds, and a turn costs an impulse letter for each impulse
and a turn letter for each player."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pbem.bot.answers import Brain, answer, clever
from pbem.systems.wif import SYSTEM
from tests.nightly import IN_CI, by_the_hundred, sound_game

SEEDS = [("by chance", answer, 3), ("sensible", clever, 2)]


def test_all_players_of_a_side_send_their_letters_in_one_stage() -> None:
    """Two Fronts: five powers in three hands. An impulse of the Allies is one stage with a letter of each of
    their two players, one of the Axis a stage with one letter."""
    played = sound_game(SYSTEM, "two_fronts_1943", "hands", clever)
    waiting = [stage.outcome.pending for stage in played.stages]
    asked = [
        tuple(sorted(question.party for question in questions))
        for questions in waiting
        if any(question.kind == "impulse-letter" for question in questions)
    ]
    assert set(asked) == {("axis",), ("east", "west")}


@pytest.mark.parametrize(
    ("brain", "seed"),
    [
        pytest.param(brain, f"{name} {n}", marks=IN_CI if n else ())
        for name, brain, count in SEEDS
        for n in range(count)
    ],
)
def test_a_game_is_played_to_its_end(brain: Brain, seed: str) -> None:
    asked: Counter[str] = Counter()
    impulses: dict[int, int] = {}
    played = sound_game(SYSTEM, "narrow_sea_1943", seed, brain)
    for stage in played.stages:
        tracks = stage.outcome.position.tracks
        asked.update(question.kind for question in stage.outcome.pending)
        impulses[tracks["turn"]] = max(impulses.get(tracks["turn"], 0), tracks["impulse"])
    assert played.last.position.tracks["result"] in ("allied", "axis", "draw")
    turns = len(impulses)
    assert asked["impulse-letter"] == sum(impulses.values()), "one letter an impulse"
    assert asked["turn-letter"] == 2 * turns + 2, "one letter of each player a turn, and the opening ones"
    assert set(asked) == {"impulse-letter", "turn-letter"}, "nobody else is waited for"


VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("narrow_sea_1943", {}),
    ("two_fronts_1943", {}),
    ("normandy_1944", {}),
    ("narrow_sea_1943", {"fuel": True, "pass_reorganizes": True, "minor_port_limit": 1}),
    ("two_fronts_1943", {"impulse_choices": False, "aa_units": False, "large_atr": False, "fuel": True}),
]


@pytest.mark.long
@pytest.mark.parametrize("seed", by_the_hundred())
def test_many_random_games_come_to_their_end(seed: int) -> None:
    scenario, options = VARIANTS[seed % len(VARIANTS)]
    sound_game(SYSTEM, scenario, f"long-{seed}", clever if seed % 2 else answer, options)
