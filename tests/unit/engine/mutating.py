"""Scenarios with a seeded change somewhere: what strangers may send, mostly by accident."""

from __future__ import annotations

import copy
import random
from typing import Any

ODD: tuple[Any, ...] = (None, True, False, 0, -1, 1, 7, 10**6, 10**18, [], {}, [[]], [None], [0], ["x"])
TEXTS = ("", "x", "0405", "9999", "99.99", "red", "../../x", 'R-"><script>', "a\u202eb", "\u0000", "  ")
MORE = ("=1+1", "1/0", "1/2", "-3", "0101..0101", "0101/0102", "0101-0101", "2-6", "ä", "a" * 500)
NASTY: tuple[Any, ...] = (*ODD, *TEXTS, *MORE, {"x": 1}, {"": None}, {"x": {"y": []}}, [["x", 1]])
HOW = ("nonsense", "nonsense", "nonsense", "drop", "swap", "number", "rename", "double", "letter")


def mutated(data: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Return a copy with one to three changes: a value moved, lost, renamed or nonsense."""
    made: dict[str, Any] = copy.deepcopy(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        _change(made, dice)
    return made


def _change(made: Any, dice: random.Random) -> None:
    inside = dice.choice(containers(made))
    keys: list[Any] = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
    how = dice.choice(HOW)
    if not keys:
        return
    key = dice.choice(keys)
    value = inside[key]
    if how == "nonsense":
        inside[key] = copy.deepcopy(dice.choice(NASTY))
    elif how == "drop":
        del inside[key]
    elif how == "swap":
        other = dice.choice(containers(made))
        there = list(other) if isinstance(other, dict) else list(range(len(other)))
        if there:
            inside[key] = copy.deepcopy(other[dice.choice(there)])
    elif how == "number" and isinstance(value, int):
        inside[key] = value + dice.choice((-1, 1, 100, -100, 10**12))
    elif how == "rename" and isinstance(inside, dict):
        inside[str(dice.choice(("x", "../x", 'R-"<b>', "0405", str(key) + "2", "ü")))] = inside.pop(key)
    elif how == "double" and isinstance(inside, list):
        inside.insert(dice.randrange(len(inside) + 1), copy.deepcopy(value))
    elif how == "letter" and isinstance(value, str) and value:
        at = dice.randrange(len(value))
        inside[key] = value[:at] + dice.choice("0 9.-/xA\u202e") + value[at + 1 :]


def containers(value: Any) -> list[Any]:
    """Return all mappings and lists in a value."""
    found = [value] if isinstance(value, dict | list) else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inner:
        found += containers(one)
    return found
