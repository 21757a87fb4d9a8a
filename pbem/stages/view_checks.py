"""The checks that events and the facts of a view fit this game (protocol 11.2).

The GM may commit to anything.

The unseal shows whether it is in the state. But a view that the rules cannot read must stop here,
and not later in every command.
"""

from __future__ import annotations

import dataclasses
import functools
import typing
from collections.abc import Mapping, Sequence
from types import NoneType

from pbem.engine.system import System
from pbem.model.whereabouts import is_place
from pbem.stages.views import PlayerView
from pbem.text.canonical import Json
from pbem.text.diagnostics import PbemError
from pbem.text.messages import Message
from pbem.trust.errors import NotAccepted

_OF_ALL = frozenset(("event", "rule", "at"))
"""Members that every event may have beside its own fields."""
_TEXTS = ("key", "id", "party", "kind", "rule", "secrecy")


def event_fault(system: System, events: Sequence[Json]) -> str | None:
    """Return an event kind or field that the rules lack, or None (protocol 17.32)."""
    for number, event in enumerate(events, 1):
        kind = event.get("event") if isinstance(event, dict) else None
        cls: type | None = system.registry.events.get(kind) if isinstance(kind, str) else None
        if not isinstance(event, dict) or cls is None:
            return Message("stages.view-checks.event-is-of-unknown-kind", number=number)
        fields = _fields(cls)
        if set(event) - set(fields) - _OF_ALL:
            return Message("stages.view-checks.event-has-unknown-field", number=number, kind=kind)
        if any(needed and name not in event for name, needed in fields.items()):
            return Message("stages.view-checks.event-lacks-field", number=number, kind=kind)
    return None


@functools.cache
def _fields(cls: type) -> dict[str, bool]:
    """Return the fields of an event as its JSON names them; True for those that are never left out."""
    hints = typing.get_type_hints(cls)
    return {
        field.name.rstrip("_"): NoneType not in typing.get_args(hints[field.name])
        for field in dataclasses.fields(cls)
    }


def check_readable(view: PlayerView) -> None:
    """Check that questions, events and position can be made of a view.

    Raises NotAccepted, which quotes nothing of it.
    """
    try:
        for key, value in view.facts.items():
            if not _fits(key, value):
                raise _unreadable()
        for question in view.questions:
            view.system.decision(question.kind, question.party, question.fields)
        assert event_fault(view.system, [event.event for event in view.told]) is None
        assert view.position is not None
    except (PbemError, LookupError, TypeError, ValueError, AttributeError, AssertionError):
        raise _unreadable() from None


def _unreadable() -> NotAccepted:
    return NotAccepted("view", Message("stages.view-checks.view"))


def _fits(key: str, value: Json) -> bool:
    """Return True if a fact of the engine has its shape; the rules read their own."""
    section = key.split("/")[0]
    if section == "asked":
        return isinstance(value, dict) and all(isinstance(value.get(name), str) for name in _TEXTS)
    if section == "event":
        return (
            isinstance(value, dict)
            and type(value.get("after")) is int
            and isinstance(value.get("event"), dict)
            and key.count("/") == 2
        )
    if section == "refused":
        return isinstance(value, Mapping)
    if section == "standing":
        return isinstance(value, list)
    return key != "game/place" or is_place(value)
