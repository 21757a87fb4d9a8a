"""Headlines: what matters most first, in few sentences.

Several events of one kind that differ in one thing alone are told in one sentence (`B-61A, B-71AT were
eliminated in 09.05`), a place that changed hands several times is told by how it ended, and what only led up
to another is left out: reports, cards and books say the same, of one stage or of many.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.model.events import Tells
from pbem.report.codes import SAID
from pbem.report.plain import safe
from pbem.report.reader import View
from pbem.report.worth import rank
from pbem.text.dataclass import dataclass

Fields = Mapping[str, Any]
Side = Collection[str | None]
ANYBODY = "*"
STIRRING: frozenset[Tells] = frozenset(("end", "outcome", "capture", "loss", "battle"))
"""Beside what tells one of these, that a turn began is no news of its stage."""


@dataclass(frozen=True)
class Line:
    """A headline, and the stages in which that happened, ascending."""

    stages: tuple[int, ...]
    text: str


def says_nothing_new(event: Fields, earlier: Iterable[Fields], view: View) -> bool:
    """Return True if an event repeats the points of the last of its kind.

    `earlier` are events, the newest first.
    """
    if view.means(event).tells != ("score",):
        return False
    kind = event.get("event")
    last = next((earlier_event for earlier_event in earlier if earlier_event.get("event") == kind), None)
    return last is not None and _bare(last) == _bare(event)


def _bare(event: Fields) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key not in ("rule", "at")}


NOTHING: Mapping[int, str] = {}


def in_few_words(
    events: Sequence[Fields],
    view: View,
    side: Side = (),
    ended: Mapping[int, str] = NOTHING,
    story: Sequence[Fields] | None = None,
) -> list[str]:
    """Return the headlines of these events for a reader of this side, the most important first.

    `worth.py` ranks them. Several of one kind that differ only in their unit share a line, equal ones are
    counted, and what only led up to another is left out. `ended` are accounts of fights, by the `id` of the
    event that they replace. A name needs no letter if `story`, else these events, tells one of its kind.
    """
    return [
        line.text for line in headlines_by_stage([(0, event) for event in events], view, side, ended, story)
    ]


def headlines_by_stage(
    pairs: Sequence[tuple[int, Fields]],
    view: View,
    side: Side = (),
    ended: Mapping[int, str] = NOTHING,
    story: Sequence[Fields] | None = None,
) -> list[Line]:
    """Return each headline of these events with the stages in which it happened."""
    worth = _worth_telling(pairs, view)
    handed = _handed([event for _, event in pairs], view)
    plain = without_letters([event for _, event in pairs] if story is None else story, view)
    merged: dict[tuple[object, ...], list[tuple[int, Fields]]] = {}
    for stage, event in sorted(worth, key=lambda pair: rank(pair[1], view, side)):
        like = (id(event),) if id(event) in ended else _likeness(event, view)
        merged.setdefault(like, []).append((stage, event))
    counts: dict[str, int] = {}
    stages: dict[str, set[int]] = {}
    for group in merged.values():
        account = ended.get(id(group[0][1]))
        text, count = (account, 1) if account else _headline_of([event for _, event in group], view)
        text = plain(text)
        times = max((handed[key][-1][1] for key in _captures(group[-1][1], view)), default=1)
        text = view.wording.say("handed-on", text=text, count=times) if text and times > 1 else text
        counts[text] = counts.get(text, 0) + count
        stages.setdefault(text, set()).update(stage for stage, _ in group)
    say = view.wording.say
    return [
        Line(
            tuple(sorted(stages[text])),
            text if n == 1 or n == len(stages[text]) else say("times", text=text, count=n),
        )
        for text, n in counts.items()
        if text
    ]


def without_letters(events: Iterable[Fields], view: View) -> Callable[[str], str]:
    """Return a function that drops letters of names: a unit alone of its kind here needs none.

    The wording declares the form of such names: `map: {lettered: "{who} {type} {which}"}`.
    """
    form = view.wording.of("map").get("lettered")
    if not form:
        return str
    names = re.compile(re.sub(r"\\\{\w+\\\}", r"\\S+", re.escape(form)) + "(?= |$)")
    letters: dict[str, set[str]] = {}
    for text in {text for event in events for text in _texts(event)}:
        if (match := names.match(text)) is not None:
            bare, _, letter = view.wording.text(match[0]).rpartition(" ")
            if len(letter) == 1 and match[0].endswith(f" {letter}"):
                letters.setdefault(bare, set()).add(letter)
    alone = [
        f"{re.escape(bare)} {sole_letter}"
        for bare, (sole_letter, *others) in sorted(letters.items())
        if not others
    ]
    if not alone:
        return str
    lettered_names = re.compile(rf"({'|'.join(alone)})(?!\w)", re.IGNORECASE)
    return lambda text: lettered_names.sub(lambda lettered: lettered[0][:-2], text)


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts inside an event."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def _worth_telling(pairs: Sequence[tuple[int, Fields]], view: View) -> list[tuple[int, Fields]]:
    """Return the events without those that others imply.

    Battles with a reported end or prize, announcements, and what was undone later go, as do holders of places
    that changed hands, and the start of a turn in which anything happened.
    """
    ended: dict[str, int] = {}
    fought: dict[str, int] = {}
    won: set[tuple[int, str, str]] = set()
    announced: dict[str, int] = {}
    stirred: set[int] = set()
    for number, (stage, event) in enumerate(pairs):
        meaning = view.means(event)
        if {"outcome", "capture"} & set(meaning.tells):
            ended |= dict.fromkeys(meaning.places, number)
        if {"outcome", "capture", "battle"} & set(meaning.tells):
            fought |= dict.fromkeys(meaning.places, number)
        for capture in meaning.captures:
            won.add((stage, capture.place, capture.after))
            if capture.before:
                won.add((stage, capture.place, ANYBODY))
        if "forces" in meaning.tells and view.wording.headline(view.named(event)):
            announced |= dict.fromkeys(meaning.here, number)
        if STIRRING & set(meaning.tells):
            stirred.add(stage)

    undone = _undone([event for _, event in pairs], view)
    fled = _fled_into([event for _, event in pairs], view)

    def led_up(number: int, stage: int, event: Fields) -> bool:
        meaning = view.means(event)
        tells = set(meaning.tells)
        if "outcome" in tells and "capture" not in tells:
            whose = (ANYBODY, *meaning.holders)
            if any((stage, at, power) in won for at in meaning.here for power in whose):
                return True
        if "prelude" in tells:
            return bool(meaning.places) and all(fought.get(place, -1) > number for place in meaning.places)
        if tells == {"turn"} and meaning.players and stage in stirred:
            return True
        if meaning.captures and (number in undone or number in fled):
            return True
        only = (tells <= {"battle", "forces"} and not meaning.units) or tells in ({"battle"}, {"forces"})
        there = meaning.here or meaning.places
        if tells == {"battle"} and there and all(announced.get(at, -1) > number for at in there):
            return True
        return only and bool(there) and all(ended.get(at, -1) > number for at in there)

    return [(stage, event) for number, (stage, event) in enumerate(pairs) if not led_up(number, stage, event)]


def _captures(event: Fields, view: View) -> dict[tuple[str, str], str]:
    """Return the captures of an event: (kind of event, place) -> new holder."""
    kind = str(event.get("event", ""))
    return {(kind, capture.place): capture.after for capture in view.means(event).captures}


def _undone(events: Sequence[Fields], view: View) -> set[int]:
    """Return the captures that somebody reversed later."""
    undone: set[int] = set()
    later: dict[tuple[str, str], set[str]] = {}
    for number in range(len(events) - 1, -1, -1):
        taken = _captures(events[number], view)
        if taken and all(later.get(key, set()) - {after} for key, after in taken.items()):
            undone.add(number)
        for key, after in taken.items():
            later.setdefault(key, set()).add(after)
    return undone


def _fled_into(events: Sequence[Fields], view: View) -> set[int]:
    """Return captures of nameless places by retreating units: the retreat itself is reported."""
    entered: set[int] = set()
    fled: set[tuple[str, str]] = set()
    for number, event in enumerate(events):
        meaning = view.means(event)
        if "retreat" in meaning.tells:
            ends = {*meaning.goals, *meaning.way}
            fled |= {(place, power) for place in ends for power in meaning.players}
        elif {"move", "arrival"} & set(meaning.tells):
            fled -= {(place, power) for place in meaning.places for power in meaning.players}
        elif meaning.captures and "outcome" not in meaning.tells:
            taken = {(capture.place, capture.after) for capture in meaning.captures}
            if taken <= fled and not any(view.place_name(place) for place, _ in taken):
                entered.add(number)
    return entered


def _handed(events: Iterable[Fields], view: View) -> dict[tuple[str, str], list[tuple[str, int]]]:
    """Return all captures: the holders in order, and how often each place had changed hands."""
    holders: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for event in events:
        for key, after in _captures(event, view).items():
            before = holders.setdefault(key, [])
            if not before or before[-1][0] != after:
                before.append((after, len(before) + 1))
    return holders


def _likeness(event: Fields, view: View) -> tuple[object, ...]:
    """Return the common part of merged headlines: kind and all they name except the unit."""
    name = view.wording.several(str(event.get("event", "")))
    kept = sorted((key, str(value)) for key, value in _said_of(event, view).items() if key != name)
    return (event.get("event"), *kept)


def _said_of(event: Fields, view: View) -> Fields:
    """Return the fields that the headline of an event names."""
    named = view.named(event)
    fields = view.wording.named_in("headlines", str(event.get("event", "")))
    return {key: named.get(key) for key in (name.removesuffix(SAID) for name in fields)}


MOST_NAMED = 5
"""Counters that a headline names; of more the last are counted."""


def _headline_of(group: Sequence[Fields], view: View) -> tuple[str, int]:
    """Return one headline of similar events, and how often it happened."""
    first, name = view.named(group[0]), view.wording.several(str(group[0].get("event", "")))
    if name is None or len(group) == 1:
        return view.wording.headline(first) or "", len(group)
    values = list(dict.fromkeys(value for event in group for value in _listed(view.named(event).get(name))))
    if len(values) > MOST_NAMED:
        values[MOST_NAMED - 1 :] = [view.wording.say("log-more", count=len(values) - MOST_NAMED + 1)]
    return view.wording.headline({**first, name: values}) or "", 1


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def moves_made(events: Iterable[Fields], view: View, but: Side = ()) -> str:
    """Return `Moves: aster 12, bren 3`, most of a quiet stage; without some seats, "" if nobody
    moved.
    """
    counts = Counter[str]()
    for event in events:
        meaning = view.means(event)
        if "move" in meaning.tells:
            moving = meaning.players[:1] or tuple(filter(None, (view.owner(id) for id in meaning.units[:1])))
            counts.update(power for power in moving if view.seat(power) not in but)
    words = view.wording
    texts = [f"{safe(words.text(power))} {count}" for power, count in sorted(counts.items())]
    return words.say("moves-of", who=words.language.listed(texts)) if texts else ""


MOST_JOURNEYS = 6
"""Counters whose ways over several stages are told one by one."""


def journeys(pairs: Iterable[tuple[int, Fields]], view: View) -> list[str]:
    """Return `A5-M went from 05.05 to 08.06 Tolmark` for counters that moved in several of these stages.

    Of many, the first ones and the number of the others.
    """
    went: dict[str, list[tuple[int, str, str]]] = {}
    for stage, event in pairs:
        meaning = view.means(event)
        if not {"move", "retreat"} & set(meaning.tells) or len(meaning.places) < 2:
            continue
        first = next(iter((*meaning.origins, *meaning.way, *meaning.places)))
        last = meaning.goals[-1] if meaning.goals else meaning.way[-1] if meaning.way else meaning.places[-1]
        for unit in meaning.units:
            went.setdefault(unit, []).append((stage, first, last))
    words, lines = view.wording, dict[tuple[str, str], list[str]]()
    for unit, steps in went.items():
        first, last = steps[0][1], steps[-1][2]
        if len({stage for stage, _, _ in steps}) > 1 and first != last:
            lines.setdefault((first, last), []).append(view.unit(unit))
    shown = [
        words.say(
            "went",
            who=words.language.listed(units),
            count=len(units),
            first=safe(view.place(first)),
            last=safe(view.place(last)),
        )
        for (first, last), units in lines.items()
    ]
    more = len(shown) - MOST_JOURNEYS
    return shown if more <= 0 else [*shown[:MOST_JOURNEYS], words.say("went-more", count=more)]
