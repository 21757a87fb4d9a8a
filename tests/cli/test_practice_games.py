"""Practice games at one computer: keys of several people, who is asked, and a game that was cut short."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.archive import Folder, link_due, unsealed
from pbem.cli.games import practice
from pbem.cli.games.practice import Person
from pbem.trust import keys
from pbem.trust.errors import BadKey
from tests import luck
from tests.cli.play import pbem, tree
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


@pytest.mark.parametrize("dice", ["swift", "pair"])
def test_a_practice_game_is_played_to_its_end_and_unsealed_once(tmp_path: Path, dice: str) -> None:
    """Each stage is told once, and counted. Between two there is no game master."""
    with luck.drawn_for(f"a whole practice game, {dice}"):
        game = begun(tmp_path, dice, south="")
        told: list[int] = []
        counts = [practice.play_on(game, lambda at, done: told.append(done.stage))]
        while not Folder.open(game.folder).progress.over:
            assert game.awaited() == ["south"]
            table = game.table(SYSTEM)
            table.answer(table.seats["south"])
            counts.append(practice.play_on(game, lambda at, done: told.append(done.stage)))
    stages = Folder.open(game.folder).stage
    assert told == list(range(stages - len(told) + 1, stages + 1)) and len(told) == sum(counts) > 3
    assert len(told) in (stages, stages + 1), "between two the one who signs last begins the game"
    folders = [Folder.open(tmp_path / seat) for seat in game.seats]
    assert all(folder.stage == stages for folder in folders)
    assert [unsealed(folder) for folder in folders] == [dice == "swift"] * len(folders)
    assert game.seats[0] == ("gm" if dice == "swift" else "north") and game.awaited() == []
    before = tree(tmp_path)
    assert practice.play_on(game) == 0 and tree(tmp_path) == before


def test_between_two_the_program_waits_for_a_person_with_a_passphrase_to_give_a_link(tmp_path: Path) -> None:
    north = tmp_path / "north"
    with luck.drawn_for("a link of a person"):
        game = begun(tmp_path, "pair", north="pst", south="")
        signer = keys.FileSigner.load((north / "private/id_ed25519").read_bytes(), lambda _: "pst")
        for _ in range(9):
            practice.play_on(game)
            if link_due(Folder.open(north)):
                break
            table = game.table(SYSTEM)
            table.seats["north"].signer = signer
            table.answer(table.seats[game.awaited()[0]])
    assert practice.play_on(game) == 0 and link_due(Folder.open(north))
    practice.give_link(Folder.open(north), signer)
    assert not link_due(Folder.open(north))
