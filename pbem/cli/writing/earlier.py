"""Elements that a growing answer lacks for a unit or a place to act.

They go at the end or in an earlier section (a supply unit that is revealed, before the moves).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.engine.drafting import Drafting

if TYPE_CHECKING:
    from pbem.engine.growing import Next

_TRIED = 60  # elements to try at one place
_MOST = 12  # elements to list


def enabling(drafting: Drafting[Any], of: str) -> list[tuple[Next[Any], int]]:
    """Return elements after which `of` may act, each with its place in the answer.

    The elements behind it stay as they are.
    """
    return list(islice(_enabling(drafting, of), _MOST))


def inserted(drafting: Drafting[Any], option: Next[Any], at: int) -> Drafting[Any]:
    """Return the answer with such an element at its place."""
    further = _with(drafting, option, at)
    assert further is not None, "what does not fit was not offered"
    return further


def _enabling(drafting: Drafting[Any], of: str) -> Iterator[tuple[Next[Any], int]]:
    for at in _places(drafting):
        begun = _first(drafting, at)
        for opener in list(islice(begun.next(), _TRIED)):
            if opener.instead:
                continue
            if at == len(drafting.elements):
                begun.add(opener)
                helps = any(True for _ in begun.next(of))
                begun.back()
            else:
                extended = _with(drafting, opener, at)
                helps = extended is not None and any(True for _ in extended.next(of))
            if helps:
                yield opener, at


def _places(drafting: Drafting[Any]) -> Iterator[int]:
    """Yield the places for an element: at the end, and at the end of each earlier section."""
    elements = drafting.elements
    yield len(elements)
    if not drafting.form.sections:
        return
    numbers = [drafting.form.number(element.section) for element in elements]
    for at in range(len(elements) - 1, 0, -1):
        if numbers[at - 1] != numbers[at]:
            yield at


def _first(drafting: Drafting[Any], count: int) -> Drafting[Any]:
    """Return the answer with its first elements only."""
    begun: Drafting[Any] = Drafting(drafting.decision, drafting.board)
    for element in drafting.elements[:count]:
        begun.put(element)
    return begun


def _with(drafting: Drafting[Any], option: Next[Any], at: int) -> Drafting[Any] | None:
    """Return the answer with one more element, or None if that makes later ones illegal."""
    begun = _first(drafting, at)
    begun.add(option)
    return begun if not any(begun.offer(element) for element in drafting.elements[at:]) else None
