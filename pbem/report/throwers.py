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
        said = view.means(event)
        self._follow(event, said, view)
        return ledger.entries(
            [event], stage, view.rollers, view.wording, view.events, _Fight(self, said, view)
        )

    def attacker(self, said: Meaning, view: View) -> str | None:
        """Return who attacks; None if nobody has told yet.

        The fight says it, else it is the one who came to its place and does not lead whom it hit, else
        the only other side.
        """
        attacker = self._attacker(said, view)
        if attacker is None and self._before:
            self._look_back(view)
            attacker = self._attacker(said, view)
        return attacker

    def defender(self, said: Meaning, view: View) -> str | None:
        """Return who is attacked: as the fight says, else the only seat on no side of the attacker's."""
        if said.defenders:
            return said.defenders[0]
        who = self.attacker(said, view)
        return None if who is None else _other_seat({view.side(who)}, view)

    def _follow(self, event: Fields, said: Meaning, view: View) -> None:
        if "approach" in said.tells:
            if _attacks(event, view):
                self._came += [(who, said.here) for who in said.players[:1]]
        elif "battle" in said.tells and said.attackers:
            self._now = said.attackers[0]
        elif "turn" in said.tells:
            self._came.clear()

    def _attacker(self, said: Meaning, view: View) -> str | None:
        named = next(iter(said.attackers), None) or self._who_came(said, view)
        stood = _stood(said, view)
        last = self._now if "battle" not in said.tells else None  # a battle is not the one before it
        return named or _other_seat({view.side(seat) for seat in stood}, view) or last

    def _who_came(self, said: Meaning, view: View) -> str | None:
        stood = _stood(said, view)
        near = [
            who for who, where in self._came if set(where) & set(said.here) and view.seat(who) not in stood
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

    def __init__(self, throwers: Throwers, said: Meaning, view: View) -> None:
        self._throwers, self._said, self._view = throwers, said, view

    def attacker(self) -> str | None:
        """Return who attacks."""
        return self._throwers.attacker(self._said, self._view)

    def defender(self) -> str | None:
        """Return who is attacked."""
        return self._throwers.defender(self._said, self._view)

    def whose(self, id: str) -> str:
        """Return the owner of a counter; empty for what is none."""
        return self._view.whose(id)


def _attacks(event: Fields, view: View) -> bool:
    """Check by the wording whether an approach comes to attack."""
    name, *values = view.wording.of("comes").get(str(event.get("event", "")), "").split() or [""]
    return not values or event.get(name) in values


def _stood(said: Meaning, view: View) -> set[str]:
    """Return the seats whose units stood there."""
    return {view.seat(owner) for id in said.stood if (owner := view.whose(id))}


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
