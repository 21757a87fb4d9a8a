"""The city to which a leader returns from his wounds (4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Decision, Game, HexNumber, Option, decision

from ..pieces import world_of


@decision("return-city", rule="4.2", answer=HexNumber, secrecy="sealed")
class ReturnCity(Decision[str]):
    """In which supply city does the leader who has recovered report for duty?"""

    player: str
    leader: str
    cities: tuple[str, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.leader,)

    def options(self, game: Game, so_far: str | None = None) -> Iterator[Option]:
        for hex in self.cities:
            yield Option(hex, world_of(game).place(hex))

    def default(self, game: Game) -> str:
        return self.cities[0]
