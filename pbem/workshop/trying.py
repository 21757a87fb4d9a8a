"""Test games of a scenario by the computer: length, winners, losses, units that never moved.

Every seat is played by the system's own player, and all follows from the number of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from pathlib import Path

from pbem.bot.answers import clever
from pbem.bot.games import Stage, stages
from pbem.engine.adjudicate import game_of
from pbem.engine.powers import seats_at_start
from pbem.engine.scenarios.whole_scenario import unpack
from pbem.engine.system import System, find
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

MOST_STAGES = 1500
LOPSIDED = 80
"""Percent of the games that one result has in a lopsided scenario."""
ENOUGH = 5
"""Games that say something about who wins."""
DRAW = "draw"
_ENDS = ("game-", "victory")


@dataclass
class Tried:
    """The sums of some games of one scenario."""

    games: int = 0
    unfinished: int = 0
    stages: list[int] = field(default_factory=list)
    orders: Counter[str] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)
    points: list[int] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    at_start: dict[str, str | None] = field(default_factory=dict)
    """Counter -> its place at the start; counters that never move stay in `still`."""
    still: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    known: tuple[str, ...] = ()

    def data(self) -> dict[str, Json]:
        """Return the result for programs."""
        return {
            "games": self.games,
            "unfinished": self.unfinished,
            "stages": list(self.stages),
            "orders": dict(sorted(self.orders.items())),
            "results": dict(sorted(self.results.items())),
            "points": list(self.points),
            "lost": dict(sorted(self.lost.items())),
            "never_moved": [*sorted(self.still)],
            "never_happened": [*self.rare],
            "lopsided": self.lopsided or None,
        }

    @property
    def rare(self) -> tuple[str, ...]:
        """Return the events of the rules that never happened."""
        return tuple(name for name in self.known if name not in self.seen)

    @property
    def lopsided(self) -> str:
        """Return the result that nearly every game had, or "" if there is none."""
        if self.games < ENOUGH or not self.results:
            return ""
        result, count = self.results.most_common(1)[0]
        return result if result != DRAW and 100 * count >= LOPSIDED * self.games else ""


Task = tuple[bytes, int]
"""A scenario that was checked, as its canonical bytes, and the number of a game."""


def play(_: Path, task: Task) -> Tried:
    """Play a scenario once to its end; all follows from the number of the game.

    The sender of the tasks reads and checks the folder once, so a change to it affects no game that
    is under way.
    """
    data, number = task
    system, name = _opened(data)
    tried = Tried(known=tuple(sorted(system.registry.events)))
    _play_once(system, name, f"try/{number}", tried)
    return tried


@lru_cache(maxsize=1)
def _opened(data: bytes) -> tuple[System, str]:
    """Return the rules with a scenario, and its id: a process plays one game after the other."""
    whole = unpack(data)
    return find(whole.system).with_scenario(whole), whole.id


def all_of(games: Sequence[Tried]) -> Tried:
    """Return the sums of games of one scenario, at least one."""
    sums = Tried(at_start=games[0].at_start, still=set(games[0].still), known=games[0].known)
    for game in games:
        sums.games += game.games
        sums.unfinished += game.unfinished
        sums.stages += game.stages
        sums.points += game.points
        sums.orders += game.orders
        sums.results += game.results
        sums.lost += game.lost
        sums.seen |= game.seen
        sums.still &= game.still
    return sums


def _play_once(system: System, scenario: str, seed: str, tried: Tried) -> None:
    owners: dict[str, str] = {}
    events: list[Mapping[str, Json]] = []
    last: Stage | None = None
    for last in stages(system, scenario, None, seed, clever):
        position = last.outcome.position
        events += [told_event.event for told_event in last.outcome.told]
        tried.orders.update({question.party for question in last.outcome.pending})
        places = {id: _place(fields) for id, fields in position.counters.items()}
        if not tried.at_start:
            tried.at_start, tried.still = places, set(places)
        if last.number == 0:
            owners = {
                id: _owner(fields, last.outcome.state.players) for id, fields in position.counters.items()
            }
        tried.still &= {id for id, place in places.items() if tried.at_start.get(id) == place}
        if last.number >= MOST_STAGES:
            break
    assert last is not None
    tried.games += 1
    tried.stages.append(last.number)
    tried.seen |= {str(event.get("event", "")) for event in events}
    powers = seats_at_start(system.scenario(scenario))
    gone = [owner for id, owner in owners.items() if id not in last.outcome.position.counters]
    tried.lost.update(powers.get(owner, owner) for owner in gone if owner)
    if not last.outcome.finished:
        tried.unfinished += 1
        return
    ending = system.ending(game_of(system, last.outcome.state, last.outcome.position))
    if ending is not None and ending.points is not None:
        tried.points.append(ending.points)
    tried.results[_result(events, ending.best if ending is not None else None)] += 1


def _place(fields: Mapping[str, Json]) -> str | None:
    hex = fields.get("hex")
    return hex if isinstance(hex, str) else None


def _owner(fields: Mapping[str, Json], seats: tuple[str, ...]) -> str:
    for name in ("owner", "side"):
        value = fields.get(name)
        if isinstance(value, str):
            return value
    return ""


def _result(events: list[Mapping[str, Json]], best: tuple[str, ...] | None) -> str:
    """Return who won, as the last event that names a result says; `best` are the seats in first place."""
    for event in reversed(events):
        for key in ("winner", "result"):
            if str(event.get("event", "")).startswith(_ENDS) and event.get(key) is not None:
                return str(event[key])
    return best[0] if best is not None and len(best) == 1 else DRAW


def lines_of(tried: Tried) -> list[str]:
    """Return the results of the games, in words."""
    lines: list[str] = []
    if tried.stages:
        least, most = min(tried.stages), max(tried.stages)
        mean = sum(tried.stages) // len(tried.stages)
        lines.append(Message("workshop.trying.length", games=tried.games, mean=mean, least=least, most=most))
    for seat, count in sorted(tried.orders.items()):
        lines.append(Message("workshop.trying.orders", seat=seat, count=count // max(1, tried.games)))
    for result, count in tried.results.most_common():
        winner = Message("workshop.trying.draw") if result == DRAW else result
        lines.append(Message("workshop.trying.result", result=winner, count=count))
    if tried.points:
        mean = sum(tried.points) // len(tried.points)
        lines.append(
            Message("workshop.trying.points", least=min(tried.points), most=max(tried.points), mean=mean)
        )
    for seat, count in sorted(tried.lost.items()):
        lines.append(Message("workshop.trying.lost", seat=seat, count=count // max(1, tried.games)))
    if tried.unfinished:
        lines.append(Message("workshop.trying.unfinished", count=tried.unfinished, most=MOST_STAGES))
    if tried.still:
        lines.append(Message("workshop.trying.still", ids=tuple(sorted(tried.still))))
    if tried.rare:
        lines.append(Message("workshop.trying.never", names=tried.rare))
    if tried.lopsided:
        lines.append(Message("workshop.trying.lopsided", result=tried.lopsided))
    elif tried.games < ENOUGH:
        lines.append(Message("workshop.trying.too-few", enough=ENOUGH))
    return lines
