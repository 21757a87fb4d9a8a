"""Advance orders on their owner's side: those in force, those an order file adds, and withdrawals.

They travel as entries of the player's standing list (`engine.ahead`), so a file that changes them signs the
whole list anew: what lasts, what waits already, and what is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pbem.archive.folder.parts import Readable
from pbem.engine.ahead import Entry, name_of
from pbem.engine.decisions import secrecy_in
from pbem.engine.outline import Node
from pbem.engine.system import System
from pbem.model.codec import describe, faults_in, from_json
from pbem.stages import standing_orders as standing_orders
from pbem.stages.progress import revisions
from pbem.stages.views import PlayerView
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean
from pbem.trust.bodies import STANDING, STANDING_LATER

ALL = "all"


def in_force(folder: Readable) -> list[Json]:
    """Return my standing list after the last report."""
    return in_view(folder.view(), folder.need_me())


def in_view(view: PlayerView, me: str) -> list[Json]:
    """Return the standing list of a party that this view knows."""
    return list(narrow.items(view.facts.get(f"standing/{me}", [])))


def signed(folder: Readable) -> list[Json] | None:
    """Return my signed list from the next stage on, before the run uses any of it, or None.

    It is that of my newest standing orders, else that of my newest order.
    """
    for kind, name in (("standing", STANDING_LATER), ("order", STANDING)):
        mine = revisions((statement for statement, _ in folder.statements(folder.progress.open_stage)), kind)
        for newest in mine.get(folder.need_me(), [])[:1]:
            known = folder.private.openings(newest.stage, newest.type, newest.rev)
            listed = newest.order.standing if kind == "order" else newest.standing.standing
            if listed is not None:
                return list(listed)
            sealed = known[name].value if name in known else None
            if isinstance(sealed, list):
                return list(sealed)
    return None


def refused(folder: Readable) -> list[str]:
    """Return the names of my answers that were refused in the last stage when their question came."""
    prefix = f"ahead/{folder.need_me()}/"
    results = [value for key, value in sorted(folder.view().facts.items()) if key.startswith(prefix)]
    return [
        str(result["name"])
        for result in results
        if isinstance(result, dict) and result["result"] == "refused"
    ]


def waiting(orders: Sequence[Json]) -> list[Entry]:
    """Return the advance orders of a list, in the order in which they are tried."""
    return [narrow.mapping(order) for order in orders if name_of(order) is not None]


def lasting(orders: Sequence[Json]) -> list[Json]:
    """Return the standing orders of a list."""
    return [order for order in orders if name_of(order) is None]


def fresh_name(kind: str, stage: int, taken: Sequence[str], *, alone: bool) -> str:
    """Return a name for an answer without one: kind and stage.

    A separately signed answer does not share names with the order of its stage, because both may be used.
    """
    name = f"{kind}-after-{stage}" if alone else f"{kind}-{stage}"
    number, made = 1, name
    while made in taken:
        number += 1
        made = f"{name}-{number}"
    return made


def merged(
    before: Sequence[Json], lasts: Sequence[Json] | None, added: Sequence[Entry], gone: Sequence[str]
) -> list[Json]:
    """Return the list to be signed.

    First what lasts (as it was, or `lasts`), then what waits and is neither withdrawn nor replaced by an
    entry of its name, and at the end of the queue what is added.
    """
    names = {name_of(entry) for entry in (*added, *(lasts or ()))}
    kept = [entry for entry in waiting(before) if name_of(entry) not in names and name_of(entry) not in gone]
    return [*(lasting(before) if lasts is None else lasts), *kept, *added]


def may_wait(system: System, kind: str) -> bool:
    """Return True if an answer to this kind may be in a list that everybody reads in an open game."""
    secrecy = secrecy_in(system.registry.decisions[kind], system.hidden)
    return secrecy == "open" or (bool(system.hidden) and secrecy != "readers")


def secret_faults(folder: Readable, entry: Entry, path: DataPath) -> list[Diagnostic]:
    """Return why an entry cannot wait in a standing list.

    In an open game all can read that list, so what is secret until everybody has answered cannot be in it.
    """
    kind = str(entry["decision"])
    if may_wait(folder.system, kind) and not _secret_parts(folder.system, kind, entry.get("answer")):
        return []
    message = Message("archive.ordering.not-ahead", kind=kind)
    help_ = (Message("archive.ordering.write-kind-under-answers", kind=kind),)
    return [Diagnostic("not-ahead", message, path=path, help=help_)]


def _secret_parts(system: System, kind: str, answer: Any) -> bool:
    """Return True if the answer has parts that are committed to on their own."""
    asked = system.registry.decisions[kind]
    if system.hidden or faults_in(asked.answer, answer):
        return False
    return bool(asked.apart(from_json(asked.answer, answer))[1])


def added_faults(system: System, listed: Any, path: DataPath) -> list[Diagnostic]:
    """Return faults of the list `ahead` of a file, with or without names."""
    if not isinstance(listed, list):
        message = Message("archive.ordering.wanted-list-of-answers-sent-ahead", listed=describe(listed))
        return [Diagnostic("wrong-type", message, path=path)]
    faults: list[Diagnostic] = []
    for i, entry in enumerate(listed):
        if not isinstance(entry, dict) or "decision" not in entry:
            message = Message(
                "archive.ordering.wanted-mapping-with-decision-and-answer", entry=describe(entry)
            )
            faults.append(Diagnostic("wrong-type", message, path=(*path, i)))
    if not faults:
        named = [
            order if name_of(order) is not None else {**order, "once": f"unnamed-{i}"}
            for i, order in enumerate(listed)
        ]
        faults = standing_orders.faults(system, named, path)
    return faults or standing_orders.fact_faults(system, listed, path)


def with_ids(system: System, listed: Any, place: str) -> Any:
    """Return the list `ahead` with ids where `until` names a part of the turn: `Movement phase`.

    Of several with these words the one around `place` counts.
    """
    if not isinstance(listed, list):
        return listed
    return [_with_id(system.outline, entry, place) for entry in listed]


def _with_id(outline: Node, entry: Any, place: str) -> Any:
    until = entry.get("until") if isinstance(entry, dict) else None
    if not isinstance(until, str) or outline.find(until) is not None:
        return entry
    called = [(node, path) for node, path in _paths(outline, ()) if _words(node.label) == until.lower()]
    here = [node for node, path in called if re.match(_pattern(path), place)]
    nodes = here or [node for node, _ in called]
    return {**entry, "until": nodes[0].id} if len(nodes) == 1 else entry


def _paths(node: Node, before: tuple[str, ...]) -> Iterator[tuple[Node, tuple[str, ...]]]:
    path = (*before, node.label) if node.label else before
    yield node, path
    for child in node.children:
        yield from _paths(child, path)


def _words(label: str) -> str:
    """Return a label without its variables: `week` of `Week {n}`."""
    return re.sub(r"\{\w+\}", "", label).strip(" ,").lower()


def _pattern(path: Sequence[str]) -> str:
    """Return the pattern for the start of a place within these nodes."""
    return re.sub(r"\\\{\w+\\\}", "[^,]+", re.escape(", ".join(path))) + "(,|$)"


def withdrawn(before: Sequence[Json], wanted: Any, path: DataPath) -> tuple[list[str], list[Diagnostic]]:
    """Return the names that `withdraw` takes back, and its faults."""
    known = [str(name_of(entry)) for entry in waiting(before)]
    if wanted == ALL:
        return known, []
    if not isinstance(wanted, list):
        message = Message("archive.ordering.wanted-list-of-names-or-all", wanted=describe(wanted))
        return [], [Diagnostic("wrong-type", message, path=path)]
    faults: list[Diagnostic] = []
    for i, name in enumerate(wanted):
        if name not in known:
            near = did_you_mean(str(name), known)
            message = Message("archive.ordering.unknown-name", name=describe(name), known=tuple(known))
            help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
            faults.append(Diagnostic("unknown-name", message, path=(*path, i), help=help_))
    return [str(name) for name in wanted], faults
