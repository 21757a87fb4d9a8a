"""Whole games of `ocs`: they end, what must hold holds, and a Player Turn takes few mails."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.bot.answers import Brain, answer, clever
from pbem.bot.games import Played, Stage, play
from pbem.engine.adjudicate import adjudicate, game_of, start
from pbem.engine.answers import Inputs
from pbem.rules import Json
from pbem.systems.ocs import SYSTEM
from tests.nightly import IN_CI, by_the_hundred, in_ci

SEEDS = [("by chance", answer, 3), ("sensible", clever, 2)]


@pytest.mark.parametrize(
    ("brain", "seed"),
    [
        pytest.param(brain, f"{name} {n}", marks=IN_CI if n or brain is answer else ())
        for name, brain, count in SEEDS
        for n in range(count)
    ],
)
def test_a_game_is_played_to_its_victory_check(brain: Brain, seed: str) -> None:
    broken: list[str] = []

    def watch(stage: Stage) -> None:
        game = game_of(SYSTEM, stage.outcome.state, stage.outcome.position)
        broken.extend(SYSTEM.invariants(game))

    played = play(SYSTEM, "crossing_the_tol", seed=seed, brains=brain, watch=watch, most=200)
    tracks = played.last.position.tracks
    assert played.last.finished and tracks["result"] in ("aster", "bren", "draw")
    assert tracks["turn"] == 4 and not broken and not played.refused
    assert len(played.stages) <= 8 * 10 + 4 + 1, "more than ten mails in a Player Turn"


VARIANTS: list[dict[str, Json]] = [
    {},
    {"ask_simulcast": True},
    {"fow": "gm"},
    {"fow": "gm", "ask_simulcast": True, "opt_proportional_loss": True, "opt_long_range_air": True},
]


@pytest.mark.long
@pytest.mark.parametrize("seed", by_the_hundred())
def test_many_random_games_come_to_their_end(seed: int) -> None:
    """By chance and by sense, with each of the options: none is stuck, nothing is broken."""
    options = VARIANTS[seed % len(VARIANTS)]
    broken: list[str] = []

    def watch(stage: Stage) -> None:
        game = game_of(SYSTEM, stage.outcome.state, stage.outcome.position)
        broken.extend(SYSTEM.invariants(game))

    brain = answer if seed % 3 else clever
    played = play(
        SYSTEM, "crossing_the_tol", options, seed=f"long-{seed}", brains=brain, watch=watch, most=300
    )
    assert played.last.finished and not broken
    assert not played.refused or options.get("fow") == "gm"


FILED = {side: SYSTEM.standing_well(side) for side in ("aster", "bren")}


def stages_of_player_turns(played: Played) -> Counter[str]:
    """How often the game stopped in each Player Turn, by its turn and the phasing side."""
    counts: Counter[str] = Counter()
    for stage in played.stages:
        for question in stage.outcome.pending[:1]:
            counts["/".join(question.key.split("/")[:2])] += 1
    return counts


@pytest.mark.parametrize("seed", ["oak", pytest.param("elm", marks=IN_CI)])
def test_with_orders_ahead_and_standing_orders_a_player_turn_takes_at_most_four_stages(seed: str) -> None:
    """6.2: both sides file what sensible people would, and say with a letter what comes after it."""
    played = play(SYSTEM, "crossing_the_tol", seed=seed, brains=clever, standing=FILED, most=200, ahead=True)
    assert played.last.finished and not played.refused
    counted = stages_of_player_turns(played)
    assert max(counted.values()) <= 4, counted
    assert len(played.stages) - 1 <= 2.5 * 8, f"{len(played.stages) - 1} stages"


@in_ci
def test_standing_orders_alone_spare_a_quarter_of_the_mails_and_more() -> None:
    def stops(standing: dict[str, list[Json]]) -> int:
        return len(
            play(SYSTEM, "crossing_the_tol", seed="filed", brains=clever, standing=standing, most=200).stages
        )

    assert 4 * stops(FILED) <= 3 * stops({})


def test_sensible_players_do_something_of_everything() -> None:
    """They bring supply forward, fuel, bomb with an escort, shell, attack, keep reserves and use them."""
    played = play(SYSTEM, "crossing_the_tol", seed="oak", brains=clever, most=200)
    told = [event_told.event for stage in played.stages for event_told in stage.outcome.told]
    wanted = {
        "railed", "hauled", "fuelled", "moved", "mode-changed", "mission-flown", "intercepted", "barraged",
        "combat-resolved", "released", "base-refitted", "trace-checked",
    }  # fmt: skip
    assert not wanted - {event["event"] for event in told}
    flown = [event for event in told if event["event"] == "mission-flown"]
    assert any(event["escorts"] for event in flown)
    assert len(flown) == sum(event["event"] == "mission-ended" for event in told)


def test_what_is_said_ahead_is_not_asked() -> None:
    """With standing answers for every segment only first players and breakouts stop the game."""
    outcome = adjudicate(SYSTEM, start(SYSTEM, "crossing_the_tol", {}), Inputs(0, seed=bytes(32)))
    quiet: dict[str, list[Json]] = {
        side: [
            {"decision": "actions", "answer": {}},
            {"decision": "first-player", "answer": "first"},
            {"decision": "breakout", "answer": []},
            {"decision": "rebuild", "answer": []},
        ]
        for side in ("aster", "bren")
    }
    outcome = adjudicate(SYSTEM, outcome.state, Inputs(1, {}, standing=quiet, seed=bytes(32)))
    assert outcome.finished, [question.key for question in outcome.pending]
