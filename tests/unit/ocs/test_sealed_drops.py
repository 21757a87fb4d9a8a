"""4.2.2, 7.2 Drops planned by commitment in a game without fog: who flies opens his plan, and it must fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.archive.ordering import order_file
from pbem.engine.answers import ScriptedSource
from pbem.engine.cursor import Cursor
from pbem.engine.leaf import LeafEnd, LeafRun, StageNotes
from pbem.engine.outline import Node
from pbem.engine.system import System
from pbem.model.codec import from_json
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.decisions.loop import Acting
from pbem.systems.ocs.rules.pieces import Filed, T
from pbem.systems.ocs.rules.views import HIDDEN
from tests.unit.archive.table import Seat, Table
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
    shown = {fact.key: fact.value for fact in HIDDEN.facts(game)}
    assert shown["track/sealed_plans"] == {"A-1P": {"key": "a key", "turn": 1}}


def offered(plan: dict[str, Any] | None, turn: int = 3, filed: int = 1) -> list[Any]:
    """The drops that the owner of a sealed plan is offered in his Movement Segment of turn 3."""
    game = board("crossing_the_tol", "C", "aster")
    t = T.of(game)
    t.turn, t.plans, t.sealed_plans = 3, {}, {"A-1P": Filed("a key", filed)}
    game.position.set("A-X1", active=True)
    if plan is not None:
        game.laid_down = {"sealed-drop/A-1P": {**plan, "turn": turn}}.get
    found = Acting(game.copy(), "aster", "movement").next("A-X1")
    missions = [one.element.value.air for one in found if one.element.value.air is not None]
    return [(m.hex, m.units) for m in missions if m.kind == "drop"]


def test_a_sealed_drop_is_offered_to_its_owner_when_it_is_due() -> None:
    plan = {"hex": "12.05"}
    assert offered(plan) == [("12.05", ("A-1P",))]
    assert offered(plan, turn=4) == [], "not due"
    assert offered(plan, turn=3, filed=2) == [], "filed too late, it counts for nothing"
    assert offered(None) == [], "nobody else's tool knows where"


def test_who_knows_his_plan_is_told_at_once_that_a_drop_does_not_fit_it() -> None:
    game = board("crossing_the_tol", "C", "aster")
    t = T.of(game)
    t.turn, t.plans, t.sealed_plans = 3, {}, {"A-1P": Filed("a key", 1)}
    game.position.set("A-X1", active=True)
    decision = SYSTEM.decision("actions", "aster", {"segment": "movement", "round": 1})
    answer = from_json(decision.answer, {"actions": [{"air": {**DROP, "hex": "11.07"}}]})
    assert not decision.check(game, answer), "the rules do not know it yet"
    game.laid_down = {"sealed-drop/A-1P": {"hex": "12.05", "turn": 3}}.get
    assert [fault.code for fault in decision.check(game, answer)] == ["E-PLAN"]


@pytest.fixture
def planning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """An open game of the scenario without its printed plan, before the first dice."""
    known = System.scenario

    def without_plan(system: System, name: str) -> dict[str, Any]:
        data = dict(known(system, name))
        if name == "crossing_the_tol":
            oob = data["oob"]
            data["oob"] = {**oob, "aster": {k: v for k, v in oob["aster"].items() if k != "drop_plans"}}
        return data

    monkeypatch.setattr(System, "scenario", without_plan)
    table = Table(tmp_path, SYSTEM, "crossing_the_tol", ["aster", "bren"], chain_length=64)
    table.start()
    return table


def planned(seat: Seat, plan: dict[str, Any]) -> order_file.Checked:
    folder = seat.folder
    text = seat.file({"drop-plans": {"new": {"A-1P": plan}}})
    return order_file.check(folder, order_file.load(folder, text, "orders.yaml"))


def test_without_fog_a_plan_under_drop_plans_is_a_commitment_too(planning: Table) -> None:
    """Filed before the game, it may be for turn 1; nobody but its owner and the GM can read where."""
    aster, bren = planning.players["aster"], planning.players["bren"]
    checked = planned(aster, {"hex": "12.05", "turn": 1})
    assert checked.ok and list(checked.answers) == ["sealed-drop/A-1P"]
    assert checked.answers["sealed-drop/A-1P"].secret and checked.standing is None
    mail = aster.order({"drop-plans": {"new": {"A-1P": {"hex": "12.05", "turn": 1}}}})
    assert "12.05" not in mail.read_text("utf-8")
    bren.order({})
    planning.post()
    assert planning.run().done
    view = aster.folder.view()
    assert not view.game.tracks.get("plans") and view.game.tracks["sealed_plans"]["A-1P"]["turn"] == -1
    assert view.game.laid_down("sealed-drop/A-1P") == {"hex": "12.05", "turn": 1}
    for reader in (bren.folder.view(), planning.gm.folder.view("aster"), aster.folder.view(public=True)):
        assert reader.game.laid_down("sealed-drop/A-1P") is None
    state = (bren.root / "state.yaml").read_text("utf-8")
    assert "/sealed-drop/A-1P" in state and '{"hex":"12.05","turn":1}' not in "".join(state.split())


def test_a_plan_that_is_none_is_refused_before_it_is_sealed(planning: Table) -> None:
    checked = planned(planning.players["aster"], {"hex": "01.01", "turn": 1})
    assert [(fault.code, fault.path[-1]) for fault in checked.diagnostics] == [("E-PLAN", "hex")]
    assert all(fault.span is not None for fault in checked.diagnostics) and not checked.answers


def test_a_list_for_everybody_to_read_takes_no_plan(planning: Table) -> None:
    folder = planning.players["aster"].folder
    entry = {
        "decision": "drop-plans",
        "once": "later",
        "answer": {"new": {"A-1P": {"hex": "12.05", "turn": 3}}},
    }
    head = {"game": folder.need_roster().game[:12], "stage": folder.progress.open_stage, "ahead": [entry]}
    document = order_file.load(folder, str(head).replace("'", '"'), "orders.yaml")
    assert [fault.code for fault in order_file.check(folder, document).diagnostics] == ["not-ahead"]
