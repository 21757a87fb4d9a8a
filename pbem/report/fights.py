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
    are the sums of each player and of all, `throws` those rolls of which high or low ones are good for who
    threw. `stage` is the stage that it was fought in, where that is an earlier one than the report's.
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
    told = list(happened)
    groups = _with_past(told, past, view) if told and _may_go_on(told[0], view) else None
    return [_card(group, view) for group in (_groups(told, view) if groups is None else groups)]


def accounts(events: Iterable[Fields], view: View, past: Iterable[Sequence[Happened]] = ()) -> dict[int, str]:
    """Return who took or held the place of each fight and what it cost: its headline.

    The key is the `id` of the event that tells its end, else of its first one in these stages. `past` is as
    in `fights`.
    """
    texts: dict[int, str] = {}
    told = [Happened(number, event) for number, event in enumerate(events)]
    groups = _with_past(told, past, view) if told and _may_go_on(told[0], view) else None
    for group in _groups(told, view) if groups is None else groups:
        fought = view.fought_from([one.event for one in group])
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
    """Return the event of these stages that tells the capture of nothing but the place of this fight."""
    for one in reversed(group):
        captures = view.means(one.event).captures if one.stage is None else ()
        ground = captures and worth_of(one.event, view) in ("capital", "score", "front")
        if ground and all(each.place == place for each in captures):
            return one if view.wording.headline(view.named(one.event)) is not None else None
    return None


def _end_of(group: Sequence[Happened], view: View) -> Happened:
    """Return the event that tells the end of a fight, else its first one in this stage; with a headline."""
    ends = [one for one in reversed(group) if "outcome" in view.means(one.event).tells]
    for end in (*ends, _opening(group, view), *group):
        if end.stage is None and view.wording.headline(view.named(end.event)) is not None:
            return end
    return group[-1]


def _may_go_on(first: Happened, view: View) -> bool:
    """Return True if the first event of a stage may belong to a fight that began before."""
    said = view.means(first.event)
    return "battle" not in said.tells or "round" in said.tells


def _with_past(
    told: Sequence[Happened], past: Iterable[Sequence[Happened]], view: View
) -> list[list[Happened]] | None:
    """Return the fights of a stage whose first one began earlier; None if none did."""
    whole = list(told)
    for earlier in past:
        if not any(_phase(one, view) == _phase(told[0], view) for one in earlier):
            return None
        whole = [*earlier, *whole]
        groups = _groups(whole, view)
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
    for one in happened:
        said = view.means(one.event)
        if loose and _phase(loose[0], view) != _phase(one, view):
            loose = []
        if "approach" in said.tells:
            coming.append(one)
            group = []
            continue
        if "battle" in said.tells:
            before = _round_of(one, said, groups, view)
            if before is None:
                led = _prelude(loose, said, view) or _felled(loose, one, said, view)
                before = [*_approached(one, said, coming, view), *led, one]
                groups.append(before)
            else:
                before.append(one)
            group, loose = before, []
        elif group and not _leads_up(said) and _belongs(one, said, _opening(group, view), view):
            group.append(one)
        else:
            group = []
            if not set(said.tells) & ELSEWHERE:
                loose.append(one)
            if "outcome" in said.tells:
                groups += [loose] if _is_told(loose, said, view) else []
                loose = []
    return [each for each in groups if _has_weight(each, view)]


def _is_told(loose: Sequence[Happened], ended: Meaning, view: View) -> bool:
    """Return True if an end without a battle in this stage makes a card.

    That of a fight always does, that of something else (an air mission) if it was met, cost or brought
    something.
    """
    return "prelude" not in ended.tells or any(WEIGHTY & {*view.means(one.event).tells} for one in loose)


def _has_weight(group: Sequence[Happened], view: View) -> bool:
    """Return True if more happened than shots at passers-by that hit nobody."""
    said = [view.means(one.event) for one in group]
    fire = [each for each in said if "fire" in each.tells]
    others = any("battle" in each.tells and "fire" not in each.tells for each in said)
    hit = any(each.units for each in fire) or any({"loss", "capture"} & {*each.tells} for each in said)
    return not fire or others or hit


def _opening(group: Sequence[Happened], view: View) -> Happened:
    """Return the event with which a fight began: the first battle event, after approaches."""
    return next((one for one in group if "battle" in view.means(one.event).tells), group[0])


def _round_of(
    happened: Happened, said: Meaning, groups: Sequence[list[Happened]], view: View
) -> list[Happened] | None:
    """Return the battle that this is a round of: in its phase, at its place, not over yet."""
    if "round" not in said.tells:
        return None
    for group in reversed(groups):
        first = _opening(group, view)
        if _under(happened, _phase(first, view), view) and set(said.here) & set(view.means(first.event).here):
            over = any("outcome" in view.means(each.event).tells for each in group)
            return None if over else group
    return None


def _approached(happened: Happened, said: Meaning, coming: list[Happened], view: View) -> list[Happened]:
    """Return the approaches in this phase to the place of a battle that may have rounds."""
    coming_here = [
        each
        for each in coming
        if "round" in said.tells
        and set(view.means(each.event).here) & set(said.here)
        and _under(happened, _phase(each, view), view)
    ]
    for each in coming_here:
        coming.remove(each)
    return coming_here


def _leads_up(said: Meaning) -> bool:
    """Return True if a fight may follow from this; the end of a prelude is none."""
    return "prelude" in said.tells and "outcome" not in said.tells


def _prelude(loose: Sequence[Happened], said: Meaning, view: View) -> list[Happened]:
    """Return the earlier events of this phase that belong to a battle: from its prelude on."""
    for number in range(len(loose) - 1, -1, -1):
        before = view.means(loose[number].event)
        if _leads_up(before):
            return list(loose[number:]) if set(before.places) & set(said.here) else []
    return []


def _felled(loose: Sequence[Happened], happened: Happened, said: Meaning, view: View) -> list[Happened]:
    """Return losses of a battle's first round that are reported just before it."""
    felled: list[Happened] = []
    for before in reversed(loose if "round" in said.tells else ()):
        meant = view.means(before.event)
        if (
            "loss" not in meant.tells
            or not set(meant.here) & set(said.here)
            or not _under(before, _phase(happened, view), view)
        ):
            break
        felled.insert(0, before)
    return felled


def _phase(happened: Happened, view: View) -> tuple[Stop, ...]:
    """Return the place in the sequence of play, without its last step."""
    return view.at(happened.event).stops[:-1]


def _belongs(happened: Happened, said: Meaning, first: Happened, view: View) -> bool:
    """Return True if an event is part of the fight that began with `first`."""
    if not _under(happened, _phase(first, view), view):
        return False
    here = view.means(first.event).here
    return not set(said.tells) & ELSEWHERE or bool(set(said.places) & set(here))


def _under(happened: Happened, phase: Sequence[Stop], view: View) -> bool:
    return view.at(happened.event).stops[: len(phase)] == tuple(phase)


def _card(group: Sequence[Happened], view: View) -> Fight:
    said = [view.means(one.event) for one in group]
    first = next((n for n, each in enumerate(said) if "battle" in each.tells), None)
    told = said[first] if first is not None else next(each for each in said if "outcome" in each.tells)
    place = next(iter((*told.here, *told.places)), "")
    ended = [one for one, each in zip(group, said, strict=True) if "outcome" in each.tells]
    rolls = [entry for one in group for entry in one.words().rolls]
    forces = _forces(said, view)
    opened = first is None and _leads_up(said[0])
    attackers = _announced(said, view) or told.attackers or _came(said, forces, view)
    met = told.defenders if not set(told.defenders) & set(attackers) else ()
    defenders = met or _against(attackers, said, forces, view)
    why, reasons = _because(group, said, {*attackers, *defenders}, view)
    events = [one.event for one in group]
    fought, outlook = view.fought_from(events), view.outlook_from(events)
    plain = without_letters(events, view)
    outcome = [text for one in ended if (text := _on_card(one, view, one.words().headline))]
    if fought is not None:
        outcome, why = [fought_words(fought, view)], why or [view.wording.text(fought.why)]
    return Fight(
        place=safe(place),
        where=safe(view.place(place)),
        numbers=tuple(one.number for one in group if one.stage is None),
        began=None
        if first is None and not opened
        else plain("; ".join(_beginning(group, said, first if first is not None else 0, view))),
        since=group[0].stage,
        attackers=attackers,
        defenders=defenders,
        strengths=tuple(_told(group, said, "forces", view)),
        results=tuple(_told(group, said, "result", view)),
        outcome=tuple(outcome),
        because=tuple(why),
        follows=tuple(_follows(group, said, why, reasons, view)),
        left=tuple(map(plain, _told(group, said, "left", view))),
        losses=tuple(losses([one.event for one in group], view)),
        dice=tuple(sums(rolls, view.rollers)) if rolls else (),
        throws=tuple(entry for entry in rolls if entry.better and entry.thrower and entry.hits is None),
        forces=tuple(_in_order(forces, attackers, defenders, view)),
        outlook=outlook.in_hindsight(fought.end) if outlook is not None and fought is not None else outlook,
        fought=fought,
        holder=""
        if view.tells_outcomes or not told.attackers or _changed_hands(place, said)
        else _holder(place, view),
    )


def _beginning(group: Sequence[Happened], said: Sequence[Meaning], first: int, view: View) -> list[str]:
    """Return how a fight began: its prelude and its first battle, unless that is a result."""
    told = [
        _on_card(group[n], view)
        for n in range(first + 1)
        if "prelude" in said[n].tells or (n == first and "result" not in said[n].tells)
    ]
    return [text for text in told if text]


def _on_card(happened: Happened, view: View, headline: str | None = None) -> str:
    """Return an event in the words of the wording's cards, else as headline or sentence."""
    said = view.wording.card(view.named(happened.event))
    return said if said is not None else headline or happened.words().text


def _forces(said: Sequence[Meaning], view: View) -> dict[str, str]:
    """Return the counters in a fight with their owners.

    The owner of an eliminated one is the loser, else who attacked or defended with it.
    """
    gone = {id: each.losers[0] for each in said if "loss" in each.tells and each.losers for id in each.units}
    lines: dict[str, str] = {}
    for each in said:
        near = each.units if "approach" in each.tells else ()
        if not {"approach", "battle"} & set(each.tells):
            continue
        stood = next((owner for id in each.stood if (owner := view.whose(id))), "")
        for ids, usual in (
            (near, each.players),
            (each.came, each.attackers or each.players),
            (each.stood, each.defenders or ((stood,) if stood else ())),
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


def _changed_hands(place: str, said: Sequence[Meaning]) -> bool:
    return any(each.place == place for one in said for each in one.captures)


def _announced(said: Sequence[Meaning], view: View) -> tuple[str, ...]:
    """Return who started a fight by its prelude: the attacker even if others fired first."""
    return (
        tuple(who for who in said[0].players if who in {*view.powers, *view.players})
        if (_leads_up(said[0]))
        else ()
    )


def _came(said: Sequence[Meaning], forces: Mapping[str, str], view: View) -> tuple[str, ...]:
    """Return the attacker where no event says so.

    Whose units came, else whose enemies were there, else the first one concerned.
    """
    came = [forces[id] for each in said for id in each.came if id in forces]
    if not came:
        stood = {view.side(forces[id]) for each in said for id in each.stood if id in forces}
        came = [owner for owner in forces.values() if stood and view.side(owner) not in stood]
    if not came:
        held = {
            view.side(str(view.holder(hex))) for each in said[:1] for hex in each.here if view.holder(hex)
        }
        came = [owner for owner in forces.values() if held and view.side(owner) not in held]
    if not came and len({view.side(owner) for owner in forces.values()}) == 1:
        came = list(forces.values())
    if not came:
        fought = [each for each in said if "outcome" not in each.tells]
        came = [who for each in fought for who in each.players[:1] if len(each.players) > 1][:1]
    return tuple(dict.fromkeys(came))


def _against(
    attackers: Sequence[str], said: Sequence[Meaning], forces: Mapping[str, str], view: View
) -> tuple[str, ...]:
    """Return the defenders where no event says so.

    They own the named units or lost any, and are of another side; of a place hit without units its holder, or
    whoever is left.
    """
    named = [forces[id] for each in said for id in each.stood if id in forces] or list(forces.values())
    named += [view.owner(id) for one in said for id in one.units if id in view.position.counters]
    named += [loser for one in said if one.losses for loser in one.losers]
    named += [who for one in said if "battle" in one.tells for who in one.players]
    sides = {view.side(who) for who in attackers}
    known = {*view.powers, *view.players}
    others = dict.fromkeys(who for who in named if who in known and view.side(who) not in sides)
    if not others:
        held = [str(view.holder(hex) or "") for one in said[:1] for hex in one.here]
        alone = view.players if len(view.players) == len(sides) + 1 else ()
        others = dict.fromkeys(who for who in held if who in known and view.side(who) not in sides)
        others = others or dict.fromkeys(who for who in alone if view.side(who) not in sides)
    led = {view.seat(who) for who in others if view.seat(who) != who}
    return tuple(who for who in others if who not in led) if attackers else ()


def _in_order(
    forces: Mapping[str, str], attackers: Sequence[str], defenders: Sequence[str], view: View
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield powers with their units by name: the attackers, their friends, then the others."""
    sides = {view.side(who) for who in attackers}
    owners = [who for who in attackers if who in forces.values()]
    owners += [who for who in forces.values() if view.side(who) in sides]
    for owner in dict.fromkeys([*owners, *defenders, *forces.values()]):
        units = tuple(view.unit(id) for id, whose in forces.items() if whose == owner)
        if units:
            yield owner, units


def _told(group: Sequence[Happened], said: Sequence[Meaning], what: Tells, view: View) -> list[str]:
    told = [_on_card(one, view) for one, each in zip(group, said, strict=True) if what in each.tells]
    return [text for text in told if text]


def _because(
    group: Sequence[Happened], said: Sequence[Meaning], sides: Collection[str], view: View
) -> tuple[list[str], list[Fields]]:
    """Return the reasons of a result, and their events.

    They are the system's own words, else losses and retreats of the other side.
    """
    ended = [n for n, each in enumerate(said) if "outcome" in each.tells]
    if not ended:
        return [], []
    own = [view.wording.because(view.named(group[n].event)) for n in ended]
    if any(text is not None for text in own):
        return [text for text in own if text], []
    holders = {who for n in ended for who in said[n].holders or said[n].players}
    if not holders & set(sides) or not set(sides) - holders:
        return [], []
    gone = [
        one.event
        for one, each in zip(group, said, strict=True)
        if {"loss", "retreat"} & set(each.tells) and one.words().headline and not holders & set(each.players)
    ]
    return in_few_words(gone, view, story=[one.event for one in group]), gone


def _follows(
    group: Sequence[Happened],
    said: Sequence[Meaning],
    known: Collection[str],
    reasons: Sequence[Fields],
    view: View,
) -> list[str]:
    """Return captures, lasting losses and retreats, each once; outcomes and their reasons are separate."""
    told = [
        one.event
        for one, each in zip(group, said, strict=True)
        if set(FOLLOWS) & set(each.tells)
        and "outcome" not in each.tells
        and one.words().headline
        and not any(one.event is each for each in reasons)
    ]
    story = [one.event for one in group]
    return [text for text in in_few_words(told, view, story=story) if text not in known]


def expected(fight: Fight) -> list[tuple[str, Sums]]:
    """Return the rows of dice that show luck: each player's, or those of all."""
    rows = [row for row in fight.dice if row[0] != ALL and row[1].hits is not None]
    return rows or [row for row in fight.dice if row[0] == ALL and row[1].hits is not None]
