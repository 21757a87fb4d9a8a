"""The two secret and simultaneous choices of a battle: intensity chit and committed leader (D-11, D-13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from pbem.rules import Decision, Diagnostic, Game, HexNumber, Name, Option, Range, decision, fact

from ..battle.strength import ENDLESS
from ..pieces import leader

NONE = "none"
Chit = Annotated[int, Range(0, 99)]
Role = Literal["attack", "defend"]


@dataclass(frozen=True)
class DefendChit:
    """A chit for a defence against a ratio up to `max_ratio` per cent (100 x A / D after c.5); none: any
    ratio.
    """

    chit: Chit
    max_ratio: int | None = None


@dataclass(frozen=True)
class IntensityStanding:
    """Standing order: a chit for each attack of the turn in order, and chits for defences by the ratio."""

    attack: tuple[Chit, ...] = ()
    defend: tuple[DefendChit, ...] = ()

    def chit(self, role: str, number: int, ratio: int | None) -> int | None:
        """What it says for a battle; None if it says nothing. `ratio` None is a defence of nothing."""
        if role == "attack":
            return self.attack[number - 1] if number <= len(self.attack) else None
        fitting = (
            one.chit
            for one in self.defend
            if one.max_ratio is None or (ratio is not None and ratio <= one.max_ratio)
        )
        return next(fitting, None)


@decision(
    "intensity",
    rule="4.8.6",
    answer=Chit,
    secrecy="together",
    standing=("intensity", IntensityStanding),
    facts=("role", "hex", "number", "limit"),
)
class Intensity(Decision[int]):
    """Which intensity chit do you pick, up to the modified initiative of your commanding leader?"""

    player: str
    number: int
    hex: HexNumber
    role: Role
    limit: int
    ratio: int | None

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)

    def options(self, game: Game, so_far: int | None = None) -> Iterator[Option]:
        for chit in range(self.limit + 1):
            yield Option(chit, f"intensity {chit}")

    def check(self, game: Game, answer: int) -> list[Diagnostic]:
        if answer <= self.limit:
            return []
        message = f"chit {answer} is above the initiative of the commander, wanted 0-{self.limit}"
        return [Diagnostic("E-CHIT-1", message, family="illegal", rule="4.8.6")]

    def default(self, game: Game) -> int:
        return 0

    def repair(self, game: Game, answer: int) -> int:
        """A chit over the limit counts as the limit (4.8.6)."""
        return min(answer, self.limit)

    def from_standing(self, game: Game, orders: list[IntensityStanding]) -> int | None:
        found = (order.chit(self.role, self.number, self.ratio) for order in orders)
        chit = next((one for one in found if one is not None), None)
        return None if chit is None else min(chit, self.limit)

    @fact("ratio")
    def ratio_now(self, game: Game) -> int:
        return ENDLESS if self.ratio is None else self.ratio


CommitStanding = dict[str, Name | None]


@decision(
    "commit-leader",
    rule="4.8.8",
    answer=Name,
    secrecy="together",
    standing=("commit", CommitStanding),
    facts=("role", "hex", "number", "table"),
)
class CommitLeader(Decision[str]):
    """Which leader in a combat hex do you commit to shift the combat die, at the risk of his life? Or
    `none`.
    """

    player: str
    number: int
    hex: HexNumber
    role: Role
    table: int
    leaders: tuple[Name, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)

    def options(self, game: Game, so_far: str | None = None) -> Iterator[Option]:
        yield Option(NONE, "commit nobody")
        for id in self.leaders:
            yield Option(id, f"commit {leader(game, id).name} (combat {leader(game, id).combat})")

    def default(self, game: Game) -> str:
        return NONE

    def from_standing(self, game: Game, orders: list[CommitStanding]) -> str | None:
        """By the number of the table; a leader who is not there is as if nobody were named."""
        for order in orders:
            if str(self.table) in order:
                named = order[str(self.table)] or NONE
                return named if named in self.leaders else NONE
        return None
