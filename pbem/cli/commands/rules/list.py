"""`pbem rules list`: the installed rules systems."""

from __future__ import annotations

import click

from pbem.cli.shell.console import print_json, ready
from pbem.cli.shell.language import Command, of_rules, spoken
from pbem.cli.shell.options import json_option
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.rules-list.help")
@json_option
def command(as_json: bool) -> None:
    from pbem.engine.system import find, installed

    systems = [find(name) for name in sorted(installed())]
    if as_json:
        print_json(
            [
                {
                    "name": system.name,
                    "title": system.title,
                    "edition": system.edition,
                    "revision": system.revision,
                    "digest": system.digest,
                    "hidden": system.hidden,
                    "scenarios": system.scenarios(),
                }
                for system in systems
            ]
        )
        return
    for system in systems:
        edition = Message(
            "cli.rules-list.edition",
            edition=system.edition,
            revision=system.revision,
            hidden=bool(system.hidden),
            option=system.hidden if isinstance(system.hidden, str) else "",
        )
        ready(f"{system.name}: {of_rules(system.title, system)} ({spoken(edition)})")
        for name in system.scenarios():
            ready(f"  {system.name}/{name}")
