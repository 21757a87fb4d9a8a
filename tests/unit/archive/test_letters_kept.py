"""The files of letters on a private side: whatever is in them, what can be read is."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.folder.changes import Changes
from pbem.archive.press import letters_kept
from pbem.archive.press.letters_kept import BOOK, WAITING, Noted, Unsent
from pbem.trust.armour import Signed
from pbem.trust.keys import FileSigner
from pbem.trust.statements import Statement, make

NORTH = FileSigner.from_seed(bytes(32))
H0 = "0" * 64


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    (tmp_path / "private/press").mkdir(parents=True)
    (tmp_path / "letters").mkdir()
    roster = SimpleNamespace(terms=SimpleNamespace(arbiter="gm"))
    unseal = SimpleNamespace(unseal=SimpleNamespace(opened={}))
    return SimpleNamespace(
        root=tmp_path,
        me="north",
        private=SimpleNamespace(side=tmp_path / "private"),
        need_roster=lambda: roster,
        progress=SimpleNamespace(open_stage=9),
        of=lambda stage, kind: [unseal],
        unseal=unseal,
    )


def put(folder: Any, name: str, data: Any) -> None:
    path = folder.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data))


def done(folder: Any, changes: Changes) -> None:
    for name, data in changes.files.items():
        put(folder, name, data.decode())


def letter(stage: int = 2, **body: Any) -> tuple[Statement, Signed]:
    made = make("letter", {"n": 1, "text": "Hello.", **body}, game=H0, sender="north", stage=stage, prev=H0)
    return made, Signed(made.bytes, (NORTH.sign(made.bytes),))


ODD_BOOKS: dict[str, Any] = {
    "no JSON": "{",
    "too deep": "[" * 100_000,
    "a list": [],
    "letters in a list": {"letters": ["a"]},
    "no letters": {"waiting": {}},
    "entries that are none": {"letters": {"a": 1, "b": {}, "c": {"order": "1"}, "d": {"order": True}}},
}


@pytest.mark.parametrize("odd", ODD_BOOKS)
def test_a_book_that_cannot_be_read_says_nothing(folder: Any, odd: str) -> None:
    put(folder, BOOK, ODD_BOOKS[odd])
    put(folder, WAITING, ODD_BOOKS[odd])
    assert letters_kept.book(folder) == {}
    assert letters_kept.unsent(folder) == []


def test_what_the_book_says_of_a_letter(folder: Any) -> None:
    assert letters_kept.book(folder) == {}
    entries = {
        "a": {"order": 3, "read": True, "day": "2026-02-01", "from": "north", "grey": True},
        "b": {"order": 1, "read": 1, "grey": "yes"},
    }
    put(folder, BOOK, {"letters": entries})
    book = letters_kept.book(folder)
    assert book == {"a": Noted(3, True, "2026-02-01", "north", True), "b": Noted(1)}
    changes = letters_kept.mark_read(folder, ["b", "new"])
    done(folder, changes)
    kept = json.loads(changes.files[BOOK])["letters"]
    assert kept["a"] == entries["a"]
    assert kept["b"] == {"order": 1, "read": True, "from": ""}
    assert letters_kept.book(folder) == book | {"b": Noted(1, True), "new": Noted(0, True)}
    assert not letters_kept.mark_read(folder, ["a", "b"])
    folder.me = None
    assert not letters_kept.mark_read(folder, ["other"])


def test_new_letters_come_last_in_the_book(folder: Any) -> None:
    put(folder, BOOK, {"letters": {"a": {"order": 7}, "b": {"order": 2, "read": True}}})
    one, _ = letter()
    two, _ = letter(3)
    grey: Any = SimpleNamespace(grey=("south",))
    changes = letters_kept.entered(folder, [(one, None), (two, grey)], read=False, day="2026-02-02")
    done(folder, changes)
    assert letters_kept.book(folder) == {
        "a": Noted(7),
        "b": Noted(2, True),
        one.sid: Noted(8, False, "2026-02-02", "north"),
        two.sid: Noted(9, False, "2026-02-02", "north", True),
    }
    assert not letters_kept.entered(folder, [], read=True)
    folder.me = None
    assert not letters_kept.entered(folder, [(one, None)], read=True)


def test_letters_that_wait_for_a_signature(folder: Any) -> None:
    listed = [Unsent(None, "To all."), Unsent(("south", "west"), "To two.")]
    done(folder, letters_kept.waiting(listed))
    assert letters_kept.unsent(folder) == listed
    put(folder, WAITING, {"waiting": [{"to": 3, "text": "x"}, {"to": [1], "text": "y"}, {"text": 4}, "z"]})
    assert letters_kept.unsent(folder) == [Unsent(None, "x"), Unsent(("1",), "y")]
    assert letters_kept.waiting([]).removed == {WAITING}


def test_letters_are_in_the_order_of_the_book(folder: Any) -> None:
    made = [letter(stage) for stage in (5, 3, 4)]
    for one, by in made:
        done(folder, letters_kept.keep(one, by, None))
    assert sorted(path.name for path in (folder.root / "letters").iterdir()) == sorted(
        f"{one.sid}.{end}" for one, _ in made for end in ("json", "sig")
    )
    read = letters_kept.letters(folder)
    assert [came.statement.stage for came in read] == [3, 4, 5]
    assert all(came.read and came.key == NORTH.public for came in read), "without a book nothing is new"
    done(folder, letters_kept.entered(folder, [(made[2][0], None), (made[0][0], None)], read=False))
    read = letters_kept.letters(folder)
    assert [(came.statement.stage, came.order, came.read) for came in read] == [
        (3, 0, False),
        (4, 1, False),
        (5, 2, False),
    ]


def test_what_is_no_letter_is_left_out(folder: Any) -> None:
    one, by = letter()
    place = folder.root / "letters"
    done(folder, letters_kept.public(one, by))
    whole = [came.statement.sid for came in letters_kept.letters(folder)]
    assert whole == [one.sid]
    other = make("protest", {"text": "No."}, game=H0, sender="north", stage=2, prev=H0)
    done(folder, letters_kept.public(other, by))
    put(folder, f"letters/{'a' * 64}.json", one.bytes.decode())
    put(folder, f"letters/{'a' * 64}.sig", by.signatures[0])
    put(folder, f"letters/{'b' * 64}.json", "{}")
    put(folder, f"letters/{'b' * 64}.sig", by.signatures[0])
    put(folder, "letters/readme.json", one.bytes.decode())
    assert [came.statement.sid for came in letters_kept.letters(folder)] == whole
    assert letters_kept.published(folder, other.sid) is None
    assert letters_kept.published(folder, "a" * 64) is None
    assert letters_kept.published(folder, one.sid) == one
    for name in (f"{one.sid}.sig", f"{one.sid}.json"):
        was = (place / name).read_text()
        for spoilt in ("?", was + " " * (2 << 20)):
            (place / name).write_text(spoilt)
            assert letters_kept.letters(folder) == []
        (place / name).unlink()
        assert letters_kept.letters(folder) == [] and letters_kept.signed(folder, one.sid) is None
        (place / name).symlink_to(folder.root / "elsewhere")
        put(folder, "elsewhere", was)
        assert letters_kept.letters(folder) == [] and letters_kept.signed(folder, one.sid) is None
        (place / name).unlink()
        (place / name).write_text(was)
    (place / f"{one.sid}.sig").write_bytes(by.signatures[0].replace("\n", "\r\n").encode())
    assert len(letters_kept.letters(folder)) == 1
    assert letters_kept.signed(folder, one.sid) == by


OPENINGS = ["{", "[]", "{}", '{"nonce": 1}', "[" * 100_000]


@pytest.mark.parametrize("text", OPENINGS, ids=range(len(OPENINGS)))
def test_an_opening_that_cannot_be_read_is_none(folder: Any, text: str) -> None:
    put(folder, f"private/press/{'a' * 64}.opening", text)
    assert letters_kept.opening(folder, "a" * 64) is None
    assert letters_kept.opening(folder, "b" * 64) is None
