"""What the Reinforcement Phase asks: D-ARRIVE, D-SUPPLY, D-REPL, D-CONS (4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pbem.kit.faults import illegal
from pbem.rules import (
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    LocationId,
    Next,
    Points,
    Range,
    decision,
)

from ..capture import bases_of
from ..consolidation import Consolidation, consolidate
from ..consolidation import faults_of as consolidation_faults
from ..consolidation import possible as consolidations
from ..pieces import T, world_of
from ..rebuilding import RebuildOne, possible, rebuild, rebuild_faults


@dataclass(frozen=True)
class Placing:
    """Where and how something arrives; by rail if it comes in on one."""

    hex: LocationId | None = None
    facing: Literal["combat", "move"] = "move"
    mode: Literal["plain", "reserve", "strat"] = "plain"
    entrained: bool = True


class Placings(Draft[Entry[Any]]):
    """4.3.1 What is due, one after another, each in one of its hexes."""

    def __init__(self, game: Game, player: str, due: dict[str, tuple[str, ...]], repls: bool) -> None:
        super().__init__(game, player)
        self.due, self.repls = due, repls

    def next(self, of: str | None = None) -> Iterator[Next[Entry[Any]]]:
        for id, hexes in self.due.items():
            for hex in hexes:
                for facing in ("move", "combat"):
                    one = Entry(id, Placing(hex, facing))
                    if (of is None or of in (id, hex)) and not self.faults(one):
                        yield Next(one, f"{id} in {hex}, {facing} side up", Points((id,), end=hex))

    def faults(self, element: Entry[Any]) -> list[Diagnostic]:
        id, one = element.key, element.value
        if id not in self.due or any(e.key == id for e in self.elements):
            return [illegal("E-ARRIVE", "4.3.1", f"{id} does not arrive now")]
        found = []
        if one.hex is not None and one.hex not in self.due[id]:
            found.append(illegal("E-ARRIVE", "4.3.1", f"{id} does not arrive in {one.hex}", "hex"))
        kind = T.of(self.game).coming.get(id, {}).get("counter", {}).get("kind", "")
        if one.facing == "combat" and (one.mode == "strat" or self.repls or kind.startswith("repl")):
            found.append(illegal("E-ARRIVE", "4.3.1", f"{id} has no combat side in that mode", "facing"))
        return found

    def do(self, element: Entry[Any]) -> None:
        pass

    def words(self, element: Entry[Any]) -> str:
        return f"{element.key}: {element.value.hex or 'its first hex'}, {element.value.facing} side up"

    def nothing(self) -> str:
        return "each in its first hex, move side up"


@decision(
    "arrivals",
    rule="4.3.1",
    answer=dict[str, Placing],
    standing=("arrivals", dict[str, Placing]),
    secrecy="sealed",
)
class Arrivals(Growing[dict[str, Placing]]):
    """Where and how do your reinforcements arrive?"""

    player: str

    def draft(self, game: Game) -> Placings:
        t = T.of(game)
        bases = tuple(bases_of(game, self.player))
        due = {
            id: bases if one["counter"]["kind"] == "aircraft" else tuple(one["hexes"])
            for id, one in sorted(t.coming.items())
            if one["turn"] <= t.turn and one["counter"]["owner"] == self.player
        }
        return Placings(game, self.player, due, False)

    def from_standing(self, game: Game, orders: list[dict[str, Placing]]) -> dict[str, Placing] | None:
        due = self.draft(game).due
        return {id: one for id, one in orders[0].items() if id in due} if orders else None

    def waits(self, game: Game) -> bool:
        return False


@decision("replacements", rule="4.3.3", answer=dict[str, Placing], secrecy="sealed")
class ReplPlacing(Growing[dict[str, Placing]]):
    """Where do your replacements arrive?"""

    player: str
    units: tuple[str, ...]
    hexes: tuple[str, ...]

    def draft(self, game: Game) -> Placings:
        return Placings(game, self.player, dict.fromkeys(self.units, self.hexes), True)

    def waits(self, game: Game) -> bool:
        return False


Share = Annotated[int, Range(0, 999)]


class Sharing(Draft[Entry[int]]):
    """4.3.2 T for one hex after another."""

    def __init__(self, game: Game, player: str, tokens: int, hexes: tuple[str, ...]) -> None:
        super().__init__(game, player)
        self.left, self.hexes = tokens, hexes

    def next(self, of: str | None = None) -> Iterator[Next[Entry[int]]]:
        for hex in self.hexes:
            if of in (None, hex) and all(e.key != hex for e in self.elements):
                for t in range(1, self.left + 1):
                    yield Next(Entry(hex, t), f"{t} T to {hex}", Points(end=hex))

    def faults(self, element: Entry[int]) -> list[Diagnostic]:
        if element.key not in self.hexes:
            return [illegal("E-ARRIVE", "4.3.2", f"no supply arrives in {element.key}")]
        if element.value > self.left:
            return [illegal("E-ARRIVE", "4.3.2", f"only {self.left} T are left to place")]
        return []

    def do(self, element: Entry[int]) -> None:
        self.left -= element.value

    def words(self, element: Entry[int]) -> str:
        return f"{element.value} T to {element.key}"

    def nothing(self) -> str:
        return "all at the first supply source"


@decision(
    "supply-split",
    rule="4.3.2",
    answer=dict[str, Share],
    standing=("supply_split", dict[str, Share]),
    secrecy="sealed",
)
class SupplySplit(Growing[dict[str, int]]):
    """How are the T that arrive split over the hexes of arrival? What is left goes to the first."""

    player: str
    tokens: int

    def draft(self, game: Game) -> Sharing:
        return Sharing(game, self.player, self.tokens, supply_hexes(game, self.player))

    def from_standing(self, game: Game, orders: list[dict[str, int]]) -> dict[str, int] | None:
        """As far as what arrives goes round."""
        if not orders:
            return None
        left, shares = self.tokens, dict[str, int]()
        for hex, t in orders[0].items():
            if hex in supply_hexes(game, self.player) and min(t, left):
                shares[hex] = min(t, left)
                left -= shares[hex]
        return shares

    def waits(self, game: Game) -> bool:
        return False


def supply_hexes(game: Game, side: str) -> tuple[str, ...]:
    """4.3.2 Where supply may arrive: as the scenario says, else at the supply sources."""
    world = world_of(game)
    return tuple(world.oob[side].get("supply_hexes", world.sources[side]))


class Rebuilding(Draft[RebuildOne]):
    """4.3.4 Rebuilds one by one."""

    def next(self, of: str | None = None) -> Iterator[Next[RebuildOne]]:
        for one in possible(self.game, self.player):
            if self.concerns(of, one.target) or of in one.repls:
                yield Next(one, self.words(one), Points(one.repls))

    def faults(self, element: RebuildOne) -> list[Diagnostic]:
        return rebuild_faults(self.game, self.player, element)

    def do(self, element: RebuildOne) -> None:
        rebuild(self.game, self.player, element)

    def words(self, element: RebuildOne) -> str:
        return f"{element.target} with {', '.join(element.repls)}"

    def nothing(self) -> str:
        return "nothing is rebuilt"


@decision(
    "rebuild",
    rule="4.3.4",
    answer=tuple[RebuildOne, ...],
    standing=("rebuild", tuple[str, ...]),
    secrecy="sealed",
)
class Rebuild(Growing[tuple[RebuildOne, ...]]):
    """Which units are rebuilt, with which replacements?"""

    player: str
    drafts = Rebuilding

    def from_standing(self, game: Game, orders: list[tuple[str, ...]]) -> tuple[RebuildOne, ...] | None:
        """What ranks first of what can be rebuilt, until nothing more can."""
        if not orders:
            return None
        board, found = game.copy(), list[RebuildOne]()
        while able := [one for one in possible(board, self.player) if one.target in orders[0]]:
            found.append(min(able, key=lambda one: (orders[0].index(one.target), one.repls)))
            rebuild(board, self.player, found[-1])
        return tuple(found)

    def waits(self, game: Game) -> bool:
        return next(iter(possible(game, self.player)), None) is not None


class Consolidating(Draft[Consolidation]):
    """4.3.5 One after another."""

    def next(self, of: str | None = None) -> Iterator[Next[Consolidation]]:
        for one in consolidations(self.game, self.player):
            if self.concerns(of, one.unit):
                yield Next(one, self.words(one), Points((one.unit,)))

    def faults(self, element: Consolidation) -> list[Diagnostic]:
        return consolidation_faults(self.game, self.player, element)

    def do(self, element: Consolidation) -> None:
        consolidate(self.game, self.player, element)

    def words(self, element: Consolidation) -> str:
        if element.removed is not None:
            return f"{element.unit} takes the steps of {element.removed}"
        return f"{element.unit} takes the place of {element.dead}"

    def nothing(self) -> str:
        return "nothing is consolidated"


@decision("consolidation", rule="4.3.5", answer=tuple[Consolidation, ...], secrecy="sealed")
class Consolidate(Growing[tuple[Consolidation, ...]]):
    """Which units are consolidated?"""

    player: str
    drafts = Consolidating

    def waits(self, game: Game) -> bool:
        return False
