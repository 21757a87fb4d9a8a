"""What people do by habit: files that editors mangled, mail taken in again, words and places left out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import SEATS
from tests.cli.play import Seat, Table, order_file, pbem

WHO = ("--name", "Ann", "--mail", "ann@example.org")


@pytest.fixture
def seat(table: Table) -> Seat:
    return next(seat for seat in table.players.values() if seat.owes)


def plain(seat: Seat) -> str:
    """An order file as people write it, in block style and with ids in quotes."""
    option = seat.pbem("orders", "legal", "--json").json[0]
    status = seat.status
    answer = json.dumps(option["answer"])
    head = f'game: "{status["game"][:12]}"\nstage: {status["stage"] + 1}\n'
    return f"{head}answers:\n  {option['decision']}:\n    {answer}\n"


# ---- what editors do ---------------------------------------------------------------------------------------

HARMLESS = {
    "utf-16": lambda text: text.encode("utf-16"),
    "a mark at the beginning": lambda text: text.encode("utf-8-sig"),
    "Windows-1252": lambda text: (text + "# für alle\n").encode("cp1252"),
    "blanks that do not break": lambda text: text.replace("  ", "\u00a0\u00a0").encode(),
    "tabs": lambda text: text.replace("    ", "\t\t").replace("  ", "\t").encode(),
    "curly quotes": lambda text: text.replace('"', "\u201d").encode(),
    "low quotes": lambda text: (
        text.replace('game: "', "game: \u201e").replace('"\nstage', "\u201c\nstage").encode()
    ),
    "dashes": lambda text: text.replace("-", "\u2013").encode(),
    "ends of lines": lambda text: text.replace("\n", "\r\n").encode(),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "ends of lines of old": lambda text: text.replace("\n", "\r").encode(),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_an_editor_did_to_a_file_is_seen_through_and_said(name: str, seat: Seat) -> None:
    text = plain(seat)
    file = seat.root.parent / "o.yaml"
    file.write_text(text)
    wanted = seat.pbem("orders", "check", file)
    file.write_bytes(HARMLESS[name](text))
    before = file.read_bytes()
    said = seat.pbem("orders", "check", file)
    assert said.out == wanted.out
    assert file.read_bytes() == before
    if before != text.encode() and name != "ends of lines":
        assert "warning[as-meant]" in said.err


@pytest.mark.parametrize(
    "start", [b"PK\x03\x04\0\0", b"{\\rtf1\\ansi ", b"\xd0\xcf\x11\xe0\0", b"<html><body>"]
)
def test_a_document_that_is_no_plain_text_is_named(start: bytes, seat: Seat) -> None:
    file = seat.root.parent / "o.docx"
    file.write_bytes(start + plain(seat).encode())
    said = seat.pbem("orders", "check", file, code=1).err
    assert said.count("error[") == 1 and "error[no-plain-text]" in said and "save it as plain text" in said


def test_a_file_that_is_right_is_taken_as_it_stands(seat: Seat) -> None:
    file = seat.root.parent / "o.yaml"
    file.write_text(plain(seat) + "# a comment \u2013 with a dash and a\ttab\n")
    assert seat.pbem("orders", "check", file).err == ""


# ---- mail that comes again -----------------------------------------------------------------------------


def test_mail_that_was_refused_before_makes_no_later_run_fail(table: Table, seat: Seat) -> None:
    file = seat.root.parent / "o.yaml"
    file.write_text(plain(seat))
    seat.pbem("orders", "sign", file)
    (mail,) = seat.mails()
    kept = table.root / "kept"
    shutil.copytree(table.gm.root, kept)
    table.play_stage()
    late = Seat(kept)
    assert late.pbem("receive", mail).code == 0
    stray = pbem("-C", table.gm.root, "receive", *(seat.root / "outbox").glob("*.eml"), code=None)
    again = pbem("-C", table.gm.root, "receive", *(seat.root / "outbox").glob("*.eml"))
    assert stray.out and ("rejected again" in again.out or "already" in again.out)


def test_what_is_here_already_is_a_count_and_a_report_one_line(table: Table, seat: Seat) -> None:
    table.play_stage()
    mails = sorted((table.gm.root / "outbox").glob("stage-*-report.eml"))
    said = seat.pbem("receive", *mails)
    assert [line.split()[0] for line in said.lines] == ["already"]
    assert "statements already here" in said.out


# ---- words and places left out ---------------------------------------------------------------------------


def test_two_play_without_a_master_by_either_word(tmp_path: Path) -> None:
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "k")
    args = ("--as", SEATS[0], *WHO, "--key", tmp_path / "k", "--json")
    for words in (("--pair",), ("--dice", "pair")):
        made = pbem("new", "primer/ford", tmp_path / words[-1], *words, *args).json
        assert Path(made["invitation"]).exists()


def test_the_one_invitation_that_lies_here_need_not_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path, "primer", SEATS)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    key = ("--key", tmp_path / "keys" / SEATS[0])
    assert "name the INVITATION" in pbem("join", "--as", SEATS[0], *WHO, *key, code=2).err
    shutil.copy(table.invitation, here / "one.pbem-invitation")
    assert "using the invitation" in pbem("join", "--as", SEATS[0], *WHO, *key).err
    shutil.copy(table.invitation, here / "two.pbem-invitation")
    assert "found 2 invitations" in pbem("join", "--as", SEATS[1], *WHO, *key, code=2).err


def test_who_takes_two_seats_is_told_how(tmp_path: Path) -> None:
    table = Table(tmp_path, "primer", SEATS)
    key = tmp_path / "keys" / "gm"
    said = pbem("join", table.invitation, tmp_path / "n", "--as", SEATS[0], *WHO, "--key", key, code=1).err
    assert "pbem key new --file OTHERKEY" in said
    said = pbem("key", "new", "--no-passphrase", "--file", key, code=1).err
    assert "error[key-exists]" in said and "--file gm-2" in said and "--key gm-2" in said


def test_signing_the_roster_again_says_what_is_probably_meant(table: Table) -> None:
    said = table.gm.pbem("sign", "--yes", code=1).err
    assert "error[signed-already]" in said and "pbem orders sign" in said


def test_the_amendment_that_waits_for_me_need_not_be_named(table: Table) -> None:
    north = table.players["north"]
    assert "error[no-amendment]" in north.pbem("amend", "sign", "--yes", code=1).err
    table.gm.pbem("amend", "option", "absent=skip", "--yes")
    table.post()
    assert "amendment" in north.pbem("amend", "sign", "--yes").err
    table.post()
    table.gm.pbem("amend", "option", "grace_days=3", "--yes")
    table.players["south"].pbem("amend", "option", "answer_days=9", "--yes")
    table.post()
    said = north.pbem("amend", "sign", "--yes", code=1).err
    assert "error[which-amendment]" in said and said.count("pbem amend sign ") == 2


def test_standing_orders_that_a_new_list_drops_are_named(table: Table, seat: Seat) -> None:
    option = seat.pbem("orders", "legal", "--json").json[0]
    kind = "next-move"
    file = seat.root.parent / "o.yaml"
    first = [{"decision": kind, "answer": {}}]
    answers = {option["decision"]: option["answer"]}
    file.write_text(order_file(seat, answers, standing=first))
    seat.pbem("orders", "sign", file)
    table.post()
    table.play_stage()
    status = seat.status
    data = {"game": status["game"][:12], "stage": status["stage"] + 1, "standing": []}
    file.write_text(json.dumps(data))
    said = seat.pbem("orders", "check", file, code=None)
    assert "no longer: " in said.out and kind in said.out


# ---- wrong numbers, endings, words -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["report", "606"], "a number here means a stage, not a hex"),
        (["map", "--out", "map.gif"], "Use one of: .txt, .svg, .png"),
        (["reply"], "`pbem next` asks your questions"),
        (["adjudicate", "--forfeit", "red"], "in this one, `pbem next` does the next step"),
    ],
)
def test_a_slip_is_told_its_way_out(words: list[str], said: str, seat: Seat) -> None:
    done = seat.pbem(*words, code=None)
    assert done.code in (1, 2)
    assert said in done.err


def test_a_group_alone_shows_its_commands_and_calls_that_no_error(seat: Seat) -> None:
    done = seat.pbem("orders", code=None)
    assert done.err.count("Usage:") == 1
    assert "error:" not in done.err


def test_a_seat_is_taken_in_any_case(tmp_path: Path) -> None:
    done = pbem("demo", "--play", "Red", "victory/sarn_strait_two", "--out", tmp_path / "g")
    assert "you are red" in done.out
