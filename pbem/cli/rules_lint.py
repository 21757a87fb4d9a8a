"""`pbem rules lint`: determinism of a rules system's code, and soundness of what it says about its looks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli._console import note, print_json, result
from pbem.cli._options import json_option
from pbem.cli._words import counted

if TYPE_CHECKING:
    from pbem.text.diagnostics import Diagnostic


@click.command()
@click.argument("target", metavar="SYSTEM|FOLDER")
@json_option
@click.pass_context
def command(ctx: click.Context, target: str, as_json: bool) -> None:
    """Check rules code for what would make results differ between machines or runs (D1 to D8).

    And a look.yaml for names that there are not. TARGET is an installed system, or the folder of a package
    that is being written.

    \b
    Example:  pbem rules lint victory
              pbem rules lint ./my_system
    """
    from pbem.engine.lint import lint_folder
    from pbem.engine.system import find
    from pbem.text import render

    folder = Path(target) if Path(target).is_dir() else find(target).folder
    found = [*lint_folder(folder.resolve()), *_look_faults(target, folder.resolve())]
    if as_json:
        print_json([render.as_plain(one) for one in found])
    elif found:
        result(render.full(found, _sources(folder.resolve())))
    if not as_json:
        files = counted(len(list(folder.rglob("*.py"))), "file")
        note(f"{files} checked, {counted(len(found), 'breach', 'breaches')}")
    ctx.exit(1 if found else 0)


def _look_faults(target: str, folder: Path) -> list[Diagnostic]:
    """What is wrong with `look.yaml`; names of events are looked up where the system is installed."""
    from pbem.engine.system import find, installed
    from pbem.report.svg.look import faults
    from pbem.text.diagnostics import Refused
    from pbem.text.yaml import load

    path = folder / "look.yaml"
    if not path.is_file():
        return []
    events = find(target).registry.events if target in installed() else None
    try:
        document = load(path.read_bytes(), path.relative_to(folder.parent).as_posix())
    except Refused as refused:
        return list(refused.diagnostics)
    return [fault.at(document) for fault in faults(document.data, events)]


def _sources(folder: Path) -> dict[str, str]:
    root = folder.parent
    paths = [*folder.rglob("*.py"), *folder.glob("look.yaml")]
    return {p.relative_to(root).as_posix(): p.read_text("utf-8", "replace") for p in paths}
