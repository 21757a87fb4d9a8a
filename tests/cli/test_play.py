"""A whole game by commands and mails: what each command says, and what it leaves in the folders."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.cli.conftest import After
from tests.cli.play import Seat, Table, order_file, pbem, tree


def test_a_game_from_invitation_to_proof(table: Table) -> None:
    _to_the_end(table)


def test_a_game_with_hidden_units_from_invitation_to_proof(fog: Table) -> None:
    _to_the_end(fog)


def _to_the_end(table: Table) -> None:
    for _ in range(40):
        if table.gm.status["finished"]:
            break
        table.play_stage()
    assert table.gm.status["finished"]
    said = table.gm.pbem("unseal", "--yes")
    assert said.lines[0].endswith("-unseal.eml")
    table.post()
    for seat in table.everybody:
        verified = seat.pbem("verify", "--json").json
        assert verified["ok"]
        assert verified["stage"] == table.gm.status["stage"]
        assert not [one for one in verified["findings"] if one["class"] in ("false", "consistent")]
    heads = {seat.pbem("verify", "--json").json["head"] for seat in table.everybody}
    assert len(heads) == 1


def test_status_says_who_owes_what_by_when_and_the_command(table: Table) -> None:
    (asked,) = [seat for seat in table.players.values() if seat.status["mine"]][:1]
    said = asked.pbem("status")
    assert "At dawn" in said.lines[0]
    assert "now: Game turn 1, Card choice" in said.out
    assert "owes" in said.out
    assert "due: Sunday" in said.out
    assert "next: pbem orders new" in said.out
    assert said.err == ""


def test_status_exits_with_3_while_something_is_awaited(table: Table) -> None:
    assert table.gm.pbem("status", "--exit-code", code=3).code == 3
    for seat in table.players.values():
        if seat.owes:
            table.answer(seat)
    table.post()
    assert table.gm.pbem("status", "--exit-code").out.endswith("next: pbem adjudicate\n")
    assert table.gm.pbem("status").code == 0


def test_the_gm_waits_for_who_has_not_answered_and_writes_nothing(table: Table) -> None:
    before = tree(table.gm.root)
    said = table.gm.pbem("adjudicate")
    assert "north: no orders have arrived" in said.err
    assert table.gm.pbem("adjudicate", "--exit-code", code=3).out == ""
    assert said.out == ""
    assert tree(table.gm.root) == before


def test_a_dry_run_says_what_would_happen_and_writes_nothing(table: Table) -> None:
    for seat in table.players.values():
        if seat.owes:
            table.answer(seat)
    table.post()
    before = tree(table.gm.root)
    said = table.gm.pbem("adjudicate", "--dry-run")
    assert "stage 1 would end at" in said.out
    assert tree(table.gm.root) == before
    head = said.out.split("head ")[1].split()[0]
    assert head in table.gm.pbem("adjudicate").out


def test_adjudicate_is_for_the_gm(table: Table) -> None:
    said = table.players["north"].pbem("adjudicate", code=1)
    assert said.err.startswith("error[wrong-role]")


def test_an_order_is_revised_by_signing_again(table: Table) -> None:
    seat = _asked(table)
    table.answer(seat)
    table.answer(seat)
    names = [path.name for path in seat.mails()]
    assert [name for name in names if name.endswith("rev2.eml")]
    table.gm.pbem("receive", *(seat.root / "outbox").glob("*orders*.eml"))
    assert "revision 2" in table.gm.pbem("status").out


def test_the_order_file_lies_on_the_private_side_and_is_never_overwritten(table: Table) -> None:
    seat = _asked(table)
    said = seat.pbem("orders", "new")
    file = seat.root / "private" / "orders-0001.yaml"
    assert said.lines == [str(file)]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "# yaml-language-server: $schema=orders.schema.json" in file.read_text()
    file.write_text("mine")
    assert "already exists" in seat.pbem("orders", "new", code=1).err
    assert file.read_text() == "mine"
    seat.pbem("orders", "new", "--force")
    assert file.read_text() != "mine"


def test_the_untouched_template_names_each_missing_answer(table: Table) -> None:
    seat = _asked(table)
    seat.pbem("orders", "new")
    file = seat.root / "private" / "orders-0001.yaml"
    said = seat.pbem("orders", "check", file, code=1)
    assert f"{file}:" in said.err and "error[no-answer]" in said.err
    assert said.out == ""


def test_legal_options_can_be_pasted_into_the_file(table: Table) -> None:
    seat = _asked(table)
    line = next(line for line in seat.pbem("orders", "legal").lines if not line.startswith("#"))
    status = seat.status
    text = f'game: "{status["game"][:12]}"\nstage: 1\nanswers:\n{line}\n'
    file = seat.root / "private" / "pasted.yaml"
    file.write_text(text)
    assert seat.pbem("orders", "check", file).out.startswith("understood:")


def test_check_names_all_faults_with_line_and_column(table: Table) -> None:
    seat = _asked(table)
    file = seat.root / "private" / "bad.yaml"
    game = seat.status["game"][:12]
    file.write_text(f'game: "{game}"\nstage: 1\nanswers:\n  crad: storm\n  bid: 99\nstandng: []\n')
    said = seat.pbem("orders", "check", file, "--concise", code=1)
    places = [line.split(": error")[0] for line in said.lines]
    assert f"{file}:4:3" in places and f"{file}:6:1" in places
    assert "did you mean 'standing'?" in seat.pbem("orders", "check", file, code=1).err
    found = seat.pbem("orders", "check", file, "--json", code=1).json
    assert not found["ok"] and len(found["diagnostics"]) == len(said.lines)


def test_a_secret_answer_is_in_no_file_that_is_sent_or_published(fog: Table) -> None:
    seat = _asked(fog)
    answers = {option["decision"]: option["answer"] for option in seat.pbem("orders", "legal", "--json").json}
    table_file = seat.root / "private" / "o.yaml"
    table_file.write_text(order_file(seat, answers))
    said = seat.pbem("orders", "sign", table_file)
    assert "(sealed)" in said.out
    for value in answers.values():
        public = {name: data for name, data in tree(seat.root).items() if not name.startswith("private/")}
        spots = [name for name, data in public.items() if f'"{value}"'.encode() in data]
        assert spots == []


def _to_bids(table: Table) -> Seat:
    while not (seat := _asked(table)).status["next"].startswith("pbem bid"):
        table.play_stage()
    return seat


def test_bid_does_it_in_one_go(table: Table) -> None:
    seat = _to_bids(table)
    said = seat.pbem("bid", "2")
    assert "understood:" in said.out and "bid 2 (sealed)" in said.out
    assert said.lines[-1].endswith(".pbem.txt")
    assert not seat.owes


def test_a_bid_that_is_not_allowed_changes_nothing(table: Table) -> None:
    seat = _to_bids(table)
    before = tree(seat.root)
    for value, words in (("9", "0-3"), ("-1", "0-3"), ("two", "whole number"), ("1.5", "whole number")):
        said = seat.pbem("bid", value, code=1)
        assert words in said.err, said
    assert tree(seat.root) == before


def test_a_bid_when_none_is_asked_says_what_is(table: Table) -> None:
    said = _asked(table).pbem("bid", "1", code=1)
    assert "you are not asked for a secret number now" in said.err
    assert "pbem orders new" in said.err


def test_report_map_dice_and_sequence_come_in_words_and_as_json(after: After) -> None:
    fog = after("fog", 4)
    seat = fog.players["north"]
    text = seat.pbem("report")
    assert "In short" in text.out and "Report for north" in text.out
    assert seat.pbem("report", "--format", "json").json["reader"] == "north"
    assert "Public report" in seat.pbem("report", "--public").out
    assert "Report for south" in fog.gm.pbem("report", "--as", "south").out
    assert "stage 1" in seat.pbem("report", "1").lines[0]
    assert "Order of battle" in text.out
    assert seat.pbem("map", "--json").json["reader"] == "north"
    assert seat.pbem("map").lines[0] == seat.status["place"]
    marked = [line for line in seat.pbem("sequence").lines if line.startswith("->")]
    assert len(marked) == 1
    outline = seat.pbem("sequence", "--json").json
    assert [row["now"] for row in outline].count(True) == 1
    assert isinstance(seat.pbem("dice", "--json").json, list)
    assert "roll" in seat.pbem("dice", "--how").out


def test_another_players_eyes_are_refused(fog: Table) -> None:
    for args in (("report", "--as", "south"), ("map", "--as", "south")):
        said = fog.players["north"].pbem(*args, code=1)
        assert said.err.startswith("error[not-yours]")


def test_a_stage_that_is_not_there_is_refused(table: Table) -> None:
    assert "error[no-stage]" in table.gm.pbem("report", "99", code=1).err


def test_verify_names_the_first_bad_stage(after: After) -> None:
    table = after("open", 3)
    events = table.gm.root / "stages" / "0002" / "events.json"
    events.write_text("[]\n")
    said = table.gm.pbem("verify", code=1)
    assert "False: stage 2" in said.out
    assert not table.gm.pbem("verify", "--json", code=1).json["ok"]


def test_verify_of_a_folder_by_name_and_by_game_id(table: Table, tmp_path: Path) -> None:
    game = table.gm.status["game"]
    assert pbem("verify", table.gm.root, "--game", game[:32]).code == 0
    assert pbem("verify", table.gm.root, "--game", "0" * 32, code=1).code == 1


def test_a_command_works_from_a_folder_inside_the_game(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(table.gm.root / "stages" / "0000")
    assert "At dawn" in pbem("status").out


def test_outside_a_game_folder_the_way_in_is_named(tmp_path: Path) -> None:
    said = pbem("-C", tmp_path, "status", code=1)
    assert "not in a game folder" in said.err and "pbem new" in said.err
    assert pbem("-C", tmp_path / "nowhere", "status", code=2).code == 2


def test_the_directory_may_come_after_the_command(table: Table) -> None:
    assert pbem("status", "-C", table.gm.root).out == pbem("-C", table.gm.root, "status").out


def test_unseal_before_the_end_is_refused(table: Table) -> None:
    before = tree(table.gm.root)
    assert "error[not-over]" in table.gm.pbem("unseal", code=1).err
    assert tree(table.gm.root) == before


def test_a_game_without_private_side_can_be_read_but_not_played(table: Table, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(table.gm.root, tmp_path / "copy", ignore=shutil.ignore_patterns("private"))
    copy = Seat(tmp_path / "copy")
    assert copy.pbem("verify").code == 0
    assert "no private files" in copy.pbem("adjudicate", code=1).err


def _asked(table: Table) -> Seat:
    return next(seat for seat in table.players.values() if seat.status["mine"])


def test_facts_of_the_position_are_listed_as_conditions_name_them(fog: Table) -> None:
    north = fog.players["north"]
    said = north.pbem("orders", "facts").out.splitlines()
    assert "unit/n1/hex: 0101" in said and "track/turn: 1" in said
    assert not [line for line in said if line.startswith(("unit/s", "asked", "standing"))], "what he may know"
    assert north.pbem("orders", "facts", "n1", "steps").out.splitlines() == ["unit/n1/steps: 2"]


def test_pbem_alone_says_the_news_of_the_newest_stage_as_the_subject_of_its_email_does(after: After) -> None:
    """The one ranking of news: here, in subjects, and in "In short"."""
    table = after("open", 2)
    for seat in (table.gm, table.players["south"]):
        (line,) = [line for line in seat.pbem().out.splitlines() if line.startswith("news: ")]
        assert len(line) > len("news: ") + 4
        if seat is table.gm:
            letters = [
                path.read_text("utf-8") for path in (seat.root / "outbox").glob("stage-0002*report*.eml")
            ]
            subjects = [
                "".join(one.partition("Subject: ")[2].partition("\nTo: ")[0].splitlines()) for one in letters
            ]
            first = line.removeprefix("news: ").partition(";")[0]
            assert not letters or any(first in subject for subject in subjects), (line, subjects)
