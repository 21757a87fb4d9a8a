"""A GM who keeps files by hand: a state file and signed orders in, the next state and the report out."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.cli.play import Table, pbem, tree


def _orders(table: Table) -> list[Path]:
    """Everybody who is asked has signed; the mails, not received by anybody."""
    for seat in table.players.values():
        if seat.owes:
            table.answer(seat)
    return [mail for seat in table.players.values() for mail in seat.mails()]


def _state(table: Table) -> Path:
    hidden = table.gm.root / "private" / "state.yaml"
    return hidden if hidden.exists() else table.gm.root / "state.yaml"


def test_the_result_is_that_of_the_folder(table: Table, tmp_path: Path) -> None:
    _same_as_in_the_folder(table, tmp_path)


def test_the_result_is_that_of_the_folder_with_hidden_units(fog: Table, tmp_path: Path) -> None:
    _same_as_in_the_folder(fog, tmp_path)


def _same_as_in_the_folder(table: Table, tmp_path: Path) -> None:
    mails = _orders(table)
    before = tree(table.gm.root)
    by_hand = pbem("adjudicate", _state(table), *mails, "--out", tmp_path / "next", "--json").json
    assert tree(table.gm.root) == before
    table.gm.pbem("receive", *mails)
    in_folder = table.gm.pbem("adjudicate", "--json").json
    assert by_hand["head"] == in_folder["head"] and by_hand["asked"] == in_folder["asked"]
    new = tree(tmp_path / "next")
    assert new["stages/0001/record.json"] == tree(table.gm.root)["stages/0001/record.json"]
    assert new["stages/0001/report.txt"] == tree(table.gm.root)["stages/0001/report.txt"]


def test_the_next_stage_goes_on_from_the_new_state(fog: Table, tmp_path: Path) -> None:
    mails = _orders(fog)
    pbem("adjudicate", _state(fog), *mails, "--out", tmp_path / "one")
    report = next((tmp_path / "one" / "outbox").glob("*.eml"))
    for seat in fog.players.values():
        seat.pbem("receive", report)
    again = _orders(fog)
    state = tmp_path / "one" / "private" / "state.yaml"
    private = ("--private", fog.gm.root / "private")
    said = pbem("adjudicate", state, *again, "--out", tmp_path / "two", *private)
    assert "stage 2 went to" in said.out


def test_orders_that_are_missing_are_named_and_nothing_is_written(table: Table, tmp_path: Path) -> None:
    mails = _orders(table)
    said = pbem("adjudicate", _state(table), mails[0], "--out", tmp_path / "next", code=1)
    assert "no order has come" in said.err
    assert not (tmp_path / "next").exists()


def test_what_does_not_count_is_named_and_the_rest_counts(table: Table, tmp_path: Path) -> None:
    mails = _orders(table)
    (tmp_path / "junk").write_bytes(bytes(range(256)))
    said = pbem("adjudicate", _state(table), tmp_path / "junk", *mails, "--out", tmp_path / "next")
    assert "junk: nothing in it is signed" in said.err


def test_a_dry_run_needs_no_place_for_results(table: Table, tmp_path: Path) -> None:
    mails = _orders(table)
    assert "stage 1 would go to" in pbem("adjudicate", _state(table), *mails, "--dry-run").out
    assert pbem("adjudicate", _state(table), *mails, code=2).code == 2
    assert table.gm.pbem("adjudicate", "--out", tmp_path / "x", code=2).code == 2


def test_a_state_that_is_none_is_refused(table: Table, tmp_path: Path) -> None:
    mails = _orders(table)
    private = tmp_path / "private"
    shutil.copytree(table.gm.root / "private", private)
    for content in (b"", b"{", b"[" * 100_000, b"\xff\xfe", b'{"format": "pbem-state/9"}', b"a: &a [*a]\n"):
        (tmp_path / "state.yaml").write_bytes(content)
        said = pbem("adjudicate", tmp_path / "state.yaml", *mails, "--out", tmp_path / "next", code=1)
        assert "error[" in said.err and len(said.err) < 5000
        assert not (tmp_path / "next").exists()


def test_the_folder_with_the_secrets_must_be_there(table: Table, tmp_path: Path) -> None:
    mails = _orders(table)
    shutil.copy(_state(table), tmp_path / "state.yaml")
    said = pbem("adjudicate", tmp_path / "state.yaml", *mails, "--out", tmp_path / "next", code=1)
    assert "error[no-secret]" in said.err and "--private" in said.err
