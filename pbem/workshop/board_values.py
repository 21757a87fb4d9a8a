"""Values of a map by keys, as an editor changes them, and the data of a map with other values.

    t/0305               the letter of a hex               n/0305            its name
    s/river/0405/0406    1: a hexside of this kind         p/base/0305       the fields of a place
    l/road/0405/0406     1: a link of this network         a/country/0305    the area of a layer
    L/f                  the terrain of a letter           size/SHEET        [columns, rows, letter for more]
    x/-/BOX              a box, as one line of YAML        x/sea/NS          an area that is a location
    h/arc/a7             the points of an arc of shapes    h/spot/NS/label   a point of a shape
    sheet/east           1; [columns, rows, letter, prefix, beside or below, of which sheet] adds one
    ring/NS              [x, y, ...]: an outline that is drawn anew, or {size, points} (`outline_values`)
    layout/east/tops     how a sheet is numbered, and how it lies beside others (`sheet_values`)

A key that the map lacks is None. Hexes are named as printed, those of a pair with the lower one
first.
"""

from __future__ import annotations

import copy
import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from pbem.board.map import GameMap
from pbem.board.shapes import read as read_shapes
from pbem.board.sheetdata import LAYOUT
from pbem.text import yaml
from pbem.text.diagnostics import Refused
from pbem.text.flow import flow
from pbem.workshop.outline_values import outlined, without
from pbem.workshop.sheet_values import add_sheet, keys_of, lay_out, resize

Values = dict[str, Any]

_BARE = "any"
_ON_HEXES = ("s/", "l/", "p/", "n/", "a/")
"""Keys of what lies on hexes, and goes with them."""


class BoardValues:
    """The values of one map, and where its hexes are in rows of letters."""

    def __init__(self, data: Mapping[str, Any], drawn: Mapping[str, Any] | None = None) -> None:
        self.data, self.drawn = data, drawn
        self.sheets: Mapping[str, Any] = data["sheets"] if "sheets" in data else {"": data}
        self.chart = _bare(data)

    @cached_property
    def where(self) -> dict[str, tuple[str, int, int]]:
        """Return the sheet, the row and the column of letters of every hex."""
        places_by_hex: dict[str, tuple[str, int, int]] = {}
        for sheet in self.chart.sheets:
            grid = sheet.grid
            spots = [grid.spot(hex) for hex in grid.hexes]
            spots = [(east, south) for south, east in spots] if grid.pointy else spots
            places = [grid.column_row(hex) for hex in grid.hexes]
            columns = _ranks(places, spots, 0)
            rows = _ranks(places, spots, 1)
            for hex, (column, row) in zip(grid.hexes, places, strict=True):
                places_by_hex.setdefault(grid.number(hex), (sheet.name, rows[row], columns[column]))
        return places_by_hex

    def letters(self, sheet: str) -> list[list[re.Match[str]]]:
        """Return the letters of each row of a sheet with their places in it."""
        rows = self.sheets[sheet]["terrain"]
        return [list(re.finditer(r"\S+" if " " in row.strip() else r"\S", row)) for row in rows]

    def values(self) -> Values:
        """Return everything that the map says, by keys."""
        values: Values = {}
        letters = {name: self.letters(name) for name in self.sheets if self.chart.sheets}
        for number, (sheet, row, column) in self.where.items():
            values[f"t/{number}"] = letters[sheet][row][column][0]
        for name in letters:
            values[f"size/{name}"] = [len(letters[name][0]), len(letters[name])]
            if name:
                values[f"sheet/{name}"] = 1
            own = self.sheets[name]
            values |= {f"layout/{name}/{key}": own[key] for key in keys_of(name) if key in own}
        values |= {f"L/{letter}": kind for letter, kind in _dict(self.data, "legend").items()}
        for kind, sides in _dict(self.data, "hexsides").items():
            values |= {
                f"s/{kind}/{pair}": 1 for side in _texts(sides) if (pair := self.pair(side.split("/")))
            }
        for network, chains in _dict(self.data, "links").items():
            for chain in _chains(chains):
                for ends in pairwise(_ids(chain)):
                    if pair := self.pair(ends):
                        values[f"l/{network}/{pair}"] = 1
        for kind, listed in _dict(self.data, "places").items():
            for entry in listed if isinstance(listed, list) else ():
                if isinstance(entry, dict) and isinstance(entry.get("hex"), str):
                    values.setdefault(
                        f"p/{kind}/{entry['hex']}", {k: v for k, v in entry.items() if k != "hex"}
                    )
        values |= {f"n/{hex}": name for hex, name in _dict(self.data, "names").items()}
        for layer, areas in _dict(self.data, "areas").items():
            for area, area_data in areas.items() if isinstance(areas, dict) else ():
                listed = area_data.get("members") if isinstance(area_data, dict) else area_data
                values |= {f"a/{layer}/{hex}": area for text in _texts(listed) for hex in self.span(text)}
        values |= {f"x/{group}/{id}": _line(own) for group, id, own in located(self.data)}
        return values | shape_values(self.shapes)

    @property
    def shapes(self) -> Mapping[str, Any]:
        """Return the shapes of the map's areas, its own or those with which it is drawn."""
        return _dict(self.data, "shapes") or self.drawn or {}

    def pair(self, ends: Any) -> str:
        """Return the name of two locations, "" if they are not two."""
        ends = [str(end).strip() for end in ends]
        if len(ends) != 2 or ends[0] == ends[1]:
            return ""
        order = [self.chart.get(end) for end in ends]
        if None not in order and order[0] > order[1]:  # type: ignore[operator]
            ends.reverse()
        return "/".join(ends)

    def span(self, text: str) -> list[str]:
        """Return the hexes of a text such as 0101..0203, or of one hex."""
        first, dots, last = text.partition("..")
        if not dots:
            return [text]
        a, b = self.chart.get(first), self.chart.get(last)
        sheet = self.chart.sheet(a) if a is not None else None
        if a is None or b is None or sheet is None or self.chart.sheet(b) != sheet:
            return []
        grid = sheet.grid
        (c1, r1), (c2, r2) = grid.column_row(a - sheet.first), grid.column_row(b - sheet.first)
        hexes = (grid.at(c, r) for c in range(min(c1, c2), max(c1, c2) + 1)
                 for r in range(min(r1, r2), max(r1, r2) + 1))  # fmt: skip
        return [grid.number(hex) for hex in hexes if hex is not None]

    def changed(self, work: Mapping[str, Any]) -> dict[str, Any]:
        """Return the data of the map with these values."""
        data: dict[str, Any] = copy.deepcopy(dict(self.data))
        sized = {key[5:]: value for key, value in work.items() if key.startswith("size/")}
        sheets = {key[6:]: value for key, value in work.items() if key.startswith("sheet/")}
        if "" in sized:
            resize(data, sized.pop(""))
        for name, sheet_data in sheets.items():
            add_sheet(data, name, sheet_data)
        for name, sheet_data in sized.items():
            resize(data["sheets"][name], sheet_data)
        laid_out = [key for key in work if key.startswith("layout/")]
        for key in laid_out:
            lay_out(data, key, work[key])
        if any(key.startswith(("h/", "ring/")) for key in work) and "shapes" not in data:
            data["shapes"] = copy.deepcopy(dict(self.shapes))
            for key, line in work.items():  # the package's shapes have areas that this map has no more
                if key.startswith("x/") and line is None and data["shapes"]:
                    data["shapes"] = without(data["shapes"], key.split("/")[2])
        for key, points in work.items():
            if key.startswith("ring/") and points is not None:
                data["shapes"] = outlined(data["shapes"], key[5:], points)
        after = BoardValues(data, self.drawn) if sized or sheets or laid_out or "size/" in work else self
        off = self.where.keys() - after.where.keys()
        if off:
            gone = (key for key in self.values() if key[:2] in _ON_HEXES and off & {*key.split("/")[1:]})
            _Change(self, data).to(dict.fromkeys(gone))
        return _Change(after, data).to(work)


class _Change:
    """Data of a map with changed values, in an order that people expect."""

    def __init__(self, board: BoardValues, data: dict[str, Any]) -> None:
        self.board, self.data = board, data

    def to(self, work: Mapping[str, Any]) -> dict[str, Any]:
        edges: dict[str, list[tuple[str, str, Any]]] = {}
        letters: dict[str, str] = {}
        for key, value in work.items():
            kind, _, rest = key.partition("/")
            if kind == "t" and value is not None:
                letters[rest] = str(value)
            elif kind == "L":
                _set(self._inner("legend"), rest, value)
            elif kind == "s":
                side, _, pair = rest.partition("/")
                self._side(side, pair, bool(value))
            elif kind == "l":
                network, a, b = rest.split("/")
                edges.setdefault(network, []).append((a, b, value))
            elif kind == "p":
                place, _, hex = rest.partition("/")
                self._place(place, hex, value)
            elif kind == "n":
                _set(self._inner("names"), rest, value)
            elif kind == "x":
                group, _, id = rest.partition("/")
                self._location(group, id, value)
            elif kind == "h":
                self._shape(rest.split("/"), value)
            elif kind == "a":
                layer, _, hex = rest.partition("/")
                self._area(layer, hex, value)
        self._letters(letters)
        for network, listed in edges.items():
            self._links(network, listed)
        return self.data

    def _inner(self, *names: str) -> dict[str, Any]:
        """Return a mapping of the map, made if it is not there."""
        inside = self.data
        for name in names:
            if not isinstance(inside.get(name), dict):
                inside[name] = {}
            inside = inside[name]
        return inside

    def _letters(self, letters: Mapping[str, str]) -> None:
        rows: dict[tuple[str, int], dict[int, str]] = {}
        for number, letter in letters.items():
            if number in self.board.where:
                sheet, row, column = self.board.where[number]
                rows.setdefault((sheet, row), {})[column] = letter
        tokens = {sheet: self.board.letters(sheet) for sheet in {sheet for sheet, _ in rows}}
        for (sheet, n), changes in rows.items():
            listed = (self.data["sheets"][sheet] if sheet else self.data)["terrain"]
            text = listed[n]
            spaced = " " in text.strip() or all(len(letter) == 1 for letter in changes.values())
            for column, letter in sorted(changes.items(), reverse=True):
                at = tokens[sheet][n][column]
                text = text[: at.start()] + letter + text[at.end() :]
            listed[n] = text if spaced else " ".join(
                changes.get(c, at[0]) for c, at in enumerate(tokens[sheet][n])
            )  # fmt: skip

    def _side(self, kind: str, pair: str, there: bool) -> None:
        sides = self._inner("hexsides").setdefault(kind, [])
        if there:
            _into(sides, pair)
        else:
            sides[:] = [side for side in sides if self.board.pair(side.split("/")) != pair]

    def _links(self, network: str, edges: list[tuple[str, str, Any]]) -> None:
        held = self._inner("links").setdefault(network, [])
        chains = held.setdefault("chains", []) if isinstance(held, dict) else held
        gone = {self.board.pair((a, b)) for a, b, value in edges if not value}
        if gone:
            chains[:] = [part for chain in chains for part in self._cut(chain, gone)]
        for a, b in _in_a_row([(a, b) for a, b, value in edges if value]):
            self._join(chains, a, b)

    def _cut(self, chain: Any, gone: set[str]) -> Iterator[Any]:
        ids = _ids(chain)
        parts: list[list[str]] = [[ids[0]]]
        for a, b in pairwise(ids):
            if self.board.pair((a, b)) in gone:
                parts.append([b])
            else:
                parts[-1].append(b)
        if len(parts) == 1:
            yield chain
            return
        yield from (_as(chain, part) for part in parts if len(part) > 1)

    def _join(self, chains: list[Any], a: str, b: str) -> None:
        for n, chain in enumerate(chains):
            ids = _ids(chain)
            for end, more in ((a, b), (b, a)):
                if ids[-1] == end:
                    chains[n] = _as(chain, [*ids, more])
                    return
                if ids[0] == end:
                    chains[n] = _as(chain, [more, *ids])
                    return
        chains.append(f"{a}-{b}")

    def _place(self, kind: str, hex: str, fields: Any) -> None:
        listed = self._inner("places").setdefault(kind, [])
        at = next(
            (n for n, entry in enumerate(listed) if isinstance(entry, dict) and entry.get("hex") == hex), None
        )
        if fields is None:
            if at is not None:
                del listed[at]
        elif at is not None:
            old = {key: value for key, value in listed[at].items() if key in fields or key == "hex"}
            listed[at] = {**old, **fields}
        else:
            listed.append({"hex": hex, **fields})

    def _location(self, group: str, id: str, line: Any) -> None:
        """Set a box or an area from a line of YAML; the hexes of an area stay."""
        inside = self._inner(*(("boxes",) if group == "-" else ("areas", group)))
        old = inside.get(id)
        kept = {"members": old["members"]} if isinstance(old, dict) and "members" in old else {}
        if line is None:
            inside.pop(id, None)
            for kind in _dict(self.data, "places"):
                self._place(kind, id, None)
            if id in _dict(_dict(self.data, "shapes"), "areas"):
                self.data["shapes"] = without(self.data["shapes"], id)
                _ = self.data["shapes"] or self.data.pop("shapes")
        else:
            written = value_of(str(line))
            inside[id] = {**written, **kept} if isinstance(written, dict) else written

    def _shape(self, way: list[str], value: Any) -> None:
        """Set the points of an arc, or a point of a shape."""
        shapes = self.data["shapes"]
        if way[0] == "arc":
            own = shapes["arcs"][way[1]]
            shapes["arcs"][way[1]] = {**own, "points": value} if isinstance(own, dict) else value
            return
        _, area, *names = way
        inside = shapes["areas"][area]
        for name in names[:-1]:
            inside = inside.setdefault(name, {})
        inside[names[-1]] = value

    def _area(self, layer: str, hex: str, area: Any) -> None:
        areas = self._inner("areas", layer)
        for name, area_data in list(areas.items()):
            listed = area_data.get("members") if isinstance(area_data, dict) else area_data
            if not isinstance(listed, list) or name == area:
                continue
            for text in [line for line in listed if isinstance(line, str) and hex in self.board.span(line)]:
                at = listed.index(text)
                listed[at : at + 1] = [member for member in self.board.span(text) if member != hex]
        if area is not None:
            group = areas.setdefault(str(area), [])
            listed = group.setdefault("members", []) if isinstance(group, dict) else group
            if not any(hex in self.board.span(text) for text in _texts(listed)):
                _into(listed, hex)


def _bare(data: Mapping[str, Any]) -> GameMap:
    """Return the map with its grid alone, in which each hex of the rows is there."""
    sheets = data["sheets"] if "sheets" in data else {"": data} if "terrain" in data else {}
    bare: dict[str, Any] = {}
    for name, sheet in sheets.items():
        bare[name] = {
            key: sheet[key] for key in (*LAYOUT, "terrain", "joins", "beside", "below") if key in sheet
        }
        rows = sheet.get("terrain") or []
        letters = {letter for row in rows if isinstance(row, str) for letter in
                 (row.split() if " " in row.strip() else row.strip())}  # fmt: skip
        bare[name]["legend"] = dict.fromkeys(letters, _BARE)
    if not bare:
        return GameMap.from_data({"boxes": {}})
    return GameMap.from_data(bare[""] if "" in bare else {"sheets": bare}, path=("map",))


def _ranks(places: list[tuple[int, int]], spots: list[tuple[int, int]], axis: int) -> dict[int, int]:
    """Return which column or row of letters, from the west or north, has which printed number."""
    sums: dict[int, list[int]] = {}
    for place, spot in zip(places, spots, strict=True):
        sums.setdefault(place[axis], []).append(spot[axis])
    order = sorted(sums, key=lambda number: min(sums[number]))
    return {number: n for n, number in enumerate(order)}


def located(data: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield boxes (of the group "-") and areas that are locations (of their layer), without hexes."""
    groups = {"-": _dict(data, "boxes"), **_dict(data, "areas")}
    for group, listed in groups.items():
        for id, own in listed.items() if isinstance(listed, Mapping) else ():
            if isinstance(own, Mapping) and (group == "-" or "name" in own or "boxes" in own):
                yield group, str(id), {key: value for key, value in own.items() if key != "members"}


def shape_values(shapes: Mapping[str, Any]) -> Values:
    """Return the points of arcs, and of names, units and coasts, by keys; {} of faulty shapes."""
    try:
        drawn = read_shapes(dict(shapes)) if shapes else None
    except Refused:
        drawn = None
    if drawn is None:
        return {}
    values: Values = {
        f"h/arc/{name}": [part for point in arc.points for part in point] for name, arc in drawn.arcs.items()
    }
    for id, shape in drawn.areas.items():
        spots = {"label": shape.label, "stand": shape.stand, "centre": shape.centre}
        values |= {f"h/spot/{id}/{name}": [*point] for name, point in spots.items() if point is not None}
        values |= {f"h/spot/{id}/coasts/{name}": [*point] for name, point in shape.coasts.items()}
    return values


def _line(value: Any) -> str:
    """Return a value as one line of YAML; odd values as they are."""
    try:
        return flow(value)
    except (TypeError, ValueError):
        return str(value)


def value_of(line: str) -> Any:
    """Return the value of a line of YAML; the line itself if it is no YAML."""
    try:
        return json.loads(json.dumps(yaml.load(f"value: {line}\n", "value").data["value"]))
    except (Refused, LookupError, TypeError, ValueError):
        return line


def _in_a_row(edges: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return edges so that each follows the one before where that is possible: they become one chain."""
    left = list(edges)
    rows: list[tuple[str, str]] = []
    while left:
        ends = set(rows[-1]) if rows else set()
        at = next((n for n, edge in enumerate(left) if ends & set(edge)), 0)
        rows.append(left.pop(at))
    return rows


def _chains(held: Any) -> list[Any]:
    listed = held.get("chains") if isinstance(held, dict) else held
    return [chain for chain in listed if isinstance(chain, str | list)] if isinstance(listed, list) else []


def _ids(chain: Any) -> list[str]:
    return [str(id).strip() for id in (chain.split("-") if isinstance(chain, str) else chain)]


def _as(chain: Any, ids: list[str]) -> Any:
    """Return a chain of ids in the form of another one."""
    return "-".join(ids) if isinstance(chain, str) else ids


def _into(listed: list[Any], item: str) -> None:
    """Put an item into a list: in order if the list is in order, else at its end."""
    if item in listed:
        return
    texts = all(isinstance(text, str) for text in listed)
    at = bisect_left(listed, item) if texts and listed == sorted(listed) else len(listed)
    listed.insert(at, item)


def _set(inside: dict[str, Any], key: str, value: Any) -> None:
    if value is None:
        inside.pop(key, None)
    else:
        inside[key] = value


def _dict(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, Mapping) else {}


def _texts(listed: Any) -> list[str]:
    return [text for text in listed if isinstance(text, str)] if isinstance(listed, list) else []
