"""What a battle is ordered with, and every reason why it cannot be fought (4.8.1, E-BAT-1 to 8)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pbem.rules import HexNumber, Name

from ..command import Fault, force
from ..pieces import Board, Unit, combat_units, is_leader, is_unit, leader, leaders, unit, units, world_of
from ..statics import ZONE
from ..zones import fort_of
from .strength import face_ratio

SHIPS = ("naval_flotilla", "river_flotilla", "ironclad")


@dataclass(frozen=True)
class Stack:
    """Units that attack from one hex."""

    hex: HexNumber
    units: tuple[Name, ...]


@dataclass(frozen=True)
class OnlyIf:
    """Fight only if this holds when the battle's turn comes; `min_ratio_face` compares printed points in
    per cent.
    """

    min_ratio_face: int | None = None
    target_occupied: bool | None = None


@dataclass(frozen=True)
class BattleOrder:
    """One battle: a leader with one or two stacks, or `naval` units against a fort."""

    target: HexNumber
    leader: Name | None = None
    stacks: tuple[Stack, ...] = ()
    declared_cavalry: tuple[Name, ...] = ()
    naval: tuple[Name, ...] = ()
    only_if: OnlyIf | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """All units that the order names."""
        return (*(id for stack in self.stacks for id in stack.units), *self.naval)


def faults(board: Board, side: str, order: BattleOrder, used: Collection[str] = ()) -> list[Fault]:
    """Everything wrong with one battle now; `used` are units of battles further up in the list."""
    if order.target not in world_of(board).terrain:
        return [Fault("E-BAT-8", f"{order.target} is no hex of the map", ("target",))]
    if order.naval:
        found = list(_naval(board, side, order, used))
    else:
        found = [*_leader(board, side, order), *_land(board, side, order, used)]
    return found


def _leader(board: Board, side: str, order: BattleOrder) -> Iterator[Fault]:
    """E-BAT-1."""
    who = order.leader
    if who is None:
        yield Fault("E-BAT-1", "a leader must command the attack", ("leader",))
    elif not is_leader(board, who) or leader(board, who).side != side or not leader(board, who).on_map:
        yield Fault("E-BAT-1", f"{who} is no leader of {side} on the map", ("leader",))
    elif not leader(board, who).active:
        yield Fault("E-BAT-1", f"{who} is not active", ("leader",))


def _land(board: Board, side: str, order: BattleOrder, used: Collection[str]) -> Iterator[Fault]:
    yield from _hexes(board, order)
    under = _force(board, side, order.leader)
    seen = list(used)
    most = world_of(board).tables.numbers["attacking_hexes_most"]
    for n, stack in enumerate(order.stacks[:most]):
        for k, id in enumerate(stack.units):
            path = ("stacks", n, "units", k)
            yield from _unit(board, side, order, stack, id, under, seen, path)
            seen.append(id)
        if world_of(board).adjacent(stack.hex, order.target) and world_of(board).prohibited(
            stack.hex, order.target
        ):
            message = f"the hexside from {stack.hex} to {order.target} is prohibited"
            yield Fault("E-BAT-7", message, ("stacks", n, "hex"))
    enemy = world_of(board).enemy(side)
    if not any(each.is_land for each in units(board, enemy, order.target)):
        yield Fault("E-BAT-8", f"{order.target} holds no enemy land unit or HQ", ("target",))
    for n, id in enumerate(order.declared_cavalry):
        if id not in order.named or not is_unit(board, id) or unit(board, id).type != "cavalry":
            yield Fault(
                "E-BAT-4", f"{id} is no attacking cavalry and cannot be declared", ("declared_cavalry", n)
            )


def _hexes(board: Board, order: BattleOrder) -> Iterator[Fault]:
    """E-BAT-2: one or two hexes beside the target and beside each other (R-14)."""
    world = world_of(board)
    most = world.tables.numbers["attacking_hexes_most"]
    hexes = [stack.hex for stack in order.stacks]
    if not hexes or not all(stack.units for stack in order.stacks):
        yield Fault("E-BAT-2", "an attack needs units in every hex it names", ("stacks",))
    if len(hexes) > most:
        yield Fault("E-BAT-2", f"{len(hexes)} attacking hexes, at most {most} are allowed", ("stacks", most))
    if len(set(hexes)) < len(hexes):
        yield Fault("E-BAT-2", "an attacking hex is named twice", ("stacks",))
    for n, hex in enumerate(hexes):
        if not world.adjacent(hex, order.target):
            yield Fault("E-BAT-2", f"{hex} is not beside {order.target}", ("stacks", n, "hex"))
    if len(hexes) == most == 2 and hexes[0] != hexes[1] and not world.adjacent(*hexes):
        yield Fault("E-BAT-2", f"{hexes[0]} and {hexes[1]} are not beside each other", ("stacks", 1, "hex"))


def _force(board: Board, side: str, who: str | None) -> tuple[str, ...]:
    if who is None or not is_leader(board, who) or leader(board, who).side != side:
        return ()
    return force(board, who)


def _unit(
    board: Board,
    side: str,
    order: BattleOrder,
    stack: Stack,
    id: str,
    under: Collection[str],
    seen: Collection[str],
    path: tuple[str | int, ...],
) -> Iterator[Fault]:
    """The first of E-BAT-4, 3, 5, 6 that holds for a unit: its kind comes before whose it is."""
    if not is_unit(board, id) or unit(board, id).side != side:
        yield Fault("E-BAT-3", f"{id} is no unit of {side} on the map", path)
        return
    each = unit(board, id)
    if each.type not in ZONE or each.sp < 1:
        yield Fault("E-BAT-4", f"{id} ({each.row.name}) cannot attack", path)
    elif each.hex != stack.hex:
        yield Fault("E-BAT-3", f"{id} is in {each.hex}, not in {stack.hex}", path)
    elif id not in under:
        yield Fault("E-BAT-3", f"{id} is not in the force of {order.leader or 'a leader'}", path)
    elif each.attacked or id in seen:
        yield Fault("E-BAT-5", f"{id} attacks only once in a combat phase", path)
    elif each.entrained:
        yield Fault("E-BAT-6", f"{id} is entrained", path)


def _naval(board: Board, side: str, order: BattleOrder, used: Collection[str]) -> Iterator[Fault]:
    """Ships against a fort that holds at least one point: in its hex or in at most two hexes beside it."""
    world = world_of(board)
    if order.stacks or order.leader or order.declared_cavalry:
        yield Fault("E-BAT-2", "ships attack alone: no leader, stacks or cavalry", ("naval",))
    beside: dict[str, bool] = {}
    for n, id in enumerate(order.naval):
        path = ("naval", n)
        if not is_unit(board, id) or unit(board, id).side != side:
            yield Fault("E-BAT-3", f"{id} is no unit of {side} on the map", path)
            continue
        ship = unit(board, id)
        if ship.key not in SHIPS or ship.sp < 1:
            yield Fault("E-BAT-4", f"{id} ({ship.row.name}) cannot attack a fort", path)
        elif ship.hex != order.target and not world.adjacent(ship.hex, order.target):
            yield Fault("E-BAT-2", f"{id} in {ship.hex} is not beside {order.target}", path)
        elif ship.attacked or id in used or id in order.naval[:n]:
            yield Fault("E-BAT-5", f"{id} attacks only once in a combat phase", path)
        elif ship.hex != order.target:
            beside[ship.hex] = True
    most = world.tables.numbers["naval_hexes_most"]
    if len(beside) > most:
        yield Fault(
            "E-BAT-2", f"ships in {len(beside)} hexes beside the fort, at most {most} are allowed", ("naval",)
        )
    enemy = world.enemy(side)
    if fort_of(board, order.target, enemy) is None or not any(
        each.sp >= 1 or not each.known for each in units(board, enemy, order.target) if each.is_land
    ):
        yield Fault("E-BAT-8", f"{order.target} is no enemy fort with anybody in it", ("target",))


def condition_fails(board: Board, side: str, order: BattleOrder) -> str | None:
    """Why a battle is not to be fought by its own `only_if`, None if it is."""
    wish = order.only_if
    if wish is None:
        return None
    enemy = world_of(board).enemy(side)
    occupied = bool(combat_units(board, enemy, order.target))
    if wish.target_occupied is not None and wish.target_occupied != occupied:
        return f"{order.target} is {'occupied' if occupied else 'not occupied'}"
    if wish.min_ratio_face is not None:
        there = [each for each in units(board, enemy, order.target) if each.is_combat]
        ratio = face_ratio(board, order.named, there)
        if ratio is not None and ratio < wish.min_ratio_face:
            return f"the ratio of the printed strengths is {ratio}, wanted {wish.min_ratio_face}"
    return None


def candidates(board: Board, side: str, used: Collection[str] = ()) -> Iterator[BattleOrder]:
    """Battles that could be fought now: whole stacks from one hex or from two, and ships; a list to pick
    from.
    """
    world = world_of(board)
    enemy = world.enemy(side)
    held = {each.hex: True for each in units(board, enemy) if each.is_land}
    for who in leaders(board, side):
        if not who.active or who.naval:
            continue
        stacks = _stacks(board, force(board, who.id), used)
        beside = {near: True for stack in stacks for near in world.neighbours(stack.hex) if near in held}
        for target in sorted(beside):
            near = [
                s for s in stacks if world.adjacent(s.hex, target) and not world.prohibited(s.hex, target)
            ]
            pairs = [
                (a, b) for n, a in enumerate(near) for b in near[n + 1 :] if world.adjacent(a.hex, b.hex)
            ]
            for chosen in (*pairs, *((one,) for one in near)):
                yield BattleOrder(target, who.id, chosen)
                if mounted := _mounted(board, chosen):
                    yield BattleOrder(target, who.id, chosen, mounted)
    yield from _bombardments(board, side, used)


def _mounted(board: Board, stacks: tuple[Stack, ...]) -> tuple[str, ...]:
    return tuple(id for stack in stacks for id in stack.units if unit(board, id).type == "cavalry")


def _stacks(board: Board, ids: Collection[str], used: Collection[str]) -> list[Stack]:
    """The units of a force that may still attack, hex by hex."""
    by_hex: dict[str, list[str]] = {}
    for id in ids:
        if is_unit(board, id) and _free(unit(board, id), used) and unit(board, id).can_attack:
            by_hex.setdefault(unit(board, id).hex, []).append(id)
    return [Stack(hex, tuple(found)) for hex, found in sorted(by_hex.items())]


def _free(each: Unit, used: Collection[str]) -> bool:
    return not each.attacked and not each.entrained and each.id not in used


def _bombardments(board: Board, side: str, used: Collection[str]) -> Iterator[BattleOrder]:
    world = world_of(board)
    for target in world.forts:
        beside = (target, *world.neighbours(target))
        ships = [s for hex in beside for s in units(board, side, hex) if s.is_naval and s.key in SHIPS]
        able = [s for s in ships if s.sp and _free(s, used)]
        hexes = list(dict.fromkeys(s.hex for s in able if s.hex != target))
        kept = {target, *hexes[: world.tables.numbers["naval_hexes_most"]]}
        order = BattleOrder(target, naval=tuple(s.id for s in able if s.hex in kept))
        if order.naval and not faults(board, side, order, used):
            yield order
