"""Player turns: stages that were played in the same turn are one act, titled by what happened in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.reader import Meta, View
from pbem.report.structure import Report
from pbem.report.whole.acts import acts


def told(kind: str, at: str, **fields: Any) -> dict[str, Any]:
    return {"event": kind, "rule": "4", "at": at, **fields}


@pytest.fixture
def stage(view: View, meta: Meta) -> Any:

    def made(number: int, *events: Mapping[str, Any]) -> Report:
        stories = [Told(PUBLIC, dict(one), n) for n, one in enumerate(events)]
        return compose(None, stories, view, replace(meta, stage=number))

    return made


def test_stages_of_one_player_s_turn_are_one_act(stage: Any) -> None:
    north, south = "Game turn 1, Player turn of north, Move", "Game turn 1, Player turn of south, Move"
    found = acts(
        [
            stage(1, told("moved", north, owner="north", hex="0102", path=["0101", "0102"], blocks=1)),
            stage(2, told("moved", north, owner="north", hex="0202", path=["0102", "0202"], blocks=1)),
            stage(3, told("moved", south, owner="south", hex="0101", path=["0202", "0101"], blocks=1)),
        ]
    )
    assert [(one.stages, one.place, one.title) for one in found] == [
        ((1, 2), "Player turn of north", "2 moves"),
        ((3,), "Player turn of south", "one move"),
    ]


def test_a_stage_in_which_nothing_stirs_goes_with_the_turn_before(stage: Any) -> None:
    at = "Game turn 1, Player turn of north, Move"
    moved = told("moved", at, owner="north", hex="0102", path=["0101", "0102"], blocks=1)
    found = acts([stage(0), stage(1, moved), stage(2), stage(3, {**moved, "at": at.replace("1", "2", 1)})])
    assert [one.stages for one in found] == [(0,), (1, 2), (3,)]
    assert [one.quiet for one in found] == [True, False, False]
    assert found[0].title == "no moves and no battles"
