"""What the game master changes by his word, and what he must override by name (4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pbem.board.position import Position
from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.game import Game
from pbem.engine.system import System
from pbem.model.state import GameState
from pbem.stages import rulings
from pbem.stages.inputs import Setting
from pbem.stages.rulings import Ruling, changed, check_ruling
from pbem.text.diagnostics import Refused
from tests.primer import FOG, SYSTEM
from tests.unit.archive.paper import last
from tests.unit.stages.desk import Desk, roster_of

AT, GONE = "0101", None


def position() -> Position:
    units: dict[str, Any] = {
        "n1": {"owner": "north", "hex": AT, "steps": 2},
        "s1": {"owner": "south", "hex": "0204", "steps": 1},
    }
    return Position(units, {"moved": {"north": 1}, "turn": 2, "seats": {"east": "north"}})


def refusal(call: Any, *args: Any) -> list[str]:
    try:
        call(*args)
    except Refused as refused:
        return [f"{one.code} {last(one.message)}" for one in refused.diagnostics]
    return []


CHANGES: list[tuple[Any, dict[str, Any]]] = [
    ({"move": "n1", "to": "0202"}, {"n1": {"owner": "north", "hex": "0202", "steps": 2}}),
    ({"move": "n1", "to": None}, {"n1": {"owner": "north", "hex": None, "steps": 2}}),
    ({"remove": "n1"}, {"n1": None}),
    ({"add": "n2", "fields": {"owner": "north", "hex": AT}}, {"n2": {"owner": "north", "hex": AT}}),
    ({"set": "n1", "fields": {"steps": 1}}, {"n1": {"owner": "north", "hex": AT, "steps": 1}}),
    ({"track": "turn", "value": 3}, {"turn": 3}),
    ({"track": "moved/north", "value": 0}, {"moved": {"north": 0}}),
    ({"track": "seats/east", "value": "south"}, {"seats": {"east": "south"}}),
    ({"override": "4.1"}, {}),
]


@pytest.mark.parametrize(("change", "wanted"), CHANGES, ids=range(len(CHANGES)))
def test_each_change_changes_what_it_names_and_nothing_else(change: Any, wanted: dict[str, Any]) -> None:
    before = position()
    after = changed(before, [change]).to_json()
    expected = position().to_json()
    counters: Any = expected["counters"]
    tracks: Any = expected["tracks"]
    for name, value in wanted.items():
        if name in ("turn", "moved", "seats"):
            tracks[name] = value
        elif value is None:
            del counters[name]
        else:
            counters[name] = {key: what for key, what in value.items() if what is not None}
    kept: Any = after["counters"]
    after["counters"] = {
        id: {key: what for key, what in one.items() if what is not None} for id, one in kept.items()
    }
    assert after == expected
    assert before.to_json() == position().to_json(), "what was there before is left alone"


IMPOSSIBLE: list[tuple[Any, str]] = [
    ({"move": "x9", "to": AT}, "x9"),
    ({"remove": "x9"}, "x9"),
    ({"set": "x9", "fields": {}}, "x9"),
    ({"add": "n1", "fields": {"owner": "north"}}, "n1"),
    ({"track": "moon", "value": 1}, "moon"),
    ({"track": "moon/phase", "value": 1}, "moon/phase"),
    ({"track": "moved/west", "value": 1}, "moved/west"),
    ({"track": "turn/north", "value": 1}, "turn/north"),
    ({"track": "turn/north/deep", "value": 1}, "turn/north/deep"),
    ({"move": "n1"}, ""),
    ({"move": "n1", "to": AT, "fast": True}, ""),
    ({"remove": "n1", "to": AT}, ""),
    ({"add": "n2", "fields": {}, "to": AT}, ""),
    ({"set": "n1", "fields": {"steps": 1}, "to": AT}, ""),
    ({"set": "n1", "fields": 5}, ""),
    ({"track": "turn", "value": 1, "to": AT}, ""),
    ({"override": "4.1", "to": AT}, ""),
    ({"override": 4}, ""),
    ({"teleport": "n1"}, ""),
    (5, ""),
]


@pytest.mark.parametrize(("change", "named"), IMPOSSIBLE, ids=range(len(IMPOSSIBLE)))
def test_what_cannot_be_changed_is_named_with_its_number(change: Any, named: str) -> None:
    with pytest.raises(Refused) as refused:
        changed(position(), [{"move": "s1", "to": AT}, change])
    (fault,) = refused.value.diagnostics
    assert fault.code == "bad-change" and "2" in fault.message and named in fault.message
    why: Any = fault.message
    reason = last(why.fields["reason"])
    assert (reason == "there-is-no-such-thing") is (named not in ("", "n1")), reason


def test_a_ruling_stands_while_doing_it_again_would_change_nothing() -> None:
    every: list[Any] = [change for change, _ in CHANGES if "remove" not in change and "move" not in change]
    done = changed(position(), every)
    assert rulings._stand(done, every)
    for undone in ({"add": "n2"}, {"set": "n1"}, {"track": "turn"}):
        before = [one for one in every if not set(undone) & set(one)]
        assert not rulings._stand(changed(position(), before), every), undone
    gone = changed(position(), [{"remove": "n1"}])
    assert rulings._stand(gone, [{"remove": "n1"}]) and not rulings._stand(position(), [{"remove": "n1"}])


def test_rulings_are_read_in_the_order_of_their_ids_with_the_changes_that_are_known_here() -> None:
    desk = Desk(roster_of(), 3)
    listed = [{"remove": "n1"}]
    open_ = desk.amends({"op": "ruling", "reason": "a slip", "changes": listed})
    sealed = [
        desk.amends({"op": "ruling", "reason": why, "commit": "c" * 64}) for why in ("one", "two", "three")
    ]
    other = desk.amends({"op": "option", "name": "absent", "value": "skip"})
    opened: Any = {sealed[0].sid: listed, sealed[1].sid: "no list"}
    found = rulings.rulings_in([*sealed, other, open_], opened)
    by_reason = {
        "a slip": Ruling(3, "a slip", listed),
        "one": Ruling(3, "one", listed),
        "two": Ruling(3, "two", None),
        "three": Ruling(3, "three", None),
    }
    order = sorted([open_, *sealed], key=lambda one: one.sid)
    assert found == [by_reason[one.amendment.ops[0]["reason"]] for one in order]


# --- checks ---------------------------------------------------------------------------------------------


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> GameState:
    """A game under rules that allow two steps at most, and each side two units."""

    def invariants(game: Game) -> Sequence[str]:
        units = sorted(game.position.counters.items())
        over = [
            f"steps: {id} has {one['steps']}"
            for id, one in units
            if isinstance(one["steps"], int) and one["steps"] > 2
        ]
        return [*over, *("many, there are too many" for _ in range(len(units) - 4))]

    monkeypatch.setattr(SYSTEM, "invariants_hook", invariants)
    return start(SYSTEM, "ford", SYSTEM.options(SYSTEM.scenario("ford"), {}))


def test_a_ruling_overrides_by_name_each_check_that_it_breaks_and_no_other(state: GameState) -> None:
    unit, other = sorted(state.position.counters)[:2]
    strong = {"set": unit, "fields": {"steps": 3}}
    more = {"add": "x1", "fields": {"owner": "north", "hex": AT, "steps": 1}}

    def check(*changes: Any) -> list[str]:
        return refusal(check_ruling, SYSTEM, state, list(changes))

    assert check({"set": unit, "fields": {"steps": 2}}) == []
    assert check(strong) == [f"against-the-rules steps: {unit} has 3"]
    assert check(strong, {"override": "steps"}) == []
    assert check(strong, more) == [
        "against-the-rules many, there are too many",
        f"against-the-rules steps: {unit} has 3",
    ]
    assert check(strong, more, {"override": "many"}) == [f"against-the-rules steps: {unit} has 3"]
    assert check(strong, {"override": "many"}, {"override": "steps"}) == ["idle-override idle-override"]
    assert check({"override": "nothing"}) == ["idle-override idle-override"]
    with pytest.raises(Refused) as idle:
        check_ruling(SYSTEM, state, [{"override": name} for name in "dbacfe"])
    told: list[Any] = [one.message for one in idle.value.diagnostics]
    assert [one.fields["name"] for one in told] == [*"abcdef"]
    with pytest.raises(Refused) as refused:
        check_ruling(SYSTEM, state, [strong])
    assert "steps" in refused.value.diagnostics[0].help[0]
    broken = {"set": other, "fields": {"steps": 4}}
    state.position.set(unit, steps=3)
    assert check(broken) == [f"against-the-rules steps: {other} has 4"], (
        "what was broken before is nobody's fault"
    )
    assert check({"set": unit, "fields": {"steps": 4}}) == [f"against-the-rules steps: {unit} has 4"]
    assert check(strong) == []


def test_a_position_that_the_rules_cannot_read_is_refused(state: GameState) -> None:
    unit = sorted(state.position.counters)[0]
    changes = [{"add": "x1", "fields": {"owner": "north"}}]
    assert refusal(check_ruling, SYSTEM, state, changes) == [
        "bad-change rules-cannot-make-anything-of-this-position"
    ]
    assert refusal(check_ruling, SYSTEM, state, [{"remove": "x9"}]) == ["bad-change change-cannot-be-made"]
    assert unit


# --- at the end of a stage ------------------------------------------------------------------------------


def outcome_of(system: System) -> Outcome:
    begun = adjudicate(system, start(system, "ford"), Inputs(stage=0))
    assert begun.state.open is not None
    return begun


@pytest.mark.parametrize(("system", "told"), [(SYSTEM, True), (FOG, False)], ids=["open", "fog"])
def test_rulings_change_the_position_and_are_marked_with_changes_where_nothing_is_hidden(
    system: System, told: bool
) -> None:
    setting, before = Setting(system, roster_of()), outcome_of(system)
    unit = sorted(before.position.counters)[0]
    listed: list[Any] = [{"set": unit, "fields": {"steps": 9}}]
    after = rulings.with_rulings(setting, before, [Ruling(1, "a slip", listed), Ruling(2, "sealed", None)])
    first: dict[str, Any] = {"stage": 1, "reason": "a slip", **({"changes": listed} if told else {})}
    assert after.state.rulings == [first, {"stage": 2, "reason": "sealed"}]
    for place in (after.position, after.state.position):
        assert place.counters[unit]["steps"] == 9
    assert before.position.counters[unit]["steps"] != 9 and not before.state.rulings
    assert after.pending == before.pending and after.state.previous == before.state.previous
    assert rulings.with_rulings(setting, before, []) == before
    more = rulings.with_rulings(setting, after, [Ruling(3, "again", None)])
    assert [one["reason"] for one in more.state.rulings] == ["a slip", "sealed", "again"]


def test_a_ruling_between_two_phases_changes_the_position_at_once() -> None:
    setting, begun = Setting(SYSTEM, roster_of()), outcome_of(SYSTEM)
    over = replace(begun, state=replace(begun.state, open=None))
    unit = sorted(over.position.counters)[0]
    after = rulings.with_rulings(setting, over, [Ruling(1, "a slip", [{"remove": unit}])])
    assert unit not in after.position.counters and unit not in after.state.position.counters
    assert after.position is not after.state.position and unit in begun.position.counters


def test_what_was_played_in_a_phase_under_way_stays_played_or_the_ruling_waits() -> None:
    setting = Setting(SYSTEM, roster_of())
    here = outcome_of(SYSTEM)
    for stage in range(1, 4):  # on into a phase in which a unit has moved
        replies: dict[str, dict[str, Reply]] = {}
        for question in here.pending:
            game = game_of(SYSTEM, here.state, here.position)
            asked = SYSTEM.decision(question.kind, question.party, question.fields)
            options = [one.answer for one in asked.options(game)]
            replies.setdefault(question.party, {})[question.key] = Reply(options[-1])
        here = adjudicate(SYSTEM, here.state, Inputs(stage, replies, seed=bytes([stage]) * 32))
    assert here.state.open is not None and here.state.open.journal, "somebody has moved"
    moved = sorted(
        id for id, one in here.position.counters.items() if one != here.state.position.counters.get(id)
    )
    assert moved
    undone: list[Any] = [{"remove": moved[0]}]
    assert refusal(rulings.with_rulings, setting, here, [Ruling(5, "x", undone)]) == [
        "ruling-in-phase ruling-in-phase"
    ]
    other = sorted(set(here.position.counters) - set(moved))[-1]
    fine = rulings.with_rulings(setting, here, [Ruling(5, "x", [{"set": other, "fields": {"mark": 1}}])])
    assert fine.position.counters[other]["mark"] == 1
    assert fine.position.counters[moved[0]] == here.position.counters[moved[0]]
