"""Data of an order file for a page: questions, orders with their ways on the map, options, faults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import code, spoken

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.web.draft import Element, OrderDraft
    from pbem.cli.writing.legal import Legal
    from pbem.engine.points import Points
    from pbem.engine.resolve import Question
    from pbem.model.elements import Written
    from pbem.text.diagnostics import Diagnostic


def state(draft: OrderDraft) -> dict[str, Any]:
    """Return the page's data of the orders: questions, meaning, faults."""
    from pbem.archive import order_form

    folder, checked = draft.folder, draft.checked()
    questions = [*draft.questions, *draft.begun_ahead()]
    drawn = {question.key: draft.drawn_up(question) for question in questions}
    elements = {key: text for key, (text, _, _) in drawn.items()}
    beside = [fault.message for listed in elements.values() for element in listed for fault in element.faults]
    return {
        "stage": folder.progress.open_stage,
        "questions": [
            {
                "key": question.key,
                "text": order_form.sentence(folder.system, question, code()),
                "rule": question.rule,
                "secret": question.secrecy != "open",
                "answered": draft.answer(question) is not None,
                "complete": drawn[question.key][2],
                "elements": trails_of(draft, question, elements[question.key]),
            }
            for question in questions
        ],
        "understood": in_words(folder, draft.questions, checked.understood),
        "faults": faults([fault for fault in checked.diagnostics if _is_shown_below(fault, draft, beside)]),
        "moved": {id: at for _, moved, _ in drawn.values() for id, at in moved.items()},
        "ok": checked.ok,
        "text": draft.text(),
    }


def trails_of(draft: OrderDraft, question: Question, elements: Sequence[Element]) -> list[dict[str, Any]]:
    """Return the elements of an answer for a page: words, faults, and the way of each on the map."""
    trails = _Trails(draft.at(question))
    return [
        {
            "text": spoken(element.text),
            "faults": faults(element.faults),
            "trail": trails.along(element.points) if element.points.counters else trails.of(element.written),
            "helps": element.points.sort == "other" and bool(element.points.counters),
        }
        for element in elements
    ]


def in_words(folder: Folder, questions: Sequence[Question], understood: Sequence[str]) -> list[str]:
    """Return the meaning for people: after its question in words, if several are asked."""
    from pbem.archive import order_form
    from pbem.cli.writing.meaning import line_in_words

    asked = {
        name: order_form.sentence(folder.system, question, code()) if len(questions) > 1 else ""
        for question in questions
        for name in (question.kind, question.key)
    }
    return [line_in_words(line, asked) for line in understood]


def _is_shown_below(fault: Diagnostic, draft: OrderDraft, beside: Sequence[str]) -> bool:
    """Return True if a fault is shown below the orders.

    Not one shown beside an element, nor a missing answer to a question that was not begun, which is shown
    beside the question.
    """
    unanswered = fault.code == "no-answer" and any(
        draft.answer(question) is None and (question.key in fault.message or question.kind in fault.message)
        for question in draft.questions
    )
    return fault.message not in beside and not unanswered


class _Trails:
    """The ways of elements on the map: by the counters and places they name, in order."""

    def __init__(self, folder: Any) -> None:
        game = folder.view().game
        self.position, self.chart = game.position, game.system.map_of(game.world)
        self.places: dict[str, str] = {}

    def along(self, points: Points) -> list[str]:
        """Return the places from where its first counter is, the last with the coast."""
        at = next((self.position.hex(id) for id in points.counters), points.start)
        way = points.way or tuple(filter(None, (points.last,)))
        last = [f"{way[-1]}.{points.coast}"] if way and points.coast else list(way[-1:])
        return [*([at] if at and at not in way else []), *way[:-1], *last]

    def of(self, written: Written) -> list[str]:
        """Return the places from where its first counter is; a single one if it goes nowhere."""
        names = list(_names((written.key, written.value)))
        counters = [name for name in names if name in self.position.counters]
        way = [name for name in names if self.chart is not None and self.chart.get(name) is not None]
        first = counters[0] if counters else None
        start = self.places.get(first, self.position.hex(first)) if first is not None else None
        way = [start, *way] if start is not None and way[:1] != [start] else way
        for counter in counters if way else ():
            self.places[counter] = way[-1]
        return way


def _names(value: Any) -> Iterator[str]:
    """Yield every text in a value, keys too, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _names(key)
            yield from _names(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _names(item)


def faults(diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """Return diagnostics for a page, in the reader's language."""
    return [
        {
            "severity": fault.severity,
            "code": fault.code,
            "message": spoken(fault.message),
            "rule": fault.rule or "",
            "line": fault.span.line if fault.span is not None else None,
            "help": [spoken(text) for text in (*fault.notes, *fault.help)],
        }
        for fault in diagnostics
    ]


def _items(answer: Any) -> list[str]:
    """Return the ids of an answer that is an ordered choice (cards), else []."""
    listed = answer if isinstance(answer, list) else []
    return listed if all(isinstance(item, str) for item in listed) else []


def option_data(number: int, legal: Legal) -> dict[str, Any]:
    """Return an option for a page: its words, costs and risks, and its way on the map."""
    points = legal.points
    return {
        "number": number,
        "text": legal.text,
        "shown": spoken(legal.text) + (f" ({spoken(points.text)})" if points.text else ""),
        "more": not legal.complete,
        "start": points.start,
        "counters": list(points.counters),
        "way": list(points.way),
        "end": points.last,
        "goal": f"{points.last}.{points.coast}" if points.coast else points.last,
        "items": _items(legal.answer),
        "kind": points.sort,
        "units": list(points.taking),
        "cost": {spoken(unit): count for unit, count in points.cost},
        "price": spoken(points.price),
        "risk": spoken(points.risk),
    }
