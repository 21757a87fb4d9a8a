"""What the turn asks: D-SIMUL, D-FIRST, D-PLAN, D-REFIT, D-ARRIVE, D-SUPPLY, D-REPL, D-BREAK, D-EAT."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pbem.kit.faults import illegal, unknown
from pbem.kit.picking import Picks
from pbem.rules import (
    Decision,
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    LocationId,
    Name,
    Next,
    Option,
    Part,
    Points,
    Range,
    decision,
    fact,
)

from .. import breakout as leaving
from ..capture import bases_of
from ..consolidation import Consolidation, consolidate
from ..consolidation import faults_of as consolidation_faults
from ..consolidation import possible as consolidations
from ..meals import Fed, cheapest, eat_faults, eaten
from ..pieces import Plan, T, Unit, maybe_unit, units, world_of
from ..rebuilding import RebuildOne, possible, rebuild, rebuild_faults
from ..refit import idle, most_refitted, refit, refit_faults
from ..trace import Tracing

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
    """What a side wants to keep, and the types it refits first."""

    keep_T: int = 0
    order: tuple[str, ...] = ()


class Refitting(Draft[RefitOne]):
    """Bases one by one; the last may get an aircraft more."""

    def next(self, of: str | None = None) -> Iterator[Next[RefitOne]]:
        last = self.elements[-1] if self.elements else None
        if last is not None:
            most = most_refitted(self.game, self.player, last.base)
            if most is None or len(last.planes) < most:
                for plane in idle(self.game, self.player, last.base):
                    longer = RefitOne(last.base, (*last.planes, plane.id), last.dump)
                    if of not in (None, last.base, *longer.planes):
                        continue
                    text = f"{last.base} refits {', '.join(longer.planes)}"
                    yield Next(longer, text, Points(longer.planes, end=last.base), instead=True)
        for hex in bases_of(self.game, self.player):
            for plane in idle(self.game, self.player, hex):
                one = RefitOne(hex, (plane.id,))
                if of in (None, hex, plane.id) and not self.faults(one):
                    yield Next(one, f"{hex} refits {plane.id}", Points((plane.id,), end=hex))

    def faults(self, element: RefitOne) -> list[Diagnostic]:
        if any(element.base == one.base for one in self.elements):
            return [illegal("E-REFIT-CAP", "4.2.1", f"{element.base} is named twice", "base")]
        return refit_faults(self.game, self.player, element.base, element.planes, element.dump)

    def do(self, element: RefitOne) -> None:
        refit(self.game, self.player, element.base, element.planes, element.dump)

    def mend(self, element: RefitOne) -> RefitOne | None:
        """As many aircraft as may be refitted."""
        for count in range(len(element.planes), 0, -1):
            kept = RefitOne(element.base, element.planes[:count], element.dump)
            if not self.faults(kept):
                return kept
        return None

    def words(self, element: RefitOne) -> str:
        return f"{element.base} refits {', '.join(element.planes)}"

    def nothing(self) -> str:
        return "nobody is refitted"


@decision(
    "refit", rule="4.2.1", answer=tuple[RefitOne, ...], standing=("refit", RefitStanding), secrecy="sealed"
)
class Refit(Growing[tuple[RefitOne, ...]]):
    """Which inactive aircraft are refitted at which bases?"""

    player: str
    drafts = Refitting

    def default(self, game: Game) -> tuple[RefitOne, ...]:
        """D-REFIT: every base in supply; fighters first, then the strongest barrage."""
        return self._best(game, RefitStanding())

    def _best(self, game: Game, wish: RefitStanding) -> tuple[RefitOne, ...]:
        found: list[RefitOne] = []
        left = sum(d.t for d in T.of(game).dumps.values() if d.owner == self.player) - wish.keep_T
        for hex in bases_of(game, self.player):
            most = most_refitted(game, self.player, hex)
            ranked = idle(game, self.player, hex)
            rank = {kind: n for n, kind in enumerate(wish.order)}
            ranked.sort(key=lambda p: min((rank.get(t, len(rank)) for t in p.print.types), default=0))
            ids = tuple(p.id for p in ranked[:most])
            paid = len(found) if wish.keep_T else 0
            if ids and not refit_faults(game, self.player, hex, ids, None) and paid < max(1, left):
                found.append(RefitOne(hex, ids))
        return tuple(found) if left > 0 or not wish.keep_T else ()

    def from_standing(self, game: Game, orders: list[RefitStanding]) -> tuple[RefitOne, ...] | None:
        return self._best(game, orders[0]) if orders else None

    def waits(self, game: Game) -> bool:
        return False


@dataclass(frozen=True)
class Plans:
    """New plans, those to delay, those to cancel."""

    new: dict[str, Plan] | None = None
    delay: tuple[Name, ...] = ()
    cancel: tuple[Name, ...] = ()


class Planning(Draft[Part[Any]]):
    """4.2.2 New plans from two turns on; those that are due wait or are given up."""

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        world, t = world_of(self.game), T.of(self.game)
        for u in units(self.game, self.player):
            if not self.concerns(of, u.id) or "para" not in u.print.flags:
                continue
            for hex in world.hexes if u.id not in t.plans else ():
                for turn in range(t.turn + 2, world.last_turn + 1):
                    part = Part[Any]("new", Entry(u.id, Plan(hex, turn)))
                    if not self.faults(part):
                        yield Next(part, f"{u.id} drops on {hex} in turn {turn}", Points((u.id,), end=hex))
            for section in ("delay", "cancel"):
                due = Part[Any](section, u.id)
                if not self.faults(due):
                    yield Next(due, f"{section} the drop of {u.id}", Points((u.id,)))

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        t, value = T.of(self.game), element.value
        if element.section == "new" and isinstance(value, Entry):
            u, plan = maybe_unit(self.game, value.key), value.value
            if u is None or u.owner != self.player or "para" not in u.print.flags:
                return [illegal("E-PLAN", "4.2.2", f"{value.key} cannot drop")]
            if value.key in t.plans:
                return [illegal("E-PLAN", "4.2.2", f"{value.key} has a plan already")]
            if plan.turn < t.turn + 2:
                return [illegal("E-PLAN", "4.2.2", f"turn {plan.turn} is too soon", "turn")]
            if not world_of(self.game).land(plan.hex):
                return [illegal("E-PLAN", "4.2.2", f"{plan.hex} is no land hex", "hex")]
        elif element.section in ("delay", "cancel") and isinstance(value, str):
            return self._due_faults(value)
        return []

    def _due_faults(self, id: str) -> list[Diagnostic]:
        """A plan that is due now and not dealt with before."""
        t, u = T.of(self.game), maybe_unit(self.game, id)
        if id not in t.plans or u is None or u.owner != self.player:
            return [unknown("E-PLAN", "4.2.2", f"{id} has no plan of yours", name=id, names=t.plans)]
        handled = [e.value for e in self.elements if e.section != "new"]
        if t.plans[id].turn > t.turn or id in handled:
            return [illegal("E-PLAN", "4.2.2", f"the plan of {id} is not due, or named twice")]
        return []

    def do(self, element: Part[Any]) -> None:
        if element.section == "new" and isinstance(element.value, Entry):
            T.of(self.game).plans[element.value.key] = element.value.value

    def words(self, element: Part[Any]) -> str:
        if element.section == "new" and isinstance(element.value, Entry):
            plan = element.value.value
            return f"{element.value.key} drops on {plan.hex} in turn {plan.turn}"
        return f"{element.section} the drop of {element.value}"

    def nothing(self) -> str:
        return "nothing changes"


@decision(
    "drop-plans",
    rule="4.2.2",
    answer=Plans,
    secrecy="sealed",
    standing=("drop_plans", Literal["keep", "cancel"]),
)
class DropPlans(Growing[Plans]):
    """Which air drops do you plan, delay, cancel?"""

    player: str
    drafts = Planning

    def from_standing(self, game: Game, orders: list[str]) -> Plans | None:
        t = T.of(game)
        if orders and orders[0] == "cancel":
            mine = [u.id for u in units(game, self.player) if u.id in t.plans]
            return Plans(cancel=tuple(id for id in mine if t.plans[id].turn <= t.turn))
        return Plans() if orders else None

    def waits(self, game: Game) -> bool:
        return False


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


BreakoutWish = Literal["if_not_first_turn", "always", "never"]


@decision(
    "breakout",
    rule="4.4.1",
    answer=tuple[Name, ...],
    standing=("breakout", dict[str, BreakoutWish]),
    secrecy="sealed",
)
class Breakout(Growing[tuple[str, ...]]):
    """Which units without trace, and which points cut off with them, try to break out?"""

    player: str

    def draft(self, game: Game) -> Picks:
        able = [*leaving.candidates(game, self.player), *leaving.cut_off_points(game, self.player)]
        return Picks(
            game, self.player, sorted(able), rule="4.4.1", words="{id} breaks out", code="E-MOVE-ELIGIBLE"
        )

    def from_standing(self, game: Game, orders: list[dict[str, str]]) -> tuple[str, ...] | None:
        if not orders:
            return None
        able, found = leaving.candidates(game, self.player), []
        for id, first in sorted(able.items()):
            how = orders[0].get(id, "never")
            if how == "always" or (how == "if_not_first_turn" and not first):
                found.append(id)
        return tuple(found)

    def waits(self, game: Game) -> bool:
        return bool(leaving.candidates(game, self.player))


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
