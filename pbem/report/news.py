"""The news in an email's subject: the main event, and whose move it is.

`Blue took Haska; green to move`. It is read in a list of emails, on a telephone, so it is short: places go by
their names, and its end, whose move it is, is never cut off.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.report.headlines import moves_made
from pbem.report.reader import View
from pbem.report.structure import Report
from pbem.report.worth import is_great

MOST, ENOUGH = 92, 56
"""Letters of the whole; of the news that one more of them may stand beside."""
LOOKED_AT = 3
"""Headlines among which a second one is sought that is short enough."""


def news(report: Report) -> str:
    """Return the line, with `your move` in the report of a reader who is asked."""
    after = "" if report.finished else _whose_move(report)
    room = MOST - len(after) - 2
    events = [item.event for item in report.items]
    moves, others = moves_made(events, report.view), moves_made(events, report.view, _own(report))
    lines = [text for text in report.headlines if text != moves] or [text for text in (others,) if text]
    headlines = [_by_name(text, report) for text in (*lines, *report.notes, *report.ahead)]
    first = _with_turn(headlines[0], report, room) if headlines else _in_few_words(report.parts)
    if not first:
        return after or report.words.say("news-over")
    shown = [_cut(first, room)]
    further = headlines[1 : 1 + LOOKED_AT] if after else []
    more = [text for text in further if len(first) + len(text) + 2 <= min(ENOUGH, room)]
    return "; ".join([*shown, *more[:1], *([after] if after else [])])


def _in_few_words(parts: Sequence[str]) -> str:
    """Return where the game is by the game turn and the smallest part of it."""
    return ", ".join([*parts[:1], *parts[1:][-1:]])


def _own(report: Report) -> tuple[str, ...]:
    """Return the reader, whose own moves are no news."""
    return (report.reader.id,) if report.reader is not None and not report.umpire else ()


def _with_turn(line: str, report: Report, room: int) -> str:
    """Return a first line that is no great news, such as a pass, after its game turn.

    There are many such lines, and they look alike.
    """
    great = any(is_great(item.event, report.view) for item in report.items if item.headline)
    turn = next(iter(report.parts), "")
    with_turn = f"{turn}: {line}"
    return line if great or not turn or turn.lower() in line.lower() or len(with_turn) > room else with_turn


def _whose_move(report: Report) -> str:
    """Return who is asked; the reader before all others."""
    if report.owed:
        return report.words.say("news-yours")
    asked = [party.seat for party in report.waiting] + [question.party.seat for question in report.questions]
    if not asked:
        return ""
    return report.words.say("news-next", who=report.words.language.listed(list(dict.fromkeys(asked))))


def _by_name(text: str, report: Report) -> str:
    """Return a headline with the name alone for named places: `Velm` for `0505 Velm`."""
    for place, name in _names(report, report.view).items():
        text = text.replace(f"{place} {name}", name)
    return text


def _names(report: Report, view: View) -> dict[str, str]:
    """Return the names of the places in which something happened, by the place."""
    places = dict.fromkeys(place for item in report.items for place in view.means(item.event).places)
    return {place: name for place in places if (name := view.place_name(place))}


def _cut(text: str, length: int) -> str:
    """Return as many whole sentences as fit, else as many whole words."""
    if len(text) <= length:
        return text
    sentences, stop, _ = text[: length + 2].rpartition(". ")
    if stop:
        return sentences
    return (text[:length].rpartition(" ")[0] or text[: length - 1]).rstrip(" ,;:(") + "…"
