"""A plain counterpart of `Drafting`, and random growth to compare them.

The counterpart does everything again from the start each time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from pbem.model.elements import form_of
from pbem.rules import NOTHING, Draft, Drafting, Game, Growing, Next, to_json


def replayed(decision: Growing[Any], game: Game, elements: list[Any]) -> Draft[Any]:
    """Return a new draft to which these elements were applied one after another."""
    draft = decision.draft(game.copy())
    for element in elements:
        draft.do(element)
        draft.elements.append(element)
    return draft


def plainly_next(decision: Growing[Any], game: Game, elements: list[Any]) -> list[Next[Any]]:
    """Return the elements that may come next, without those of sections before the last that is not free."""
    draft = replayed(decision, game, elements)

    def follows(option: Next[Any]) -> bool:
        bound = [
            bound_element
            for bound_element in _with(elements, option)
            if getattr(bound_element, "section", "") not in draft.free
        ]
        return not elements or _sorted(decision, bound)

    return [option for option in draft.next() if follows(option)]


def _with(elements: list[Any], option: Next[Any]) -> list[Any]:
    return [*(elements[:-1] if option.instead else elements), option.element]


def _sorted(decision: Growing[Any], elements: list[Any]) -> bool:
    """Return True if an answer of these elements has them in this order."""
    form = form_of(decision.answer)
    try:
        complete = form.whole(elements)
    except KeyError:
        return True
    return [element for _, element in form.elements(complete)] == [
        element for element in elements if not _empty(element, elements)
    ]


def _empty(element: Any, elements: list[Any]) -> bool:
    """Return True if this is a section that was begun empty and is not empty any more."""
    section = getattr(element, "section", None)
    if section is None or element.value is not NOTHING:
        return False
    return any(other.section == section and other.value is not NOTHING for other in elements)


def drawn(offered: list[Next[Any]], rng: random.Random) -> Next[Any]:
    """Return one element: mostly of the first section, or a longer form of the last."""
    if not rng.randrange(4):
        return rng.choice(offered)
    section = getattr(offered[0].element, "section", None)
    first = [option for option in offered if getattr(option.element, "section", None) == section]
    return rng.choice([option for option in offered if option.instead] or first)


def growth_faults(decision: Growing[Any], game: Game, rng: random.Random, most: int = 8) -> Iterator[str]:
    """Yield faults of an answer that grows randomly, checked at each step."""
    drafting, elements = Drafting(decision, game), 0
    while elements < most and (offered := list(drafting.next())):
        if offered != plainly_next(decision, game, list(drafting.elements)):
            yield f"after {drafting.json()}: a draft that is kept offers something else than a new one"
        option = drawn(offered, rng)
        if not option.text.strip():
            yield f"after {drafting.json()}: no words for {option.element}"
        for wrong in option.points.faults():
            yield f"after {drafting.json()}: {option.text!r}: {wrong}"
        for of in option.points.counters[:1]:
            if option not in list(drafting.next(of)):
                yield f"after {drafting.json()}: {option.text!r} is not listed for {of}"
        drafting.add(option)
        elements += 1
        if drafting.complete != option.complete:
            wanted = "may be sent" if drafting.complete else "may not be sent"
            yield f"{option.text!r} says complete={option.complete}, the answer then {wanted}"
    if drafting.complete:
        yield from _whole(decision, game, drafting)


def _whole(decision: Growing[Any], game: Game, drafting: Drafting[Any]) -> Iterator[str]:
    answer = drafting.answer()
    if to_json(answer) != drafting.json():
        yield f"{drafting.json()} is not the JSON of its answer, {to_json(answer)}"
    faults = decision.check(game, answer)
    for fault in faults:
        yield f"{drafting.json()} grew and is refused: {fault.code} {fault.message}"
    if not faults and decision.repair(game, answer) != answer:
        yield f"{drafting.json()} is legal, and repair changes it"
