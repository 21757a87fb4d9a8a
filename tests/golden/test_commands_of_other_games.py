"""What commands say in games of other kinds: as they begin, of two, with locks, by plain email."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.cli.games import clock
from tests import luck
from tests.cli.conftest import _here  # noqa: F401
from tests.cli.play import Table
from tests.cli.test_modes import SEATS, begun, first_and_other
from tests.cli.test_plain_replies import CODE, asked, body, reply
from tests.cli.test_plain_replies import begun as plain_game
from tests.golden.at_a_desk import Terminal

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
DE = ("--lang", "de")


def outbox(at: Terminal, name: str, pattern: str = "*.eml") -> list[Path]:
    return sorted((at.root / name / "outbox").glob(pattern))


def a_game_is_begun(at: Terminal) -> None:
    """By nothing but `pbem next`, with saved emails; the roster is shown, compared, signed and taken back."""
    table = Table(at.root, "primer", SEATS)
    table.join()
    at.forget()
    at.says("gm", "status")
    at.says("gm", "next", *outbox(at, "north", "join-*.eml"))
    at.says("gm", *DE, "status")
    at.says("gm", *DE, "next", *outbox(at, "south", "join-*.eml"))
    at.says("gm", "sign", "--game", "f" * 31)
    at.says("gm", "next", typed="n\n")
    at.says("gm", "next", "--key", "keys/gm", typed="y\n")
    (roster,) = outbox(at, "gm", "roster-gm.eml")
    at.says("north", "next", roster)
    at.says("north", "sign", "--game", "f" * 32)
    at.says("north", *DE, "sign", typed="n\n")
    at.says("north", "next", "--yes", "--json")
    at.says("north", "undo", "--yes")
    at.says("north", "sign", "--yes")
    at.says("gm", "status")
    at.says("gm", "next", "--yes", *outbox(at, "north", "roster-*.eml"))
    at.says("gm", "next", "--by", "Sunday")
    at.says("gm", "adjudicate")
    at.says("south", "next", "--yes", roster)
    at.says("gm", "next", "--yes", "--by", "Sunday", *outbox(at, "south", "roster-*.eml"))
    at.says("north", "next", *outbox(at, "gm", "stage-0000-*.eml"))


def two_play(at: Terminal) -> None:
    people = begun(at.root, SEATS, "--pair", "--as", "north")
    mine, other = first_and_other(people)
    at.forget()
    at.says(other, "status")
    at.says(other, "next")
    at.says(other, *DE, "claim")
    at.says(mine, "compare", "--write")
    at.says(mine, "orders", "new")
    people.answer(mine)
    at.says(mine, "status")
    at.says(mine, "claim")
    people.post()
    at.says(other, *DE, "status")
    at.says(other, "next", "--yes")
    at.says(other, "status", "--json")


def with_locks(at: Terminal) -> None:
    people = begun(at.root, ("gm", *SEATS), "--dice", "locked")
    people.seats["gm"].pbem("adjudicate")
    people.post()
    for name in SEATS:
        if people.seats[name].owes:
            people.answer(name)
        else:
            people.seats[name].pbem("next", "--yes")
    at.forget()
    at.says("gm", "status")
    at.says("gm", "adjudicate")
    at.says(
        "gm", "receive", *outbox(at, "north", "stage-0001-*.eml"), *outbox(at, "south", "stage-0001-*.eml")
    )
    at.says("gm", *DE, "next", typed="y\n\n")
    at.says("gm", "status")
    (lock,) = outbox(at, "gm", "stage-0001-*lock*.eml")
    (at.root / "keys/north").rename(at.root / "keys/away")
    at.says("north", "receive", lock)
    at.says("north", "status")
    at.says("north", "link")
    at.says("north", "link", "--key", at.root / "keys/away")
    at.says("south", *DE, "next", lock)
    at.says("gm", "next", "--yes", *outbox(at, "north", "*link*.eml"))
    at.says("gm", "next", "--yes", *outbox(at, "south", "*link*.eml"))


def by_plain_email(at: Terminal) -> None:
    """Replies that are clear, unclear, of an old question, and too late."""
    table = plain_game(at.root)
    gm = at.root / "gm"
    at.forget()
    at.says("gm", "status")
    at.says("gm", *DE, "plain", "--send", "south")
    at.lines += [f"  | {CODE.sub('<code>', line)}".rstrip() for line in body(asked(table)).splitlines()[:16]]
    for said in ("bid a lot please", "2", "3", "thank you, no more"):
        at.says("gm", "receive", reply(table, said))
        at.says("gm", "plain")
        at.says("gm", *DE, "plain")
        for path in gm.glob("private/plain/waits-*.json"):
            name = path.stem.removeprefix("waits-")
            at.says("gm", "plain", name, "--sign")
            at.says("gm", "plain", name)
            at.says("gm", *DE, "plain", name, "--drop")
    at.says("gm", "receive", reply(table, "1", sender="Mallory <mallory@example.org>"))
    at.says("gm", "orders", "legal", "--as", "south")
    at.says("gm", "bid", "1", "--as", "south")
    at.says("gm", "bid", "1", "--as", "north")
    at.says("gm", "status")


SCENES = [a_game_is_begun, two_play, with_locks, by_plain_email]


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    return Terminal(tmp_path, monkeypatch, *SEATS, "gm")


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_what_is_said_in_another_game(
    at: Terminal, scene: Callable[[Terminal], None], golden: Callable[[str, str], None]
) -> None:
    with luck.drawn_for(scene.__name__):
        scene(at)
    golden(f"other-{scene.__name__}.txt", "\n".join(at.lines).lstrip() + "\n")
