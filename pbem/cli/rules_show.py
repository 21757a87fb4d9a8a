"""`pbem rules show`: what a rules system has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli._console import print_json, ready, result, strong
from pbem.cli._language import code, of_rules, spoken
from pbem.cli._options import json_option
from pbem.cli._tables import show_background, show_table
from pbem.cli._words import SECRECY

if TYPE_CHECKING:
    from pbem.engine.system import System


@click.command()
@click.argument("system")
@click.argument("table", required=False)
@json_option
def command(system: str, table: str | None, as_json: bool) -> None:
    """Show scenarios, options, decisions and tables of a rules system, or one of its tables.

    With the name of a scenario, show its cards, events and victory conditions, if the system has these.

    \b
    Example:  pbem rules show victory
              pbem rules show totaler-krieg lodestar
    """
    from pbem.engine.system import find

    found = find(system)
    if table in found.scenarios() and found.background_hook is not None:
        show_background(found, table, as_json)
    elif table is not None:
        data = _table(found, table)
        if as_json:
            print_json(data)
        else:
            show_table(data)
    elif as_json:
        print_json(_data(found))
    else:
        _show(found)


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
        "tables": _names(system),
    }


def _show(system: System) -> None:
    data = _data(system)
    ready(strong(f"{system.name}: {of_rules(system.title, system)}"))
    result(f"edition {system.edition}, revision {system.revision}, sha256 {system.digest}")
    result(_hides(system.hidden))
    result(strong("scenarios"))
    for name in data["scenarios"]:
        result(f"  {name}: seats {', '.join(system.players(system.scenario(name)))}")
    result(strong("options (default first)"))
    for name, spec in data["options"].items():
        values = [spec["default"], *(v for v in spec["values"] if v != spec["default"])]
        words = ", ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in values)
        result(f"  {name}: {words}   {of_rules(spec.get('words', ''), system)} [{spec.get('rule', '')}]")
    result(strong("decisions"))
    for kind, one in data["decisions"].items():
        form = f"; {spoken('standing orders')}: {', '.join(one['standing'])}" if one["standing"] else ""
        ready(f"  {kind} ({spoken(SECRECY[one['secrecy']])}{form}) [{one['rule']}]")
        if one["facts"]:
            told = system.wording_in(code()).get("facts", one["facts"])
            ready("    when: " + "; ".join(f"{name} = {told[name]}" for name in one["facts"]))
    result(strong("tables"))
    ready("\n".join(f"  {name}" for name in data["tables"]))


def _names(system: System) -> list[str]:
    return [name.removeprefix("tables/").removesuffix(".yaml") for name in system.files("tables/*.yaml")]


def _table(system: System, name: str) -> Any:
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.suggest import did_you_mean

    known = _names(system)
    if name not in known:
        near = did_you_mean(name, known)
        message = f"{system.name} has no table '{name}', wanted one of: {', '.join(known) or 'none'}"
        help_ = (f"did you mean '{near}'?",) if near else ()
        raise Refused(Diagnostic("unknown-table", message, help=help_))
    return system.data(f"tables/{name}.yaml")


def _hides(hidden: bool | str) -> str:
    """What a system hides besides secret choices, in words."""
    if isinstance(hidden, str):
        return f"hidden units with the option {hidden}, else nothing hidden but secret choices"
    return "hidden units" if hidden else "nothing hidden but secret choices"
