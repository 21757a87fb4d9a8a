"""Small decisions of the program about mail, hours, pictures and lists, each at its bounds."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.club import records
from pbem.cli.club.fixed_hours import Hours
from pbem.cli.club.listing import Entry, soonest
from pbem.cli.club.records import OfMailbox, Waiting
from pbem.cli.games import board_picture, history
from pbem.cli.games.reporting import meta
from pbem.cli.games.standing import Standing
from pbem.cli.post import plain_replies
from pbem.cli.post.fetching import _HowFar
from pbem.cli.post.intake import TakenIn
from pbem.cli.writing import plain
from pbem.engine.system import find
from pbem.stages import letters
from pbem.trust.armour import Signed
from tests.cli.play import Table
from tests.primer import SYSTEM

EIGHT = datetime(2026, 11, 28, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("minutes", "kept", "due"),
    [(-1, "", False), (0, "", True), (60, "", True), (61, "", False), (5, EIGHT.isoformat(), False)],
)
def test_a_fixed_hour_is_kept_within_the_hour_and_once(minutes: int, kept: str, due: bool) -> None:
    hours = Hours(("08:00", "20:00"), kept)
    assert hours.due(EIGHT + timedelta(minutes=minutes)) == (EIGHT if due else None)


def test_the_next_fixed_hour_is_later_than_now() -> None:
    hours = Hours(("20:00", "08:00"))
    assert hours.next(EIGHT) == EIGHT.replace(hour=20)
    assert hours.next(EIGHT.replace(hour=21)) == EIGHT.replace(day=29)


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("T1/movement/next-move", "next-move"),
        ("T1/initiative/bid", "bid"),
        ("T1/bid/note", "note"),
        ("bid", "bid"),
        ("T1/reveal/movement/bid/x", "bid"),
        ("T1/movement/dance", "dance"),
        ("T1/P/reaction/3", "3"),
    ],
)
def test_the_kind_of_a_question_is_the_word_after_its_leaf(key: str, kind: str) -> None:
    assert history.kind_of(SYSTEM, key) == kind


def test_standing_orders_that_could_have_answered_are_shown_as_one_writes_them() -> None:
    general = ("- {decision: bid, when: {FACT: VALUE}, answer: ANSWER}",)
    assert history.forms_for(SYSTEM, "bid") == general and history.forms_for(SYSTEM, "dance") == ()
    assert history.forms_for(find("victory"), "turn-order") == (
        "- {pass_from_round: 3}",
        "- {pass_if: {su_steps_at_most: 2}}",
    )


@pytest.mark.parametrize(("time", "day"), [("2026-11-28T08:00Z", 739948), ("soon", None), ("", None)])
def test_the_day_of_a_time(time: str, day: int | None) -> None:
    assert history._day(time) == day


@pytest.mark.parametrize(
    ("seed", "more", "told"),
    [
        ("ab" * 32, {}, True),
        (None, {}, False),
        ("ab" * 32, {"hidden": True}, False),
        ("ab" * 32, {"stage": 1}, False),
    ],
)
def test_only_open_rolls_of_this_stage_can_be_computed_again(
    seed: str | None, more: dict[str, Any], told: bool
) -> None:
    roll = {"label": ["attack", "0101"], "dice": "1d6", "result": [3], **more}
    assert (meta._recipes(seed, "en")(roll) is not None) is told


@pytest.mark.parametrize(
    ("schema", "yes"),
    [
        ({"type": "integer"}, True),
        ({"enum": [1, 2]}, True),
        ({"enum": [1, "two"]}, False),
        ({"enum": [True]}, False),
        ({"enum": []}, False),
        ({"type": "string"}, False),
    ],
)
def test_an_answer_that_is_a_number(schema: dict[str, Any], yes: bool) -> None:
    assert meta._is_number(schema) is yes


def test_how_far_a_mailbox_was_read() -> None:
    seen = _HowFar(last=4, failed={2: 2, 3: 3, 4: 1}, told={3})
    assert seen.again() == [2, 4] and seen.given_up() == []
    seen.fetched([2, 5, 6], [2, 6])
    assert (seen.last, seen.failed) == (6, {2: 3, 3: 3, 4: 1, 6: 1})
    assert seen.again() == [4, 6] and seen.given_up() == [2]
    seen.fetched([4], [])
    assert seen.last == 6 and 4 not in seen.failed


@pytest.mark.parametrize(
    ("answers", "standing", "clear"), [({"bid": 1}, None, True), ({}, [], True), ({}, None, False)]
)
def test_a_damaged_reply_hides_no_other(
    tmp_path: Path, answers: dict[str, Any], standing: list[Any] | None, clear: bool
) -> None:
    folder = tmp_path / plain_replies.FOLDER
    folder.mkdir(parents=True)
    words = {"where": "x.eml", "why": "late", "text": "1", "said": "", "fault": ""}
    reply = {"party": "north", "stage": 1, "digest": "c0ffee1234", **words}
    for name, text in (
        ("a", "{"),
        ("b", "[]"),
        ("c", '{"party": "x"}'),
        ("d", json.dumps({**reply, "answers": answers, "standing": standing})),
    ):
        (folder / f"waits-{name}.json").write_text(text)
    (waits,) = plain_replies.waiting(tmp_path)
    assert (waits.name, waits.clear) == ("c0ffee12", clear)


def _entry(root: str, hours: int | None = None, *, mine: bool = False, finished: bool = False) -> Entry:
    standing = Standing(root, "", "", None, 1, "", finished=finished)
    return Entry(Path(root), standing, EIGHT + timedelta(hours=hours) if hours is not None else None, mine)


def test_games_are_listed_by_deadline_then_mine_then_by_name_and_finished_ones_last() -> None:
    entries = [
        _entry("a", finished=True),
        _entry("c"),
        _entry("b"),
        _entry("d", mine=True),
        _entry("e", 5),
        _entry("f", 2),
        _entry("g", 2, mine=True),
    ]
    assert [str(entry.root) for entry in sorted(entries, key=soonest)] == [*"gfedbca"]


def test_a_mailbox_of_all_games_knows_what_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "box/cur").mkdir(parents=True)
    files = [str(tmp_path / "box/cur" / name) for name in ("1.host:2,S", "2.host")] + [
        str(tmp_path / "c.eml")
    ]
    for name in files:
        Path(name).write_bytes(b"From: a\n\nx\n")
        os.utime(name, (EIGHT.timestamp(), EIGHT.timestamp()))
    book = OfMailbox("box", tmp_path, "2026-11-01")
    assert [path for path, _ in book.unread(files, False)] == [*map(Path, files)]
    book.note_files([Path(files[0]), Path(files[2])], files)
    again = OfMailbox("box", tmp_path, "2026-11-01")
    renamed = [files[0].replace(":2,S", ":2,RS"), *files[1:]]
    os.rename(files[0], renamed[0])
    assert [path for path, _ in again.unread(renamed, False)] == [Path(files[1])]
    assert len(again.unread(renamed, True)) == 3, "everything"
    again.again_since = EIGHT.replace(tzinfo=None).isoformat()
    local = datetime.fromisoformat(again.again_since).timestamp()
    for name in renamed:
        os.utime(name, (local, local))
    assert len(again.unread(renamed, False)) == 3, "from the moment on"
    for name in renamed:
        os.utime(name, (local - 1, local - 1))
    assert [path for path, _ in again.unread(renamed[:2], False)] == [Path(files[1])]
    assert (again.place / "marks").stat().st_mode & 0o777 == 0o600
    assert again.first_day() == again.again_since and book.first_day() == "2026-11-01"


def test_marks_of_emails_that_are_gone_are_dropped_once_they_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(records, "_SPARE", 1)
    files = [tmp_path / "box/cur/1", tmp_path / "box/cur/2", tmp_path / "a.eml", tmp_path / "b.eml"]
    files[0].parent.mkdir(parents=True)
    for path in files:
        path.write_bytes(b"From: a\n\nx\n")
    book = OfMailbox("box", tmp_path, "2026-11-01")
    names = [str(path) for path in files]
    assert len(book.unread(names, False)) == 4
    book.note_files(files, names)
    assert (book.place / "marks").stat().st_size == 4 * 16
    left = [names[0], names[2]]
    files[3].unlink()
    book.note_files([], left)
    assert (book.place / "marks").stat().st_size == 4 * 16, "no more than twice as many, and some to spare"
    book.note_files([], left[:1])
    assert (book.place / "marks").stat().st_size == 16
    assert OfMailbox("box", tmp_path, "2026-11-01").unread(names[:1], False) == []
    (book.place / "marks").write_bytes((book.place / "marks").read_bytes() + b"cut short")
    again = OfMailbox("box", tmp_path, "2026-11-01")
    (new,) = again.unread(names[1:2], False)
    again.note_files([new[0]], names[:2])
    assert (book.place / "marks").stat().st_size == 32 and again.unread(names[:2], False) == []


def test_statements_wait_for_their_game_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    waiting, signed = (
        Waiting(),
        Signed(b"{}", ("-----BEGIN SSH SIGNATURE-----\nx\n-----END SSH SIGNATURE-----\n",)),
    )
    assert waiting.files(tmp_path / "a") == []
    waiting.keep(tmp_path / "a", [signed, signed])
    (file,) = waiting.files(tmp_path / "a")
    assert file.stat().st_mode & 0o777 == 0o600 and waiting.files(tmp_path / "b") == []
    (file.parent / "notes.txt").write_text("x")
    assert waiting.files(tmp_path / "a") == [file]


@pytest.mark.parametrize(
    ("files", "source", "found"),
    [
        (["board.json"], "scan.png", "board.json"),
        ([".editor/board.json", "board.json"], "scan.png", ".editor/board.json"),
        (["board-west.json", "board.json"], "board-west.png", "board-west.json"),
        (["board-west.json"], "scan.png", None),
        (["other/board.json"], "other", "other/board.json"),
    ],
)
def test_where_the_file_is_that_aligns_a_picture(
    tmp_path: Path, files: list[str], source: str, found: str | None
) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    places = [path for path in board_picture._places(tmp_path / source) if path.is_file()]
    assert places[:1] == ([tmp_path / found] if found else [])
    assert board_picture._lies_beside(tmp_path / source) is (found is not None)


def test_only_the_pictures_of_a_board_are_forgotten(tmp_path: Path) -> None:
    for name in ("board.png", "board-west.json", "scan.png"):
        (tmp_path / name).write_text("x")
    assert board_picture._forget(tmp_path) is True
    assert [path.name for path in tmp_path.iterdir()] == ["scan.png"] and board_picture._forget(
        tmp_path
    ) is False


@pytest.mark.parametrize(
    ("of", "good"),
    [({}, False), ({"telling": 1}, True), ({"plain": ["x"]}, True), ({"notes": ["x"], "empty": 3}, False)],
)
def test_a_run_that_found_nothing_signed_is_no_success(of: dict[str, Any], good: bool) -> None:
    assert TakenIn(**of).good is good


@pytest.mark.parametrize(
    ("value", "yes"),
    [
        ("pass", True),
        (7, False),
        (["a"], True),
        ([{"a": "b"}], False),
        ({"x": ["a"]}, True),
        ({"x": "a"}, False),
    ],
)
def test_which_answers_hold_plain_words(value: Any, yes: bool) -> None:
    assert plain._has_words(value) is yes


@pytest.mark.parametrize(
    ("wanted", "texts", "yes"),
    [
        (["a", "c"], ["a", "b", "c"], True),
        (["c", "a"], ["a", "b", "c"], False),
        (["a", "a"], ["a", "b"], False),
    ],
)
def test_words_are_wanted_in_their_order(wanted: list[str], texts: list[str], yes: bool) -> None:
    assert plain._within(wanted, texts) is yes


def test_words_are_alike_without_case_blanks_and_hyphens() -> None:
    assert plain.plainly("Road-Strat  x_Y") == "roadstratxy" and plain.plainly(" - ") == ""


def test_many_letters_on_one_day_are_asked_about(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "MOST_A_DAY", 2)
    write = ("letter", "--to", "south", "--text", "Leave 0103.")
    north = table.players["north"]
    for _ in range(2):
        north.pbem(*write)
    assert "--yes" in north.pbem(*write, code=2).err
    north.pbem(*write, "--yes")
