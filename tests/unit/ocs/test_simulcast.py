"""A simulcast turn (4.15): both sides are asked at once, in secret, from refit to clean-up."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.bot.answers import answer, clever
from pbem.bot.games import Stage, play
from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs
from pbem.systems.ocs import SYSTEM
from tests.nightly import IN_CI

BOTH = {side: [{"simulcast": "yes"}] for side in ("aster", "bren")}


def stage(number: int, before: Any, standing: Any) -> Outcome:
    return adjudicate(SYSTEM, before, Inputs(number, {}, standing=standing, seed=bytes(32)))


def test_no_node_stops_for_one_side_alone() -> None:
    """Both Movement Segments are asked in one stage, secretly."""
    quiet: dict[str, Any] = {
        side: [*BOTH[side], {"decision": "breakout", "answer": []}, {"decision": "rebuild", "answer": []}]
        for side in BOTH
    }
    outcome = stage(0, start(SYSTEM, "crossing_the_tol", {}), quiet)
    if not outcome.pending:
        outcome = stage(1, outcome.state, quiet)
    asked = {q.party: q for q in outcome.pending}
    assert set(asked) == {"aster", "bren"} and {q.kind for q in asked.values()} == {"actions"}
    assert all(q.secrecy == "together" for q in asked.values())


def test_the_steps_come_phase_by_phase_for_both() -> None:
    quiet: dict[str, Any] = {
        side: [
            *BOTH[side],
            {"decision": "actions", "answer": {}},
            {"decision": "breakout", "answer": []},
            {"decision": "rebuild", "answer": []},
        ]
        for side in BOTH
    }
    outcome = stage(0, start(SYSTEM, "crossing_the_tol", {}), quiet)
    told = [*outcome.told, *(() if outcome.finished else stage(1, outcome.state, quiet).told)]
    kinds = ("supply-received", "trace-checked", "cleaned-up", "game-turn-began")
    seen = [(t.event["event"], t.event.get("player")) for t in told if t.event["event"] in kinds]
    second = [n for n, one in enumerate(seen) if one[0] == "game-turn-began"][1]
    assert seen[1:second] == [
        ("supply-received", "aster"), ("supply-received", "bren"), ("trace-checked", "aster"),
        ("trace-checked", "bren"), ("cleaned-up", "aster"), ("cleaned-up", "bren"),
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "brain"), [pytest.param("chance", answer, marks=IN_CI), ("sense", clever)])
def test_a_game_of_simulcast_turns_is_played_to_its_end(name: str, brain: Any) -> None:
    broken: list[str] = []

    def watch(stage: Stage) -> None:
        broken.extend(SYSTEM.invariants(game_of(SYSTEM, stage.outcome.state, stage.outcome.position)))

    standing: Any = BOTH
    played = play(
        SYSTEM,
        "crossing_the_tol",
        seed=f"simulcast {name}",
        brains=brain,
        watch=watch,
        standing=standing,
        most=60,
    )
    kinds = {told.event["event"] for stage in played.stages for told in stage.outcome.told}
    assert played.last.finished and not broken
    assert "first-player-rolled" not in kinds and "combat-declared" not in kinds
