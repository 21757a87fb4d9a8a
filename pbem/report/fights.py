"""Which of a report's events belong to one fight, and what a card about it says: who, where, the dice beside
what was to be expected, losses, who holds, and what follows.

Made from what events declare (`tells`, types of fields): a fight begins with an event that tells a battle,
and ends with the phase it lies in, with the next battle, or when something else happens elsewhere. What
approached the place before belongs to it, and so do later rounds there in the same phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.model.forecasts import Forecast
from pbem.model.meaning import Meaning
from pbem.report.headlines import in_few_words
from pbem.report.ledger import ALL, Entry, Sums, sums
from pbem.report.losses import Losses, losses
from pbem.report.plain import safe
from pbem.report.reader import Fields, View
from pbem.text.dataclass import dataclass

ELSEWHERE = frozenset({"turn", "move", "arrival", "score", "end"})
"""What an event tells that is no part of a fight, unless it names the place of the fight."""
FOLLOWS = ("capture", "loss", "retreat")
"""What a card names as consequences, in this order."""
MOST_FOLLOWS = 6


@dataclass(frozen=True)
class Happened:
    """An event as the report has it: its number there, its sentence and headline, and its rolls."""

    number: int
    text: str
    headline: str | None
    rolls: Sequence[Entry]
    event: Fields


@dataclass(frozen=True)
class Fight:
    """A card. `numbers` are the items of the report that belong to it; `where` is the place with its name.

    `began` is how it began, None where that was in an earlier stage; `results` are those of the tables that
    decided it, `outcome` says who holds, `follows` what
    came of it. `dice` are the sums of each player and of all. `forces` are who took part, the attackers
    first: a power and its units by name. `outlook` is what was to be expected. `holder` is who holds the
    place of a battle at the end of the stage, where nothing else of the card says it.
    """

    place: str
    where: str
    numbers: tuple[int, ...]
    began: str | None
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    results: tuple[str, ...]
    outcome: tuple[str, ...]
    follows: tuple[str, ...]
    losses: tuple[Losses, ...]
    dice: tuple[tuple[str, Sums], ...]
    forces: tuple[tuple[str, tuple[str, ...]], ...] = ()
    outlook: Forecast | None = None
    holder: str = ""


def fights(happened: Iterable[Happened], view: View) -> list[Fight]:
    """The fights of a stage in the order in which they began."""
    return [_card(group, view) for group in _groups(list(happened), view)]


def _groups(happened: Sequence[Happened], view: View) -> list[list[Happened]]:
    """Events that belong together, in the order in which they began, each group with its first event first.

    `loose` is what happened in this phase outside of a fight that began in this stage: it belongs to one of
    an earlier stage if that turns out to end here. `coming` are those who approached.
    """
    found: list[list[Happened]] = []
    group: list[Happened] = []
    loose: list[Happened] = []
    coming: list[Happened] = []
    for one in happened:
        said = view.means(one.event)
        if "approach" in said.tells:
            coming.append(one)
            group = []
            continue
        if "battle" in said.tells:
            before = _round_of(one, said, found, view)
            if before is None:
                before = [*_approached(one, said, coming, view), one]
                found.append(before)
            else:
                before.append(one)
            group, loose = before, []
        elif group and _belongs(one, said, _opening(group, view), view):
            group.append(one)
        else:
            group = []
            if loose and _phase(loose[0]) != _phase(one):
                loose = []
            if not set(said.tells) & ELSEWHERE:
                loose.append(one)
            if "outcome" in said.tells:
                found.append(loose)
                loose = []
    return found


def _opening(group: Sequence[Happened], view: View) -> Happened:
    """The event with which a fight began: the first that tells a battle, behind those who approached."""
    return next((one for one in group if "battle" in view.means(one.event).tells), group[0])


def _round_of(
    one: Happened, said: Meaning, found: Sequence[list[Happened]], view: View
) -> list[Happened] | None:
    """The battle that this is a round of: in the same phase, at the same place."""
    if "round" not in said.tells:
        return None
    for group in reversed(found):
        first = _opening(group, view)
        if _under(one, _phase(first)) and set(said.here) & set(view.means(first.event).here):
            return group
    return None


def _approached(one: Happened, said: Meaning, coming: list[Happened], view: View) -> list[Happened]:
    """Those who came in its phase to the place of a battle that may have rounds."""
    found = [
        each
        for each in coming
        if "round" in said.tells
        and set(view.means(each.event).here) & set(said.here)
        and _under(one, _phase(each))
    ]
    for each in found:
        coming.remove(each)
    return found


def _phase(one: Happened) -> list[str]:
    """Where the sequence of play stood, without its last step."""
    return str(one.event.get("at", "")).split(", ")[:-1]


def _belongs(one: Happened, said: Meaning, first: Happened, view: View) -> bool:
    """Is an event part of the fight that began with `first`?"""
    if not _under(one, _phase(first)):
        return False
    here = view.means(first.event).here
    return not set(said.tells) & ELSEWHERE or bool(set(said.places) & set(here))


def _under(one: Happened, phase: Sequence[str]) -> bool:
    return str(one.event.get("at", "")).split(", ")[: len(phase)] == list(phase)


def _card(group: Sequence[Happened], view: View) -> Fight:
    said = [view.means(one.event) for one in group]
    first = next((n for n, each in enumerate(said) if "battle" in each.tells), None)
    told = said[first] if first is not None else next(each for each in said if "outcome" in each.tells)
    place = next(iter((*told.here, *told.places)), "")
    ended = [one for one, each in zip(group, said, strict=True) if "outcome" in each.tells]
    rolls = [entry for one in group for entry in one.rolls]
    forces = _forces(said, view)
    attackers = told.attackers or _came(said, forces, view)
    defenders = told.defenders or _against(attackers, said, forces, view)
    after = first + 1 if first is not None else 0
    return Fight(
        place=safe(place),
        where=safe(view.place(place)),
        numbers=tuple(one.number for one in group),
        began=view.wording.card(view.named(group[first].event)) if first is not None else None,
        attackers=attackers,
        defenders=defenders,
        results=tuple(_later(group[after:], said[after:], view)),
        outcome=tuple(one.headline or one.text for one in ended),
        follows=tuple(_follows(group, said, view)),
        losses=tuple(losses([one.event for one in group], view)),
        dice=tuple(sums(rolls, view.rollers)) if rolls else (),
        forces=tuple(_in_order(forces, attackers, defenders, view)),
        outlook=view.outlook_from(group[first].event) if first is not None else None,
        holder="" if ended or not told.attackers or _changed_hands(place, said) else _holder(place, view),
    )


def _forces(said: Sequence[Meaning], view: View) -> dict[str, str]:
    """Who took part: counters with their owners. Of one that is gone the owner is whose loss it was, else he
    who attacked or defended with it."""
    gone = {id: each.losers[0] for each in said if "loss" in each.tells and each.losers for id in each.units}
    found: dict[str, str] = {}
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
                    found.setdefault(id, owner)
    return found


def _holder(place: str, view: View) -> str:
    """Who holds a place, or has counters there alone; else empty."""
    there = {view.owner(id) for id in view.position.at(place)} & {*view.powers}
    return str(view.holder(place) or (there.pop() if len(there) == 1 else ""))


def _changed_hands(place: str, said: Sequence[Meaning]) -> bool:
    return any(each.place == place for one in said for each in one.captures)


def _came(said: Sequence[Meaning], forces: Mapping[str, str], view: View) -> tuple[str, ...]:
    """Who attacked where no event says so: whose units came, else those who face the units that stood there,
    else the first of those whom it concerns."""
    came = [forces[id] for each in said for id in each.came if id in forces]
    if not came:
        stood = {view.seat(forces[id]) for each in said for id in each.stood if id in forces}
        came = [owner for owner in forces.values() if stood and view.seat(owner) not in stood]
    if not came:
        held = {
            view.seat(str(view.holder(hex))) for each in said[:1] for hex in each.here if view.holder(hex)
        }
        came = [owner for owner in forces.values() if held and view.seat(owner) not in held]
    if not came:
        came = [who for each in said for who in each.players[:1] if len(each.players) > 1][:1]
    return tuple(dict.fromkeys(came))


def _against(
    attackers: Sequence[str], said: Sequence[Meaning], forces: Mapping[str, str], view: View
) -> tuple[str, ...]:
    """Who stood against these attackers where no event says so: whose units are named, or who lost any, and
    who is led by another seat; of a place that was hit without any unit who holds it."""
    named = [forces[id] for each in said for id in each.stood if id in forces] or list(forces.values())
    named += [view.owner(id) for one in said for id in one.units if id in view.position.counters]
    named += [loser for one in said if one.losses for loser in one.losers]
    named += [who for one in said if "battle" in one.tells for who in one.players]
    sides = {view.seat(who) for who in attackers}
    known = {*view.powers, *view.players}
    others = dict.fromkeys(who for who in named if who in known and view.seat(who) not in sides)
    if not others:
        held = [str(view.holder(hex) or "") for one in said[:1] for hex in one.here]
        others = dict.fromkeys(who for who in held if who in known and view.seat(who) not in sides)
    return tuple(others) if attackers else ()


def _in_order(
    forces: Mapping[str, str], attackers: Sequence[str], defenders: Sequence[str], view: View
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Powers with their units by name: the attackers, their friends, then the others."""
    sides = {view.seat(who) for who in attackers}
    owners = [who for who in attackers if who in forces.values()]
    owners += [who for who in forces.values() if view.seat(who) in sides]
    for owner in dict.fromkeys([*owners, *defenders, *forces.values()]):
        units = tuple(view.unit(id) for id, whose in forces.items() if whose == owner)
        if units:
            yield owner, units


def _later(group: Sequence[Happened], said: Sequence[Meaning], view: View) -> Iterator[str]:
    """The sentences of results, and of further rounds that tell one."""
    for one, each in zip(group, said, strict=True):
        if "result" in each.tells:
            yield view.wording.card(view.named(one.event))


def _follows(group: Sequence[Happened], said: Sequence[Meaning], view: View) -> list[str]:
    """What changed hands, what was lost for good, who fell back, each once; outcomes stand by themselves."""
    told = [
        one.event
        for one, each in zip(group, said, strict=True)
        if set(FOLLOWS) & set(each.tells) and "outcome" not in each.tells and one.headline
    ]
    return in_few_words(told, view)


def expected(fight: Fight) -> list[tuple[str, Sums]]:
    """The rows of the dice that say something about luck: each player's, or those of all."""
    rows = [row for row in fight.dice if row[0] != ALL and row[1].hits is not None]
    return rows or [row for row in fight.dice if row[0] == ALL and row[1].hits is not None]
