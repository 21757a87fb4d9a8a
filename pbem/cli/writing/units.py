"""The units of a player by their ids: where they stand and what they may do, for files and dialogues."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import spoken
from pbem.cli.shell.words import safe
from pbem.cli.writing.naming import Names
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.drafting import Drafting
    from pbem.engine.growing import Next
    from pbem.engine.resolve import Question

ASKED = 80  # units to ask for options; the rest are listed without
_EACH = 40  # options to count per unit
_WORD = re.compile(r"[a-z]{2,}")
_SAYS_LITTLE = ("and", "is", "with", "in", "the", "a", "at", "on")
_DOES = {
    "to": "cli.units.moves",
    "by": "cli.units.by-rail",
}  # words that mean little alone, with what the unit does


def unit_lines(folder: Folder) -> Callable[[Question], Sequence[str]]:
    """Return a function that describes units beside a question of the template."""
    names: list[Names] = []

    def lines(question: Question) -> Sequence[str]:
        from pbem.archive import order_file

        drafting = order_file.drafting(folder, question)
        if drafting is None:
            return ()
        if not names:
            names.append(Names.of(folder))
        return [spoken(line) for line in _lines(folder, names[0], drafting)]

    return lines


def my_units(folder: Folder, names: Names) -> list[str]:
    """Return my counters and those of the powers that I lead, in order of id."""
    me = folder.need_me()
    game = folder.view().game
    mine = {me, *game.powers_of(me)}
    return sorted(id for id in names.view.position.counters if names.view.owner(id) in mine)


def _lines(folder: Folder, names: Names, drafting: Drafting[Any]) -> Iterator[str]:
    units = my_units(folder, names)
    if not units:
        return
    able = list(able_units(drafting, units[:ASKED]))
    if not able:
        return
    first, _ = able[0]
    yield Message("cli.units.units-that-may-act", first=first)
    width = max(len(id) for id, _ in able)
    for id, options in able:
        yield f"  {id:<{width}}  {where(names, id)}: {what(options)}"
    idle = [id for id in units[:ASKED] if id not in dict(able)]
    if names.told.wording.of("figures"):
        yield from [Message("cli.units.your-other-units")] if idle else ()
        yield from (f"  {id:<{width}}  {where(names, id)}" for id in idle)
        yield from figures_mean(names, units)
    else:
        for start in range(0, len(idle), 12):
            listed = tuple(idle[start : start + 12])
            yield Message("cli.units.the-others", units=listed, first=not start)
    if len(units) > ASKED:
        yield Message("cli.units.more-units", count=len(units) - ASKED)


def able_units(drafting: Drafting[Any], units: Sequence[str]) -> Iterator[tuple[str, list[Next[Any]]]]:
    """Yield units with their options now, or once the answer is begun in one of its ways."""
    begun = [drafting, *_begun(drafting)]
    for id in units:
        for drafting_ in begun:
            options = list(islice(drafting_.next(id), _EACH))
            if options:
                yield id, options
                break


def _begun(drafting: Drafting[Any]) -> Iterator[Drafting[Any]]:
    from pbem.cli.writing.legal import openers
    from pbem.engine.drafting import Drafting

    for opener in openers(drafting):
        further: Drafting[Any] = Drafting(drafting.decision, drafting.draft.game)
        further.add(opener)
        yield further


def figures_mean(names: Names, units: Iterable[str]) -> list[str]:
    """Return what the figures of these units mean, in the reader's words."""
    from pbem.report.figures import keys

    return keys(names.told.wording, map(names.told.values, units))


def where(names: Names, id: str) -> str:
    """Return a counter's kind, figures, state and place: `AR3 in 0405 Velm`."""
    from pbem.report.figures import listed

    text = listed(names.told.wording, names.told.values(id))
    hex = names.view.position.hex(id)
    described = spoken(
        Message("cli.units.in-place", place=Worded(names.told.place(hex))) if hex else names.place(id)
    )
    between = ", " if "), " in text else " "  # a state in parentheses is no place
    return safe(f"{text}{between}{described}" if text != id else described, 200)


def what(options: Sequence[Next[Any]]) -> str:
    """Return options in a few words: `march (21), mission (3)`."""
    counts: Counter[str] = Counter()
    for option in options:
        small = (part for part in option.text.split() if part.islower() and part not in _SAYS_LITTLE)
        word = _WORD.search(" ".join(small))
        does = _DOES.get(word.group()) if word else None
        counts[Message(does) if does else word.group() if word else safe(option.text, 40)] += 1
    listed = [Worded(f"{spoken(word)} ({count})") for word, count in counts.items()]
    return spoken(Message("cli.units.may-do", listed=tuple(listed), more=len(options) == _EACH))
