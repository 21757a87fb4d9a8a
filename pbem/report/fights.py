"""Which of a report's events belong to one fight, and what a card about it says: who, where, the dice beside
what was to be expected, losses, who holds, and what follows.

Made from what events declare (`tells`, types of fields): a fight begins with an event that tells a battle,
and ends with the phase it lies in, with the next battle, or when something else happens elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.model.events import Tells
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
    came of it. `dice` are the sums of each player and of all.
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


def fights(happened: Iterable[Happened], view: View) -> list[Fight]:
    """The fights of a stage in the order in which they began."""
    return [_card(group, view) for group in _groups(list(happened), view)]


def _groups(happened: Sequence[Happened], view: View) -> Iterator[list[Happened]]:
    """Events that belong together, each group with its first event first.

    `loose` is what happened in this phase outside of a fight that began in this stage: it belongs to one of
    an earlier stage if that turns out to end here.
    """
    group: list[Happened] = []
    loose: list[Happened] = []
    for one in happened:
        said = view.means(one.event)
        begins = "battle" in said.tells and not (group and _goes_on(one, said, group[0], view))
        if group and (begins or not _belongs(one, said, group[0], view)):
            yield group
            group = []
        if begins:
            group, loose = [one], []
        elif group:
            group.append(one)
        else:
            if loose and _phase(loose[0]) != _phase(one):
                loose = []
            if not set(said.tells) & ELSEWHERE:
                loose.append(one)
            if "outcome" in said.tells:
                yield loose
                loose = []
    if group:
        yield group


def _phase(one: Happened) -> list[str]:
    """Where the sequence of play stood, without its last step."""
    return str(one.event.get("at", "")).split(", ")[:-1]


def _belongs(one: Happened, said: Meaning, first: Happened, view: View) -> bool:
    """Is an event part of the fight that began with `first`?"""
    if not _under(one, _phase(first)):
        return False
    here = view.means(first.event).here
    return not set(said.tells) & ELSEWHERE or bool(set(said.places) & set(here))


def _goes_on(one: Happened, said: Meaning, first: Happened, view: View) -> bool:
    """Is this a round of the battle that goes on: in the same phase, at the same place?"""
    there = view.means(first.event).here
    return "round" in said.tells and _under(one, _phase(first)) and bool(set(said.here) & set(there))


def _under(one: Happened, phase: Sequence[str]) -> bool:
    return str(one.event.get("at", "")).split(", ")[: len(phase)] == list(phase)


def _card(group: Sequence[Happened], view: View) -> Fight:
    said = [view.means(one.event) for one in group]
    opened = "battle" in said[0].tells
    told = said[0] if opened else next(each for each in said if "outcome" in each.tells)
    place = next(iter((*told.here, *told.places)), "")
    ended = [one for one, each in zip(group, said, strict=True) if "outcome" in each.tells]
    rolls = [entry for one in group for entry in one.rolls]
    return Fight(
        place=safe(place),
        where=safe(view.place(place)),
        numbers=tuple(one.number for one in group),
        began=group[0].text if opened else None,
        attackers=told.attackers,
        defenders=told.defenders or _against(told.attackers, said, view),
        results=tuple(_told(group[opened:], said[opened:], "result")),
        outcome=tuple(one.headline or one.text for one in ended),
        follows=tuple(_follows(group, said, view)),
        losses=tuple(losses([one.event for one in group], view)),
        dice=tuple(sums(rolls, view.rollers)) if rolls else (),
    )


def _against(attackers: Sequence[str], said: Sequence[Meaning], view: View) -> tuple[str, ...]:
    """Who stood against these attackers where no event says so: whose units are named, or who lost any, and
    who is led by another seat."""
    seats = view.position.tracks.get("seats")
    led = seats if isinstance(seats, dict) else {}
    named = [view.owner(id) for one in said for id in one.units if id in view.position.counters]
    named += [loser for one in said if one.losses for loser in one.losers]
    sides = {led.get(who, who) for who in attackers}
    others = dict.fromkeys(who for who in named if who in view.powers and led.get(who, who) not in sides)
    return tuple(others) if attackers else ()


def _told(group: Sequence[Happened], said: Sequence[Meaning], what: Tells) -> list[str]:
    return [one.text for one, each in zip(group, said, strict=True) if what in each.tells]


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
