"""4.8.1, 4.8.2, D-07: The selection of battles: orders, faults, and the attackers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from pbem.kit.faults import illegal, under
from pbem.kit.odds import total
from pbem.rules import (
    Board,
    Diagnostic,
    Draft,
    Game,
    Growing,
    HexNumber,
    Message,
    Name,
    Next,
    Part,
    Points,
    ask,
    condition,
    dataclass,
    decision,
    from_json,
    to_json,
)

from ..asking import InWeek
from ..command.forces import force
from ..events.battle import AttackRevealed, BattleBegan, BattleSkipped, SegmentPassed
from ..pieces import Unit, leaders, left, own_leader, own_unit, unit, units, winter, world_of
from ..telling import name_of
from ..tracks import T
from ..zones import fort_of
from .record import Battle, face
from .secrets import count_battle, lodge_secrets
from .strength import attack_lines, percent, working

DONE = "2.c"
RULE = "4.8.1"
SHIPS = ("naval_flotilla", "river_flotilla", "ironclad")


@dataclass(frozen=True)
class Stack:
    """Units that attack from one hex."""

    hex: HexNumber
    units: tuple[Name, ...]


@dataclass(frozen=True)
class OnlyIf:
    """A condition for a battle when its turn comes.

    `min_ratio_face` compares printed points in per cent.
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
        """Return all units that the order names."""
        return (*(id for stack in self.stacks for id in stack.units), *self.naval)

    @property
    def words(self) -> str:
        """Return the battle in a line."""
        if self.naval:
            return Message("wbts.selection.attack-fort", naval=tuple(self.naval), target=self.target)
        stacks = " and ".join(
            Message("wbts.selection.from", units=tuple(stack.units), hex=stack.hex) for stack in self.stacks
        )
        declared = (
            Message("wbts.selection.declared", declared_cavalry=tuple(self.declared_cavalry))
            if self.declared_cavalry
            else ""
        )
        return Message(
            "wbts.selection.attacks", leader=self.leader, target=self.target, stacks=stacks, declared=declared
        )


@dataclass(frozen=True)
class BattleOrders:
    """Battles in the order in which they are fought.

    With `more` the player is asked again after them.
    """

    battles: tuple[BattleOrder, ...] = ()
    more: bool = False


def faults(board: Board, side: str, order: BattleOrder, used: Collection[str] = ()) -> Iterator[Diagnostic]:
    """Yield all faults of one battle now. `used` are units of earlier battles in the list."""
    if order.target not in world_of(board).terrain:
        yield illegal("E-BAT-8", RULE, Message("wbts.selection.no-hex-of-map", target=order.target), "target")
    elif order.naval:
        yield from _naval(board, side, order, used)
    else:
        yield from _leader(board, side, order)
        yield from _hexes(board, order)
        yield from _land(board, side, order, used)


def _leader(board: Board, side: str, order: BattleOrder) -> Iterator[Diagnostic]:
    who = own_leader(board, side, order.leader)
    why = None
    if order.leader is None:
        why = Message("wbts.selection.leader-must-command-attack")
    elif who is None or not who.on_map:
        why = Message("wbts.selection.no-leader-of-on-map", leader=order.leader, side=side)
    elif not who.active:
        why = Message("wbts.selection.not-active", leader=order.leader)
    if why is not None:
        yield illegal("E-BAT-1", RULE, why, "leader")


def _hexes(board: Board, order: BattleOrder) -> Iterator[Diagnostic]:
    """E-BAT-2: Yield faults of attacking hexes.

    There are one or two, beside the target and each other (R-14).
    """
    world = world_of(board)
    most = world.tables.numbers["attacking_hexes_most"]
    hexes = [stack.hex for stack in order.stacks]
    if not hexes or not all(stack.units for stack in order.stacks):
        yield illegal(
            "E-BAT-2", RULE, Message("wbts.selection.attack-needs-units-in-every-hex-names"), "stacks"
        )
    if len(hexes) > most:
        message = Message("wbts.selection.attacking-hexes", count=len(hexes), most=most)
        yield illegal("E-BAT-2", RULE, message, "stacks", most)
    if len(set(hexes)) < len(hexes):
        yield illegal("E-BAT-2", RULE, Message("wbts.selection.attacking-hex-named-twice"), "stacks")
    for n, hex in enumerate(hexes):
        if not world.adjacent(hex, order.target):
            yield illegal(
                "E-BAT-2",
                RULE,
                Message("wbts.selection.not-beside", hex=hex, target=order.target),
                "stacks",
                n,
                "hex",
            )
    if len(hexes) == most == 2 and hexes[0] != hexes[1] and not world.adjacent(*hexes):
        message = Message("wbts.selection.not-beside-each-other", hexes=hexes[0], hexes_2=hexes[1])
        yield illegal("E-BAT-2", RULE, message, "stacks", 1, "hex")


def _land(board: Board, side: str, order: BattleOrder, used: Collection[str]) -> Iterator[Diagnostic]:
    world, who = world_of(board), own_leader(board, side, order.leader)
    members = force(who) if who is not None else ()
    seen = list(used)
    for n, stack in enumerate(order.stacks[: world.tables.numbers["attacking_hexes_most"]]):
        for k, id in enumerate(stack.units):
            wrong = _unit_fault(board, side, order, stack.hex, id, members, seen)
            yield from under([illegal(wrong[0], RULE, wrong[1])] if wrong else [], "stacks", n, "units", k)
            seen.append(id)
        if world.adjacent(stack.hex, order.target) and world.prohibited(stack.hex, order.target):
            message = Message("wbts.selection.hexside-from-to-prohibited", hex=stack.hex, target=order.target)
            yield illegal("E-BAT-7", RULE, message, "stacks", n, "hex")
    if not any(u.is_land for u in units(board, world.enemy(side), order.target)):
        yield illegal(
            "E-BAT-8",
            RULE,
            Message("wbts.selection.holds-no-enemy-land-unit-or-hq", target=order.target),
            "target",
        )
    cavalry = {u.id for u in left(board, order.named) if u.type == "cavalry"}
    for n, id in enumerate(order.declared_cavalry):
        if id not in cavalry:
            message = Message("wbts.selection.no-attacking-cavalry-and-cannot-be-declared", id=id)
            yield illegal("E-BAT-4", RULE, message, "declared_cavalry", n)


def _unit_fault(
    board: Board,
    side: str,
    order: BattleOrder,
    hex: str,
    id: str,
    members: Collection[str],
    seen: Collection[str],
) -> tuple[str, str] | None:
    """R-35: Return the first of E-BAT-4, 3, 5, 6 for a unit. Its kind is checked before its owner."""
    u = own_unit(board, side, id)
    if u is None:
        return "E-BAT-3", Message("wbts.selection.no-unit-of-on-map", id=id, side=side)
    if not u.can_attack:
        return "E-BAT-4", Message("wbts.selection.cannot-attack", id=id, row=u.row.name)
    if u.hex != hex:
        return "E-BAT-3", Message("wbts.selection.is-in-other-hex", id=id, hex=u.hex, hex_2=hex)
    if id not in members:
        return "E-BAT-3", Message(
            "wbts.selection.not-in-force", id=id, leader=order.leader or Message("wbts.selection.leader")
        )
    if u.attacked or id in seen:
        return "E-BAT-5", Message("wbts.selection.attacks-only-once-in-combat-phase", id=id)
    if u.entrained:
        return "E-BAT-6", Message("wbts.selection.entrained", id=id)
    return None


def _naval(board: Board, side: str, order: BattleOrder, used: Collection[str]) -> Iterator[Diagnostic]:
    """Yield faults of ships against a fort: one with a point, from its hex or two adjacent ones."""
    world = world_of(board)
    enemy, most = world.enemy(side), world.tables.numbers["naval_hexes_most"]
    if order.stacks or order.leader or order.declared_cavalry:
        yield illegal("E-BAT-2", RULE, Message("wbts.selection.ships-attack-alone"), "naval")
    beside: dict[str, bool] = {}
    for n, id in enumerate(order.naval):
        ship = own_unit(board, side, id)
        if ship is None:
            yield illegal(
                "E-BAT-3", RULE, Message("wbts.selection.no-unit-of-on-map", id=id, side=side), "naval", n
            )
        elif ship.key not in SHIPS or ship.sp < 1:
            yield illegal(
                "E-BAT-4",
                RULE,
                Message("wbts.selection.cannot-attack-fort", id=id, row=ship.row.name),
                "naval",
                n,
            )
        elif ship.hex != order.target and not world.adjacent(ship.hex, order.target):
            yield illegal(
                "E-BAT-2",
                RULE,
                Message("wbts.selection.unit-not-beside", id=id, hex=ship.hex, target=order.target),
                "naval",
                n,
            )
        elif ship.attacked or id in used or id in order.naval[:n]:
            yield illegal(
                "E-BAT-5",
                RULE,
                Message("wbts.selection.attacks-only-once-in-combat-phase", id=id),
                "naval",
                n,
            )
        elif ship.hex != order.target:
            beside[ship.hex] = True
    if len(beside) > most:
        message = Message("wbts.selection.ships-in-hexes-beside-fort", count=len(beside), most=most)
        yield illegal("E-BAT-2", RULE, message, "naval")
    targets = [u for u in units(board, enemy, order.target) if u.is_land]
    if fort_of(board, order.target, enemy) is None or not any(u.sp >= 1 or not u.known for u in targets):
        yield illegal(
            "E-BAT-8",
            RULE,
            Message("wbts.selection.no-enemy-fort-with-anybody", target=order.target),
            "target",
        )


def condition_fails(board: Board, side: str, order: BattleOrder) -> str | None:
    """Return the reason why a battle's own `only_if` forbids it, or None."""
    wish = order.only_if
    defenders = [u for u in units(board, world_of(board).enemy(side), order.target) if u.is_combat]
    if wish is None:
        return None
    if wish.target_occupied is not None and wish.target_occupied != bool(defenders):
        return Message("wbts.selection.occupied-or-not", target=order.target, occupied=bool(defenders))
    ratio = percent(face(left(board, order.named)), face(defenders))
    if wish.min_ratio_face is not None and ratio is not None and ratio < wish.min_ratio_face:
        return Message(
            "wbts.selection.ratio-of-printed-strengths", ratio=ratio, min_ratio_face=wish.min_ratio_face
        )
    return None


def candidates(board: Board, side: str, used: Collection[str] = ()) -> Iterator[BattleOrder]:
    """Yield possible battles to pick from: whole stacks from one or two hexes, and ships."""
    world = world_of(board)
    held = {u.hex for u in units(board, world.enemy(side)) if u.is_land}
    for who in leaders(board, side):
        if not who.active or who.naval:
            continue
        stacks = _stacks(board, force(who), used)
        for target in sorted({near for s in stacks for near in world.neighbours(s.hex) if near in held}):
            near = [
                s for s in stacks if world.adjacent(s.hex, target) and not world.prohibited(s.hex, target)
            ]
            pairs = [
                (a, b) for n, a in enumerate(near) for b in near[n + 1 :] if world.adjacent(a.hex, b.hex)
            ]
            for chosen in (*pairs, *((stack,) for stack in near)):
                yield BattleOrder(target, who.id, chosen)
                mounted = [id for s in chosen for id in s.units if unit(board, id).type == "cavalry"]
                if mounted:
                    yield BattleOrder(target, who.id, chosen, tuple(mounted))
    yield from _bombardments(board, side, used)


def _stacks(board: Board, ids: Collection[str], used: Collection[str]) -> list[Stack]:
    """Return the units of a force that may still attack, hex by hex."""
    by_hex: dict[str, list[str]] = {}
    for u in left(board, ids):
        if _free(u, used) and u.can_attack:
            by_hex.setdefault(u.hex, []).append(u.id)
    return [Stack(hex, tuple(members)) for hex, members in sorted(by_hex.items())]


def _free(u: Unit, used: Collection[str]) -> bool:
    return not u.attacked and not u.entrained and u.id not in used


def _bombardments(board: Board, side: str, used: Collection[str]) -> Iterator[BattleOrder]:
    world = world_of(board)
    for target in world.forts:
        beside = (target, *world.neighbours(target))
        ships = [s for hex in beside for s in units(board, side, hex) if s.key in SHIPS]
        able = [s for s in ships if s.sp and _free(s, used)]
        hexes = list(dict.fromkeys(s.hex for s in able if s.hex != target))
        kept = {target, *hexes[: world.tables.numbers["naval_hexes_most"]]}
        order = BattleOrder(target, naval=tuple(s.id for s in able if s.hex in kept))
        if order.naval and not any(True for _ in faults(board, side, order, used)):
            yield order


class BattlesDraft(Draft[Part[Any]]):
    """Battles one after another, in which each unit attacks once. They do not change the board."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.listed = 0
        self.used: list[str] = []

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        for order in candidates(self.game, self.player, self.used):
            defenders = units(self.game, world_of(self.game).enemy(self.player), order.target)
            ratio = percent(face(left(self.game, order.named)), face([u for u in defenders if u.is_combat]))
            known = all(u.known for u in defenders) and ratio is not None
            risk = Message("wbts.selection.printed-points", ratio=ratio) if known else ""
            points = Points(order.named, end=order.target, risk=risk, kind="attack")
            yield Next(Part("battles", order), order.words, points)
        if self.listed:
            yield Next(Part("more", True), Message("wbts.selection.ask-again-after-these-battles"))

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        if element.section == "battles":
            return list(self._faults(element.value))
        message = Message("wbts.selection.more-battles-after-none")
        return [] if self.listed else [illegal("E-BAT-8", RULE, message)]

    def _faults(self, order: BattleOrder) -> Iterator[Diagnostic]:
        """R-36, R-68: Yield faults.

        A later target may still become occupied, and a hidden one may hold any counter.
        """
        open = bool(self.listed) or self._may_hold_anything(order.target)
        for fault in faults(self.game, self.player, order, self.used):
            if not (open and fault.code == "E-BAT-8"):
                yield fault
        wish = order.only_if
        if wish is not None and wish.min_ratio_face is not None and self.game.options["limited_intelligence"]:
            message = Message("wbts.selection.min-ratio-face-would-tell-what-hidden")
            yield illegal("hidden-condition", RULE, message, "only_if", "min_ratio_face")

    def _may_hold_anything(self, hex: str) -> bool:
        """Return True if with limited intelligence an occupied hex may hold any counter."""
        if not self.game.options["limited_intelligence"]:
            return False
        enemy = world_of(self.game).enemy(self.player)
        return bool(units(self.game, enemy, hex) or leaders(self.game, enemy, hex))

    def do(self, element: Part[Any]) -> None:
        if element.section == "battles":
            self.listed += 1
            self.used += element.value.named

    def suppose(self, element: Part[Any]) -> None:
        self.do(element)

    def words(self, element: Part[Any]) -> str:
        if element.section != "battles":
            return super().words(element)
        order = element.value
        sentence, ids = order.words, [*order.named, *([order.leader] if order.leader else [])]
        for forecast in self.game.system.forecasts(self.game, order.target, ids):
            sentence = Message("wbts.selection.forecast", said=sentence, expected=forecast.sentence())
        return str(sentence)

    def nothing(self) -> str:
        return Message("wbts.selection.fight-no-battle")


@decision("battles", rule="4.8.1", answer=BattleOrders, secrecy="sealed")
class Battles(InWeek[BattleOrders], Growing[BattleOrders]):
    """Which battles do you fight, in which order? None is to pass, which ends the segment."""

    player: str
    drafts = BattlesDraft


@condition("battles_go_on")
def battles_go_on(game: Game, phasing: str | None) -> bool:
    """Return True if the phasing player did not pass, and has battles listed or units to attack."""
    assert phasing is not None
    tracks = T.of(game)
    if DONE in tracks.done or tracks.result is not None:
        return False
    return bool(tracks.battle_list) or any(True for _ in candidates(game, phasing))


async def select(game: Game, phasing: str) -> None:
    """4.8.1: Select the next battle of the list, or ask for a new list.

    Impossible battles are skipped.
    """
    tracks = T.of(game)
    Battle.of(game).end()
    listed = tracks.battle_list.get(phasing) or await _new_list(game, phasing, 0)
    while listed is not None:
        number, orders = int(listed["number"]), from_json(BattleOrders, listed["orders"])
        if orders.battles:
            order, rest = orders.battles[0], BattleOrders(orders.battles[1:], orders.more)
            fought = _is_fought(game, phasing, order)
            listed = {"number": number + int(fought), "orders": to_json(rest)}
            tracks.battle_list = {phasing: listed}
            if fought:
                _begin(game, phasing, order, number + 1)
                return
        elif orders.more and any(True for _ in candidates(game, phasing)):
            listed = await _new_list(game, phasing, number)
        else:
            listed = None
    tracks.battle_list = {}
    tracks.pass_segment(DONE)
    game.emit(SegmentPassed(phasing))


async def _new_list(game: Game, phasing: str, number: int) -> dict[str, Any] | None:
    """Ask for battles. None means a pass."""
    await lodge_secrets(game, phasing)
    answer = await ask(Battles(phasing))
    return {"number": number, "orders": to_json(answer)} if answer.battles else None


def _is_fought(game: Game, phasing: str, order: BattleOrder) -> bool:
    """Return True if a battle can and should be fought now, else report why not."""
    reasons = [f"{fault.code}: {fault.message}" for fault in faults(game, phasing, order)]
    if not reasons and (why := condition_fails(game, phasing, order)) is not None:
        reasons = [why]
    if reasons:
        game.emit(BattleSkipped(phasing, order.target, tuple(reasons)))
    return not reasons


def _begin(game: Game, phasing: str, order: BattleOrder, number: int) -> None:
    """4.8.1: Begin a battle, and mark all its units as having attacked."""
    world = world_of(game)
    stacks = {stack.hex: stack.units for stack in order.stacks}
    for ship in left(game, order.naval):
        stacks[ship.hex] = (*stacks.get(ship.hex, ()), ship.id)
    battle = Battle.begin(
        game,
        number=number,
        attacker=phasing,
        defender=world.enemy(phasing),
        target=order.target,
        leader=order.leader,
        naval=bool(order.naval),
        stacks=stacks,
        declared=order.declared_cavalry,
    )
    for u in battle.attacking():
        u.attacked = True
    count_battle(game, battle)
    season, terrain = (
        "winter" if winter(game) else Message("wbts.selection.not-winter"),
        _terrain(game, battle.target),
    )
    scene = (battle.target, world.place(battle.target), terrain, season, tuple(stacks))
    game.emit(BattleBegan(number, phasing, battle.defender, *scene))


def _terrain(game: Game, hex: str) -> str:
    """Return terrain, settlement and fort of a hex in words."""
    world = world_of(game)
    places = (world.settlements.get(hex), world.forts.get(hex))
    return ", ".join([world.terrain[hex], *(place.kind for place in places if place)])


async def reveal_attackers(game: Game, battle: Battle) -> None:
    """4.8.2: Reveal the attackers. Those across a river count half, even over a bridge or ferry."""
    lines = attack_lines(game, battle.attacking(), battle.target)
    battle.attack = str(total(lines))
    facts = (name_of(game, battle.leader), tuple(lines), working(lines), battle.attack, battle.declared)
    game.emit(AttackRevealed(battle.number, battle.target, battle.attacker, *facts))
