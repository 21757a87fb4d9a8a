"""The games to play: the scenarios of every installed system, with seats and options."""

from __future__ import annotations

import json
from dataclasses import astuple
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.system import System


KEPT = Path(__file__).with_name("catalogue.json")
"""What the page of games says of each system: a site has it, so that no system is loaded for that page."""


def for_a_site() -> bytes:
    """Return what `KEPT` holds on a site."""
    from pbem.cli.shell.language import speaking
    from pbem.report.language import languages

    named: dict[str, dict[str, str]] = {}
    rows: dict[str, list[Any]] = {}
    for code in sorted(languages()):
        with speaking(code):
            named[code] = titles()
            rows[code] = [[title, list(map(astuple, scenarios))] for title, scenarios in listed().items()]
    known = {"seats": seats(), "firsts": firsts(), "titles": named, "scenarios": rows}
    return json.dumps(known, sort_keys=True).encode()


@cache
def _catalogue_of_the_site() -> dict[str, Any]:
    try:
        kept: dict[str, Any] = json.loads(KEPT.read_bytes())
    except OSError:
        return {}
    return kept


@cache
def seats() -> dict[str, list[str]]:
    """Return every installed system with the seats of its first scenario, for a practice game.

    A system that cannot be loaded is not offered, and all other games still work.
    """
    from pbem.engine.system import find, installed

    if _catalogue_of_the_site():
        return dict(_catalogue_of_the_site()["seats"])
    by_system: dict[str, list[str]] = {}
    for name in sorted(installed()):
        try:
            system = find(name)
            by_system[name] = list(system.players(system.scenario(system.scenarios()[0])))
        except (ImportError, PbemError):
            continue
    return by_system


def titles() -> dict[str, str]:
    """Return the title of every system in `seats`, in the reader's language."""
    from pbem.cli.shell.language import code, of_rules
    from pbem.engine.system import find

    if code() in _catalogue_of_the_site().get("titles", {}):
        return dict(_catalogue_of_the_site()["titles"][code()])
    return {name: of_rules(find(name).title or name, find(name)) for name in seats()}


@cache
def firsts() -> dict[str, str]:
    """Return the first scenario of every system in `seats`."""
    from pbem.engine.system import find

    if _catalogue_of_the_site():
        return dict(_catalogue_of_the_site()["firsts"])
    return {name: find(name).scenarios()[0] for name in seats()}


@dataclass(frozen=True)
class Scenario:
    """A scenario of an installed system, with its seats and options."""

    system: str
    name: str
    title: str
    seats: list[str]
    options: dict[str, dict[str, Any]]
    alone: bool = False
    """May two play it without a game master?"""


@dataclass(frozen=True)
class Row:
    """A scenario in the list of all."""

    system: str
    name: str
    title: str
    seats: list[str]


def listed() -> dict[str, list[Row]]:
    """Return every loadable scenario of every installed system, by the title of the system."""
    from pbem.cli.shell.language import code, of_rules
    from pbem.engine.system import find, installed

    if code() in _catalogue_of_the_site().get("scenarios", {}):
        return {
            title: [Row(*row) for row in rows]
            for title, rows in _catalogue_of_the_site()["scenarios"][code()]
        }
    systems = {name: _of_system(name, code()) for name in sorted(installed())}
    return {
        of_rules(find(name).title or name, find(name)): [
            Row(row.system, row.name, row.title, row.seats) for row in rows
        ]
        for name, rows in systems.items()
        if rows
    }


@cache
def _of_system(name: str, language: str) -> list[Scenario]:
    """Return the scenarios of one installed system; none of one that cannot be loaded."""
    from pbem.engine.system import find

    try:
        system = find(name)
        return [_scenario(system, scenario, language) for scenario in system.scenarios()]
    except (ImportError, PbemError):
        return []


def _scenario(system: System, name: str, language: str) -> Scenario:
    from pbem.cli.games.reporting.meta import in_its_tongue

    data = system.scenario(name)
    title = in_its_tongue(
        str(data.get("title") or f"{system.title or system.name}: {name}"), system, language
    )
    seats = list(system.players(data))
    alone = len(seats) == 2 and not system.as_played(system.options(data, {})).hidden
    return Scenario(system.name, name, title, seats, dict(system.option_specs()), alone)


def scenario(system: str, name: str) -> Scenario:
    """Return one of them; Refused for an unknown one."""
    from pbem.cli.shell.language import code
    from pbem.engine.system import installed

    for scenario in _of_system(system, code()) if system in installed() else ():
        if scenario.name == name:
            return scenario
    raise Refused(Diagnostic("no-scenario", Message("cli.web.no-scenario", name=name, system=system)))
