"""Names for what comes into being in play: ids that no counter ever had, and public names that hide ids.

Rule of thumb: an id is counted up in a track, never found by looking what is free: a counter that is gone
must not come back as another one. A public name is made from what everybody sees.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, MutableMapping
from typing import Any, Protocol, TypeVar


class Named(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str: ...


N = TypeVar("N", bound=Named)


def new_id(
    made: MutableMapping[str, int], kind: str, written: Callable[[int], str], taken: Collection[str] = ()
) -> str:
    """The next id of a kind, counted in `made`: `written(number)`, passing over ids that are `taken`."""
    while True:
        made[kind] = made.get(kind, 0) + 1
        id = written(made[kind])
        if id not in taken:
            return id


def letters(number: int) -> str:
    """a, b ... z, aa, ab ...: the name of the number-th of its kind, counted from 0."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("a") + rest) + name
    return name


def public_names(
    units: Iterable[N], kind: Callable[[N], str], order: Callable[[N], Any] = lambda unit: 0
) -> dict[str, str]:
    """A name for each unit, by id: its kind ("red INF") and a letter, given in an order that tells nothing.

    `order` sorts the units of a kind by what everybody sees (the strongest first, say); ids decide last.
    """
    names: dict[str, str] = {}
    used: dict[str, int] = {}
    for unit in sorted(units, key=lambda each: (kind(each), order(each), each.id)):
        name = kind(unit)
        names[unit.id] = f"{name} {letters(used.get(name, 0))}"
        used[name] = used.get(name, 0) + 1
    return names
