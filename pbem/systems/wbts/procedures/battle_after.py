"""The end of a battle (4.8.11 to 4.8.16): retreats, the advance, lone leaders, trains left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.rules import Game, ask, condition, procedure

from ..battle.leaving import (
    STAY,
    Leaver,
    Outcome,
    Why,
    execute,
    leavers,
    settled,
)
from ..battle.occupation import (
    able_to_advance,
    able_to_follow,
    detrain,
    displace,
    owners,
    sweep,
)
from ..battle.retreats import barred, exempt_hex
from ..battle.state import Battle, attacking, current, held, keep, participating
from ..decisions.battle_retreats import Advance, RequiredRetreat, VoluntaryRetreat, anybody
from ..events.battle_after import (
    Advanced,
    BattleEnded,
    HexTaken,
    LeftBehind,
    NoAdvance,
    NobodyWithdrew,
    RetreatNotRequired,
    UnitsDetrained,
    UnitsRetreated,
    UnitTrapped,
    WentAlong,
)
from ..events.command import LeftRoster
from ..handling import move
from ..pieces import is_unit, unit, units, world_of
from .battle_begin import battle_begun
from .battle_secrets import forget_battle
from .battle_words import tell_arrivals, tell_displaced
from .player_turn import decide_at_once

# conditions of the outline


@condition("retreat_is_required")
def retreat_is_required(game: Game, phasing: str | None) -> bool:
    """4.8.11 The cell says A or D and somebody is left, or the hex was overrun."""
    if not battle_begun(game, phasing) or current(game).cut:
        return False
    battle = current(game)
    if battle.code == "A":
        return bool(attacking(game, battle))
    return battle.overrun or (battle.code == "D" and bool(participating(game, battle, battle.defender)))


@condition("defender_may_withdraw")
def defender_may_withdraw(game: Game, phasing: str | None) -> bool:
    """4.8.12 After a battle on land, for those who were not driven out."""
    if not _fought_on_land(game, phasing):
        return False
    battle = current(game)
    return bool(participating(game, battle, battle.defender))


@condition("attacker_may_withdraw")
def attacker_may_withdraw(game: Game, phasing: str | None) -> bool:
    """4.8.13 After a battle on land that did not drive the attacker back."""
    return (
        _fought_on_land(game, phasing) and current(game).code != "A" and bool(attacking(game, current(game)))
    )


def _fought_on_land(game: Game, phasing: str | None) -> bool:
    return battle_begun(game, phasing) and not current(game).over and not current(game).naval


# c.11


@procedure("required_retreats", rule="4.8.11")
async def required_retreats(game: Game, phasing: str) -> None:
    """4.8.11 The side named goes one hex, or into a fort; who cannot is destroyed, who is exempt may stay."""
    battle = current(game)
    side = battle.attacker if battle.code == "A" else battle.defender
    why: Why = "overrun" if battle.overrun else "required"
    listed = leavers(game, battle, side, why)
    if not listed:
        return
    answer: dict[str, str] = {}
    if any(one.places for one in listed):
        answer = await ask(RequiredRetreat(side, battle.number, battle.target, battle.overrun))
    _leave(game, battle, side, why, listed, answer)


def _leave(
    game: Game, battle: Battle, side: str, why: Why, listed: list[Leaver], answer: Mapping[str, str]
) -> None:
    """Carry a retreat out, note who has retreated, tell."""
    plan = settled(game, battle, side, why, answer)
    bars = {one.id: _reasons(game, one) for one in listed if plan[one.id] is None}
    worth = {id: (unit(game, id).sp, unit(game, id).supply) for id in bars if is_unit(game, id)}
    rosters = {u.id: u.hq for u in units(game, side) if u.hq}
    outcome = execute(game, side, plan)
    dropped = tuple(id for id in rosters if is_unit(game, id) and unit(game, id).hq is None)
    subject = tuple(one.id for one in listed if plan[one.id] != STAY)
    if side == battle.attacker:
        battle.retreated = (*battle.retreated, *subject)
    elif why != "voluntary":
        battle.required = subject
        battle.inside = (*battle.inside, *outcome.sheltered)
    keep(game, battle)
    starts = {one.id: one.start for one in listed}
    for hex in dict.fromkeys(one.start for one in listed):
        _tell_leaving(game, battle, side, why, hex, [id for id in starts if starts[id] == hex], outcome)
    if dropped:
        game.emit(LeftRoster(side, dropped))
    tell_arrivals(game, side, outcome.came)
    for id in outcome.destroyed:
        sp, supply = worth[id]
        game.emit(UnitTrapped(battle.number, starts[id], side, id, sp, supply, bars[id]))
    if why == "required" and side == battle.defender and not subject:
        reason = exempt_hex(game, battle.target, side) or "inside the fort"
        game.emit(RetreatNotRequired(battle.number, battle.target, side, reason))


def _tell_leaving(
    game: Game, battle: Battle, side: str, why: Why, hex: str, ids: Sequence[str], outcome: Outcome
) -> None:
    """Who left one hex, and where to; HQs, leaders and trains that nobody has seen to their owner alone."""
    seen, unseen = _shown(game, battle, (id for id in outcome.moved if id in ids))
    sheltered, hidden = _shown(game, battle, (id for id in outcome.sheltered if id in ids))
    if seen or unseen or sheltered or hidden:
        moves = tuple(f"{id} to {outcome.moved[id]}" for id in seen)
        game.emit(UnitsRetreated(battle.number, hex, side, why, moves, sheltered))
    if unseen:
        game.emit(WentAlong(side, hex, tuple(f"{id} to {outcome.moved[id]}" for id in unseen)))


def _shown(game: Game, battle: Battle, ids: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who is named to both sides: all, but with limited intelligence only who was revealed in this battle."""
    listed = tuple(ids)
    if not game.options["limited_intelligence"]:
        return listed, ()
    known = (*battle.attackers, *battle.defenders, *battle.withheld, *battle.ships)
    return tuple(id for id in listed if id in known), tuple(id for id in listed if id not in known)


def _reasons(game: Game, one: Leaver) -> tuple[str, ...]:
    """For each hex beside it, why it is barred."""
    near = world_of(game).neighbours(one.start)
    return tuple(f"{to} {barred(game, one.id, one.start, to)}" for to in near)


# c.12 and c.13


@procedure("defender_retreats", rule="4.8.12")
async def defender_retreats(game: Game, phasing: str) -> None:
    """4.8.12 The defender may withdraw whomever he likes."""
    await _withdraw(game, current(game), "defend")


@procedure("attacker_retreats", rule="4.8.13")
async def attacker_retreats(game: Game, phasing: str) -> None:
    """4.8.13 The attacker may do so after him."""
    await _withdraw(game, current(game), "attack")


async def _withdraw(game: Game, battle: Battle, role: str) -> None:
    side = battle.attacker if role == "attack" else battle.defender
    if not anybody(game, battle, side):
        return
    listed = leavers(game, battle, side, "voluntary")
    question = VoluntaryRetreat(
        side, battle.number, battle.target, "attack" if role == "attack" else "defend"
    )
    answer = await ask(question)
    going = any(goal != STAY for goal in answer.values())
    if going:
        _leave(game, battle, side, "voluntary", listed, answer)
    else:
        game.emit(NobodyWithdrew(battle.number, battle.target, side))


# c.14


@procedure("advance", rule="4.8.14")
async def advance(game: Game, phasing: str) -> None:
    """4.8.14 Attackers that did not retreat may enter an empty hex; then the battle is cleared away."""
    battle = current(game)
    hexes = [battle.target]
    tell_displaced(game, battle.defender, *displace(game, battle.defender, hexes))
    if able_to_advance(game, battle):
        going = await ask(Advance(battle.attacker, battle.number, battle.target))
        if going:
            _enter(game, battle, going)
    elif (why := _why_nobody(game, battle)) is not None:
        game.emit(NoAdvance(battle.number, battle.target, battle.attacker, why))
    _clear_away(game, battle)


def _why_nobody(game: Game, battle: Battle) -> str | None:
    """Why nobody advances into a hex that was fought for; None where there is nothing to say."""
    if battle.naval:
        return None
    if held(game, battle):
        return "the hex is still held"
    if not attacking(game, battle):
        return "no attacker is left"
    return "the attack was unsupplied" if battle.attacker in battle.unsupplied else "all attackers retreated"


def _enter(game: Game, battle: Battle, going: tuple[str, ...]) -> None:
    """Move in, destroy what is found, take the place."""
    allowed = (*able_to_advance(game, battle), *able_to_follow(game, battle))
    assert all(id in allowed for id in going), "somebody advances who cannot"
    lost = sweep(game, battle)
    before = owners(game, battle.target)
    move(game, going, battle.target)
    place = world_of(game).place(battle.target)
    seen, unseen = _shown(game, battle, going)
    game.emit(Advanced(battle.number, battle.target, place, battle.attacker, seen))
    if unseen:
        game.emit(
            WentAlong(battle.attacker, battle.target, tuple(f"{id} to {battle.target}" for id in unseen))
        )
    if lost:
        found = tuple(f"{id} {sp}" if sp else id for id, sp in lost.items())
        game.emit(LeftBehind(battle.target, battle.defender, found, sum(lost.values())))
    taken = tuple(what for what, who in owners(game, battle.target).items() if before.get(what) != who)
    if taken:
        game.emit(HexTaken(battle.target, place, battle.attacker, taken))


def _clear_away(game: Game, battle: Battle) -> None:
    """Lone leaders of both sides, units off their trains; then there is no battle any more."""
    for side in battle.sides():
        hexes = [*battle.hexes(side), battle.target]
        tell_displaced(game, side, *displace(game, side, hexes))
    detrained = detrain(game, battle.entrained)
    if detrained:
        game.emit(UnitsDetrained(battle.target, tuple(detrained)))
    holder = battle.defender if held(game, battle) else _holder(game, battle)
    losses = dict(game.tracks["losses_sp"])
    place = world_of(game).place(battle.target)
    game.emit(BattleEnded(battle.number, battle.target, place, holder, losses))
    forget_battle(game, battle)
    game.tracks["battle"] = None
    decide_at_once(game)


def _holder(game: Game, battle: Battle) -> str:
    """Who has combat units in the hex, or nobody."""
    there = [u for u in units(game, battle.attacker, battle.target) if u.is_combat]
    return battle.attacker if there else "nobody"
