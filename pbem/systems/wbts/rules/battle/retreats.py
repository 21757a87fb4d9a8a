"""4.8.11 to 4.8.13, D-15 to D-17: Questions about retreats, and their effects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from pbem.kit.faults import illegal
from pbem.kit.filed import ByOrder
from pbem.rules import (
    Board,
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    HexNumber,
    Message,
    Next,
    Points,
    ask,
    audience_of,
    dataclass,
    decision,
    fact,
)

from ..asking import InBattle
from ..events.battle_after import NobodyWithdrew, RetreatNotRequired, UnitsRetreated, UnitTrapped, WentAlong
from ..events.command import LeftRoster
from ..handling import Arrival, lose, move, remove, settle_rosters
from ..pieces import Unit, has_troops, is_leader, is_unit, leaders, unit, units, world_of
from ..telling import tell_arrivals
from .leaving import (
    FORT,
    REASONS,
    STAY,
    Leaver,
    Why,
    barred,
    exempt_hex,
    leavers,
    preferred,
    rank_of,
    rooms,
    settled,
    weight,
)
from .record import Battle, Role
from .strength import ENDLESS

Goal = Literal["stay", "fort"] | HexNumber


@dataclass(frozen=True)
class RetreatStanding:
    """A standing order for required retreats: whether exempt units go, and preferred hexes."""

    exempt: Literal["stay", "go"] = "stay"
    prefer: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class DefendVoluntary:
    """An order to retreat as defender if the ratio (100 x A / D after c.5) is at least this.

    Without a ratio the defender never does.
    """

    if_ratio_at_least: int | None = None
    prefer: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class AttackVoluntary:
    """An order to retreat as attacker if the ratio is below this, never without a ratio."""

    if_ratio_below: int | None = None
    prefer: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class VoluntaryStanding:
    """A standing order for voluntary retreats."""

    defend: DefendVoluntary | None = None
    attack: AttackVoluntary | None = None


class RetreatDraft(Draft[Entry[str]]):
    """The draft of a retreat: destinations, all at once, so the board does not change."""

    def __init__(self, game: Game, player: str, why: Why, rule: str) -> None:
        super().__init__(game, player)
        battle = Battle.of(game)
        self.rule = rule
        self.listed = {leaver.id: leaver for leaver in leavers(battle, player, why)}
        self.left = rooms(battle, player, why)

    def next(self, of: str | None = None) -> Iterator[Next[Entry[str]]]:
        given = {entry.key for entry in self.elements}
        for id, leaver in self.listed.items():
            if id in given or not self.concerns(of, id):
                continue
            for to in leaver.places:
                yield Next(
                    Entry(id, to), Message("wbts.defence.to", each=id, to=to), Points((id,), way=(to,))
                )
            if self._shelter(leaver):
                yield Next(
                    Entry(id, FORT),
                    Message("wbts.retreats.into-fort", id=id),
                    Points((id,), end=leaver.start),
                )
            if not leaver.must:
                yield Next(
                    Entry(id, STAY), Message("wbts.retreats.stays", id=id), Points((id,), end=leaver.start)
                )

    def _shelter(self, leaver: Leaver) -> bool:
        return leaver.must and self.left.get(leaver.start, -1) >= weight(self.game, leaver.id)

    def faults(self, element: Entry[str]) -> list[Diagnostic]:
        wrong = self._why_not(element.key, element.value, led=True)
        return [illegal(wrong[0], self.rule, wrong[1])] if wrong else []

    def _why_not(self, id: str, goal: str, *, led: bool) -> tuple[str, str] | None:
        """Return the code and message of the fault of one destination, or None."""
        leaver = self.listed.get(id)
        if leaver is None:
            return "illegal-answer", Message("wbts.retreats.not-among-those-who-retreat-here", id=id)
        if goal == STAY:
            return (
                ("must-retreat", Message("wbts.retreats.must-retreat-and-cannot-stay", id=id))
                if leaver.must
                else None
            )
        if goal == FORT:
            full = "E-FORT-1", Message("wbts.retreats.finds-no-room-in-fort", id=id, start=leaver.start)
            return None if self._shelter(leaver) else full
        code = barred(self.game, id, leaver.start, goal, led=led)
        return (
            (
                code,
                Message(
                    "wbts.retreats.cannot-retreat",
                    id=id,
                    start=leaver.start,
                    goal=goal,
                    reason=Message(REASONS[code]),
                ),
            )
            if code
            else None
        )

    def do(self, element: Entry[str]) -> None:
        if element.value == FORT:
            self.left[self.listed[element.key].start] -= weight(self.game, element.key)

    def lacking(self) -> list[Diagnostic]:
        """R-103: Return the faults of entering hexes with a lone enemy leader or HQ without troops."""
        faults_ = []
        for entry in self.elements:
            led = has_troops(self.game, [other.key for other in self.elements if other.value == entry.value])
            if entry.value not in (STAY, FORT) and not led:
                wrong = self._why_not(entry.key, entry.value, led=False)
                faults_ += [illegal(wrong[0], self.rule, wrong[1], entry.key)] if wrong else []
        return faults_

    def nothing(self) -> str:
        return Message("wbts.retreats.as-usual")


class Retreat(InBattle, ByOrder[dict[str, str]], Growing[dict[str, str]]):
    """The common part of required and voluntary retreats: destinations by counter.

    Counters that it leaves out follow the defaults.
    """

    @property
    def why(self) -> Why:
        """Return which of the three kinds of retreat it is."""
        raise NotImplementedError

    @fact
    def ratio(self, game: Game) -> int:
        """Return the ratio at the end of c.5."""
        ratio = Battle.of(game).ratio
        return ENDLESS if ratio is None else ratio

    def draft(self, game: Game) -> RetreatDraft:
        return RetreatDraft(game, self.player, self.why, self.rule)

    def wished(self, game: Game, prefer: Sequence[str], *, all_go: bool) -> dict[str, str]:
        """Return a standing order's answer: units that must leave go to preferred hexes.

        With `all_go` units that can leave go, too. HQs and leaders are left out, because by default
        they go with their units.
        """
        return {
            leaver.id: preferred(leaver.places, prefer)
            for leaver in leavers(Battle.of(game), self.player, self.why)
            if leaver.places and not rank_of(game, leaver.id) and (leaver.must or all_go)
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


def retreat_is_required(battle: Battle) -> bool:
    """R-30: Return True if the cell drives a side back with units left, or the hex was overrun."""
    if battle.cut:
        return False
    if battle.code == "A":
        return bool(battle.attacking())
    return battle.overrun or (battle.code == "D" and any(battle.troops(battle.defender)))


async def required_retreats(game: Game, battle: Battle) -> None:
    """4.8.11: Move the side that must retreat one hex, or into a fort.

    Units without a place are destroyed. Exempt ones may stay.
    """
    side = battle.attacker if battle.code == "A" else battle.defender
    why: Why = "overrun" if battle.overrun else "required"
    listed = leavers(battle, side, why)
    if not listed:
        return
    answer: dict[str, str] = {}
    if any(leaver.places for leaver in listed):
        answer = await ask(RequiredRetreat(side, battle.number, battle.target, battle.overrun))
    _leave(game, battle, side, why, listed, answer)


def may_withdraw(battle: Battle, side: str) -> bool:
    """4.8.12, 4.8.13: Return True for a side that fought on land and was not driven back."""
    driven = side == battle.attacker and battle.code == "A"
    return not battle.over and not battle.naval and not driven and any(battle.troops(side))


async def withdraw(game: Game, battle: Battle, side: str) -> None:
    """4.8.12, 4.8.13: Let a side withdraw any of its units (R-23, R-49)."""
    listed = leavers(battle, side, "voluntary")
    if not any(leaver.places for leaver in listed):
        return
    answer = await ask(VoluntaryRetreat(side, battle.number, battle.target, battle.role(side)))
    if any(goal != STAY for goal in answer.values()):
        _leave(game, battle, side, "voluntary", listed, answer)
    else:
        game.emit(NobodyWithdrew(battle.number, battle.target, side))


@dataclass(frozen=True)
class Outcome:
    """The result of a retreat: destinations, units destroyed, units in the fort, changes in hexes."""

    moved: dict[str, str]
    destroyed: tuple[str, ...]
    sheltered: tuple[str, ...]
    came: tuple[Arrival, ...]


def _leave(
    game: Game, battle: Battle, side: str, why: Why, listed: list[Leaver], answer: Mapping[str, str]
) -> None:
    """Carry out a retreat, record the counters that retreated, and report it."""
    plan = settled(battle, side, why, answer)
    bars = {leaver.id: _reasons(game, leaver) for leaver in listed if plan[leaver.id] is None}
    worth = {id: (unit(game, id).sp, unit(game, id).supply) for id in bars if is_unit(game, id)}
    on_rosters = [u.id for u in units(game, side) if u.hq]
    outcome = _execute(game, side, plan)
    subject = tuple(leaver.id for leaver in listed if plan[leaver.id] != STAY)
    if side == battle.attacker:
        battle.retreated = (*battle.retreated, *subject)
    elif why != "voluntary":
        battle.required = subject
        battle.inside = (*battle.inside, *outcome.sheltered)
    for hex in dict.fromkeys(leaver.start for leaver in listed):
        _tell(game, battle, side, why, hex, [leaver.id for leaver in listed if leaver.start == hex], outcome)
    dropped = tuple(id for id in on_rosters if is_unit(game, id) and unit(game, id).hq is None)
    if dropped:
        game.emit(LeftRoster(side, dropped))
    tell_arrivals(game, side, outcome.came)
    starts = {leaver.id: leaver.start for leaver in listed}
    for id in outcome.destroyed:
        event = UnitTrapped(battle.number, starts[id], side, id, *worth[id], bars[id])
        game.emit(event, None if shown(game, battle, [id])[0] else audience_of(side))
    if why == "required" and side == battle.defender and not subject:
        reason = exempt_hex(game, battle.target, side) or Message("wbts.retreats.inside-fort")
        game.emit(RetreatNotRequired(battle.number, battle.target, side, reason))


def _reasons(game: Game, leaver: Leaver) -> tuple[str, ...]:
    """Return for each adjacent hex the prohibition that bars it."""
    near = world_of(game).neighbours(leaver.start)
    return tuple(f"{to} {barred(game, leaver.id, leaver.start, to)}" for to in near)


def _execute(game: Game, side: str, plan: Mapping[str, str | None]) -> Outcome:
    """Move all at once, and destroy units without a place.

    Leaders wait for 4.8.16, with their HQs (R-47).
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
    """Return True if this is a leader, or an HQ with its commander."""
    if is_leader(board, id):
        return True
    hq = unit(board, id)
    return hq.is_hq and any(who.hq == id for who in leaders(board, hq.side, hq.hex))


def wipe_out(gone: Unit) -> None:
    """R-51: Destroy a unit with its supply. Its points count as losses."""
    if gone.is_hq:
        remove(gone)
    else:
        lose(gone)


def _tell(
    game: Game, battle: Battle, side: str, why: Why, hex: str, ids: Sequence[str], outcome: Outcome
) -> None:
    """Report the counters that left a hex. Only their owner learns of unseen ones."""
    seen, unseen = shown(game, battle, (id for id in outcome.moved if id in ids))
    sheltered, hidden = shown(game, battle, (id for id in outcome.sheltered if id in ids))
    if seen or unseen or sheltered or hidden:
        moves = tuple(f"{id} to {outcome.moved[id]}" for id in seen)
        game.emit(UnitsRetreated(battle.number, hex, side, why, moves, sheltered))
    if unseen:
        game.emit(WentAlong(side, hex, tuple(f"{id} to {outcome.moved[id]}" for id in unseen)))


def shown(game: Game, battle: Battle, ids: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the counters named to both sides, and the others.

    With limited intelligence the former are those revealed in this battle, else all.
    """
    listed = tuple(ids)
    known: Any = battle.revealed if game.options["limited_intelligence"] else listed
    return tuple(id for id in listed if id in known), tuple(id for id in listed if id not in known)
