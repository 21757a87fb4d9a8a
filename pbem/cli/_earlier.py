"""What an answer that grows in sections still lacks: an element that would let a unit or a place act, at the
end or in an earlier section than the last (a supply unit that is revealed, before the moves)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.engine.drafting import Drafting

if TYPE_CHECKING:
    from pbem.engine.growing import Next

_TRIED = 60  # elements that are tried at one place
_MOST = 12  # that are found


def enabling(drafting: Drafting[Any], of: str) -> list[tuple[Next[Any], int]]:
    """Elements after which something may begin with `of`, each with the number of elements that go before it.
    What stands behind it stays as it is."""
    return list(islice(_enabling(drafting, of), _MOST))


def inserted(drafting: Drafting[Any], one: Next[Any], at: int) -> Drafting[Any]:
    """The answer with one of those where it belongs."""
    further = _with(drafting, one, at)
    assert further is not None, "what does not fit was not offered"
    return further


def _enabling(drafting: Drafting[Any], of: str) -> Iterator[tuple[Next[Any], int]]:
    for at in _places(drafting):
        begun = _first(drafting, at)
        for one in list(islice(begun.next(), _TRIED)):
            if one.instead:
                continue
            if at == len(drafting.elements):
                begun.add(one)
                helps = any(True for _ in begun.next(of))
                begun.back()
            else:
                whole = _with(drafting, one, at)
                helps = whole is not None and any(True for _ in whole.next(of))
            if helps:
                yield one, at


def _places(drafting: Drafting[Any]) -> Iterator[int]:
    """Where an element may go: at the end, and at the end of each section before the last."""
    elements = drafting.elements
    yield len(elements)
    if not drafting.form.sections:
        return
    numbers = [drafting.form.number(each.section) for each in elements]
    for at in range(len(elements) - 1, 0, -1):
        if numbers[at - 1] != numbers[at]:
            yield at


def _first(drafting: Drafting[Any], count: int) -> Drafting[Any]:
    """The same answer with its first elements only."""
    begun: Drafting[Any] = Drafting(drafting.decision, drafting.board)
    for element in drafting.elements[:count]:
        begun.put(element)
    return begun


def _with(drafting: Drafting[Any], one: Next[Any], at: int) -> Drafting[Any] | None:
    """The answer with an element more; None where what stands behind it would not be legal any more."""
    begun = _first(drafting, at)
    begun.add(one)
    return begun if not any(begun.offer(element) for element in drafting.elements[at:]) else None
