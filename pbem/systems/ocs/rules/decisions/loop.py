"""D-LOOP: The acting side's actions in a segment, as one growing answer (4.0.9).

Also questions about released reserves, overstacked hexes and dumps to blow up (D-RELEASE, D-STACK, D-BLOW).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pbem.kit.faults import illegal
from pbem.kit.filed import Unasked, Wish
from pbem.rules import (
    Decision,
    Diagnostic,
    Draft,
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
    Refused,
    dataclass,
    decision,
    fact,
)

from ..actions import Action, Attack, Batch, Blow, Fire, Fuel, Mission, Move, Stand, counters_named
from ..fighting.air import faults_of as mission_faults
from ..fighting.barrage import artillery, plan_salvo, ship_faults
from ..fighting.combat_supply import plan_attack
from ..loops import ALLOWED, anything_to_do, carry_out, dry, faults_of, holds, ready
from ..moving import (
    can_move,
    fuelled,
    mode_faults,
    reserve_markers,
    unit_ways,
)
from ..pieces import Ship, T, Unit, craft, maybe_unit, planes, ships, units, world_of
from ..reserves import released
from ..supply.reach import Net, available
from ..walk import not_in_simulcast, overruns, simulcast_faults
from ..works import attack_faults, plan_fuel, threatened
from .offers import BY_SEGMENT
from .telling import described, doubts
from .turn import FirstPlayer, Simulcast

UNKNOWN_AFTER = ("attack", "fire", "air", "blow", "land", "assault")
"""Kinds of actions whose dice make later actions uncertain."""


class Acting(Draft[Part[Any]]):
    """Draft of actions on its own board.

    Because dice are unknown, units in a fight count as done, and later actions with them are checked in play.
    """

    def __init__(self, game: Game, player: str, segment: str) -> None:
        super().__init__(game, player)
        self.segment = segment
        self.unsure = False
        if T.of(game).simulcast:  # both sides act at once
            T.of(game).acting = player

    def _later(self) -> frozenset[str]:
        """R-106: Return the ids of counters that later actions of the answer name."""
        return counters_named(part.value for part in self.coming if part.section == "actions")

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        if element.section == "top":
            return top_faults(self.game, self.player, element.value)
        if element.section != "actions":
            return []
        action: Action = element.value
        if action.if_ is not None or (self.unsure and self._touched(action)):
            return self._static(action)
        return faults_of(self.aside(), self.player, self.segment, action, self._later())

    def _static(self, action: Action) -> list[Diagnostic]:
        """Return the faults of an action that no earlier result can change: its kind, counters of others."""
        if len(action.kinds) != 1 or action.kinds[0] not in ALLOWED[self.segment]:
            return faults_of(self.aside(), self.player, self.segment, action, frozenset())
        own = {id for id, c in self.game.position.counters.items() if c["owner"] == self.player}
        own |= {id for c in craft(self.game, self.player) for id in c.cargo}
        wrong = sorted(counters_named((action,)) - own - set(T.of(self.game).coming))
        kind = action.kinds[0]
        return [
            illegal("E-MOVE-ELIGIBLE", "4.4.2", Message("ocs.loop.no-counter-of-yours", id=id), kind)
            for id in wrong
        ]

    def _touched(self, action: Action) -> bool:
        """Return True if the action names a counter that a fight has made uncertain."""
        return bool(counters_named((action,)) & self._named())

    def _named(self) -> frozenset[str]:
        return counters_named(tuple(e.value for e in self.elements if e.section == "actions"))

    def do(self, element: Part[Any]) -> None:
        if element.section != "actions":
            return
        action: Action = element.value
        if not holds(self.game, self.player, action.if_):
            return
        try:
            dry(carry_out(self.game, self.player, self.segment, action, self._later()))
        except Refused:
            pass
        if action.kinds and action.kinds[0] in UNKNOWN_AFTER:
            self.unsure = True
        if action.move is not None and overruns(action.move):
            self.unsure = True
        for id in sorted(counters_named((action,))):
            self._finish(action, id)

    def _finish(self, action: Action, id: str) -> None:
        """Mark what an action uses up whatever the dice say."""
        u = maybe_unit(self.game, id)
        if u is None:
            return
        if action.attack is not None:
            u.attacked = True
            T.of(self.game).attacked = tuple(sorted({*T.of(self.game).attacked, action.attack.hex}))
        if action.move is not None:
            u.done = True

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        makers = {
            "movement": (self._fuels, self._moves, self._stands, self._missions),
            "reaction": (self._moves, self._missions),
            "exploitation": (self._moves, self._missions),
            "air_naval": (self._fires, self._missions),
            "artillery": (self._fires,),
            "all_barrage": (self._fires, self._missions),
            "combat": (self._attacks,),
        }[self.segment]
        for make in makers:
            for action, text, points in make(of):
                yield Next(Part("actions", action), text, points)
        for offers in BY_SEGMENT[self.segment]:
            for action, text, points in offers(self, of):
                yield Next(Part("actions", action), text, points)

    def _fuels(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        if of is not None:
            return
        for name in sorted(world_of(self.game).formations):
            order = Fuel(formation=name)
            try:
                planned = plan_fuel(self.game, self.player, order, Net(self.game, self.player, trace=False))
            except Refused:
                continue
            if any(Unit(self.game, id).side.mobility != "leg" for id in planned.units):
                cost = sum(p.t for p in planned.payments)
                yield Action(fuel=order), Message("ocs.loop.fuel", name=name), Points(cost=(("T", cost),))

    def _moves(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        """Yield moves of single units; whether a unit can move at all is checked once for each."""
        net = Net(self.game, self.player, trace=False)
        for u in units(self.game, self.player):
            here = u.hex in world_of(self.game).terrains
            if not self.concerns(of, u.id) or not here or u.marker == "strat":
                continue
            free = self.segment != "movement" and u.marker == "reserve"
            if not free and can_move(self.game, u):
                continue
            fuel = None if fuelled(self.game, u) else "single"
            if fuel and not self._can_pay(u, net):
                continue
            for path, cost in unit_ways(self.game, u, released=free):
                if not self._quiet(u, path) or not self._marked(u, path[-1]):
                    continue
                order = Move((u.id,), path, fuel=fuel, release=free)  # type: ignore[arg-type]
                text = Message("ocs.loop.moves", u=u.id, hex=path[-1], fuel=bool(fuel), released=free)
                yield Action(move=order), text, Points((u.id,), way=path, cost=(("MP", -int(-cost // 1)),))

    def _marked(self, u: Unit, end: str) -> bool:
        """4.4.3: Return True if a Reserve marker is left for a unit that moves in Reserve."""
        if self.segment != "movement" or u.marker != "reserve":
            return True
        others = {
            other.hex
            for other in units(self.game, self.player)
            if other.marker == "reserve" and other.id != u.id
        }
        return len(others | {end}) <= reserve_markers(self.game, self.player)

    def _quiet(self, u: Unit, path: tuple[str, ...]) -> bool:
        """4.15: Return True if a path is legal in a simulcast turn, or the turn is not simulcast."""
        if not T.of(self.game).simulcast:
            return True
        if any(simulcast_faults(self.game, u, to) for to in path):
            return False
        return not not_in_simulcast(self.game, self.player, u.hex or "", path[-1])

    def _can_pay(self, u: Unit, net: Net) -> bool:
        supplies = net.usable(u.hex or "", u)
        return available(net, supplies) >= int(net.world.supply["costs"]["fuel_single_unit"])

    def _stands(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        for u in units(self.game, self.player):
            if not self.concerns(of, u.id) or can_move(self.game, u):
                continue
            for facing, mode in (("combat", "plain"), ("move", "plain"), (None, "reserve")):
                if (u.facing, u.marker) == (facing, "none") or mode_faults(self.game, u, facing, mode):
                    continue
                order = Stand((u.id,), facing, mode)  # type: ignore[arg-type]
                yield (
                    Action(stand=order),
                    Message("ocs.loop.stands", u=u.id, facing=facing or "", mode=mode),
                    Points((u.id,)),
                )

    def _attacks(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        world = world_of(self.game)
        targets = sorted({u.hex or "" for u in units(self.game, world.enemy(self.player))})
        for hex in targets:
            near = [u for n in world.beside(hex) for u in units(self.game, self.player, n)]
            able = [u for u in near if not attack_faults(self.game, self.player, [u], hex)]
            named = [u for u in able if self.concerns(of, u.id)]
            for n in range(len(named), 0, -1):
                ids = tuple(u.id for u in named[:n])
                if plan_attack(self.game, self.player, ids, (), ()) is not None:
                    text = Message("ocs.loop.attack", ids=ids, hex=hex)
                    yield Action(attack=Attack(hex, ids)), text, Points(ids, end=hex, kind="attack")

    def _fires(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        world = world_of(self.game)
        guns: list[Unit | Ship] = []
        if self.segment != "air_naval":
            guns += artillery(self.game, self.player, self.segment)
        if self.segment != "artillery":
            guns += ships(self.game, self.player)
        targets = sorted({u.hex or "" for u in units(self.game, world.enemy(self.player))})
        for gun in guns:
            if not self.concerns(of, gun.id) or gun.hex not in world.terrains:
                continue
            far = gun.hull.range if isinstance(gun, Ship) else gun.print.range
            for hex in targets:
                if hex not in world.terrains or world.distance(gun.hex or "", hex) > far:
                    continue
                order = Fire((gun.id,), hex)
                if self._fires_at(gun, order):
                    yield (
                        Action(fire=order),
                        Message("ocs.loop.fires", gun=gun.id, hex=hex),
                        Points((gun.id,), end=hex, kind="attack"),
                    )

    def _fires_at(self, gun: Unit | Ship, order: Fire) -> bool:
        if isinstance(gun, Ship):
            return not ship_faults(self.game, self.player, self.segment, order, [gun])
        try:
            plan_salvo(self.game, self.player, self.segment, order)
        except Refused:
            return False
        return True

    def _missions(self, of: str | None) -> Iterator[tuple[Action, str, Points]]:
        """Yield barrages, hip shoots and sweeps of single aircraft."""
        world, enemy = world_of(self.game), world_of(self.game).enemy(self.player)
        late = self.segment in ("air_naval", "all_barrage")
        kinds = ("barrage",) if late else ("hip_shoot", "sweep")
        hexes = sorted({u.hex or "" for u in units(self.game, enemy) if u.hex in world.terrains})
        for plane in planes(self.game, self.player):
            if not plane.active or plane.flew or not self.concerns(of, plane.id):
                continue
            for kind in kinds:
                for hex in hexes if kind != "sweep" else _bases(self.game, enemy):
                    order = Mission(kind, (plane.id,), hex)  # type: ignore[arg-type]
                    if not mission_faults(self.game, self.player, self.segment, order):
                        text = Message(
                            "ocs.loop.flies", plane=plane.id, hex=hex, mission=kind.replace("_", " ")
                        )
                        yield Action(air=order), text, Points((plane.id,), end=hex, kind="attack")

    def words(self, element: Part[Any]) -> str:
        """Return a dry run of the action: path, fuel, supply, odds, and where dice or the enemy decide."""
        if element.section != "actions":
            return f"{element.section}: {element.value}"
        action: Action = element.value
        return described(self.aside(), self.player, self.segment, action, self._later())

    def doubts(self) -> list[Diagnostic]:
        """Return warnings about units without supply and overstacked hexes, as far as no dice matter."""
        return list(doubts(self.game, self.player))

    def nothing(self) -> str:
        return Message("ocs.loop.no-action-segment-ends")


def _bases(game: Game, side: str) -> list[str]:
    """Return the hexes of a side's Active aircraft."""
    return sorted({p.hex or "" for p in planes(game, side) if p.active and p.hex in world_of(game).terrains})


def top_faults(game: Game, side: str, entry: Entry[str]) -> list[Diagnostic]:
    """7.1: Return the fault of a counter named as top that is no unit of the side."""
    u = maybe_unit(game, entry.value)
    if u is None or u.owner != side:
        return [
            illegal("E-MOVE-ELIGIBLE", "7.1", Message("ocs.loop.no-unit-of-yours-on-map", value=entry.value))
        ]
    return []


@dataclass(frozen=True)
class ReleaseWhen:
    """D-RELEASE: Units in Reserve that go when an enemy combat unit is within `within` hexes of a hex.

    The hex is `of`, or else their own. They overrun the weakest enemy in reach, move close to the nearest, or
    are only released.
    """

    units: tuple[Name, ...] = ()
    formation: Name | None = None
    within: int = 2
    of: LocationId | None = None
    then: Literal["overrun", "close", "stay"] = "close"
    phase: Literal["reaction", "exploitation"] = "reaction"


@decision(
    "actions",
    rule="4.0.9",
    answer=Batch,
    facts=("segment", "round"),
    standing=("release", tuple[ReleaseWhen, ...]),
    secrecy="sealed",
)
class Actions(Growing[Batch]):
    """What do you do in this segment?"""

    player: str
    segment: str
    round: int
    skips = True

    def subject(self) -> tuple[str | int, ...]:
        return (self.segment,)

    def draft(self, game: Game) -> Acting:
        return Acting(game, self.player, self.segment)

    def settles(self, answer: Batch) -> bool:
        """4.0.9 (`on_illegal: skip`): Return True if each action is checked only when it is its turn."""
        return answer.on_illegal == "skip"

    def from_standing(self, game: Game, orders: list[tuple[ReleaseWhen, ...]]) -> Batch | None:
        """Return the releases of a standing order; its owner is then not asked in that phase."""
        due = [order for order in (orders[0] if orders else ()) if order.phase == self.segment]
        if not due:
            return None
        return Batch(released(game, self.player, self.segment, due), on_illegal="skip")

    def waits(self, game: Game) -> bool:
        """R-130: Return True if the side can do anything."""
        return anything_to_do(game, self.player, self.segment)

    def ahead(self, game: Game) -> Iterator[Decision[Any]]:
        after = {
            "movement": ("air_naval", "artillery", "combat", "exploitation"),
            "air_naval": ("artillery", "combat"),
            "reaction": ("all_barrage",),
            "artillery": ("combat", "exploitation"),
            "combat": ("exploitation",),
        }
        for segment in after.get(self.segment, ()):
            yield Actions(self.player, segment, 1)
        yield Simulcast(self.player)  # of the turn to come
        yield FirstPlayer(self.player)

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn

    @fact
    def ready(self, game: Game) -> int:
        """Return the number of units that may still act in this segment."""
        return len(ready(game, self.player, self.segment))


@decision(
    "overstack",
    rule="4.0.6",
    answer=tuple[Name, ...],
    standing=("overstack", tuple[str, ...]),
    secrecy="sealed",
)
class Overstack(Wish[tuple[str, ...]]):
    """D-STACK: Too many units are in a hex: which units or kinds go first?"""

    player: str
    hex: str
    wish = (), "ocs.loop.weakest-for-its-size"

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)

    def options(self, game: Game) -> Iterator[Option]:
        yield from super().options(game)
        for u in units(game, self.player, self.hex):
            yield Option([u.id], Message("ocs.loop.unit-first", unit=u.id))


@dataclass(frozen=True)
class BlowWhen:
    """Blow up dumps beside an enemy unit that no unit guards: all of them, or those in `hexes`."""

    threatened: Literal["yes", "no"] = "yes"
    hexes: tuple[LocationId, ...] = ()


@decision("blowing", rule="4.4.11", answer=tuple[Blow, ...], standing=("blow", BlowWhen), secrecy="sealed")
class Blowing(Unasked[tuple[Blow, ...]]):
    """D-BLOW: Which of your threatened dumps do you blow up at the end of the segment?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option([], "none")
        for hex, t in threatened(game, self.player):
            yield Option([{"hex": hex, "tokens": t}], Message("ocs.loop.all-t", t=t, hex=hex))

    def check(self, game: Game, answer: tuple[Blow, ...]) -> list[Diagnostic]:
        able = dict(threatened(game, self.player))
        return [
            illegal("E-SUP-SHORT", "4.4.11", Message("ocs.air.not-so-much-supply", start=order.hex), n)
            for n, order in enumerate(answer)
            if not 0 < order.tokens <= able.get(order.hex, 0)
        ]

    def default(self, game: Game) -> tuple[Blow, ...]:
        return ()

    def from_order(self, game: Game, order: BlowWhen) -> tuple[Blow, ...]:
        if order.threatened == "no":
            return ()
        listed = [(hex, t) for hex, t in threatened(game, self.player) if hex not in T.of(game).blown]
        return tuple(Blow(hex, t) for hex, t in listed if not order.hexes or hex in order.hexes)
