"""A leaf with named steps is to everybody what as many leaves would be: players, reports, examples, saved
games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.cli.commands.sequence import _rows, place_in
from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply, ScriptedSource
from pbem.engine.cursor import Cursor
from pbem.engine.game import Game
from pbem.engine.outline import parse
from pbem.engine.play import play
from pbem.engine.system import System
from pbem.model.state import dump, from_json
from pbem.model.whereabouts import whereabouts
from pbem.text.diagnostics import Refused
from tests.unit.engine.duel import BY_LEAVES, BY_STEPS, GUARD, STEPS, make

GUARDS = ["high", "low", "low", "high"]


def stages(system: System) -> Iterator[Outcome]:
    """A whole game, saved and loaded after every stage."""
    outcome = adjudicate(system, start(system, "yard"), Inputs(0))
    yield outcome
    for number, answer in enumerate(GUARDS, 1):
        state = from_json(json.loads(dump(outcome.state.to_json())))
        (question,) = outcome.pending
        replies = {question.party: {question.key: Reply(answer, question=question.id)}}
        outcome = adjudicate(system, state, Inputs(number, replies, seed=bytes([number]) * 32))
        yield outcome


def seen(outcome: Outcome) -> list[Any]:
    told = [t.event for t in outcome.told]
    return [outcome.place, told, [q.to_json() for q in outcome.pending], outcome.position.to_json()]


def test_players_are_asked_the_same_at_the_same_place() -> None:
    leaves, steps = list(stages(BY_LEAVES)), list(stages(BY_STEPS))
    assert [seen(outcome) for outcome in leaves] == [seen(outcome) for outcome in steps]
    assert steps[1].pending[0].key == "A1/A.3/guard"
    assert steps[1].place == "Round 1, Rest"
    told = [whereabouts(t.event["at"], BY_STEPS.labels({})) for t in steps[1].told]
    assert told == ["Round 1, On guard", "Round 1, The blow"]
    assert steps[-1].finished


@pytest.mark.parametrize("stopped", range(4))
def test_a_saved_game_of_leaves_is_led_to_the_step(stopped: int) -> None:
    """Wherever it stood, also in the middle of what was a leaf, its journal holds."""
    old = list(stages(BY_LEAVES))
    state = from_json(json.loads(dump(old[stopped].state.to_json())))
    (question,) = old[stopped].pending
    replies = {question.party: {question.key: Reply(GUARDS[stopped], question=question.id)}}
    inputs = Inputs(stopped + 1, replies, seed=bytes([stopped + 1]) * 32)
    assert seen(adjudicate(BY_STEPS, state, inputs)) == seen(old[stopped + 1])


def yard(**tracks: Any) -> Game:
    game = game_of(BY_STEPS, start(BY_STEPS, "yard"))
    game.tracks.update(tracks)
    return game


def test_an_example_plays_one_step_alone() -> None:
    game = yard(guard="high")
    source = ScriptedSource({"blue": {"guard": "low"}}, [[4]])
    played = play(game, "A.2", source)
    assert [t.event["event"] for t in played.told] == ["struck"] and game.tracks["struck"] == 4
    assert not played.pending and source.unused_orders() == ["blue: guard"], "the next step is not begun"


def test_an_example_plays_a_leaf_from_one_of_its_steps_on() -> None:
    game = yard(guard="high")
    played = play(game, "A.2..", ScriptedSource({"blue": {"guard": "low"}}, [[4]]))
    assert game.tracks["struck"] == 4 and game.tracks["rest"] == "low" and played.ended


@pytest.mark.parametrize("step, asked", [("A.1", ["A.1/guard"]), ("A.3", ["A.3/guard"])])
def test_a_step_played_alone_asks_under_its_own_id(step: str, asked: list[str]) -> None:
    assert [q.key for q in play(yard(), step, ScriptedSource({})).pending] == asked


def test_a_step_whose_condition_does_not_hold_is_not_played() -> None:
    game = yard(guard="low")
    assert not play(game, "A.2", ScriptedSource({}, [])).told


def test_a_leaf_with_steps_whose_condition_does_not_hold_is_passed_over() -> None:
    duel, bow = STEPS
    system = make([{**duel, "when": "never"}, bow])
    cursor = Cursor(system, system.outline, [])
    cursor.start(game_of(system, start(system, "yard")))
    assert cursor.place().leaf.name == "bow"


def test_a_step_that_the_outline_does_not_have_is_a_fault_of_the_rules() -> None:
    node = BY_STEPS.outline.find("A.duel")
    assert node is not None
    with pytest.raises(AssertionError, match=r"A.duel has no step '7', its steps are: A.1, A.2, A.3"):
        node.step("7")


def test_a_copy_of_a_body_has_steps_of_its_own() -> None:
    root = parse({"id": "R", "do": [{"id": "A", "do": STEPS}, {"id": "B", "like": "A"}]})
    leaf = root.find("B.duel")
    assert leaf is not None and [step.id for step in leaf.steps] == ["B.1", "B.2", "B.3"]
    assert leaf.step("2").id == "B.2" and leaf.step("B.2").label == "The blow"


@pytest.mark.parametrize(
    "node, code",
    [
        ({"leaf": "duel", "steps": [{**GUARD, "when": "blows_left"}]}, "unknown-key"),
        ({"leaf": "duel", "steps": [{"segment": "nameless"}]}, "bad-id"),
        ({"leaf": "duel", "steps": [GUARD, GUARD]}, "duplicate-id"),
        ({"id": "G", "do": [{"leaf": "duel"}], "steps": [GUARD]}, "steps-outside"),
    ],
    ids=["acts", "without-id", "twice", "in-a-group"],
)
def test_steps_that_cannot_be_are_refused(node: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as caught:
        parse({"do": [node]})
    assert code in [fault.code for fault in caught.value.diagnostics]


def test_the_sequence_of_play_shows_steps_and_where_the_game_stands() -> None:
    root = BY_STEPS.outline
    present = place_in(root, "Round 2, The blow")
    rows = [(depth, text, now) for depth, _, text, now in _rows(root, 0, present)]
    assert rows == [
        (0, "Round n (repeated)", False),
        (1, "On guard", False),
        (1, "The blow", True),
        (1, "Rest", False),
        (1, "A bow", False),
    ]
