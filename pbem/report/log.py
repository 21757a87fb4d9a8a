"""The line of a stage in an archive's history: `GT 3, red: 2 battles, Haska taken`.

It uses the public events alone, in the words of the system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.model.whereabouts import Labels, whereabouts
from pbem.report.plain import safe
from pbem.report.wording import Wording

WIDTH = 72
"""The letters of a commit's first line that git shows."""
Event = Mapping[str, Any]


def turns(events: Sequence[Event], labels: Labels) -> list[int]:
    """Return the numbers of the game turns of events, ascending.

    `labels` are those of the outline: the outermost label counts game turns.
    """
    counts = (whereabouts(event.get("at"), labels).turn for event in events)
    return sorted({count for count in counts if count is not None})


def subject(
    events: Sequence[Event],
    players: Sequence[str],
    words: Wording,
    turn: int | None = None,
    labels: Labels | None = None,
) -> str:
    """Return a stage's events in one line; `turn` is the game turn if no event names one."""
    listed = phrases(events, words)
    where = _where(events, players, words, turn, labels or {})
    room = WIDTH - (len(words.say("log-more", count=len(listed))) + 2 if len(listed) > 1 else 0)
    line = safe(f"{where}: {listed[0] if listed else words.say('log-nothing')}", room)
    for number, phrase in enumerate(listed[1:], 1):
        rest = len(listed) - number
        more = f", {words.say('log-more', count=rest)}"
        if len(line) + len(phrase) + 2 + (len(more) if rest > 1 else 0) > WIDTH:
            return line + more
        line += f", {phrase}"
    return line


def phrases(events: Sequence[Event], words: Wording) -> list[str]:
    """Return short phrases of events, in order; a counted one is where it first happened.

    Where nothing of it has words for this, its headlines, else its sentences, one for each kind.
    """
    lines = _log_lines(events, words.of("log"), words) or _log_lines(events, words.of("headlines"), words)
    if lines:
        return lines
    kinds = {str(event.get("event")): event for event in reversed(events)}
    return list(dict.fromkeys(safe(words.event(event), WIDTH) for event in reversed(kinds.values())))


def _log_lines(events: Sequence[Event], section: Mapping[str, str], words: Wording) -> list[str]:
    counts: dict[str, int] = {}
    for event in events:
        counts[str(event.get("event"))] = counts.get(str(event.get("event")), 0) + 1
    lines: dict[str, None] = {}
    for event in events:
        kind = str(event.get("event"))
        text = section.get(kind)
        if text is None:
            continue
        if "{count}" in text:
            singular = counts[kind] == 1 and section.get(f"{kind}-one")
            text = words.filled(singular or text, {**event, "count": counts[kind]})
        else:
            text = words.filled(text, event)
        lines[safe(text, WIDTH)] = None
    return list(lines)


def _where(
    events: Sequence[Event], players: Sequence[str], words: Wording, turn: int | None, labels: Labels
) -> str:
    """Return `GT 3, red`: the last game turn of the stage, and the phasing player, if there is one."""
    numbers = turns(events, labels)
    number = numbers[-1] if numbers else turn
    named = {player for event in events for player in whereabouts(event.get("at"), labels).players}
    parts = [words.say("log-turn", turn=number)] if number is not None else [words.say("log-start")]
    return ", ".join(
        [*parts, *(safe(words.text(player)) for player in players if len(named) == 1 and player in named)]
    )
