"""The news in an email's subject: the main event, and whose move it is.

`Blue took Haska; green to move`. It is read in a list of mails, on a telephone, so it is short: places go by
their names, and whose move it is is never cut off.
"""

from __future__ import annotations

from pbem.report.headlines import RANKS, importance, moves_made
from pbem.report.reader import View
from pbem.report.structure import Report

MOST, ENOUGH = 92, 56
"""Letters of the whole; of the news that one more of them may stand beside."""
LOOKED_AT = 3
"""Headlines among which a second one is sought that is short enough."""


def news(report: Report) -> str:
    """Return the line, with `your move` in the report of a reader who is asked."""
    after = "" if report.finished else _whose_move(report)
    room = MOST - len(after) - 2
    moves = moves_made((item.event for item in report.items), report.view)
    lines = [text for text in report.headlines if text != moves] or [text for text in (moves,) if text]
    said = [_by_name(text, report) for text in (*lines, *report.notes, *report.ahead)]
    first = _with_turn(said[0], report, room) if said else report.place
    if not first:
        return after or report.words.say("news-over")
    told = [_cut(first, room)]
    others = said[1 : 1 + LOOKED_AT] if after else []
    more = [text for text in others if len(first) + len(text) + 2 <= min(ENOUGH, room)]
    return "; ".join([*told, *more[:1], *([after] if after else [])])


def _with_turn(line: str, report: Report, room: int) -> str:
    """Return a minor first line, such as a pass, after its game turn: such lines look alike."""
    weights = [importance(item.event, report.view) for item in report.items if item.headline]
    turn = report.place.partition(", ")[0]
    great = min(weights, default=len(RANKS)) < RANKS.index("turn")
    whole = f"{turn}: {line}"
    return line if great or not turn or turn.lower() in line.lower() or len(whole) > room else whole


def _whose_move(report: Report) -> str:
    """Return who is asked; the reader before all others."""
    if report.owed:
        return report.words.say("news-yours")
    asked = [party.seat for party in report.waiting] + [one.party.seat for one in report.questions]
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
    """Return as many whole words as fit."""
    if len(text) <= length:
        return text
    return (text[:length].rpartition(" ")[0] or text[: length - 1]).rstrip(" ,;:(") + "…"
