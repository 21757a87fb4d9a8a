"""Retreats and the advance (D-15 to D-18; 4.8.11 to 4.8.14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pbem.rules import Decision, Diagnostic, Game, HexNumber, Name, Option, decision, fact

from ..battle.leaving import FORT, STAY, Leaver, Why, leavers, room_inside, wished
from ..battle.occupation import able_to_advance, able_to_follow
from ..battle.retreats import REASONS, barred, weight
from ..battle.state import Battle, current
from ..battle.strength import ENDLESS
from ..pieces import has_troops

Goal = Literal["stay", "fort"] | HexNumber
Role = Literal["attack", "defend"]


@dataclass(frozen=True)
class RetreatStanding:
    """Standing order for required retreats: what exempt units do, and hexes in order of preference."""

    exempt: Literal["stay", "go"] = "stay"
    prefer: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class DefendVoluntary:
    """Retreat as defender if the ratio (100 x A / D after c.5) is at least this; left out: never."""

    if_ratio_at_least: int | None = None
    prefer: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class AttackVoluntary:
    """Retreat as attacker if the ratio is below this; left out: never."""

    if_ratio_below: int | None = None
    prefer: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class VoluntaryStanding:
    """Standing order for retreats that nobody orders."""

    defend: DefendVoluntary | None = None
    attack: AttackVoluntary | None = None


class Retreat(Decision[dict[str, str]]):
    """What required and voluntary retreats have in common: who goes where. Those left out do as is usual."""

    number: int
    hex: HexNumber

    @property
    def why(self) -> Why:
        """Which of the three kinds of retreat it is."""
        raise NotImplementedError

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)

    def listed(self, game: Game) -> list[Leaver]:
        """Everybody it is about."""
        return leavers(game, current(game), self.player, self.why)

    def options(self, game: Game, so_far: dict[str, str] | None = None) -> Iterator[Option]:
        given = so_far or {}
        if so_far is None:
            yield Option({}, "as is usual")
        rooms = self._rooms_left(game, given)
        for one in self.listed(game):
            if one.id in given:
                continue
            for to in one.places:
                yield Option({**given, one.id: to}, f"{one.id} to {to}")
            if one.must and rooms.get(one.start, -1) >= weight(game, one.id):
                yield Option({**given, one.id: FORT}, f"{one.id} into the fort")
            if not one.must:
                yield Option({**given, one.id: STAY}, f"{one.id} stays")

    def _rooms_left(self, game: Game, given: dict[str, str]) -> dict[str, int]:
        rooms = room_inside(game, current(game), self.player, self.why)
        for one in self.listed(game):
            if given.get(one.id) == FORT and one.start in rooms:
                rooms[one.start] -= weight(game, one.id)
        return rooms

    def check(self, game: Game, answer: dict[str, str]) -> list[Diagnostic]:
        known = {one.id: one for one in self.listed(game)}
        rooms = room_inside(game, current(game), self.player, self.why)
        found: list[Diagnostic] = []
        for id, goal in answer.items():
            led = has_troops(game, [other for other, there in answer.items() if there == goal])
            code, why = self._why_not(game, known.get(id), id, goal, rooms, led)
            if code:
                found.append(Diagnostic(code, why, family="illegal", rule=self.rule, path=(id,)))
            elif goal == FORT:
                rooms[known[id].start] -= weight(game, id)
        return found

    def _why_not(
        self, game: Game, one: Leaver | None, id: str, goal: str, rooms: dict[str, int], led: bool
    ) -> tuple[str, str]:
        """Code and words against one destination; two empty strings if it is legal."""
        if one is None:
            return "illegal-answer", f"{id} is not among those who retreat here"
        if goal == STAY:
            return ("must-retreat", f"{id} must retreat and cannot stay") if one.must else ("", "")
        if goal == FORT:
            if one.must and rooms.get(one.start, -1) >= weight(game, id):
                return "", ""
            return "E-FORT-1", f"{id} finds no room in a fort in {one.start}"
        code = barred(game, id, one.start, goal, led=led)
        return (
            (code, f"{id} cannot retreat from {one.start} to {goal}: it {REASONS[code]}")
            if code
            else ("", "")
        )

    def default(self, game: Game) -> dict[str, str]:
        return {}

    def repair(self, game: Game, answer: dict[str, str]) -> dict[str, str]:
        """Whoever was sent where he cannot go does as is usual."""
        kept: dict[str, str] = {}
        for id, goal in answer.items():
            if not self.check(game, {**kept, id: goal}):
                kept[id] = goal
        return kept


@decision(
    "required-retreat",
    rule="4.8.11",
    answer=dict[str, Goal],
    standing=("retreat", RetreatStanding),
    facts=("hex", "number", "overrun"),
)
class RequiredRetreat(Retreat):
    """Where do your units go that must retreat? To a legal hex, `fort`, or `stay` where they are exempt."""

    player: str
    number: int
    hex: HexNumber
    overrun: bool = False

    @property
    def why(self) -> Why:
        return "overrun" if self.overrun else "required"

    def from_standing(self, game: Game, orders: list[RetreatStanding]) -> dict[str, str] | None:
        if not orders:
            return None
        return wished(self.listed(game), game, orders[0].prefer, all_go=orders[0].exempt == "go")

    @fact
    def ratio(self, game: Game) -> int:
        return _ratio(game)


@decision(
    "voluntary-retreat",
    rule="4.8.12",
    answer=dict[str, Goal],
    standing=("voluntary", VoluntaryStanding),
    facts=("hex", "number", "role"),
)
class VoluntaryRetreat(Retreat):
    """Do any of your units in this battle retreat though they need not, and where to? Those left out stay."""

    player: str
    number: int
    hex: HexNumber
    role: Role

    @property
    def why(self) -> Why:
        return "voluntary"

    def from_standing(self, game: Game, orders: list[VoluntaryStanding]) -> dict[str, str] | None:
        ratio = current(game).ratio
        for order in orders:
            if self.role == "defend" and order.defend is not None:
                least, prefer = order.defend.if_ratio_at_least, order.defend.prefer
                go = least is not None and (ratio is None or ratio >= least)
            elif self.role == "attack" and order.attack is not None:
                below, prefer = order.attack.if_ratio_below, order.attack.prefer
                go = below is not None and ratio is not None and ratio < below
            else:
                continue
            return wished(self.listed(game), game, prefer, all_go=True) if go else {}
        return None

    @fact
    def ratio(self, game: Game) -> int:
        return _ratio(game)


def _ratio(game: Game) -> int:
    """The ratio at the end of c.5, as a number."""
    ratio = current(game).ratio
    return ENDLESS if ratio is None else ratio


AdvanceStanding = Literal["none", "all"] | tuple[Name, ...]


@decision(
    "advance", rule="4.8.14", answer=tuple[Name, ...], standing=("advance", AdvanceStanding), facts=("hex",)
)
class Advance(Decision[tuple[str, ...]]):
    """Which attackers enter the hex that was taken, with which leaders, HQs and supply trains?"""

    player: str
    number: int
    hex: HexNumber

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)

    def options(self, game: Game, so_far: tuple[str, ...] | None = None) -> Iterator[Option]:
        battle = current(game)
        if so_far is None:
            yield Option([], "nobody advances")
        given = so_far or ()
        fighting = able_to_advance(game, battle)
        along = able_to_follow(game, battle) if any(id in fighting for id in given) else []
        for id in (*fighting, *along):
            if id not in given:
                yield Option([*given, id], f"{id} advances")

    def check(self, game: Game, answer: tuple[str, ...]) -> list[Diagnostic]:
        battle = current(game)
        fighting, along = able_to_advance(game, battle), able_to_follow(game, battle)
        found = [
            self._wrong(f"{id} cannot advance, wanted of: {', '.join([*fighting, *along]) or 'none'}", (n,))
            for n, id in enumerate(answer)
            if id not in (*fighting, *along) or id in answer[:n]
        ]
        if answer and not found and not any(id in fighting for id in answer):
            found.append(self._wrong("leaders, HQs and trains advance only with a unit that attacked", ()))
        return found

    def _wrong(self, message: str, path: tuple[str | int, ...]) -> Diagnostic:
        return Diagnostic("illegal-answer", message, family="illegal", rule="4.8.14", path=path)

    def default(self, game: Game) -> tuple[str, ...]:
        return ()

    def repair(self, game: Game, answer: tuple[str, ...]) -> tuple[str, ...]:
        battle = current(game)
        fighting, along = able_to_advance(game, battle), able_to_follow(game, battle)
        kept = tuple(id for id in dict.fromkeys(answer) if id in (*fighting, *along))
        return kept if any(id in fighting for id in kept) else ()

    def from_standing(
        self, game: Game, orders: list[Literal["none", "all"] | tuple[str, ...]]
    ) -> tuple[str, ...] | None:
        if not orders:
            return None
        battle = current(game)
        if orders[0] == "none":
            return ()
        if orders[0] == "all":
            return (*able_to_advance(game, battle), *able_to_follow(game, battle))
        assert isinstance(orders[0], tuple)
        return self.repair(game, orders[0])


def anybody(game: Game, battle: Battle, side: str) -> bool:
    """Whether anybody of a side could retreat of his own will."""
    return any(one.places for one in leavers(game, battle, side, "voluntary"))
