"""The walks through a game in the pages, done literally: commands, files, and what is printed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pbem.workshop.folders import need_folder
from tests.docs.pages import ROOT, Step, pages, steps
from tests.docs.walk import Walk
from tests.nightly import in_ci

pytestmark = pytest.mark.skipif(
    os.name == "nt" or shutil.which("sh") is None, reason="the walks are for a POSIX shell"
)


FIRST = "docs/walk.md"
WALK = {"walk", "screen", "prints", "file", "mail", "save", "begin", "game"}


@pytest.fixture(scope="module")
def first_game(tmp_path_factory: pytest.TempPathFactory) -> Walk:
    """Play the game of `docs/walk.md` to its end. Other pages begin where it has saved a game."""
    walk = Walk(tmp_path_factory.mktemp("walk"))
    for step in steps(ROOT / FIRST):
        walk.take(step)
    return walk


@in_ci
def test_the_first_game_goes_as_its_page_says(first_game: Walk) -> None:
    end = first_game.root / "saved-end"
    heads = [
        sorted(path.name for path in (end / folder / "stages").glob("*/*.json"))
        for folder in ("ann/sarn", "bob/first-blood-red")
    ]
    assert heads[0] and heads[0] == heads[1], "after the last mail the GM and a player have the same archive"
    assert (end / "bob/first-blood-red/stages/0003/report.txt").is_file()


SCENARIO = "docs/two-fords.md"


@in_ci
def test_a_scenario_of_ones_own_is_made_and_played_as_its_page_says(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    walk = Walk(tmp_path_factory.mktemp("fords"))
    for step in steps(ROOT / SCENARIO):
        walk.take(step)
    system, whole = need_folder(walk.root / "homes" / "ann" / "fords")
    chart = system.map_of(system.with_scenario(whole).world(whole.id, {}))
    assert chart is not None and len(chart.hexes) == 200 and len(whole.data["units"]) == 40
    drawn = (walk.root / "homes" / "ann" / "fords.svg").read_text("utf-8")
    assert drawn == (ROOT / "docs" / "two-fords.svg").read_text("utf-8"), "make the picture again"


PAGES = ("docs/auditing.md",)


@in_ci
@pytest.mark.parametrize("page", PAGES)
def test_what_other_pages_go_on_with_goes_as_they_say(first_game: Walk, page: str) -> None:
    found = [step for step in steps(ROOT / page) if step.name in WALK]
    assert found[0].name == "begin", "a page begins from a place of its own"
    for step in found:
        first_game.take(step)


def test_no_page_has_a_walk_that_nobody_takes() -> None:
    walked = {
        page.relative_to(ROOT).as_posix() for page in pages() if WALK & {one.name for one in steps(page)}
    }
    assert walked == {FIRST, SCENARIO, *PAGES}


def test_a_line_that_is_not_printed_would_be_found(tmp_path: Path) -> None:
    walk = Walk(tmp_path / "walk")
    walk.take(Step("walk", "ann", "pbem rules list\n", "here"))
    walk.take(Step("prints", "", "...\nvictory: ...\n", "here"))
    with pytest.raises(AssertionError, match="it printed"):
        walk.take(Step("prints", "", "defeat: ...\n", "here"))
    with pytest.raises(AssertionError, match="exit 2"):
        walk.take(Step("walk", "ann", "pbem rules lost\n", "here"))
