"""A leader laid down sealed for a battle to come, in a game of folders that share nothing but mails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import orders
from pbem.archive.verify import verify
from pbem.engine.system import find
from tests.unit.archive.table import Seat, Table

WBTS = find("wbts")
RAID: dict[str, Any] = {"battles": [{"target": "0905", "naval": ["U-IC1"]}]}
SEALED = "sealed-commit/attack/1"


def kinds(seat: Seat) -> list[str]:
    return [question.kind for question in orders.questions(seat.folder)]


def first_options(seat: Seat) -> dict[str, Any]:
    """The first legal answer to everything: to pass, as a rule."""
    folder = seat.folder
    return {one.key: next(iter(orders.options(folder, one))).answer for one in orders.questions(folder)}


def until_the_north_may_attack(table: Table, south: list[Any] | None = None) -> Table:
    """Stages in which everybody passes; the south files standing orders with his first mail."""
    while "battles" not in kinds(table.players["north"]):
        for seat in table.asked():
            filed = south if seat.name == "south" and table.gm.folder.stage == 0 else None
            seat.order(first_options(seat), filed)
        assert all(receipt.good for receipt in table.post())
        table.run()
        assert table.gm.folder.stage < 20
    return table


def raid(table: Table, standing: list[Any] | None = None) -> None:
    """The north's ironclad attacks Fort Tyler, and Dane is laid down sealed for table 1."""
    north = table.players["north"]
    (question,) = orders.questions(north.folder)
    north.order({question.key: RAID, SEALED: {"1": "U-DANE"}}, standing)
    assert all(receipt.good for receipt in table.post())
    table.run()


@pytest.fixture
def table(tmp_path: Path) -> Table:
    made = Table(tmp_path, WBTS, "marl_crossings", ["north", "south"])
    made.start()
    return made


def test_it_is_opened_in_the_stage_that_calls_for_it_and_not_before(table: Table) -> None:
    raid(until_the_north_may_attack(table))
    assert kinds(table.players["south"]) == ["defence"] and not kinds(table.players["north"])
    told = json.dumps([str(path) + path.read_text("utf-8") for path in table.sent])
    assert "U-DANE" not in told, "the leader is in no mail yet"
    south = table.players["south"]
    south.order(first_options(south))
    assert all(receipt.good for receipt in table.post())
    table.run()
    record = table.gm.folder.record(table.gm.folder.stage)
    (opening,) = record["openings"]["north"].values()  # type: ignore[index,call-overload,union-attr]
    assert opening["value"] == {"1": "U-DANE"} and opening["stage"] == table.gm.folder.stage - 1  # type: ignore[index,call-overload]
    found = verify(table.gm.root)
    assert found.ok, found.findings


@pytest.mark.long
def test_with_standing_orders_of_the_defender_the_raid_is_one_mail(table: Table) -> None:
    until_the_north_may_attack(table, [{"defence": {}}, {"supply_order": []}, {"losses": {}}])
    before = table.gm.folder.stage
    raid(table, [{"losses": {}}, {"retreat": {"exempt": "stay"}}])
    assert table.gm.folder.stage == before + 1
    assert kinds(table.players["north"]) == ["cleanup"]
    assert verify(table.gm.root).ok
