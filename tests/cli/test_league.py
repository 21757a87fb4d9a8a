"""`pbem league` and `pbem certificate`: results from verified archives, and what a stranger can check."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.play import Table, pbem

ONE = ("--jobs", "1")
FIRST, SECOND = "zebra", "antelope"


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("organizer") / "key"
    pbem("key", "new", "--no-passphrase", "--file", file)
    return file


def played(root: Path, at_least: int) -> Table:
    """Play a game that Red wins in its first turn with so many city points, to its end."""
    folder = root / f"river{at_least}"
    pbem("scenario", "new", "victory", folder)
    text = (folder / "scenario.yaml").read_text("utf-8").replace("at_least: 9,", f"at_least: {at_least},")
    (folder / "scenario.yaml").write_text(text, "utf-8")
    table = Table(root / f"game{at_least}", str(folder), ("red", "blue", "green"))
    table.start()
    while not table.gm.status["finished"]:
        table.play_stage()
    table.gm.pbem("unseal", "--yes")
    table.post()
    return table


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A finished game."""
    return played(tmp_path_factory.mktemp("over"), 0)


@pytest.fixture(scope="module")
def another(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Another finished game."""
    return played(tmp_path_factory.mktemp("another"), 1)


@pytest.fixture
def games(tmp_path: Path, over: Table, another: Table) -> Path:
    """Two finished games in a folder."""
    shutil.copytree(over.gm.root, tmp_path / "games" / SECOND)
    shutil.copytree(another.gm.root, tmp_path / "games" / FIRST)
    return tmp_path / "games"


def test_an_organizer_signs_a_list_and_others_get_the_same_table(games: Path, key: Path) -> None:
    listed = games.parent / "autumn.yaml"
    pbem("league", games / FIRST, games / SECOND, "--sign", listed, "--name", "Autumn", "--key", key, *ONE)
    said = pbem("league", games, "--list", listed, "--jobs", "2", "--json").json
    assert [Path(one["archive"]).name for one in said["games"]] == [FIRST, SECOND], "the order of the list"
    assert said["league"] == "Autumn" and said["signed_by"].startswith("SHA256:")
    assert said["games"][0]["best"] == ["red"] and said["games"][1]["best"] == ["red"]
    assert sum(one["played"] for one in said["standings"]) == 6
    # anybody can check the signature with standard tools
    checked = subprocess.run(
        ["ssh-keygen", "-Y", "check-novalidate", "-n", "pbem-v1", "-s", f"{listed}.sig"],
        input=listed.read_bytes(),
        capture_output=True,
    )
    assert checked.returncode == 0, checked.stderr


def test_a_changed_list_is_refused_and_changes_nothing(games: Path, key: Path) -> None:
    listed = games.parent / "autumn.yaml"
    pbem("league", games, "--sign", listed, "--key", key, *ONE)
    before = listed.read_text("utf-8")
    listed.write_text(before.replace('league: "autumn"', 'league: "spring"'), "utf-8")
    said = pbem("league", games, "--list", listed, code=1)
    assert "error[bad-signature]" in said.err and "--sign" in said.err and said.out == ""


def test_a_list_is_checked_for_keys_and_games_named_twice(tmp_path: Path, games: Path) -> None:
    listed, one = tmp_path / "l.yaml", '"SHA256:' + "A" * 43 + '"'
    game = f'{{game: "{"1" * 64}", head: "{"2" * 64}"}}'
    listed.write_text(f"league: x\nplayers:\n  Ann: [{one}]\n  Bob: [{one}]\ngames: [{game}, {game}]\n")
    said = pbem("league", games, "--list", listed, code=1)
    assert "error[key-twice]" in said.err and "error[game-twice]" in said.err
    listed.write_text("league: x\ngames: 5\n")
    assert f"{listed}:2:8" in pbem("league", games, "--list", listed, code=1).err


def test_what_does_not_count_is_named_with_the_reason(games: Path, key: Path) -> None:
    listed = games.parent / "autumn.yaml"
    pbem("league", games / FIRST, "--sign", listed, "--key", key, *ONE)
    report = games / SECOND / "stages/0001/report.txt"
    report.write_text(report.read_text("utf-8").replace("Red", "Blue", 1), "utf-8")
    said = pbem("league", games, "--list", listed, "--json", *ONE).json
    assert [Path(one["archive"]).name for one in said["games"]] == [FIRST]
    (other,) = said["not_counted"]
    assert "not sound" in other["why"]
    shutil.rmtree(games / FIRST)
    said = pbem("league", games, "--list", listed, "--json", *ONE).json
    assert not said["games"] and {one["why"] for one in said["not_counted"]} >= {"its archive is not here"}


def test_a_running_game_does_not_count(table: Table) -> None:
    table.play_stage()
    said = pbem("league", table.gm.root, "--json").json
    assert not said["games"] and said["not_counted"][0]["why"] == "the game continues"


def test_a_folder_without_archives_is_told_so(tmp_path: Path) -> None:
    assert "error[no-archive]" in pbem("league", tmp_path, code=1).err


def test_the_page_needs_no_scripts(over: Table, tmp_path: Path) -> None:
    page = tmp_path / "league.html"
    said = pbem("league", over.gm.root, "--page", page, "--pair", "swiss").out
    text = page.read_text("utf-8")
    assert "<script" not in text and "Standings" in text and "Round 1" in text
    assert "Round 1" in said and "red:" in said
    german = pbem("--lang", "de", "league", over.gm.root).out
    assert "1 Partie zählt" in german and "Standings" not in german


def test_a_stranger_checks_a_certificate_without_the_archive(over: Table, tmp_path: Path) -> None:
    file = tmp_path / "certificate.txt"
    for seat in (over.gm, over.players["blue"]):
        seat.pbem("certificate", file)
        said = pbem("certificate", "--check", file)
        assert "holds" in said.out and "In first place" in said.out
        data = pbem("certificate", "--check", file, "--json").json
        assert [one["id"] for one in data["seats"] if one["first"]] == ["red"]
        assert data["head"] == pbem("verify", seat.root, "--json").json["head"] and len(data["keys"]) == 4


def test_a_running_game_has_no_certificate(table: Table, tmp_path: Path) -> None:
    table.play_stage()
    said = table.gm.pbem("certificate", tmp_path / "c.txt", code=1)
    assert "error[no-certificate]" in said.err and "the game continues" in said.err
    assert not (tmp_path / "c.txt").exists()


def test_pairings_that_cannot_be_made_say_why(over: Table, table: Table) -> None:
    assert "error[not-two-seats]" in pbem("league", over.gm.root, "--pair", "round-robin", code=1).err
    table.play_stage()
    assert "error[nothing-to-pair]" in pbem("league", table.gm.root, "--pair", "swiss", code=1).err


def test_without_the_library_for_ratings_the_way_out_is_named(
    over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    said = pbem("league", over.gm.root, code=1)
    assert "error[no-openskill]" in said.err and "pip install" in said.err


def test_a_list_is_used_or_signed_but_not_both(over: Table, tmp_path: Path) -> None:
    listed = tmp_path / "l.yaml"
    assert "not both" in pbem("league", over.gm.root, "--list", listed, "--sign", listed, code=2).err
