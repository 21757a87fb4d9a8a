"""Saved emails and invitations: where they are looked for, which are new, and in which order they come."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from pbem.archive.folder.game_folder import Folder
from pbem.cli.post import coming
from tests.cli.play import Seat, Table
from tests.unit.mail.damage import mail


@pytest.fixture
def seat(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Seat:
    """North in a folder of its own, and an empty folder for downloads."""
    (tmp_path / "downloads").mkdir()
    monkeypatch.setattr(coming, "downloads", lambda: tmp_path / "downloads")
    monkeypatch.chdir(tmp_path)
    return table.players["north"]


def put(root: Path, *names: str) -> list[Path]:
    """Write files, each a second after the one before."""
    for number, name in enumerate(names):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(mail(name.encode()))
        os.utime(root / name, (1_000_000 + number, 1_000_000 + number))
    return [root / name for name in names]


def names(paths: Iterable[Path], root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in paths]


def test_letters_are_found_where_people_save_them_the_oldest_first(seat: Seat, tmp_path: Path) -> None:
    put(
        tmp_path,
        "downloads/stage-0001-gm-report.eml",
        "open/north/mail/anything.eml",
        "open/mail/anything.mbox",
        "open/mail/notes.txt",
        "my pbem letter.txt",
        "roster-gm.eml",
        "downloads/join-south.eml",
        "amend-1.eml",
        "open/north/mail/picture.png",
        "downloads/lunch.eml",
        "open/north/stage-0001-gm-report.eml",
    )
    found = names(coming.came(Folder.open(seat.root)), tmp_path)
    assert found == [
        "downloads/stage-0001-gm-report.eml",
        "open/north/mail/anything.eml",
        "open/mail/anything.mbox",
        "open/mail/notes.txt",
        "my pbem letter.txt",
        "roster-gm.eml",
        "downloads/join-south.eml",
        "amend-1.eml",
    ]


def test_a_file_is_read_once_and_again_when_it_changes(seat: Seat, tmp_path: Path) -> None:
    first, second = put(tmp_path / "open/mail", "a.eml", "b.eml")
    folder = Folder.open(seat.root)
    coming.note_read(folder, [first])
    assert coming.came(folder) == [second]
    coming.note_read(folder, [second])
    assert coming.came(folder) == []
    first.write_bytes(first.read_bytes() + b"more\n")
    assert coming.came(folder) == [first]
    second.unlink()
    coming.note_read(folder, [first])
    assert coming.came(folder) == [] and "b.eml" not in (seat.root / coming.SEEN).read_text()
    assert (seat.root / coming.SEEN).stat().st_mode & 0o777 == 0o600
    for damaged in ("[]", "{", "7"):
        (seat.root / coming.SEEN).write_text(damaged)
        assert coming.came(folder) == [first]


def test_the_outbox_is_no_mail_that_came(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(seat.root / "outbox")
    assert coming.came(Folder.open(seat.root)) == []


def test_of_a_large_folder_the_newest_are_looked_at(
    seat: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coming, "_MOST", 2)
    _, second, third = put(tmp_path / "open/mail", "z.eml", "y.eml", "x.eml")
    assert coming.came(Folder.open(seat.root)) == [second, third]


def test_invitations_come_newest_first_and_files_before_emails(
    table: Table, seat: Seat, tmp_path: Path
) -> None:
    start = tmp_path / "empty"
    start.mkdir()
    assert coming.invitations(start) == []
    data = table.invitation.read_bytes()
    (tmp_path / "downloads/pbem-1.eml").write_bytes(data)
    assert names(coming.invitations(start), tmp_path) == ["downloads/pbem-1.eml"]
    assert coming.invitations(start, mails=False) == []
    put(tmp_path, "downloads/b.pbem-invitation", "a.pbem-invitation.txt", "empty/mail/c.pbem-invitation")
    wanted = ["empty/mail/c.pbem-invitation", "a.pbem-invitation.txt", "downloads/b.pbem-invitation"]
    assert names(coming.invitations(start), tmp_path) == wanted


def test_an_invitation_to_a_game_that_is_known_here_is_answered(
    table: Table, seat: Seat, tmp_path: Path
) -> None:
    start = tmp_path / "empty"
    start.mkdir()
    (start / "x.pbem-invitation").write_bytes(table.invitation.read_bytes())
    (start / "y.pbem-invitation").write_bytes(b"nothing\n")
    seat.pbem("status")  # this computer knows the game
    assert names(coming.unanswered(start), start) == ["y.pbem-invitation"]
