"""Differences between two scenarios in words: before anybody signs, and for authors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.board.map import GameMap
from pbem.engine.scenarios.whole_scenario import WholeScenario
from pbem.engine.system import System
from pbem.text.chars import clipped
from pbem.text.diagnostics import PbemError
from pbem.text.flow import flow
from pbem.text.messages import Message

MOST = 200
_LONG = 80


def differences(system: System, before_side: WholeScenario, other: WholeScenario) -> list[Message]:
    """Return the differences of the other scenario from the first, at most `MOST` lines and a last
    one.
    """
    maps = _map(system, before_side), _map(system, other)
    messages = [*_terrain(*maps)] if maps[0] is not None and maps[1] is not None else []
    rows = not messages  # the rows of letters say it only where hexes cannot
    for name in ("data", "charts", "about"):
        before, after = getattr(before_side, name), getattr(other, name)
        start = () if name == "data" else ("charts",) if name == "charts" else ()
        messages += _compared(before, after, start, rows)
    if len(messages) > MOST:
        left = len(messages) - MOST
        messages = [*messages[:MOST], Message("workshop.differences.more", count=left)]
    return messages


def _map(system: System, whole: WholeScenario) -> GameMap | None:
    own = system.with_scenario(whole)
    try:
        return own.map_of(own.world(whole.id, own.options(whole.data, {})))
    except PbemError:
        return None


def _terrain(chart: GameMap | None, other: GameMap | None) -> Iterator[Message]:
    """Yield hexes with other terrain."""
    if chart is None or other is None:
        return
    there = {other.number(hex): other.terrain(hex) for hex in other.hexes}
    for hex in chart.hexes:
        number, before = chart.number(hex), chart.terrain(hex)
        if there.get(number, before) != before:
            after = there[number]
            yield Message("workshop.differences.terrain", hex=number, before=before, after=after)


def _compared(value: Any, other: Any, path: tuple[str, ...], rows: bool) -> Iterator[Message]:
    if value == other and type(value) is type(other):
        return
    if path[-1:] == ("terrain",) and path[0] == "map" and not rows:
        return
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        yield from _mappings(value, other, path, rows)
    elif isinstance(value, list) and isinstance(other, list):
        yield from _lists(value, other, path, rows)
    else:
        yield Message(
            "workshop.differences.changed",
            place=_place(path),
            before=_value_in_words(value),
            after=_value_in_words(other),
        )


def _mappings(
    mapping: Mapping[str, Any], other: Mapping[str, Any], path: tuple[str, ...], rows: bool
) -> Iterator[Message]:
    for key in sorted({*mapping, *other}):
        here = (*path, key)
        if key not in other:
            yield Message(
                "workshop.differences.gone", place=_place(here), value=_value_in_words(mapping[key])
            )
        elif key not in mapping:
            yield Message("workshop.differences.new", place=_place(here), value=_value_in_words(other[key]))
        else:
            yield from _compared(mapping[key], other[key], here, rows)


def _lists(listed: list[Any], other: list[Any], path: tuple[str, ...], rows: bool) -> Iterator[Message]:
    """Yield what lists differ in: entries by their id or hex, else what is in one of them only."""
    by_name = _named(listed), _named(other)
    if by_name[0] is not None and by_name[1] is not None:
        yield from _mappings(by_name[0], by_name[1], path, rows)
        return
    before, after = [_key(entry) for entry in listed], [_key(entry) for entry in other]
    gone = [entry for entry in listed if _key(entry) not in after]
    new = [entry for entry in other if _key(entry) not in before]
    if len(gone) == len(new) == 1 and len(listed) == len(other) and isinstance(gone[0], dict | list):
        n = listed.index(gone[0])
        yield from _compared(gone[0], new[0], (*path, str(n + 1)), rows)
        return
    for entry in gone:
        yield Message("workshop.differences.gone", place=_place(path), value=_value_in_words(entry))
    for entry in new:
        yield Message("workshop.differences.new", place=_place(path), value=_value_in_words(entry))
    if not gone and not new:
        yield Message("workshop.differences.order", place=_place(path))


def _named(listed: list[Any]) -> dict[str, Any] | None:
    """Return the entries by id or hex; None if they have none, or not one each."""
    if not listed or not all(isinstance(entry, Mapping) for entry in listed):
        return None
    for field in ("id", "hex"):
        if all(isinstance(entry.get(field), str) for entry in listed):
            made = {entry[field]: entry for entry in listed}
            if len(made) == len(listed):
                return made
    return None


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _place(path: tuple[str, ...]) -> str:
    return " / ".join(path) or "scenario"


def _value_in_words(value: Any) -> str:
    return clipped(flow(value), _LONG)
