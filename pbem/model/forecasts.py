"""A fight before and after it: what a rules system expects of it, and how it ended.

Before it, `Forecast.sentence` says the same in `pbem odds`, in `orders check`, at the table and on the card.
After it, `Fought.sentence` says who took or held the place, what it cost each side, and why. Both name the
end by one of six kinds (`END`), so a forecast can be compared with what the rules bring
(`pbem.testing.fights`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, get_args

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, in_turn

End = Literal["taken", "cleared", "undecided", "held", "repelled", "eliminated"]
"""Ends of a fight for its attackers. They hold the place, or may enter it and nobody defends it (`taken`).
Nobody defends it and they do not enter (`cleared`). Both stay in it, and the fight goes on (`undecided`). The
defenders hold, and the attackers are where they were (`held`), must go back (`repelled`), or are all gone
(`eliminated`)."""
Unit = Literal["steps", "points", "units"]
"""The units of losses: steps, strength points, or whole units."""
ENDS: tuple[End, ...] = get_args(End)
UNITS: tuple[Unit, ...] = get_args(Unit)
SAME: Mapping[End, End] = {"taken": "cleared", "cleared": "taken", "held": "repelled", "repelled": "held"}
"""Ends of the same results, by what a side chose: to advance or not, to lose steps or to retreat."""
MOST_CASES = 3
"""Conditions that the sentence names; a page lists them all."""
_HALF = Fraction(1, 200)


@dataclass(frozen=True)
class Forecast:
    """A forecast of a whole fight, to its end.

    `sides` are the players with their strengths in words, the attacker first.

    `ends` says how likely each end is; the chances add up to 1. `losses` is what the attackers and what the
    defenders lose on average, in `unit`; None if the reader cannot know. Where nobody may fight, `ends` is
    empty and `case` says why.

    `case` is a condition in words that this forecast takes for granted ("if no leader is committed").
    `others` are forecasts of the same fight under other conditions.

    `odds` and `chances` are the table below the sentence: the column, and each printed result with its
    chance. `expected` is what each player may expect of another quantity. `unknown` counts the units of each
    player that the reader cannot judge and that are left out.
    """

    place: str
    sides: tuple[tuple[str, str], ...]
    case: str = ""
    odds: str = ""
    chances: tuple[tuple[str, Fraction], ...] = ()
    expected: tuple[tuple[str, str, Fraction], ...] = ()
    unknown: tuple[tuple[str, int], ...] = ()
    ends: tuple[tuple[End, Fraction], ...] = ()
    losses: tuple[Fraction | None, ...] = ()
    unit: Unit = "steps"
    others: tuple[Forecast, ...] = ()

    def chance(self, end: End) -> Fraction:
        """Return how likely an end is."""
        return sum((chance for name, chance in self.ends if name == end), Fraction(0))

    def sentence(self) -> str:
        """Return the fight in one sentence.

        `take 0606: 62% · retreat: 21% · expected losses 1.2 against 2.0 steps`; at the end what it takes for
        granted, and the cases in which the place is taken more or less often.
        """
        if not self.ends:
            return self.case
        aim: End = "cleared" if self.chance("cleared") else "taken"
        shown = [end for end in ENDS if end == aim or self.chance(end)]
        parts: list[str] = [_END[end](self.place, share(self.chance(end))) for end in shown]
        parts += self._losses()
        if self.case:
            parts[-1] = Message("model.forecasts.assumed", said=parts[-1], case=self.case)
        differ = [other for other in self.others if share(other.chance(aim)) != share(self.chance(aim))]
        for case in differ[:MOST_CASES]:
            parts.append(Message("model.forecasts.otherwise", case=case.case, share=share(case.chance(aim))))
        return in_turn(parts, "model.forecasts.and-next")

    def in_hindsight(self, end: End) -> Forecast:
        """Return the forecast for the card of a fight that ended so.

        What both sides chose is known by then (`SAME`). If ends under a condition leave out this one, the
        condition did not hold: they are omitted.
        """
        if not self.ends or self.chance(end):
            return self
        other = SAME.get(end)
        if other is not None and self.chance(other):
            return replace(self, ends=tuple((end if kind == other else kind, n) for kind, n in self.ends))
        if not self.case:
            return self
        return replace(self, ends=(), losses=(), case="", others=())

    def _losses(self) -> Iterator[str]:
        if len(self.losses) == 2 and any(lost is not None for lost in self.losses):
            a, d = (average(lost) if lost is not None else "?" for lost in self.losses)
            yield Message("model.forecasts.losses", a=a, d=d, unit=_MANY[self.unit]())

    def faults(self) -> list[str]:
        """Return what is wrong with this forecast, for the tests of a system."""
        faults = []
        if not self.place or len(self.sides) != 2:
            faults.append("a forecast names its place, and the attackers and defenders as its two sides")
        if not self.ends and not self.case:
            faults.append("without ends, the case says why there is no fight")
        if self.ends and sum(chance for _, chance in self.ends) != 1:
            faults.append(
                f"the chances of the ends add up to {sum(chance for _, chance in self.ends)}, not 1"
            )
        names = [end for end, _ in self.ends]
        if {*names} - {*ENDS} or len({*names}) != len(names):
            faults.append(f"the ends are {names}: each once, of {', '.join(ENDS)}")
        numbers = [chance for _, chance in (*self.ends, *self.chances)]
        numbers += [lost for lost in self.losses if lost is not None]
        if any(number < 0 for number in numbers):
            faults.append("a chance or a loss is below 0")
        if self.ends and (len(self.losses) != 2 or self.unit not in UNITS):
            faults.append(f"losses are those of both sides, in one of {', '.join(UNITS)}")
        for other in self.others:
            own = "another case names the same place and its condition"
            faults += [own] if other.place != self.place or not other.case or other.others else []
            faults += other.faults()
        return faults


@dataclass(frozen=True)
class Fought:
    """The end of a fight, for the same reader.

    `end`, what the attackers and the defenders lost (None: unknown to the reader), and why, in words ("the
    defenders retreated"). Both sides are lists of players or powers. `said` says the end where nobody fights
    for a place (a strike from the air), as a message with a field `place`.
    """

    place: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    end: End
    losses: tuple[int | None, int | None]
    unit: Unit = "steps"
    why: str = ""
    said: Message | None = None

    def sentence(self) -> str:
        """Return who took or held the place (`red took 0606`, `blue held 0606`), or what `said` says."""
        if self.said is not None:
            return Message(self.said.id, **{**self.said.fields, "place": self.place})
        winner = self.attackers if self.end in ("taken", "cleared") else self.defenders
        return _ENDED[self.end](winner, self.place)

    def cost(self) -> str:
        """Return what it cost each side; empty where the reader knows neither."""
        if self.losses == (0, 0):
            return Message("model.forecasts.none-lost")
        costs = [
            Message("model.forecasts.lost", **_several(who), what=_COUNT[self.unit](lost) if lost else "")
            for who, lost in zip((self.attackers, self.defenders), self.losses, strict=True)
            if lost is not None
        ]
        return in_turn(costs, "model.forecasts.and-also")

    def faults(self) -> list[str]:
        """Return what is wrong with this account, for the tests of a system."""
        faults = []
        if (
            not self.place
            or not self.attackers
            or not self.defenders
            or {*self.attackers} & {*self.defenders}
        ):
            faults.append("a fight has a place, and attackers and defenders")
        if self.end not in ENDS or self.unit not in UNITS:
            faults.append(f"the end {self.end} and the unit {self.unit} are not of {ENDS} and {UNITS}")
        if any(lost is not None and lost < 0 for lost in self.losses):
            faults.append("a loss is below 0")
        if not self.why:
            faults.append("a fight that ended says why")
        return faults


def together(who: tuple[str, ...]) -> str:
    """Return several players or powers as one subject: `red, green and blue`."""
    if len(who) < 2:
        return "".join(who)
    return Message("model.forecasts.together", others=who[:-1], last=who[-1])


def _several(who: tuple[str, ...]) -> dict[str, Any]:
    return {"who": together(who), "count": len(who)}


_END = {
    "taken": lambda place, share: Message("model.forecasts.take", place=place, share=share),
    "cleared": lambda place, share: Message("model.forecasts.clear", place=place, share=share),
    "undecided": lambda place, share: Message("model.forecasts.undecided", share=share),
    "held": lambda place, share: Message("model.forecasts.held", share=share),
    "repelled": lambda place, share: Message("model.forecasts.repelled", share=share),
    "eliminated": lambda place, share: Message("model.forecasts.eliminated", share=share),
}
_ENDED = {
    "taken": lambda who, place: Message("model.forecasts.took", **_several(who), place=place),
    "cleared": lambda who, place: Message("model.forecasts.cleared", **_several(who), place=place),
    "undecided": lambda who, place: Message("model.forecasts.goes-on", place=place),
    "held": lambda who, place: Message("model.forecasts.did-hold", **_several(who), place=place),
    "repelled": lambda who, place: Message("model.forecasts.did-hold", **_several(who), place=place),
    "eliminated": lambda who, place: Message("model.forecasts.did-hold", **_several(who), place=place),
}
_MANY = {
    "steps": lambda: Message("model.forecasts.steps"),
    "points": lambda: Message("model.forecasts.points"),
    "units": lambda: Message("model.forecasts.units"),
}
_COUNT = {
    "steps": lambda n: Message("model.forecasts.count-steps", n=n),
    "points": lambda n: Message("model.forecasts.count-points", n=n),
    "units": lambda n: Message("model.forecasts.count-units", n=n),
}


def share(chance: Fraction) -> str:
    """Return a chance in per cent: `17%`; `<1%` and `>99%` for what is possible and what is not certain."""
    if 0 < chance < _HALF or 1 - _HALF < chance < 1:
        return "<1%" if chance < _HALF else ">99%"
    return f"{(100 * chance + Fraction(1, 2)) // 1}%"


def average(number: Fraction) -> Message:
    """Return an expected number in tenths: `1.2`; `<0.1` for what is possible and rounds to nothing."""
    tenths = (10 * number + Fraction(1, 2)) // 1
    little = not tenths and number > 0
    return Message(
        "model.forecasts.number", whole=tenths // 10, tenths=tenths % 10 or int(little), little=little
    )
