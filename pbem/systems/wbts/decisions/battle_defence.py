"""What the defender decides before the chits: cavalry away, leader, who takes part (D-08 to D-10; 4.8.3
to 4.8.5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from pbem.rules import Decision, Diagnostic, Game, HexNumber, Name, Option, decision, fact, to_json

from ..battle.retreats import REASONS, barred, places, preferred
from ..battle.selection import SHIPS
from ..battle.state import Battle, attacking, current, in_target
from ..battle.strength import default_inside, face
from ..pieces import Unit, is_unit, leader, leaders, unit, units, world_of
from ..zones import fort_of

NONE = "none"
WITHHELD = ("supply_train", "depot", "naval_base")


@dataclass(frozen=True)
class Evasion:
    """Cavalry that goes, each to a hex; `with` a leader goes with one of them, and his HQ with him."""

    moves: dict[str, HexNumber] = field(default_factory=dict)
    with_: dict[str, Name] = field(default_factory=dict)


@dataclass(frozen=True)
class RbcStanding:
    """Standing order: stay, or go when the attack has so many points; hexes in order of preference."""

    mode: Literal["stay", "go"]
    if_attack_sp_at_least: int | None = None
    prefer: tuple[HexNumber, ...] = ()


def riders(game: Game, battle: Battle) -> list[Unit]:
    """The defender's cavalry in the target that is not entrained and has somewhere to go, by id."""
    there = [u for u in in_target(game, battle) if u.type == "cavalry" and not u.entrained and u.sp]
    return [u for u in there if places(game, u.id, battle.target)]


def companions(game: Game, battle: Battle) -> list[str]:
    """Cavalry leaders in the target, who may go with one of the units."""
    return [each.id for each in leaders(game, battle.defender, battle.target) if each.cavalry]


@decision(
    "retreat-before-combat",
    rule="4.8.3",
    answer=Evasion,
    secrecy="sealed",
    standing=("rbc", RbcStanding),
    facts=("hex",),
)
class RetreatBeforeCombat(Decision[Evasion]):
    """Which cavalry retreats before combat, and where to? No cavalry of the attacker was declared."""

    player: str
    number: int
    hex: HexNumber
    attack: str

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)

    def options(self, game: Game, so_far: Evasion | None = None) -> Iterator[Option]:
        battle = current(game)
        if so_far is None:
            yield Option({}, "all stay")
            so_far = Evasion()
        for each in riders(game, battle):
            for to in places(game, each.id, battle.target) if each.id not in so_far.moves else ():
                yield Option(
                    to_json(replace(so_far, moves={**so_far.moves, each.id: to})), f"{each.id} to {to}"
                )
        for who in companions(game, battle):
            for id in so_far.moves if who not in so_far.with_ else ():
                longer = replace(so_far, with_={**so_far.with_, who: id})
                yield Option(to_json(longer), f"{who} goes with {id}")

    def check(self, game: Game, answer: Evasion) -> list[Diagnostic]:
        battle = current(game)
        found: list[Diagnostic] = []
        for id, to in answer.moves.items():
            code, why = _why_not(game, battle, id, to)
            if code:
                path = ("moves", id)
                found.append(Diagnostic(code, why, family="illegal", rule="4.8.3", path=path))
        for who, id in answer.with_.items():
            if who not in companions(game, battle) or id not in answer.moves:
                wanted = f"a cavalry leader in {battle.target} and a unit that goes"
                message = f"{who} cannot go with {id}, wanted {wanted}"
                found.append(
                    Diagnostic("illegal-answer", message, family="illegal", rule="4.8.3", path=("with", who))
                )
        return found

    def default(self, game: Game) -> Evasion:
        return Evasion()

    def repair(self, game: Game, answer: Evasion) -> Evasion:
        battle = current(game)
        moves = {id: to for id, to in answer.moves.items() if not _why_not(game, battle, id, to)[0]}
        able = companions(game, battle)
        return Evasion(moves, {who: id for who, id in answer.with_.items() if who in able and id in moves})

    def from_standing(self, game: Game, orders: list[RbcStanding]) -> Evasion | None:
        battle = current(game)
        points = face(attacking(game, battle))
        for order in orders:
            if order.if_attack_sp_at_least is not None and points < order.if_attack_sp_at_least:
                continue
            if order.mode == "stay":
                return Evasion()
            going = {
                u.id: preferred(places(game, u.id, battle.target), order.prefer) for u in riders(game, battle)
            }
            first = next(iter(going), None)
            return Evasion(going, dict.fromkeys(companions(game, battle), first) if first else {})
        return Evasion() if orders else None

    @fact
    def attack_sp(self, game: Game) -> int:
        return face(attacking(game, current(game)))


def _why_not(game: Game, battle: Battle, id: str, to: str) -> tuple[str, str]:
    """Code and words against a retreat before combat; two empty strings if it is legal."""
    if not is_unit(game, id) or id not in [u.id for u in in_target(game, battle)]:
        return "illegal-answer", f"{id} is no unit of {battle.defender} in {battle.target}"
    each = unit(game, id)
    if each.type != "cavalry" or each.entrained:
        return "illegal-answer", f"{id} is {'entrained' if each.entrained else 'not mounted'} and must stay"
    code = barred(game, id, battle.target, to)
    return (code, f"{id} cannot retreat to {to}: it {REASONS[code]}") if code else ("", "")


@dataclass(frozen=True)
class LeaderStanding:
    """Standing order: the first of these that may command; `or: none`: rather nobody than another."""

    prefer: tuple[Name, ...] = ()
    or_: Literal["none"] | None = None


@decision(
    "defending-leader", rule="4.8.4", answer=Name, standing=("def_leader", LeaderStanding), facts=("hex",)
)
class DefendingLeader(Decision[str]):
    """Who commands the defence? `none` is allowed, and has the intensity chit 0."""

    player: str
    number: int
    hex: HexNumber
    leaders: tuple[Name, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)

    def options(self, game: Game, so_far: str | None = None) -> Iterator[Option]:
        for id in self.leaders:
            yield Option(id, f"{leader(game, id).name} commands")
        yield Option(NONE, "nobody commands: intensity 0")

    def default(self, game: Game) -> str:
        return self.leaders[0] if self.leaders else NONE

    def from_standing(self, game: Game, orders: list[LeaderStanding]) -> str | None:
        for order in orders:
            wished = next((id for id in order.prefer if id in self.leaders), None)
            if wished is not None or order.or_ is not None:
                return wished or NONE
        return self.default(game) if orders else None


@dataclass(frozen=True)
class DefenceOrder:
    """Who takes part. What is left out: everything that may be is withheld, no ships, the fort filled as
    usual.
    """

    withhold: tuple[Name, ...] | None = None
    naval: tuple[Name, ...] = ()
    inside: tuple[Name, ...] | None = None


def may_withhold(game: Game, battle: Battle) -> list[str]:
    """Supply trains, depots and naval bases in the target."""
    return [each.id for each in in_target(game, battle) if each.type in WITHHELD]


def may_assist(game: Game, battle: Battle) -> list[str]:
    """Flotillas and ironclads in the target or beside it."""
    hexes = (battle.target, *world_of(game).neighbours(battle.target))
    ships = [each for hex in hexes for each in units(game, battle.defender, hex) if each.is_naval]
    return sorted(each.id for each in ships if each.key in SHIPS and each.sp)


def open_choices(game: Game, battle: Battle) -> bool:
    """Whether there is anything to decide in c.5."""
    fort = fort_of(game, battle.target, battle.defender) is not None
    return bool(fort or may_assist(game, battle) or may_withhold(game, battle))


def _anybody_in(game: Game, inside: tuple[str, ...]) -> bool:
    """A fort that ships attack is not left by all who were in it (R-41)."""
    return any(unit(game, id).sp for id in inside)


def completed(game: Game, battle: Battle, order: DefenceOrder) -> DefenceOrder:
    """The order with what it leaves out filled in (D-10)."""
    withhold = tuple(may_withhold(game, battle)) if order.withhold is None else order.withhold
    inside = order.inside
    if inside is None or (battle.naval and not _anybody_in(game, inside)):
        inside = default_inside(game, battle.target, battle.defender, in_target(game, battle))
    return DefenceOrder(withhold, order.naval, inside)


@decision(
    "defence",
    rule="4.8.5",
    answer=DefenceOrder,
    secrecy="sealed",
    standing=("defence", DefenceOrder),
    facts=("hex",),
)
class Defence(Decision[DefenceOrder]):
    """Who is withheld, which ships help, and which units are inside the fort?"""

    player: str
    number: int
    hex: HexNumber

    def subject(self) -> tuple[str | int, ...]:
        return (self.number,)

    def options(self, game: Game, so_far: DefenceOrder | None = None) -> Iterator[Option]:
        battle = current(game)
        if so_far is None:
            yield Option({}, "withhold all trains, depots and bases, no ships, the fort filled as usual")
            so_far = DefenceOrder()
        for id in may_assist(game, battle):
            if id not in so_far.naval:
                yield Option(to_json(replace(so_far, naval=(*so_far.naval, id))), f"{id} helps")
        if so_far.withhold is None and may_withhold(game, battle):
            yield Option(to_json(replace(so_far, withhold=())), "withhold nothing")
        for id in may_withhold(game, battle) if so_far.withhold is not None else ():
            if id not in (so_far.withhold or ()):
                yield Option(
                    to_json(replace(so_far, withhold=(*(so_far.withhold or ()), id))), f"withhold {id}"
                )
        yield from self._inside(game, battle, so_far)

    def _inside(self, game: Game, battle: Battle, so_far: DefenceOrder) -> Iterator[Option]:
        if fort_of(game, battle.target, battle.defender) is None:
            return
        if so_far.inside is None:
            yield Option(to_json(replace(so_far, inside=())), "nobody is inside the fort")
            return
        for each in in_target(game, battle):
            longer = replace(so_far, inside=(*so_far.inside, each.id))
            if each.id not in so_far.inside and not each.is_hq and not self.check(game, longer):
                yield Option(to_json(longer), f"{each.id} is inside the fort")

    def check(self, game: Game, answer: DefenceOrder) -> list[Diagnostic]:
        battle = current(game)
        found = _not_among(answer.withhold or (), may_withhold(game, battle), "withhold", "withheld")
        found += _not_among(answer.naval, may_assist(game, battle), "naval", "brought to help")
        return found + self._check_inside(game, battle, answer.inside or ())

    def _check_inside(self, game: Game, battle: Battle, inside: tuple[str, ...]) -> list[Diagnostic]:
        if not inside:
            return []
        there = {each.id: each for each in in_target(game, battle) if not each.is_hq}
        found = _not_among(inside, list(there), "inside", "inside")
        fort = fort_of(game, battle.target, battle.defender)
        if fort is None:
            message = f"{battle.target} has no fort of {battle.defender}"
            return [Diagnostic("E-FORT-1", message, family="illegal", rule="4.8.5", path=("inside",))]
        for n, id in enumerate(inside):
            if id in there and there[id].entrained:
                message = f"{id} is entrained and cannot be inside"
                found.append(
                    Diagnostic("E-FORT-2", message, family="illegal", rule="4.8.5", path=("inside", n))
                )
        room = world_of(game).tables.works[fort.kind].capacity
        points = sum(there[id].sp for id in inside if id in there)
        if points > room:
            message = f"{points} strength points inside, the {fort.kind} holds {room}"
            found.append(Diagnostic("E-FORT-1", message, family="illegal", rule="4.8.5", path=("inside",)))
        return found

    def default(self, game: Game) -> DefenceOrder:
        return DefenceOrder()

    def repair(self, game: Game, answer: DefenceOrder) -> DefenceOrder:
        """Each of the three parts that is faulty is as if it had been left out."""
        kept = DefenceOrder()
        for part in ("withhold", "naval", "inside"):
            tried = replace(kept, **{part: getattr(answer, part)})
            kept = tried if not self.check(game, tried) else kept
        return kept

    def from_standing(self, game: Game, orders: list[DefenceOrder]) -> DefenceOrder | None:
        """What a standing order names and is not here is left out."""
        if not orders:
            return None
        battle, order = current(game), orders[0]
        withhold, ships = may_withhold(game, battle), may_assist(game, battle)
        inside = None
        if order.inside is not None and fort_of(game, battle.target, battle.defender) is not None:
            there = [u.id for u in in_target(game, battle) if not u.entrained and not u.is_hq]
            inside = tuple(id for id in order.inside if id in there) or None
        kept = DefenceOrder(
            None if order.withhold is None else tuple(id for id in order.withhold if id in withhold),
            tuple(id for id in order.naval if id in ships),
            inside,
        )
        return self.repair(game, kept)


def _not_among(ids: tuple[str, ...], able: list[str], path: str, words: str) -> list[Diagnostic]:
    """Ids that do not belong into a list, or stand twice in it."""
    return [
        Diagnostic(
            "illegal-answer",
            f"{id} cannot be {words}, wanted of: {', '.join(able) or 'none'}",
            family="illegal",
            rule="4.8.5",
            path=(path, n),
        )
        for n, id in enumerate(ids)
        if id not in able or id in ids[:n]
    ]
