"""An order that grows to 400 elements on a board of 3,000 counters.

What may come next is listed for the first element and for the last, for the whole side and for one unit;
then the whole growth by size, and what is done with a whole answer. The peer is the plain way: all elements
done again for a list. Beside the times stands how often a board was copied and an element done,
which is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pbem.rules import Drafting, Game
from pbem.testing.growing import replayed
from tests.benchmarks.big_orders import FrontOrders, OrdersForTheFront, Staff, front
from tests.benchmarks.timing import best, plot, row

COUNTERS, ELEMENTS = 3000, 400
ASKED = OrdersForTheFront("north")


@dataclass
class Work:
    """How often the dear things were done."""

    copies: int = 0
    done: int = 0


@contextmanager
def counted() -> Iterator[Work]:
    """Count copies of games and elements done."""
    work = Work()
    copy, do = Game.copy, Staff.do

    def copying(self: Game) -> Game:
        work.copies += 1
        return copy(self)

    def doing(self: Staff, element: Any) -> None:
        work.done += 1
        do(self, element)

    Game.copy, Staff.do = copying, doing  # type: ignore[method-assign]
    try:
        yield work
    finally:
        Game.copy, Staff.do = copy, do  # type: ignore[method-assign]


def march(game: Game, elements: int) -> Drafting[FrontOrders]:
    """An order of so many elements, unit by unit: the first way of each."""
    drafting = Drafting(ASKED, game)
    assert isinstance(drafting.draft, Staff)
    for unit in drafting.draft.mine:
        if len(drafting.elements) >= elements:
            break
        one = next((one for one in drafting.next(unit) if one.points.way), None)
        if one is not None:
            drafting.add(one)
    return drafting


def main(smoke: bool = False) -> None:
    counters, elements, runs = (120, 16, 1) if smoke else (COUNTERS, ELEMENTS, 3)
    game = front(counters)
    print(f"  -- {counters} counters, {elements} elements")
    row("copy of the board, once for each answer", best(game.copy, runs))
    first, last = Drafting(ASKED, game), march(game, elements)
    lists(first, last, game, runs)
    growth(game, elements, runs)
    whole(last, game, runs)


def lists(first: Drafting[Any], last: Drafting[Any], game: Game, runs: int) -> None:
    """What may come next, at the beginning and at the end."""
    count = len(last.elements)
    begin, end = best(lambda: list(first.next()), runs), best(lambda: list(last.next()), runs)
    offered = [len(list(one.next())) for one in (first, last)]
    row(f"all that may come first ({offered[0]})", begin)
    row(f"all that may come after {count} elements ({offered[1]})", end)
    each = [seconds / max(1, n) for seconds, n in zip((begin, end), offered, strict=True)]
    print(f"  last against first: {end / begin:.2f}, for each option listed {each[1] / each[0]:.2f}")
    unit = last.draft.mine[-1]  # type: ignore[attr-defined]
    one, other = best(lambda: list(first.next(unit)), runs), best(lambda: list(last.next(unit)), runs)
    row("what one unit may do first", one)
    row(f"what it may do after {count} elements", other)
    print(f"  last against first: {other / one:.2f}")
    again = best(lambda: list(replayed(ASKED, game, list(last.elements)).next(unit)), runs)
    row(f"the same after {count} elements, against all done again", other, again, "the plain way")


def growth(game: Game, elements: int, runs: int) -> None:
    """Whole answers of different lengths."""
    points = []
    for size in (elements // 4, elements // 2, elements):
        with counted() as work:
            length = len(march(game, size).elements)
        seconds = best(lambda size=size: march(game, size), runs)  # type: ignore[misc]
        points.append((f"{length} elements ({work.copies} copy, {work.done} done)", seconds))
    plot("grown unit by unit", points)


def whole(last: Drafting[FrontOrders], game: Game, runs: int) -> None:
    """Check, repair and words of an answer of that length."""
    answer = last.answer()
    row(f"check of {len(last.elements)} elements", best(lambda: ASKED.check(game, answer), runs))
    row("repair", best(lambda: ASKED.repair(game, answer), runs))
    row("in words", best(lambda: ASKED.words(game, answer), runs))


if __name__ == "__main__":
    main()
