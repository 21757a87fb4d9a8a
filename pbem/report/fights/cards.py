"""The card of a fight: who, where, the dice beside the average, losses, holder, consequences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pbem.model.events import Tells
from pbem.model.forecasts import Forecast, Fought
from pbem.model.meaning import Meaning
from pbem.report.fights.grouping import Happened, fights_of, leads_up, opening
from pbem.report.fights.sides import announced, defenders_of, in_order, owners_of_counters, who_came
from pbem.report.forecasts import cost_words, fought_words
from pbem.report.headlines import in_few_words, without_letters
from pbem.report.losses import Losses, losses
from pbem.report.plain import safe
from pbem.report.reader import Fields, View
from pbem.report.whole.ledger import ALL, Entry, Sums, sums
from pbem.report.worth import worth_of
from pbem.text.dataclass import dataclass

FOLLOWS = ("capture", "loss", "retreat")
"""Marks of the consequences that a card names, in this order."""
MOST_FOLLOWS = 6


@dataclass(frozen=True)
class Fight:
    """A card.

    `numbers` are the items of the report that belong to it; `where` is the place with its name.

    `began` is how it began, None if that is not known; `since` is the stage of that, None for the
    report's own. `forces` are who took part, the attackers first: a power and its units by name; `strengths`
    says how strong both sides were, `outlook` what was to be expected, `results` what the tables said that
    decided it, `outcome` who holds, `because` why, `follows` what came of it, `left` who is there now.
    `holder` is who holds the place at the end of the stage, where nothing else of the card says it. `fought`
    is the system's account of the end: who took or held the place, what it cost each side, and why. `dice`
    are the sums of each player and of all, `throws` those rolls of which high or low ones are good
    for the thrower. `stage` is the stage that it was fought in, where that is an earlier one than
    the report's.
    """

    place: str
    where: str
    numbers: tuple[int, ...]
    began: str | None
    since: int | None
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    strengths: tuple[str, ...]
    results: tuple[str, ...]
    outcome: tuple[str, ...]
    because: tuple[str, ...]
    follows: tuple[str, ...]
    left: tuple[str, ...]
    losses: tuple[Losses, ...]
    dice: tuple[tuple[str, Sums], ...]
    throws: tuple[Entry, ...] = ()
    forces: tuple[tuple[str, tuple[str, ...]], ...] = ()
    outlook: Forecast | None = None
    holder: str = ""
    stage: int | None = None
    fought: Fought | None = None


def fights(happened: Iterable[Happened], view: View, past: Iterable[Sequence[Happened]] = ()) -> list[Fight]:
    """Return the fights of a stage in the order in which they began.

    `past` are the stages before, the newest first: as many are read as the first fight of this one goes back.
    """
    return [_card(group, view) for group in fights_of(list(happened), past, view)]


def accounts(events: Iterable[Fields], view: View, past: Iterable[Sequence[Happened]] = ()) -> dict[int, str]:
    """Return who took or held the place of each fight and what it cost: its headline.

    The key is the `id` of the event that tells its end, else of its first one in these stages. `past` is as
    in `fights`.
    """
    texts: dict[int, str] = {}
    happenings = [Happened(number, event) for number, event in enumerate(events)]
    for group in fights_of(happenings, past, view):
        fought = view.fought_from([happening.event for happening in group])
        if fought is not None and fought.said is None:
            end, text = _end_of(group, view), fought_words(fought, view)
            if (taken := _taken_in(group, fought.place, view)) is not None:
                end = taken
                text = f"{view.wording.headline(view.named(taken.event))}. {cost_words(fought, view)}"
            texts[id(end.event)] = text.removesuffix(".")
    return texts


def _taken_in(group: Sequence[Happened], place: str, view: View) -> Happened | None:
    """Return the event that tells the capture of this place alone, unless a past stage has it; or None."""
    for happening in reversed(group):
        captures = view.means(happening.event).captures if happening.stage is None else ()
        ground = captures and worth_of(happening.event, view) in ("capital", "score", "front")
        if ground and all(capture.place == place for capture in captures):
            return happening if view.wording.headline(view.named(happening.event)) is not None else None
    return None


def _end_of(group: Sequence[Happened], view: View) -> Happened:
    """Return the event that tells the end of a fight, else its first one in this stage; with a headline."""
    ends = [happening for happening in reversed(group) if "outcome" in view.means(happening.event).tells]
    for end in (*ends, opening(group, view), *group):
        if end.stage is None and view.wording.headline(view.named(end.event)) is not None:
            return end
    return group[-1]


def _card(group: Sequence[Happened], view: View) -> Fight:
    meanings = [view.means(happening.event) for happening in group]
    first = next((n for n, meaning in enumerate(meanings) if "battle" in meaning.tells), None)
    main = (
        meanings[first]
        if first is not None
        else next(meaning for meaning in meanings if "outcome" in meaning.tells)
    )
    place = next(iter((*main.here, *main.places)), "")
    ended = [
        happening for happening, meaning in zip(group, meanings, strict=True) if "outcome" in meaning.tells
    ]
    rolls = [entry for happening in group for entry in happening.words().rolls]
    forces = owners_of_counters(meanings, view)
    opened = first is None and leads_up(meanings[0])
    attackers = announced(meanings, view) or main.attackers or who_came(meanings, forces, view)
    met = main.defenders if not set(main.defenders) & set(attackers) else ()
    defenders = met or defenders_of(attackers, meanings, forces, view)
    why, reasons = _because(group, meanings, {*attackers, *defenders}, view)
    events = [happening.event for happening in group]
    fought, outlook = view.fought_from(events), view.outlook_from(events)
    plain = without_letters(events, view)
    outcome = [text for happening in ended if (text := _on_card(happening, view, happening.words().headline))]
    if fought is not None:
        outcome, why = [fought_words(fought, view)], why or [view.wording.text(fought.why)]
    return Fight(
        place=safe(place),
        where=safe(view.place(place)),
        numbers=tuple(happening.number for happening in group if happening.stage is None),
        began=None
        if first is None and not opened
        else plain("; ".join(_beginning(group, meanings, first if first is not None else 0, view))),
        since=group[0].stage,
        attackers=attackers,
        defenders=defenders,
        strengths=tuple(_sentences(group, meanings, "forces", view)),
        results=tuple(_sentences(group, meanings, "result", view)),
        outcome=tuple(outcome),
        because=tuple(why),
        follows=tuple(_follows(group, meanings, why, reasons, view)),
        left=tuple(map(plain, _sentences(group, meanings, "left", view))),
        losses=tuple(losses(events, view)),
        dice=tuple(sums(rolls, view.rollers)) if rolls else (),
        throws=tuple(entry for entry in rolls if entry.better and entry.thrower and entry.hits is None),
        forces=tuple(in_order(forces, attackers, defenders, view)),
        outlook=outlook.in_hindsight(fought.end) if outlook is not None and fought is not None else outlook,
        fought=fought,
        holder=""
        if view.tells_outcomes or not main.attackers or _changed_hands(place, meanings)
        else _holder(place, view),
    )


def _beginning(group: Sequence[Happened], meanings: Sequence[Meaning], first: int, view: View) -> list[str]:
    """Return how a fight began: its prelude and its first battle, unless that is a result."""
    texts = [
        _on_card(group[n], view)
        for n in range(first + 1)
        if "prelude" in meanings[n].tells or (n == first and "result" not in meanings[n].tells)
    ]
    return [text for text in texts if text]


def _on_card(happened: Happened, view: View, headline: str | None = None) -> str:
    """Return an event in the words of the wording's cards, else as headline or sentence."""
    on_card = view.wording.card(view.named(happened.event))
    return on_card if on_card is not None else headline or happened.words().text


def _holder(place: str, view: View) -> str:
    """Return who holds a place, or alone has counters there; else ""."""
    there = {view.owner(id) for id in view.position.at(place)} & {*view.powers}
    return str(view.holder(place) or (there.pop() if len(there) == 1 else ""))


def _changed_hands(place: str, meanings: Sequence[Meaning]) -> bool:
    return any(capture.place == place for meaning in meanings for capture in meaning.captures)


def _sentences(group: Sequence[Happened], meanings: Sequence[Meaning], kind: Tells, view: View) -> list[str]:
    texts = [
        _on_card(happening, view)
        for happening, meaning in zip(group, meanings, strict=True)
        if kind in meaning.tells
    ]
    return [text for text in texts if text]


def _because(
    group: Sequence[Happened], meanings: Sequence[Meaning], sides: Collection[str], view: View
) -> tuple[list[str], list[Fields]]:
    """Return the reasons of a result, and their events.

    They are the system's own words, else losses and retreats of the other side.
    """
    ended = [n for n, meaning in enumerate(meanings) if "outcome" in meaning.tells]
    if not ended:
        return [], []
    own = [view.wording.because(view.named(group[n].event)) for n in ended]
    if any(text is not None for text in own):
        return [text for text in own if text], []
    holders = {power for n in ended for power in meanings[n].holders or meanings[n].players}
    if not holders & set(sides) or not set(sides) - holders:
        return [], []
    gone = [
        happening.event
        for happening, meaning in zip(group, meanings, strict=True)
        if {"loss", "retreat"} & set(meaning.tells)
        and happening.words().headline
        and not holders & set(meaning.players)
    ]
    return in_few_words(gone, view, story=[happening.event for happening in group]), gone


def _follows(
    group: Sequence[Happened],
    meanings: Sequence[Meaning],
    known: Collection[str],
    reasons: Sequence[Fields],
    view: View,
) -> list[str]:
    """Return captures, lasting losses and retreats, each once; outcomes and their reasons are separate."""
    events = [
        happening.event
        for happening, meaning in zip(group, meanings, strict=True)
        if set(FOLLOWS) & set(meaning.tells)
        and "outcome" not in meaning.tells
        and happening.words().headline
        and not any(happening.event is reason for reason in reasons)
    ]
    story = [happening.event for happening in group]
    return [text for text in in_few_words(events, view, story=story) if text not in known]


def expected(fight: Fight) -> list[tuple[str, Sums]]:
    """Return the rows of dice that show luck: each player's, or those of all."""
    rows = [row for row in fight.dice if row[0] != ALL and row[1].hits is not None]
    return rows or [row for row in fight.dice if row[0] == ALL and row[1].hits is not None]
