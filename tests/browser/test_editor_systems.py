"""A scenario of one's own for each system, made by the page alone and played for two game turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import stages
from pbem.text import yaml
from pbem.workshop.editing import open_folder
from pbem.workshop.folders import need_folder
from pbem.workshop.trying import MOST_STAGES
from tests.browser.benches import CHECKED, READY, SAVE, editing
from tests.browser.building import built
from tests.browser.tables import Step, says, sit
from tests.cli.play import pbem

BUILT = Path(__file__).parent / "built"
FACES = "document.body.dataset.faces > 0"
FOUND = says("document.body.dataset.errors + ' ' + document.getElementById('faults').innerText")
SYSTEMS = ("diplomacy", "ocs", "totaler-krieg", "wbts", "wif")
"""That of `victory` is built in `test_editor.py`."""


def turn_of(tracks: dict[str, Any]) -> Any:
    """The game turn, or the season."""
    return tracks.get("turn") or tracks.get("gt") or (tracks.get("year"), tracks.get("season"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_scenario_of_ones_own_is_built_by_the_page_alone_and_played(
    system: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Nothing of the folder that `scenario new` writes is left but its seats."""
    root = tmp_path / "mine"
    pbem("scenario", "new", system, root)
    opened = open_folder(root)
    wanted = yaml.load((BUILT / f"{system}.yaml").read_bytes(), f"{system}.yaml").data
    shots = request.config.getoption("--shots", default=None)
    picture = [{"shot": str(Path(shots).absolute() / f"built-{system}.png"), "full": False}] if shots else []
    forms = {f"m/{file}": schema for file, schema in opened.forms.items()}
    steps: list[Step] = [
        {"wait": READY}, {"wait": FACES}, *built(wanted, forms, opened.values),
        {"wait": CHECKED}, {"axe": True}, *picture, FOUND, *SAVE,
    ]  # fmt: skip
    with editing(root) as link:
        found = sit([{"link": link(), "width": 1280, "height": 860, "steps": steps}], {})[0]
    assert not any(found[what] for what in ("errors", "violations", "wide", "requests")), found
    assert found["values"][-1].startswith("0 "), found["values"][-1]
    own, whole = need_folder(root)
    said = wanted["members"]["scenario.yaml"]
    assert whole.id == said["id"]
    assert {name: whole.data[name] for name in said if name not in ("id", "source") and said[name]} == {
        name: value for name, value in said.items() if name not in ("id", "source") and value
    }
    assert {key.rpartition("/")[2] for key in open_folder(root).values if key.startswith("r/")} == {
        one["id"] for one in wanted["counters"]
    }
    turns = set()
    for stage in stages(own, whole.id, None, f"page/{system}", clever):
        turns.add(turn_of(stage.outcome.position.tracks))
        if len(turns) > 2 or stage.number > MOST_STAGES:
            break
    assert len(turns) > 2 or stage.outcome.finished, (system, turns)
