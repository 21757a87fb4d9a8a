"""Counters that a folder writes in YAML, as the rows of a table that an editor shows.

Two forms follow from the shapes of a system:

    units: {GE: {"0806": ["GE-HQ1 HQ-A 6-4"]}}      texts under an owner and a place (`Texts`)
    oob: {axis: {units: {N-AR1: {t: infantry}}}}    entries under an owner and a section, and in another
    setup: {"0603": ["N-AR1/3"]}                    member where each is (`Entries`)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.scenarios.shapes import Schema, schema_of
from pbem.text import yaml
from pbem.text.diagnostics import Refused
from pbem.text.flow import flow
from pbem.workshop.folders import LIMITS, SCENARIO
from pbem.workshop.shape_of import Declared, words_of

Data = dict[str, Any]
Row = dict[str, str]
OWNER, SECTION, TEXT, PLACE, FACE = "owner", "section", "text", "hex", "face"
_TEXTS, _STANDING = {"<id>": {"<place>": ["unit"]}}, {"<place>": ["counter"]}


class Written:
    """The counters of one YAML file as rows by id."""

    heads: list[str]
    must_stand = False
    """True if a counter that stands nowhere is none."""

    def __init__(self, member: str, file: str) -> None:
        self.member, self.file = member, file

    @property
    def members(self) -> dict[str, str]:
        """Return the members that rows are read from, with their files."""
        return {self.member: self.file}

    def rows(self, data: Mapping[str, Any]) -> dict[str, Row]:
        """Return the cells of every counter by its id; odd data is left out."""
        raise NotImplementedError

    def changed(self, data: Data, rows: Mapping[str, Row | None]) -> None:
        """Change the data so that these counters have these cells; None: the counter goes."""
        raise NotImplementedError


class Texts(Written):
    """Texts under an owner and a place; the first word of a text is the id."""

    heads = ["id", OWNER, TEXT, PLACE]
    must_stand = True

    def rows(self, data: Mapping[str, Any]) -> dict[str, Row]:
        """Return the cells of every counter by its id."""
        rows: dict[str, Row] = {}
        for owner, place, text in self._texts(data):
            id, _, rest = text.strip().partition(" ")
            rows.setdefault(id, {OWNER: owner, TEXT: rest.strip(), PLACE: place})
        return rows

    def _texts(self, data: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        for owner, places in _dict(data.get(self.member)).items():
            for place, listed in _dict(places).items():
                for text in listed if isinstance(listed, list) else ():
                    if isinstance(text, str) and text.strip():
                        yield owner, place, text

    def changed(self, data: Data, rows: Mapping[str, Row | None]) -> None:
        """Change the data so that these counters have these cells."""
        before, owners = self.rows(data), data.setdefault(self.member, {})
        for id, row in rows.items():
            old = before.get(id)
            if old is not None and row is not None and _apart(old, row, TEXT):
                listed = owners[old[OWNER]][old[PLACE]]
                listed[_at(listed, id)] = f"{id} {row.get(TEXT, '')}".strip()
                continue
            if old is not None:
                _out(owners[old[OWNER]], old[PLACE], id)
            if row is not None:
                owner = row.get(OWNER) or next(iter(owners), "")
                there = owners.setdefault(owner, {}).setdefault(row.get(PLACE, ""), [])
                there.append(f"{id} {row.get(TEXT, '')}".strip())


class Entries(Written):
    """Entries under an owner and a section, and in another member where each is."""

    def __init__(self, member: str, file: str, shape: Mapping[str, Any], form: Any, standing: str) -> None:
        super().__init__(member, file)
        self._sections = {name.removesuffix("~"): inner["<id>"] for name, inner in shape.items()}
        self._fields: dict[str, Any] = {name.removesuffix("~"): kind for name, kind in form.items()}
        self._standing = standing
        self.heads = ["id", OWNER, SECTION, PLACE, FACE, *self._fields]

    @property
    def members(self) -> dict[str, str]:
        """Return the members that rows are read from, with their files."""
        return {self.member: self.file, self._standing: SCENARIO}

    def rows(self, data: Mapping[str, Any]) -> dict[str, Row]:
        """Return the cells of every counter by its id."""
        stand: dict[str, tuple[str, str]] = {}
        for place, listed in _dict(data.get(self._standing)).items():
            for text in listed if isinstance(listed, list) else ():
                id, _, face = str(text).partition("/")
                stand.setdefault(id, (place, face))
        rows: dict[str, Row] = {}
        for owner, sections in _dict(data.get(self.member)).items():
            for section in self._sections:
                for id, entry in _dict(_dict(sections).get(section)).items():
                    place, face = stand.get(id, ("", ""))
                    cells = {name: _cell_text(value) for name, value in _dict(entry).items()}
                    row = {OWNER: owner, SECTION: section, PLACE: place, FACE: face, **cells}
                    rows.setdefault(id, {name: cell for name, cell in row.items() if cell})
        return rows

    def changed(self, data: Data, rows: Mapping[str, Row | None]) -> None:
        """Change the data so that these counters have these cells."""
        before, owners = self.rows(data), data.setdefault(self.member, {})
        stand = data.setdefault(self._standing, {})
        for id, row in rows.items():
            old = before.get(id)
            if old is not None and (row is None or not _alike(old, row, (PLACE, FACE))):
                if PLACE in old:
                    _out(stand, old[PLACE], id)
            if row is not None and row.get(PLACE) and (old is None or not _alike(old, row, (PLACE, FACE))):
                stand.setdefault(row[PLACE], []).append("/".join(filter(None, (id, row.get(FACE)))))
            if old is not None and (row is None or not _alike(old, row, (OWNER, SECTION))):
                inside = owners[old[OWNER]][old[SECTION]]
                entry = inside.pop(id)
                if not inside:
                    del owners[old[OWNER]][old[SECTION]]
            else:
                entry = owners[old[OWNER]][old[SECTION]][id] if old is not None else {}
            if row is not None:
                owner, section = row.get(OWNER) or next(iter(owners), ""), row.get(SECTION) or next(
                    iter(self._sections)
                )  # fmt: skip
                changes = {name for name in self._fields if row.get(name) != (old or {}).get(name)}
                for name in (field for field in self._fields if field in changes):
                    if row.get(name):
                        entry[name] = self._value(name, row[name])
                    else:
                        entry.pop(name, None)
                owners.setdefault(owner, {}).setdefault(section, {})[id] = entry

    def _value(self, name: str, cell: str) -> Any:
        """Return the value that a cell says; a cell that says none stays a text, which the check names."""
        shape = self._fields[name]
        if "bool" in words_of(shape) and cell in ("yes", "no"):
            return cell == "yes"
        schema: Schema = schema_of({"value": shape})
        try:
            data = yaml.load(f"value: {cell}\n", "cell", schema, LIMITS).data
            return json.loads(json.dumps(data["value"]))
        except (Refused, LookupError, TypeError, ValueError):
            return cell


def written_of(declared: Declared) -> Written | None:
    """Return the counters that a folder of this system writes in YAML; None if they are in tables."""
    members: Mapping[str, Any] = {
        name.removesuffix("~"): shape for name, shape in declared.data.get("members", {}).items()
    }
    standing = next((name for name, shape in members.items() if shape == _STANDING), "")
    for name, table in declared.tables.items():
        if table.columns:
            continue
        shape = members[table.member]
        if shape == _TEXTS:
            return Texts(table.member, f"{name}.yaml")
        inner = shape.get("<id>") if isinstance(shape, dict) else None
        if standing and isinstance(inner, dict):
            form = next(iter(inner.values()))["<id>"]
            return Entries(table.member, f"{name}.yaml", inner, declared.data["shapes"][form[1:]], standing)
    return None


def _cell_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else "" if value is None else flow(value)


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _alike(row: Row, other: Row, names: tuple[str, ...]) -> bool:
    return all((row.get(name) or "") == (other.get(name) or "") for name in names)


def _apart(row: Row, other: Row, name: str) -> bool:
    """Return True if all but one cell are alike."""
    return _alike(row, other, tuple(key for key in (*row, *other) if key != name))


def _at(listed: list[Any], id: str) -> int:
    """Return where a counter is in a list of texts."""
    return next(n for n, text in enumerate(listed) if str(text).replace("/", " ").split(" ")[0] == id)


def _out(places: Data, place: str, id: str) -> None:
    """Take a counter out of a place; a place without any goes."""
    listed = places[place]
    del listed[_at(listed, id)]
    if not listed:
        del places[place]
