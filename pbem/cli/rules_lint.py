"""`pbem rules lint`: determinism of a rules system's code."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli._console import note, print_json, result
from pbem.cli._options import json_option
from pbem.cli._words import counted


@click.command()
@click.argument("target", metavar="SYSTEM|FOLDER")
@json_option
@click.pass_context
def command(ctx: click.Context, target: str, as_json: bool) -> None:
    """Check rules code for what would make results differ between machines or runs (D1 to D8).

    TARGET is an installed system, or the folder of a package that is being written.

    \b
    Example:  pbem rules lint victory
              pbem rules lint ./my_system
    """
    from pbem.engine.lint import lint_folder
    from pbem.engine.system import find
    from pbem.text import render

    folder = Path(target) if Path(target).is_dir() else find(target).folder
    found = lint_folder(folder.resolve())
    if as_json:
        print_json([render.as_plain(one) for one in found])
    elif found:
        result(render.full(found, _sources(folder.resolve())))
    if not as_json:
        files = counted(len(list(folder.rglob("*.py"))), "file")
        note(f"{files} checked, {counted(len(found), 'breach', 'breaches')}")
    ctx.exit(1 if found else 0)


def _sources(folder: Path) -> dict[str, str]:
    root = folder.parent
    return {p.relative_to(root).as_posix(): p.read_text("utf-8", "replace") for p in folder.rglob("*.py")}
