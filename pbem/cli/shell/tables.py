"""Tables of a rules system on the terminal: plain data in columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.console import print_json, ready, result, strong
from pbem.cli.shell.language import of_rules
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.engine.system import System


def show_table(data: Any, indent: str = "") -> None:
    """Print mappings line by line; mappings of rows that are mappings or lists as columns."""
    for key, value in data.items() if isinstance(data, Mapping) else enumerate(data):
        if isinstance(value, Mapping) and value and all(isinstance(row, Mapping) for row in value.values()):
            ready(strong(Worded(f"{indent}{key}")))
            _columns(
                {str(k): {str(n): cell_text(c) for n, c in row.items()} for k, row in value.items()}, indent
            )
        elif isinstance(value, Mapping):
            ready(strong(Worded(f"{indent}{key}")))
            show_table(value, indent + "  ")
        else:
            ready(f"{indent}{key}: {cell_text(value)}")


def _columns(rows: dict[str, dict[str, str]], indent: str) -> None:
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    lines = [["", *names], *([key, *(row.get(name, "") for name in names)] for key, row in rows.items())]
    widths = [max(len(line[i]) for line in lines) for i in range(len(names) + 1)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        ready(f"{indent}  {'  '.join(cells)}".rstrip())


def cell_text(value: Any) -> str:
    """Return a value of a table as text for one cell."""
    if isinstance(value, list):
        return " ".join(cell_text(item) for item in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {cell_text(item)}" for key, item in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def show_background(system: System, scenario: str, as_json: bool) -> None:
    """Print cards, events, victory conditions and the like of a scenario, as it begins."""
    from pbem.engine.adjudicate import game_of, start

    listed = system.background(game_of(system, start(system, scenario, {})))
    if as_json:
        print_json([{"title": heading.title, "parts": list(heading.parts)} for heading in listed])
        return
    for heading in listed:
        result(heading.line(lambda text: of_rules(text, system)))


def table_names(system: System) -> list[str]:
    """Return the names of the tables of a system."""
    return [name.removeprefix("tables/").removesuffix(".yaml") for name in system.files("tables/*.yaml")]


def table_of(system: System, name: str) -> Any:
    """Return a table of a system; Refused if it has none of that name."""
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.suggest import did_you_mean

    known = table_names(system)
    if name not in known:
        near = did_you_mean(name, known)
        message = Message("cli.rules-show.no-such-table", system=system.name, name=name, known=tuple(known))
        help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
        raise Refused(Diagnostic("unknown-table", message, help=help_))
    return system.data(f"tables/{name}.yaml")
