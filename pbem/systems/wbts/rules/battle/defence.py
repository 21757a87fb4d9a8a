"""4.8.3 to 4.8.5, D-08 to D-10: The defender's decisions before the chits.

They are cavalry retreats, the commander and the participants.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any, Literal

from pbem.kit.faults import illegal
from pbem.kit.losses import ranked
from pbem.kit.odds import total
from pbem.kit.picking import Picks
from pbem.rules import (
    NOTHING,
    Decision,
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    HexNumber,
    Message,
    Name,
    Next,
    Option,
    Part,
    Points,
    ask,
    ask_each,
    dataclass,
    decision,
    fact,
    from_json,
    maybe,
)

from ..asking import InBattle
from ..chain import chain
from ..command.forces import commanded_hq, commands_army, modified
from ..events.battle import CavalryEvaded, DefenceCommanded, DefenceRevealed, Overrun, RodeAway, TargetEmptied
from ..events.command import LeftRoster
from ..handling import displace, move, settle_rosters
from ..pieces import Leader, Unit, leader, leaders, left, units, world_of
from ..telling import name_of, tell_arrivals, tell_displaced
from ..tracks import T
from ..zones import fort_of
from .leaving import REASONS, barred, preferred, ways_out
from .record import Battle, face
from .secrets import NONE, lodge_secrets
from .selection import SHIPS
from .strength import attacker_loss_factor, defence_lines, percent, working

WITHHELD = ("supply_train", "depot", "naval_base")


@dataclass(frozen=True)
class Evasion:
    """Cavalry that retreats, each to a hex.

    In `with` a leader goes with one of them, and so does the leader's HQ.
    """

    moves: dict[str, HexNumber] = field(default_factory=dict)
    with_: dict[str, Name] = field(default_factory=dict)


@dataclass(frozen=True)
class RbcStanding:
    """A standing order to stay, or to go if the attack has enough points, with preferred hexes."""

    mode: Literal["stay", "go"]
    if_attack_sp_at_least: int | None = None
    prefer: tuple[HexNumber, ...] = ()


def riders(battle: Battle) -> list[Unit]:
    """Return the defender's cavalry in the target that can leave, by id. Entrained units cannot."""
    mounted = [u for u in battle.in_target() if u.type == "cavalry" and not u.entrained and u.sp]
    return [u for u in mounted if ways_out(battle.board, u.id, battle.target)]


def companions(battle: Battle) -> list[str]:
    """Return cavalry leaders in the target, who may go with a unit that leaves."""
    return [who.id for who in leaders(battle.board, battle.defender, battle.target) if who.cavalry]


class EvasionDraft(Draft[Part[Entry[str]]]):
    """The draft of a retreat before combat: riders, then leaders with them.

    All go at once, so the board does not change.
    """

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.battle = Battle.of(game)
        self.going: list[str] = []
        self.led: list[str] = []

    def next(self, of: str | None = None) -> Iterator[Next[Part[Entry[str]]]]:
        target = self.battle.target
        for u in riders(self.battle):
            for to in ways_out(self.game, u.id, target) if u.id not in self.going else ():
                yield Next(
                    Part("moves", Entry(u.id, to)),
                    Message("wbts.defence.to", each=u.id, to=to),
                    Points((u.id,), way=(to,)),
                )
        for who in companions(self.battle):
            for id in self.going if who not in self.led else ():
                yield Next(
                    Part("with", Entry(who, id)),
                    Message("wbts.defence.goes", who=who, id=id),
                    Points((who, id)),
                )

    def faults(self, element: Part[Entry[str]]) -> list[Diagnostic]:
        who, goal = element.value.key, element.value.value
        if element.section == "moves":
            wrong = self._why_not(who, goal)
        elif who not in companions(self.battle) or goal not in self.going:
            wanted = Message("wbts.defence.cavalry-leader-in-and-unit", target=self.battle.target)
            wrong = "illegal-answer", Message("wbts.defence.cannot-go", who=who, goal=goal, wanted=wanted)
        else:
            wrong = None
        return [illegal(wrong[0], "4.8.3", wrong[1])] if wrong else []

    def _why_not(self, id: str, to: str) -> tuple[str, str] | None:
        """Return the code and message of the fault of a retreat before combat, or None."""
        u = next((u for u in self.battle.in_target() if u.id == id), None)
        if u is None:
            return "illegal-answer", Message(
                "wbts.defence.no-unit", id=id, defender=self.battle.defender, target=self.battle.target
            )
        if u.type != "cavalry" or u.entrained:
            return (
                "illegal-answer",
                Message(
                    "wbts.defence.must-stay",
                    id=id,
                    entrained=u.entrained,
                ),
            )
        code = barred(self.game, id, self.battle.target, to)
        return (
            (code, Message("wbts.defence.cannot-retreat", id=id, to=to, reason=Message(REASONS[code])))
            if code
            else None
        )

    def do(self, element: Part[Entry[str]]) -> None:
        (self.going if element.section == "moves" else self.led).append(element.value.key)

    def suppose(self, element: Part[Entry[str]]) -> None:
        self.do(element)

    def nothing(self) -> str:
        return Message("wbts.defence.all-stay")


@decision(
    "retreat-before-combat",
    rule="4.8.3",
    answer=Evasion,
    secrecy="sealed",
    standing=("rbc", RbcStanding),
    facts=("hex",),
)
class RetreatBeforeCombat(InBattle, Growing[Evasion]):
    """Which cavalry retreats before combat, and where to? No cavalry of the attacker was declared."""

    attack: str
    drafts = EvasionDraft

    def from_standing(self, game: Game, orders: list[RbcStanding]) -> Evasion | None:
        battle = Battle.of(game)
        points = face(battle.attacking())
        for order in orders:
            if order.if_attack_sp_at_least is not None and points < order.if_attack_sp_at_least:
                continue
            if order.mode == "stay":
                return Evasion()
            going = {
                u.id: preferred(ways_out(game, u.id, battle.target), order.prefer) for u in riders(battle)
            }
            return Evasion(going, dict.fromkeys(companions(battle), next(iter(going))) if going else {})
        return Evasion() if orders else None

    @fact
    def attack_sp(self, game: Game) -> int:
        return face(Battle.of(game).attacking())


def cavalry_may_go(battle: Battle) -> bool:
    """4.8.3: Return True if no cavalry was declared and the defender has cavalry that can leave."""
    return not battle.naval and not battle.declared and bool(riders(battle))


async def retreat_before_combat(game: Game, battle: Battle) -> None:
    """4.8.3: Ask the defender whether cavalry retreats one hex, with cavalry leaders and their HQs."""
    answer = await ask(RetreatBeforeCombat(battle.defender, battle.number, battle.target, battle.attack))
    game.emit(CavalryEvaded(battle.number, battle.target, battle.defender, len(answer.moves)))
    if not answer.moves:
        return
    _ride_away(game, battle, answer)
    if not any(u.occupies for u in battle.in_target()):
        battle.cut = True
        game.emit(TargetEmptied(battle.number, battle.target))
        tell_displaced(game, displace(game, battle.defender, [battle.target]))


def _ride_away(game: Game, battle: Battle, answer: Evasion) -> None:
    """Move all at once, and drop units away from their HQ from its roster."""
    by_goal: dict[str, list[str]] = {}
    for id, to in answer.moves.items():
        along = [leader(game, who) for who, mount in answer.with_.items() if mount == id]
        hqs = [hq.id for who in along if (hq := commanded_hq(who)) is not None]
        by_goal.setdefault(to, []).extend([id, *(who.id for who in along), *hqs])
    came = [move(game, ids, to, settle=False) for to, ids in by_goal.items()]
    dropped = tuple(settle_rosters(game, battle.defender))
    moves = tuple(f"{id} to {to}" for to, ids in by_goal.items() for id in ids)
    game.emit(RodeAway(battle.defender, battle.target, moves))
    if dropped:
        game.emit(LeftRoster(battle.defender, dropped))
    tell_arrivals(game, battle.defender, came)


@dataclass(frozen=True)
class LeaderStanding:
    """A standing order for the commander, the first of these that may command.

    With `or: none` no other leader commands.
    """

    prefer: tuple[Name, ...] = ()
    or_: Literal["none"] | None = None


def eligible_commanders(battle: Battle) -> list[Leader]:
    """R-16: Return possible commanders, the best first.

    They are land leaders in the target and army commanders beside it. The order is by modified
    initiative, then combat, then id (D-09).
    """
    board, world = battle.board, world_of(battle.board)
    most, reached = world.tables.numbers["commander_range"], chain(board, battle.defender)

    def near(who: Leader) -> bool:
        return commands_army(who) and world.distance(who.hex, battle.target) <= most

    able = [who for who in leaders(board, battle.defender) if not who.naval]
    able = [who for who in able if who.hex == battle.target or near(who)]
    return ranked(able, name=lambda w: w.id, then=lambda w: (-modified(w, reached).initiative, -w.combat))


@decision(
    "defending-leader", rule="4.8.4", answer=Name, standing=("def_leader", LeaderStanding), facts=("hex",)
)
class DefendingLeader(InBattle, Decision[str]):
    """Who commands the defence? `none` is allowed, and has the intensity chit 0."""

    leaders: tuple[Name, ...]

    def options(self, game: Game) -> Iterator[Option]:
        for id in self.leaders:
            yield Option(id, Message("wbts.defence.commands", name_of=name_of(game, id)))
        yield Option(NONE, Message("wbts.defence.nobody-commands"))

    def default(self, game: Game) -> str:
        return self.leaders[0] if self.leaders else NONE

    def from_standing(self, game: Game, orders: list[LeaderStanding]) -> str | None:
        for order in orders:
            wished = next((id for id in order.prefer if id in self.leaders), None)
            if wished is not None or order.or_ is not None:
                return wished or NONE
        return self.default(game) if orders else None


async def command_defence(game: Game, battle: Battle) -> None:
    """4.8.4: Ask the defender for a commander, and at the same time for the participants (4.8.5)."""
    able, asked = eligible_commanders(battle), list[Decision[Any]]()
    if able:
        names = tuple(who.id for who in able)
        asked.append(DefendingLeader(battle.defender, battle.number, battle.target, names))
    if open_choices(battle):
        asked.append(Defence(battle.defender, battle.number, battle.target))
    if asked:
        await lodge_secrets(game, battle.defender)
    answers = dict(zip((d.kind for d in asked), await ask_each(asked), strict=True))
    named = answers.get("defending-leader", NONE)
    battle.commander = None if named == NONE else named
    game.emit(
        DefenceCommanded(battle.number, battle.target, battle.defender, name_of(game, battle.commander))
    )
    if "defence" in answers:
        T.of(game).defence = answers["defence"]


@dataclass(frozen=True)
class DefenceOrder:
    """The participants of a defence.

    By default all trains, depots and bases are withheld, no ships take part, and the fort is filled
    as usual.
    """

    withhold: tuple[Name, ...] | None = None
    naval: tuple[Name, ...] = ()
    inside: tuple[Name, ...] | None = None


def may_withhold(battle: Battle) -> list[str]:
    """Return supply trains, depots and naval bases in the target."""
    return [u.id for u in battle.in_target() if u.type in WITHHELD]


def may_assist(battle: Battle) -> list[str]:
    """Return flotillas and ironclads in the target or beside it."""
    hexes = (battle.target, *world_of(battle.board).neighbours(battle.target))
    ships = [ship for hex in hexes for ship in units(battle.board, battle.defender, hex)]
    return sorted(ship.id for ship in ships if ship.key in SHIPS and ship.sp)


def may_shelter(battle: Battle) -> list[Unit]:
    """Return units that may be inside a fort: neither entrained nor HQs."""
    return [u for u in battle.in_target() if not u.entrained and not u.is_hq]


def room_inside(battle: Battle) -> int | None:
    """Return the capacity of the defender's fort in the target, or None without one."""
    fort = fort_of(battle.board, battle.target, battle.defender)
    return None if fort is None else world_of(battle.board).tables.works[fort.kind].capacity


def open_choices(battle: Battle) -> bool:
    """Return True if there is anything to decide in c.5."""
    return room_inside(battle) is not None or bool(may_assist(battle) or may_withhold(battle))


def default_inside(battle: Battle) -> tuple[str, ...]:
    """R-17: Return the units inside the fort by default, each if it fits.

    They are garrison, infantry and militia by falling strength, cavalry, logistic units.
    """
    room, inside = room_inside(battle), list[str]()
    if room is None:
        return ()
    order = {"garrison": 0, "infantry": 1, "militia": 1, "cavalry": 2}
    for u in sorted(may_shelter(battle), key=lambda u: (order.get(u.type, 3), -u.sp, u.id)):
        if u.sp <= room:
            inside.append(u.id)
            room -= u.sp
    return tuple(inside)


def completed(battle: Battle, order: DefenceOrder) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """D-10: Return the units withheld and those inside, by the order or else by default.

    If ships attack a fort, some unit stays inside (R-41).
    """
    withhold = tuple(may_withhold(battle)) if order.withhold is None else order.withhold
    inside = order.inside
    if inside is None or (battle.naval and not face(left(battle.board, inside))):
        inside = default_inside(battle)
    return withhold, inside


class DefenceDraft(Picks):
    """The draft of a defence: units withheld, ships that help, units inside the fort."""

    def __init__(self, game: Game, player: str, rule: str) -> None:
        battle = Battle.of(game)
        self.room = room_inside(battle)
        inside = [] if self.room is None else [u.id for u in battle.in_target() if not u.is_hq]
        lists = {"withhold": may_withhold(battle), "naval": may_assist(battle), "inside": inside}
        words = {
            "withhold": lambda id: Message("wbts.defence.withhold", id=id),
            "naval": lambda id: Message("wbts.defence.helps", id=id),
            "inside": lambda id: Message("wbts.defence.is-inside", id=id),
        }
        usual = Message("wbts.defence.withhold-all-trains")
        super().__init__(game, player, lists, rule=rule, words=words, place=battle.target, nothing=usual)

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        for section, text in (
            ("withhold", Message("wbts.defence.withhold-nothing")),
            ("inside", Message("wbts.defence.nobody-inside")),
        ):
            if self.able[section] and not any(part.section == section for part in self.elements):
                yield Next(Part(section, NOTHING), text)
        for option in super().next(of):
            if option.element.section != "inside" or self._inside(option.element.value) <= (self.room or 0):
                yield option

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        if element.section == "inside" and self.room is None:
            return [illegal("E-FORT-1", "4.8.5", Message("wbts.defence.no-fort-of-his"))]
        u = maybe(self.game, Unit, element.value) if element.value is not NOTHING else None
        if element.section == "inside" and u is not None and u.entrained:
            return [
                illegal(
                    "E-FORT-2", "4.8.5", Message("wbts.defence.entrained-and-cannot-be-inside", here=u.id)
                )
            ]
        return super().faults(element)

    def _inside(self, *more: str) -> int:
        """Return the points inside the fort, with these units as well."""
        return face(left(self.game, [*self.picked("inside"), *more]))

    def lacking(self) -> list[Diagnostic]:
        if self.room is None or self._inside() <= self.room:
            return []
        message = Message("wbts.defence.strength-points-inside", inside=self._inside(), room=self.room)
        return [illegal("E-FORT-1", "4.8.5", message, "inside")]


@decision(
    "defence",
    rule="4.8.5",
    answer=DefenceOrder,
    secrecy="sealed",
    standing=("defence", DefenceOrder),
    facts=("hex",),
)
class Defence(InBattle, Growing[DefenceOrder]):
    """Who is withheld, which ships help, and which units are inside the fort?"""

    def draft(self, game: Game) -> DefenceDraft:
        return DefenceDraft(game, self.player, self.rule)

    def from_standing(self, game: Game, orders: list[DefenceOrder]) -> DefenceOrder | None:
        """Return the answer of a standing order without units that are not here."""
        if not orders:
            return None
        order, battle = orders[0], Battle.of(game)
        room, inside = room_inside(battle), None
        if order.inside is not None and room is not None:
            inside = _there(order.inside, (u.id for u in may_shelter(battle))) or None
        if inside is not None and room is not None and face(left(game, inside)) > room:
            inside = None
        withhold = None if order.withhold is None else _there(order.withhold, may_withhold(battle))
        return self.repair(game, DefenceOrder(withhold, _there(order.naval, may_assist(battle)), inside))


def _there(wanted: Iterable[str], able: Iterable[str]) -> tuple[str, ...]:
    listed = set(able)
    return tuple(id for id in wanted if id in listed)


async def reveal_defenders(game: Game, battle: Battle) -> None:
    """4.8.5: Reveal the defenders with their factors.

    Without any strength the hex is overrun (R-19).
    """
    _take_part(battle, await _who_defends(game, battle))
    lines = defence_lines(game, battle.defending() + battle.assisting(), battle.inside)
    battle.defence = str(total(lines))
    battle.ratio = percent(*battle.odds)
    battle.attacker_loss = attacker_loss_factor(game, battle.defending(), battle.inside)
    fort = fort_of(game, battle.target, battle.defender)
    if battle.naval and fort is not None:  # 4.8.15
        battle.attacker_loss = world_of(game).tables.works[fort.kind].attacker_loss
        battle.table = 1
    doubled = battle.attacker_loss if battle.attacker_loss != 1 else None
    named = (tuple(lines), working(lines), battle.withheld, battle.ships)
    sums: Any = (battle.defence, battle.attack, battle.ratio, battle.attacker_loss, doubled)
    game.emit(DefenceRevealed(battle.number, battle.target, battle.defender, *named, *sums))
    if not total(lines) and not battle.naval:
        battle.overrun = True
        game.emit(Overrun(battle.number, battle.target))


async def _who_defends(game: Game, battle: Battle) -> DefenceOrder:
    """Return the answer given in c.4, or else ask now, since ships attack a fort without c.4."""
    given = T.of(game).defence
    if given is not None:
        del T.of(game).defence
        order: DefenceOrder = from_json(DefenceOrder, given)
        return order
    if not battle.naval or not open_choices(battle):
        return DefenceOrder()
    return await ask(Defence(battle.defender, battle.number, battle.target))


def _take_part(battle: Battle, order: DefenceOrder) -> None:
    """Record the participants. Against ships only units inside the fort take part (4.8.15)."""
    battle.withheld, battle.inside = completed(battle, order)
    battle.ships = order.naval
    troops = [u for u in battle.in_target() if not u.is_hq]
    battle.entrained = tuple(u.id for u in troops if u.entrained)
    out = [u.id for u in troops if u.id in battle.withheld or (battle.naval and u.id not in battle.inside)]
    battle.defenders = tuple(u.id for u in troops if u.id not in out)
