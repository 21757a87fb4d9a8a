"""The list of `pbem orders legal`: options as lines of an order file, of long answers the additions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import spoken
from pbem.cli.shell.words import safe
from pbem.engine.points import NOWHERE, Points
from pbem.model.elements import Written
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.writing.naming import Names
    from pbem.engine.drafting import Drafting
    from pbem.engine.growing import Next
    from pbem.engine.resolve import Question

    Drafted = Callable[[Question, Any], Drafting[Any] | None]
    Opened = Callable[[Drafting[Any]], list[Next[Any]]]


@dataclass(frozen=True)
class Legal:
    """An option: a whole answer, or the element that it adds to an answer.

    `before` is how much of the answer must stand before it; `given`: the user passed that much with
    --after. `instead` is the element whose place it takes.
    """

    text: str
    complete: bool = True
    points: Points = NOWHERE
    answer: Any = None
    added: Written | None = None
    before: Any = None
    given: bool = False
    instead: Written | None = None

    @property
    def note(self) -> str:
        """Return what it means, costs and risks."""
        return Message(
            "cli.legal.option", text=safe(self.points.after(self.text), 400), complete=self.complete
        )


def legal(
    folder: Folder,
    question: Question,
    so_far: Any,
    of: str | None,
    drafted: Drafted | None = None,
    opened: Opened | None = None,
) -> Iterator[Legal]:
    """Yield the options; with `of` those that begin with that counter or place.

    If a long answer must first be begun, those one step on. `drafted` makes the draft of an answer, or has it
    at hand; `opened` gives the elements that begin one (`openers`).
    """
    from pbem.archive import order_file

    drafted = drafted or (lambda question, answer: order_file.drafting(folder, question, answer))
    drafting = drafted(question, so_far)
    if drafting is None or (so_far is None and of is None):
        for option in order_file.options(folder, question):
            if of is None or of == option.points.start or names(option.answer, of):
                yield Legal(option.text, option.complete, option.points, option.answer)
        return
    any_listed = False
    for element in drafting.next(of):
        any_listed = True
        yield _element(drafting, element, so_far is not None)
    if not any_listed and so_far is None:
        for opener in (opened or openers)(drafting):
            begun = drafted(question, drafting.json_with(opener))
            assert begun is not None
            yield from (_element(begun, further, False) for further in begun.next(of))


def of_all(folder: Folder, names: Names, question: Question, so_far: Any) -> Iterator[Legal]:
    """Yield the options of all the player's units."""
    from pbem.cli.writing.units import ASKED, my_units

    for unit in my_units(folder, names)[:ASKED]:
        yield from legal(folder, question, so_far, unit)


def described(names: Names | None, id: str | None) -> Iterator[str]:
    """Yield the description of a counter with place, figures and state; of a place its contents.

    Nothing in a system that has no words for figures (`report/figures.py`).
    """
    from pbem.cli.writing.units import figures_mean, where
    from pbem.report.muster import forces

    if names is None or id is None or not names.told.wording.of("figures"):
        return
    view = names.told
    if id in view.position.counters:
        yield f"{id} {where(names, id)}"
        yield from figures_mean(names, [id])
        return
    for force in forces(view, None, {id}):
        for stack in force.stacks:
            yield safe(f"{names.called(id)}, {view.wording.text(force.owner)}: {stack.told(own=True)}", 400)
    yield from figures_mean(names, view.position.at(id))


def ending(options: Iterable[Legal], end: str | None) -> list[Legal]:
    """Return the options that end at a place; without a place, all."""
    return [option for option in options if end in (None, option.points.last)]


def openers(drafting: Drafting[Any]) -> list[Next[Any]]:
    """Return elements without a place that begin a long answer, such as taking a turn at all."""
    return [
        option
        for option in drafting.next()
        if not drafting.written(option.element).listed and option.points == NOWHERE
    ]


def _element(drafting: Drafting[Any], option: Next[Any], given: bool) -> Legal:
    instead = drafting.written(drafting.elements[-1]) if option.instead else None
    added = drafting.written(option.element)
    return Legal(option.text, option.complete, option.points, None, added, drafting.json(), given, instead)


def names(value: Any, name: str) -> bool:
    """Return True if a value names a counter or a place anywhere."""
    if isinstance(value, dict):
        return any(name == key or names(item, name) for key, item in value.items())
    if isinstance(value, list):
        return any(names(item, name) for item in value)
    return bool(value == name)


def lines(question: Question, options: Iterable[Legal]) -> Iterator[tuple[str, bool]]:
    """Yield lines of an order file, and whether each is an option.

    Options that add to one list are below it.
    """
    from pbem.text.flow import flow

    shown: list[str] = []
    for option in options:
        if option.added is None:
            shown = []
            yield f"  {question.key}: {flow(option.answer)}   # {spoken(option.note)}", True
            continue
        head = _head(question, option, option.added)
        if head != shown:
            yield from ((line, False) for line in head)
            shown = head
        yield f"{_line(option.added)}   # {spoken(option.note)}", True


def _line(added: Written) -> str:
    if added.under is not None and not added.listed and added.key is None:
        return f"    {added}"
    indent = "    " if added.under is None else "      "
    return f"{indent}- {added.item}" if added.listed else f"{indent}{added.item}"


def _head(question: Question, option: Legal, added: Written) -> list[str]:
    """Return the lines above an element."""
    from pbem.text.flow import flow

    after = instead = ""
    if option.before and not option.given:
        after = f"   # {spoken(Message('cli.legal.with-before', given=flow(option.before)))}"
    if option.instead is not None:
        instead = f"   # {spoken(Message('cli.legal.in-place-of', item=str(option.instead.item)))}"
    head = [f"  {question.key}:{after}"]
    if added.under is not None and (added.listed or added.key is not None):
        head.append(f"    {added.under}:{instead}")
    elif instead:
        head[0] += instead
    return head


def data(question: Question, option: Legal) -> dict[str, Any]:
    """Return the option for programs, as schemas/legal.schema.json describes it."""
    entry: dict[str, Any] = {"decision": question.key, "text": option.text, "complete": option.complete}
    if option.added is None:
        entry |= {"answer": option.answer, "new": None}
    else:
        entry["new"] = _new(option.added) | ({"instead": _new(option.instead)} if option.instead else {})
        entry |= {"after": option.before} if not option.given else {}
    return entry | ({"points": option.points.to_json()} if option.points != NOWHERE else {})


def _new(added: Written) -> dict[str, Any]:
    key = {} if added.key is None else {"key": added.key}
    return {"under": added.under, "value": added.value, "listed": added.listed} | key
