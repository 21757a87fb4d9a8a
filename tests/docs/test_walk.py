"""The walks through a game in the pages, done literally: commands, files, and what is printed."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.docs.pages import ROOT, steps
from tests.docs.walk import Walk

NOT_WALKED = ("check", "standing")

pytestmark = pytest.mark.skipif(
    os.name == "nt" or shutil.which("sh") is None, reason="the walks are for a POSIX shell"
)


@pytest.fixture(scope="session")
def first_game(tmp_path_factory: pytest.TempPathFactory) -> Walk:
    """The game of the README, played to its end. Do not change it: copy it."""
    walk = Walk(tmp_path_factory.mktemp("walk"))
    for step in steps(ROOT / "README.md"):
        walk.take(step)
    return walk


def test_the_first_game_of_the_readme_goes_as_it_says(first_game: Walk) -> None:
    assert "proved" in first_game.printed
    assert (first_game.root / "homes/bob/sarn/stages/0003/report.txt").is_file()
