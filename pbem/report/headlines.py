"""Headlines: what matters most first, in few sentences.

Several events of one kind that differ in one thing alone are told in one sentence (`B-61A, B-71AT were
eliminated in 09.05`), and what only led up to another is left out: reports, cards and books say the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.model.events import Tells
from pbem.report.codes import SAID
from pbem.report.plain import safe
from pbem.report.reader import View

Fields = Mapping[str, Any]
RANKS: tuple[Tells, ...] = ("end", "outcome", "capture", "score", "loss", "battle", "turn")
"""What an event tells, that which matters most to a reader first; everything else comes after these."""


def importance(event: Fields, view: View) -> int:
    """How much an event matters to a reader: 0 the most."""
    tells = view.means(event).tells
    return min((RANKS.index(one) for one in tells if one in RANKS), default=len(RANKS))


def in_few_words(events: Sequence[Fields], view: View) -> list[str]:
    """The headlines of these events, what matters most first: several of one kind that differ in their unit
    alone are one line, equal ones are counted, and what only led up to another is left out."""
    told = sorted(_worth_telling(events, view), key=lambda one: importance(one, view))
    merged: dict[tuple[object, ...], list[Fields]] = {}
    for one in told:
        merged.setdefault(_likeness(one, view), []).append(one)
    texts = [_headline_of(group, view) for group in merged.values()]
    counts = Counter[str]()
    for text, count in texts:
        counts[text] += count
    say = view.wording.say
    return [text if n == 1 else say("times", text=text, count=n) for text, n in counts.items()]


def _worth_telling(events: Sequence[Fields], view: View) -> list[Fields]:
    """Without battles whose end, or whose prize, is told too, and without what announced them before; who
    holds a place that passed from somebody to somebody else needs no telling either."""
    ended: dict[str, int] = {}
    won: set[str] = set()
    for number, one in enumerate(events):
        said = view.means(one)
        if {"outcome", "capture"} & set(said.tells):
            ended |= dict.fromkeys(said.places, number)
        won |= {each.place for each in said.captures if each.before}

    def led_up(number: int, one: Fields) -> bool:
        said = view.means(one)
        if "outcome" in said.tells and "capture" not in said.tells and set(said.places) & won:
            return True
        only = (set(said.tells) <= {"battle"} and not said.units) or said.tells == ("battle",)
        return only and bool(said.places) and all(ended.get(place, -1) > number for place in said.places)

    return [one for number, one in enumerate(events) if not led_up(number, one)]


def _likeness(event: Fields, view: View) -> tuple[object, ...]:
    """What headlines have in common that are told in one: kind and all that they name but the unit."""
    name = view.wording.several(str(event.get("event", "")))
    kept = sorted((key, str(value)) for key, value in _said_of(event, view).items() if key != name)
    return (event.get("event"), *kept)


def _said_of(event: Fields, view: View) -> Fields:
    """The fields that the headline of an event names."""
    named = view.named(event)
    fields = view.wording.named_in("headlines", str(event.get("event", "")))
    return {key: named.get(key) for key in (name.removesuffix(SAID) for name in fields)}


def _headline_of(group: Sequence[Fields], view: View) -> tuple[str, int]:
    """One headline of events that are alike, and how often it happened."""
    first, name = view.named(group[0]), view.wording.several(str(group[0].get("event", "")))
    if name is None or len(group) == 1:
        return view.wording.headline(first) or "", len(group)
    each = [value for one in group for value in _listed(view.named(one).get(name))]
    return view.wording.headline({**first, name: list(dict.fromkeys(each))}) or "", 1


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def moves_made(events: Iterable[Fields], view: View) -> str:
    """`Moves: aster 12, bren 3`: what most of a quiet stage is; empty where nobody moved."""
    counts = Counter[str]()
    for one in events:
        said = view.means(one)
        if "move" in said.tells:
            who = said.players[:1] or tuple(filter(None, (view.owner(id) for id in said.units[:1])))
            counts.update(who)
    words = view.wording
    told = [f"{safe(words.text(who))} {count}" for who, count in sorted(counts.items())]
    return words.say("moves-of", who=words.language.listed(told)) if told else ""
