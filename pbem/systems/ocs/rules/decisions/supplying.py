"""4.0.5, 4.5: Questions of the Supply Phase (D-RECOV, D-TRACE, D-EAT), and of loads on organic trucks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from pbem.kit.faults import illegal
from pbem.kit.filed import OneOf, Unasked
from pbem.kit.picking import Entries, Picks
from pbem.rules import (
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    Message,
    Name,
    Next,
    Points,
    dataclass,
    decision,
)

from ..pieces import Unit, units
from ..supply.meals import Fed, cheapest, eat_faults, eaten
from ..supply.trace import Tracing

YesNo = Literal["yes", "no"]


@dataclass(frozen=True)
class EatStanding:
    """Always feed untraced units while `keep_T` is left, or never."""

    always: bool = True
    keep_T: int = 0


class Feeding(Draft[Fed]):
    """4.5.3: Units that eat, each from a dump."""

    def __init__(self, game: Game, player: str, untraced: tuple[str, ...]) -> None:
        super().__init__(game, player)
        self.untraced = untraced

    def next(self, of: str | None = None) -> Iterator[Next[Fed]]:
        done = {e.unit for e in self.elements}
        for id in self.untraced:
            if id in done or not self.concerns(of, id):
                continue
            for hex in eaten(self.game, self.player, Unit(self.game, id)):
                if not self.faults(Fed(id, hex)):
                    yield Next(
                        Fed(id, hex), Message("ocs.supplying.eats", unit=id, dump=hex), Points((id,), end=hex)
                    )

    def faults(self, element: Fed) -> list[Diagnostic]:
        if element.unit not in self.untraced or any(e.unit == element.unit for e in self.elements):
            return [
                illegal(
                    "E-SUP-PATH", "4.5.3", Message("ocs.supplying.need-not-eat", unit=element.unit), "unit"
                )
            ]
        return eat_faults(self.game, self.player, (*self.elements, element))

    def do(self, element: Fed) -> None:
        pass

    def words(self, element: Fed) -> str:
        return Message(
            "ocs.supplying.eats",
            unit=element.unit,
            dump=element.dump or Message("ocs.supplying.nearest-dump"),
        )

    def nothing(self) -> str:
        return Message("ocs.supplying.nobody-fed")


@decision("eating", rule="4.5.3", answer=tuple[Fed, ...], standing=("eat", EatStanding), secrecy="sealed")
class Eating(Unasked[tuple[Fed, ...]], Growing[tuple[Fed, ...]]):
    """Which untraced units eat, and from which dumps?"""

    player: str
    untraced: tuple[str, ...]

    def draft(self, game: Game) -> Feeding:
        return Feeding(game, self.player, self.untraced)

    def default(self, game: Game) -> tuple[Fed, ...]:
        """D-EAT: Return meals for all units that can eat, from the fewest dumps, formations last."""
        return cheapest(game, self.player, self.untraced, 0)

    def from_order(self, game: Game, order: EatStanding) -> tuple[Fed, ...]:
        return cheapest(game, self.player, self.untraced, order.keep_T) if order.always else ()


@decision(
    "recover", rule="4.5.1", answer=tuple[Name, ...], standing=("recover", tuple[str, ...]), secrecy="sealed"
)
class Recover(Unasked[tuple[str, ...]], Growing[tuple[str, ...]]):
    """In what order do you refill internal stocks? Units not named follow, the cheapest first."""

    player: str

    def draft(self, game: Game) -> Picks:
        short = [u.id for u in units(game, self.player) if u.internal != "full"]
        return Picks(
            game,
            self.player,
            short,
            rule="4.5.1",
            words=lambda id: Message("ocs.supplying.then", id=id),
            nothing=Message("ocs.supplying.cheapest-first"),
        )

    def from_order(self, game: Game, order: tuple[str, ...]) -> tuple[str, ...]:
        short = {u.id for u in units(game, self.player) if u.internal != "full"}
        return tuple(id for id in order if id in short)


class Providing(Entries[str]):
    """4.5.2: Providers, one for each formation."""

    code, rule = "E-SUP-PATH", "4.5.2"

    def __init__(self, game: Game, player: str) -> None:
        self.able = Tracing(game, player).providers()
        super().__init__(game, player, self.able)

    def values(self, key: str) -> Iterable[str]:
        return self.able[key]

    def wrong(self, key: str, value: str) -> list[Diagnostic]:
        if value in self.able[key]:
            return []
        return [
            illegal(
                self.code, self.rule, Message("ocs.supplying.serves-no-unit", provider=value, formation=key)
            )
        ]

    def no_key(self, key: str) -> str:
        return Message("ocs.supplying.no-formation", key=key)

    def points(self, key: str, value: str) -> Points:
        return Points()

    def words(self, element: Entry[str]) -> str:
        return Message("ocs.supplying.serves", provider=element.value, formation=element.key)

    def nothing(self) -> str:
        return Message("ocs.supplying.one-that-covers-most-of-each")


@decision(
    "trace-provider",
    rule="4.5.2",
    answer=dict[str, Name],
    standing=("trace_provider", dict[str, str]),
    secrecy="sealed",
)
class TraceProvider(Unasked[dict[str, str]], Growing[dict[str, str]]):
    """Which HQ or source serves each formation?"""

    player: str
    drafts = Providing

    def from_order(self, game: Game, order: dict[str, str]) -> dict[str, str]:
        able = Tracing(game, self.player).providers()
        return {name: provider for name, provider in order.items() if provider in able.get(name, ())}


@decision("use-organic", rule="4.0.5", answer=YesNo, standing=("use_organic", YesNo), secrecy="sealed")
class UseOrganic(OneOf, Unasked[str]):
    """Do you use the loads of organic trucks without naming them?"""

    player: str
    choices = {"no": "ocs.supplying.only-where-order-names-hex", "yes": "ocs.supplying.as-any-other-supply"}
