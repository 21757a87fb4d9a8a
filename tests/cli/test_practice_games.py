"""Practice games at one computer: keys of several people, who is asked, and a game that was cut short."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.archive import Folder
from pbem.cli.games import practice
from pbem.cli.games.practice import Person
from pbem.trust import keys
from pbem.trust.errors import BadKey
from tests.cli.play import pbem
from tests.primer import SYSTEM


def begun(root: Path, dice: str = "swift", **people: str) -> practice.Practice:
    """Begin a game of these people, each with a passphrase or without."""
    seats = {seat: Person(seat.title(), word) for seat, word in people.items()}
    return practice.begin(root, SYSTEM, "ford", seats, dice=dice, title="Practice")


def test_the_key_of_a_person_with_a_passphrase_is_private_and_locked(tmp_path: Path) -> None:
    begun(tmp_path, north="pst", south="")
    north, south = (tmp_path / seat / "private" / "id_ed25519" for seat in ("north", "south"))
    for path in (north, south):
        assert path.stat().st_mode & 0o777 == 0o600
    keys.FileSigner.load(south.read_bytes(), lambda name: None)
    keys.FileSigner.load(north.read_bytes(), lambda name: "pst")
    with pytest.raises(BadKey):
        keys.FileSigner.load(north.read_bytes(), lambda name: "other")


def test_the_computer_plays_on_until_a_person_has_something_to_decide(tmp_path: Path) -> None:
    """North keeps a card at once; South has nothing to decide then, and the computer signs that."""
    game = begun(tmp_path, south="")
    assert practice.play_on(game) >= 1
    folder = Folder.open(tmp_path / "south")
    assert "south" in folder.progress.asked and not folder.of(folder.progress.open_stage, "order")
    assert practice.play_on(game) == 0, "it waits"
    pbem("-C", tmp_path, "bid", "1")
    assert Folder.open(tmp_path / "south").stage > folder.stage


def test_a_person_with_a_passphrase_says_so_themselves(tmp_path: Path) -> None:
    game = begun(tmp_path, south="pst")
    assert practice.play_on(game) == 0
    assert "south" in Folder.open(tmp_path / "south").progress.asked


@pytest.mark.parametrize("left", ["", "{", "[]", '{"you": "north"}'])
def test_a_folder_that_holds_no_practice_game(tmp_path: Path, left: str) -> None:
    if left:
        (tmp_path / practice.NAME).write_text(left)
    assert practice._data(tmp_path) is None


def test_a_game_that_was_cut_short_before_it_began_is_begun_anew(tmp_path: Path) -> None:
    begun(tmp_path, north="")
    path = tmp_path / practice.NAME
    first = Folder.open(tmp_path / "north").need_roster().game
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "ready": False}))
    begun(tmp_path, north="")
    assert Folder.open(tmp_path / "north").need_roster().game != first
    assert json.loads(path.read_bytes())["ready"] is True
