"""Rulings: the GM changes the position openly, with a reason, marked for ever (4.4).

The same checks hold as for moves: what must always hold by the rules. Each that a ruling breaks is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.board.position import Position
from pbem.engine.adjudicate import Outcome, game_of
from pbem.engine.adjudicate import run as run_engine
from pbem.engine.answers import Inputs, StageSource
from pbem.engine.system import System
from pbem.model.state import GameState
from pbem.stages.inputs import Setting
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message
from pbem.trust.statements import Statement

DECISION = "ruling"
"""The decision id under which a ruling is committed in a game with hidden units (4.4)."""


@dataclass(frozen=True)
class Ruling:
    """A ruling of the GM.

    `changes` is None if they are committed and not known here.
    """

    stage: int
    reason: str
    changes: Sequence[Any] | None


def rulings_in(amends: Iterable[Statement], opened: Mapping[str, Json]) -> list[Ruling]:
    """Return the rulings among amendments, in order of sid.

    `opened` are the known committed ones, by sid.
    """
    rulings: list[Ruling] = []
    for amend in sorted(amends, key=lambda statement_: statement_.sid):
        for op in amend.amendment.ops:
            if op["op"] == "ruling":
                changes = op.get("changes", opened.get(amend.sid))
                known = changes if isinstance(changes, list) else None
                rulings.append(Ruling(amend.stage, op["reason"], known))
    return rulings


def with_rulings(setting: Setting, outcome: Outcome, rulings: Sequence[Ruling]) -> Outcome:
    """Return the end of a stage with the GM's rulings, made before the state is hashed.

    Refused if a ruling changes the position on which the phase under way began.
    """
    for ruling in rulings:
        if ruling.changes is not None:
            outcome = _ruled(setting, outcome, ruling)
        entry: dict[str, Json] = {"stage": ruling.stage, "reason": ruling.reason}
        if not setting.system.hidden and ruling.changes is not None:
            entry["changes"] = list(ruling.changes)
        state = replace(outcome.state, rulings=[*outcome.state.rulings, entry])
        outcome = replace(outcome, state=state)
    return outcome


def _ruled(setting: Setting, outcome: Outcome, ruling: Ruling) -> Outcome:
    system, changes = setting.system, ruling.changes or ()
    state = replace(outcome.state, position=changed(outcome.state.position, changes))
    if state.open is None:
        return replace(outcome, state=state, position=state.position.copy())
    # replay the open phase from its journal on the changed position
    state = replace(state, open=replace(state.open, interim=""))
    inputs = Inputs(ruling.stage, absent=frozenset(setting.roster.dropped))
    try:
        again = run_engine(system, state, StageSource(inputs))
    except PbemError as fault:
        raise _does_not_fit(str(fault)) from None
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError):
        # rules may assume that what happened was possible
        raise _does_not_fit(Message("stages.rulings.what-happened-in-it-since-cannot-happen")) from None
    if again.told or not _stand(again.position, changes):
        raise _does_not_fit(Message("stages.rulings.what-happened-in-it-since-would-undo-ruling"))
    kept = replace(again.state, previous=outcome.state.previous, standing=outcome.state.standing)
    return replace(outcome, state=kept, position=again.position, pending=again.pending)


def _stand(position: Position, changes: Sequence[Any]) -> bool:
    """Return True if changes that were made are still there: repeated, they change nothing."""
    new = position.copy()
    for change in changes:
        gone = "remove" in change and change["remove"] not in new.counters
        there = "add" in change and change["add"] in new.counters
        if not gone and not there:
            _change(new, change)
    return new == position


def _does_not_fit(why: str) -> Refused:
    message = Message("stages.rulings.ruling-in-phase", why=why)
    help_ = (Message("stages.rulings.rule-when-phase-is-over"),)
    return Refused(Diagnostic("ruling-in-phase", message, help=help_))


# --- changes --------------------------------------------------------------------------------------------


def changed(position: Position, changes: Sequence[Any]) -> Position:
    """Return the position with changes made.

    Raises Refused with the first that cannot be made.
    """
    new = position.copy()
    for i, change in enumerate(changes):
        try:
            _change(new, change)
        except (KeyError, ValueError, TypeError) as fault:
            reason = (
                Message("stages.rulings.there-is-no-such-thing", missing=fault.args[0])
                if isinstance(fault, KeyError)
                else str(fault)
            )
            raise Refused(
                Diagnostic(
                    "bad-change", Message("stages.rulings.change-cannot-be-made", number=i + 1, reason=reason)
                )
            ) from None
    return new


def _change(position: Position, change: Mapping[str, Any]) -> None:
    match change:
        case {"move": str(id_), "to": str() | None as to, **rest} if not rest:
            position.move(id_, to)
        case {"remove": str(id_), **rest} if not rest:
            position.remove(id_)
        case {"add": str(id_), "fields": dict(fields), **rest} if not rest:
            position.add(id_, fields)
        case {"set": str(id_), "fields": dict(fields), **rest} if not rest:
            position.set(id_, **fields)
        case {"track": str(path), "value": value, **rest} if not rest:
            _track(position, path.split("/"), value)
        case {"override": str(), **rest} if not rest:
            pass
        case _:
            raise ValueError(Message("stages.rulings.wanted-known-change"))


def _track(position: Position, path: list[str], value: Json) -> None:
    table: Any = position.tracks
    for name in path[:-1]:
        if not isinstance(table, dict) or name not in table:
            raise KeyError(Message("stages.rulings.track", track="/".join(path)))
        table = table[name]
    if not isinstance(table, dict) or path[-1] not in table:
        raise KeyError(Message("stages.rulings.track", track="/".join(path)))
    table[path[-1]] = value


# --- checks ---------------------------------------------------------------------------------------------


def broken(system: System, state: GameState, position: Position) -> dict[str, list[str]]:
    """Return the checks that a position breaks: their names, and the faults in words."""
    faults: dict[str, list[str]] = {}
    game = game_of(system, state, position)
    for words in (*system.invariants(game), *system.census(game)):
        faults.setdefault(words.split()[0].strip(":,"), []).append(words)
    return faults


def check_ruling(system: System, state: GameState, changes: Sequence[Any]) -> None:
    """Check that changes break no check that held before, except overridden ones.

    Raises Refused with all faults.
    """
    try:
        before, after = state.position, changed(state.position, changes)
        new = broken(system, state, after)
    except PbemError:
        raise
    except Exception as fault:  # a rules package may fail on an impossible position
        message = Message(
            "stages.rulings.rules-cannot-make-anything-of-this-position",
            name=type(fault).__name__,
            fault=fault,
        )
        raise Refused(Diagnostic("bad-change", message)) from None
    old = broken(system, state, before)
    allowed = {change["override"] for change in changes if "override" in change}
    faults = [
        Diagnostic(
            "against-the-rules",
            words,
            help=(Message("stages.rulings.say-override", name=name),),
        )
        for name, listed in sorted(new.items())
        for words in listed
        if name not in allowed and words not in old.get(name, [])
    ]
    idle = sorted(allowed - set(new))
    for name in idle:
        message = Message("stages.rulings.idle-override", name=name)
        faults.append(Diagnostic("idle-override", message))
    if faults:
        raise Refused(faults)
