"""Standing orders: the usable ones of a list, and the faults of the others.

Architecture, `engine and rules`.

The same function serves the author, who is told, and the run, which drops what it cannot use: standing
orders are final once they are signed, and a bad one must not stop the game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine import ahead
from pbem.engine.ahead import name_of
from pbem.engine.knowing import Known, testable
from pbem.engine.system import System
from pbem.model.codec import describe, faults_in
from pbem.model.state import GameState
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.messages import Message, in_turn
from pbem.text.suggest import did_you_mean

MOST = 200
_GENERAL = ("decision", "once", "name", "subject", "when", "until", "unless", "on_illegal", "answer")
_NAME = re.compile(r"[A-Za-z0-9_.:-]{1,60}")
_BOUNDS = ("at_least", "at_most")


def faults(system: System, orders: Json, path: DataPath = ("standing",)) -> list[Diagnostic]:
    """Return every reason why an entry of this list cannot be used."""
    if not isinstance(orders, list):
        return [
            Diagnostic(
                "wrong-type",
                Message("stages.standing-orders.wanted-list-of-standing-orders", value=describe(orders)),
                path=path,
            )
        ]
    listed: list[Diagnostic] = []
    if len(orders) > MOST:
        listed.append(
            Diagnostic(
                "too-many",
                Message("stages.standing-orders.too-many", count=len(orders), most=MOST),
                path=path,
            )
        )
    names: set[str] = set()
    for i, order in enumerate(orders):
        listed += entry_faults(system, order, (*path, i))
        name = name_of(order)
        if name is not None and name in names:
            message = Message("stages.standing-orders.same-name", name=name)
            listed.append(Diagnostic("same-name", message, path=(*path, i)))
        names |= {name} if name is not None else set()
    return listed


def usable(system: System, orders: Sequence[Json]) -> list[Json]:
    """Return the entries that a run may use, in order; of several with one name the first."""
    names: set[str] = set()
    good: list[Json] = []
    for order in orders[:MOST]:
        name = name_of(order)
        if not entry_faults(system, order, ()) and (name is None or name not in names):
            good.append(order)
            names |= {name} if name is not None else set()
    return good


def replaced(
    system: System, state: GameState, lists: Mapping[str, Sequence[Json]]
) -> tuple[dict[str, list[Json]], dict[str, list[str]]]:
    """Return everybody's standing orders after these lists, and the spent names."""
    standing = {party: list(orders) for party, orders in state.standing.items()}
    spent: Mapping[str, Sequence[str]] = state.spent
    for party, orders in lists.items():
        standing[party], spent = ahead.filed(spent, party, usable(system, orders))
    in_force = {party: orders for party, orders in standing.items() if orders}
    return in_force, {party: list(names) for party, names in spent.items()}


def entry_faults(system: System, order: Json, path: DataPath) -> list[Diagnostic]:
    """Return faults of one standing order: a form of the system as its only key, or the general form."""
    if not isinstance(order, dict) or not order:
        wanted = Message("stages.standing-orders.mapping-of-standing-order")
        return [
            Diagnostic(
                "wrong-type",
                Message("stages.standing-orders.found-wanted", value=describe(order), wanted=wanted),
                path=path,
            )
        ]
    if "decision" in order:
        return _general(system, order, path)
    if len(order) > 1:
        names = ", ".join(sorted(order))
        return [Diagnostic("two-forms", Message("stages.standing-orders.two-forms", names=names), path=path)]
    (name, value), *_ = order.items()
    kind = system.standing_type(name)
    if kind is None:
        return [
            _unknown(
                name,
                sorted(system.standing_forms),
                Message("stages.standing-orders.form-of-standing-order"),
                (*path, name),
            )
        ]
    return [_below(fault, (*path, name)) for fault in faults_in(kind, value)]


def _general(system: System, order: dict[str, Json], path: DataPath) -> list[Diagnostic]:
    faults = [
        _unknown(key, list(_GENERAL), Message("stages.standing-orders.entry-of-standing-order"), (*path, key))
        for key in order
        if key not in _GENERAL
    ]
    kind = order["decision"]
    decisions = system.registry.decisions
    if not isinstance(kind, str) or kind not in decisions:
        return [
            *faults,
            _unknown(str(kind), sorted(decisions), "decision", (*path, "decision"), on_key=False),
        ]
    if "answer" not in order:
        faults.append(Diagnostic("missing-key", Message("stages.standing-orders.answer-missing"), path=path))
    else:
        wrong = faults_in(decisions[kind].answer, order["answer"])
        faults += [_below(fault, (*path, "answer")) for fault in wrong]
    return faults + _when(order.get("when", {}), (*path, "when")) + _passing(system, order, path)


def _passing(system: System, order: dict[str, Json], path: DataPath) -> list[Diagnostic]:
    """Return faults of the words of an entry that does not last: `once`, `name`, `until` and others."""
    faults_: list[Diagnostic] = []
    for word in ("once", "name"):
        if word in order and not (isinstance(order[word], str) and _NAME.fullmatch(str(order[word]))):
            wanted = Message("stages.standing-orders.name-of-letters-and-digits")
            message = Message(
                "stages.standing-orders.found-wanted", value=describe(order[word]), wanted=wanted
            )
            faults_.append(Diagnostic("bad-name", message, path=(*path, word)))
    if "once" in order and "name" in order:
        message = Message("stages.standing-orders.two-names")
        faults_.append(Diagnostic("two-names", message, path=(*path, "name"), on_key=True))
    if "until" in order:
        node = system.outline.find(str(order["until"]))
        if node is None or node.kind == "step":
            known = [known_node.id for known_node in system.outline.walk() if known_node.kind != "step"]
            faults_.append(
                _unknown(
                    str(order["until"]),
                    known,
                    Message("stages.standing-orders.part-turn"),
                    (*path, "until"),
                    on_key=False,
                )
            )
    if order.get("unless", ahead.UNLESS[0]) not in ahead.UNLESS:
        message = Message(
            "stages.standing-orders.found-wanted",
            value=describe(order["unless"]),
            wanted=in_turn(ahead.UNLESS, "stages.receipts.one-or-another"),
        )
        faults_.append(Diagnostic("not-one-of", message, path=(*path, "unless")))
    if name_of(order) is None:
        for word in ("until", "unless", "subject", "on_illegal"):
            if word in order:
                message = Message("stages.standing-orders.word-needs-once", word=word)
                help_ = (
                    (Message("stages.standing-orders.name-for-one-used-more-than-once"),)
                    if word == "until"
                    else ()
                )
                faults_.append(
                    Diagnostic("missing-key", message, path=(*path, word), help=help_, on_key=True)
                )
    elif "once" not in order and "until" not in order:
        message = Message("stages.standing-orders.entry-with-name-needs-until-or-once")
        faults_.append(Diagnostic("missing-key", message, path=(*path, "name"), on_key=True))
    subject = order.get("subject", [])
    if not isinstance(subject, list) or not all(type(part) in (str, int) for part in subject):
        message = Message("stages.standing-orders.wanted-list-of-words-and-numbers", value=describe(subject))
        faults_.append(Diagnostic("wrong-type", message, path=(*path, "subject")))
    if order.get("on_illegal", "skip") not in ("ask", "skip"):
        message = Message("stages.standing-orders.wanted-ask-or-skip", value=describe(order["on_illegal"]))
        faults_.append(Diagnostic("wrong-type", message, path=(*path, "on_illegal")))
    return faults_


def _when(when: Json, path: DataPath) -> list[Diagnostic]:
    if not isinstance(when, dict):
        return [
            Diagnostic(
                "wrong-type",
                Message("stages.standing-orders.wanted-mapping-of-facts", value=describe(when)),
                path=path,
            )
        ]
    return [fault for name, test in when.items() for fault in _test(test, (*path, name))]


def fact_faults(system: System, orders: Sequence[Json], path: DataPath = ("standing",)) -> list[Diagnostic]:
    """Return faults of the facts in `when:`, in a list without other faults.

    They are facts that the decision lacks, bounds for what is no number, impossible values.

    For the author only: a run takes such an order for one that never holds.
    """
    faults_: list[Diagnostic] = []
    for i, order in enumerate(orders):
        if not isinstance(order, dict) or not isinstance(order.get("when"), dict):
            continue
        known = testable(system.registry.decisions[narrow.text(order["decision"])])
        for name, test in narrow.mapping(order["when"]).items():
            where = (*path, i, "when", name)
            if "/" in name:  # a fact of the position may appear later
                continue
            if name not in known:
                faults_.append(
                    _unknown(name, list(known), Message("stages.standing-orders.fact-decision"), where)
                )
            else:
                faults_ += _test_of(known[name], test, where)
    return faults_


def _test_of(known: Known, test: Any, path: DataPath) -> list[Diagnostic]:
    """Return why a test can never hold for values of the fact's type."""
    if isinstance(test, dict):
        if known.is_number:
            return []
        message = Message("stages.standing-orders.bounds-of-what-is-no-number", known=known.name)
        return [Diagnostic("bad-test", message, path=path)]
    if isinstance(test, list):
        return [fault for i, case in enumerate(test) for fault in _value_of(known, case, (*path, i))]
    return _value_of(known, test, path)


def _value_of(known: Known, value: Json, path: DataPath) -> list[Diagnostic]:
    return [_below(fault, path) for fault in faults_in(known.type, value)]


def _test(test: Any, path: DataPath) -> list[Diagnostic]:
    """Return faults of a test: it is a value, a list of values, or bounds."""
    if isinstance(test, str | int):
        return []
    if isinstance(test, list) and test and all(isinstance(item, str | int) for item in test):
        return []
    if isinstance(test, dict) and test and set(test) <= set(_BOUNDS):
        if all(type(bound) is int for bound in test.values()):
            return []
    wanted = Message("stages.standing-orders.value-list-of-values-or-bounds")
    message = Message("stages.standing-orders.found-wanted", value=describe(test), wanted=wanted)
    return [Diagnostic("bad-test", message, path=path)]


def _unknown(word: str, known: list[str], what: str, path: DataPath, *, on_key: bool = True) -> Diagnostic:
    near = did_you_mean(word, known)
    message = Message(
        "stages.standing-orders.unknown-key",
        what=what,
        word=describe(word),
        known=tuple(known) or Message("stages.standing-orders.none-this-system-has-none"),
    )
    help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
    return Diagnostic("unknown-key", message, path=path, help=help_, on_key=on_key)


def _below(fault: Diagnostic, path: DataPath) -> Diagnostic:
    from dataclasses import replace

    return replace(fault, path=(*path, *fault.path))
