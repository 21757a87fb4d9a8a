"""Steps of an impulse as lists of typed orders: faults and effects of an entry (I.3 a to o).

Drafts of letters and procedures use the same checks. Steps with dice (a, d, f, g, m, n) are fought
by the procedures. A draft only counts what they always spend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.rules import Game, Message

from .battle import attack_fault
from .conditions import BadCondition, fault, holds
from .entries import AirSupply, Carry, Drop, Rebase, Strike
from .events.moving import Flew
from .flying import fighter_fault, flier_fault, range_fault
from .ground import Ground
from .land import MOVE, Land, activity, by_rail, capture, own_unit, rail_fault
from .naval import (
    ashore,
    ashore_fault,
    combat_fault,
    defended,
    down,
    fly_to_sea,
    sail,
    sail_fault,
    sea_flight_fault,
)
from .occasions import fliers
from .pieces import T, Unit, controller, held_by, maybe_unit, operating, side, side_units, turn_down, use
from .plans import Refusal
from .retreating import left_hex, no_room
from .sources import Supply
from .world import world_of

Found = tuple[str, Refusal | None]
STEPS = ("a", "b", "c", "d", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o")
AIR = ("a", "f", "g", "m")


class Impulse:
    """The state that the steps of one impulse share.

    It is worked out when needed and dropped after a step. With `at_the_end` stacking is judged
    after the step and not with each order (R-216).
    """

    def __init__(self, game: Game, *, at_the_end: bool = False) -> None:
        self.game, self.at_the_end = game, at_the_end
        self.side = T.of(game).phasing or ""
        self.flown: set[str] = set()
        self.beachheads: set[str] = set()
        """Hexes that units of this side take in the step. More may land there."""
        self._land: Land | None = None
        self._supply: Supply | None = None
        self._step = ""

    def at(self, step: str) -> None:
        """Begin a new step, in which units may have moved."""
        if step != self._step:
            self._step, self._land, self._supply = step, None, None
            self.beachheads.clear()

    @property
    def land(self) -> Land:
        if self._land is None:
            self._land = Land(self.game, self.side)
        return self._land

    @property
    def ground(self) -> Ground:
        return self.land.ground

    @property
    def supply(self) -> Supply:
        if self._supply is None:
            self._supply = Supply(self.game, self.side)
        return self._supply

    def fault(self, step: str, player: str, order: Any) -> Found:
        """Return the owner of an order, and its fault, or None if it is legal."""
        self.at(step)
        power, refused = self._judged(step, player, order)
        if refused is not None and refused.crowds and self.at_the_end:
            return power, None
        return power, refused

    def _judged(self, step: str, player: str, order: Any) -> Found:
        """Return the owner and the first fault of an order. Room is checked last."""
        game = self.game
        if step in ("a", "f", "g"):
            return self._strike_fault(step, player, order)
        checks: dict[str, Callable[[], Found]] = {
            "b": lambda: sea_flight_fault(game, player, order),
            "c": lambda: sail_fault(game, player, order),
            "d": lambda: combat_fault(game, player, order.area),
            "h": lambda: rail_fault(game, self.ground, player, order),
            "i": lambda: self.land.fault(player, order),
            "j": lambda: self._transport_fault(player, order),
            "k": lambda: ashore_fault(game, player, order, False),
            "l": lambda: ashore_fault(game, player, order, True, self.beachheads),
            "m": lambda: self._drop_fault(player, order),
            "n": lambda: attack_fault(game, player, order),
            "o": lambda: self._rebase_fault(player, order),
        }
        return checks[step]()

    def _strike_fault(self, step: str, player: str, order: Strike) -> Found:
        """Return the fault of a strike (steps f, g, a).

        Bombers and escorts must be in range, a target in the hex, and missions left.
        """
        game, world = self.game, world_of(self.game)
        hex, power = order.hex or "", ""
        if not order.aircraft:
            return power, Refusal(MOVE, Message("wif.steps.mission-names-aircraft"))
        for id in order.aircraft:
            u = own_unit(game, player, id)
            if isinstance(u, Refusal):
                return power, u
            power = power or u.owner
            if u.owner != power or u.type not in world.units["strikers"] or id in self.flown:
                return power, Refusal("E-PROVIDER", Message("wif.steps.cannot-fly-mission", id=id))
            if step == "f" and not u.print.strategic:
                return power, Refusal(MOVE, Message("wif.steps.has-no-strategic-factor", id=id))
            if (fault := flier_fault(game, u, hex)) is not None:
                return power, fault
        fault = self._escort_fault(player, hex, order.escorts) or self._target_fault(step, order)
        return power, fault or activity(game, power, "air_missions", len(order.aircraft))

    def _escort_fault(self, player: str, hex: str, escorts: Sequence[str]) -> Refusal | None:
        for id in escorts:
            u = own_unit(self.game, player, id)
            if isinstance(u, Refusal):
                return u
            if id in self.flown:
                return Refusal("E-PROVIDER", Message("wif.steps.flies-already", id=id))
            if (fault := fighter_fault(self.game, u, hex)) is not None:
                return fault
        return None

    def _target_fault(self, step: str, order: Strike) -> Refusal | None:
        game, world, hex = self.game, world_of(self.game), order.hex or ""
        enemy = world.enemy(self.side)
        targets = side_units(game, enemy, hex) if hex in world.index else []
        if step == "g" and not any(u.print.arm in ("land", "air") for u in targets):
            return Refusal(MOVE, Message("wif.steps.no-enemy-unit", hex=hex))
        if step == "a" and not any(u.print.arm == "sea" for u in targets):
            return Refusal(MOVE, Message("wif.steps.no-enemy-ship-in-port", hex=hex))
        if step == "f":
            site = world.sites.get(hex)
            factories = order.target == "factories" and operating(game, hex) > 0
            port = order.target == "port" and site is not None and site.port is not None
            if not held_by(game, hex, enemy) or not (factories or port):
                return Refusal(MOVE, Message("wif.steps.nothing-to-bombard", hex=hex))
        return None

    def _transport_fault(self, player: str, order: Carry) -> Found:
        """Return the fault of an air transport (step j).

        It carries a division, PARA or MTN, a large one any corps. None can intercept it (R-212).
        """
        game, world = self.game, world_of(self.game)
        plane, u = own_unit(game, player, order.atr), own_unit(game, player, order.unit)
        if isinstance(plane, Refusal):
            return "", plane
        if isinstance(u, Refusal):
            return "", u
        to, power = order.to or "", plane.owner
        if plane.type != "ATR" or plane.down or plane.id in self.flown:
            return power, Refusal(
                "E-PROVIDER", Message("wif.steps.face-down-or-cannot-carry", plane=plane.id)
            )
        light = u.print.arm == "land" and (u.print.size == "division" or u.type in ("PARA", "MTN"))
        if (
            not (light or (plane.print.large and u.print.corps))
            or u.hex != plane.hex
            or u.id in T.of(game).moved
        ):
            return power, Refusal(MOVE, Message("wif.steps.cannot-carry", plane=plane.id, u=u.id))
        site = world.sites.get(to)
        if site is None or not site.city or not held_by(game, to, self.side):
            return power, Refusal(MOVE, Message("wif.steps.no-friendly-city", to=to))
        fault = flier_fault(game, plane, to) or activity(game, power, "air_missions")
        return power, fault or no_room(game, u, to) or no_room(game, plane, to)

    def _drop_fault(self, player: str, order: Drop) -> Found:
        """Return the fault of a drop by a parachute unit in the transport's hex (step m).

        It drops onto an enemy hex, or one where others drop (R-219).
        """
        game = self.game
        plane, u = own_unit(game, player, order.atr), own_unit(game, player, order.unit)
        if isinstance(plane, Refusal):
            return "", plane
        if isinstance(u, Refusal):
            return "", u
        hex, power = order.hex or "", plane.owner
        if plane.type != "ATR" or plane.id in self.flown or u.type != "PARA" or u.hex != plane.hex or u.down:
            return power, Refusal(MOVE, Message("wif.steps.cannot-drop", unit=order.unit, atr=order.atr))
        if u.id in T.of(game).moved or u.id in T.of(game).invading:
            return power, Refusal(MOVE, Message("wif.land.has-moved-in-impulse", u=u.id))
        ours = held_by(game, hex, self.side) and hex not in self.beachheads
        if controller(game, hex) is None or ours or not world_of(game).land(hex):
            return power, Refusal(MOVE, Message("wif.naval.no-enemy-hex", to=hex))
        fault = flier_fault(game, plane, hex) or self._escort_fault(player, hex, order.escorts)
        return power, fault or activity(game, power, "air_missions") or no_room(game, u, hex)

    def _rebase_fault(self, player: str, order: Rebase) -> Found:
        """Return the fault of a rebase (step o).

        A face-up aircraft flies to a friendly hex within twice its range, in any weather.
        """
        game, world = self.game, world_of(self.game)
        u = own_unit(game, player, order.aircraft)
        if isinstance(u, Refusal):
            return "", u
        to = order.to or ""
        if u.print.arm != "air" or u.down or not world.land(u.hex or ""):
            return u.owner, Refusal(
                "E-PROVIDER", Message("wif.steps.face-down-or-no-aircraft-on-land", u=u.id)
            )
        if u.id in self.flown:
            return u.owner, Refusal("E-PROVIDER", Message("wif.steps.flies-already", id=u.id))
        if not world.land(to) or not held_by(game, to, self.side) or to == u.hex:
            return u.owner, Refusal(MOVE, Message("wif.steps.no-friendly-hex-to-go-to", to=to))
        fault = range_fault(game, u, to, int(world.combat["rebase"]))
        fault = fault or activity(game, u.owner, "air_missions")
        return u.owner, fault or no_room(game, u, to)

    def air_supply_fault(self, player: str, order: AirSupply) -> Found:
        """p.1.2: Return the fault of an air transport and its escorts."""
        game, hex = self.game, order.hex or ""
        self.at("p")
        plane = maybe_unit(game, order.atr)
        if plane is None or game.seat(plane.owner) != player or side(game, plane) != self.side:
            return "", Refusal("E-UNIT", Message("wif.battle.no-such-unit-of-yours", id=order.atr))
        power = plane.owner
        if power not in fliers(game, self.side):
            return power, Refusal("E-PASS", Message("wif.land.has-passed", power=power))
        if plane.type != "ATR" or plane.id in self.flown:
            return power, Refusal(
                "E-PROVIDER", Message("wif.steps.no-transport-that-can-fly", plane=plane.id)
            )
        fault = flier_fault(game, plane, hex)
        if fault is None and not self.supply.in_supply(plane):
            fault = Refusal("E-SUPPLY", Message("wif.reorganize.not-in-supply", hex=plane.id))
        if fault is None:
            fault = self._escort_fault(player, hex, order.escorts)
        if fault is None and not any(u.down for u in side_units(game, self.side, hex)):
            fault = Refusal("E-FACEUP", Message("wif.steps.nothing-in-can-be-reorganized", hex=hex))
        return power, fault

    def do(self, step: str, order: Any) -> str | None:
        """Carry out an order without dice.

        Returns the ship that turns face-down after the step, or None.
        """
        game = self.game
        if step == "b":
            fly_to_sea(game, order)
        elif step == "c":
            sail(game, order)
        elif step == "h":
            by_rail(game, Unit(game, order.unit), order.to)
        elif step == "i":
            self.land.march(Unit(game, order.unit), order.path)
            self.land.ground.ours.add(order.path[-1])
        elif step == "j":
            self._carry(order)
        elif step in ("k", "l"):
            self.beachheads |= {order.to} if step == "l" else set()
            return ashore(game, order, step == "l")
        elif step == "o":
            u = Unit(game, order.aircraft)
            origin, u.hex = u.place, order.to
            self.flown.add(u.id)
            use(game, u.owner, "air_missions")
            game.emit(Flew(u.owner, u.id, origin, order.to))
        else:
            raise AssertionError(f"step {step} has dice")
        return None

    def _carry(self, order: Carry) -> None:
        game, t = self.game, T.of(self.game)
        plane, u = Unit(game, order.atr or ""), Unit(game, order.unit or "")
        origin, to = u.place, order.to or ""
        for turned in left_hex(game, u, origin):
            turn_down(turned)
        u.hex = plane.hex = to
        t.moved = (*t.moved, u.id)
        use(game, plane.owner, "air_missions")
        game.emit(Flew(plane.owner, plane.id, origin, to, u.id))
        down(game, plane, Message("wif.steps.carried-unit"))

    def spend(self, step: str, order: Any) -> None:
        """Spend for a draft what an order with dice always spends."""
        game, t = self.game, T.of(self.game)
        if step in AIR:
            planes = [order.atr] if step == "m" else list(order.aircraft)
            self.flown |= {*planes, *order.escorts}
            use(game, Unit(game, planes[0]).owner, "air_missions", len(planes))
            for id in sorted({*planes, *order.escorts}):
                turn_down(Unit(game, id))
            if step == "m":
                self.beachheads.add(order.hex)
                land_or_invade(game, Unit(game, order.unit), order.hex)
        elif step == "n":
            t.fought = (*t.fought, *order.units)
            use(game, Unit(game, order.units[0]).owner, "land_attacks")
            for id in order.units:
                turn_down(Unit(game, id))
        elif step == "d":
            t.fought = (*t.fought, world_of(game).area_of[order.area])


def land_or_invade(game: Game, u: Unit, hex: str) -> None:
    """Let a unit that dropped take an empty hex, or else fight at step n (step m)."""
    t = T.of(game)
    t.moved = (*t.moved, u.id)
    if defended(game, hex, side(game, u)):
        t.invading[u.id] = hex
        return
    u.hex = hex
    capture(game, hex, u.owner, damages=True)


def listed_ways(order: Any) -> list[Any]:
    """Return the alternatives of an entry: those of `first`, or the entry itself."""
    return list(order.first) if order.first else [order]


def labels_of(game: Game, player: str) -> tuple[str, ...]:
    """6.1: Return the labels of a player's entries that have succeeded.

    Labels of other players do not count.
    """
    prefix = f"{player} "
    return tuple(
        label.removeprefix(prefix)
        for label in T.of(game).labels
        if label.startswith(prefix) or " " not in label
    )


def succeeded(game: Game, player: str, *labels: str | None) -> None:
    """6.1: Record the labels of an entry that was carried out. They count from now on."""
    t = T.of(game)
    t.labels = tuple(dict.fromkeys((*t.labels, *(f"{player} {label}" for label in labels if label))))


def first_way(
    game: Game, player: str, order: Any, fault: Callable[[Any], Refusal | None]
) -> tuple[Any, Refusal | None]:
    """6.1: Return the first wanted and legal alternative of an entry. Its labels count from now on.

    If there is none, return None and the first fault.
    """
    labels, reason = labels_of(game, player), None
    for way in listed_ways(order) if wanted(game, order, labels) else ():
        if not wanted(game, way, labels):
            continue
        refused = fault(way)
        if refused is None:
            succeeded(game, player, order.label, way.label)
            return way, None
        reason = reason or refused
    return None, reason


def condition_fault(order: Any) -> str | None:
    """Return the reason why a condition of an entry cannot be read, or None."""
    return next((bad for way in [order, *getattr(order, "first", ())] if (bad := fault(way.if_))), None)


def wanted(game: Game, order: Any, labels: Sequence[str]) -> bool:
    """Return True if the condition of an entry can be read and holds."""
    try:
        return holds(game, order.if_, tuple(labels))
    except BadCondition:
        return False
