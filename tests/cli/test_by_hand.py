"""A GM who keeps files by hand: a state file and signed orders in, the next state and the report out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.cli.conftest import SEATS
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
    assert "stage 2 ended at" in said.out


def test_orders_that_are_missing_are_named_and_nothing_is_written(table: Table, tmp_path: Path) -> None:
    mails = _orders(table)
    said = pbem("adjudicate", _state(table), mails[0], "--out", tmp_path / "next", code=1)
    assert "no orders have arrived" in said.err
    assert not (tmp_path / "next").exists()


def test_what_does_not_count_is_named_and_the_rest_counts(table: Table, tmp_path: Path) -> None:
    mails = _orders(table)
    (tmp_path / "junk").write_bytes(bytes(range(256)))
    said = pbem("adjudicate", _state(table), tmp_path / "junk", *mails, "--out", tmp_path / "next")
    assert "not counted: " in said.err and "junk contains nothing signed" in said.err


def test_a_dry_run_needs_no_place_for_results(table: Table, tmp_path: Path) -> None:
    mails = _orders(table)
    assert "stage 1 would end at" in pbem("adjudicate", _state(table), *mails, "--dry-run").out
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


# ---- files that were moved, secrets and keys ---------------------------------------------------------------


def _moved(table: Table, root: Path, mails: list[Path] | None = None) -> tuple[Path, Path, list[Path]]:
    """State on a desk, orders in a tray, the GM's secrets in a vault of another name; his folder is gone."""
    mails = mails or _orders(table)
    for folder in ("desk", "tray"):
        (root / folder).mkdir()
    state = root / "desk" / "monday.yaml"
    shutil.copy(_state(table), state)
    tray = [Path(shutil.copy(mail, root / "tray")) for mail in mails]
    shutil.copytree(table.gm.root / "private", root / "vault")
    (root / "vault" / "state.yaml").unlink(missing_ok=True)
    table.gm.root.rename(table.gm.root.with_name("gone"))
    return state, root / "vault", tray


def test_state_orders_and_secrets_may_lie_anywhere(fog: Table, tmp_path: Path) -> None:
    mails = _orders(fog)
    wanted = pbem("adjudicate", _state(fog), *mails, "--out", tmp_path / "near", "--json").json["head"]
    state, vault, tray = _moved(fog, tmp_path, mails)
    before = tree(tmp_path / "desk") | tree(vault)
    said = pbem("adjudicate", state, tray[0].parent, "--out", tmp_path / "next", "--private", vault)
    assert wanted in said.out
    assert f"continue with {tmp_path / 'next' / 'private' / 'state.yaml'}" in said.lines
    assert "--private next time" in said.err
    assert tree(tmp_path / "desk") | tree(vault) == before


def test_secrets_beside_the_state_need_not_be_named(fog: Table, tmp_path: Path) -> None:
    state, vault, tray = _moved(fog, tmp_path)
    vault.rename(state.parent / "private")
    assert pbem("adjudicate", state, *tray, "--out", tmp_path / "next").code == 0
    for path in (state.parent / "private").iterdir():
        path.rename(state.parent / path.name)
    assert pbem("adjudicate", state, *tray, "--out", tmp_path / "again").code == 0


def test_a_key_that_moved_with_the_secrets_is_found_and_another_place_can_be_named(
    fog: Table, tmp_path: Path
) -> None:
    state, vault, tray = _moved(fog, tmp_path)
    me = json.loads((vault / "me.json").read_text())
    key = Path(me["key_file"])
    me["key_file"] = str(tmp_path / "old place" / key.name)
    (vault / "me.json").write_text(json.dumps(me))
    args = ("adjudicate", state, *tray, "--private", vault, "--out")
    said = pbem(*args, tmp_path / "next", code=1)
    assert me["key_file"] in said.err and "--key FILE" in said.err
    assert not (tmp_path / "next").exists()
    assert pbem(*args, tmp_path / "next", "--key", key).code == 0
    shutil.copy(key, vault)
    assert pbem(*args, tmp_path / "again").code == 0


def test_the_folder_with_the_secrets_must_be_there(table: Table, tmp_path: Path) -> None:
    mails = _orders(table)
    shutil.copy(_state(table), tmp_path / "state.yaml")
    said = pbem("adjudicate", tmp_path / "state.yaml", *mails, "--out", tmp_path / "next", code=1)
    assert "error[no-secret]" in said.err and "--private" in said.err
    assert f"no me.json in {tmp_path} or {tmp_path / 'private'}" in said.err


def test_secrets_of_somebody_or_something_else_are_named_for_what_they_are(
    table: Table, fog: Table, tmp_path: Path
) -> None:
    mails = _orders(fog)
    for private, words in (
        (fog.players["north"].root, "error[wrong-role]"),
        (table.gm.root, "error[other-game]"),
    ):
        args = ("--private", private / "private", "--out", tmp_path / "next")
        said = pbem("adjudicate", _state(fog), *mails, *args, code=1)
        assert words in said.err and str(private) in said.err and "--private DIR" in said.err
    for part in ("seal.pem", "secrets.json"):
        private = tmp_path / part / "private"
        shutil.copytree(fog.gm.root / "private", private)
        (private / part).unlink()
        args = ("--private", private, "--out", tmp_path / "next")
        said = pbem("adjudicate", _state(fog), *mails, *args, code=1)
        assert f"error[no-secret]: {part} is not in {private}" in said.err
    assert not (tmp_path / "next").exists()


def test_encrypted_secrets_are_opened_with_their_passphrase(fog: Table, tmp_path: Path) -> None:
    from pbem.trust.backup import backup

    state, vault, tray = _moved(fog, tmp_path)
    secrets = (vault / "secrets.json").read_bytes()
    (vault / "secrets.asc").write_text(backup(secrets, "pst"))
    (vault / "secrets.json").unlink()
    args = ("adjudicate", state, *tray, "--private", vault, "--out", tmp_path / "next")
    assert "passphrase" in pbem(*args, code=1).err
    assert pbem(*args, PBEM_PASSPHRASE="pst").code == 0


# ---- the wrong file, the wrong place -----------------------------------------------------------------------


def test_what_is_no_state_is_named_for_what_it_is(fog: Table, tmp_path: Path) -> None:
    mails = _orders(fog)
    gm = fog.gm.root
    for first, words in (
        (mails[0], "contains signed orders; name the state file first"),
        (gm / "state.yaml", "is only the public part of a state"),
        (gm / "game.yaml", "is not a state file"),
        (gm / "roster.json", "is not a state file"),
    ):
        args = ("--private", gm / "private", "--out", tmp_path / "next")
        said = pbem("adjudicate", first, *mails, *args, code=1)
        assert f"error[no-state]: {first} {words}" in said.err
        assert len(said.err.splitlines()) <= 2


def test_results_never_replace_the_state_by_less_or_go_into_a_game_folder(fog: Table, tmp_path: Path) -> None:
    mails = _orders(fog)
    state = Path(shutil.copy(_state(fog), tmp_path))
    before = tree(tmp_path)
    private = ("--private", fog.gm.root / "private")
    said = pbem("adjudicate", state, *mails, *private, "--out", tmp_path, code=1)
    assert "error[would-overwrite]" in said.err
    said = pbem("adjudicate", state, *mails, *private, "--out", fog.gm.root, code=1)
    assert "error[game-folder]" in said.err and f"pbem -C {fog.gm.root} adjudicate" in said.err
    assert tree(tmp_path) == before


def test_an_opening_that_waits_must_come_with_its_state(tmp_path: Path) -> None:
    """In game turn 3 a card is kept while somebody else is asked; meanwhile it lies in kept.json."""
    table = Table(tmp_path / "table", "primer-fog", SEATS, "--option", "turns=3")
    table.start()
    while not json.loads((table.gm.root / "private" / "kept.json").read_text()):
        table.play_stage()
    state, vault, tray = _moved(table, tmp_path)
    args = ("adjudicate", state, *tray, "--private", vault, "--out")
    assert pbem(*args, tmp_path / "next").code == 0
    (vault / "kept.json").write_text("{}")
    said = pbem(*args, tmp_path / "again", code=1)
    assert "error[no-opening]" in said.err and "kept.json" in said.err


def test_a_second_signature_by_somebody_else_does_not_spoil_an_order(table: Table, tmp_path: Path) -> None:
    from pbem.mail.read import read_path
    from pbem.trust import armour
    from pbem.trust.armour import Signed
    from pbem.trust.keys import FileSigner

    mallory = FileSigner.from_seed(b"m" * 32)
    files = []
    for number, mail in enumerate(_orders(table)):
        signed = read_path(mail).signed[0]
        both = Signed(signed.data, (mallory.sign(signed.data), *signed.signatures))
        files.append(tmp_path / f"{number}.txt")
        files[-1].write_text(armour.write("", [both]))
    assert pbem("adjudicate", _state(table), *files, "--out", tmp_path / "next").code == 0
