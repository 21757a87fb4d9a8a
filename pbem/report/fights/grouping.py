"""The events of each fight of a stage, in order.

Made from what events declare (`tells`, types of fields): a fight begins with an event that tells a battle,
with what approached the place before and what was its prelude there; it ends with the phase it lies in, with
the next battle, or when something else happens elsewhere. Later rounds at its place in the same phase belong
to it until it has an outcome. One that began in an earlier stage has its events from its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.model.events import Tells
from pbem.model.meaning import Meaning
from pbem.model.whereabouts import Stop
from pbem.report.reader import Fields, View
from pbem.report.whole.ledger import Entry
from pbem.text.dataclass import dataclass

ELSEWHERE: frozenset[Tells] = frozenset({"turn", "move", "arrival", "score", "end"})
"""Marks of events that are no part of a fight, unless they name its place."""
WEIGHTY: frozenset[Tells] = frozenset({"forces", "loss", "capture"})
"""Marks of events that make a card without a battle."""


@dataclass(frozen=True)
class Words:
    """The sentence, headline and rolls of an event."""

    text: str = ""
    headline: str | None = None
    rolls: Sequence[Entry] = ()


@dataclass(frozen=True)
class Happened:
    """An event as in the report: its number there, and its words, which are made when wanted.

    `stage` is its stage, if that is not the report's.
    """

    number: int
    event: Fields
    words: Callable[[], Words] = Words
    stage: int | None = None


def fights_of(
    happened: Sequence[Happened], past: Iterable[Sequence[Happened]], view: View
) -> list[list[Happened]]:
    """Return the events of each fight of a stage, in the order in which they began.

    `past` are the stages before, the newest first: as many are read as the first fight of this one goes back.
    """
    if happened and _may_go_on(happened[0], view):
        groups = _with_past(happened, past, view)
        if groups is not None:
            return groups
    return _grouped(happened, view)


def _may_go_on(first: Happened, view: View) -> bool:
    """Return True if the first event of a stage may belong to a fight that began before."""
    meaning = view.means(first.event)
    return "battle" not in meaning.tells or "round" in meaning.tells


def _with_past(
    happened: Sequence[Happened], past: Iterable[Sequence[Happened]], view: View
) -> list[list[Happened]] | None:
    """Return the fights of a stage whose first one began earlier; None if none did."""
    together = list(happened)
    for earlier in past:
        if not any(_phase(happening, view) == _phase(happened[0], view) for happening in earlier):
            return None
        together = [*earlier, *together]
        groups = _grouped(together, view)
        joined = [group for group in groups if group[0].stage is not None and group[-1].stage is None]
        if joined and "battle" in view.means(opening(joined[0], view).event).tells:
            return [group for group in groups if group[-1].stage is None]
    return None


def _grouped(happened: Sequence[Happened], view: View) -> list[list[Happened]]:
    """Return groups of related events, in the order in which they began, each with its first event first.

    `loose` is what happened in this phase outside of a fight that began in this stage: it belongs to one of
    an earlier stage if that turns out to end here. `coming` are those who approached.
    """
    groups: list[list[Happened]] = []
    group: list[Happened] = []
    loose: list[Happened] = []
    coming: list[Happened] = []
    for happening in happened:
        meaning = view.means(happening.event)
        if loose and _phase(loose[0], view) != _phase(happening, view):
            loose = []
        if "approach" in meaning.tells:
            coming.append(happening)
            group = []
            continue
        if "battle" in meaning.tells:
            before = _round_of(happening, meaning, groups, view)
            if before is None:
                led = _prelude(loose, meaning, view) or _felled(loose, happening, meaning, view)
                before = [*_approached(happening, meaning, coming, view), *led, happening]
                groups.append(before)
            else:
                before.append(happening)
            group, loose = before, []
        elif group and not leads_up(meaning) and _belongs(happening, meaning, opening(group, view), view):
            group.append(happening)
        else:
            group = []
            if not set(meaning.tells) & ELSEWHERE:
                loose.append(happening)
            if "outcome" in meaning.tells:
                groups += [loose] if _makes_a_card(loose, meaning, view) else []
                loose = []
    return [kept_group for kept_group in groups if _has_weight(kept_group, view)]


def _makes_a_card(loose: Sequence[Happened], ended: Meaning, view: View) -> bool:
    """Return True if an end without a battle in this stage makes a card.

    That of a fight always does, that of something else (an air mission) if it was met, cost or brought
    something.
    """
    return "prelude" not in ended.tells or any(
        WEIGHTY & {*view.means(happening.event).tells} for happening in loose
    )


def _has_weight(group: Sequence[Happened], view: View) -> bool:
    """Return True if more happened than shots at passers-by that hit nobody."""
    meanings = [view.means(happening.event) for happening in group]
    fire = [meaning for meaning in meanings if "fire" in meaning.tells]
    others = any("battle" in meaning.tells and "fire" not in meaning.tells for meaning in meanings)
    hit = any(meaning.units for meaning in fire) or any(
        {"loss", "capture"} & {*meaning.tells} for meaning in meanings
    )
    return not fire or others or hit


def opening(group: Sequence[Happened], view: View) -> Happened:
    """Return the event with which a fight began: the first battle event, after approaches."""
    return next((happening for happening in group if "battle" in view.means(happening.event).tells), group[0])


def _round_of(
    happened: Happened, meaning: Meaning, groups: Sequence[list[Happened]], view: View
) -> list[Happened] | None:
    """Return the battle that this is a round of: in its phase, at its place, not over yet."""
    if "round" not in meaning.tells:
        return None
    for group in reversed(groups):
        first = opening(group, view)
        if _under(happened, _phase(first, view), view) and set(meaning.here) & set(
            view.means(first.event).here
        ):
            over = any("outcome" in view.means(earlier.event).tells for earlier in group)
            return None if over else group
    return None


def _approached(happened: Happened, meaning: Meaning, coming: list[Happened], view: View) -> list[Happened]:
    """Return the approaches in this phase to the place of a battle that may have rounds."""
    coming_here = [
        earlier
        for earlier in coming
        if "round" in meaning.tells
        and set(view.means(earlier.event).here) & set(meaning.here)
        and _under(happened, _phase(earlier, view), view)
    ]
    for earlier in coming_here:
        coming.remove(earlier)
    return coming_here


def leads_up(meaning: Meaning) -> bool:
    """Return True if a fight may follow from this; the end of a prelude is none."""
    return "prelude" in meaning.tells and "outcome" not in meaning.tells


def _prelude(loose: Sequence[Happened], meaning: Meaning, view: View) -> list[Happened]:
    """Return the earlier events of this phase that belong to a battle: from its prelude on."""
    for number in range(len(loose) - 1, -1, -1):
        before = view.means(loose[number].event)
        if leads_up(before):
            return list(loose[number:]) if set(before.places) & set(meaning.here) else []
    return []


def _felled(loose: Sequence[Happened], happened: Happened, meaning: Meaning, view: View) -> list[Happened]:
    """Return losses of a battle's first round that are reported just before it."""
    felled: list[Happened] = []
    for before in reversed(loose if "round" in meaning.tells else ()):
        meant = view.means(before.event)
        if (
            "loss" not in meant.tells
            or not set(meant.here) & set(meaning.here)
            or not _under(before, _phase(happened, view), view)
        ):
            break
        felled.insert(0, before)
    return felled


def _phase(happened: Happened, view: View) -> tuple[Stop, ...]:
    """Return the place in the sequence of play, without its last step."""
    return view.at(happened.event).stops[:-1]


def _belongs(happened: Happened, meaning: Meaning, first: Happened, view: View) -> bool:
    """Return True if an event is part of the fight that began with `first`."""
    if not _under(happened, _phase(first, view), view):
        return False
    here = view.means(first.event).here
    return not set(meaning.tells) & ELSEWHERE or bool(set(meaning.places) & set(here))


def _under(happened: Happened, phase: Sequence[Stop], view: View) -> bool:
    return view.at(happened.event).stops[: len(phase)] == tuple(phase)
