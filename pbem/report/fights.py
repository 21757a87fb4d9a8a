"""The fights of a report: the events of each, and its card.

A card has who and where, the dice beside the average, losses, who holds, and what follows.

Made from what events declare (`tells`, types of fields): a fight begins with an event that tells a battle,
with what approached the place before and what was its prelude there; it ends with the phase it lies in, with
the next battle, or when something else happens elsewhere. Later rounds at its place in the same phase belong
to it until it has an outcome. One that began in an earlier stage is told from its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from pbem.model.events import Tells
from pbem.model.forecasts import Forecast, Fought
from pbem.model.meaning import Meaning
from pbem.model.whereabouts import Stop
from pbem.report.forecasts import cost_words, fought_words
from pbem.report.headlines import in_few_words, without_letters
from pbem.report.losses import Losses, losses
from pbem.report.plain import safe
from pbem.report.reader import Fields, View
from pbem.report.whole.ledger import ALL, Entry, Sums, sums
from pbem.report.worth import worth_of
from pbem.text.dataclass import dataclass

ELSEWHERE: frozenset[Tells] = frozenset({"turn", "move", "arrival", "score", "end"})
"""Marks of events that are no part of a fight, unless they name its place."""
WEIGHTY: frozenset[Tells] = frozenset({"forces", "loss", "capture"})
"""Marks of events that make a card without a battle."""
FOLLOWS = ("capture", "loss", "retreat")
"""Marks of the consequences that a card names, in this order."""
MOST_FOLLOWS = 6


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
    happenings = list(happened)
    groups = _with_past(happenings, past, view) if happenings and _may_go_on(happenings[0], view) else None
    return [_card(group, view) for group in (_groups(happenings, view) if groups is None else groups)]


def accounts(events: Iterable[Fields], view: View, past: Iterable[Sequence[Happened]] = ()) -> dict[int, str]:
    """Return who took or held the place of each fight and what it cost: its headline.

    The key is the `id` of the event that tells its end, else of its first one in these stages. `past` is as
    in `fights`.
    """
    texts: dict[int, str] = {}
    happenings = [Happened(number, event) for number, event in enumerate(events)]
    groups = _with_past(happenings, past, view) if happenings and _may_go_on(happenings[0], view) else None
    for group in _groups(happenings, view) if groups is None else groups:
        fought = view.fought_from([happening.event for happening in group])
        if fought is not None and fought.said is None:
            end, text = _end_of(group, view), fought_words(fought, view)
            if (taken := _taken_in(group, fought.place, view)) is not None:
                end, text = (
                    taken,
                    f"{view.wording.headline(view.named(taken.event))}. {cost_words(fought, view)}",
                )
            texts[id(end.event)] = text.removesuffix(".")
    return texts


def _taken_in(group: Sequence[Happened], place: str, view: View) -> Happened | None:
    """Return the event of these stages that tells the capture of this fight's place and of no
    other.
    """
    for happening in reversed(group):
        captures = view.means(happening.event).captures if happening.stage is None else ()
        ground = captures and worth_of(happening.event, view) in ("capital", "score", "front")
        if ground and all(capture.place == place for capture in captures):
            return happening if view.wording.headline(view.named(happening.event)) is not None else None
    return None


def _end_of(group: Sequence[Happened], view: View) -> Happened:
    """Return the event that tells the end of a fight, else its first one in this stage; with a headline."""
    ends = [happening for happening in reversed(group) if "outcome" in view.means(happening.event).tells]
    for end in (*ends, _opening(group, view), *group):
        if end.stage is None and view.wording.headline(view.named(end.event)) is not None:
            return end
    return group[-1]


def _may_go_on(first: Happened, view: View) -> bool:
    """Return True if the first event of a stage may belong to a fight that began before."""
    meaning = view.means(first.event)
    return "battle" not in meaning.tells or "round" in meaning.tells


def _with_past(
    told: Sequence[Happened], past: Iterable[Sequence[Happened]], view: View
) -> list[list[Happened]] | None:
    """Return the fights of a stage whose first one began earlier; None if none did."""
    together = list(told)
    for earlier in past:
        if not any(_phase(happening, view) == _phase(told[0], view) for happening in earlier):
            return None
        together = [*earlier, *together]
        groups = _groups(together, view)
        joined = [group for group in groups if group[0].stage is not None and group[-1].stage is None]
        if joined and "battle" in view.means(_opening(joined[0], view).event).tells:
            return [group for group in groups if group[-1].stage is None]
    return None


def _groups(happened: Sequence[Happened], view: View) -> list[list[Happened]]:
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
        elif group and not _leads_up(meaning) and _belongs(happening, meaning, _opening(group, view), view):
            group.append(happening)
        else:
            group = []
            if not set(meaning.tells) & ELSEWHERE:
                loose.append(happening)
            if "outcome" in meaning.tells:
                groups += [loose] if _is_told(loose, meaning, view) else []
                loose = []
    return [kept_group for kept_group in groups if _has_weight(kept_group, view)]


def _is_told(loose: Sequence[Happened], ended: Meaning, view: View) -> bool:
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


def _opening(group: Sequence[Happened], view: View) -> Happened:
    """Return the event with which a fight began: the first battle event, after approaches."""
    return next((happening for happening in group if "battle" in view.means(happening.event).tells), group[0])


def _round_of(
    happened: Happened, meaning: Meaning, groups: Sequence[list[Happened]], view: View
) -> list[Happened] | None:
    """Return the battle that this is a round of: in its phase, at its place, not over yet."""
    if "round" not in meaning.tells:
        return None
    for group in reversed(groups):
        first = _opening(group, view)
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


def _leads_up(meaning: Meaning) -> bool:
    """Return True if a fight may follow from this; the end of a prelude is none."""
    return "prelude" in meaning.tells and "outcome" not in meaning.tells


def _prelude(loose: Sequence[Happened], meaning: Meaning, view: View) -> list[Happened]:
    """Return the earlier events of this phase that belong to a battle: from its prelude on."""
    for number in range(len(loose) - 1, -1, -1):
        before = view.means(loose[number].event)
        if _leads_up(before):
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
    forces = _forces(meanings, view)
    opened = first is None and _leads_up(meanings[0])
    attackers = _announced(meanings, view) or main.attackers or _came(meanings, forces, view)
    met = main.defenders if not set(main.defenders) & set(attackers) else ()
    defenders = met or _against(attackers, meanings, forces, view)
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
        strengths=tuple(_told(group, meanings, "forces", view)),
        results=tuple(_told(group, meanings, "result", view)),
        outcome=tuple(outcome),
        because=tuple(why),
        follows=tuple(_follows(group, meanings, why, reasons, view)),
        left=tuple(map(plain, _told(group, meanings, "left", view))),
        losses=tuple(losses([happening.event for happening in group], view)),
        dice=tuple(sums(rolls, view.rollers)) if rolls else (),
        throws=tuple(entry for entry in rolls if entry.better and entry.thrower and entry.hits is None),
        forces=tuple(_in_order(forces, attackers, defenders, view)),
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


def _forces(meanings: Sequence[Meaning], view: View) -> dict[str, str]:
    """Return the counters in a fight with their owners.

    The owner of an eliminated one is the loser, else who attacked or defended with it.
    """
    gone = {
        id: meaning.losers[0]
        for meaning in meanings
        if "loss" in meaning.tells and meaning.losers
        for id in meaning.units
    }
    lines: dict[str, str] = {}
    for meaning in meanings:
        near = meaning.units if "approach" in meaning.tells else ()
        if not {"approach", "battle"} & set(meaning.tells):
            continue
        stood = next((owner for id in meaning.stood if (owner := view.whose(id))), "")
        for ids, usual in (
            (near, meaning.players),
            (meaning.came, meaning.attackers or meaning.players),
            (meaning.stood, meaning.defenders or ((stood,) if stood else ())),
        ):
            for id in ids:
                owner = gone.get(id) or view.whose(id) or next(iter(usual), "")
                if owner:
                    lines.setdefault(id, owner)
    return lines


def _holder(place: str, view: View) -> str:
    """Return who holds a place, or alone has counters there; else ""."""
    there = {view.owner(id) for id in view.position.at(place)} & {*view.powers}
    return str(view.holder(place) or (there.pop() if len(there) == 1 else ""))


def _changed_hands(place: str, meanings: Sequence[Meaning]) -> bool:
    return any(capture.place == place for meaning in meanings for capture in meaning.captures)


def _announced(meanings: Sequence[Meaning], view: View) -> tuple[str, ...]:
    """Return who started a fight by its prelude: the attacker even if others fired first."""
    return (
        tuple(power for power in meanings[0].players if power in {*view.powers, *view.players})
        if (_leads_up(meanings[0]))
        else ()
    )


def _came(meanings: Sequence[Meaning], forces: Mapping[str, str], view: View) -> tuple[str, ...]:
    """Return the attacker where no event says so.

    Whose units came, else whose enemies were there, else the first one concerned.
    """
    came = [forces[id] for meaning in meanings for id in meaning.came if id in forces]
    if not came:
        stood = {view.side(forces[id]) for meaning in meanings for id in meaning.stood if id in forces}
        came = [owner for owner in forces.values() if stood and view.side(owner) not in stood]
    if not came:
        held = {
            view.side(str(view.holder(hex)))
            for meaning in meanings[:1]
            for hex in meaning.here
            if view.holder(hex)
        }
        came = [owner for owner in forces.values() if held and view.side(owner) not in held]
    if not came and len({view.side(owner) for owner in forces.values()}) == 1:
        came = list(forces.values())
    if not came:
        fought = [meaning for meaning in meanings if "outcome" not in meaning.tells]
        came = [power for meaning in fought for power in meaning.players[:1] if len(meaning.players) > 1][:1]
    return tuple(dict.fromkeys(came))


def _against(
    attackers: Sequence[str], meanings: Sequence[Meaning], forces: Mapping[str, str], view: View
) -> tuple[str, ...]:
    """Return the defenders where no event says so.

    They own the named units or lost any, and are of another side; of a place hit without units its holder, or
    whoever is left.
    """
    named = [forces[id] for meaning in meanings for id in meaning.stood if id in forces] or list(
        forces.values()
    )
    named += [view.owner(id) for meaning in meanings for id in meaning.units if id in view.position.counters]
    named += [loser for meaning in meanings if meaning.losses for loser in meaning.losers]
    named += [power for meaning in meanings if "battle" in meaning.tells for power in meaning.players]
    sides = {view.side(power) for power in attackers}
    known = {*view.powers, *view.players}
    others = dict.fromkeys(power for power in named if power in known and view.side(power) not in sides)
    if not others:
        held = [str(view.holder(hex) or "") for meaning in meanings[:1] for hex in meaning.here]
        alone = view.players if len(view.players) == len(sides) + 1 else ()
        others = dict.fromkeys(power for power in held if power in known and view.side(power) not in sides)
        others = others or dict.fromkeys(power for power in alone if view.side(power) not in sides)
    led = {view.seat(power) for power in others if view.seat(power) != power}
    return tuple(power for power in others if power not in led) if attackers else ()


def _in_order(
    forces: Mapping[str, str], attackers: Sequence[str], defenders: Sequence[str], view: View
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield powers with their units by name: the attackers, their friends, then the others."""
    sides = {view.side(power) for power in attackers}
    owners = [power for power in attackers if power in forces.values()]
    owners += [power for power in forces.values() if view.side(power) in sides]
    for owner in dict.fromkeys([*owners, *defenders, *forces.values()]):
        units = tuple(view.unit(id) for id, whose in forces.items() if whose == owner)
        if units:
            yield owner, units


def _told(group: Sequence[Happened], meanings: Sequence[Meaning], kind: Tells, view: View) -> list[str]:
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
