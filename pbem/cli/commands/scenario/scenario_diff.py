"""`pbem scenario diff`: what differs between two scenarios, in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note, print_json, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.scenarios.whole_scenario import WholeScenario
    from pbem.engine.system import System


@click.command(cls=Command, help="cli.scenario-diff.help")
@click.argument("first_file", metavar="A")
@click.argument("other", metavar="B")
@json_option
def command(first_file: str, other: str, as_json: bool) -> None:
    from pbem.engine.system import find
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.workshop.differences import differences

    first, second = _scenario(first_file), _scenario(other)
    if first[0].name != second[0].name:
        message = Message("cli.scenario-diff.two-systems", one=first[0].name, other=second[0].name)
        raise Refused(Diagnostic("other-system", message))
    lines = differences(find(first[0].name), first[1], second[1])
    if as_json:
        print_json([str(line) for line in lines])
        return
    for line in lines:
        result(line)
    note(Message("cli.scenario-diff.count", count=len(lines), one=first_file, other=other))


def _scenario(source: str) -> tuple[System, WholeScenario]:
    """Return the scenario of a folder, of a game's folder, or of a package (SYSTEM/NAME)."""
    from pbem.archive import layout
    from pbem.engine.scenarios.whole_scenario import unpack
    from pbem.engine.system import find
    from pbem.workshop.folders import is_folder, need_folder

    path = Path(source)
    if is_folder(path):
        return need_folder(path)
    data = layout.read(path, layout.SCENARIO, layout.PLAYER_LIMIT) if path.is_dir() else None
    if data is not None:
        scenario_read = unpack(data)
        return find(scenario_read.system), scenario_read
    name, _, scenario = source.partition("/")
    system = find(name)
    return system, system.whole(scenario or system.scenarios()[0])
