"""Maps of more than 99 columns, where a hex has six digits: played, drawn and verified like any other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.games.table import Table
from pbem.engine import system as systems
from pbem.text.writing import thrown_away
from tests.benchmarks.big_system import with_war
from tests.cli.play import pbem

EAST = 110  # columns that the scenario is moved to the east
HEX = re.compile(r"(?<!\d)(\d\d)(\d\d)(?!\d)")
AS_IT_IS = ("chit_period", "terrain", "legend")


def moved(value: Any) -> Any:
    """Data of a scenario with every hex so far east: "0502" is "115002"."""
    if isinstance(value, dict):
        return {moved(key): one if key in AS_IT_IS else moved(one) for key, one in value.items()}
    if isinstance(value, list):
        return [moved(one) for one in value]
    if isinstance(value, str):
        return HEX.sub(lambda hex: f"{int(hex[1]) + EAST:03}{int(hex[2]):03}", value)
    return value


@pytest.mark.parametrize(
    ("name", "scenario", "open_ground", "town"),
    [
        ("victory", "sarn_strait", ".", "115002 Orsk Haven"),
        ("wbts", "marl_crossings", "C", "115002 Harlan City"),
    ],
)
def test_a_game_on_a_map_of_more_than_99_columns(
    name: str,
    scenario: str,
    open_ground: str,
    town: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = systems.find
    rows = real(name).scenario(scenario)["map"]["terrain"]
    war = moved(real(name).scenario(scenario))
    war["map"]["terrain"] = [f"{f'{open_ground} ' * EAST}{row}" for row in rows]
    system = with_war(real(name), war)
    monkeypatch.setattr(systems, "find", lambda wanted: system if wanted == name else real(wanted))
    with thrown_away():
        table = Table(tmp_path, system, "big", seed="wide", ahead=False)
        table.sit_down("Far in the east")
        for _ in range(3):
            table.play_stage()
    (seat, *_) = (one for one in table.players if one.id in table.gm.folder.progress.asked)
    assert town in pbem("-C", seat.root, "map", "--words").out
    drawn = pbem("-C", seat.root, "map").out
    assert "columns 109-" in drawn and "115002" in drawn
    pbem("-C", seat.root, "map", "--all", "--out", tmp_path / "map.svg")
    pbem("-C", seat.root, "report", "--out", tmp_path / "report.html")
    assert "115002" in (tmp_path / "report.html").read_text("utf-8")
    pbem("-C", seat.root, "orders", "new")
    pbem("-C", table.gm.root, "verify")
