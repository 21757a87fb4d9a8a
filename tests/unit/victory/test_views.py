"""Nobody learns from facts, reports or refusals what section 7 keeps from him."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.answers import ScriptedSource
from pbem.engine.game import Game
from pbem.engine.play import play
from pbem.model.facts import may_know
from tests.unit.victory.boards import board, facts_for, order, view

BLUE_LAND = ("B-IN1", "B-AB1", "B-IN3", "B-SU1", "B-RS1", "B-IN4", "B-AR1")


def disguised(game: Game, hidden: dict[str, Any]) -> Game:
    """The same counts in the same hexes, but other types and strengths, pools and ids behind them."""
    for number, (id, (code, cv)) in enumerate(hidden.items(), start=50):
        fields = dict(game.position.remove(id))
        game.position.add(f"B-{code}{number}", {**fields, "type": code, "cv": cv})
    game.tracks["pool"]["blue"] = {"IN": 1}
    return game


hidden = st.fixed_dictionaries(
    {id: st.tuples(st.sampled_from(("IN", "AR", "SU", "EN", "HA")), st.integers(1, 4)) for id in BLUE_LAND}
)


@settings(max_examples=30, deadline=None)
@given(one=hidden, other=hidden)
def test_two_positions_that_differ_in_what_blue_hides_are_one_to_red(one: Any, other: Any) -> None:
    first, second = disguised(board(), one), disguised(board(), other)
    assert facts_for(first, "red") == facts_for(second, "red")
    assert facts_for(first, None) == facts_for(second, None)  # type: ignore[arg-type]
    assert view(first, "red").position == view(second, "red").position


@settings(max_examples=12, deadline=None)
@given(one=hidden, other=hidden)
def test_a_movement_step_tells_red_the_same_whatever_blue_hides(one: Any, other: Any) -> None:
    """Red marches on Sill and Ferro; events and facts up to the battle must not depend on who is there."""
    told = []
    for blue in (one, other):
        game = disguised(
            board(counters={"R-AR1": {"hex": "0904"}, "R-IN1": {"hex": "1004"}}, remove=["B-AR1"]), rest(blue)
        )
        plan = order(
            {"unit": "R-AR1", "kind": "march", "path": ["0904", "0804"]},
            {"unit": "R-IN1", "kind": "march", "path": ["1004", "1005"]},
        )
        game.tracks.update({"plan": {"red": plan}, "active": "red"})
        played = play(game, "2.T.1a", ScriptedSource({}), "red")
        played = play(game, "2.T.2", ScriptedSource({}), "red")
        told.append(([t.event for t in played.told if may_know(t.audience, "red")], facts_for(game, "red")))
    assert told[0] == told[1]
    assert told[0][1]["track/battles"] == ["0804", "1005"]


def rest(blue: dict[str, Any]) -> dict[str, Any]:
    return {id: what for id, what in blue.items() if id != "B-AR1"}


@pytest.mark.parametrize("player", ["red", "blue", "green"])
def test_own_and_allied_blocks_are_known_and_the_others_counted(player: str) -> None:
    game = board()
    friends = game.friends(player)
    seen = view(game, player).position
    for id, fields in game.position.counters.items():
        if fields["owner"] in friends:
            assert seen.counters[id] == fields
        else:
            assert id not in seen.counters
    counts = {k: v for k, v in facts_for(game, player).items() if k.startswith("blocks/")}
    assert sum(counts.values()) == len(game.position.counters)


def test_public_events_of_a_player_turn_name_no_unit() -> None:
    game = board(tracks={"round": 2, "initiative": {"taken": 1}})
    plan = order(
        {"unit": "R-AR1", "kind": "march", "path": ["0305", "0306", "0406", "0507"]},
        {"unit": "R-F1", "kind": "rebase", "to": "0505"},
        reveal=[{"su": "R-SU1", "mode": "remote", "targets": ["R-AR1", "R-F1"]}],
        su_moves=[{"su": "R-SU1", "kind": "march", "path": ["0305", "0306"]}],
    )
    game.tracks["plan"] = {"red": plan}
    played = play(game, "2.T", ScriptedSource({}), "red")
    public = [t.event for t in played.told if t.audience == ("*",)]
    assert {"blocks-marched", "blocks-flew", "supply-unit-revealed"} <= {str(e["event"]) for e in public}
    assert "R-" not in str(public)
    private = [t for t in played.told if t.audience == ("red",)]
    assert {"R-AR1", "R-F1"} <= {str(t.event.get("unit")) for t in private}
    assert game.position.counters["R-AR1"]["hex"] == "0507"


def test_a_track_nobody_thought_of_is_hidden() -> None:
    game = board(tracks={"scratch": ["B-IN1"]})
    assert "track/scratch" not in facts_for(game, "blue")
