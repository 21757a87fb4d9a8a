"""The answers that do nothing more in a part of the turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.archive.ordering import order_file
from pbem.archive.ordering.nothing_more import NothingMore, nothing_more
from pbem.engine import system as systems
from tests.unit.archive.table import Table, begun

PASS = {"choice": "pass"}
SECOND = "GT1/2.R2/red/2.C/turn-order"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Red begins the first game turn, which has three rounds."""
    return begun(tmp_path, systems.find("victory"), "sarn_strait_two", ("red", "blue"), by=(3, 3))


def offered(table: Table, given: dict[str, Any], later: Any = lambda *_: None) -> NothingMore | None:
    folder = table.players["red"].folder
    return nothing_more(folder, order_file.questions(folder), given, later)


def test_it_answers_all_that_comes_in_this_turn_and_ends_with_it(table: Table) -> None:
    ((key,),) = [list(keys) for party, keys in table.progress.asked.items() if party == "red"]
    more = offered(table, {})
    assert more is not None and str(more.part) == "Game turn 1"
    assert [(step.question.key, step.answer, step.how) for step in more.steps] == [
        (key, PASS, "asked"),
        (SECOND, PASS, "ahead"),
    ]
    assert [step.rest for step in more.steps] == [
        None,
        {"decision": "turn-order", "until": "2", "unless": "attacked"},
    ]


def test_what_is_answered_already_is_no_part_of_it(table: Table) -> None:
    ((key,),) = [list(keys) for party, keys in table.progress.asked.items() if party == "red"]
    more = offered(table, {key: PASS})
    assert more is not None and [step.question.key for step in more.steps] == [SECOND]
    assert offered(table, {}, lambda number, game, decision: PASS if number == 1 else None) is None
