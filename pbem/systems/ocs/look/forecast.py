"""4.9: Forecast of an attack to its end, and its account.

By every throw of surprise, shift and combat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeGuard

from pbem.kit.courses import by_default, courses
from pbem.kit.fights import Sent, expect
from pbem.kit.odds import sums_of
from pbem.rules import Decision, End, Forecast, Game, Message, dataclass

from ..rules.actions import Assault, Attack, Fire, Land, Mission, Overrun
from ..rules.afloat.beaches import assault_faults, pay_from_craft
from ..rules.decisions.fight import DefenceStance, Stance
from ..rules.fighting.casualties import strike_all
from ..rules.fighting.combat import conclude, declared, defending_rating, edge_of, weigh
from ..rules.fighting.combat_supply import Bought, plan_attack
from ..rules.fighting.fights import Fight
from ..rules.fighting.losses import make_dg
from ..rules.fighting.strength import Result, hedgehog, read_result, shifted, surprise
from ..rules.phases import enter_phase
from ..rules.pieces import Craft, Dump, T, Unit, maybe_unit, units, world_of
from ..rules.supply.reach import Net
from ..rules.views import hides
from ..rules.walk import overrun_faults
from ..rules.works import attack_faults
from ..rules.world import World
from .ashore import assault_of, boats, landing, lent
from .barrages import barrage
from .dogfights import met_in_the_air
from .missions import bombed

PLENTY = 400
"""T that are laid beside units whose supply is taken for granted."""
COMBAT = ("F", "G")
MOVEMENT = ("C", "E", "G")
"""4.4.6: The phases in which stacks overrun, the Reaction Phase among them."""
BEFORE_IT = ("E-FUEL", "E-OVR-MP")
"""4.4.6: What the move before an overrun may still change: its fuel, and how far it goes."""
LOSSES = ("step-lost", "unit-eliminated")
BEACH = "beach"
"""4.12.7: An attack from landing craft. If it fails, all who made it are lost."""


@dataclass(frozen=True)
class Plan:
    """An attack on a board as it is when it is made.

    `paid`: the attackers reach their supply, or the reader cannot know; `dark`: the reader does not see the
    whole of the other side.
    """

    board: Game
    side: str
    hex: str
    order: Attack
    paid: bool
    dark: bool
    kind: str = "regular"

    @property
    def ids(self) -> tuple[str, ...]:
        return self.order.units

    def bought(self, game: Game) -> Bought | None:
        """4.9.2, 4.12.7: Return how the attack is paid on a board, one from craft by craft; None if not."""
        if self.kind == BEACH:
            group = [Unit(game, id) for id in self.ids]
            return pay_from_craft(game, self.side, group[0].hex or "", group, self.order.drop_if_short)
        return plan_attack(game, self.side, self.ids, self.order.dumps, self.order.drop_if_short)


@dataclass(frozen=True)
class Case:
    """The assumptions of a forecast.

    The defender withholds supply, takes options as losses, or was disorganized by a barrage.
    """

    withheld: bool = False
    hold: bool = False
    barrage: bool = False

    def __call__(self, game: Game, decision: Decision[Any]) -> Any:
        """Return the answer to a question of the fight."""
        if isinstance(decision, DefenceStance):
            return Stance("withhold" if self.withheld else "pay", option="hold" if self.hold else None)
        return by_default(game, decision)

    @property
    def words(self) -> Message:
        """Return the condition."""
        return Message("ocs.forecast.case", withheld=self.withheld, hold=self.hold, barrage=self.barrage)


Known = dict[tuple[bool, bool, Result], tuple[End, tuple[int, int], bool]]


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """4.9: Yield the regular attack of these units on a hex, in which all advance who may.

    Without any named, of all beside it that can attack. Then the overrun, if those named are a stack that can
    make one. Of guns or aircraft their barrage of the hex instead (4.10).

    Attacks are resolved in the answer that orders them, so none is announced: `orders check` tells the odds
    of each. With fog a stack is what is on top.
    """
    if place is None or place not in world_of(game).terrains:
        return
    if afloat := boats(game, attackers.order.craft if _from_boats(attackers) else attackers):
        yield from _ashore(game, place, attackers, afloat)
        return
    if not isinstance(attackers, Sent) or isinstance(attackers.order, Fire | Mission):
        ship = attackers.order.ship if isinstance(attackers, Sent) else None
        shot = [
            *barrage(game, place, attackers, _target(attackers), ship),
            *bombed(game, place, attackers, _target(attackers), ship),
        ]
        yield from shot
        if (met := met_in_the_air(game, place, attackers)) is not None:
            yield met
        if shot or met is not None or isinstance(attackers, Sent):
            return
    there = units(game, at=place)
    if not there:
        return
    side = world_of(game).enemy(there[0].owner)
    if isinstance(attackers, Sent) and isinstance(attackers.order, Overrun):
        yield from _overruns(game, side, place, attackers, attackers.order)
        return
    board = game.copy()
    t = T.of(board)
    t.sealed_orders = {}
    if t.phase not in COMBAT or t.acting != side:
        enter_phase(board, COMBAT[0], side)
    ids = attackers if isinstance(attackers, Sent) else sorted(attackers)
    named = [u for id in ids if (u := maybe_unit(board, id)) is not None]
    coming = [u for u in named if u.owner == side]
    if not attackers:
        coming = [u for u in units(board, side) if not attack_faults(board, side, [u], place)]
    if not coming:
        return
    faults = attack_faults(board, side, coming, place)
    listed = tuple(u.id for u in coming)
    order = replace(attackers.order, units=listed) if isinstance(attackers, Sent) else Attack(place, listed)
    plan = _supplied(board, side, order)
    yield _forecast(plan) if not faults else _barred(plan, faults[0].message)
    if attackers and not isinstance(attackers, Sent):
        yield from _overruns(game, side, place, listed, Overrun(place))


def _from_boats(attackers: Collection[str]) -> TypeGuard[Sent]:
    return isinstance(attackers, Sent) and isinstance(attackers.order, Land | Assault)


def _ashore(
    game: Game, place: str, attackers: Collection[str], listed: Sequence[Craft]
) -> Iterator[Forecast]:
    """4.12.7: Yield the beach assault or the landing of the units aboard these craft."""
    side, order = listed[0].owner, assault_of(game, listed, place, attackers)
    if order is None:
        yield from landing(game, listed, place, attackers)
        return
    board = game.copy()
    T.of(board).sealed_orders = {}
    if T.of(board).phase not in COMBAT or T.of(board).acting != side:
        enter_phase(board, COMBAT[0], side)
    faults = assault_faults(board, side, listed, order)
    if faults:
        yield Forecast(place, ((side, ""), (world_of(game).enemy(side), "")), faults[0].message)
        return
    board = lent(board, listed, order.units)
    attack = Attack(place, order.units, ar=order.ar, drop_if_short=order.drop_if_short)
    plan = _supplied(board, side, attack, BEACH)
    short = Message("ocs.beaches.craft-carry-not-enough-supply")
    yield _forecast(plan) if plan.paid else _barred(plan, short)


def _target(attackers: Collection[str]) -> str | None:
    """4.10: Return the target that an order names; None if nobody has ordered yet."""
    if not isinstance(attackers, Sent):
        return None
    order = attackers.order
    return "trainbusting" if getattr(order, "kind", "") == "trainbusting" else str(order.target)


def _overruns(game: Game, side: str, place: str, ids: Sequence[str], order: Overrun) -> Iterator[Forecast]:
    """4.4.6: Yield the overrun of a stack from the hex beside, if it can make one.

    Fuel and MP are those of the move before it, which is not over.
    """
    board = game.copy()
    t = T.of(board)
    t.sealed_orders = {}
    if t.phase not in MOVEMENT or t.acting != side:
        enter_phase(board, MOVEMENT[0], side)
    stack = [u for id in ids if (u := maybe_unit(board, id)) is not None]
    if not stack or len({u.hex for u in stack}) > 1:
        return
    if any(fault.code not in BEFORE_IT for fault in overrun_faults(board, side, stack, place)):
        return
    listed = tuple(u.id for u in stack)
    attack = Attack(place, listed, ar=order.ar, dumps=order.dumps, along=order.along)
    yield _forecast(_supplied(board, side, attack, "overrun"))


def _barred(plan: Plan, message: str) -> Forecast:
    """4.9.1: Return that there is no fight, and why."""
    case = _case(plan, Case(), {})
    return Forecast(case.place, case.sides, message, case.odds)


def _supplied(board: Game, side: str, order: Attack, kind: str = "regular") -> Plan:
    """4.9.2, 4.9.3: Return the attack, with supply where it is out of reach or unknown to the reader.

    The forecast says what it takes for granted.
    """
    t, enemy = T.of(board), world_of(board).enemy(side)
    dark = hides(board) and board.viewer is not None
    plan = Plan(board, side, order.hex, order, True, dark, kind)
    paid = plan.bought(board.copy()) is not None
    if not paid and kind != BEACH:
        for start in sorted({Unit(board, id).hex or "" for id in order.units}):
            t.dumps[start] = Dump(side, PLENTY)
    if dark and board.viewer == side:
        t.dumps[order.hex] = Dump(enemy, PLENTY)
    return replace(plan, paid=paid or (dark and board.viewer != side))


def _forecast(plan: Plan) -> Forecast:
    """4.9.3, 4.9.8, 4.10: Return the forecast of an attack with its other cases.

    The defender pays and takes options by default. Other cases: the defender pays none, takes options as
    losses, or was barraged before.
    """
    known: Known = {}
    expected, others = _case(plan, Case(), known), list[Forecast]()
    for case in (Case(withheld=True), Case(hold=True), Case(barrage=True)):
        other_case = replace(_case(plan, case, known), case=case.words)
        if (other_case.ends, other_case.losses) != (expected.ends, expected.losses):
            others.append(other_case)
    pays = any(other.case == Case(withheld=True).words for other in others)
    need = 0 if plan.paid else sum(Unit(plan.board, id).steps for id in plan.ids)
    taken = Message("ocs.forecast.taken", pays=pays, need=need, seen=plan.dark)
    conditions = taken if pays or need or plan.dark else ""
    if plan.kind != "regular":
        conditions = Message("ocs.forecast.overrun", beach=plan.kind == BEACH, case=conditions)
    return replace(expected, others=tuple(others), case=conditions)


def _case(plan: Plan, case: Case, known: Known) -> Forecast:
    """4.9.4 to 4.9.11: Return the forecast of an attack in one case.

    Each result of the table is fought to its end once; its chance is that of its throws. `known`:
    results already fought for other cases; supply only changes the column.
    """
    board, enemy = plan.board.copy(), world_of(plan.board).enemy(plan.side)
    if case.barrage:
        make_dg(board, enemy, plan.hex)
    before, f = _declared(board, plan, case)
    s, against = weigh(before, f), defending_rating(before, f)
    weighed, exploits = [], Fraction(0)
    edge, level = edge_of(before, f, against), hedgehog(before, f.hex, f.defender)
    chances = results(world_of(before), f.kind, s.column, edge, level)
    for result, chance in chances:
        key = case.hold and bool(result.d_option), case.barrage, result
        if key not in known:
            known[key] = _concluded(before, plan, f, case, result, against)
        end, lost, exploit = known[key]
        weighed.append((chance, end, lost))
        exploits += chance if exploit else 0
    ends, losses = expect(weighed)
    return Forecast(
        plan.hex,
        ((plan.side, str(s.a)), (enemy, str(s.d))),
        "",
        s.odds,
        tuple((result.code, chance) for result, chance in chances),
        ((plan.side, "exploit", 100 * exploits),) if exploits else (),
        ends=ends,
        losses=losses,
    )


def _concluded(
    before: Game, plan: Plan, f: Fight, case: Case, result: Result, against: str
) -> tuple[End, tuple[int, int], bool]:
    """4.9.8 to 4.9.11: Return the end of a result, both losses, and if the attackers may exploit."""

    async def fight(copy: Game) -> None:
        await conclude(copy, deepcopy(f), result, against, plan.ids)
        if plan.kind == BEACH and units(copy, f.defender, f.hex):
            for u in [u for id in f.attackers if (u := maybe_unit(copy, id)) is not None]:
                strike_all(copy, u, Message("ocs.beaches.beach-assault-failed"))

    _, after = next(courses(before, fight, case))  # dice of captures change no end and no loss of steps
    events = [event.event for event in after.told]
    exploit = any(event["event"] == "exploit-marked" for event in events)
    return end_of(events, _left(after, plan.ids)), steps_lost(events, plan.side), exploit


def _declared(board: Game, plan: Plan, case: Case) -> tuple[Game, Fight]:
    """4.9.1 to 4.9.3: Return the board on which both sides have paid, and the fight."""
    kept: list[Fight] = []

    async def declare(copy: Game) -> None:
        bought = plan.bought(copy)
        if bought is None:
            bought = Bought(dict.fromkeys(plan.ids, "0T"), (), (), Net(copy, plan.side, trace=False))
        kept.append(
            await declared(copy, plan.kind, plan.side, plan.hex, bought, plan.order.ar, plan.order.along)
        )

    _, after = next(courses(board, declare, case))
    after.told.clear()
    return after, kept[0]


def results(world: World, kind: str, column: int, edge: int, level: int) -> list[tuple[Result, Fraction]]:
    """4.9.6, 4.9.7: Return each result with its chance, the likeliest first, from surprise on.

    `edge` is what the ratings give the attackers, `level` that of a hedgehog.
    """
    kind = "overrun" if kind == "overrun" else "regular"
    columns: dict[int, Fraction] = {}
    for first, likely in sums_of("2d6"):
        by = surprise(world, kind, first + edge - (1 if level else 0))
        for die, chance_of_shift in sums_of(world.combat["surprise"]["shift"]):
            at = shifted(world, column, by * die)
            columns[at] = columns.get(at, Fraction(0)) + likely * chance_of_shift
    chances: dict[Result, Fraction] = {}
    for at, share in columns.items():
        for total, likely in sums_of(world.combat["crt"]["dice"]):
            result = read_result(world, at, total + edge - level)
            chances[result] = chances.get(result, Fraction(0)) + share * likely
    return sorted(chances.items(), key=lambda pair: (-pair[1], pair[0].code))


def _left(game: Game, ids: Sequence[str]) -> bool:
    return any(maybe_unit(game, id) is not None for id in ids)


def end_of(told: Sequence[Mapping[str, Any]], left: bool) -> End:
    """4.9.9, 4.9.10: Return the end of a fight from its events; `left`: an attacker remains."""
    outcome = next(event["outcome"] for event in told if event["event"] == "combat-ended")
    if outcome in ("taken", "vacated"):
        return "taken" if outcome == "taken" else "cleared"
    if not left:
        return "eliminated"
    return "repelled" if outcome == "repulsed" else "held"


def steps_lost(events: Sequence[Mapping[str, Any]], side: str) -> tuple[int, int]:
    """4.9.8, 4.9.9: Return the steps that attackers and defenders lost."""
    mine = sum(int(event["lost"]) for event in events if event["event"] in LOSSES and event["player"] == side)
    return mine, sum(int(event["lost"]) for event in events if event["event"] in LOSSES) - mine
