"""Retreats: where one may go, who leaves a battle, and what comes of it (4.8.11-4.8.13; D-15 to D-17).

One list of `Leaver`s serves what may come next, what is wrong, the default and what happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from pbem.kit.faults import illegal
from pbem.kit.filed import ByOrder
from pbem.kit.retreats import nearest_first, wished
from pbem.rules import (
    Board,
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    HexNumber,
    Next,
    Points,
    ask,
    audience_of,
    dataclass,
    decision,
    fact,
    maybe,
)

from ..asking import InBattle
from ..command.forces import commanded_hq, roster
from ..events.battle_after import NobodyWithdrew, RetreatNotRequired, UnitsRetreated, UnitTrapped, WentAlong
from ..events.command import LeftRoster
from ..handling import Arrival, lose, move, remove, settle_rosters
from ..pieces import (
    Unit,
    has_troops,
    is_leader,
    is_unit,
    leader,
    leaders,
    piece,
    unit,
    units,
    winter,
    world_of,
)
from ..statics import TRAINS
from ..telling import tell_arrivals
from ..zones import alone_hexes, enemy_occupied, fort_of, supply_cities, zone
from .record import Battle, Role, face
from .strength import ENDLESS, works_in

Why = Literal["required", "overrun", "voluntary"]
Goal = Literal["stay", "fort"] | HexNumber
STAY, FORT = "stay", "fort"
HARD = ("forest", "rough")
REASONS = {
    "RET-SEA": "is no hex beside it where it could be",
    "RET-STATIC": "the unit cannot move",
    "RET-SIDE": "lies behind a mountain, tidal river or blocked hexside without bridge, ferry or pass",
    "RET-OCC": "is enemy-occupied",
    "RET-RIVER-ZOC": "lies across a river in an enemy zone",
    "RET-WINTER": "lies across an unbridged river in winter",
    "RET-TRAIN": "is forest or rough without a road there",
}

# where one may go


def barred(board: Board, id: str, start: str, to: str, *, led: bool = False) -> str | None:
    """The first prohibition of 4.8.11 that a retreat breaks, None if it is legal. Leaders retreat like HQs.

    `led`: a combat unit goes there as well, and drives enemy leaders and HQs off (R-103).
    """
    world, going = world_of(board), piece(board, id)
    enemy = world.enemy(going.side)
    if going.type == "naval" or (going.is_leader and leader(board, id).naval):
        if not world.adjacent(start, to) or not world.navigable(to):
            return "RET-SEA"
        return "RET-OCC" if any(u.is_naval or u.occupies for u in units(board, enemy, to)) else None
    if not world.adjacent(start, to) or world.is_sea(to):
        return "RET-SEA"
    if going.type in ("depot", "naval_base"):
        return "RET-STATIC"
    if world.prohibited(start, to):
        return "RET-SIDE"
    troops = led or has_troops(board, [id])
    if enemy_occupied(board, to, going.side) or (not troops and to in alone_hexes(board, enemy)):
        return "RET-OCC"
    river = world.river_like(start, to)
    if river and to in zone(board, going.side):
        return "RET-RIVER-ZOC"
    if river and winter(board) and not world.bridged(start, to):
        return "RET-WINTER"
    if going.type in TRAINS and world.terrain[to] in HARD and not world.road(start, to):
        return "RET-TRAIN"
    return None


def places(board: Board, id: str, start: str) -> list[str]:
    """The legal hexes for one that leaves, the default first (D-15): outside enemy zones, then nearest to an
    own supply city, then lowest id.
    """
    world, side = world_of(board), piece(board, id).side
    legal = [to for to in world.neighbours(start) if barred(board, id, start, to) is None]
    cities, enemy_zone = supply_cities(board, side), zone(board, side)
    return nearest_first(legal, cities, world.distance, rank=lambda hex: hex in enemy_zone)


def preferred(legal: Sequence[str], wishes: Sequence[str]) -> str:
    """The first wish that is legal, else the default. There must be a legal hex."""
    return wished(legal, wishes) or legal[0]


def exempt_hex(board: Board, hex: str, side: str) -> str | None:
    """Why defenders in a hex need not retreat: settlement, terrain or works; None if they must (5.5)."""
    world = world_of(board)
    place, lists = world.settlements.get(hex), world.tables.lists
    if place is not None and place.kind in lists["exempt_settlements"]:
        return place.kind
    if world.terrain[hex] in lists["exempt_terrain"]:
        return world.terrain[hex]
    return "entrenchment" if works_in(board, hex, side) else None


def weight(board: Board, id: str) -> int:
    """Room that one takes in a fort: strength points, none for leaders and HQs."""
    found = maybe(board, Unit, id)
    return found.sp if found is not None else 0


# who leaves


@dataclass(frozen=True)
class Leaver:
    """One that leaves or may leave a hex; `places` are its legal hexes, the default first."""

    id: str
    start: str
    must: bool
    places: tuple[str, ...]


def leavers(battle: Battle, side: str, why: Why) -> list[Leaver]:
    """Everybody who must or may leave, units first, then HQs, then leaders, each by id."""
    listed = _of_attacker(battle, why) if side == battle.attacker else _of_defender(battle, why)
    found = [Leaver(id, hex, must, tuple(places(battle.board, id, hex))) for id, hex, must in listed]
    return sorted(found, key=lambda one: (_rank(battle.board, one.id), one.id))


def _rank(board: Board, id: str) -> int:
    if is_leader(board, id):
        return 2
    return 1 if unit(board, id).is_hq else 0


def _of_attacker(battle: Battle, why: Why) -> Iterator[tuple[str, str, bool]]:
    """The surviving attackers; leaders, HQs and trains in their hexes may go along."""
    board, side, going = battle.board, battle.attacker, battle.attacking()
    for each in going:
        yield each.id, each.hex, why != "voluntary"
    for hex in dict.fromkeys(each.hex for each in going):
        for along in units(board, side, hex) if not battle.naval else ():
            if along.is_hq or along.type in TRAINS:
                yield along.id, hex, False
        for who in leaders(board, side, hex):
            if who.naval == battle.naval:
                yield who.id, hex, False


def _of_defender(battle: Battle, why: Why) -> Iterator[tuple[str, str, bool]]:
    """Everything on land in the target; who is inside a fort or in an exempt hex need not go (5.5, R-29)."""
    board, target, side = battle.board, battle.target, battle.defender
    voluntary = why == "voluntary"
    excused = voluntary or (why == "required" and exempt_hex(board, target, side) is not None)
    behind = why == "required" and any(is_unit(board, id) for id in battle.inside)
    for each in battle.in_target():
        if not voluntary or not (each.is_static or each.id in battle.required):
            safe = excused or (behind and (each.id in battle.inside or each.is_hq))
            yield each.id, target, not safe
    for who in leaders(board, side, target):
        if not who.naval and not (voluntary and who.id in battle.required):
            yield who.id, target, not (excused or behind)


def rooms(battle: Battle, side: str, why: Why) -> dict[str, int]:
    """Room in an own fort by hex, for those who must leave; empty in an overrun (R-19)."""
    board, found = battle.board, dict[str, int]()
    for hex in battle.hexes(side) if why == "required" else ():
        fort, there = fort_of(board, hex, side), units(board, side, hex)
        if fort is not None:
            within = battle.inside if side == battle.defender else [u.id for u in there]
            staying = [u for u in there if u.id in within and u.id not in battle.listed]
            found[hex] = max(0, world_of(board).tables.works[fort.kind].capacity - face(staying))
    return found


def settled(battle: Battle, side: str, why: Why, answer: Mapping[str, str]) -> dict[str, str | None]:
    """Where everybody goes by an answer and the defaults: a hex, `fort`, `stay`, or None for nowhere."""
    listed, left = leavers(battle, side, why), rooms(battle, side, why)
    found: dict[str, str | None] = {one.id: answer[one.id] for one in listed if one.id in answer}
    for one in listed:
        if found.get(one.id) == FORT:
            left[one.start] -= weight(battle.board, one.id)
    for one in listed:
        if one.id not in found:
            found[one.id] = _default(battle.board, one, found, left)
    return found


def _default(board: Board, one: Leaver, found: Mapping[str, str | None], left: dict[str, int]) -> str | None:
    """Units stay if they may, else the first legal hex, else the fort; HQs and leaders with their people."""
    if _rank(board, one.id) or (not one.must and unit(board, one.id).type in TRAINS):
        goal = _followed(board, one, found)
        able = goal is not None and not barred(board, one.id, one.start, goal, led=True)
        if goal in (FORT, STAY) or able:
            return goal
    if not one.must:
        return STAY
    if one.places:
        return one.places[0]
    if left.get(one.start, -1) >= weight(board, one.id):
        left[one.start] -= weight(board, one.id)
        return FORT
    return None


def _followed(board: Board, one: Leaver, found: Mapping[str, str | None]) -> str | None:
    """Where those go whom an HQ, a leader or a train goes with; None if that is open (R-46).

    An HQ goes with its roster, a leader with his HQ; all others go once no combat unit stays in the hex.
    """
    mates: list[str] = []
    if is_leader(board, one.id):
        hq = commanded_hq(leader(board, one.id))
        if hq is not None and hq.id in found:
            return found[hq.id]
    elif unit(board, one.id).is_hq:
        mates = [each.id for each in roster(unit(board, one.id)) if each.hex == one.start]
    if not mates:
        afloat = is_leader(board, one.id) and leader(board, one.id).naval
        here = units(board, piece(board, one.id).side, one.start)
        mates = [u.id for u in here if (u.is_naval if afloat else u.is_combat)]
    goals = [found.get(id, STAY) for id in mates]
    if STAY in goals or not goals:
        return None if one.must else STAY
    return next((goal for goal in goals if goal is not None), None)


# the answers


@dataclass(frozen=True)
class RetreatStanding:
    """Standing order for required retreats: what exempt units do, and hexes in order of preference."""

    exempt: Literal["stay", "go"] = "stay"
    prefer: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class DefendVoluntary:
    """Retreat as defender if the ratio (100 x A / D after c.5) is at least this; left out: never."""

    if_ratio_at_least: int | None = None
    prefer: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class AttackVoluntary:
    """Retreat as attacker if the ratio is below this; left out: never."""

    if_ratio_below: int | None = None
    prefer: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class VoluntaryStanding:
    """Standing order for retreats that nobody orders."""

    defend: DefendVoluntary | None = None
    attack: AttackVoluntary | None = None


class RetreatDraft(Draft[Entry[str]]):
    """Who goes where, all at once: nothing of it changes the board."""

    def __init__(self, game: Game, player: str, why: Why, rule: str) -> None:
        super().__init__(game, player)
        battle = Battle.of(game)
        self.rule = rule
        self.listed = {one.id: one for one in leavers(battle, player, why)}
        self.left = rooms(battle, player, why)

    def next(self, of: str | None = None) -> Iterator[Next[Entry[str]]]:
        given = {one.key for one in self.elements}
        for id, one in self.listed.items():
            if id in given or not self.concerns(of, id):
                continue
            for to in one.places:
                yield Next(Entry(id, to), f"{id} to {to}", Points((id,), way=(to,)))
            if self._shelter(one):
                yield Next(Entry(id, FORT), f"{id} into the fort", Points((id,), end=one.start))
            if not one.must:
                yield Next(Entry(id, STAY), f"{id} stays", Points((id,), end=one.start))

    def _shelter(self, one: Leaver) -> bool:
        return one.must and self.left.get(one.start, -1) >= weight(self.game, one.id)

    def faults(self, element: Entry[str]) -> list[Diagnostic]:
        wrong = self._why_not(element.key, element.value, led=True)
        return [illegal(wrong[0], self.rule, wrong[1])] if wrong else []

    def _why_not(self, id: str, goal: str, *, led: bool) -> tuple[str, str] | None:
        """Code and words against one destination."""
        one = self.listed.get(id)
        if one is None:
            return "illegal-answer", f"{id} is not among those who retreat here"
        if goal == STAY:
            return ("must-retreat", f"{id} must retreat and cannot stay") if one.must else None
        if goal == FORT:
            full = "E-FORT-1", f"{id} finds no room in a fort in {one.start}"
            return None if self._shelter(one) else full
        code = barred(self.game, id, one.start, goal, led=led)
        return (code, f"{id} cannot retreat from {one.start} to {goal}: it {REASONS[code]}") if code else None

    def do(self, element: Entry[str]) -> None:
        if element.value == FORT:
            self.left[self.listed[element.key].start] -= weight(self.game, element.key)

    def lacking(self) -> list[Diagnostic]:
        """R-103: only troops go where an enemy leader or HQ is alone; others with them."""
        found = []
        for one in self.elements:
            led = has_troops(self.game, [other.key for other in self.elements if other.value == one.value])
            if one.value not in (STAY, FORT) and not led:
                wrong = self._why_not(one.key, one.value, led=False)
                found += [illegal(wrong[0], self.rule, wrong[1], one.key)] if wrong else []
        return found

    def nothing(self) -> str:
        return "as is usual"


class Retreat(InBattle, ByOrder[dict[str, str]], Growing[dict[str, str]]):
    """What required and voluntary retreats have in common: who goes where. Those left out do as is usual."""

    @property
    def why(self) -> Why:
        """Which of the three kinds of retreat it is."""
        raise NotImplementedError

    @fact
    def ratio(self, game: Game) -> int:
        """The ratio at the end of c.5."""
        ratio = Battle.of(game).ratio
        return ENDLESS if ratio is None else ratio

    def draft(self, game: Game) -> RetreatDraft:
        return RetreatDraft(game, self.player, self.why, self.rule)

    def wished(self, game: Game, prefer: Sequence[str], *, all_go: bool) -> dict[str, str]:
        """The answer of a standing order: units that must (with `all_go`: can) leave, to hexes they prefer.

        HQs and leaders are left out: by default they go with their people.
        """
        return {
            one.id: preferred(one.places, prefer)
            for one in leavers(Battle.of(game), self.player, self.why)
            if one.places and not _rank(game, one.id) and (one.must or all_go)
        }


@decision(
    "required-retreat",
    rule="4.8.11",
    answer=dict[str, Goal],
    standing=("retreat", RetreatStanding),
    facts=("hex", "number", "overrun"),
)
class RequiredRetreat(Retreat):
    """Where do your units go that must retreat? To a legal hex, `fort`, or `stay` where they are exempt."""

    overrun: bool = False

    @property
    def why(self) -> Why:
        return "overrun" if self.overrun else "required"

    def from_order(self, game: Game, order: RetreatStanding) -> dict[str, str]:
        return self.wished(game, order.prefer, all_go=order.exempt == "go")


@decision(
    "voluntary-retreat",
    rule="4.8.12",
    answer=dict[str, Goal],
    standing=("voluntary", VoluntaryStanding),
    facts=("hex", "number", "role"),
)
class VoluntaryRetreat(Retreat):
    """Do any of your units in this battle retreat though they need not, and where to? Those left out stay."""

    role: Role

    @property
    def why(self) -> Why:
        return "voluntary"

    def from_standing(self, game: Game, orders: list[VoluntaryStanding]) -> dict[str, str] | None:
        ratio = Battle.of(game).ratio
        for order in orders:
            if self.role == "defend" and order.defend is not None:
                least, prefer = order.defend.if_ratio_at_least, order.defend.prefer
                go = least is not None and (ratio is None or ratio >= least)
            elif self.role == "attack" and order.attack is not None:
                below, prefer = order.attack.if_ratio_below, order.attack.prefer
                go = below is not None and ratio is not None and ratio < below
            else:
                continue
            return self.wished(game, prefer, all_go=True) if go else {}
        return None


# c.11


def retreat_is_required(battle: Battle) -> bool:
    """4.8.11 The cell says A or D and somebody is left, or the hex was overrun (R-30)."""
    if battle.cut:
        return False
    if battle.code == "A":
        return bool(battle.attacking())
    return battle.overrun or (battle.code == "D" and any(battle.troops(battle.defender)))


async def required_retreats(game: Game, battle: Battle) -> None:
    """4.8.11 The side named goes one hex, or into a fort; who cannot is destroyed, who is exempt may stay."""
    side = battle.attacker if battle.code == "A" else battle.defender
    why: Why = "overrun" if battle.overrun else "required"
    listed = leavers(battle, side, why)
    if not listed:
        return
    answer: dict[str, str] = {}
    if any(one.places for one in listed):
        answer = await ask(RequiredRetreat(side, battle.number, battle.target, battle.overrun))
    _leave(game, battle, side, why, listed, answer)


# c.12 and c.13


def may_withdraw(battle: Battle, side: str) -> bool:
    """4.8.12, 4.8.13 After a battle on land, for those of a side who fought and were not driven back."""
    driven = side == battle.attacker and battle.code == "A"
    return not battle.over and not battle.naval and not driven and any(battle.troops(side))


async def withdraw(game: Game, battle: Battle, side: str) -> None:
    """4.8.12, 4.8.13 A side may withdraw whomever it likes (R-23, R-49)."""
    listed = leavers(battle, side, "voluntary")
    if not any(one.places for one in listed):
        return
    answer = await ask(VoluntaryRetreat(side, battle.number, battle.target, battle.role(side)))
    if any(goal != STAY for goal in answer.values()):
        _leave(game, battle, side, "voluntary", listed, answer)
    else:
        game.emit(NobodyWithdrew(battle.number, battle.target, side))


# what comes of it


@dataclass(frozen=True)
class Outcome:
    """Destination of each that left, who was destroyed, who went into the fort, what it changed."""

    moved: dict[str, str]
    destroyed: tuple[str, ...]
    sheltered: tuple[str, ...]
    came: tuple[Arrival, ...]


def _leave(
    game: Game, battle: Battle, side: str, why: Why, listed: list[Leaver], answer: Mapping[str, str]
) -> None:
    """Carry a retreat out, note who has retreated, tell."""
    plan = settled(battle, side, why, answer)
    bars = {one.id: _reasons(game, one) for one in listed if plan[one.id] is None}
    worth = {id: (unit(game, id).sp, unit(game, id).supply) for id in bars if is_unit(game, id)}
    on_rosters = [u.id for u in units(game, side) if u.hq]
    outcome = _execute(game, side, plan)
    subject = tuple(one.id for one in listed if plan[one.id] != STAY)
    if side == battle.attacker:
        battle.retreated = (*battle.retreated, *subject)
    elif why != "voluntary":
        battle.required = subject
        battle.inside = (*battle.inside, *outcome.sheltered)
    for hex in dict.fromkeys(one.start for one in listed):
        _tell(game, battle, side, why, hex, [one.id for one in listed if one.start == hex], outcome)
    dropped = tuple(id for id in on_rosters if is_unit(game, id) and unit(game, id).hq is None)
    if dropped:
        game.emit(LeftRoster(side, dropped))
    tell_arrivals(game, side, outcome.came)
    starts = {one.id: one.start for one in listed}
    for id in outcome.destroyed:
        event = UnitTrapped(battle.number, starts[id], side, id, *worth[id], bars[id])
        game.emit(event, None if shown(game, battle, [id])[0] else audience_of(side))
    if why == "required" and side == battle.defender and not subject:
        reason = exempt_hex(game, battle.target, side) or "inside the fort"
        game.emit(RetreatNotRequired(battle.number, battle.target, side, reason))


def _reasons(game: Game, one: Leaver) -> tuple[str, ...]:
    """For each hex beside it, why it is barred."""
    near = world_of(game).neighbours(one.start)
    return tuple(f"{to} {barred(game, one.id, one.start, to)}" for to in near)


def _execute(game: Game, side: str, plan: Mapping[str, str | None]) -> Outcome:
    """Everybody moves at once; who has nowhere to go is destroyed, but a leader waits for 4.8.16, his HQ with
    him (R-47).
    """
    by_goal: dict[str, list[str]] = {}
    for id, goal in plan.items():
        if goal is not None and goal not in (STAY, FORT):
            by_goal.setdefault(goal, []).append(id)
    moved = {id: goal for goal, ids in by_goal.items() for id in ids}
    destroyed = tuple(id for id, goal in plan.items() if goal is None and not _waits(game, id))
    sheltered = tuple(id for id, goal in plan.items() if goal == FORT)
    came = tuple(move(game, ids, goal, settle=False) for goal, ids in by_goal.items())
    for id in destroyed:
        wipe_out(unit(game, id))
    settle_rosters(game, side)
    return Outcome(moved, destroyed, sheltered, came)


def _waits(board: Board, id: str) -> bool:
    """A leader, or an HQ whose commander is with it."""
    if is_leader(board, id):
        return True
    hq = unit(board, id)
    return hq.is_hq and any(who.hq == id for who in leaders(board, hq.side, hq.hex))


def wipe_out(gone: Unit) -> None:
    """A unit is destroyed with its supply; its points count as losses (R-51)."""
    if gone.is_hq:
        remove(gone)
    else:
        lose(gone)


def _tell(
    game: Game, battle: Battle, side: str, why: Why, hex: str, ids: Sequence[str], outcome: Outcome
) -> None:
    """Who left one hex, and where to; HQs, leaders and trains that nobody has seen to their owner alone."""
    seen, unseen = shown(game, battle, (id for id in outcome.moved if id in ids))
    sheltered, hidden = shown(game, battle, (id for id in outcome.sheltered if id in ids))
    if seen or unseen or sheltered or hidden:
        moves = tuple(f"{id} to {outcome.moved[id]}" for id in seen)
        game.emit(UnitsRetreated(battle.number, hex, side, why, moves, sheltered))
    if unseen:
        game.emit(WentAlong(side, hex, tuple(f"{id} to {outcome.moved[id]}" for id in unseen)))


def shown(game: Game, battle: Battle, ids: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who is named to both sides: all, but with limited intelligence only who was revealed in this battle."""
    listed = tuple(ids)
    known: Any = battle.revealed if game.options["limited_intelligence"] else listed
    return tuple(id for id in listed if id in known), tuple(id for id in listed if id not in known)
