"""The attacker in an event's battle, who owns the dice that the system gives to the attacker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.model.meaning import Meaning
from pbem.report import ledger
from pbem.report.ledger import Entry
from pbem.report.reader import Fields, View


def _nobody() -> str | None:
    return None


class Attackers:
    """A tracker of attackers over events in order, across stages.

    `before` gives the attacker in the last battle of earlier stages, if these were not followed.
    """

    def __init__(self, before: Callable[[], str | None] = _nobody) -> None:
        self._before = before
        self._came: list[tuple[str, tuple[str, ...]]] = []
        self._now: str | None = None

    def of(self, event: Fields, view: View) -> str | None:
        """Return who attacks now, or None if nothing says so yet.

        The battle says it, else who came to its place and does not lead whom it hit, else the only other
        seat.
        """
        said = view.means(event)
        if "approach" in said.tells:
            self._came += [(who, said.here) for who in said.players[:1]]
        elif "battle" in said.tells:
            named = next(iter(said.attackers), None)
            self._now = named or self._who_came(said, view) or _other_seat(said, view) or self._now
        elif self._now is None and "result" in said.tells:
            self._now = self._before()
        return self._now

    def _who_came(self, said: Meaning, view: View) -> str | None:
        stood = _stood(said, view)
        near = [
            who for who, where in self._came if set(where) & set(said.here) and view.seat(who) not in stood
        ]
        return near[-1] if near and stood else None


def _stood(said: Meaning, view: View) -> set[str]:
    """Return the seats whose units were there."""
    return {view.seat(owner) for id in said.stood if (owner := view.whose(id))}


def _other_seat(said: Meaning, view: View) -> str | None:
    """Return the only seat that is on no side of those who were there."""
    sides = {view.side(seat) for seat in _stood(said, view)}
    others = [seat for seat in view.players if view.side(seat) not in sides]
    return others[0] if sides and len(others) == 1 else None


def rolled(stages: Iterable[tuple[int, Sequence[Fields], View]]) -> dict[int, list[Entry]]:
    """Return the rolls of consecutive stages, by stage, each once.

    The attacker is tracked beyond the end of a stage: a battle may begin in one and be decided in the next.
    """
    by_stage: dict[int, list[Entry]] = {}
    seen: set[tuple[int, tuple[str | int, ...]]] = set()
    attackers = Attackers()
    for stage, events, view in stages:
        mine = by_stage.setdefault(stage, [])
        for event in events:
            attacker = attackers.of(event, view)
            for entry in ledger.entries([event], stage, view.rollers, view.wording, view.events, attacker):
                if (entry.stage, entry.label) not in seen:
                    seen.add((entry.stage, entry.label))
                    mine.append(entry)
    return by_stage
