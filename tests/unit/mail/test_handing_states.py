"""The entry of an email in the book of what was sent, after each line; the end of an mbox."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.mail.boxes import ending
from pbem.mail.handing_book import Ledger

NO = {"b": "no such mailbox"}
BEGUN, SENT = ("begun", "ab", {}, ""), ("sent", "ab", {}, "")
REFUSED = ("sent", "a", NO, "")


@pytest.mark.parametrize(
    ("lines", "done", "unsure", "refused", "flags"),
    [
        ([BEGUN], "", "ab", {}, ""),
        ([BEGUN, BEGUN], "", "ab", {}, ""),
        ([BEGUN, SENT], "ab", "", {}, ""),
        ([BEGUN, ("failed", "", {}, "no line")], "", "", {}, ""),
        ([BEGUN, REFUSED], "a", "", NO, ""),
        ([BEGUN, REFUSED, BEGUN, ("sent", "b", {}, "")], "ab", "", {}, ""),
        ([BEGUN, SENT, ("returned", "", NO, "")], "a", "", NO, ""),
        ([BEGUN, ("settled", "", {}, "")], "ab", "", {}, "settled"),
        ([BEGUN, REFUSED, ("settled", "", {}, "")], "a", "", NO, "settled"),
        ([BEGUN, REFUSED, ("settled", "b", {}, "by hand")], "ab", "", {}, "settled"),
        ([BEGUN, REFUSED, ("settled", "b", {}, "by hand"), ("again", "", {}, "")], "", "", {}, ""),
        ([BEGUN, ("told", "b", {}, "")], "", "ab", {}, "told"),
    ],
)
def test_an_entry_says_who_has_the_email_and_who_may_have_it(
    tmp_path: Path, lines: list[tuple[Any, ...]], done: str, unsure: str, refused: dict[str, str], flags: str
) -> None:
    """The same from the file as from the memory; to tell somebody changes neither time nor reason."""
    book = Ledger(tmp_path / "private" / "book.jsonl")
    for number, (what, to, no, why) in enumerate(lines):
        book.write(
            what, "a.eml", "d", f"at {number}", list(to), no, why, {"n": 1} if what == "begun" else None
        )
    for read in (book, Ledger(book.path)):
        entry = read.of("d")
        assert (entry.done, entry.open, entry.refused) == (set(done), set(unsure), refused)
        assert (entry.settled, entry.told) == (flags == "settled", flags == "told")
        assert entry.tries == (sum(line is BEGUN for line in lines) if unsure else 0)
        assert entry.dress == ({"n": 1} if unsure else {})
        silent = lines[-1][0] in ("told", "returned")
        assert (entry.at, entry.why) == (f"at {len(lines) - 1 - silent}", "" if silent else lines[-1][3])
    assert book.path.stat().st_mode & 0o777 == 0o600 and read.of("other").done == set()


def test_the_end_of_an_mbox_is_known_by_its_last_bytes_before_a_place(tmp_path: Path) -> None:
    box, head, tail = tmp_path / "box", b"From a\n\n" + b"x" * 9000, b"y" * 5000
    box.write_bytes(head + tail)
    end = ending(box, 14_000)
    box.write_bytes(head.replace(b"x", b"z") + tail + b"From b\n")
    assert end and ending(box, 14_000) == end, "what is before does not count, nor what has come since"
    assert ending(box, 13_500) == end != ending(box, 9000)
    assert ending(box, 99_999) == ""
    box.write_bytes(b"To: a\n" + head + tail)
    assert ending(box, 14_000) == ""
