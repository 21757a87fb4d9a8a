"""What the commands refuse by name: one line that says what was found and the way out."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import by_hand
from pbem.archive.setting_up import before_the_game
from pbem.text.diagnostics import Refused
from tests.cli.conftest import SEATS
from tests.cli.play import Table, pbem, tree

WHO = ("--name", "Ann", "--mail", "ann@example.org")


def refused(*args: str | Path, **env: str) -> str:
    """The code of the refusal."""
    said = pbem(*args, code=1, **env).err
    return said.partition("error[")[2].partition("]")[0]


@pytest.fixture
def key(tmp_path: Path) -> Path:
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "key")
    return tmp_path / "key"


# --- before the game ------------------------------------------------------------------------------------


def test_terms_that_cannot_be_signed(key: Path, tmp_path: Path) -> None:
    """A title that could repaint a terminal."""
    args = ("new", "primer/ford", tmp_path / "gm", "--title", "dawn\x1b[2J", *WHO, "--key", key)
    assert refused(*args) == "bad-terms"
    assert not (tmp_path / "gm").exists()


def test_entries_that_cannot_be(tmp_path: Path, key: Path) -> None:
    fresh = Table(tmp_path, "primer", SEATS)
    join = ("join", fresh.invitation, tmp_path / "x")
    mine = ("--key", key)
    assert (
        refused(*join, "--as", "north", "--name", "N\u202en", "--mail", "n@example.org", *mine) == "bad-entry"
    )
    assert refused(*join, "--observer", "--as", "north", *WHO, *mine) == "seat-taken"
    assert not (tmp_path / "x").exists()


def test_a_roster_that_is_not_what_was_agreed_is_not_signed(tmp_path: Path) -> None:
    from dataclasses import replace

    fresh = Table(tmp_path, "primer", SEATS)
    fresh.join()
    fresh.post()
    fresh.gm.pbem("sign", "--yes")
    fresh.post()
    from pbem.archive.folder.game_folder import Folder

    folder = Folder.open(fresh.players["north"].root)
    good = folder.signed_roster()
    before_the_game.check_entry(folder, good)

    def other(**change: Any) -> Any:
        parties = tuple(
            replace(one, **{k: v for k, v in change.items() if k != "who"})
            if one.id == change["who"]
            else one
            for one in good.parties
        )
        return replace(good, parties=parties, by_id={one.id: one for one in parties})

    lies = {
        "wrong-entry": other(who="north", mail="else@example.org"),
        "wrong-terms": replace(good, terms=replace(good.terms, absent="skip")),
        "wrong-gm": other(who="gm", sign=good.by_id["south"].sign),
        "wrong-seats": other(who="south", id="west"),
    }
    for code, lie in lies.items():
        with pytest.raises(Refused) as caught:
            before_the_game.check_entry(folder, lie)
        assert caught.value.diagnostics[0].code == code


def test_another_start_position_than_here(tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.stages import scenario_terms

    fresh = Table(tmp_path, "primer", SEATS)
    usual = scenario_terms.pin_scenario

    def other(*args: Any) -> Any:
        from dataclasses import replace

        return replace(usual(*args), sha256="ab" * 32)

    monkeypatch.setattr(scenario_terms, "pin_scenario", other)
    assert (
        refused("join", fresh.invitation, tmp_path / "x", "--as", "north", *WHO, "--key", key)
        == "other-scenario"
    )


def test_keys_of_a_player_are_held_by_the_gm_who_invites_and_nobody_else(tmp_path: Path, key: Path) -> None:
    fresh = Table(tmp_path, "primer", SEATS)
    from pbem.archive.setting_up.before_the_game import Person, join, read_invitation
    from pbem.trust.keys import FileSigner

    invitation = read_invitation(fresh.invitation.read_bytes())
    person = Person("Ann", "ann@example.org", FileSigner.load(key.read_bytes()))
    with pytest.raises(Refused) as caught:
        join(tmp_path / "x", invitation, "press", person, role="observer", proxy=True)
    assert caught.value.diagnostics[0].code == "no-proxy"


# --- names that nobody knows ----------------------------------------------------------------------------


def test_names_that_nobody_knows_come_with_the_nearest(table: Table, tmp_path: Path, key: Path) -> None:
    new = ("--title", "x", *WHO, "--key", key)
    assert refused("new", "victori/sarn_strait", tmp_path / "a", *new) == "unknown-system"
    assert refused("new", "victory/sarn_straits", tmp_path / "a", *new) == "unknown-scenario"
    assert refused("-C", table.gm.root, "report", "--lang", "fr") == "unknown-language"
    assert refused("rules", "show", "victory", "unit") == "unknown-table"
    assert refused("-C", table.gm.root, "mail", "link", "nobody.eml") == "no-letter"
    assert refused("-C", table.players["south"].root, "bid", "3") == "no-bid"
    assert refused("-C", table.gm.root, "map", "--out", tmp_path / "a.svg") == "no-map"
    assert not list(tmp_path.glob("a*"))


def test_a_report_before_the_game(tmp_path: Path) -> None:
    fresh = Table(tmp_path, "primer", SEATS)
    fresh.join()
    fresh.post()
    fresh.gm.pbem("sign", "--yes")
    assert refused("-C", fresh.gm.root, "report") == "not-started"


def test_no_note_of_an_earlier_verify(table: Table) -> None:
    assert refused("-C", table.gm.root, "verify", "--since", "last") == "no-note"


def test_a_book_is_not_put_among_other_things(table: Table, tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book/mine.txt").write_text("mine")
    assert refused("-C", table.gm.root, "book", tmp_path / "book") == "not-empty"
    assert (tmp_path / "book/mine.txt").read_text() == "mine"


def test_a_picture_without_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.report.svg import picture

    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(Refused) as caught:
        picture.png(None)  # type: ignore[arg-type]
    assert caught.value.diagnostics[0].code == "no-png"


# --- backups, files by hand, git ------------------------------------------------------------------------


def test_what_is_no_backup(table: Table) -> None:
    from pbem.archive.folder.game_folder import Folder
    from pbem.cli.games.backup import unpack

    folder = Folder.open(table.gm.root)
    before = tree(table.gm.root)
    for data in (b"{}", b"[", b'{"format": "pbem-backup/1", "game": "", "files": {"../x": ""}}'):
        with pytest.raises(Refused) as caught:
            unpack(folder, data, True)
        assert caught.value.diagnostics[0].code == "bad-backup"
    assert tree(table.gm.root) == before


def test_a_state_file_that_does_not_say_where_the_game_stands(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "state.yaml"
    state = json.loads((table.gm.root / "state.yaml").read_text())
    path.write_text(json.dumps({**state, "game": {**state["game"], "roster": {"pbem": 1}}}))
    with pytest.raises(Refused) as caught:
        by_hand.StateFile.open(path)
    assert caught.value.diagnostics[0].code == "bad-game"
    with pytest.raises(Refused) as caught:
        by_hand.StateFile.open(tmp_path / "none.yaml")
    assert caught.value.diagnostics[0].code == "unreadable-file"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git_that_is_not_there_fails_or_converts(table: Table, tmp_path: Path) -> None:
    assert refused("-C", table.gm.root, "archive", PATH=str(tmp_path)) == "no-git"
    table.gm.pbem("archive")
    hook = table.gm.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no; exit 1\n")
    hook.chmod(0o755)
    table.play_stage()
    said = pbem("-C", table.gm.root, "archive", code=None)
    hook.unlink()
    if said.code:
        assert "error[git-failed]" in said.err
    run = ["git", "-C", str(table.gm.root), "config", "filter.up.clean", "tr a-f A-F"]
    subprocess.run(run, check=True)
    (table.gm.root / ".git/info").mkdir(exist_ok=True)
    (table.gm.root / ".git/info/attributes").write_text("*.json filter=up\n")
    table.play_stage()
    assert refused("-C", table.gm.root, "archive") == "git-converts"


def test_git_that_fails(table: Table) -> None:
    """What it says is shown, and nothing was committed."""
    from pbem.cli.shell import git

    (table.gm.root / ".git").write_text("no repository\n")
    assert refused("-C", table.gm.root, "archive") == "git-failed"
    assert git
