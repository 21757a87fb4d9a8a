"""Empty entries of the standing list for foreseen questions.

Bots fill them in, and the order form offers them to people.
"""

from __future__ import annotations

from typing import Any

from pbem.engine.ahead import Entry
from pbem.engine.decisions import Decision
from pbem.engine.growing import Growing
from pbem.engine.outline import Node
from pbem.engine.rehearsal import Foreseen, Rehearsed
from pbem.text.canonical import Json


def does_nothing(decision: Decision[Any], answer: Json) -> bool:
    """Return True if an answer is a list of actions without any."""
    return isinstance(decision, Growing) and answer is not None and _acts(answer) == 0


def _acts(answer: Json) -> int:
    """Return how many elements the lists of an answer have."""
    if isinstance(answer, dict):
        return sum(_acts(part) for part in answer.values())
    return len(answer) if isinstance(answer, list) else 0


def waiting_for(one: Foreseen, found: Rehearsed, *, anyhow: bool = False) -> Entry:
    """Return an entry for this question alone, on the condition that all tested facts are as foreseen.

    `anyhow`: only what the question itself says must be as foreseen, whatever dice have made of the rest. It
    expires with the turn. If others decide first, it holds unless the player is attacked. Of a list of
    actions, impossible ones are left out. If dice are rolled first, the list counts as a whole or its owner
    is asked, because the player might have written another one.
    """
    entry: Entry = {"decision": one.decision.kind}
    if one.decision.subject():
        entry["subject"] = list[Json](one.decision.subject())
    of_question = one.decision.fields_json()
    if when := {name: value for name, value in one.known.items() if name in of_question or not anyhow}:
        entry["when"] = dict[str, Json](when)
    until = _turn(one, found) if one.sure else _phase(one, found)
    if until is not None:
        entry["until"] = until.id
    if not one.sure:
        entry["unless"] = "attacked"
    elif isinstance(one.decision, Growing) and not one.after_dice:
        entry["on_illegal"] = "skip"
    return entry


def for_the_rest(one: Foreseen, found: Rehearsed) -> Entry | None:
    """Return an entry for every question of this kind in the rest of the phase, unless attacked.

    None if the question does not come again in this phase.
    """
    until = _phase(one, found)
    if one.sure or until is None or found.here is None or not found.here.same(one.around, until):
        return None
    return {"decision": one.decision.kind, "until": until.id, "unless": "attacked"}


def _turn(one: Foreseen, found: Rehearsed) -> Node | None:
    """Return the turn in which the question comes.

    Without turns it is the whole span of the rehearsal.
    """
    nodes = one.around.nodes
    start = nodes.index(one.around.turn) if one.around.turn is not None else 0
    return _kept(one, found, start)


def _phase(one: Foreseen, found: Rehearsed) -> Node | None:
    """Return the part of the turn that repeats the question: the node around its innermost loop."""
    loops = [i for i, node in enumerate(one.around.nodes) if node.kind == "repeat"]
    return _kept(one, found, max(loops[-1] - 1, 0) if loops else 0)


def _kept(one: Foreseen, found: Rehearsed, start: int) -> Node | None:
    """Return the first node, from `start` inwards, that play does not leave before the question comes."""
    here = found.here
    assert here is not None
    for node in one.around.nodes[start:]:
        if node.id not in here.passing or here.same(one.around, node):
            return node
    return None
