"""Standing orders and advance orders that cannot be used: what their author is told, and what a run drops."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.stages import standing_orders
from pbem.stages.standing_orders import MOST, fact_faults, faults, usable
from tests.primer import SYSTEM
from tests.unit.archive.paper import last
from tests.unit.archive.table import Table

BID: dict[str, Any] = {"decision": "bid", "answer": 2}
ONCE = {**BID, "once": "a"}

NO_LIST = ["wrong-type standing wanted-list-of-standing-orders"]
TEST = "bad-test standing.0.when.a found-wanted"
CASES: list[tuple[Any, list[str]]] = [
    # a list
    ({}, NO_LIST),
    ("bid", NO_LIST),
    ([], []),
    ([BID, BID], []),
    ([BID] * MOST, []),
    ([BID] * (MOST + 1), ["too-many standing too-many"]),
    ([ONCE, {**ONCE, "once": "b"}], []),
    ([ONCE, ONCE], ["same-name standing.1 same-name"]),
    ([ONCE, {**BID, "name": "a", "until": "T"}], ["same-name standing.1 same-name"]),
    # an entry
    ([5], ["wrong-type standing.0 found-wanted"]),
    ([{}], ["wrong-type standing.0 found-wanted"]),
    ([{"reaction": {"retreat_at_most": 2}}], []),
    ([{"reaction": "stand"}], ["wrong-type standing.0.reaction wrong-type"]),
    ([{"bid": 1}], ["unknown-key standing.0.bid unknown-key !"]),
    ([{"reaction": "stand", "bid": 1}], ["two-forms standing.0 two-forms"]),
    ([{"decision": 5}], ["unknown-key standing.0.decision unknown-key"]),
    ([{"decision": "bidd", "answer": 1}], ["unknown-key standing.0.decision unknown-key"]),
    ([{"decision": "bid"}], ["missing-key standing.0 answer-missing"]),
    ([{**BID, "answer": "x"}], ["wrong-type standing.0.answer wrong-type"]),
    ([{**BID, "onec": "a"}], ["unknown-key standing.0.onec unknown-key !"]),
    # names
    ([{**BID, "once": "x" * 60}], []),
    ([{**BID, "once": "x" * 61}], ["bad-name standing.0.once found-wanted"]),
    ([{**BID, "once": ""}], ["bad-name standing.0.once found-wanted"]),
    ([{**BID, "once": "a b"}], ["bad-name standing.0.once found-wanted"]),
    ([{**BID, "once": 5}], ["bad-name standing.0.once found-wanted"]),
    ([{**BID, "name": "ä", "until": "T"}], ["bad-name standing.0.name found-wanted"]),
    ([{**ONCE, "name": "b"}], ["two-names standing.0.name two-names !"]),
    # for how long
    ([{**BID, "name": "a"}], ["missing-key standing.0.name entry-with-name-needs-until-or-once !"]),
    ([{**BID, "name": "a", "until": "T"}], []),
    ([{**ONCE, "until": "movement"}], []),
    ([{**ONCE, "until": "nowhere"}], ["unknown-key standing.0.until unknown-key"]),
    ([{**BID, "until": "T"}], ["missing-key standing.0.until word-needs-once ! +"]),
    ([{**ONCE, "unless": "attacked"}], []),
    ([{**ONCE, "unless": "tired"}], ["not-one-of standing.0.unless found-wanted"]),
    ([{**BID, "unless": "attacked"}], ["missing-key standing.0.unless word-needs-once !"]),
    # for what
    ([{**ONCE, "subject": ["n1", 2]}], []),
    ([{**ONCE, "subject": "n1"}], ["wrong-type standing.0.subject wanted-list-of-words-and-numbers"]),
    ([{**ONCE, "subject": [True]}], ["wrong-type standing.0.subject wanted-list-of-words-and-numbers"]),
    ([{**BID, "subject": ["n1"]}], ["missing-key standing.0.subject word-needs-once !"]),
    ([{**ONCE, "on_illegal": "ask"}], []),
    ([{**ONCE, "on_illegal": "skip"}], []),
    ([{**ONCE, "on_illegal": "try"}], ["wrong-type standing.0.on_illegal wanted-ask-or-skip"]),
    ([{**BID, "on_illegal": "ask"}], ["missing-key standing.0.on_illegal word-needs-once !"]),
    # conditions
    ([{**BID, "when": []}], ["wrong-type standing.0.when wanted-mapping-of-facts"]),
    ([{**BID, "when": {"a": "x", "b": 1, "c": ["x", 1]}}], []),
    ([{**BID, "when": {"a": {"at_least": 1, "at_most": 2}}}], []),
    ([{**BID, "when": {"a": None}}], [TEST]),
    ([{**BID, "when": {"a": []}}], [TEST]),
    ([{**BID, "when": {"a": [1, None]}}], [TEST]),
    ([{**BID, "when": {"a": {}}}], [TEST]),
    ([{**BID, "when": {"a": {"at_least": 1, "most": 2}}}], [TEST]),
    ([{**BID, "when": {"a": {"at_least": "1"}}}], [TEST]),
    ([{**BID, "when": {"a": {"at_least": 1, "at_most": True}}}], [TEST]),
]


def told(found: Any) -> list[str]:
    """Code, place and sentence; `!` for a fault of a key, `+` for one with advice besides a near word."""
    return [
        " ".join(
            [
                fault.code,
                ".".join(map(str, fault.path)),
                last(fault.message),
                *(["!"] if fault.on_key else []),
                *(["+"] if any(last(line) != "did-you-mean" for line in fault.help) else []),
            ]
        )
        for fault in found
    ]


@pytest.mark.parametrize(("orders", "wanted"), CASES, ids=[str(i) for i in range(len(CASES))])
def test_what_is_wrong_with_a_standing_order_is_said_where_it_stands(orders: Any, wanted: list[str]) -> None:
    assert told(faults(SYSTEM, orders)) == wanted
    if isinstance(orders, list) and len(orders) == 1:
        assert usable(SYSTEM, orders) == ([] if wanted else orders), "a run uses what has no fault"


def test_a_word_that_is_nearly_known_is_named() -> None:
    for orders, near in (
        ([{"reactoin": "stand"}], "reaction"),
        ([{**BID, "decision": "bidd"}], "bid"),
        ([{**ONCE, "until": "moves"}], None),
    ):
        (fault,) = faults(SYSTEM, orders)
        assert fault.help == ((f"did you mean '{near}'?",) if near else ())


def test_a_run_takes_the_first_of_a_name_and_no_more_than_may_be_filed() -> None:
    second = {**ONCE, "answer": 3}
    assert usable(SYSTEM, [ONCE, BID, second, BID]) == [ONCE, BID, BID]
    assert usable(SYSTEM, [{**second, "answer": "x"}, ONCE]) == [ONCE], "a bad one holds no name"
    assert len(usable(SYSTEM, [BID] * (MOST + 5))) == MOST


@pytest.mark.parametrize(
    ("when", "wanted"),
    [
        ({"turn": 3}, []),
        ({"turn": {"at_most": 3}}, []),
        ({"turn": [1, "x"]}, ["wrong-type standing.1.when.turn.1 wrong-type"]),
        ({"turn": "x"}, ["wrong-type standing.1.when.turn wrong-type"]),
        ({"weather": 1}, ["unknown-key standing.1.when.weather unknown-key !"]),
        ({"unit/n1": 1}, []),
    ],
)
def test_a_fact_that_its_question_never_has_is_named_to_the_author(when: Any, wanted: list[str]) -> None:
    assert told(fact_faults(SYSTEM, [BID, {**BID, "when": when}])) == wanted


def test_bounds_need_a_number() -> None:
    order = {"decision": "reaction", "answer": "stand", "when": {"unit": {"at_least": 1}}}
    assert told(fact_faults(SYSTEM, [{"reaction": "stand"}, order])) == [
        "bad-test standing.1.when.unit bounds-of-what-is-no-number"
    ]


@pytest.mark.parametrize("system", [SYSTEM], ids=["open"])
def test_a_new_list_takes_the_place_of_its_party_s_old_one_alone(started: Table) -> None:
    state = started.gm.folder.state()
    before = replace(
        state, standing={"north": [BID], "south": [ONCE]}, spent={"north": ["a", "b"], "south": ["c"]}
    )
    lists, spent = standing_orders.replaced(SYSTEM, before, {"north": [ONCE, {**BID, "once": "n"}, 5]})
    assert lists == {"north": [{**BID, "once": "n"}], "south": [ONCE]}, "a spent name does not come back"
    assert spent == {"north": ["a"], "south": ["c"]}, "a name is remembered while a list has it"
    lists, spent = standing_orders.replaced(SYSTEM, before, {"north": []})
    assert lists == {"south": [ONCE]} and spent == {"south": ["c"]}
