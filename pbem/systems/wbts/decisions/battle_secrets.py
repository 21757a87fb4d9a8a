"""Chits and leaders that are laid down sealed beforehand, a battle each (D-11 and D-13, section 6).

They are never asked for. A player sends them ahead with any order of his, as `sealed-intensity/defend/1` and
the like: the number counts his attacks, or his defences, from the beginning of the game. Each is a commitment
of its own, so that opening one tells nothing of the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pbem.rules import Decision, Diagnostic, Game, Name, Option, Range, decision

from .battle_chits import DefendChit, Role

Number = Annotated[int, Range(1, 999)]
Chits = tuple[DefendChit, ...]
Leaders = dict[str, Name | None]


@decision("sealed-intensity", rule="4.8.6", answer=Chits, secrecy="kept")
class SealedIntensity(Decision[Chits]):
    """Which chit by the ratio of this battle, the first entry that fits? It stays sealed until c.6."""

    player: str
    role: Role
    number: Number

    def subject(self) -> tuple[str | int, ...]:
        return (self.role, self.number)

    def options(self, game: Game, so_far: Chits | None = None) -> Iterator[Option]:
        yield Option([], "intensity 0")
        for chit in range(1, 5):
            yield Option([{"chit": chit}], f"intensity {chit}, or as far as the commander goes")

    def check(self, game: Game, answer: Chits) -> list[Diagnostic]:
        return []  # what is more than the limit counts as the limit when it is opened

    def default(self, game: Game) -> Chits:
        return ()

    def waits(self, game: Game) -> bool:
        return False


@decision("sealed-commit", rule="4.8.8", answer=Leaders, secrecy="kept")
class SealedCommit(Decision[Leaders]):
    """Which leader do you commit, by the number of the table? It stays sealed until c.8."""

    player: str
    role: Role
    number: Number

    def subject(self) -> tuple[str | int, ...]:
        return (self.role, self.number)

    def options(self, game: Game, so_far: Leaders | None = None) -> Iterator[Option]:
        yield Option({}, "commit nobody")

    def check(self, game: Game, answer: Leaders) -> list[Diagnostic]:
        return [
            Diagnostic(
                "illegal-answer", f"there is no table {table}, wanted 1 to 4", path=(table,), rule="4.8.8"
            )
            for table in answer
            if table not in ("1", "2", "3", "4")
        ]

    def default(self, game: Game) -> Leaders:
        return {}

    def repair(self, game: Game, answer: Leaders) -> Leaders:
        return {table: who for table, who in answer.items() if table in ("1", "2", "3", "4")}

    def waits(self, game: Game) -> bool:
        return False
