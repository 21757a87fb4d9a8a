"""The turn report for one reader: a pure function of the events he was told, his view, and the game's facts.

Order (product 5): what happened to me; what happened that I can see; every die; the position; what is asked
of whom; how the report was made. 78 columns. What somebody may not know changes no byte of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from pbem.model.events import Told, rolls_in
from pbem.report import ledger
from pbem.report.forces import order_of_battle, places
from pbem.report.plain import (
    LONGEST_NAME,
    WIDTH,
    columns,
    heading,
    in_words,
    label_text,
    padded,
    safe,
    width,
    wrapped,
)
from pbem.report.reader import Asked, Meta, View, concerned, hexes_named, story
from pbem.report.textmap import legend, sheets
from pbem.report.wording import Wording

WORKING = ("table", "column", "row", "modifiers", "odds", "shifts", "drm")


def render(reader: str | None, told: Iterable[Told], view: View, meta: Meta) -> str:
    """The report as text. `reader` None is the public version, for everybody."""
    seen = story(told, reader, umpire=meta.umpire)
    parts = [
        _top(reader, view, meta),
        _in_short(reader, seen, view, meta),
        _what_happened(seen, view),
        _dice(seen, view, meta),
        _position(reader, view, meta),
        _asked(reader, view, meta),
        _made_from(view, meta),
    ]
    return "\n".join(line.rstrip() for part in parts for line in part) + "\n"


# ---- the parts -----------------------------------------------------------------------------------


def _top(reader: str | None, view: View, meta: Meta) -> list[str]:
    words = view.wording
    title = safe(meta.title, LONGEST_NAME)
    lines = [columns(title, words.say("stage", stage=meta.stage))]
    who = words.say("report-for", who=_party(reader, view, meta)) if reader else words.say("public-report")
    lines.append(columns(who, words.say("game", game=safe(meta.game)[:12])))
    lines += wrapped(safe(meta.system))
    lines += wrapped(safe(words.where(meta.place)) or "–", words.say("now"))
    seats = [_party(player, view, meta) for player in view.players]
    lines += wrapped(", ".join(seats), words.say("players"))
    return [*lines, "=" * WIDTH]


def _party(party: str, view: View, meta: Meta) -> str:
    """A seat with the name of who sits there: `red (Anna)`."""
    name = safe(meta.names.get(party, ""), LONGEST_NAME)
    seat = safe(view.wording.text(party))
    return f"{seat} ({name})" if name and name != party else seat


def _in_short(reader: str | None, seen: Sequence[Told], view: View, meta: Meta) -> list[str]:
    words = view.wording
    lines = heading(words.say("in-short"))
    found = summary(reader, seen, view, meta)
    for text in found:
        lines += wrapped(text, "  * ")
    if not found:
        lines.append("  " + words.say("nothing-to-you" if reader else "nothing-happened"))
    mine = [asked for asked in meta.asked if asked.party == reader]
    if mine:
        lines += wrapped(words.say("you-owe", count=len(mine)), "  * ")
    return lines


def summary(reader: str | None, seen: Sequence[Told], view: View, meta: Meta) -> list[str]:
    """Headlines that concern the reader's side, or no player at all; equal ones in a row are counted."""
    side = {reader, *meta.friends}
    lines: list[tuple[str, int]] = []
    for one in seen:
        text = view.wording.headline(one.event)
        if text is None:
            continue
        if reader is not None and not meta.umpire and not _is_about(one.event, side, view):
            continue
        if lines and lines[-1][0] == text:
            lines[-1] = (text, lines[-1][1] + 1)
        else:
            lines.append((text, 1))
    say = view.wording.say
    return [text if count == 1 else say("times", text=text, count=count) for text, count in lines]


def _is_about(event: Mapping[str, Any], side: Collection[str | None], view: View) -> bool:
    """Does an event name one of the side, nobody at all, or a hex where the side stands or which it holds?"""
    named = concerned(event, view.players)
    if not named or named & set(side):
        return True
    for hex in hexes_named(event, view.chart):
        owners = {view.owner(id) for id in view.position.at(hex)} | {view.holder(hex)}
        if owners & set(side) - {None}:
            return True
    return False


def _what_happened(seen: Sequence[Told], view: View) -> list[str]:
    lines = heading(view.wording.say("what-happened"))
    at: list[str] = []
    for one in seen:
        place = [word for word in str(one.event.get("at", "")).split(", ") if word]
        if place != at:
            lines += _phase(at, place, view.wording)
            at = place
        lines += _event(one.event, view)
    if not seen:
        lines.append("  " + view.wording.say("nothing-seen"))
    return lines


def _phase(before: Sequence[str], now: Sequence[str], words: Wording) -> list[str]:
    """The heading of a phase: what of it is new, under a blank line."""
    same = 0
    while same < min(len(before), len(now)) - 1 and before[same] == now[same]:
        same += 1
    return ["", *wrapped(safe(words.where(", ".join(now[same:]))))]


def _event(event: Mapping[str, Any], view: View) -> list[str]:
    """The sentence of an event, with its rule; below it the working, where dice or tables were used."""
    lines = wrapped(f"{view.wording.event(event)} [{safe(event.get('rule', ''))}]", "  - ", "    ")
    words = _working(event, view.wording)
    return lines + (wrapped(words, "      ") if words else [])


def _working(event: Mapping[str, Any], words: Wording) -> str:
    """Table, column, row, modifiers and dice of an event."""
    found = _table_words(event, words)
    for roll in rolls_in(dict(event)):
        kind = safe(roll["dice"]) if "dice" in roll else words.say("shuffled")
        found.append(f"{kind}: {in_words(roll)}")
    return ", ".join(found)


def _table_words(event: Mapping[str, Any], words: Wording) -> list[str]:
    there = [name for name in WORKING if event.get(name) not in (None, "", [], {})]
    return [words.say(name, value=words.value(event[name])) for name in there]


def _dice(seen: Sequence[Told], view: View, meta: Meta) -> list[str]:
    """Every die with its working and label, and the sums."""
    events = [one.event for one in seen]
    rolls = ledger.entries(events, meta.stage, view.players, view.wording)
    title = view.wording.say("dice")
    if not rolls:
        return [*heading(title), "  " + view.wording.say("none")]
    working = {tuple(roll["label"]): event for event in events for roll in rolls_in(event)}
    lines = heading(title)
    for entry in rolls:
        lines += _die(entry, working, meta, view.wording)
    return [*lines, "", *("  " + line for line in ledger.summary(rolls, view.players, view.wording))]


def _die(
    entry: ledger.Entry, working: Mapping[tuple[Any, ...], Mapping[str, Any]], meta: Meta, words: Wording
) -> list[str]:
    """`3d6: 3 3 2 = 8   1 at 2 or less   battle/2/red/0804/1`; a long label goes to the next line."""
    shown = f"{safe(entry.dice)}: {' '.join(safe(item) for item in entry.result)}"
    if len(entry.faces) > 1:
        shown += f" = {entry.total}"
    used = _table_words(working.get(entry.label, {}), words)
    if entry.hits is not None:
        used.append(words.say("at-or-less", hits=entry.hits, rating=entry.rating))
    stage = f" {words.say('of-stage', stage=entry.stage)}" if entry.stage != meta.stage else ""
    line = f"  {padded(shown, 22)} {padded(', '.join(used), 15)}".rstrip()
    label = label_text(entry.label) + stage
    room = WIDTH - max(width(line), 40) - 1
    if width(label) <= room:
        return [f"{padded(line, WIDTH - room - 1)} {label}"]
    return [*wrapped(line, "  ", "    "), *wrapped(label, "      ")]


def _position(reader: str | None, view: View, meta: Meta) -> list[str]:
    lines: list[str] = []
    say = view.wording.say
    for text in view.wording.tracks(view.position.tracks):
        lines += wrapped(text, "  ", "    ")
    for title, drawn in sheets(view):
        lines += ["", *([title] if title else []), *drawn]
    known = legend(view)
    lines += ["", *known] if known else []
    lines = [*heading(say("position")), *lines] if lines else []
    lines += [*heading(say("order-of-battle")), *order_of_battle(view, reader)]
    held = places(view)
    return lines + ([*heading(say("places")), *held] if held else [])


def _asked(reader: str | None, view: View, meta: Meta) -> list[str]:
    say = view.wording.say
    lines = heading(say("what-is-asked"))
    if meta.finished:
        return [*lines, "  " + say("nothing-over")]
    for text in meta.refused:
        lines += wrapped(say("not-taken", reason=safe(text)), "  ! ")
    for asked in meta.asked:
        lines += _question(asked, reader, view, meta)
    others = [party for party in meta.waiting if party not in {asked.party for asked in meta.asked}]
    if others:
        who = view.wording.language.listed([_party(p, view, meta) for p in others])
        lines += wrapped(say("waits-for", who=who), "  ")
    if not meta.asked and not others:
        lines.append("  " + say("nothing"))
    if meta.due:
        lines += wrapped(say("due", due=safe(meta.due)), "  ")
    return lines


def _question(asked: Asked, reader: str | None, view: View, meta: Meta) -> list[str]:
    who = view.wording.say("you") if asked.party == reader else _party(asked.party, view, meta)
    text = view.wording.question(asked.kind, {"player": asked.party, **asked.fields})
    rule = f" [{safe(asked.rule)}]" if asked.rule else ""
    lines = wrapped(f"{who}: {text}{rule}", "  ", "    ")
    if asked.party == reader:
        key = "answer-secret" if asked.secret else "answer-with"
        lines += wrapped(view.wording.say(key, command=asked.command), "    ")
    return lines


def _made_from(view: View, meta: Meta) -> list[str]:
    lines = heading(view.wording.say("how-made"))
    if meta.command:
        lines += wrapped(safe(meta.command), "  ", "    ")
    for name, digest in sorted(meta.digests.items()):
        lines += wrapped(f"{safe(name)} {safe(digest)}", "  ", "    ")
    return lines
