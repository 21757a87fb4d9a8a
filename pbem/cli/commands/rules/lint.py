"""`pbem rules lint`: everything about a rules system that can be seen without playing a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note, print_json, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.system import System
    from pbem.text.diagnostics import Diagnostic


@click.command(cls=Command, help="cli.rules-lint.help")
@click.argument("target", metavar="SYSTEM|FOLDER")
@click.option("--code", is_flag=True, help="cli.rules-lint.option-code")
@json_option
@click.pass_context
def command(ctx: click.Context, target: str, code: bool, as_json: bool) -> None:
    from pbem.engine.linting.lint import lint_folder
    from pbem.engine.pins import changed_since_release
    from pbem.text import render

    system = None if code else _system(target)
    folder = _folder(target).resolve()
    breaches = lint_folder(folder)
    if system is not None:
        from pbem.testing.gate import faults

        breaches = faults(system)
    elif not code:
        from pbem.testing.gate import look_in

        breaches += look_in(folder)
    if as_json:
        print_json([render.as_plain(breach) for breach in breaches])
    elif breaches:
        result(render.full(breaches, _sources(folder, breaches)))
    if not as_json:
        files = len(list(folder.rglob("*.py")))
        note(Message("cli.rules-lint.files-checked", files=files, breaches=len(breaches)))
        if system is not None and changed_since_release(system):
            note(Message("cli.rules-lint.rules-changed", revision=system.revision))
        for language in _untold(system) if system is not None else ():
            note(Message("cli.rules-lint.told-in-english", language=language))
    ctx.exit(1 if breaches else 0)


def _untold(system: System) -> list[str]:
    """Return the languages of reports in which the system has no words."""
    from pbem.report.language import languages
    from pbem.text.sentences import ENGLISH

    return [code for code in languages() if code != ENGLISH and code not in system.languages()]


def _folder(target: str) -> Path:
    from pbem.engine.system import find

    return Path(target) if Path(target).is_dir() else find(target).folder


def _system(target: str) -> System | None:
    """Return the system of a name, or the one in a package's folder; None for another folder."""
    import importlib
    import sys

    from pbem.engine.system import System, find

    folder = Path(target)
    if not folder.is_dir():
        return find(target)
    if not (folder / "__init__.py").is_file():
        return None
    sys.path.insert(0, str(folder.resolve().parent))
    try:
        system = getattr(importlib.import_module(folder.resolve().name), "SYSTEM", None)
    finally:
        sys.path.pop(0)
    return system if isinstance(system, System) else None


def _sources(folder: Path, breaches: list[Diagnostic]) -> dict[str, str]:
    """Return the texts of the named files: code by its package, data by its system."""
    named = {breach.span.file for breach in breaches if breach.span}
    texts: dict[str, str] = {}
    for name in named:
        path = folder / name.partition("/")[2]
        if path.is_file():
            texts[name] = path.read_text("utf-8", "replace")
    return texts
