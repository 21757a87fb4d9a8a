"""What the turn asks: D-SIMUL, D-FIRST, D-PLAN, D-REFIT, D-ARRIVE, D-SUPPLY, D-REPL, D-BREAK, D-EAT."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from pbem.kit.faults import illegal, unknown
from pbem.rules import Decision, Diagnostic, Game, LocationId, Name, Option, Range, decision, fact

from ..pieces import Plan, T, maybe_unit, planes, units, world_of
from ..refit import refit_faults

YesNo = Literal["yes", "no"]


@decision("simulcast", rule="4.15", answer=YesNo, secrecy="together", standing=("simulcast", YesNo))
class Simulcast(Decision[str]):
    """Do you declare a simulcast turn? It is one if both do."""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("no", "no")
        yield Option("yes", "yes")

    def default(self, game: Game) -> str:
        return "no"

    def from_standing(self, game: Game, orders: list[str]) -> str | None:
        return orders[0] if orders else None

    def waits(self, game: Game) -> bool:
        """Asked each turn only by option; else who wants it says so ahead or by standing order."""
        return bool(world_of(game).options.get("ask_simulcast"))

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


FirstSecond = Literal["first", "second"]


@decision("first-player", rule="4.1.2", answer=FirstSecond, standing=("first_player", FirstSecond))
class FirstPlayer(Decision[str]):
    """You won the roll: do you take the first or the second Player Turn?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("first", "first")
        yield Option("second", "second")

    def default(self, game: Game) -> str:
        return "first"

    def from_standing(self, game: Game, orders: list[str]) -> str | None:
        return orders[0] if orders else None

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn

    @fact
    def flight(self, game: Game) -> str:
        return T.of(game).flight


@dataclass(frozen=True)
class RefitOne:
    """One base: whom it refits, from which dump it is paid."""

    base: LocationId
    planes: tuple[Name, ...]
    dump: LocationId | None = None


@dataclass(frozen=True)
class RefitStanding:
    keep_T: int = 0


@decision("refit", rule="4.2.1", answer=tuple[RefitOne, ...], standing=("refit", RefitStanding))
class Refit(Decision[tuple[RefitOne, ...]]):
    """Which inactive aircraft are refitted at which bases?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        from pbem.rules import to_json

        yield Option([], "none")
        chosen = self.default(game)
        if chosen:
            yield Option(to_json(chosen), "every base that can, fighters first")

    def check(self, game: Game, answer: tuple[RefitOne, ...]) -> list[Diagnostic]:
        return [
            f
            for n, one in enumerate(answer)
            for f in refit_faults(game, self.player, one.base, one.planes, one.dump, n)
        ]

    def repair(self, game: Game, answer: tuple[RefitOne, ...]) -> tuple[RefitOne, ...]:
        """What stands of each base: as many aircraft as it may refit."""
        kept = []
        for one in answer:
            for count in range(len(one.planes), 0, -1):
                if not refit_faults(game, self.player, one.base, one.planes[:count], one.dump, 0):
                    kept.append(RefitOne(one.base, one.planes[:count], one.dump))
                    break
        return tuple(kept)

    def default(self, game: Game) -> tuple[RefitOne, ...]:
        """D-REFIT: every base in supply; fighters first, then the strongest barrage."""
        found = []
        for hex, base in sorted(T.of(game).bases.items()):
            if base.owner != self.player:
                continue
            idle = [p for p in planes(game, self.player, hex) if not p.active]
            idle.sort(key=lambda p: (not p.is_type("F"), -p.wing.barrage, p.id))
            per = int(world_of(game).numbers["refit_per_level"]) * base.level or int(
                world_of(game).numbers["strip_refit"]
            )
            ids = tuple(p.id for p in idle[:per])
            if ids and not refit_faults(game, self.player, hex, ids, None, 0):
                found.append(RefitOne(hex, ids))
        return tuple(found)

    def from_standing(self, game: Game, orders: list[RefitStanding]) -> tuple[RefitOne, ...] | None:
        keep = orders[0].keep_T if orders else 0
        total = sum(d.t for d in T.of(game).dumps.values() if d.owner == self.player)
        return () if orders and total - 1 < keep else None

    def waits(self, game: Game) -> bool:
        return False


@dataclass(frozen=True)
class Plans:
    """New plans, those to delay, those to cancel."""

    new: dict[str, Plan] | None = None
    delay: tuple[Name, ...] = ()
    cancel: tuple[Name, ...] = ()


@decision(
    "drop-plans",
    rule="4.2.2",
    answer=Plans,
    secrecy="sealed",
    standing=("drop_plans", Literal["keep", "cancel"]),
)
class DropPlans(Decision[Plans]):
    """Which air drops do you plan, delay, cancel?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option({}, "nothing changes")

    def check(self, game: Game, answer: Plans) -> list[Diagnostic]:
        t, found = T.of(game), []
        for id, plan in sorted((answer.new or {}).items()):
            u = maybe_unit(game, id)
            if u is None or u.owner != self.player or "para" not in u.print.flags:
                found.append(illegal("E-PLAN", "4.2.2", f"{id} cannot drop", "new", id))
            elif id in t.plans or plan.turn < t.turn + 2:
                found.append(illegal("E-PLAN", "4.2.2", f"{id}: too late, or planned already", "new", id))
        for key in ("delay", "cancel"):
            for n, id in enumerate(getattr(answer, key)):
                if id not in t.plans:
                    found.append(
                        unknown("E-PLAN", "4.2.2", f"{id} has no plan", key, n, name=id, names=t.plans)
                    )
        return found

    def default(self, game: Game) -> Plans:
        return Plans()

    def from_standing(self, game: Game, orders: list[str]) -> Plans | None:
        if orders and orders[0] == "cancel":
            mine = [
                id
                for id in sorted(T.of(game).plans)
                if (u := maybe_unit(game, id)) and u.owner == self.player
            ]
            return Plans(cancel=tuple(mine))
        return Plans() if orders else None

    def waits(self, game: Game) -> bool:
        return False


@dataclass(frozen=True)
class Placing:
    hex: LocationId | None = None
    facing: Literal["combat", "move"] = "move"
    mode: Literal["plain", "reserve", "strat"] = "plain"
    entrained: bool = True


@decision("arrivals", rule="4.3.1", answer=dict[str, Placing], standing=("arrivals", dict[str, Placing]))
class Arrivals(Decision[dict[str, Placing]]):
    """Where and how do your reinforcements arrive?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option({}, "at the first hex of each, on the move side")

    def check(self, game: Game, answer: dict[str, Placing]) -> list[Diagnostic]:
        due = T.of(game).coming
        found = []
        for id, one in sorted(answer.items()):
            listed = due.get(id, {}).get("hexes", [])
            if one.hex is not None and one.hex not in listed:
                found.append(illegal("E-ARRIVE", "4.3.1", f"{id} does not arrive in {one.hex}", id, "hex"))
        return found

    def default(self, game: Game) -> dict[str, Placing]:
        return {}

    def from_standing(self, game: Game, orders: list[dict[str, Placing]]) -> dict[str, Placing] | None:
        return orders[0] if orders else None

    def waits(self, game: Game) -> bool:
        return False


Share = Annotated[int, Range(0, 999)]


@decision("supply-split", rule="4.3.2", answer=dict[str, Share], standing=("supply_split", dict[str, Share]))
class SupplySplit(Decision[dict[str, int]]):
    """How are the T that arrive split over the supply sources? What is left goes to the first."""

    player: str
    tokens: int

    def options(self, game: Game) -> Iterator[Option]:
        yield Option({}, "all at the first supply source")

    def check(self, game: Game, answer: dict[str, int]) -> list[Diagnostic]:
        sources = world_of(game).sources[self.player]
        found = [
            illegal("E-ARRIVE", "4.3.2", f"{hex} is no supply source", hex)
            for hex in sorted(answer)
            if hex not in sources
        ]
        if sum(answer.values()) > self.tokens:
            found.append(illegal("E-ARRIVE", "4.3.2", f"only {self.tokens} T arrive"))
        return found

    def default(self, game: Game) -> dict[str, int]:
        return {}

    def from_standing(self, game: Game, orders: list[dict[str, int]]) -> dict[str, int] | None:
        return orders[0] if orders and sum(orders[0].values()) <= self.tokens else None

    def waits(self, game: Game) -> bool:
        return False


@dataclass(frozen=True)
class RebuildOne:
    """4.3.4 Which replacements go into what; `hex` for a unit from the dead pile."""

    repls: tuple[Name, ...]
    target: Name
    steps: Annotated[int, Range(1, 9)] = 1


@decision("rebuild", rule="4.3.4", answer=tuple[RebuildOne, ...])
class Rebuild(Decision[tuple[RebuildOne, ...]]):
    """Which units are rebuilt, with which replacements?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        from pbem.rules import to_json

        from ..rebuilding import possible

        yield Option([], "none")
        for one in possible(game, self.player):
            yield Option(to_json((one,)), f"{one.target} with {', '.join(one.repls)}")

    def check(self, game: Game, answer: tuple[RebuildOne, ...]) -> list[Diagnostic]:
        from ..rebuilding import rebuild_faults

        found: list[Diagnostic] = []
        used: set[str] = set()
        for n, one in enumerate(answer):
            found += rebuild_faults(game, self.player, one, n)
            if used & set(one.repls):
                found.append(illegal("E-REB-COST", "4.3.4", "a replacement is used twice", n, "repls"))
            used |= set(one.repls)
        return found

    def default(self, game: Game) -> tuple[RebuildOne, ...]:
        return ()

    def waits(self, game: Game) -> bool:
        from ..rebuilding import possible

        return next(iter(possible(game, self.player)), None) is not None


@decision(
    "breakout",
    rule="4.4.1",
    answer=tuple[Name, ...],
    standing=("breakout", dict[str, Literal["if_not_first_turn", "always", "never"]]),
)
class Breakout(Decision[tuple[str, ...]]):
    """Which units without trace try to break out?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        from ..breakout import candidates

        yield Option([], "none")
        for id in sorted(candidates(game, self.player)):
            yield Option([id], f"{id} breaks out")

    def check(self, game: Game, answer: tuple[str, ...]) -> list[Diagnostic]:
        from ..breakout import candidates

        able = candidates(game, self.player)
        return [
            illegal("E-MOVE-ELIGIBLE", "4.4.1", f"{id} may not break out", n)
            for n, id in enumerate(answer)
            if id not in able
        ]

    def default(self, game: Game) -> tuple[str, ...]:
        return ()

    def from_standing(self, game: Game, orders: list[dict[str, str]]) -> tuple[str, ...] | None:
        from ..breakout import candidates

        if not orders:
            return None
        able, found = candidates(game, self.player), []
        for id, first in sorted(able.items()):
            how = orders[0].get(id, "never")
            if how == "always" or (how == "if_not_first_turn" and not first):
                found.append(id)
        return tuple(found)

    def waits(self, game: Game) -> bool:
        from ..breakout import candidates

        return bool(candidates(game, self.player))


@dataclass(frozen=True)
class EatStanding:
    always: bool = True
    keep_T: int = 0


@decision("eating", rule="4.5.3", answer=tuple[Name, ...], standing=("eat", EatStanding))
class Eating(Decision[tuple[str, ...]]):
    """Which untraced units are fed?"""

    player: str
    untraced: tuple[str, ...]

    def options(self, game: Game) -> Iterator[Option]:
        yield Option([], "none")
        yield Option(list(self.untraced), "all that can be")

    def check(self, game: Game, answer: tuple[str, ...]) -> list[Diagnostic]:
        return [
            illegal("E-SUP-PATH", "4.5.3", f"{id} need not eat", n)
            for n, id in enumerate(answer)
            if id not in self.untraced
        ]

    def default(self, game: Game) -> tuple[str, ...]:
        return self.untraced

    def from_standing(self, game: Game, orders: list[EatStanding]) -> tuple[str, ...] | None:
        if not orders:
            return None
        total = sum(d.t for d in T.of(game).dumps.values() if d.owner == self.player)
        return self.untraced if orders[0].always and total > orders[0].keep_T else ()

    def waits(self, game: Game) -> bool:
        return False


@decision("recover", rule="4.5.1", answer=tuple[Name, ...], standing=("recover", tuple[str, ...]))
class Recover(Decision[tuple[str, ...]]):
    """In what order are internal stocks refilled?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option([], "the cheapest first")

    def check(self, game: Game, answer: tuple[str, ...]) -> list[Diagnostic]:
        return []

    def default(self, game: Game) -> tuple[str, ...]:
        return ()

    def from_standing(self, game: Game, orders: list[tuple[str, ...]]) -> tuple[str, ...] | None:
        return orders[0] if orders else None

    def waits(self, game: Game) -> bool:
        return False


@decision("trace-provider", rule="4.5.2", answer=dict[str, Name], standing=("trace_provider", dict[str, str]))
class TraceProvider(Decision[dict[str, str]]):
    """Which HQ or source serves each formation?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option({}, "the one that covers most of it")

    def check(self, game: Game, answer: dict[str, str]) -> list[Diagnostic]:
        known = world_of(game).formations
        return [
            unknown("E-SUP-PATH", "4.5.2", f"no formation {name}", name, name=name, names=known)
            for name in sorted(answer)
            if name not in known
        ]

    def default(self, game: Game) -> dict[str, str]:
        return {}

    def from_standing(self, game: Game, orders: list[dict[str, str]]) -> dict[str, str] | None:
        return orders[0] if orders else None

    def waits(self, game: Game) -> bool:
        return False


__all__ = ["units"]
