"""Whole games of `wif`: they end, what must hold holds, and a turn costs an impulse letter for each impulse
and a turn letter for each player."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.bot.answers import Brain, answer, clever
from pbem.bot.games import Stage, play
from pbem.engine.adjudicate import game_of
from pbem.systems.wif import SYSTEM

SEEDS = [("by chance", answer, 3), ("sensible", clever, 2)]


def test_all_players_of_a_side_send_their_letters_in_one_stage() -> None:
    """Two Fronts: five powers in three hands. An impulse of the Allies is one stage with a letter of each of
    their two players, one of the Axis a stage with one letter."""
    asked: list[tuple[str, ...]] = []

    def watch(stage: Stage) -> None:
        waiting = stage.outcome.pending
        if any(question.kind == "impulse-letter" for question in waiting):
            asked.append(tuple(sorted(question.party for question in waiting)))

    played = play(SYSTEM, "two_fronts_1943", seed="hands", brains=clever, watch=watch, most=200)
    assert played.last.finished
    assert set(asked) == {("axis",), ("east", "west")}


@pytest.mark.parametrize(
    ("brain", "seed"), [(brain, f"{name} {n}") for name, brain, count in SEEDS for n in range(count)]
)
def test_a_game_is_played_to_its_end(brain: Brain, seed: str) -> None:
    broken: list[str] = []
    asked: Counter[str] = Counter()
    impulses: dict[int, int] = {}

    def watch(stage: Stage) -> None:
        game = game_of(SYSTEM, stage.outcome.state, stage.outcome.position)
        broken.extend(SYSTEM.invariants(game))
        asked.update(question.kind for question in stage.outcome.pending)
        turn, impulse = game.tracks["turn"], game.tracks["impulse"]
        impulses[turn] = max(impulses.get(turn, 0), impulse)

    played = play(SYSTEM, "narrow_sea_1943", seed=seed, brains=brain, watch=watch, most=200)
    tracks = played.last.position.tracks
    assert played.last.finished and tracks["result"] in ("allied", "axis", "draw")
    assert not broken and not played.refused
    turns = len(impulses)
    assert asked["impulse-letter"] == sum(impulses.values()), "one letter an impulse"
    assert asked["turn-letter"] == 2 * turns + 2, "one letter of each player a turn, and the opening ones"
    assert set(asked) == {"impulse-letter", "turn-letter"}, "nobody else is waited for"
