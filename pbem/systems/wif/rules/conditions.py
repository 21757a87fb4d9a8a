"""6.1: Conditions of entries, such as `weather(0705) = fine and not alive(GE-F1)`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pbem.rules import Board, Message

from .pieces import T, controller, maybe_unit, port_damaged, weather_at
from .sources import Supply
from .world import world_of

TERM = re.compile(
    r"(?P<name>weather|face|at|alive|shattered|control|in_supply|port_damaged|rp|rail_left|done)"
    r"\((?P<of>[A-Za-z0-9_.:/-]+)\)(?:\s*(?P<op>=|>=)\s*(?P<value>[A-Za-z0-9_.-]+))?"
)
WANTS = {"weather": "=", "face": "=", "at": "=", "control": "=", "rp": ">=", "rail_left": ">="}


class BadCondition(ValueError):
    """A condition that cannot be read. The message says where it fails."""


def holds(board: Board, text: str | None, labels: tuple[str, ...] = ()) -> bool:
    """Return True if a condition is true now.

    None is always true. A condition that cannot be read raises `BadCondition`.
    """
    if text is None:
        return True
    left = _tokens(text)
    value = _either(left, lambda term: _true(board, term, labels))
    if left:
        raise BadCondition(Message("wif.conditions.too-much", left=left[0]))
    return value


def fault(text: str | None) -> str | None:
    """Return the reason why a condition cannot be read; None if it can."""
    if text is None:
        return None
    try:
        left = _tokens(text)
        _either(left, lambda term: bool(_parsed(term)))
        return Message("wif.conditions.too-much", left=left[0]) if left else None
    except BadCondition as bad:
        return str(bad)


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    for match in re.finditer(
        r"\s+|"
        + TERM.pattern.replace("?P<name>", "?:")
        .replace("?P<of>", "?:")
        .replace("?P<op>", "?:")
        .replace("?P<value>", "?:")
        + r"|[()]|and|or|not",
        text,
    ):
        if match.start() != at:
            break
        at = match.end()
        if match.group().strip():
            tokens.append(match.group().strip())
    if at != len(text):
        raise BadCondition(Message("wif.conditions.no-condition-such-as-face-ge-a1", text=text[at:][:30]))
    return tokens


def _either(left: list[str], true: Callable[[str], bool]) -> bool:
    value = _both(left, true)
    while left and left[0] == "or":
        left.pop(0)
        value = _both(left, true) or value
    return value


def _both(left: list[str], true: Callable[[str], bool]) -> bool:
    value = _one(left, true)
    while left and left[0] == "and":
        left.pop(0)
        value = _one(left, true) and value
    return value


def _one(left: list[str], true: Callable[[str], bool]) -> bool:
    if not left:
        raise BadCondition(Message("wif.conditions.something-missing-end"))
    token = left.pop(0)
    if token == "not":
        return not _one(left, true)
    if token == "(":
        value = _either(left, true)
        if not left or left.pop(0) != ")":
            raise BadCondition(Message("wif.conditions.bracket-not-closed"))
        return value
    return true(token)


def _parsed(term: str) -> re.Match[str]:
    match = TERM.fullmatch(term)
    if match is None:
        raise BadCondition(Message("wif.conditions.no-condition", term=term))
    if match["op"] != WANTS.get(match["name"]):
        raise BadCondition(
            Message(
                "wif.conditions.wants-behind-it",
                name=match["name"],
                what=WANTS.get(match["name"]) or "nothing",
            )
        )
    return match


def _true(board: Board, term: str, labels: tuple[str, ...]) -> bool:
    match = _parsed(term)
    name, of, value = match["name"], match["of"], match["value"]
    u = maybe_unit(board, of)
    world, t = world_of(board), T.of(board)
    if name == "weather":
        return weather_at(board, of if of in world.index else None) == value
    if name == "control":
        power = controller(board, of)
        return power == value or (power is not None and world.side_of[power] == value)
    if name in ("rp", "rail_left"):
        track = t.pool if name == "rp" else t.rail_left
        return track.get(of, 0) >= int(value if value.isdigit() else 0)
    tests: dict[str, Callable[[], Any]] = {
        "face": lambda: u is not None and u.face == value,
        "at": lambda: u is not None and (u.hex == value or u.area == value),
        "alive": lambda: u is not None,
        "shattered": lambda: u is not None and u.shattered,
        "in_supply": lambda: u is not None and Supply(board, world.side_of[u.owner]).in_supply(u),
        "port_damaged": lambda: port_damaged(board, of),
        "done": lambda: of in labels,
    }
    return bool(tests[name]())
