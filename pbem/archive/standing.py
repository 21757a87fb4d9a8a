"""Standing orders: which of a list can be used, and what is wrong with the others (architecture, `engine
and rules`).

The same function serves the author, who is told, and the run, which drops what it cannot use: standing
orders are final once they are signed, and a bad one must not stop the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from pbem.archive.fact_names import fact_names
from pbem.engine.system import System
from pbem.model.codec import describe, faults_in
from pbem.text.canonical import Json
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.suggest import did_you_mean

MOST = 200
_GENERAL = ("decision", "when", "answer")
_BOUNDS = ("at_least", "at_most")


def faults(system: System, orders: Json, path: DataPath = ("standing",)) -> list[Diagnostic]:
    """Every reason why an entry of this list cannot be used."""
    if not isinstance(orders, list):
        return [
            Diagnostic("wrong-type", f"found {describe(orders)}, wanted a list of standing orders", path=path)
        ]
    found: list[Diagnostic] = []
    if len(orders) > MOST:
        found.append(
            Diagnostic("too-many", f"{len(orders)} standing orders, at most {MOST} are allowed", path=path)
        )
    for i, order in enumerate(orders):
        found += entry_faults(system, order, (*path, i))
    return found


def usable(system: System, orders: Sequence[Json]) -> list[Json]:
    """The entries that a run may use, in order."""
    return [order for order in orders[:MOST] if not entry_faults(system, order, ())]


def entry_faults(system: System, order: Json, path: DataPath) -> list[Diagnostic]:
    """What is wrong with one standing order: either a form of the system with its name as the only key, or
    the general form.
    """
    if not isinstance(order, dict) or not order:
        wanted = "a mapping: `decision`, `when`, `answer`, or a form of the system"
        return [Diagnostic("wrong-type", f"found {describe(order)}, wanted {wanted}", path=path)]
    if "decision" in order:
        return _general(system, order, path)
    if len(order) > 1:
        names = ", ".join(sorted(order))
        return [Diagnostic("two-forms", f"one standing order with {names}, wanted one form each", path=path)]
    (name, value), *_ = order.items()
    kind = system.standing_type(name)
    if kind is None:
        return [_unknown(name, sorted(system.standing_forms), "form of standing order", (*path, name))]
    return [_below(fault, (*path, name)) for fault in faults_in(kind, value)]


def _general(system: System, order: dict[str, Json], path: DataPath) -> list[Diagnostic]:
    found = [
        _unknown(key, list(_GENERAL), "entry of a standing order", (*path, key))
        for key in order
        if key not in _GENERAL
    ]
    kind = order["decision"]
    decisions = system.registry.decisions
    if not isinstance(kind, str) or kind not in decisions:
        return [*found, _unknown(str(kind), sorted(decisions), "decision", (*path, "decision"), on_key=False)]
    if "answer" not in order:
        found.append(Diagnostic("missing-key", "'answer' is missing", path=path))
    else:
        wrong = faults_in(decisions[kind].answer, order["answer"])
        found += [_below(fault, (*path, "answer")) for fault in wrong]
    return found + _when(order.get("when", {}), (*path, "when"))


def _when(when: Json, path: DataPath) -> list[Diagnostic]:
    if not isinstance(when, dict):
        return [Diagnostic("wrong-type", f"found {describe(when)}, wanted a mapping of facts", path=path)]
    return [fault for name, test in when.items() for fault in _test(test, (*path, name))]


def fact_faults(system: System, orders: Sequence[Json], path: DataPath = ("standing",)) -> list[Diagnostic]:
    """Facts in `when:` that their decision does not have, in a list that has no other faults.

    For the author only: a run takes such an order for one that never holds.
    """
    found: list[Diagnostic] = []
    for i, order in enumerate(orders):
        if not isinstance(order, dict) or not isinstance(order.get("when"), dict):
            continue
        known = fact_names(system.registry.decisions[cast(str, order["decision"])])
        for name in cast(dict[str, Json], order["when"]) if known is not None else ():
            if name not in cast(tuple[str, ...], known):
                what = "fact of this decision"
                found.append(_unknown(name, list(known or ()), what, (*path, i, "when", name)))
    return found


def _test(test: Any, path: DataPath) -> list[Diagnostic]:
    """A value, a list of values, or bounds."""
    if isinstance(test, str | int):
        return []
    if isinstance(test, list) and test and all(isinstance(item, str | int) for item in test):
        return []
    if isinstance(test, dict) and test and set(test) <= set(_BOUNDS):
        if all(type(bound) is int for bound in test.values()):
            return []
    wanted = "a value, a list of values, or at_least and at_most with whole numbers"
    message = f"found {describe(test)}, wanted {wanted}"
    return [Diagnostic("bad-test", message, path=path)]


def _unknown(word: str, known: list[str], what: str, path: DataPath, *, on_key: bool = True) -> Diagnostic:
    near = did_you_mean(word, known)
    message = (
        f"unknown {what} {describe(word)}, wanted one of: {', '.join(known) or 'none, this system has none'}"
    )
    help_ = (f"did you mean '{near}'?",) if near else ()
    return Diagnostic("unknown-key", message, path=path, help=help_, on_key=on_key)


def _below(fault: Diagnostic, path: DataPath) -> Diagnostic:
    from dataclasses import replace

    return replace(fault, path=(*path, *fault.path))
