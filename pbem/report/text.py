"""The turn report as text of 78 columns for emails and terminals: a rendering of `structure.Report`.

Order (product 5): what happened to me; what happened that I can see; every die; the position; what is asked
of whom; how the report was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from pbem.report.fights.cards import MOST_FOLLOWS, Fight, expected
from pbem.report.forces import force_lines, place_lines
from pbem.report.forecasts import forecast_words, sentence_words, table_words
from pbem.report.headlines import Line
from pbem.report.losses import Losses, in_words
from pbem.report.muster import Force
from pbem.report.plain import WIDTH, capital, columns, heading, safe, wrapped
from pbem.report.reader import View
from pbem.report.structure import Die, Item, Passage, Question, Report, Since
from pbem.report.textmap import legend, sheets, sheets_around
from pbem.report.whole import ledger
from pbem.report.whole.ending import how_it_ended
from pbem.report.wording import Wording

LARGE_MAP, LARGE_FORCES = 1500, 300
"""Hexes of a map and counters on it, above which a report shows only where something happened."""
MOST_STACKS = 100  # of one force in such a report
MOST_NEWS, MOST_DICE = 20, 20  # sentences that one begins with, dice that stand by themselves as well


def render(report: Report, *, whole: bool = True) -> str:
    """Return the report as text, with one final line break.

    Unless `whole` a large war shows only where something happened, and says where to see the rest:
    nobody reads an email of a hundred pages.
    """
    brief = not whole and is_large(report.view)
    parts = [
        _top(report),
        _ending(report),
        _in_short(report, MOST_NEWS if brief else None),
        _battles(report),
        _announced(report),
        _what_happened(report),
        _dice(report, MOST_DICE if brief else None),
        _changes(report) if brief else _position(report),
        _asked(report),
        _made_from(report),
    ]
    return "\n".join(line.rstrip() for part in parts for line in part) + "\n"


# ---- the parts -----------------------------------------------------------------------------------


def _top(report: Report) -> list[str]:
    say = report.words.say
    lines = [columns(report.title, say("stage", stage=report.stage))]
    title = say("report-for", who=report.reader.inside) if report.reader else say("public-report")
    lines.append(columns(title, say("game", game=report.game[:12])))
    lines += wrapped(report.system)
    lines += wrapped(report.place or "–", say("now"))
    lines += wrapped(", ".join(party.text for party in report.players), say("players"))
    lines += wrapped("; ".join(report.leading)) if report.leading else []
    return [*lines, "=" * WIDTH]


def _ending(report: Report) -> list[str]:
    """Return the victory conditions and the result of a finished game."""
    sentences = how_it_ended(report)
    lines = [line for text in sentences for line in wrapped(text, "  | ")]
    return [*heading(report.words.say("book-ended")), *lines] if sentences else []


def _in_short(report: Report, most: int | None) -> list[str]:
    """Return what matters most first; with a limit only the first sentences."""
    say, news = report.words.say, news_lines(report)
    lines = heading(say("in-short"))
    for text in report.notes:
        lines += wrapped(text, "  * ")
    if report.since is not None:
        lines += wrapped(say("since-orders", first=report.since.first, last=report.since.last), "  ")
    for text in news[:most]:
        lines += wrapped(text, "  * ")
    if most is not None and len(news) > most:
        lines += wrapped(say("news-more", count=len(news) - most), "  * ")
    if not report.notes and not news:
        lines += wrapped(nothing_words(report), "  ")
    for text in losses_in_words(report):
        lines += wrapped(text, "  * ")
    for text in report.ahead:
        lines += wrapped(text, "  * ")
    for number, text in enumerate(to_do_lines(report)):
        lines += wrapped(text, "    > " if number else "  * ", "      " if number else "    ")
    return lines


MOST_TO_DO = 4
"""Questions that a report begins with; all stand at its end."""


def to_do_lines(report: Report) -> list[str]:
    """Return what the reader has to do: how many answers, by when, how, and to which questions.

    Without any, who has to answer what.
    """
    if report.finished:
        return []
    say, asked = report.words.say, report.owed
    if asked:
        how = ", ".join(dict.fromkeys(question.command for question in asked))
        key = "you-owe-by" if report.due else "you-owe"
        lines = [say(key, count=len(asked), command=how, due=report.due_words)]
    else:
        asked = report.questions
        awaited = [question.party.inside for question in asked] + [party.inside for party in report.waiting]
        named = report.words.language.listed(list(dict.fromkeys(awaited)))
        others = bool(report.reader) and not report.umpire
        key = ("to-answer-others" if others else "to-answer") + ("-by" if report.due else "")
        lines = [say(key, who=named, due=report.due_words)] if awaited else []
        asked = () if others else asked
    several = len({question.party.id for question in asked}) > 1
    shown = [
        f"{question.party.seat}: {question.text}" if several else question.text
        for question in asked[:MOST_TO_DO]
    ]
    more = len(asked) - len(shown)
    return [*lines, *shown, *([say("log-more", count=more)] if more else [])]


def news_lines(report: Report) -> list[str]:
    """Return the headlines of this stage, or of all since the reader's last orders."""
    since, say = report.since, report.words.say
    if since is None:
        return list(report.headlines)
    lines = [_of_stages(line, since, report) for line in since.lines]
    return [*lines, *([say("log-more", count=since.more)] if since.more else []), *since.moved]


def _of_stages(line: Line, since: Since, report: Report) -> str:
    """Return a headline with its stages, if they are not only this one."""
    words = report.words
    if line.stages == (since.last,):
        return line.text
    listed = words.language.listed([str(stage) for stage in line.stages])
    key = "in-stage" if len(line.stages) == 1 else "in-stages"
    return words.say(key, text=line.text, **{"stage" if key == "in-stage" else "stages": listed})


def nothing_words(report: Report) -> str:
    """Return the sentence for a report without headlines: nothing happened, only small things, or a start."""
    if report.items:
        return report.words.say("only-small", count=len(report.items))
    if report.stage == 0:
        return report.words.say("game-begins")
    return report.words.say("nothing-to-you" if report.reader else "nothing-happened")


def losses_in_words(report: Report) -> list[str]:
    """Return `Lost: you 2 steps; blue 3 steps and 1 block`, the reader first, or [] without losses."""
    lost = _lost(report.since.losses if report.since is not None else report.losses, report)
    return [report.words.say("lost", what=lost)] if lost else []


def _lost(suffered: Sequence[Losses], report: Report) -> str:
    """Return `you 2 steps; blue 3 steps and 1 block`, the reader first, or "" without losses."""
    words, own = report.words, report.reader.id if report.reader else None
    parts: list[str] = []
    for loss in sorted(suffered, key=lambda loss: loss.player != own):
        name = words.say("you") if loss.player == own else safe(words.text(loss.player))
        parts.append(f"{name} {words.language.listed(in_words(loss, report.view))}")
    return "; ".join(parts)


def _battles(report: Report) -> list[str]:
    """Return a card for each fight; the single shots are in the events."""
    if not report.fights:
        return []
    lines = heading(report.words.say("battles"))
    for number, fight in enumerate(report.fights):
        lines += [""] if number else []
        for place, text in enumerate(fight_words(fight, report)):
            lines += wrapped(text, "  " if place == 0 else "    ", "    " if place == 0 else "      ")
    return lines


def _announced(report: Report) -> list[str]:
    """Return the forecasts of battles to come."""
    forecasts = [] if report.finished else forecast_words(report.view.forecasts, report.view)
    if not forecasts:
        return []
    lines = heading(report.words.say("forecasts"))
    for title, *rest in forecasts:
        lines += wrapped(title, "  ", "    ")
        for text in rest:
            lines += wrapped(text, "    ", "      ")
    return lines


def fight_words(fight: Fight, report: Report, *, table: bool = True) -> list[str]:
    """Return a card in sentences.

    Where and who, who took or held it, how it began, the forecast with its `table`, the dice, losses, what
    follows.
    """
    say, words = report.words.say, report.words
    title = say("battle-at" if fight.began is not None else "battle-goes-on", where=fight.where or "–")
    if fight.attackers and fight.defenders:
        sides = (_players(fight.attackers, report), _players(fight.defenders, report))
        title += ": " + say("against", attacker=sides[0], defender=sides[1])
    elif fight.attackers:
        title += ": " + _players(fight.attackers, report)
    if fight.since is not None and fight.stage is not None:
        title += f" {say('battle-stages', first=fight.since, last=fight.stage)}"
    elif fight.since is not None:
        title += f" {say('battle-since', stage=fight.since)}"
    elif fight.stage is not None:
        title += f" {say('of-stage', stage=fight.stage)}"
    lines = [title, *(fight.outcome if fight.fought is not None else ())]
    for player, units in fight.forces:
        lines.append(say("battle-force", who=_players([player], report), units=", ".join(units)))
    lines += [*([fight.began] if fight.began else []), *fight.strengths]
    if fight.outlook is not None:
        expected_words = sentence_words(fight.outlook, report.view)
        lines += [say("battle-forecast", what=text) for text in expected_words]
        lines += table_words(fight.outlook, report.view, brief=True) if table else []
    lines += fight.results
    dice = [_luck(player, figures, report) for player, figures in expected(fight)]
    if dice := dice or [_throw(throw, report) for throw in fight.throws[:MOST_THROWS]]:
        lines.append(say("battle-dice", what="; ".join(dice)))
    if fight.fought is None and (lost := _lost(fight.losses, report)):
        lines.append(say("lost", what=lost))
    follows = list(fight.follows)
    if len(follows) > MOST_FOLLOWS:
        follows[MOST_FOLLOWS:] = [words.say("log-more", count=len(follows) - MOST_FOLLOWS)]
    if fight.holder and fight.fought is None:
        holds = say("battle-holder", who=_players([fight.holder], report), where=fight.where)
        lines.append(capital(holds))
    lines += fight.outcome if fight.fought is None else []
    because = [words.inside(text) for text in fight.because[:MOST_FOLLOWS]]
    lines += [say("because", what="; ".join(because))] if because else []
    follows = [words.inside(text) for text in follows]
    return [*lines, *([say("then", what="; ".join(follows))] if follows else []), *fight.left]


def _players(ids: Sequence[str], report: Report) -> str:
    return report.words.language.listed([safe(report.words.text(id)) for id in ids])


MOST_THROWS = 6
"""Rolls of a battle whose luck its card tells."""


def _throw(entry: ledger.Entry, report: Report) -> str:
    """Return `South, combat: rolled 2, average 3.5, high is better`."""
    return ledger.die_words(entry, report.words)


def _luck(player: str, sums: ledger.Sums, report: Report) -> str:
    """Return `red 2 hits (average 4.7)`."""
    words, hits = report.words, sums.hits or 0
    mean = words.number(sums.expected_hits or Fraction(0))
    name = ledger.success_name(hits, words)
    return words.say("hits-of", who=ledger.row_name(player, words), count=hits, hits=name, mean=mean)


def _what_happened(report: Report) -> list[str]:
    lines = heading(report.words.say("what-happened"))
    at: Sequence[str] = ()
    for passage in report.passages:
        lines += _passage(at, passage, report.words)
        at = passage.place
    if not report.passages:
        lines.append("  " + report.words.say("nothing-seen"))
    return lines


def _passage(before: Sequence[str], passage: Passage, words: Wording) -> list[str]:
    """Return the events of a phase under the new part of its heading; equal ones in a row are counted."""
    lines = ["", *wrapped(new_place(before, passage.place))] if passage.place != before else []
    for alike, row in groupby(
        passage.items, key=lambda item: (item.text, item.rule, item.rolls, item.working)
    ):
        first, *again = row
        text = words.say("times", text=alike[0], count=len(again) + 1) if again else alike[0]
        lines += _event(first, text, words)
    return lines


def new_place(before: Sequence[str], now: Sequence[str]) -> str:
    """Return the part of a passage's place that differs from the one before; at least its last word."""
    same = 0
    while same < min(len(before), len(now)) - 1 and before[same] == now[same]:
        same += 1
    return ", ".join(now[same:])


def _event(item: Item, text: str, words: Wording) -> list[str]:
    """Return the sentence of an event with its rule, and below it the dice and tables."""
    lines = wrapped(f"{text} [{item.rule}]", "  - ", "    ")
    used = ", ".join(working_words(item, words))
    parts = [roll_words(entry, words) for entry in item.rolls] + ([used] if used else [])
    return lines + (wrapped("; ".join(parts), "      ") if parts else [])


def roll_words(entry: ledger.Entry, words: Wording) -> str:
    """Return `2d6: 3 5`."""
    kind = safe(entry.dice) if entry.sides else words.say("shuffled")
    return f"{kind}: {' '.join(safe(face) for face in entry.result)}"


def working_words(item: Item, words: Wording) -> list[str]:
    """Return table, column, row and modifiers of an event, each with its name."""
    return [words.say(name, value=value) if name else value for name, value in item.working]


def _dice(report: Report, most: int | None) -> list[str]:
    """Return every die with its working and label, and the sums; beyond a limit only the sums.

    Every die is also beside its event.
    """
    words = report.words
    title = words.say("dice")
    if not report.dice:
        return [*heading(title), "  " + words.say("none")]
    lines = heading(title)
    if most is not None and len(report.dice) > most:
        lines += wrapped(words.say("dice-beside", count=len(report.dice), command=report.dice_command), "  ")
    else:
        for die in report.dice:
            lines += _die(die, report)
    players = [party.id for party in report.players]
    lines += ["", *("  " + line for line in ledger.summary(report.entries, players, words))]
    return [*lines, "", *wrapped(words.say("recompute", command=report.dice_command), "  ")]


def _die(die: Die, report: Report) -> list[str]:
    """Return `Axis, attack: rolled 3, average 3.5, low is better; column 1-1`."""
    entry, words = die.entry, report.words
    used = [words.say(name, value=value) for name, value in die.item.working if name]
    stage = f" {words.say('of-stage', stage=entry.stage)}" if entry.stage != report.stage else ""
    roll_words = capital(ledger.die_words(entry, words)) + stage
    return wrapped("; ".join([roll_words, ", ".join(used)] if used else [roll_words]), "  ", "    ")


def _position(report: Report) -> list[str]:
    lines: list[str] = []
    say, view = report.words.say, report.view
    for text in report.tracks:
        lines += wrapped(text, "  ", "    ")
    if view.shapes is None:  # the order of battle tells of provinces all that a map in letters does
        for title, drawn in sheets(view):
            lines += ["", *([title] if title else []), *drawn]
        known = legend(view)
        lines += ["", *known] if known else []
    lines = [*heading(say("position")), *lines] if lines else []
    lines += heading(say("order-of-battle"))
    for text in report.figures_mean:
        lines += wrapped(text)
    lines += force_lines(report.forces, report.words)
    return lines + ([*heading(say("places")), *place_lines(report.places)] if report.places else [])


def is_large(view: View) -> bool:
    """Return True if a position is too large to be shown whole in an email."""
    hexes = len(view.chart.hexes) if view.chart is not None else 0
    return hexes > LARGE_MAP or len(view.position.counters) > LARGE_FORCES


def _changes(report: Report) -> list[str]:
    """Return the parts of a large position in which something happened, and where the rest is."""
    say, view = report.words.say, report.view
    where = {hex for item in report.items for hex in item.hexes}
    lines = heading(say("position"))
    for text in report.tracks:
        lines += wrapped(text, "  ", "    ")
    lines += wrapped(say("only-changes", map="pbem map", forces="pbem report --whole"), "  ")
    parts, others = sheets_around(view, where)
    for title, drawn in parts:
        lines += ["", title, *drawn]
    lines += ["", *wrapped(say("more-parts", count=others, map="pbem map"), "  ")] if others else []
    known = legend(view) if parts else []
    lines += ["", *known] if known else []
    lines += heading(say("order-of-battle"))
    for text in report.figures_mean:
        lines += wrapped(text)
    for force in report.forces_at(where):
        listed = replace(force, stacks=force.stacks[:MOST_STACKS])
        lines += force_lines([listed], report.words) if listed.stacks else []
        count = len(view.position.find(**{view.owner_field: force.owner}))
        counted = say("of-force", who=_whose(force, report), count=count, shown=listed.count)
        lines += wrapped(counted, "  ")
    places = [place for place in report.places if place.hex in where]
    return lines + ([*heading(say("places")), *place_lines(places)] if places else [])


def _whose(force: Force, report: Report) -> str:
    return safe(report.words.text(force.owner)) or report.words.say("nobodys")


def _asked(report: Report) -> list[str]:
    words = report.words
    lines = heading(words.say("what-is-asked"))
    if report.finished:
        return [*lines, "  " + words.say("nothing-over")]
    for text in [*(words.say("not-taken", reason=text) for text in report.refused), *report.unused]:
        lines += wrapped(text, "  ! ")
    for question in report.questions:
        lines += _question(question, words)
    if report.waiting:
        awaited = words.language.listed([party.inside for party in report.waiting])
        lines += wrapped(words.say("waits-for", who=awaited), "  ")
    if not report.questions and not report.waiting:
        lines.append("  " + words.say("nothing"))
    if report.due:
        lines += wrapped(words.say("due", due=report.due_words), "  ")
    return lines


def _question(question: Question, words: Wording) -> list[str]:
    subject = words.say("you") if question.mine else question.party.text
    rule = f" [{question.rule}]" if question.rule else ""
    lines = wrapped(f"{subject}: {question.text}{rule}", "  ", "    ")
    if question.mine:
        key = "answer-secret" if question.secret else "answer-with"
        lines += wrapped(words.say(key, command=question.command), "    ")
    return lines


def _made_from(report: Report) -> list[str]:
    lines = heading(report.words.say("how-made"))
    if report.command:
        lines += wrapped(report.command, "  ", "    ")
    for name, digest in sorted(report.digests.items()):
        lines += wrapped(f"{report.words.language.called('digest', name)} {digest}", "  ", "    ")
    return lines
