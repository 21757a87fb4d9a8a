"""The declaration of a system: the shape of each member, and which tables a folder may have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from pbem.engine.scenarios.scenario_check import schema_for
from pbem.engine.scenarios.shapes import Schema
from pbem.engine.scenarios.whole_scenario import SHAPE
from pbem.engine.system import System
from pbem.text.dataclass import dataclass

_BY_KEY = re.compile(r"<(.*)>")


@dataclass(frozen=True)
class Column:
    """A column of a table: its name, and the way to the value in the entry that a row makes."""

    name: str
    path: tuple[str | int, ...]
    shape: Any


@dataclass(frozen=True)
class Table:
    """A table of counters: where its entries stand in the scenario, and what its columns are.

    `at` leads to a mapping of entries by id, or to a list; a step in angles is a column of its own, such as
    the side.
    """

    name: str
    at: tuple[str, ...]
    listed: bool
    columns: Sequence[Column]

    @property
    def member(self) -> str:
        """Return the member of the scenario that the table fills."""
        return self.at[0]

    @property
    def heads(self) -> list[str]:
        """Return the names of all columns, in order."""
        own = [step.strip("<>") for step in self.at if _BY_KEY.fullmatch(step)]
        return ["id", *own, *(column.name for column in self.columns if column.name != "id")]


class Declared:
    """The declaration of a system: `scenario.yaml` of its rules."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.data: Mapping[str, Any] = system.data(SHAPE) if system.files(SHAPE) else {}

    @cached_property
    def schema(self) -> Schema:
        """Return the JSON Schema of the whole scenario."""
        return schema_for(self.system) or {}

    def schema_of(self, *members: str) -> Schema:
        """Return the schema of one member."""
        schema: Schema = self.schema
        for name in members:
            schema = schema.get("properties", {}).get(name, {})
        return {**schema, "$defs": self.schema.get("$defs", {})}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Return the tables that a folder may have, by the name of their file."""
        return {
            name: self._table(name, table_data) for name, table_data in self.data.get("tables", {}).items()
        }

    def _table(self, name: str, table_data: Mapping[str, Any]) -> Table:
        at = tuple(str(table_data["at"]).split("/"))
        entry = self.data["members"]
        for step in at:
            entry = self._member(entry, step)
        entry = self._member(entry, 0 if table_data.get("list") else "id")
        columns = []
        for column in table_data.get("columns", ()):
            head, _, way = str(column).partition("=")
            path = tuple(int(step) if step.isdigit() else step for step in (way or head).split("."))
            shape = entry
            for part in path:
                shape = self._member(shape, part)
            columns.append(Column(head, path, shape))
        return Table(name, at, bool(table_data.get("list")), tuple(columns))

    def _member(self, shape: Any, step: str | int) -> Any:
        """Return the shape of a member, that of a name where it has one."""
        member = member_of(shape, step)
        if isinstance(member, str) and member.startswith("="):
            return self.data["shapes"][member[1:]]
        return member


def member_of(shape: Any, step: str | int) -> Any:
    """Return the shape of a member; KeyError if the shape has none."""
    if isinstance(shape, list):
        return shape[0] if len(shape) == 1 else shape[int(step)]
    if isinstance(shape, Mapping):
        for key, inner in shape.items():
            if key.removesuffix("~") == step or _BY_KEY.fullmatch(key):
                return inner
    raise KeyError(f"{step!r} in {shape!r}")


def words_of(shape: Any) -> Iterator[str]:
    """Yield the kinds of values that a shape of one value allows."""
    if isinstance(shape, str):
        yield from (kind.strip() for kind in shape.split(" or "))
