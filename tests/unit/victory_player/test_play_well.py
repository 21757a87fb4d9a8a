"""The sensible player of `victory`: legal, deterministic, blind to what is hidden, and worth watching."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import Stage, play, seen_by, stages
from pbem.engine.adjudicate import adjudicate, game_of, start
from pbem.engine.answers import Inputs
from pbem.engine.game import Game
from pbem.engine.resolve import faults_of
from pbem.engine.system import find
from pbem.rules import Json, Position
from pbem.systems.victory.rules.sides import recompute_control
from tests.nightly import IN_CI

VICTORY = find("victory")


@cache
def game(seed: str) -> tuple[Stage, ...]:
    return play(VICTORY, "sarn_strait", None, seed, clever).stages


def asked(seed: str) -> Iterator[tuple[Stage, Any]]:
    for stage in game(seed):
        for question in stage.outcome.pending:
            yield stage, question


def kinds(seed: str) -> Counter[str]:
    return Counter(told.event["event"] for stage in game(seed) for told in stage.outcome.told)  # type: ignore[misc]


@pytest.mark.parametrize("seed", ["fir", "yew"])
def test_no_answer_of_his_is_refused(seed: str) -> None:
    assert [why for stage in game(seed) for _, why in stage.outcome.diagnostics] == []
    assert game(seed)[-1].outcome.finished


def test_his_games_have_something_of_everything() -> None:
    found = kinds("fir") + kinds("yew")
    for kind in ("battle-began", "block-fired", "blocks-responded", "supply-unit-revealed", "blocks-built"):
        assert found[kind], f"no {kind} in two games"
    assert found["base-changed-hands"] > 4


def test_he_does_not_know_what_is_hidden_from_him() -> None:
    """The same view gives the same answer, whatever stands under the enemy's blocks."""
    compared = 0
    for stage, question in asked("fir"):
        if question.kind != "turn-order":
            continue
        other = stage.outcome.position.copy()
        for unit, fields in sorted(other.counters.items()):
            if fields["owner"] not in VICTORY.friends(
                seen_by(VICTORY, stage.outcome, question.party), question.party
            ):
                if fields["type"] == "IN":
                    other.set(unit, cv=1)
        changed = replace(stage.outcome, position=other)
        answers = []
        for outcome in (stage.outcome, changed):
            decision = VICTORY.decision(question.kind, question.party, question.fields)
            answers.append(clever(seen_by(VICTORY, outcome, question.party), decision, random.Random(1)))
        assert answers[0] == answers[1]
        compared += 1
        if compared == 6:
            break
    assert compared == 6


@pytest.mark.parametrize("scenario", VICTORY.scenarios())
def test_every_scenario_can_be_played(scenario: str) -> None:
    for stage in stages(VICTORY, scenario, None, "ash", clever):
        assert not stage.outcome.diagnostics
        if stage.number == 12:
            break


@pytest.mark.parametrize(
    "options",
    [
        {"battle_mode": "interactive"},
        pytest.param({"front_line_replacements": "all", "building_cadres": True}, marks=IN_CI),
    ],
)
def test_he_plays_with_every_option(options: dict[str, Json]) -> None:
    for stage in stages(VICTORY, "sarn_strait", options, "ash", clever):
        assert not stage.outcome.diagnostics
        if stage.number == 25:
            break


# ---- single judgements: only a few blocks on the map ------------------------------------------------


def table(*blocks: tuple[str, str, int, str], round: int = 1) -> Game:
    """A position with these blocks: id, type, CV, hex; owners by the first letter."""
    outcome = adjudicate(VICTORY, start(VICTORY, "sarn_strait"), Inputs(0))
    tracks = dict(outcome.position.tracks) | {"round": round, "place": "red", "acted": False}
    tracks["initiative"] = {"holder": "red", "quota": 3, "taken": 0, "waived": False, "previous_holder": None}
    owners = {"R": "red", "B": "blue", "G": "green"}
    counters = {
        id: {"owner": owners[id[0]], "type": code, "cv": cv, "hex": hex} for id, code, cv, hex in blocks
    }
    truth = game_of(VICTORY, outcome.state, Position(counters, tracks))
    recompute_control(truth)
    facts = {f.key: f.value for f in VICTORY.facts(truth) if f.audience == ("*",) or "red" in f.audience}
    world = truth.world
    position = VICTORY.view_position(facts, "red", world)
    return Game(VICTORY, truth.scenario, truth.options, truth.players, position, world=world, viewer="red")


def turn(game: Game, round: int = 1) -> dict[str, Any]:
    decision = VICTORY.decision("turn-order", "red", {"round": round, "owed": 3})
    found = clever(game, decision, random.Random(1))
    assert faults_of(game, decision, found) == []
    assert isinstance(found, dict)
    return found


def ends(found: dict[str, Any]) -> dict[str, str]:
    """Where each block goes."""
    return {move["unit"]: move.get("to") or move["path"][-1] for move in found.get("moves", [])}


def test_he_attacks_a_weak_neighbour_with_a_superior_stack() -> None:
    found = turn(table(("R-AR1", "AR", 4, "0507"), ("R-IN1", "IN", 4, "0507"), ("G-IN1", "IN", 2, "0606")))
    assert ends(found)["R-AR1"] == "0606"


def test_he_leaves_a_stronger_stack_alone() -> None:
    found = turn(table(("R-IN1", "IN", 1, "0507"), ("G-IN1", "IN", 4, "0606"), ("G-IN2", "IN", 4, "0606")))
    assert ends(found).get("R-IN1") != "0606"


def test_he_walks_into_a_base_that_nobody_holds() -> None:
    found = turn(table(("R-IN1", "IN", 2, "0907"), ("G-IN1", "IN", 4, "0707")))
    assert ends(found)["R-IN1"] == "0906"


def test_he_keeps_a_garrison_in_a_city_that_is_threatened() -> None:
    found = turn(table(("R-IN1", "IN", 4, "0305"), ("B-IN1", "IN", 4, "0406")))
    assert "R-IN1" not in ends(found)


def test_he_keeps_a_garrison_in_a_base_he_took() -> None:
    found = turn(table(("R-IN1", "IN", 4, "0906"), ("B-IN1", "IN", 1, "1102")))
    assert "R-IN1" not in ends(found)


def test_later_he_reveals_a_supply_unit_for_the_blocks_at_the_front() -> None:
    blocks = [("R-AR1", "AR", 4, "0507"), ("R-IN1", "IN", 4, "0507"), ("G-IN1", "IN", 1, "0606")]
    found = turn(table(*blocks, ("R-SU1", "SU", 3, "0406"), ("R-SU2", "SU", 3, "0202"), round=2), 2)
    assert ends(found)["R-AR1"] == "0606"
    assert [one["su"] for one in found["reveal"]] in (["R-SU1"], ["R-SU2"])


def test_he_spends_every_point_he_can() -> None:
    blocks = [("R-IN1", "IN", 1, "0202"), ("R-IN2", "IN", 1, "0202"), ("B-IN1", "IN", 4, "1102")]
    decision = VICTORY.decision("production", "red", {})
    found = clever(table(*blocks), decision, random.Random(1))
    assert isinstance(found, dict)
    spent = {"0202": 0}
    for one in found["spend"]:
        spent[one["city"]] = spent.get(one["city"], 0) + one["steps"]
    assert spent["0202"] == 3
