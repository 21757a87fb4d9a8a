"""Whole games of `totaler-krieg`: they end, what must hold holds, and a faction turn takes few mails."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.bot.answers import Brain, answer, clever
from pbem.bot.games import seen_by
from pbem.engine.adjudicate import adjudicate, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.rehearsal import rehearse
from pbem.engine.resolve import Question
from pbem.rules import Decision, Game, Json, to_json
from pbem.systems.totaler_krieg import SYSTEM
from tests.nightly import IN_CI, by_the_hundred, sound_game

SEEDS = [("by chance", answer, 2), ("sensible", clever, 2)]
FACTION_TURNS = 12
FACTIONS = ("axis", "western", "soviet")
MOST_STAGES_A_FACTION_TURN = 6


@pytest.mark.parametrize(
    ("brain", "seed"),
    [
        pytest.param(brain, f"{name} {n}", marks=IN_CI if n or brain is answer else ())
        for name, brain, count in SEEDS
        for n in range(count)
    ],
)
def test_a_game_is_played_to_its_victory_check(brain: Brain, seed: str) -> None:
    played = sound_game(SYSTEM, "lodestar", seed, brain)
    tracks = played.last.position.tracks
    assert tracks["result"] in ("axis", "allied", "western", "soviet", "draw")
    assert len(played.stages) <= FACTION_TURNS * MOST_STAGES_A_FACTION_TURN


VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("lodestar", {}),
    ("lodestar_two", {}),
    ("lodestar_beyond", {}),
    ("lodestar", {"redacted": False, "crt_heads": "as_printed", "reserve_unsupplied_may_move": True}),
    ("lodestar", {"blitz_weather_exception": "snow_only", "exploit_dr2": 2, "exploit_dr3": 3}),
]


@pytest.mark.long
@pytest.mark.parametrize("seed", by_the_hundred())
def test_many_random_games_come_to_their_end(seed: int) -> None:
    scenario, options = VARIANTS[seed % len(VARIANTS)]
    sound_game(SYSTEM, scenario, f"long-{seed}", clever if seed % 2 else answer, options)


def test_two_players_play_the_three_factions() -> None:
    played = sound_game(SYSTEM, "lodestar_two", "two", clever)
    asked = {q.party for stage in played.stages for q in stage.outcome.pending}
    seats: Any = played.last.position.tracks["seats"]
    assert asked == {"axis", "allies"} and seats["soviet"] == "allies"


def test_without_a_master_selections_are_commitments_that_outlive_their_season() -> None:
    played = sound_game(SYSTEM, "lodestar", "open", clever, {"redacted": False})
    told = [event_told.event for stage in played.stages for event_told in stage.outcome.told]
    assert sum(event["event"] == "card-revealed" for event in told) >= 4
    assert all(len(stage.outcome.pending) for stage in played.stages[:-1])


def test_a_whole_faction_turn_is_one_file() -> None:
    """Everything is sent with the first answer; the defenders have standing orders: nobody is asked again."""
    outcome = adjudicate(SYSTEM, start(SYSTEM, "lodestar", {}), Inputs(0, seed=bytes(32)))
    cards = {power: {"next-card": Reply(["AX-1"] if power == "axis" else [])} for power in FACTIONS}
    outcome = adjudicate(SYSTEM, outcome.state, Inputs(1, cards, seed=bytes(32)))
    assert {q.kind for q in outcome.pending} == {"next-card", "season"}
    answers: dict[str, Json] = {
        "next-card": ["AX-2"],
        "season": {"replacements": [{"counter": "N-IN4", "hex": "0603"}]},
        "administration": {"blitz": [{"marker": "N-BLITZ", "hex": "0804"}]},
        "movement": [{"unit": "N-PZA", "path": ["0703"]}],
        "combat": {
            "blitz": [{"id": "B1", "target": "0905", "units": ["N-AR1", "N-SS1"], "hq": "N-HQ1"}],
            "regular": [
                {"id": "G1", "target": "0904", "units": ["N-AR2"], "guard": {"if_result": {"B1": ["Dr3"]}}}
            ],
        },
        "final": {"reserve": [{"unit": "N-PZB", "path": ["0703"]}]},
    }
    replies = {"axis": {kind: Reply(value) for kind, value in answers.items()}}
    standing: dict[str, list[Json]] = {
        "soviet": [{"losses": ["R-IN1"]}, {"contest": {}}],
        "western": [{"contest": {}}],
    }
    outcome = adjudicate(SYSTEM, outcome.state, Inputs(2, replies, standing=standing, seed=bytes(32)))
    assert {q.party for q in outcome.pending} == {"western"}, [q.key for q in outcome.pending]
    assert not outcome.diagnostics
    told = [str(event_told.event["event"]) for event_told in outcome.told]
    assert {"attacked", "moved", "replaced", "placed"} <= set(told)


def test_what_comes_next_is_told_up_to_where_a_commitment_is_opened() -> None:
    """A rehearsal of the turn goes on without the values of cards that lie face down."""
    options = {"redacted": False}
    outcome = adjudicate(SYSTEM, start(SYSTEM, "lodestar", options), Inputs(0, seed=bytes(32)))
    while outcome.pending[0].kind == "face-down":
        cards = {q.party: {q.key: Reply([])} for q in outcome.pending}
        outcome = adjudicate(SYSTEM, outcome.state, Inputs(1, cards, seed=bytes(32)))
    (asked,) = outcome.pending
    view = seen_by(SYSTEM, outcome, asked.party)

    def default(game: Game, decision: Decision[Any], question: Question) -> Json:
        return to_json(decision.default(game))

    rehearsed = rehearse(view, outcome.state, {asked.key: {}}, asked.party, default)
    assert [question.decision.kind for question in rehearsed.asked][:3] == ["movement", "combat", "final"]


@pytest.mark.parametrize(
    ("brain", "seed"), [(clever, "beyond"), pytest.param(answer, "beyond by chance", marks=IN_CI)]
)
def test_a_game_with_boxes_ends_where_the_end_marker_lies(brain: Brain, seed: str) -> None:
    played = sound_game(SYSTEM, "lodestar_beyond", seed, brain)
    tracks = played.last.position.tracks
    began = [
        event_told.event["turn"]
        for stage in played.stages
        for event_told in stage.outcome.told
        if event_told.event["event"] == "turn-began"
    ]
    assert tracks["result"] and (began[-1:] == [5]) == (tracks["turn"] == 5)
    assert len(played.stages) <= FACTION_TURNS * MOST_STAGES_A_FACTION_TURN
