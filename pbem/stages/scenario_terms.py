"""The scenario as the roster names it: its name, and the options that differ from its own.

`sarn_strait battle_mode=interactive`: the roster is the only thing all sign, so the options stand in it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine import system as systems
from pbem.engine.adjudicate import start
from pbem.engine.scenarios.whole_scenario import WholeScenario, unpack
from pbem.engine.system import System
from pbem.stages import agreements
from pbem.stages.agreements import NOTHING, Agreement
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.inforce import option_text
from pbem.trust.roster import Pinned, Terms


def scenario_name(name: str, options: Mapping[str, Json]) -> str:
    """Return the text in the roster; options sorted by name."""
    return " ".join([name, *(f"{key}={option_text(options[key])}" for key in sorted(options))])


def parse_scenario_name(system: System, text: str) -> tuple[str, dict[str, Json]]:
    """Return name and options; Refused if the system does not know an option or its value."""
    name, *words = text.split(" ")
    return name, parse_options(system, words)


def system_as_played(
    terms: Terms, module: Pinned | None = None, whole: WholeScenario | None = None
) -> System:
    """Return the installed rules of a game's terms, as hidden or open as its options say.

    They go by the digest that the game pins where they are its revision; else by their own. `module`: what
    a stage is run by where that is not what the terms say. `whole`: the scenario of the game (`brought`).
    """
    pinned = module or terms.module
    system = systems.find_pinned(pinned.name, pinned.sha256).with_engine(pinned.version)
    if whole is not None:
        system = system.with_scenario(whole)
    if not isinstance(system.hidden, str):
        return system
    name, chosen = parse_scenario_name(system, terms.scenario.name)
    return system.as_played(system.options(system.scenario(name), chosen))


def parse_options(system: System, words: list[str]) -> dict[str, Json]:
    """Return options of the system from `name=value` words.

    Raises Refused with all faults.

    Words common to all systems are skipped: `agreements.of` reads them.
    """
    words, common = agreements.split(words)
    agreements.parse(common)
    specs = system.option_specs()
    chosen: dict[str, Json] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise Refused(Diagnostic("bad-option", Message("stages.scenario-terms.bad-option", word=word)))
        known = specs.get(key, {}).get("values", [])
        chosen[key] = next((allowed for allowed in known if option_text(allowed) == value), value)
    system.options({}, chosen)  # refuse unknown options
    return chosen


def pin_module(system: System) -> Pinned:
    """Return the installed rules as a roster pins them (protocol 4.3, 17.33)."""
    return Pinned(system.name, system.files_digest, system.version)


def pin_scenario(
    system: System, name: str, options: Mapping[str, Json], agreed: Agreement = NOTHING
) -> Pinned:
    """Return the scenario as the roster pins it, by the hash of the whole with its options (17.34)."""
    in_force = system.options(system.scenario(name), options)
    return Pinned(_pinned_name(system, name, options, agreed), system.whole(name).digest(in_force))


def pin_start(system: System, name: str, options: Mapping[str, Json], agreed: Agreement = NOTHING) -> Pinned:
    """Return the scenario as games before 17.34 pinned it: by the hash of the start position."""
    state = start(system, name, options)
    return Pinned(_pinned_name(system, name, options, agreed), state.position.digest())


def _pinned_name(system: System, name: str, options: Mapping[str, Json], agreed: Agreement) -> str:
    usual = system.options(system.scenario(name), {})
    differing = {key: value for key, value in options.items() if usual.get(key) != value}
    return scenario_name(name, differing | agreed.data())


def is_pinned(system: System, terms: Terms) -> bool:
    """Return True if the scenario of this system is the one that the terms pin.

    A scenario of the package may be pinned as in older games.
    """
    name, chosen = parse_scenario_name(system, terms.scenario.name)
    options, agreed = system.options(system.scenario(name), chosen), agreements.of(terms)
    if pin_scenario(system, name, options, agreed) == terms.scenario:
        return True
    return system.own is None and pin_start(system, name, options, agreed) == terms.scenario


def brought(terms: Terms, data: bytes | None) -> WholeScenario | None:
    """Return the scenario in the bytes that came with a game; None if none came.

    The terms are those that all have signed. Refused for another scenario than they pin.
    """
    name = terms.scenario.name.split(" ")[0]
    system = systems.find_pinned(terms.module.name, terms.module.sha256)
    if data is None:
        if name not in system.scenarios():
            help_ = (Message("stages.scenario-terms.copy-it"),)
            message = Message("stages.scenario-terms.no-scenario", name=name)
            raise Refused(Diagnostic("no-scenario", message, help=help_))
        return None
    whole = unpack(data)
    if whole.id != name or not is_pinned(system.with_scenario(whole), terms):
        raise Refused(Diagnostic("other-scenario", Message("stages.scenario-terms.other-scenario")))
    return whole
