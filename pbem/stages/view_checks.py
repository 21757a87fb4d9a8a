"""Whether the facts of a view are of this game: the GM may commit to anything, and seal it (protocol 11.2).

What is in the state is for the unseal to show; but a view that the rules cannot read must stop here, and not
later in every command.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.stages.views import PlayerView
from pbem.text.canonical import Json
from pbem.text.diagnostics import PbemError
from pbem.trust.errors import NotAccepted

_TEXTS = ("key", "id", "party", "kind", "rule", "secrecy")


def check_readable(view: PlayerView) -> None:
    """NotAccepted, which quotes nothing of it, if questions, events or position cannot be made of a view."""
    try:
        for key, value in view.facts.items():
            if not _fits(key, value):
                raise _unreadable()
        for question in view.questions:
            view.system.decision(question.kind, question.party, question.fields)
        assert view.position is not None
    except (PbemError, LookupError, TypeError, ValueError, AttributeError, AssertionError):
        raise _unreadable() from None


def _unreadable() -> NotAccepted:
    return NotAccepted("view", "the view shows what cannot be in a game of these rules")


def _fits(key: str, value: Json) -> bool:
    """Whether a fact of the engine has its shape; those of the rules are for the rules to read."""
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
    return key != "game/place" or isinstance(value, str)
