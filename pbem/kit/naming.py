"""Names for new things in play: unused ids, and public names that hide ids.

Rule of thumb: an id is counted up in a track, never by looking for a free one: a counter that is
gone must not come back as another one. A public name is made from what everybody sees.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, MutableMapping
from typing import Any, Protocol, TypeVar


class Named(Protocol):
    """An object with an id."""

    @property
    def id(self) -> str: ...


N = TypeVar("N", bound=Named)


def new_id(
    made: MutableMapping[str, int], kind: str, written: Callable[[int], str], taken: Collection[str] = ()
) -> str:
    """Return the next id of a kind, counted in `made`: `written(number)`, without those `taken`."""
    while True:
        made[kind] = made.get(kind, 0) + 1
        id = written(made[kind])
        if id not in taken:
            return id


def letters(number: int) -> str:
    """Return a, b ... z, aa, ab ...: the name of the number-th of its kind, counted from 0."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("a") + rest) + name
    return name


def public_names(
    units: Iterable[N], kind: Callable[[N], str], order: Callable[[N], Any] = lambda unit: 0
) -> dict[str, str]:
    """Return a name for each unit, by id: its kind ("red INF") and a letter that reveals nothing.

    `order` sorts the units of a kind by what everybody sees (the strongest first, say); ids decide last.
    """
    names: dict[str, str] = {}
    used: dict[str, int] = {}
    for unit in sorted(units, key=lambda unit_: (kind(unit_), order(unit_), unit_.id)):
        name = kind(unit)
        names[unit.id] = f"{name} {letters(used.get(name, 0))}"
        used[name] = used.get(name, 0) + 1
    return names
