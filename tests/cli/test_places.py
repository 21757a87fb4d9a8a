"""The place of the game is told alike by reports and by `status` and `demo`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.archive import Folder
from pbem.cli.games.standing import place_in_words

SAMPLES = Path(__file__).parents[2] / "sample_games"


@pytest.mark.parametrize(
    ("sample", "label", "said"),
    [
        ("wif-narrow-sea-1943", "Turn 2, Initiative stage", "Game turn 2, Initiative stage"),
        ("wbts-marl-crossings", "Week 3, Command phase", "Game turn 3, Command phase"),
        ("ocs-crossing-the-tol", "Game Turn 1, Pre-Turn Phase", "Game turn 1, Pre-Turn Phase"),
    ],
)
def test_the_game_turn_has_one_name(sample: str, label: str, said: str) -> None:
    assert place_in_words(Folder(SAMPLES / sample), label) == said
