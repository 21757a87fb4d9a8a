"""Options written `name=value`, as the parties type them and the roster's scenario name has them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message


def given(words: Iterable[str], names: Collection[str]) -> tuple[dict[str, str], list[Diagnostic]]:
    """Return the options with these names, each with its first value, and a fault for each later one."""
    values: dict[str, str] = {}
    faults: list[Diagnostic] = []
    for word in words:
        name, _, value = word.partition("=")
        if name in values:
            message = Message("stages.option-words.option-is-given-twice", name=name)
            faults.append(Diagnostic("bad-option", message))
        elif name in names:
            values[name] = value
    return values, faults


def agreed(words: Iterable[str], name: str) -> bool:
    """Return True if `name=yes` is among the words; Refused with all faults of this option."""
    values, faults = given(words, (name,))
    faults += not_yes(name, values.get(name))
    if faults:
        raise Refused(faults)
    return name in values


def not_yes(name: str, value: str | None) -> list[Diagnostic]:
    """Return the fault of an option that is neither left out nor `yes`."""
    if value in (None, "yes"):
        return []
    return [Diagnostic("bad-option", Message("stages.option-words.wanted-yes", name=name, value=value))]
