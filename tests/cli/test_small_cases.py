"""Small decisions of the program, each at its bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.archive import private_side
from pbem.cli.club import games, settings
from pbem.cli.club.sending import Sending
from pbem.cli.games import game_id
from pbem.cli.games.table import turn_of
from pbem.text.diagnostics import Refused


def test_games_below_a_folder_are_listed_by_name(tmp_path: Path) -> None:
    names = [*"qdzamkxbwcn"]
    for name in (*names, ".hidden", "a/inside"):
        (tmp_path / name).mkdir(parents=True)
        if name != "k":
            me = tmp_path / name / private_side.ME
            me.parent.mkdir(parents=True, exist_ok=True)
            me.write_bytes(b"")
    found = [path.relative_to(tmp_path).as_posix() for path in games.below(tmp_path)]
    assert found == sorted({*names} - {"k"})


@pytest.mark.parametrize(
    ("of", "good"),
    [
        ({}, True),
        ({"would": {Path("a"): []}}, True),
        ({"left": {Path("a"): []}}, False),
        ({"broken": {Path("a"): "full"}}, False),
        ({"waits": [Path("a")]}, False),
    ],
)
def test_all_has_left_only_where_nothing_is_left_broken_or_waits(of: dict[str, Any], good: bool) -> None:
    assert Sending(**of).good is good


@pytest.mark.parametrize(
    ("at", "turn"),
    [([], 1), (["setup"], 1), ([{"n": "x"}, {"n": 4}], 4), ([{"n": 3}, {"n": 7}], 3), ([{"m": 3}], 1)],
)
def test_the_game_turn_is_the_number_of_the_outermost_loop(at: list[object], turn: int) -> None:
    assert turn_of(at) == turn


_GAME = "cc603a0b1a7dd1e7fb70db71aff07aee" + "0123456789abcdef" * 2


def test_a_game_id_is_read_out_in_groups() -> None:
    assert game_id.grouped(_GAME[:32]) == "cc60 3a0b 1a7d d1e7  fb70 db71 aff0 7aee"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (_GAME, None),
        (_GAME[:32], None),
        (game_id.grouped(_GAME[:32]).upper(), None),
        (_GAME[:31], "short-game-id"),
        (_GAME[:31] + "-", "short-game-id"),
        (_GAME[:31] + "0", "other-game"),
    ],
)
def test_a_game_id_that_was_read_out_is_compared(given: str, code: str | None) -> None:
    if code is None:
        game_id.compare(given, _GAME)
        return
    with pytest.raises(Refused) as refused:
        game_id.compare(given, _GAME)
    assert [fault.code for fault in refused.value.diagnostics] == [code]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", 0),
        ("every: 0\n", 0),
        ("every: 86400\n", 0),
        ("every: 86401\n", 1),
        ("every: -1\n", 1),
        ("every: true\n", 1),
        ("ask: [forfeit, ruling]\n", 0),
        ("ask: [forfeit, all]\n", 1),
        ("ask: forfeit\n", 1),
        ("send_on: ['00:00', '23:59']\n", 0),
        ("send_on: ['24:00']\n", 1),
        ("send_on: ['9:00']\n", 1),
        ("send_on: '09:00'\n", 1),
        ("other: 1\nanother: 2\nevery: -1\n", 3),
        ("- every\n", 1),
    ],
)
def test_settings_of_a_postmaster_are_read_with_all_their_faults(
    tmp_path: Path, text: str, faults: int
) -> None:
    file = tmp_path / "postmaster.yaml"
    file.write_text(text, encoding="utf-8")
    if not faults:
        settings.read(file)
        return
    with pytest.raises(Refused) as refused:
        settings.read(file)
    assert len(refused.value.diagnostics) == faults
    assert {fault.code for fault in refused.value.diagnostics} == {"bad-settings"}
