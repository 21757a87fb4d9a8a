"""`pbem demo`: a game by mail that can be looked at, verified, and played on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PARTIES = ("gm", "red", "blue", "green")


def pbem(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A real process with a home of its own: no key of the user's may be needed."""
    environment = {**os.environ, "HOME": str(cwd), "NO_COLOR": "1"}
    environment.pop("SSH_AUTH_SOCK", None)
    command = [sys.executable, "-m", "pbem.cli.main", *args]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A demo of one game turn, and what it said."""
    root = tmp_path_factory.mktemp("demo")
    done = pbem("demo", "--turns", "1", "--out", "game", "--json", cwd=root)
    assert done.returncode == 0, done.stderr
    return root / "game", json.loads(done.stdout)


def test_it_says_where_everything_is(played: tuple[Path, dict[str, Any]]) -> None:
    root, said = played
    assert said["verified"] == {"gm": True, "red": True}
    assert Path(said["folder"]) == root
    assert "The Sarn Strait" in Path(said["report"]).read_text("utf-8")
    assert len(list((root / "mails").iterdir())) == said["mails"]


def test_every_party_has_a_key_and_a_folder_of_its_own(played: tuple[Path, dict[str, Any]]) -> None:
    root, _ = played
    keys = {party: (root / party / "private/id_ed25519") for party in PARTIES}
    assert len({path.read_bytes() for path in keys.values()}) == 4
    assert all(path.stat().st_mode & 0o077 == 0 for path in keys.values())
    assert sorted(path.name for path in root.iterdir()) == sorted((*PARTIES, "mails"))


def test_what_a_party_wrote_stays_on_its_private_side(played: tuple[Path, dict[str, Any]]) -> None:
    root, _ = played
    for party in PARTIES:
        assert not list((root / party).glob("*orders*")), "an order file names secret blocks"


def test_every_folder_verifies_as_a_command_of_its_own(played: tuple[Path, dict[str, Any]]) -> None:
    root, said = played
    done = pbem("-C", str(root / "blue"), "verify", cwd=root)
    assert done.returncode == 0, done.stderr
    assert said["head"] in done.stdout


def test_the_game_can_be_played_on_by_hand(played: tuple[Path, dict[str, Any]]) -> None:
    root, said = played
    if said["over"]:
        pytest.skip("this game was won in its first game turn, so there is nothing left to play")
    for player in ("red", "blue", "green"):
        done = pbem("-C", str(root / player), "bid", "1", cwd=root)
        assert done.returncode == 0, done.stderr
    mails = [
        str(path) for player in ("red", "blue", "green") for path in (root / player / "outbox").glob("*.eml")
    ]
    newest = [mail for mail in mails if f"stage-{said['stages'] + 1:04d}" in mail]
    assert pbem("-C", str(root / "gm"), "receive", *newest, cwd=root).returncode == 0
    done = pbem("-C", str(root / "gm"), "adjudicate", cwd=root)
    assert done.returncode == 0, done.stderr


def test_it_plays_into_no_folder_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x", "utf-8")
    done = pbem("demo", "--out", "mine", cwd=tmp_path)
    assert done.returncode == 1 and "is not empty" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("system", "found"), [("victry", "did you mean 'victory'"), ("victory/sarn", "no scenario 'sarn'")]
)
def test_an_unknown_system_or_scenario_is_refused_before_anything_is_written(
    system: str, found: str, tmp_path: Path
) -> None:
    done = pbem("demo", system, "--out", "game", cwd=tmp_path)
    assert done.returncode == 1 and found in done.stderr
    assert not (tmp_path / "game").exists()
