"""Kinds of orders that nobody may give now, from the rules' printed examples.

The checker then says what forbids one of them, or which decision it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import code
from pbem.cli.writing.legal import Legal
from pbem.engine.points import Points
from pbem.model.elements import Written, form_of
from pbem.text.diagnostics import Diagnostic, PbemError
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.decisions import Decision
    from pbem.engine.game import Game
    from pbem.engine.resolve import Question


def examples(game: Game, decision: Decision[Any], before: Any) -> Iterator[Legal]:
    """Yield the elements of a growing decision's example, as if they were options after `before`."""
    for written in _elements(game, decision):
        names = list(_texts((written.key, written.value)))
        counters = [name for name in names if name in game.position.counters]
        way, last = _way(game, written.value), _places(game, names)
        ends = way or last[-1:]
        points = Points(tuple(counters[:1]), way=tuple(ends))
        if counters:
            alone = replace(written, value=_alone(written.value, counters))
            yield Legal("", points=points, added=alone, before=before)


def _alone(value: Any, counters: list[str]) -> Any:
    """Return a value whose first counter acts without those that the example lists with it."""
    if isinstance(value, list):
        if counters[0] in value and all(item in counters for item in value):
            return counters[:1]
        return [_alone(item, counters) for item in value]
    if isinstance(value, dict):
        return {key: _alone(item, counters) for key, item in value.items()}
    return value


def left_over(game: Game, legal: Legal, clicked: tuple[str | None, ...]) -> set[str]:
    """Return counters and places that only the example names: nobody asked about them."""
    written = legal.added
    names = set(_texts(legal.answer if written is None else (written.key, written.value)))
    known = {id for id in names if id in game.position.counters} | set(_places(game, list(names)))
    return known - {id for id in clicked if id is not None}


def elsewhere(game: Game, question: Question, *, aims: bool) -> list[Diagnostic]:
    """Return the decisions, not asked now, whose orders are about such counters and places."""
    faults: list[Diagnostic] = []
    others: list[Diagnostic] = []
    for kind in game.system.wording.get("answers", {}):
        if kind == question.kind or kind not in game.system.registry.decisions:
            continue
        made = game.system.registry.decisions[kind]
        listed = [
            list(_texts((element.key, element.value))) for element in _elements(game, object.__new__(made))
        ]
        not_now = _not_now(game, kind)
        on_map = [names for names in listed if any(name in game.position.counters for name in names)]
        fits = any(not aims or _places(game, names) for names in on_map)
        (faults if fits else others).extend([not_now] if listed else [])
    return faults or others


def attacks_elsewhere(game: Game, question: Question) -> list[Diagnostic]:
    """Return the decisions, not asked now, whose example has an order with a place as its `target`."""
    made = {
        kind: object.__new__(decision)
        for kind, decision in game.system.registry.decisions.items()
        if kind != question.kind
    }
    return [
        _not_now(game, kind)
        for kind, decision in made.items()
        if any(_has_target(game, element.value) for element in _elements(game, decision))
    ]


def _has_target(game: Game, value: Any) -> bool:
    target = value.get("target") if isinstance(value, dict) else None
    return isinstance(target, str) and bool(_places(game, [target]))


def _not_now(game: Game, kind: str) -> Diagnostic:
    from pbem.archive import order_form

    message = Message("cli.web.not-now", question=order_form.sentence_of_kind(game.system, kind, code()))
    rule = game.system.registry.decisions[kind].rule
    return Diagnostic("not-now", message, family="illegal", rule=rule)


def _elements(game: Game, decision: Decision[Any]) -> list[Written]:
    """Return the elements of a decision's example; [] without one, or for no list of actions."""
    from pbem.engine.growing import Growing
    from pbem.model.codec import faults_in, from_json
    from pbem.text.yaml import load

    text = game.system.wording.get("answers", {}).get(decision.kind)
    if text is None or not isinstance(decision, Growing):
        return []
    try:
        value = load(text, "example").data
        if faults_in(decision.answer, value):
            return []
        form = form_of(decision.answer)
        return [form.written(element) for _, element in form.elements(from_json(decision.answer, value))]
    except (PbemError, AttributeError, KeyError, TypeError, ValueError):
        return []  # an example about another scenario


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for key, item in value.items() for part in (key, item) for text in _texts(part))
    elif isinstance(value, list | tuple):
        yield from (text for item in value for text in _texts(item))


def _places(game: Game, names: list[str]) -> list[str]:
    chart = game.system.map_of(game.world)
    return [name for name in names if chart is not None and chart.get(name) is not None]


def _way(game: Game, value: Any) -> list[str]:
    """Return the way in a value: the first list of nothing but places."""
    if isinstance(value, list):
        if (
            value
            and all(isinstance(place, str) for place in value)
            and len(_places(game, value)) == len(value)
        ):
            return list(value)
        return next((way for item in value if (way := _way(game, item))), [])
    if isinstance(value, dict):
        return next((way for item in value.values() if (way := _way(game, item))), [])
    return []
