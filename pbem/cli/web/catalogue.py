"""The games to play: the scenarios of every installed system, with seats and options."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.system import System


@cache
def seats() -> dict[str, list[str]]:
    """Return every installed system with the seats of its first scenario, for a practice game.

    A system of others that cannot be loaded keeps nobody from his games: it is not offered.
    """
    from pbem.engine.system import find, installed

    found: dict[str, list[str]] = {}
    for name in sorted(installed()):
        try:
            system = find(name)
            found[name] = list(system.players(system.scenario(system.scenarios()[0])))
        except (ImportError, PbemError):
            continue
    return found


def titles() -> dict[str, str]:
    """Return the title of every system in `seats`, in the reader's language."""
    from pbem.cli.shell.language import of_rules
    from pbem.engine.system import find

    return {name: of_rules(find(name).title or name, find(name)) for name in seats()}


@cache
def firsts() -> dict[str, str]:
    """Return the first scenario of every system in `seats`."""
    from pbem.engine.system import find

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


def scenarios() -> dict[str, list[Scenario]]:
    """Return every loadable scenario of every installed system, by the title of the system."""
    from pbem.cli.shell.language import code, of_rules
    from pbem.engine.system import find

    found = _scenarios(code())
    return {of_rules(find(name).title or name, find(name)): listed for name, listed in found.items()}


@cache
def _scenarios(language: str) -> dict[str, list[Scenario]]:
    from pbem.engine.system import find, installed

    found: dict[str, list[Scenario]] = {}
    for name in sorted(installed()):
        try:
            system = find(name)
            found[name] = [_scenario(system, one, language) for one in system.scenarios()]
        except (ImportError, PbemError):
            continue
    return found


def _scenario(system: System, name: str, language: str) -> Scenario:
    from pbem.cli.games.telling import in_its_tongue

    data = system.scenario(name)
    title = in_its_tongue(
        str(data.get("title") or f"{system.title or system.name}: {name}"), system, language
    )
    seats = list(system.players(data))
    alone = len(seats) == 2 and not system.as_played(system.options(data, {})).hidden
    return Scenario(system.name, name, title, seats, dict(system.option_specs()), alone)


def scenario(system: str, name: str) -> Scenario:
    """Return one of them; Refused for an unknown one."""
    for one in (each for group in scenarios().values() for each in group):
        if (one.system, one.name) == (system, name):
            return one
    raise Refused(Diagnostic("no-scenario", Message("cli.web.no-scenario", name=name, system=system)))
