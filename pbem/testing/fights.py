"""Fights for tests of forecasts: offered by a position, or fought and told.

`forecasts_in` and `accounts_in` serve the gate: every forecast and every account of a game must be whole
(`Forecast.faults`, `Fought.faults`). `differences` compares a forecast with what the rules bring:

    staged = Staged(game, "2.T.4.2", phasing, orders)      # a fight that is ready, on a position of yours
    assert differences(SYSTEM, forecast, staged, judge) == []

It runs the real procedure through every result of its dice, or through a sample of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any

from pbem.bot.games import dice_seed, seen_by
from pbem.engine.adjudicate import Outcome
from pbem.engine.answers import Inputs, ScriptedSource, StageSource
from pbem.engine.game import Game
from pbem.engine.play import Played, play
from pbem.engine.system import System
from pbem.model.events import results_of
from pbem.model.facts import may_know
from pbem.model.forecasts import ENDS, End, Forecast, Fought
from pbem.report.fights.cards import fights
from pbem.report.fights.grouping import Happened
from pbem.report.reader import View
from pbem.report.wording import Wording
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

MOST_FIGHTS = 4
"""Fights that are looked at in one position, and counters that attack in each."""


def offered(system: System, game: Game, most: int = MOST_FIGHTS) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield places with somebody's counters, each with the counters of one enemy beside it or in it."""
    chart = system.map_of(game.world)
    if chart is None:
        return
    field = system.wording.get("map", {}).get("owner", "owner")
    sides, at = system.sides(game), game.position.at
    count = 0
    for place in sorted(
        {str(counter["hex"]) for counter in game.position.counters.values() if counter.get("hex")}
    ):
        if place not in chart:
            continue
        around = [place, *(chart.number(i) for i in chart.beside(chart.index(place)))]
        held = {_side(game, sides, id, field) for id in at(place)}
        near = [id for hex in around for id in sorted(at(hex))]
        for side in sorted({_side(game, sides, id, field) for id in near} - {""}):
            coming = tuple(id for id in near if _side(game, sides, id, field) == side)
            if held - {side, ""} and count < most:
                count += 1
                yield place, coming[:MOST_FIGHTS]


def _side(game: Game, sides: object, id: str, field: str) -> str:
    owner = str(game.position.counters[id].get(field) or "")
    return str(sides.get(owner, owner)) if isinstance(sides, dict) else owner


def forecasts_in(system: System, outcome: Outcome) -> Iterator[Forecast]:
    """Yield forecasts at the end of a stage, as each player sees it.

    Of the fights that are announced, and of some that the position offers.
    """
    for player in outcome.state.players:
        seen = seen_by(system, outcome, player)
        yield from system.forecasts(seen)
        for place, coming in offered(system, seen):
            yield from system.forecasts(seen, place, coming)


def accounts_in(system: System, outcome: Outcome, reader: str | None) -> Iterator[Fought]:
    """Yield how the fights of a stage ended, as a reader knows it."""
    game = seen_by(system, outcome, reader or "")
    view = View(
        game.position,
        game.players,
        Wording(system.wording),
        system.map_of(game.world),
        holders_from=lambda: system.holders(game),
        sides_from=lambda: system.sides(game),
        absent_from=lambda: system.absent(game),
        fought_from=lambda events: system.fought(game, events),
        events=system.registry.events,
        labels=system.labels(game.scenario),
    )
    heard = [told_event for told_event in outcome.told if may_know(told_event.audience, reader)]
    happened = [Happened(n, told_event.event) for n, told_event in enumerate(heard)]
    yield from (card.fought for card in fights(happened, view) if card.fought is not None)


# forecasts beside the rules


class NeedsDice(Exception):
    """A procedure asks for dice that its script lacks: these."""


class Thrown(ScriptedSource):
    """Dice as they are given, answers by default; further dice by a seed, if there is one."""

    def __init__(
        self,
        throws: Sequence[Sequence[int]] = (),
        orders: Mapping[str, Mapping[str, Any]] | None = None,
        seed: bytes | None = None,
        standing: Mapping[str, Sequence[Json]] | None = None,
    ) -> None:
        super().__init__(orders or {}, throws, standing)
        self._further = StageSource(Inputs(0, seed=seed, hidden_seed=seed))
        self._seeded = seed is not None

    def forfeits(self, party: str, key: str) -> bool:
        return True

    def roll(self, dice: str, label: list[str | int], hidden: bool) -> list[int] | None:
        if not self.leftover():
            if not self._seeded:
                raise NeedsDice(dice)
            return self._further.roll(dice, label, hidden)
        return super().roll(dice, label, hidden)


@dataclass(frozen=True)
class Staged:
    """A fight that is ready.

    The position, the node that fights it and whose turn it is, orders of players by kind of question, and
    their standing orders. Everything else is answered by default.
    """

    game: Game
    node: str
    phasing: str | None = None
    orders: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    standing: Mapping[str, Sequence[Json]] = field(default_factory=dict)

    def fight(self, source: Thrown) -> tuple[Game, Played]:
        """Run the real procedure on a copy."""
        after = self.game.copy()
        return after, play(after, self.node, source, self.phasing)

    def every(self, most: int = 3000) -> Iterator[tuple[Fraction, Game, Played]] | None:
        """Return every course of the dice with its chance, or None above the limit."""
        played: list[tuple[Fraction, Game, Played]] = []
        waiting: list[tuple[Fraction, tuple[tuple[int, ...], ...]]] = [(Fraction(1), ())]
        while waiting:
            chance, throws = waiting.pop()
            try:
                played.append((chance, *self.fight(Thrown(throws, self.orders, None, self.standing))))
            except NeedsDice as wanted:
                results = list(results_of(str(wanted)))
                waiting += [(chance / len(results), (*throws, result)) for result in results]
            if len(played) + len(waiting) > most:
                return None
        return iter(played)

    def some(self, count: int, seed: str) -> Iterator[tuple[Fraction, Game, Played]]:
        """Yield a number of courses with dice from a seed."""
        for n in range(count):
            thrown = Thrown((), self.orders, dice_seed(seed, n), self.standing)
            yield (Fraction(1, count), *self.fight(thrown))


Judge = Callable[[Game, Game, Played], "tuple[End, tuple[int, int]] | None"]
"""The end of a fight and the losses of both sides, from the position before and after it and not from what
was told; None where it was not fought."""


def differences(
    system: System,
    forecast: Forecast,
    staged: Staged,
    judge: Judge,
    *,
    sample: int = 0,
    seed: str = "",
    accounts: bool = True,
) -> list[str]:
    """Return where a forecast differs from what the rules bring.

    Exactly by every result of the dice, or by a `sample` of so many courses. What it gives no chance never
    happens. The system's own account of each course must fit as well, unless it has no `accounts` of such
    fights.
    """
    courses = staged.some(sample, seed) if sample else staged.every()
    if courses is None:
        return ["too many courses: take a sample"]
    ends: dict[End, Fraction] = {}
    losses: list[tuple[Fraction, tuple[int, int]]] = []
    faults: list[str] = []
    for chance, after, played in courses:
        judged = judge(staged.game, after, played)
        if judged is None:
            return [] if not forecast.ends else ["the rules refuse a fight that is forecast"]
        end, lost = judged
        ends[end] = ends.get(end, Fraction(0)) + chance
        losses.append((chance, lost))
        account = system.fought(after, [told_event.event for told_event in played.told])
        if account is None and not (accounts and _has_battle(system, played)):
            continue  # no fight: a place was entered
        if account is None or (account.end, account.losses) != (end, lost):
            accounted = None if account is None else (account.end, account.losses)
            faults.append(f"the rules bring {end} with losses {lost}, the account says {accounted}")
    for end in ENDS:
        expected, brought = forecast.chance(end), ends.get(end, Fraction(0))
        if not _fits(brought, expected, expected * (1 - expected), sample) or (brought and not expected):
            faults.append(f"{end}: forecast {float(expected):.4f}, the rules bring {float(brought):.4f}")
    for n, side in enumerate(("attackers", "defenders")):
        mean = sum((chance * lost[n] for chance, lost in losses), Fraction(0))
        spread = sum((chance * (lost[n] - mean) ** 2 for chance, lost in losses), Fraction(0))
        wanted = forecast.losses[n] if forecast.losses else None
        spread = spread or wanted or Fraction(0)  # rare results may be missing from a sample
        if wanted is not None and not _fits(mean, wanted, spread, sample):
            faults.append(f"losses of the {side}: forecast {float(wanted):.4f}, the rules {float(mean):.4f}")
    return list(dict.fromkeys(faults))


def _has_battle(system: System, played: Played) -> bool:
    return any(
        "battle" in system.registry.events[str(told_event.event["event"])].tells for told_event in played.told
    )


def _fits(brought: Fraction, expected: Fraction, variance: Fraction, sample: int) -> bool:
    """Return True if a figure is the expected one; of a sample, within four and a half deviations of it."""
    if not sample:
        return brought == expected
    return (brought - expected) ** 2 * sample <= Fraction(81, 4) * (variance + Fraction(2, sample))
