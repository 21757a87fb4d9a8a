"""4.3: Questions of the Reinforcement Phase (D-ARRIVE, D-SUPPLY, D-REPL, D-CONS)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pbem.kit.faults import illegal
from pbem.kit.filed import ByOrder, Unasked
from pbem.kit.picking import Entries
from pbem.rules import (
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    LocationId,
    Message,
    Next,
    Points,
    Range,
    dataclass,
    decision,
)

from ..bases import bases_of
from ..consolidation import Consolidation, consolidate
from ..consolidation import faults_of as consolidation_faults
from ..consolidation import possible as consolidations
from ..pieces import T, world_of
from ..rebuilding import RebuildOne, possible, rebuild, rebuild_faults


@dataclass(frozen=True)
class Placing:
    """The hex and mode of an arrival. `entrained`: it stays on the train if it arrives by rail."""

    hex: LocationId | None = None
    facing: Literal["combat", "move"] = "move"
    mode: Literal["plain", "reserve", "strat"] = "plain"
    entrained: bool = True


class Placings(Entries[Placing]):
    """4.3.1: Placements of arrivals, one by one, each in one of its hexes."""

    code, rule = "E-ARRIVE", "4.3.1"

    def __init__(self, game: Game, player: str, due: dict[str, tuple[str, ...]], repls: bool) -> None:
        super().__init__(game, player, due)
        self.due, self.repls = due, repls

    def values(self, key: str) -> Iterator[Placing]:
        for hex in self.due[key]:
            for facing in ("move", "combat"):
                yield Placing(hex, facing)

    def wrong(self, key: str, value: Placing) -> list[Diagnostic]:
        faults = []
        if value.hex is not None and value.hex not in self.due[key]:
            faults.append(
                illegal(
                    self.code,
                    self.rule,
                    Message("ocs.reinforcing.does-not-arrive", key=key, hex=value.hex),
                    "hex",
                )
            )
        kind = T.of(self.game).coming.get(key, {}).get("counter", {}).get("kind", "")
        if value.facing == "combat" and (value.mode == "strat" or self.repls or kind.startswith("repl")):
            faults.append(
                illegal(
                    self.code, self.rule, Message("ocs.reinforcing.has-no-combat-side", key=key), "facing"
                )
            )
        return faults

    def no_key(self, key: str) -> str:
        return Message("ocs.reinforcing.does-not-arrive-now", key=key)

    def points(self, key: str, value: Placing) -> Points:
        return Points((key,), end=value.hex)

    def words(self, element: Entry[Placing]) -> str:
        return Message(
            "ocs.reinforcing.side-up",
            unit=element.key,
            hex=element.value.hex or Message("ocs.reinforcing.first-hex"),
            facing=element.value.facing,
        )

    def nothing(self) -> str:
        return Message("ocs.reinforcing.each-in-first-hex")


@decision(
    "arrivals",
    rule="4.3.1",
    answer=dict[str, Placing],
    standing=("arrivals", dict[str, Placing]),
    secrecy="sealed",
)
class Arrivals(Unasked[dict[str, Placing]], Growing[dict[str, Placing]]):
    """Where and how do your reinforcements arrive?"""

    player: str

    def draft(self, game: Game) -> Placings:
        t = T.of(game)
        bases = tuple(bases_of(game, self.player))
        due = {
            id: bases if row["counter"]["kind"] == "aircraft" else tuple(row["hexes"])
            for id, row in sorted(t.coming.items())
            if row["turn"] <= t.turn and row["counter"]["owner"] == self.player
        }
        return Placings(game, self.player, due, False)

    def from_order(self, game: Game, order: dict[str, Placing]) -> dict[str, Placing]:
        due = self.draft(game).due
        return {id: placing for id, placing in order.items() if id in due}


@decision("replacements", rule="4.3.3", answer=dict[str, Placing], secrecy="sealed")
class ReplPlacing(Unasked[dict[str, Placing]], Growing[dict[str, Placing]]):
    """Where do your replacements arrive?"""

    player: str
    units: tuple[str, ...]
    hexes: tuple[str, ...]

    def draft(self, game: Game) -> Placings:
        return Placings(game, self.player, dict.fromkeys(self.units, self.hexes), True)


Share = Annotated[int, Range(0, 999)]


class Sharing(Entries[int]):
    """4.3.2: T for one hex after another."""

    code, rule = "E-ARRIVE", "4.3.2"

    def __init__(self, game: Game, player: str, tokens: int, hexes: tuple[str, ...]) -> None:
        super().__init__(game, player, hexes)
        self.left = tokens

    def values(self, key: str) -> Iterable[int]:
        return range(1, self.left + 1)

    def wrong(self, key: str, value: int) -> list[Diagnostic]:
        if value <= self.left:
            return []
        return [
            illegal(self.code, self.rule, Message("ocs.reinforcing.only-t-left-to-place", left=self.left))
        ]

    def no_key(self, key: str) -> str:
        return Message("ocs.reinforcing.no-supply-arrives", key=key)

    def do(self, element: Entry[int]) -> None:
        self.left -= element.value

    def points(self, key: str, value: int) -> Points:
        return Points(end=key)

    def words(self, element: Entry[int]) -> str:
        return Message("ocs.reinforcing.supply-to", t=element.value, hex=element.key)

    def nothing(self) -> str:
        return Message("ocs.reinforcing.all-first-supply-source")


@decision(
    "supply-split",
    rule="4.3.2",
    answer=dict[str, Share],
    standing=("supply_split", dict[str, Share]),
    secrecy="sealed",
)
class SupplySplit(Unasked[dict[str, int]], Growing[dict[str, int]]):
    """How do you divide the T that arrive among the hexes of arrival? The rest goes to the first."""

    player: str
    tokens: int

    def draft(self, game: Game) -> Sharing:
        return Sharing(game, self.player, self.tokens, supply_hexes(game, self.player))

    def from_order(self, game: Game, order: dict[str, int]) -> dict[str, int]:
        """Return the shares of a standing order, while the supply lasts."""
        left, shares = self.tokens, dict[str, int]()
        for hex, t in order.items():
            if hex in supply_hexes(game, self.player) and min(t, left):
                shares[hex] = min(t, left)
                left -= shares[hex]
        return shares


def supply_hexes(game: Game, side: str) -> tuple[str, ...]:
    """4.3.2: Return the hexes where supply may arrive: those of the scenario, or else the supply sources."""
    world = world_of(game)
    return tuple(world.oob[side].get("supply_hexes", world.sources[side]))


class Rebuilding(Draft[RebuildOne]):
    """4.3.4: Rebuilds, one by one."""

    def next(self, of: str | None = None) -> Iterator[Next[RebuildOne]]:
        for order in possible(self.game, self.player):
            if self.concerns(of, order.target) or of in order.repls:
                yield Next(order, self.words(order), Points(order.repls))

    def faults(self, element: RebuildOne) -> list[Diagnostic]:
        return rebuild_faults(self.game, self.player, element)

    def do(self, element: RebuildOne) -> None:
        rebuild(self.game, self.player, element)

    def words(self, element: RebuildOne) -> str:
        return Message(
            "ocs.reinforcing.rebuilt-with", target=element.target, replacements=tuple(element.repls)
        )

    def nothing(self) -> str:
        return Message("ocs.reinforcing.nothing-rebuilt")


@decision(
    "rebuild",
    rule="4.3.4",
    answer=tuple[RebuildOne, ...],
    standing=("rebuild", tuple[str, ...]),
    secrecy="sealed",
)
class Rebuild(ByOrder[tuple[RebuildOne, ...]], Growing[tuple[RebuildOne, ...]]):
    """Which units do you rebuild, with which replacements?"""

    player: str
    drafts = Rebuilding

    def from_order(self, game: Game, order: tuple[str, ...]) -> tuple[RebuildOne, ...]:
        """Return the legal rebuilds that rank first in the order, until none is left."""
        board, rebuilt = game.copy(), list[RebuildOne]()
        while able := [candidate for candidate in possible(board, self.player) if candidate.target in order]:
            rebuilt.append(min(able, key=lambda candidate: (order.index(candidate.target), candidate.repls)))
            rebuild(board, self.player, rebuilt[-1])
        return tuple(rebuilt)

    def waits(self, game: Game) -> bool:
        return next(iter(possible(game, self.player)), None) is not None


class Consolidating(Draft[Consolidation]):
    """4.3.5: Consolidations, one by one."""

    def next(self, of: str | None = None) -> Iterator[Next[Consolidation]]:
        for order in consolidations(self.game, self.player):
            if self.concerns(of, order.unit):
                yield Next(order, self.words(order), Points((order.unit,)))

    def faults(self, element: Consolidation) -> list[Diagnostic]:
        return consolidation_faults(self.game, self.player, element)

    def do(self, element: Consolidation) -> None:
        consolidate(self.game, self.player, element)

    def words(self, element: Consolidation) -> str:
        if element.removed is not None:
            return Message("ocs.reinforcing.takes-steps", unit=element.unit, removed=element.removed)
        return Message("ocs.reinforcing.takes-place", unit=element.unit, dead=element.dead)

    def nothing(self) -> str:
        return Message("ocs.reinforcing.nothing-consolidated")


@decision("consolidation", rule="4.3.5", answer=tuple[Consolidation, ...], secrecy="sealed")
class Consolidate(Unasked[tuple[Consolidation, ...]], Growing[tuple[Consolidation, ...]]):
    """Which units do you consolidate?"""

    player: str
    drafts = Consolidating
