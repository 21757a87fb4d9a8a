"""The scenario as the roster names it: its name, and the options that differ from its own.

`sarn_strait battle_mode=interactive`: the roster is the only thing all sign, so the options stand in it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine import system as systems
from pbem.engine.adjudicate import start
from pbem.engine.system import System
from pbem.stages import deadlines
from pbem.stages.deadlines import NOTHING, Deadlines
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.inforce import option_text
from pbem.trust.roster import Pinned, Terms


def scenario_name(name: str, options: Mapping[str, Json]) -> str:
    """Return the text in the roster; options sorted by name."""
    return " ".join([name, *(f"{key}={option_text(options[key])}" for key in sorted(options))])


def parse_scenario_name(system: System, text: str) -> tuple[str, dict[str, Json]]:
    """Name and options; Refused if the system does not know an option or its value."""
    name, *words = text.split(" ")
    return name, parse_options(system, words)


def system_as_played(terms: Terms, module: Pinned | None = None) -> System:
    """Return the installed rules of a game's terms, as hidden or open as its options say.

    They go by the digest that the game pins where they are its revision; else by their own. `module`: what
    a stage is run by where that is not what the terms say.
    """
    pinned = module or terms.module
    system = systems.find_pinned(pinned.name, pinned.sha256)
    if not isinstance(system.hidden, str):
        return system
    name, chosen = parse_scenario_name(system, terms.scenario.name)
    return system.as_played(system.options(system.scenario(name), chosen))


def parse_options(system: System, words: list[str]) -> dict[str, Json]:
    """Return options of the system from `name=value` words.

    Raises Refused with all faults.

    Words about deadlines are looked at and passed over: `deadlines.of` reads them.
    """
    words, common = deadlines.split(words)
    deadlines.parse(common)
    specs = system.option_specs()
    chosen: dict[str, Json] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise Refused(Diagnostic("bad-option", Message("stages.scenario-terms.bad-option", word=word)))
        known = specs.get(key, {}).get("values", [])
        chosen[key] = next((one for one in known if option_text(one) == value), value)
    system.options({}, chosen)  # refuse unknown options
    return chosen


def pin_module(system: System) -> Pinned:
    """Return the installed rules as a roster pins them (protocol 4.3, 17.33)."""
    return Pinned(system.name, system.files_digest, system.version)


def pin_scenario(
    system: System, name: str, options: Mapping[str, Json], agreed: Deadlines = NOTHING
) -> Pinned:
    """Return the scenario as the roster pins it, by the hash of the start position."""
    state = start(system, name, options)
    usual = system.options(system.scenario(name), {})
    differing = {key: value for key, value in options.items() if usual.get(key) != value}
    return Pinned(scenario_name(name, differing | agreed.data()), state.position.digest())
