"""The events of a stage as a reader is told them: sentence, working and dice of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from typing import Any

from pbem.model.events import Told, rolls_in
from pbem.model.facts import PUBLIC
from pbem.report.composing.concerns import is_about
from pbem.report.composing.earlier import Past
from pbem.report.headlines import says_nothing_new
from pbem.report.losses import suffered
from pbem.report.plain import safe
from pbem.report.reader import Meta, View, hexes_named
from pbem.report.structure import Die, Item, Passage
from pbem.report.throwers import Throwers

WORKING = ("table", "odds", "column", "shifts", "row", "drm", "modifiers")
Fields = Mapping[str, Any]


def without_repeated_moves(seen: Sequence[Told], view: View) -> list[Told]:
    """Return events without moves of "so many counters" that the reader was also told by name."""
    again = moves_by_name([happening.event for happening in seen], view)
    return [happening for number, happening in enumerate(seen) if number not in again]


def moves_by_name(events: Iterable[Fields], view: View) -> set[int]:
    """Return which events tell moves of "so many counters" that another tells by name."""
    waiting: dict[tuple[object, ...], list[list[int]]] = {}
    again: set[int] = set()
    for number, event in enumerate(events):
        meaning = view.means(event)
        if "move" not in meaning.tells or not meaning.places:
            continue
        unnamed = waiting.setdefault((meaning.players, meaning.places[0], meaning.places[-1]), [])
        if not meaning.units and meaning.count:
            unnamed.append([number, meaning.count])
        elif meaning.units and unnamed:
            unnamed[0][1] -= len(meaning.units)
            if unnamed[0][1] <= 0:
                again.add(unnamed.pop(0)[0])
    return again


def item_of(
    number: int, happening: Told, side: Collection[str | None], view: View, meta: Meta, throwers: Throwers
) -> Item:
    """Return an event as the reader, one of `side`, is told it."""
    event = happening.event
    named = view.named(event)
    headline = view.wording.headline(named)
    private = happening.audience != PUBLIC
    ours = bool(side) and not meta.umpire
    of_note = private or headline is not None
    hurt = bool(suffered(event, view).keys() & side)
    return Item(
        number=number,
        kind=str(event.get("event", "")),
        text=view.wording.event(named),
        rule=safe(event.get("rule", "")),
        place=tuple(safe(word) for word in view.wording.places(view.at(event)) if word),
        headline=headline,
        private=private,
        mine=ours and (hurt or (of_note and is_about(event, side, view))),
        hexes=tuple(hexes_named(event, view)),
        working=tuple(working(event, named, view)),
        rolls=tuple(throwers.entries(event, meta.stage, view)),
        event=event,
    )


def without_old_scores(items: Sequence[Item], view: View, past: Past) -> Iterator[Item]:
    """Yield items; one that repeats earlier points is no headline."""
    for number, item in enumerate(items):
        earlier = chain(
            (happening.event for happening in reversed(items[:number])),
            (happening.event for stage in past for happening in reversed(stage)),
        )
        old = item.headline is not None and says_nothing_new(item.event, earlier, view)
        yield replace(item, headline=None) if old else item


def passages(items: Iterable[Item]) -> list[Passage]:
    """Return items in a row that happened in the same phase."""
    return [Passage(place, tuple(row)) for place, row in groupby(items, key=lambda item: item.place)]


def dice(items: Iterable[Item], view: View, meta: Meta) -> list[Die]:
    """Return every roll once, with the item it belongs to."""
    rolled: list[Die] = []
    rolled_before: set[tuple[int, tuple[str | int, ...]]] = set()
    for item in items:
        raw = {tuple(roll["label"]): roll for roll in rolls_in(dict(item.event))}
        for entry in item.rolls:
            if (entry.stage, entry.label) not in rolled_before:
                rolled_before.add((entry.stage, entry.label))
                recipe = meta.recipe(raw[entry.label]) if meta.recipe and entry.label in raw else None
                rolled.append(Die(entry, item, recipe))
    return rolled


def working(event: Fields, named: Fields, view: View) -> list[tuple[str, str]]:
    """Return the working of a result: table, odds, column, shifts, row, modifiers.

    Or the system's own sentence, with the names that `named` gives.
    """
    details = event.get("working")
    fields = {**event, **details} if isinstance(details, Mapping) else event
    there = [name for name in WORKING if fields.get(name) not in (None, "", [], {})]
    parts = [(name, _in_words(fields[name], view)) for name in there]
    sentence = view.wording.working(named)
    return [*parts, ("", sentence)] if sentence else parts


def _in_words(value: Any, view: View) -> str:
    """Return a value of the working, a list of modifiers as `river -1 [7.4], hills -1 [7.5]`."""
    if isinstance(value, list | tuple) and value and all(isinstance(modifier, Mapping) for modifier in value):
        return ", ".join(_modifier(modifier, view) for modifier in value)
    return view.wording.value(value)


def _modifier(event: Fields, view: View) -> str:
    name, amount, rule = event.get("name"), event.get("value"), event.get("rule")
    if name is None or amount is None:
        return view.wording.value(event)
    number = isinstance(amount, int) and not isinstance(amount, bool)
    shown = f"{amount:+d}" if number else view.wording.value(amount)
    return f"{view.wording.value(name)} {shown}" + (f" [{safe(rule)}]" if rule else "")
