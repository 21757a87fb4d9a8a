"""Options written `name=value`, as the parties type them and the roster's scenario name has them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pbem.text.diagnostics import Diagnostic
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
