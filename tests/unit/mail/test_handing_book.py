"""The book of what was handed over: after a kill at any moment it says what is known, and no more."""

from __future__ import annotations

import stat
from pathlib import Path

from pbem.mail.handing_book import Ledger

ANN, BOB = "ann@example.org", "bob@example.org"
NAME, DIGEST, AT = "outbox/x.eml", "ab" * 32, "2026-11-20 12:00:00 +0000"


def _book(path: Path, *steps: str) -> Ledger:
    book = Ledger(path)
    for step in steps:
        book.write(step, NAME, DIGEST, AT, [ANN, BOB])  # type: ignore[arg-type]
    return book


def test_what_is_sent_stays_sent(tmp_path: Path) -> None:
    _book(tmp_path / "book", "begun", "sent")
    book = Ledger(tmp_path / "book").of(DIGEST)
    assert (book.done, book.open, book.at) == ({ANN, BOB}, set(), AT)


def test_a_kill_between_handing_over_and_noting_leaves_it_open(tmp_path: Path) -> None:
    _book(tmp_path / "book", "begun")
    book = Ledger(tmp_path / "book").of(DIGEST)
    assert (book.done, book.open) == (set(), {ANN, BOB})


def test_tries_that_were_cut_short_are_counted_until_one_ends(tmp_path: Path) -> None:
    path = tmp_path / "book"
    assert _book(path, "begun", "begun", "begun").of(DIGEST).tries == 3
    assert Ledger(path).of(DIGEST).tries == 3
    assert _book(path, "failed").of(DIGEST).tries == 0
    assert _book(path, "begun").of(DIGEST).tries == 1


def test_a_line_that_was_cut_short_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "book"
    _book(path, "begun", "sent")
    whole = path.read_bytes()
    second = whole.index(b"\n") + 1
    for end in range(second, len(whole)):
        path.write_bytes(whole[:end])
        book = Ledger(path).of(DIGEST)
        assert (book.done, book.open) in ((set(), {ANN, BOB}), ({ANN, BOB}, set()))
        assert book.done == set() or end == len(whole) - 1  # only the end of the line may be missing
    for end in range(second - 1):
        path.write_bytes(whole[:end])
        assert Ledger(path).of(DIGEST).open == set()  # nothing left before the line was whole


def test_after_a_torn_line_the_book_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "book"
    _book(path, "begun")
    path.write_bytes(path.read_bytes() + b'{"at": "20')
    _book(path, "sent")
    assert Ledger(path).of(DIGEST).done == {ANN, BOB}


def test_a_failure_lets_it_wait_again(tmp_path: Path) -> None:
    book = _book(tmp_path / "book", "begun", "failed").of(DIGEST)
    assert (book.done, book.open) == (set(), set())


def test_the_owner_settles_what_is_open(tmp_path: Path) -> None:
    book = _book(tmp_path / "book", "begun", "settled").of(DIGEST)
    assert (book.done, book.open, book.settled) == ({ANN, BOB}, set(), True)


def test_the_owner_may_want_it_once_more(tmp_path: Path) -> None:
    book = _book(tmp_path / "book", "begun", "sent", "again").of(DIGEST)
    assert (book.done, book.open) == (set(), set())


def test_addresses_that_were_refused_are_remembered(tmp_path: Path) -> None:
    book = _book(tmp_path / "book", "begun")
    book.write("sent", NAME, DIGEST, AT, [BOB], {ANN: "550 no such user"})
    found = Ledger(tmp_path / "book").of(DIGEST)
    assert (found.done, found.refused) == ({BOB}, {ANN: "550 no such user"})


def test_an_address_that_takes_it_later_is_no_longer_refused(tmp_path: Path) -> None:
    book = _book(tmp_path / "book", "begun")
    book.write("sent", NAME, DIGEST, AT, [], {ANN: "450 try later", BOB: "550 no such user"})
    book.write("begun", NAME, DIGEST, AT, [ANN])
    book.write("sent", NAME, DIGEST, AT, [ANN])
    for found in (book.of(DIGEST), Ledger(tmp_path / "book").of(DIGEST)):
        assert (found.done, found.refused) == ({ANN}, {BOB: "550 no such user"})


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    _book(tmp_path / "book", "begun")
    assert stat.S_IMODE((tmp_path / "book").stat().st_mode) == 0o600


def test_lines_that_nobody_wrote_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "book").write_bytes(b'[]\n{"digest": 1}\n{"digest": "x", "to": 3}\n\xff\n' + b"[" * 9000)
    assert Ledger(tmp_path / "book").of(DIGEST).done == set()
