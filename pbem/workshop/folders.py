"""Reading the folder of a scenario: fixed names, regular files, bounds before anything is parsed.

    scenario.yaml  map.yaml  counters.csv (or .yaml)  charts/NAME.yaml  words.yaml  README.md

Nothing else in the folder is read. Faults have the file, the line and the column or cell.
"""

from __future__ import annotations

import copy
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from pbem.engine import system as systems
from pbem.engine.scenarios.scenario_check import BESIDE, faults_of, warnings_of
from pbem.engine.scenarios.shapes import WORDS, schema_of
from pbem.engine.scenarios.whole_scenario import ABOUT, WholeScenario, pack
from pbem.engine.system import System
from pbem.text import yaml
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath, Diagnostic, Located, Refused, Span, in_order
from pbem.text.messages import Message
from pbem.text.yaml import Document, Limits
from pbem.workshop.cells import Cells, Numbering, read_table
from pbem.workshop.shape_of import Declared, Table

SCENARIO, MAP, WORDS_FILE, README, CHARTS = "scenario.yaml", "map.yaml", "words.yaml", "README.md", "charts"
COUNTERS = "counters"
"""The table that every folder has; its YAML file holds what no table of the same member says."""
MOST_FILE, MOST_FOLDER, MOST_FILES = 2 << 20, 4 << 20, 40
LIMITS = Limits(size=MOST_FILE, depth=20, values=200_000)
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*[A-Z0-9-][A-Za-z0-9_-]*")
"""An id of a counter, and no plain word such as a seat."""
_HEAD = ("pbem", "system", "id", "source", "licence")


@dataclass
class ReadFolder:
    """A folder that was read: its scenario or faults, what was undone, and the texts of its files."""

    root: Path
    system: System | None = None
    whole: WholeScenario | None = None
    faults: list[Diagnostic] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    raw: dict[str, bytes] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    tables: dict[str, Cells] = field(default_factory=dict)

    @property
    def errors(self) -> list[Diagnostic]:
        """Return the faults that keep a game from beginning, without warnings."""
        return [fault for fault in self.faults if fault.severity == "error"]


def is_folder(path: Path) -> bool:
    """Return True if this is the folder of a scenario."""
    return path.is_dir() and (path / SCENARIO).is_file()


def read_folder(root: Path, instead: Mapping[str, bytes] | None = None, *, check: bool = True) -> ReadFolder:
    """Return the scenario in a folder with all that is wrong with it.

    `instead` holds files that count as if they were in the folder. Without `check` they are only read.
    """
    reader = _Reader(root, instead or {}, check)
    try:
        reader.read()
    except Refused as refused:
        reader.found.faults += refused.diagnostics
    reader.found.faults = in_order(reader.found.faults)
    return reader.found


def need_folder(root: Path) -> tuple[System, WholeScenario]:
    """Return the rules with the scenario in a folder, and the scenario; Refused with all its faults."""
    folder = read_folder(root)
    if folder.errors or folder.system is None or folder.whole is None:
        raise Refused(folder.errors)
    return folder.system.with_scenario(folder.whole), folder.whole


class _Reader:
    def __init__(self, root: Path, instead: Mapping[str, bytes], check: bool) -> None:
        self.root, self.instead, self.check = root, instead, check
        self.found = ReadFolder(root)
        self.size = self.count = 0
        self.located: list[tuple[DataPath, DataPath, Located]] = []
        """Places of parts of the scenario: (path in the scenario, path in the file, file)."""

    def read(self) -> None:
        head = self._yaml(SCENARIO, None)
        if head is None:
            message = Message("workshop.folders.no-scenario", root=self.root)
            raise Refused(Diagnostic("no-scenario", message, help=(Message("workshop.folders.begin-one"),)))
        self.found.system = self._system(head)
        declared = Declared(self.found.system)
        data, about = self._scenario(declared)
        sheet = self._yaml(MAP, declared.schema_of("map"))
        if sheet is not None:
            data["map"] = sheet.data
            self.located.append((("map",), (), sheet))
        for table in declared.tables.values():
            self._table(declared, table, data)
        charts = self._charts()
        words = self._yaml(WORDS_FILE, schema_of({"<key>": {"<name>": "text"}}))
        if words is not None and isinstance(words.data, dict):
            about["words"] = words.data
            self.located.append((("words",), (), words))
        readme = self._bytes(README)
        if readme is not None:
            about["readme"] = readme.decode("utf-8-sig", "replace").replace("\r\n", "\n").strip()
        if not isinstance(about.get("id"), str) or not self.check:
            return
        try:
            packed = pack(self.found.system, str(about.pop("id")), data, charts=charts, about=about)
        except Refused as refused:
            raise Refused([self._at(fault) for fault in refused.diagnostics]) from None
        self._check(packed)

    def _system(self, head: Document) -> System:
        name = head.data.get("system") if isinstance(head.data, dict) else None
        if not isinstance(name, str):
            message = Message("workshop.folders.no-system", known=tuple(sorted(systems.installed())))
            raise Refused(Diagnostic("no-system", message, span=head.span(())))
        try:
            return systems.find(name)
        except Refused as refused:
            raise Refused(
                [replace(fault, span=head.span(("system",))) for fault in refused.diagnostics]
            ) from None

    def _scenario(self, declared: Declared) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the members in scenario.yaml, and what it says of itself."""
        schema = declared.schema
        own = {"pbem": {"const": 1}, "system": WORDS["name"], "id": WORDS["id"]}
        own |= schema_of({key: kind for key, kind in BESIDE.items() if key.removesuffix("~") in _HEAD})[
            "properties"
        ]
        typed = {**schema, "properties": {**schema.get("properties", {}), **own}}
        document = self._yaml(SCENARIO, typed)
        assert document is not None
        if not isinstance(document.data, dict):
            raise Refused(
                Diagnostic("wrong-type", Message("workshop.folders.no-mapping"), span=document.span(()))
            )
        self.located.append(((), (), document))
        taken = {"map", *(table.member for table in declared.tables.values())}
        for key in document.data:
            if key in taken or key in ("charts", "words", "readme", "pairs"):
                message = Message("workshop.folders.other-file", key=key)
                self._fault("other-file", message, (key,), on_key=True)
        if document.data.get("pbem") != 1:
            self._fault("other-version", Message("workshop.folders.no-version"), ())
        if not isinstance(document.data.get("id"), str):
            self._fault("missing-key", Message("workshop.folders.no-id"), ())
        data = {key: value for key, value in document.data.items() if key not in _HEAD}
        about = {key: document.data[key] for key in ("id", *ABOUT) if document.data.get(key)}
        return data, about

    def _table(self, declared: Declared, table: Table, data: dict[str, Any]) -> None:
        """Read a table from NAME.csv, or the whole member from NAME.yaml."""
        as_csv, as_yaml = f"{table.name}.csv", f"{table.name}.yaml"
        source = self._bytes(as_csv) if table.columns else None
        has_file = table.name == COUNTERS or len(table.at) == 1
        written = self._yaml(as_yaml, declared.schema_of(table.member)) if has_file else None
        if source is not None and written is not None and len(table.at) == 1:
            self.found.faults.append(
                Diagnostic("listed-twice", Message("workshop.folders.both", one=as_csv, other=as_yaml))
            )
        if written is not None:
            data[table.member] = copy.deepcopy(written.data)  # tables put their entries into it
            self.located.append(((table.member,), (), written))
        if source is not None:
            cells = read_table(table, as_csv, source, numbering(data.get("map")))
            self.found.tables[as_csv] = cells
            self.found.faults += cells.faults
            self.found.mended += cells.mended
            self._put(data, cells)
        elif written is None and table.name == COUNTERS and table.member not in data:
            wanted = f"{as_csv} / {as_yaml}" if table.columns else as_yaml
            message = Message("workshop.folders.no-counters", file=wanted)
            self.found.faults.append(Diagnostic("no-counters", message))

    def _put(self, data: dict[str, Any], cells: Cells) -> None:
        """Put the entries of a table into the members that a YAML file may have begun.

        A file of comments alone says nothing. What is in place of a mapping or a list stays there, for
        the check to name it.
        """
        if data.get(cells.table.member) is None:
            data[cells.table.member] = {}
        for path, entry in cells.entries:
            inside: Any = data
            for n, step in enumerate(path[:-1]):
                last = n == len(path) - 2
                if isinstance(inside, dict) and inside.get(step) is None:
                    inside[step] = [] if last and cells.table.listed else {}
                inside = inside[step] if isinstance(inside, dict) else None
            if isinstance(inside, list):
                inside.append(entry)
            elif isinstance(inside, dict):
                inside[path[-1]] = entry
            self.located.append((path, path, cells))

    def _charts(self) -> dict[str, Any]:
        folder = self.root / CHARTS
        if folder.is_symlink() or not folder.is_dir():
            return {}
        charts: dict[str, Any] = {}
        for name in sorted(os.listdir(folder))[: MOST_FILES + 1]:
            if name.endswith(".yaml"):
                document = self._yaml(f"{CHARTS}/{name}", None)
                if document is not None:
                    charts[name.removesuffix(".yaml")] = document.data
                    self.located.append(((CHARTS, name.removesuffix(".yaml")), (), document))
        return charts

    def _check(self, whole: WholeScenario) -> None:
        assert self.found.system is not None
        unread = bool(self.found.faults)
        faults = [self._at(fault) for fault in faults_of(self.found.system, whole, set_up=not unread)]
        self.found.whole = whole
        self.found.faults += faults
        if not faults and not unread:
            self.found.faults += [self._at(warning) for warning in warnings_of(self.found.system, whole)]

    # Places and files

    def _fault(self, code: str, message: Message, path: DataPath, on_key: bool = False) -> None:
        self.found.faults.append(self._at(Diagnostic(code, message, path=path, on_key=on_key)))

    def _at(self, fault: Diagnostic) -> Diagnostic:
        """Return the fault with its place: that of the longest path to a file that leads to it."""
        if fault.span is not None:
            return fault
        if not fault.path and (named := self._named(fault)) is not None:
            return replace(fault, span=named)
        best = max(
            (part for part in self.located if fault.path[: len(part[0])] == part[0]),
            key=lambda part: len(part[0]),
            default=None,
        )
        if best is None:
            return fault
        start, inside, document = best
        path = (*inside, *fault.path[len(start) :])
        span = document.key_span(path) if fault.on_key else document.span(path)
        return replace(fault, span=span)

    def _named(self, fault: Diagnostic) -> Span | None:
        """Return where a counter that a fault of no place names first is written, None for other faults."""
        for value in fault.fields.values():
            word = re.compile(rf"(?<![\w.-]){re.escape(str(value))}(?![\w.-])")
            for name in (key for key in self.found.raw if key.startswith(COUNTERS)):
                for number, line in enumerate(
                    self.found.raw[name].decode("utf-8", "replace").splitlines(), 1
                ):
                    hit = word.search(line)
                    if hit is not None and _ID.fullmatch(hit[0]):
                        return Span(name, number, hit.start() + 1, number, hit.end() + 1)
        return None

    def _yaml(self, name: str, schema: Mapping[str, Any] | None) -> Document | None:
        source = self._bytes(name)
        if source is None:
            return None
        self.found.sources[name] = source.decode("utf-8", "replace")
        reading = yaml.read(source, name, schema, LIMITS)
        new = [fault for fault in reading.faults if fault not in self.found.faults]
        if new:
            self.found.faults += new
            if not reading.whole:
                raise Refused(self.found.faults.pop())
        self.found.documents[name] = reading.document
        return reading.document

    def _bytes(self, name: str) -> bytes | None:
        """Return a regular file of the folder within bounds; None if there is none."""
        data = self.instead[name] if name in self.instead else self._on_disk(name)
        if data is None:
            return None
        self.found.raw[name] = data
        self.size, self.count = self.size + len(data), self.count + 1
        if len(data) > MOST_FILE or self.size > 2 * MOST_FOLDER or self.count > 2 * MOST_FILES:
            raise _odd(
                name, Message("workshop.folders.too-large", file=MOST_FILE >> 20, all=MOST_FOLDER >> 20)
            )
        return data

    def _on_disk(self, name: str) -> bytes | None:
        path = self.root / name
        try:
            mode = os.lstat(path).st_mode
        except OSError:
            return None
        if not stat.S_ISREG(mode):
            raise _odd(name, Message("workshop.folders.no-regular-file"))
        with open(path, "rb") as file:
            return file.read(MOST_FILE + 1)


def numbering(data: Any) -> Numbering:
    """Return how the hexes of a map are numbered, as far as its data says."""
    if not isinstance(data, Mapping):
        return Numbering()
    separator, rows, digits = data.get("separator", ""), data.get("terrain"), data.get("digits")
    lengths = [len(row.split()) for row in rows if isinstance(row, str)] if isinstance(rows, list) else []
    usual = 3 if max([len(lengths), *lengths]) >= 100 else 2
    written = digits if isinstance(digits, list) and len(digits) == 2 else [digits or usual] * 2
    wide, high = (size if type(size) is int else None for size in written)
    pair = (wide, high) if data.get("order") != "row" else (high, wide)
    form = None if pair[0] is None or pair[1] is None else (pair[0], pair[1])
    return Numbering(form, separator if isinstance(separator, str) else "")


def _odd(name: str, why: Message) -> Refused:
    return Refused(Diagnostic("odd-file", why, span=Span(name, 1, 1, 1, 1)))
