"""Attackers and defenders of the fight that an event belongs to.

They tell whose its dice are where the system says that they are the attacker's or the defender's.

    comes: {patrolled: "part mission transports"}   # section of the wording: an approach attacks only if its
                                                    # field `part` is one of these
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.model.meaning import Meaning
from pbem.report.reader import Fields, View
from pbem.report.whole import ledger
from pbem.report.whole.ledger import Entry


class Throwers:
    """Follows events in their order, over as many stages as there are.

    `before` gives the stages before the first one, the newest first: they are read only if somebody asks for
    what began in them.
    """

    def __init__(self, before: Iterable[Sequence[Fields]] = ()) -> None:
        self._before = before
        self._came: list[tuple[str, tuple[str, ...]]] = []
        self._now: str | None = None

    def entries(self, event: Fields, stage: int, view: View) -> list[Entry]:
        """Return the rolls of the next event, each with who threw it."""
        meaning = view.means(event)
        self._follow(event, meaning, view)
        return ledger.entries(
            [event], stage, view.rollers, view.wording, view.events, _Fight(self, meaning, view)
        )

    def attacker(self, meaning: Meaning, view: View) -> str | None:
        """Return who attacks; None if it is not known yet.

        The fight says it, else it is the one who came to its place and does not lead whom it hit, else
        the only other side.
        """
        attacker = self._attacker(meaning, view)
        if attacker is None and self._before:
            self._look_back(view)
            attacker = self._attacker(meaning, view)
        return attacker

    def defender(self, meaning: Meaning, view: View) -> str | None:
        """Return who is attacked: as the fight says, else the only seat on no side of the attacker's."""
        if meaning.defenders:
            return meaning.defenders[0]
        attacker = self.attacker(meaning, view)
        return None if attacker is None else _other_seat({view.side(attacker)}, view)

    def _follow(self, event: Fields, meaning: Meaning, view: View) -> None:
        if "approach" in meaning.tells:
            if _attacks(event, view):
                self._came += [(power, meaning.here) for power in meaning.players[:1]]
        elif "battle" in meaning.tells and meaning.attackers:
            self._now = meaning.attackers[0]
        elif "turn" in meaning.tells:
            self._came.clear()

    def _attacker(self, meaning: Meaning, view: View) -> str | None:
        named = next(iter(meaning.attackers), None) or self._who_came(meaning, view)
        stood = _stood(meaning, view)
        last = self._now if "battle" not in meaning.tells else None  # a battle is not the one before it
        return named or _other_seat({view.side(seat) for seat in stood}, view) or last

    def _who_came(self, meaning: Meaning, view: View) -> str | None:
        stood = _stood(meaning, view)
        near = [
            power
            for power, where in self._came
            if set(where) & set(meaning.here) and view.seat(power) not in stood
        ]
        return near[-1] if near else None

    def _look_back(self, view: View) -> None:
        """Follow the stages before, the oldest first, and keep what this one has told."""
        before, self._before = [*self._before], ()
        came, now = self._came, self._now
        self._came = []
        for stage in reversed(before):
            for event in stage:
                self._follow(event, view.means(event), view)
        self._came += came
        self._now = now or self._now


class _Fight:
    """The fight at one event, as the ledger asks for it."""

    def __init__(self, throwers: Throwers, meaning: Meaning, view: View) -> None:
        self._throwers, self._said, self._view = throwers, meaning, view

    def attacker(self) -> str | None:
        """Return who attacks."""
        return self._throwers.attacker(self._said, self._view)

    def defender(self) -> str | None:
        """Return who is attacked."""
        return self._throwers.defender(self._said, self._view)

    def whose(self, id: str) -> str:
        """Return the owner of a counter; empty if it is no counter."""
        return self._view.whose(id)


def _attacks(event: Fields, view: View) -> bool:
    """Check by the wording whether an approach comes to attack."""
    name, *values = view.wording.of("comes").get(str(event.get("event", "")), "").split() or [""]
    return not values or event.get(name) in values


def _stood(meaning: Meaning, view: View) -> set[str]:
    """Return the seats whose units stood there."""
    return {view.seat(owner) for id in meaning.stood if (owner := view.whose(id))}


def _other_seat(sides: set[str], view: View) -> str | None:
    """Return the only seat that is on none of these sides."""
    others = [seat for seat in view.players if view.side(seat) not in sides]
    return others[0] if sides and len(others) == 1 else None


def rolled(stages: Iterable[tuple[int, Sequence[Fields], View]]) -> dict[int, list[Entry]]:
    """Return the rolls of consecutive stages, by stage, each once.

    The attacker is tracked beyond the end of a stage: a battle may begin in one and be decided in the next.
    """
    by_stage: dict[int, list[Entry]] = {}
    seen: set[tuple[int, tuple[str | int, ...]]] = set()
    throwers = Throwers()
    for stage, events, view in stages:
        mine = by_stage.setdefault(stage, [])
        for event in events:
            for entry in throwers.entries(event, stage, view):
                if (entry.stage, entry.label) not in seen:
                    seen.add((entry.stage, entry.label))
                    mine.append(entry)
    return _fairly_counted(by_stage)


def _fairly_counted(entries: dict[int, list[Entry]]) -> dict[int, list[Entry]]:
    """Judge a player's dice by high or low if the reader doesn't know all numbers to reach.

    Those that the reader knows would all be successes.
    """
    veiled = {entry.thrower for mine in entries.values() for entry in mine if entry.veiled}
    if not veiled:
        return entries
    return {
        stage: [
            replace(entry, hits=None, rating=None) if entry.better and entry.thrower in veiled else entry
            for entry in mine
        ]
        for stage, mine in entries.items()
    }
