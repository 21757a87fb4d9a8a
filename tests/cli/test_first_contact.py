"""From the first contact on: an invitation that leads to a site, and a seat that moves by one file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem import __version__
from tests.cli.play import Table, pbem

SITE = "https://games.example.org/pbem/"


def invitation(root: Path, *options: str) -> str:
    table = Table(root, "primer", ("north", "south"), *options)
    return (table.gm.root / "outbox/at-dawn.eml").read_text()


def test_an_invitation_names_the_site_who_invites_and_what_this_is(tmp_path: Path) -> None:
    text = invitation(tmp_path, "--site", SITE)
    head = text.partition("-----BEGIN")[0]
    assert f"\n    {SITE}#/join\n" in head
    assert 'Gm (gm@example.org) invites you to play "At dawn", a board wargame.' in re.sub(r"\s+", " ", head)
    for word in ("Python", "terminal", "install pbem", "pip"):
        assert word not in head, word
    (table,) = [tmp_path / "gm"]
    found = next((table / "outbox").glob("*.pbem-invitation"))
    (tmp_path / "pasted.txt").write_text(text)
    for source in (found, tmp_path / "pasted.txt"):
        seat = source.stem
        pbem("join", source, tmp_path / seat, "--as", "north", "--name", "N", "--mail", "n@example.org")


@pytest.mark.parametrize(
    "address", ["games.example.org", "http://games.example.org/", "https://a b", "javascript:1"]
)
def test_an_address_that_browsers_cannot_use_is_refused(tmp_path: Path, address: str) -> None:
    ran = pbem(
        "new",
        "primer/ford",
        tmp_path / "game",
        "--name",
        "G",
        "--mail",
        "g@example.org",
        "--site",
        address,
        code=1,
    )
    assert "error[bad-site]" in ran.err and "https://" in ran.err
    assert not (tmp_path / "game").exists()


def test_without_a_site_it_says_from_whom_to_get_the_program(tmp_path: Path) -> None:
    text = re.sub(r"\s+", " ", invitation(tmp_path))
    assert "pbem next" in text and f"the program pbem {__version__}, which needs Python" in text
    assert "Get it from Gm, who has it" in text


def test_it_names_the_page_where_to_get_the_program(tmp_path: Path) -> None:
    page = "https://example.org/pbem/download.html"
    text = invitation(tmp_path, "--program", page)
    assert f"Get the program here: {page}\n" in text and "Get it from" not in text


def test_a_seat_moves_to_another_folder_by_one_file(tmp_path: Path) -> None:
    """`key backup --whole` on one device, `key restore --into` on the other."""
    table = Table(tmp_path, "primer", ("north", "south"))
    table.start()
    north = table.players["north"]
    saved = tmp_path / "north.pbem-backup"
    north.pbem("key", "backup", saved, "--whole", PBEM_PASSPHRASE="correct horse")
    assert saved.stat().st_mode & 0o077 == 0
    restore = ("key", "restore", saved, "--into", tmp_path / "phone")
    pbem(*restore, code=1, PBEM_PASSPHRASE="another")
    assert not (tmp_path / "phone").exists()
    pbem(*restore, PBEM_PASSPHRASE="correct horse")
    assert "error[folder-in-use]" in pbem(*restore, code=1, PBEM_PASSPHRASE="correct horse").err
    north.root = tmp_path / "phone"
    assert north.status["stage"] == 0
    table.play_stage()
    assert pbem("-C", tmp_path / "phone", "verify").code == 0
