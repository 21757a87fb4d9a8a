"""What the Supply Phase asks: D-RECOV, D-TRACE, D-EAT; loads of organic trucks (4.0.5, 4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pbem.kit.faults import illegal, unknown
from pbem.kit.picking import Picks
from pbem.rules import (
    Decision,
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    Name,
    Next,
    Option,
    Points,
    decision,
)

from ..meals import Fed, cheapest, eat_faults, eaten
from ..pieces import Unit, units
from ..trace import Tracing

YesNo = Literal["yes", "no"]


@dataclass(frozen=True)
class EatStanding:
    """Feed always, never, or as long as so much is left."""

    always: bool = True
    keep_T: int = 0


class Feeding(Draft[Fed]):
    """4.5.3 Units that are fed, each from a dump."""

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
                    yield Next(Fed(id, hex), f"{id} eats from {hex}", Points((id,), end=hex))

    def faults(self, element: Fed) -> list[Diagnostic]:
        if element.unit not in self.untraced or any(e.unit == element.unit for e in self.elements):
            return [illegal("E-SUP-PATH", "4.5.3", f"{element.unit} need not eat", "unit")]
        return eat_faults(self.game, self.player, (*self.elements, element))

    def do(self, element: Fed) -> None:
        pass

    def words(self, element: Fed) -> str:
        return f"{element.unit} eats from {element.dump or 'the nearest dump'}"

    def nothing(self) -> str:
        return "nobody is fed"


@decision("eating", rule="4.5.3", answer=tuple[Fed, ...], standing=("eat", EatStanding), secrecy="sealed")
class Eating(Growing[tuple[Fed, ...]]):
    """Which untraced units are fed, and from which dumps?"""

    player: str
    untraced: tuple[str, ...]

    def draft(self, game: Game) -> Feeding:
        return Feeding(game, self.player, self.untraced)

    def default(self, game: Game) -> tuple[Fed, ...]:
        """D-EAT: all that can be, from the fewest dumps, formations last."""
        return cheapest(game, self.player, self.untraced, 0)

    def from_standing(self, game: Game, orders: list[EatStanding]) -> tuple[Fed, ...] | None:
        if not orders:
            return None
        keep = orders[0].keep_T
        return cheapest(game, self.player, self.untraced, keep) if orders[0].always else ()

    def waits(self, game: Game) -> bool:
        return False


@decision(
    "recover", rule="4.5.1", answer=tuple[Name, ...], standing=("recover", tuple[str, ...]), secrecy="sealed"
)
class Recover(Growing[tuple[str, ...]]):
    """In what order are internal stocks refilled? Those not named follow, the cheapest first."""

    player: str

    def draft(self, game: Game) -> Picks:
        short = [u.id for u in units(game, self.player) if u.internal != "full"]
        return Picks(game, self.player, short, rule="4.5.1", words="then {id}", nothing="the cheapest first")

    def from_standing(self, game: Game, orders: list[tuple[str, ...]]) -> tuple[str, ...] | None:
        short = {u.id for u in units(game, self.player) if u.internal != "full"}
        return tuple(id for id in orders[0] if id in short) if orders else None

    def waits(self, game: Game) -> bool:
        return False


class Providing(Draft[Entry[str]]):
    """4.5.2 A provider for each formation."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.able = Tracing(game, player).providers()

    def next(self, of: str | None = None) -> Iterator[Next[Entry[str]]]:
        for name, able in self.able.items():
            for provider in able:
                one = Entry(name, provider)
                if of in (None, provider) and not self.faults(one):
                    yield Next(one, f"{provider} serves {name}", Points())

    def faults(self, element: Entry[str]) -> list[Diagnostic]:
        if element.key not in self.able:
            return [
                unknown(
                    "E-SUP-PATH", "4.5.2", f"no formation {element.key}", name=element.key, names=self.able
                )
            ]
        if any(e.key == element.key for e in self.elements):
            return [illegal("E-SUP-PATH", "4.5.2", f"{element.key} is named twice")]
        if element.value not in self.able[element.key]:
            return [illegal("E-SUP-PATH", "4.5.2", f"{element.value} serves no unit of {element.key}")]
        return []

    def do(self, element: Entry[str]) -> None:
        pass

    def words(self, element: Entry[str]) -> str:
        return f"{element.value} serves {element.key}"

    def nothing(self) -> str:
        return "the one that covers most of each"


@decision(
    "trace-provider",
    rule="4.5.2",
    answer=dict[str, Name],
    standing=("trace_provider", dict[str, str]),
    secrecy="sealed",
)
class TraceProvider(Growing[dict[str, str]]):
    """Which HQ or source serves each formation?"""

    player: str
    drafts = Providing

    def from_standing(self, game: Game, orders: list[dict[str, str]]) -> dict[str, str] | None:
        if not orders:
            return None
        able = Tracing(game, self.player).providers()
        return {name: one for name, one in orders[0].items() if one in able.get(name, ())}

    def waits(self, game: Game) -> bool:
        return False


@decision("use-organic", rule="4.0.5", answer=YesNo, standing=("use_organic", YesNo), secrecy="sealed")
class UseOrganic(Decision[str]):
    """Are the loads of organic trucks used without being named?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("no", "only where an order names their hex")
        yield Option("yes", "as any other supply of their formation")

    def default(self, game: Game) -> str:
        return "no"

    def from_standing(self, game: Game, orders: list[str]) -> str | None:
        return orders[0] if orders else None

    def waits(self, game: Game) -> bool:
        return False
