"""The vocabulary of a system's maps, with words and colours: from the rules and the map itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.scenarios.scenario_check import known_map
from pbem.workshop.shape_of import Declared, words_of

if TYPE_CHECKING:
    from pbem.board.map import GameMap
    from pbem.engine.system import System
    from pbem.report.wording import Wording

LINE: Mapping[str, Any] = {"light": "#5a4630", "dark": "#c9ad86", "width": 4, "dash": "2 3"}
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def vocabulary(system: System, data: Mapping[str, Any], words: Wording) -> dict[str, Any]:
    """Return terrains with letters, kinds of hexsides, networks, kinds of places, and layers."""
    from pbem.report.svg.look import Look, palette

    chart, look, declared = known_map(system), Look(system.look), Declared(system)
    assert chart is not None
    lines = palette()["lines"]

    def listed(known: Any, member: str) -> list[str]:
        own = data.get(member)
        return list(dict.fromkeys((*(known or ()), *(own if isinstance(own, Mapping) else ()))))

    def kinds(known: Any, member: str) -> list[dict[str, Any]]:
        named = look.part(member)
        return [
            {"key": key, "name": words.text(key), "line": lines.get(named.get(key, key), LINE)}
            for key in listed(known, member)
        ]

    return {
        "terrains": _terrains(chart, data, look, words),
        "hexsides": kinds(chart.known.hexsides, "hexsides"),
        "links": kinds(chart.known.links, "links"),
        "places": [
            {"key": kind, "name": words.text(kind), "fields": _fields(kind_data, words)}
            for kind, kind_data in declared.data.get("places", {}).items()
        ],
        "layers": [{"key": key, "name": words.text(key)} for key in listed(chart.known.layers, "areas")],
    }


def _terrains(chart: GameMap, data: Mapping[str, Any], look: Any, words: Wording) -> list[dict[str, Any]]:
    """Return every letter with what it means, and letters for terrains of the rules that have none yet."""
    sheets = data.get("sheets")
    legends = [sheet.get("legend") for sheet in sheets.values() if isinstance(sheet, Mapping)] if isinstance(
        sheets, Mapping
    ) else []  # fmt: skip
    letters: dict[str, Any] = {}
    for legend in (*legends, data.get("legend"), chart.legend):
        if isinstance(legend, Mapping):
            letters = {**legend, **letters}
    meant = {
        letter: meaning.get("terrain") if isinstance(meaning, Mapping) else meaning
        for letter, meaning in letters.items()
    }
    names = [*chart.known.terrains] if chart.known.terrains else sorted({*filter(None, meant.values())})
    made = [_terrain(letter, kind, letters[letter], look, names, words) for letter, kind in meant.items()]
    for kind in (name for name in names if name not in meant.values()):
        free = next(
            (letter for letter in (kind[:1], kind[:1].upper(), *_LETTERS) if letter not in letters), ""
        )
        letters[free] = kind
        made.append({**_terrain(free, kind, kind, look, names, words), "new": True})
    called = Counter(terrain["name"] for terrain in made)
    return [
        {**terrain, "name": f"{terrain['name']} {terrain['letter']}"}
        if terrain["name"] and called[terrain["name"]] > 1
        else terrain
        for terrain in made
    ]


def _terrain(
    letter: str, kind: Any, meaning: Any, look: Any, names: list[str], words: Wording
) -> dict[str, Any]:
    if not isinstance(kind, str):
        return {"letter": letter, "key": None, "name": "", "light": "#d8d4ca", "dark": "#35342f"}
    tint = look.tint(kind, names)
    areas = meaning.get("areas") if isinstance(meaning, Mapping) else None
    more = "".join(f", {area}" for area in areas.values()) if isinstance(areas, Mapping) else ""
    name = f"{words.text(kind)}{more}"
    return {"letter": letter, "key": kind, "name": name, "light": tint.light, "dark": tint.dark}


def _fields(kind_data: Any, words: Wording) -> list[dict[str, Any]]:
    """Return the fields of a kind of places: name, whether it may be left out, words that are allowed."""
    fields = []
    for key, shape in kind_data.items() if isinstance(kind_data, Mapping) else ():
        name = key.removesuffix("~")
        if name == "hex":
            continue
        kinds = list(words_of(shape))
        chosen = kinds[0].split("|") if len(kinds) == 1 and "|" in kinds[0] else []
        kind = "choice" if chosen else "list" if isinstance(shape, list) else kinds[0] if kinds else "text"
        number = ".." in kind or kind == "number"
        fields.append(
            {
                "key": name,
                "name": words.text(name),
                "may": key.endswith("~"),
                "kind": "number" if number else kind,
                "null": "null" in kinds,
                "among": chosen,
            }
        )
    return fields
