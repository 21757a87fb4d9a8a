"""All faults of an answer at once: faults of form, and breaches of the rules in the rest.

For order files alone: `engine.resolve` judges the answers that the rules use.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pbem.engine.decisions import Decision, Explained, shape_faults
from pbem.engine.game import Game
from pbem.engine.growing import Growing
from pbem.engine.resolve import faults_of, strays_in
from pbem.model.codec import from_json
from pbem.text.canonical import Json
from pbem.text.diagnostics import DataPath, Diagnostic, Refused


def explained(game: Game, decision: Decision[Any], value: Json, *, speaks: bool = True) -> Explained:
    """Return all faults of an answer, or the warnings of a legal one and, if it `speaks`, its words."""
    if shape_faults(decision, value):
        return Explained(tuple(_all_faults(game, decision, value)))
    if off_map := strays_in(game, decision, value):
        return Explained(tuple(off_map))
    try:
        return decision.explained(game, from_json(decision.answer, value), speaks=speaks)
    except Refused as refused:
        return Explained(refused.diagnostics)


def _all_faults(game: Game, decision: Decision[Any], value: Json) -> list[Diagnostic]:
    """Return all faults of a malformed answer.

    Malformed elements of a long one are reported and left out; the others are checked as if they were alone.
    """
    form = shape_faults(decision, value)
    elements = {_element(fault.path) for fault in form}
    if not isinstance(decision, Growing) or () in elements:
        return form
    rest = _without(value, elements)
    if shape_faults(decision, rest):
        return form
    lists = {element[:-1] for element in elements}
    faults = [fault for fault in faults_of(game, decision, rest) if fault.path and fault.path not in lists]
    return [*form, *(_moved(fault, elements) if _element(fault.path) else fault for fault in faults)]


def _element(path: DataPath) -> DataPath:
    """Return the path of the list element that contains a fault, or ()."""
    number = next((n for n, step in enumerate(path) if isinstance(step, int)), None)
    return () if number is None else path[: number + 1]


def _without(value: Json, elements: Iterable[DataPath], path: DataPath = ()) -> Json:
    """Return a value without those elements of lists."""
    if isinstance(value, list):
        kept = [(n, item) for n, item in enumerate(value) if (*path, n) not in elements]
        return [_without(item, elements, (*path, n)) for n, item in kept]
    if isinstance(value, dict):
        return {key: _without(item, elements, (*path, key)) for key, item in value.items()}
    return value


def _moved(fault: Diagnostic, elements: Iterable[DataPath]) -> Diagnostic:
    """Return a fault in the remaining elements, at its place in the whole."""
    path = _element(fault.path)
    gone = {element[-1] for element in elements if element[:-1] == path[:-1]}
    number, left = -1, path[-1]
    while left != -1:
        number += 1
        left = left if number in gone else int(left) - 1
    return replace(fault, path=(*path[:-1], number, *fault.path[len(path) :]))
