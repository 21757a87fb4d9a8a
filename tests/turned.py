"""A scenario on the board of another publisher: pointy tops, rows with letters, hex for hex the same map."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.board.map import GameMap
from pbem.board.numbers import Count
from pbem.engine.system import System

UNTOUCHED = ("terrain", "legend", "title", "name", "text", "calendar", "chit_period")
EDGES = {"left": "top", "right": "bottom", "top": "left", "bottom": "right"}
CONTENT = ("hexsides", "links", "places", "areas", "names", "boxes", "title")
Names = Callable[[str], str]


def turned(system: System, scenario: str) -> tuple[dict[str, Any], dict[str, Any], Names, Names]:
    """Return a scenario, the same on its mirror image, and what turns text into the numbers there, and back.

    Columns become rows with letters, A for the first, which stand first: 0305 is C05. In `ocs` and `wif`,
    where the lower of the ids of a hex and a unit comes first, rows keep their digits: 0305 is 03E.
    """
    lettered = 0 if system.name in ("ocs", "wif") else 1
    data = copy.deepcopy(dict(system.scenario(scenario)))
    if "across" in data.get("victory", {}):
        without_columns(system, data)
    other, here = copy.deepcopy(data), ground(data["map"])
    sheets = data["map"].get("sheets") or {"": data["map"]}
    for name, sheet in (other["map"].get("sheets") or {"": other["map"]}).items():
        turn(sheet, sheets[name], lettered)
        if "joins" in sheet:
            sheet["joins"]["at"] = beyond(here, sheet["joins"]["sheet"], sheet["joins"]["at"], lettered)
    there = ground(other["map"])
    numbers = {here.number(hex): there.number(hex) for hex in here.hexes}
    names, back = renaming(numbers), renaming({new: old for old, new in numbers.items()})
    return data, renamed(other, names, UNTOUCHED), names, back


def without_columns(system: System, data: dict[str, Any]) -> None:
    """Say of hexes what a scenario of ocs says of columns: its mirror image has rows instead."""
    chart = ground(data["map"])
    named = [hex for own in data["control"].values() for hex in own.get("hexes", ())]
    for own in data["control"].values():
        low, high = own.pop("columns")
        inside = [chart.number(hex) for hex in chart.hexes if low <= chart.grid.column_row(hex)[0] <= high]
        own["hexes"] = [hex for hex in inside if hex not in named] + own.get("hexes", [])
    data["victory"]["across"]["columns"] = [0, 99]


def turn(sheet: dict[str, Any], plain: Mapping[str, Any], lettered: int) -> None:
    """Lay a sheet on its side, with letters for columns (0) or rows (1)."""
    rows = [row.split() if " " in row else list(row) for row in plain["terrain"]]
    sheet["terrain"] = [" ".join(column) for column in zip(*rows, strict=True)]
    sheet["tops"], sheet["order"] = "pointy", "row"
    sheet["digits"] = [2, 2]
    sheet["digits"][lettered] = "letters"
    sheet["rows_from"] = EDGES[plain.get("columns_from", "left")]
    sheet["columns_from"] = EDGES[plain.get("rows_from", "top")]


def beyond(chart: GameMap, name: str, number: str, lettered: int) -> str:
    """Return what a number of a sheet, which need not have such a hex, is on its mirror image."""
    numbering = next(sheet.grid.numbering for sheet in chart.sheets if sheet.name == name)
    column, row = numbering.read(number) or (0, 0)
    axes = [Count(1, "letters" if lettered else 2), Count(1, 2 if lettered else "letters")]
    parts = axes[0].text(column), axes[1].text(row)
    return numbering.prefix + numbering.separator.join(parts)


def ground(data: Mapping[str, Any]) -> GameMap:
    """Return the sheets of a map without what lies on them."""
    bare = {key: value for key, value in data.items() if key not in CONTENT}
    sheets = data.get("sheets") or {"": data}
    letters = {letter for one in sheets.values() for row in one["terrain"] for letter in row if letter != " "}
    return GameMap.from_data(bare, legend=dict.fromkeys(sorted(letters), "any"))


def renaming(numbers: Mapping[str, str]) -> Names:
    form = re.compile("|".join(rf"(?<![A-Za-z0-9]){re.escape(one)}(?![A-Za-z0-9])" for one in numbers))
    return lambda text: form.sub(lambda found: numbers[found[0]], text)


def renamed(value: Any, names: Names, untouched: Sequence[str] = ()) -> Any:
    """Return data with other numbers of hexes, in keys too, but for members with these names."""
    if isinstance(value, str):
        return names(value)
    if isinstance(value, Mapping):
        return {
            names(key): inner if key in untouched else renamed(inner, names, untouched)
            for key, inner in value.items()
        }
    return [renamed(one, names, untouched) for one in value] if isinstance(value, list | tuple) else value
