"""Whole games in dice modes `locked` and `pair`: folders that share nothing but mails (protocol 10, 13)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.archive.ordering import signing
from pbem.archive.ordering.order_file import Checked
from pbem.archive.setting_up import before_the_game
from pbem.archive.verifying.verify import verify
from pbem.engine.system import System
from tests.nightly import IN_CI
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, begun, chooser
from tests.unit.archive.test_amendments import agreed


def heads(table: Table) -> set[str]:
    return {seat.folder.progress.head for seat in table.everybody}


@pytest.mark.parametrize("system", [SYSTEM, pytest.param(FOG, marks=IN_CI)], ids=["open", "fog"])
def test_a_game_with_locks_ends_with_one_head(tmp_path: Path, system: System) -> None:
    table = begun(tmp_path, system, over=1, dice="locked")
    assert len(heads(table)) == 1
    assert all(seat.folder.progress.over for seat in table.everybody)
    for seat in table.everybody:
        verified = verify(seat.root)
        assert verified.ok, verified.first_bad


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=IN_CI)])
def test_a_game_of_two_without_a_gm_ends_with_one_head(tmp_path: Path, seed: int) -> None:
    table = begun(tmp_path, SYSTEM, over=seed, dice="pair")
    assert len(heads(table)) == 1
    assert all(seat.folder.progress.over for seat in table.everybody)
    for seat in table.everybody:
        verified = verify(seat.root)
        assert verified.ok, verified.first_bad


def sound(table: Table) -> None:
    """The game is played on for two stages, all have one head, and every folder verifies."""
    table.play_on(chooser(7), 2)
    assert len(heads(table)) == 1
    for seat in table.everybody:
        verified = verify(seat.root)
        assert verified.ok, verified.first_bad


def in_play(root: Path, system: System, dice: str) -> Table:
    return begun(root, system, by=(5, 5, 5), dice=dice)


@pytest.mark.parametrize(("system", "dice"), [(SYSTEM, "pair"), (SYSTEM, "locked"), (FOG, "locked")])
def test_a_rewind_closes_the_stage_and_the_game_goes_on(tmp_path: Path, system: System, dice: str) -> None:
    table = in_play(tmp_path, system, dice)
    before = table.progress
    north = table.players["north"]
    agreed(table, north, {"op": "rewind", "to": 1})
    close(table)
    assert table.progress.stage == before.stage + 1, "stage numbers never go back"
    assert north.folder.record(table.progress.stage).closed
    sound(table)


@pytest.mark.parametrize("dice", ["pair", "locked"])
def test_an_amendment_rides_along(tmp_path: Path, dice: str) -> None:
    table = in_play(tmp_path, SYSTEM, dice)
    north = table.players["north"]
    agreed(table, north, {"op": "option", "name": "turns", "value": 1})
    table.play_stage(chooser(2))
    assert north.folder.record(table.progress.stage).amends
    assert {seat.folder.terms.scenario.name for seat in table.everybody} == {"ford turns=1"}
    sound(table)


def test_locks_may_be_given_up_by_all(tmp_path: Path) -> None:
    table = in_play(tmp_path, SYSTEM, "locked")
    agreed(table, table.gm, {"op": "option", "name": "dice", "value": "swift"})
    table.play_stage(chooser(2))
    assert table.progress.roster.terms.dice == "swift"
    sound(table)


def close(table: Table) -> None:
    """Close the stage: the GM with his report, between two everybody for himself."""
    if table.pair:
        table.follow()
    else:
        assert table.run().done


@pytest.mark.parametrize("dice", ["pair", "locked"])
def test_standing_orders_filed_at_any_time_hold_from_the_next_stage(tmp_path: Path, dice: str) -> None:
    table = in_play(tmp_path, SYSTEM, dice)
    south = table.players["south"]
    orders_ = [{"reaction": {"retreat_at_most": 9}}]
    signing.sign_orders(south.folder, Checked(standing=orders_, only_standing=True), south.signer)
    assert all(receipt.good for receipt in table.post())
    table.play_stage(chooser(2))
    assert "south" in south.folder.record(table.progress.stage).standing
    sound(table)


@pytest.mark.parametrize("dice", ["pair", "locked"])
def test_whoever_looks_on_follows_every_stage(tmp_path: Path, dice: str) -> None:
    table = Table(tmp_path, SYSTEM, "ford", ["north", "south"], chain_length=64, dice=dice)
    host = table.everybody[0]
    (invitation,) = (host.root / "outbox").glob("*.pbem-invitation")
    eve = Seat(tmp_path / "eve", "eve")
    before_the_game.join(
        eve.root, before_the_game.read_invitation(invitation.read_bytes()), "eve", eve.person, role="observer"
    )
    table.players["eve"] = eve
    table.start()
    for _ in range(3):
        table.play_stage(chooser(4))
    assert len(heads(table)) == 1 and verify(eve.root).ok
