"""4.2.2, 7.2 Drops planned by commitment in a game without fog: who flies opens his plan, and it must fit."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.answers import ScriptedSource
from pbem.engine.cursor import Cursor
from pbem.engine.leaf import LeafEnd, LeafRun, StageNotes
from pbem.engine.outline import Node
from pbem.systems.ocs.pieces import Filed, T
from pbem.systems.ocs.views import facts
from tests.unit.ocs.test_any_order import board

DROP = {"kind": "drop", "aircraft": ["A-X1"], "hex": "12.05", "units": ["A-1P"]}


def fly(plan: dict[str, Any] | None, filed: int = 1) -> tuple[LeafEnd, T]:
    """The Movement Segment of turn 3 with a drop; the plan says this, or is not opened yet."""
    game = board("crossing_the_tol", "C", "aster")
    t = T.of(game)
    t.turn, t.plans = 3, {}
    t.sealed_plans = {"A-1P": Filed("a key", filed)}
    game.position.set("A-X1", active=True)
    game.position.set("B-F1", active=False)
    node = game.system.outline.find("T.2.C.2.m")
    assert node is not None
    cursor = Cursor(game.system, Node("part", "group", "", "", "", None, (node,)), [])
    cursor.start(game, "aster")
    source = ScriptedSource({"aster": {"actions/movement": {"actions": [{"air": DROP}]}}}, [[6, 6]], stage=2)
    entry: dict[str, Any] = {"seal": "a key", "party": "aster", "stage": 1, "lodged": True, "commit": "00"}
    kept = ({**entry, **({} if plan is None else {"value": plan})},)
    return LeafRun(game, cursor.place(), None, source, StageNotes(), kept).run(), T.of(game)


def names(end: LeafEnd) -> list[str]:
    return [str(told.event["event"]) for told in end.told]


def test_a_plan_that_fits_is_opened_and_flown() -> None:
    end, t = fly({"hex": "12.05", "turn": 3})
    assert names(end)[:2] == ["drop-opened", "mission-flown"]
    assert "drop-rolled" in names(end)
    assert not t.plans and not t.sealed_plans


def test_who_flies_must_open_his_plan_first() -> None:
    end, _ = fly(None)
    assert [question.party for question in end.pending] == ["aster"]
    assert "mission-flown" not in names(end)


@pytest.mark.parametrize(
    ("plan", "filed"),
    [({"hex": "11.07", "turn": 3}, 1), ({"hex": "12.05", "turn": 4}, 1), ({"hex": "12.05", "turn": 3}, 2)],
    ids=["another hex", "a later turn", "filed too late"],
)
def test_a_plan_that_says_something_else_is_shown_and_the_drop_refused(
    plan: dict[str, Any], filed: int
) -> None:
    end, t = fly(plan, filed)
    assert names(end)[:2] == ["drop-opened", "action-refused"]
    assert "mission-flown" not in names(end)
    assert not t.sealed_plans


def test_nobody_reads_a_sealed_plan_in_the_position() -> None:
    game = board("crossing_the_tol", "C", "aster")
    T.of(game).plans = {}
    T.of(game).sealed_plans = {"A-1P": Filed("a key", 1)}
    shown = {fact.key: fact.value for fact in facts(game)}
    assert shown["track/sealed_plans"] == {"A-1P": {"key": "a key", "turn": 1}}
