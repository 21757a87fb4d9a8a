"""The form of a long answer with the player's own units in it: examples of the wording name others'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.board.position import Position
    from pbem.stages.views import PlayerView

_ID = re.compile(r"(?<![\w.\"-])[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?![\w\"-])")
_KIND = ("type", "kind", "class")
_LETTERS = re.compile(r"[^A-Z]+")


def in_own_units(example: str, view: PlayerView, me: str) -> str | None:
    """The example with units and powers of the player in place of others'; None where he has no units.

    A unit becomes one of its kind, as far as its id or its fields tell, another each time. Ways and places
    stay what they are: the example says what an answer looks like, not what to do.
    """
    game = view.game
    powers = [power for power in game.powers_of(me) if power != me]
    mine = _own(view, {me, *powers})
    if not mine:
        return None
    others = [power for power in game.powers if power not in (*game.players, *powers)]
    names = dict(zip(others, powers, strict=False))
    position, taken = view.position, dict[str, str]()
    for found in _ID.finditer(example):
        id = found[0]
        if id in names or id in taken or id in mine or not _is_unit(id, position):
            continue
        taken[id] = _like(id, position, mine, list(taken.values()))
    return _ID.sub(lambda found: names.get(found[0]) or taken.get(found[0], found[0]), example)


def _own(view: PlayerView, mine: set[str]) -> list[str]:
    """The ids of the counters of these owners, in order."""
    field = view.system.wording.get("map", {}).get("owner", "owner")
    counters = view.position.counters
    return sorted(id for id in counters if counters[id].get(field) in mine)


def _is_unit(id: str, position: Position) -> bool:
    """A counter that is there, or a word that looks like the id of one: `R-AR2`, `UST1`."""
    return id in position.counters or bool(re.search(r"-[A-Z0-9]|\d$", id))


def _like(id: str, position: Position, mine: Sequence[str], taken: Sequence[str]) -> str:
    """The own unit most like another: of its kind by id and fields, not used yet, first in order."""
    fields: Any = position.counters[id] if id in position.counters else {}

    def unlike(own: str) -> tuple[bool, int]:
        other: Any = position.counters[own]
        alike = sum(fields.get(name) is not None and other.get(name) == fields[name] for name in _KIND)
        return own in taken, -2 * alike - (_stem(own) == _stem(id))

    return min(mine, key=unlike)


def _stem(id: str) -> str:
    """What kind of unit an id tells of: `AR` of `R-AR2`, `ST` of `UST1`."""
    head, dash, tail = id.partition("-")
    return _LETTERS.sub("", tail if dash else head[1:])
