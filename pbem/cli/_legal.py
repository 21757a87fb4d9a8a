"""What `pbem orders legal` lists: options as lines of an order file, of long answers what they add."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.cli._words import safe

if TYPE_CHECKING:
    from pbem.archive.folder import Folder
    from pbem.archive.growth import Element
    from pbem.engine.decisions import Option
    from pbem.engine.resolve import Question


@dataclass(frozen=True)
class Legal:
    """An option, and how much of the answer must stand before it (None: it is the beginning or the whole).

    `given`: the user said with --after that he has that much.
    """

    option: Option
    before: Any
    given: bool

    @property
    def element(self) -> Element | None:
        """What it adds to what is before it."""
        from pbem.archive.growth import element

        return element(self.before, self.option.answer) if self.before is not None else None


def legal(folder: Folder, question: Question, so_far: Any, unit: str | None) -> Iterator[Legal]:
    """The options, those that name the unit; where a long answer must first be begun, those one step on."""
    from pbem.archive import orders

    given = so_far is not None
    first = orders.options(folder, question, so_far)
    if unit is None:
        yield from (Legal(option, so_far, given) for option in first)
        return
    begun = [Legal(option, so_far, given) for option in first]
    found = [one for one in begun if names(_new(one), unit)]
    yield from found
    for one in begun if not (found or given) else ():
        answer = one.option.answer
        if _only_begun(answer):
            further = (Legal(two, answer, False) for two in orders.options(folder, question, answer))
            yield from (two for two in further if names(_new(two), unit))


def _only_begun(answer: Any) -> bool:
    """Is it a long answer without an element yet, such as `{choice: turn}`?"""
    return isinstance(answer, dict) and bool(answer) and not any(map(_is_many, answer.values()))


def _is_many(value: Any) -> bool:
    return isinstance(value, dict | list)


def _new(one: Legal) -> Any:
    added = one.element
    return one.option.answer if added is None else added.value


def names(value: Any, name: str) -> bool:
    """Does a name stand anywhere in an answer?"""
    if isinstance(value, dict):
        return any(key == name or names(item, name) for key, item in value.items())
    if isinstance(value, list):
        return any(names(item, name) for item in value)
    return bool(value == name)


def lines(question: Question, found: Iterable[Legal]) -> Iterator[tuple[str, bool]]:
    """Lines of an order file, each with: is it an option? Those that add to one list stand below it."""
    from pbem.text.flow import flow

    shown: list[str] = []
    for one in found:
        more = "" if one.option.complete else " ... and more after it"
        note = f"   # {safe(one.option.text, 400)}{more}"
        added = one.element
        if added is None:
            shown = []
            yield f"  {question.key}: {flow(one.option.answer)}{note}", True
            continue
        head = _head(question, one, added)
        if head != shown:
            yield from ((line, False) for line in head)
            shown = head
        indent = "    " if added.under is None or not added.listed else "      "
        item = f"- {flow(added.value)}" if added.listed else str(added)
        yield f"{indent}{item}{note}", True


def _head(question: Question, one: Legal, added: Element) -> list[str]:
    """The lines under which an element stands."""
    from pbem.text.flow import flow

    after = "" if one.given else f"   # with {flow(one.before)} before it" if one.before else ""
    head = [f"  {question.key}:{after}"]
    instead = f"   # in place of {flow(added.instead)}" if added.instead is not None else ""
    if added.under is not None and added.listed:
        head.append(f"    {added.under}:{instead}")
    elif instead:
        head[0] += instead
    return head


def data(question: Question, one: Legal) -> dict[str, Any]:
    """The same for programs: the whole answer, and what is new in it."""
    added = one.element
    new = {"under": added.under, "value": added.value, "listed": added.listed} if added else None
    if new is not None and added is not None and added.instead is not None:
        new["instead"] = added.instead
    return {
        "decision": question.key,
        "answer": one.option.answer,
        "text": one.option.text,
        "complete": one.option.complete,
        "new": new,
    }
