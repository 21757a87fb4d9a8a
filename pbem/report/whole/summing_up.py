"""The first page of a finished game: the winner, the margin and the reason, the players, the lead.

Pure: made from the reports and figures of a book, so it tells nothing that they do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pbem.report.losses import in_words
from pbem.report.plain import capital, safe
from pbem.report.structure import Report
from pbem.report.whole.chart import Flag, Line, lead, steps
from pbem.report.whole.ending import asked_and_reached, decision, points, standing, why
from pbem.report.whole.ledger import ALL
from pbem.report.whole.stats import Stats
from pbem.report.whole.stats_text import place_of
from pbem.text.dataclass import dataclass

_WORD = re.compile(r"[A-Za-z0-9]+")


@dataclass(frozen=True)
class Glance:
    """A player in a line.

    Points at the end, holdings (places and their worth), losses, and the rank of the dice in a hundred games.
    Empty if unknown or not kept.
    """

    player: str
    points: str
    held: str
    lost: str
    luck: str


def verdict(report: Report) -> list[str]:
    """Return how the game ended for the reader and in the words of the rules; then the points."""
    say, won = report.words.say, winners(report)
    lines: list[str] = []
    if report.reader is not None and won and report.reader.id in {party.id for party in report.players}:
        mine = {report.reader.id, *report.friends}
        lines.append(say("ending-you-won" if won & mine else "ending-you-lost"))
    asked = asked_and_reached(report.view)
    if asked:
        return [*lines, *why(report), *asked, *decision(report)]
    level = standing(report)
    return [*lines, *why(report), *([capital(level)] if level else []), *decision(report)]


def winners(report: Report) -> set[str]:
    """Return the players whom the final event or its result names; none for a draw."""
    seats = {party.id for party in report.players}
    for item in report.items:
        meaning = report.view.means(item.event)
        if "end" in meaning.tells:
            words = set(_WORD.findall(str(item.event.get("result", "")).casefold()))
            named = {*meaning.players, *(seat for seat in seats if seat.casefold() in words)} & seats
            return named if len(named) < len(seats) else set()
    return set()


def glance(report: Report, stats: Stats) -> list[Glance]:
    """Return every player in a line."""
    scored = points(report.view)
    held = {holding.player: holding for turn in stats.turns[-1:] for holding in turn.holdings}
    lost = {loss.player: ", ".join(in_words(loss, report.view)) for loss in stats.losses}
    luck = {row.player: row.chance for row in stats.luck}
    glances: list[Glance] = []
    for player in stats.players:
        own, chance = held.get(player), luck.get(player)
        worth = "" if own is None else str(own.places) + (f" ({own.worth})" if own.worth is not None else "")
        score = str(scored[player]) if player in scored else ""
        place = "" if chance is None else place_of(chance)
        glances.append(Glance(player, score, worth, lost.get(player, ""), place))
    return glances


def curve(
    reports: Sequence[Report],
    stats: Stats,
    colours: Mapping[str, str],
    flagged: Sequence[tuple[int, str, str]],
) -> str:
    """Draw who was ahead, stage by stage; empty where no points are kept.

    `flagged` are the stages that are marked on the chart, each with the address that it leads to and what
    happened.
    """
    last, first = reports[-1], reports[0].stage
    scored = [points(report.view) for report in reports]
    say, words = last.words.say, last.words
    marks = [(turn.stages[0] - first, turn.name) for turn in stats.turns if turn.name]
    flags = [Flag(stage - first, href, text) for stage, href, text in flagged]
    listed = [player for player in stats.players if any(player in stage for stage in scored)]
    if any(ALL in stage for stage in scored):
        values = [max(0, stage.get(ALL, 0)) for stage in scored]
        return steps([Line(capital(say("points")), "#5f5846", values)], marks, say("points-chart"), flags)
    lines = [
        Line(
            capital(safe(words.text(player))),
            colours.get(player, "#5f5846"),
            [max(0, stage.get(player, 0)) for stage in scored],
        )
        for player in listed
    ]
    if len(lines) == 2:
        return lead(lines[0], lines[1], marks, say("lead-chart"), flags)
    return steps(lines, marks, say("points-chart"), flags)
