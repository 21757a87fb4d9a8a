"""`pbem rules show`: what a rules system has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import print_json, ready, result, strong
from pbem.cli.shell.language import Command, code, of_rules, spoken
from pbem.cli.shell.options import json_option
from pbem.cli.shell.tables import show_background, show_table, table_names, table_of
from pbem.cli.shell.words import SECRECY
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.engine.system import System


@click.command(cls=Command, help="cli.rules-show.help")
@click.argument("system")
@click.argument("table", required=False)
@json_option
def command(system: str, table: str | None, as_json: bool) -> None:
    from pbem.engine.system import find

    rules = find(system)
    if table in rules.scenarios() and rules.background_hook is not None:
        show_background(rules, table, as_json)
    elif table is not None:
        data = table_of(rules, table)
        if as_json:
            print_json(data)
        else:
            show_table(data)
    elif as_json:
        print_json(_data(rules))
    else:
        _show(rules)


def _data(system: System) -> dict[str, Any]:
    decisions = {
        kind: {
            "rule": cls.rule,
            "secrecy": cls.secrecy,
            "standing": sorted(cls.standing_forms),
            "facts": {name: system.wording.get("facts", {}).get(name, "") for name in cls.known_facts()},
        }
        for kind, cls in sorted(system.registry.decisions.items())
    }
    return {
        "name": system.name,
        "title": system.title,
        "edition": system.edition,
        "revision": system.revision,
        "version": system.version,
        "sha256": system.digest,
        "hidden": system.hidden,
        "scenarios": system.scenarios(),
        "options": system.option_specs(),
        "decisions": decisions,
        "tables": table_names(system),
    }


def _show(system: System) -> None:
    data = _data(system)
    ready(strong(Worded(f"{system.name}: {of_rules(system.title, system)}")))
    result(
        Message(
            "cli.rules-show.edition",
            edition=system.edition,
            revision=system.revision,
            digest=system.digest,
        )
    )
    result(_hides(system.hidden))
    result(strong(Message("cli.rules-show.scenarios")))
    for name in data["scenarios"]:
        seats = Message("cli.rules-show.seats", seats=system.players(system.scenario(name)))
        result(seats, before=f"  {name}: ")
    result(strong(Message("cli.rules-show.options")))
    for name, spec in data["options"].items():
        values = [spec["default"], *(v for v in spec["values"] if v != spec["default"])]
        words = ", ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in values)
        ready(f"  {name}: {words}   {of_rules(spec.get('words', ''), system)} [{spec.get('rule', '')}]")
    result(strong(Message("cli.rules-show.decisions")))
    for kind, decision in data["decisions"].items():
        secrecy = Message(SECRECY[decision["secrecy"]])
        decision_words = Message(
            "cli.rules-show.decision", secrecy=secrecy, standing=tuple(decision["standing"])
        )
        ready(f"  {kind} ({spoken(decision_words)}) [{decision['rule']}]")
        if decision["facts"]:
            facts = system.wording_in(code()).get("facts", decision["facts"])
            ready("    when: " + "; ".join(f"{name} = {facts[name]}" for name in decision["facts"]))
    result(strong(Message("cli.rules-show.tables")))
    ready("\n".join(f"  {name}" for name in data["tables"]))


def _hides(hidden: bool | str) -> str:
    """Return what a system hides besides secret choices, in words."""
    option = hidden if isinstance(hidden, str) else ""
    return Message("cli.rules-show.what-is-hidden", option=option, hidden=bool(hidden))
