"""Questions at the start of a turn (D-SIMUL, D-FIRST, D-REFIT, D-PLAN, D-BREAK)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pbem.kit.faults import illegal, unknown
from pbem.kit.filed import ByOrder, OneOf, Unasked
from pbem.kit.picking import Picks
from pbem.rules import (
    Diagnostic,
    Draft,
    Drafting,
    Entry,
    Game,
    Growing,
    LocationId,
    Message,
    Name,
    Next,
    Option,
    Part,
    Points,
    dataclass,
    decision,
    fact,
)

from .. import breakout as leaving
from ..bases import bases_of
from ..pieces import Plan, T, maybe_unit, units, world_of
from ..refit import idle, most_refitted, refit, refit_faults

YesNo = Literal["yes", "no"]


@decision("simulcast", rule="4.15", answer=YesNo, secrecy="together", standing=("simulcast", YesNo))
class Simulcast(OneOf):
    """Do you declare a simulcast turn? It becomes one if both sides do."""

    player: str
    choices = {"no": "no", "yes": "yes"}

    def waits(self, game: Game) -> bool:
        """Return True if the option asks; otherwise an advance or standing order answers."""
        return bool(world_of(game).options.get("ask_simulcast"))

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


FirstSecond = Literal["first", "second"]


@decision("first-player", rule="4.1.2", answer=FirstSecond, standing=("first_player", FirstSecond))
class FirstPlayer(OneOf):
    """You won the roll: do you take the first or the second player turn?"""

    player: str
    choices = {"first": "first", "second": "second"}

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn

    @fact
    def flight(self, game: Game) -> str:
        return T.of(game).flight


@dataclass(frozen=True)
class RefitOne:
    """A refit at one base: the aircraft, and the dump that pays."""

    base: LocationId
    planes: tuple[Name, ...]
    dump: LocationId | None = None


@dataclass(frozen=True)
class RefitStanding:
    """A standing order for refits: the T to keep, and the types to refit first."""

    keep_T: int = 0
    order: tuple[str, ...] = ()


class Refitting(Draft[RefitOne]):
    """Refits, base by base; the last may get one more aircraft."""

    def next(self, of: str | None = None) -> Iterator[Next[RefitOne]]:
        last = self.elements[-1] if self.elements else None
        if last is not None:
            most = most_refitted(self.game, self.player, last.base)
            if most is None or len(last.planes) < most:
                for plane in idle(self.game, self.player, last.base):
                    longer = RefitOne(last.base, (*last.planes, plane.id), last.dump)
                    if of not in (None, last.base, *longer.planes):
                        continue
                    text = Message("ocs.turn.refits", base=last.base, planes=longer.planes)
                    yield Next(longer, text, Points(longer.planes, end=last.base), instead=True)
        for hex in bases_of(self.game, self.player):
            for plane in idle(self.game, self.player, hex):
                element = RefitOne(hex, (plane.id,))
                if of in (None, hex, plane.id) and not self.faults(element):
                    yield Next(
                        element,
                        Message("ocs.turn.refits", base=hex, planes=plane.id),
                        Points((plane.id,), end=hex),
                    )

    def faults(self, element: RefitOne) -> list[Diagnostic]:
        if any(element.base == earlier.base for earlier in self.elements):
            return [
                illegal("E-REFIT-CAP", "4.2.1", Message("ocs.turn.named-twice", base=element.base), "base")
            ]
        return refit_faults(self.game, self.player, element.base, element.planes, element.dump)

    def do(self, element: RefitOne) -> None:
        refit(self.game, self.player, element.base, element.planes, element.dump)

    def mend(self, element: RefitOne) -> RefitOne | None:
        """Return the refit of as many aircraft as possible, or None."""
        for count in range(len(element.planes), 0, -1):
            kept = RefitOne(element.base, element.planes[:count], element.dump)
            if not self.faults(kept):
                return kept
        return None

    def words(self, element: RefitOne) -> str:
        return Message("ocs.turn.refits", base=element.base, planes=tuple(element.planes))

    def nothing(self) -> str:
        return Message("ocs.turn.nobody-refitted")


@decision(
    "refit", rule="4.2.1", answer=tuple[RefitOne, ...], standing=("refit", RefitStanding), secrecy="sealed"
)
class Refit(Unasked[tuple[RefitOne, ...]], Growing[tuple[RefitOne, ...]]):
    """Which inactive aircraft do you refit, at which bases?"""

    player: str
    drafts = Refitting

    def default(self, game: Game) -> tuple[RefitOne, ...]:
        """D-REFIT: Return a refit at every base in supply: fighters first, then by barrage."""
        return self._best(game, RefitStanding())

    def _best(self, game: Game, wish: RefitStanding) -> tuple[RefitOne, ...]:
        drafting = Drafting(self, game)
        left = sum(d.t for d in T.of(game).dumps.values() if d.owner == self.player) - wish.keep_T
        for hex in bases_of(game, self.player):
            most = most_refitted(game, self.player, hex)
            ranked = idle(game, self.player, hex)
            rank = {kind: n for n, kind in enumerate(wish.order)}
            ranked.sort(key=lambda p: min((rank.get(t, len(rank)) for t in p.print.types), default=0))
            ids = tuple(p.id for p in ranked[:most])
            paid = len(drafting.elements) if wish.keep_T else 0
            if ids and paid < max(1, left):
                drafting.offer(RefitOne(hex, ids))
        return drafting.answer() if left > 0 or not wish.keep_T else ()

    def from_order(self, game: Game, order: RefitStanding) -> tuple[RefitOne, ...]:
        return self._best(game, order)


@dataclass(frozen=True)
class Plans:
    """Planned air drops: new ones, ones to delay, ones to cancel."""

    new: dict[str, Plan] | None = None
    delay: tuple[Name, ...] = ()
    cancel: tuple[Name, ...] = ()


def filing_turn(game: Game, side: str) -> int:
    """4.2.2: Return the turn of the Refit Phase for which a side files a plan now.

    It is the next turn if that phase is over, and -1 before the game begins.
    """
    t = T.of(game)
    if t.turn <= 1 and t.phase == "":
        return -1
    if t.phase == "A" and t.acting == side:
        return t.turn
    over = side == t.first if t.phase == "E" else t.acting == side
    return t.turn + 1 if over or (t.simulcast and t.phase not in ("", "W", "A")) else t.turn


class Planning(Draft[Part[Any]]):
    """4.2.2: New plans, two turns ahead or more; due plans to delay or cancel."""

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        world, t = world_of(self.game), T.of(self.game)
        for u in units(self.game, self.player):
            if not self.concerns(of, u.id) or "para" not in u.print.flags:
                continue
            for hex in world.hexes if u.id not in t.plans else ():
                for turn in range(filing_turn(self.game, self.player) + 2, world.last_turn + 1):
                    part = Part[Any]("new", Entry(u.id, Plan(hex, turn)))
                    if not self.faults(part):
                        yield Next(
                            part,
                            Message("ocs.turn.drops-on-in-turn", key=u.id, hex=hex, turn=turn),
                            Points((u.id,), end=hex),
                        )
            for section in ("delay", "cancel"):
                due = Part[Any](section, u.id)
                if not self.faults(due):
                    yield Next(due, Message("ocs.turn.drop", section=section, value=u.id), Points((u.id,)))

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        t, value = T.of(self.game), element.value
        if element.section == "new" and isinstance(value, Entry):
            u, plan = maybe_unit(self.game, value.key), value.value
            if u is None or u.owner != self.player or "para" not in u.print.flags:
                return [illegal("E-PLAN", "4.2.2", Message("ocs.turn.cannot-drop", key=value.key))]
            if value.key in t.plans:
                return [illegal("E-PLAN", "4.2.2", Message("ocs.turn.has-plan-already", key=value.key))]
            if plan.turn < filing_turn(self.game, self.player) + 2:
                return [illegal("E-PLAN", "4.2.2", Message("ocs.turn.turn-too-soon", turn=plan.turn), "turn")]
            if not world_of(self.game).land(plan.hex):
                return [illegal("E-PLAN", "4.2.2", Message("ocs.turn.no-land-hex", hex=plan.hex), "hex")]
        elif element.section in ("delay", "cancel") and isinstance(value, str):
            return self._due_faults(value)
        return []

    def _due_faults(self, id: str) -> list[Diagnostic]:
        """Return the fault of a plan that is not due now, or is handled already."""
        t, u = T.of(self.game), maybe_unit(self.game, id)
        if id not in t.plans or u is None or u.owner != self.player:
            return [
                unknown(
                    "E-PLAN", "4.2.2", Message("ocs.turn.has-no-plan-of-yours", id=id), name=id, names=t.plans
                )
            ]
        handled = [e.value for e in self.elements if e.section != "new"]
        if t.plans[id].turn > t.turn or id in handled:
            return [illegal("E-PLAN", "4.2.2", Message("ocs.turn.plan-of-not-due", id=id))]
        return []

    def do(self, element: Part[Any]) -> None:
        if element.section == "new" and isinstance(element.value, Entry):
            T.of(self.game).plans[element.value.key] = element.value.value

    def words(self, element: Part[Any]) -> str:
        if element.section == "new" and isinstance(element.value, Entry):
            plan = element.value.value
            return Message("ocs.turn.drops-on-in-turn", key=element.value.key, hex=plan.hex, turn=plan.turn)
        return Message("ocs.turn.drop", section=element.section, value=element.value)

    def nothing(self) -> str:
        return Message("ocs.turn.nothing-changes")


@decision(
    "drop-plans",
    rule="4.2.2",
    answer=Plans,
    secrecy="sealed",
    standing=("drop_plans", Literal["keep", "cancel"]),
)
class DropPlans(Unasked[Plans], Growing[Plans]):
    """Which air drops do you plan, delay or cancel?"""

    player: str
    drafts = Planning

    @classmethod
    def apart(cls, answer: Plans) -> tuple[Plans | None, dict[str, Plan]]:
        """7.2: Return the public part, and each new plan as a commitment, because all can read answers."""
        sealed = {f"{SealedDrop.kind}/{id}": plan for id, plan in sorted((answer.new or {}).items())}
        rest = Plans(delay=answer.delay, cancel=answer.cancel)
        return (rest if answer.delay or answer.cancel else None), sealed

    def from_order(self, game: Game, order: str) -> Plans:
        t = T.of(game)
        mine = [u.id for u in units(game, self.player) if u.id in t.plans] if order == "cancel" else []
        return Plans(cancel=tuple(id for id in mine if t.plans[id].turn <= t.turn))


@decision("sealed-drop", rule="4.2.2", answer=Plan, secrecy="kept")
class SealedDrop(Unasked[Plan]):
    """Where and when does this unit drop? The plan is sealed until then. No player is asked for it."""

    player: str
    unit: str

    def subject(self) -> tuple[str | int, ...]:
        return (self.unit,)

    def options(self, game: Game) -> Iterator[Option]:
        world = world_of(game)
        for hex in world.hexes:
            for turn in range(T.of(game).turn + 2, world.last_turn + 1) if world.land(hex) else ():
                yield Option(
                    {"hex": hex, "turn": turn},
                    Message("ocs.turn.drops-on-in-turn", key=self.unit, hex=hex, turn=turn),
                )

    def check(self, game: Game, answer: Plan) -> list[Diagnostic]:
        if world_of(game).land(answer.hex):
            return []
        return [illegal("E-PLAN", "4.2.2", Message("ocs.turn.no-land-hex", hex=answer.hex), "hex")]

    def default(self, game: Game) -> Plan:
        """Return a plan for after the last turn: no drop."""
        world = world_of(game)
        return Plan(next(hex for hex in world.hexes if world.land(hex)), world.last_turn + 1)


BreakoutWish = Literal["if_not_first_turn", "always", "never"]


@decision(
    "breakout",
    rule="4.4.1",
    answer=tuple[Name, ...],
    standing=("breakout", dict[str, BreakoutWish]),
    secrecy="sealed",
)
class Breakout(ByOrder[tuple[str, ...]], Growing[tuple[str, ...]]):
    """Which units without trace, and which points cut off with them, try to break out?"""

    player: str

    def draft(self, game: Game) -> Picks:
        units = leaving.candidates(game, self.player)
        able = [*units, *leaving.cut_off_points(game, self.player, units)]
        return Picks(
            game,
            self.player,
            sorted(able),
            rule="4.4.1",
            words=lambda id: Message("ocs.turn.breaks-out", id=id),
            code="E-MOVE-ELIGIBLE",
        )

    def from_order(self, game: Game, order: dict[str, str]) -> tuple[str, ...]:
        able, trying = leaving.candidates(game, self.player), []
        for id, first in sorted(able.items()):
            how = order.get(id, "never")
            if how == "always" or (how == "if_not_first_turn" and not first):
                trying.append(id)
        return tuple(trying)

    def waits(self, game: Game) -> bool:
        return bool(leaving.candidates(game, self.player))
