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


def waiting_for(foreseen: Foreseen, rehearsed: Rehearsed, *, anyhow: bool = False) -> Entry:
    """Return an entry for this question alone, on the condition that all tested facts are as foreseen.

    `anyhow`: only what the question itself says must be as foreseen, whatever dice have made of the rest. It
    expires with the turn. If others decide first, it holds unless the player is attacked. Of a list of
    actions, impossible ones are left out. If dice are rolled first, the list counts as a whole or its owner
    is asked, because the player might have written another one.
    """
    entry: Entry = {"decision": foreseen.decision.kind}
    if foreseen.decision.subject():
        entry["subject"] = list[Json](foreseen.decision.subject())
    of_question = foreseen.decision.fields_json()
    if when := {name: value for name, value in foreseen.known.items() if name in of_question or not anyhow}:
        entry["when"] = dict[str, Json](when)
    until = _turn(foreseen, rehearsed) if foreseen.sure else _phase(foreseen, rehearsed)
    if until is not None:
        entry["until"] = until.id
    if not foreseen.sure:
        entry["unless"] = "attacked"
    elif isinstance(foreseen.decision, Growing) and not foreseen.after_dice:
        entry["on_illegal"] = "skip"
    return entry


def for_the_rest(foreseen: Foreseen, rehearsed: Rehearsed) -> Entry | None:
    """Return an entry for every question of this kind in the rest of the phase, unless attacked.

    None if the question does not come again in this phase.
    """
    until = _phase(foreseen, rehearsed)
    if (
        foreseen.sure
        or until is None
        or rehearsed.here is None
        or not rehearsed.here.same(foreseen.around, until)
    ):
        return None
    return {"decision": foreseen.decision.kind, "until": until.id, "unless": "attacked"}


def _turn(foreseen: Foreseen, rehearsed: Rehearsed) -> Node | None:
    """Return the turn in which the question comes.

    Without turns it is the whole span of the rehearsal.
    """
    nodes = foreseen.around.nodes
    start = nodes.index(foreseen.around.turn) if foreseen.around.turn is not None else 0
    return _kept(foreseen, rehearsed, start)


def _phase(foreseen: Foreseen, rehearsed: Rehearsed) -> Node | None:
    """Return the part of the turn that repeats the question: the node around its innermost loop."""
    loops = [i for i, node in enumerate(foreseen.around.nodes) if node.kind == "repeat"]
    return _kept(foreseen, rehearsed, max(loops[-1] - 1, 0) if loops else 0)


def _kept(foreseen: Foreseen, rehearsed: Rehearsed, start: int) -> Node | None:
    """Return the first node, from `start` inwards, that play does not leave before the question comes."""
    here = rehearsed.here
    assert here is not None
    for node in foreseen.around.nodes[start:]:
        if node.id not in here.passing or here.same(foreseen.around, node):
            return node
    return None
