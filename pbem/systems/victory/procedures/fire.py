"""A block's action in its slot: fire or retreat; volleys and flak (rules 4.6.4 to 4.6.8)."""

from __future__ import annotations

from typing import cast

from pbem.rules import Roll, ask, roll

from ..blocks import Unit, unit, world_of
from ..decisions.battle import CLASSES, Action, UnitAction
from ..doctrine import Role, Rule, Target, first_rule
from ..events.battle import BlockFired, BlockPursued, BlockRetreated, FlakFell, RetreatBarred
from .engagement import Battle, other
from .losses import apply_hits, targets_of_class
from .retreat import choose_place, leave, retreat_places, why_barred

PREFERENCE: tuple[Target, ...] = ("G", "N", "A")


def rating(battle: Battle, block: Unit, target: Target) -> int:
    """The rating against a class now.

    In round 1 of an assault marines have G2 and nobody else fires (4.4.6).
    """
    if block.entry_kind == "assault" and battle.role(block.owner) == "attacker" and battle.round == 1:
        if not block.kind.has("marine"):
            return 0
        if target == "G":
            return world_of(battle.game).numbers.assault_marine_ground
    return block.kind.rating(target)


def legal_targets(battle: Battle, block: Unit) -> list[Target]:
    """Classes the block may fire at.

    Rating above 0 and an enemy there; highest rating first, ties G, N, A (4.6.5).
    """
    enemy = other(battle.role(block.owner))
    legal = [t for t in PREFERENCE if rating(battle, block, t) > 0 and targets_of_class(battle, enemy, t)]
    return sorted(legal, key=lambda t: (-rating(battle, block, t), PREFERENCE.index(t)))


def may_act(battle: Battle, block: Unit) -> bool:
    """Blocks of the active player that were not activated do nothing; everybody else acts (4.3.3, R-20)."""
    return battle.role(block.owner) == "defender" or block.activated


def can_still_fire(battle: Battle, role: Role) -> bool:
    """Whether a block of the side has a target in the coming round (4.6.9 c)."""
    return any(may_act(battle, u) and _has_target(battle, u) for u in battle.units(role))


def _has_target(battle: Battle, block: Unit) -> bool:
    enemy = other(battle.role(block.owner))
    return any(block.kind.rating(t) > 0 and targets_of_class(battle, enemy, t) for t in PREFERENCE)


async def act(battle: Battle, id: str, slot: int) -> None:
    """One block in its slot.

    Retreats or fires as its owner wants; without a target it does nothing (4.6.4).
    """
    block = unit(battle.game, id)
    if not may_act(battle, block):
        return
    targets = legal_targets(battle, block)
    barred = _too_early(battle, block)
    places = [] if barred else retreat_places(battle, block)
    barred = barred or ("" if places else why_barred(battle, block))
    action = await _decide(battle, block, slot, targets, places, barred)
    if action.do == "retreat":
        to = action.to or await choose_place(battle, block, places, "retreat")
        battle.game.emit(BlockRetreated(battle.hex, battle.round, battle.name(block), to))
        leave(battle, block, to)
    elif targets:
        await volley(battle, block, slot, action.target or targets[0])


def _too_early(battle: Battle, block: Unit) -> str:
    first = world_of(battle.game).numbers.attacker_may_retreat_from_round
    if battle.role(block.owner) == "attacker" and battle.round < first:
        return f"attackers may retreat from battle round {first} on"
    return ""


async def _decide(
    battle: Battle, block: Unit, slot: int, targets: list[Target], places: list[str], barred: str
) -> Action:
    """By doctrine; what it leaves open is the default, or asked in an interactive battle (4.6.12)."""
    rule = first_rule(battle.doctrine(block.owner), battle.situation(block))
    if rule is not None:
        return _by_rule(battle, block, rule, targets, places, barred)
    choices = max(1, len(targets)) + len(places)
    if battle.interactive and choices > 1:
        question = UnitAction(
            block.owner,
            battle.hex,
            battle.round,
            slot,
            battle.name(block),
            block.id,
            tuple(targets),
            tuple(places),
            barred,
        )
        return await ask(question)
    return Action("fire", targets[0]) if targets else Action("hold")


def _by_rule(
    battle: Battle, block: Unit, rule: Rule, targets: list[Target], places: list[str], barred: str
) -> Action:
    if rule.do == "retreat" and places:
        return Action("retreat")
    if rule.do == "retreat":
        battle.game.emit(RetreatBarred(block.owner, battle.hex, battle.name(block), barred))
    wanted = [t for t in rule.target if t in targets] or targets
    return Action("fire", wanted[0]) if wanted else Action("hold")


async def volley(battle: Battle, block: Unit, slot: int, target: Target) -> None:
    """One die per point of CV, each at or below the rating a hit.

    Then the hits, then flak (4.6.6 to 4.6.8).
    """
    side = battle.role(block.owner)
    hits_on = rating(battle, block, target)
    rolled = await _roll(battle, block, battle.round, slot)
    hits = sum(1 for die in rolled.result if die <= hits_on)
    battle.game.emit(
        BlockFired(
            battle.hex,
            battle.round,
            slot,
            side,
            battle.name(block),
            block.cv,
            CLASSES[target],
            hits_on,
            rolled,
            hits,
        )
    )
    air = block.cls == "air"
    await apply_hits(battle, other(side), target, hits)
    if target == "A" and not air and battle.game.options["flak_friendly_fire"]:
        face = world_of(battle.game).numbers.flak_face
        await _flak(battle, block, side, rolled.result.count(face))


async def _flak(battle: Battle, block: Unit, side: Role, sixes: int) -> None:
    """Sixes at aircraft from the surface hit the firer's own aircraft.

    Without any there is no effect (4.6.8).
    """
    if sixes and targets_of_class(battle, side, "A"):
        battle.game.emit(FlakFell(battle.hex, battle.name(block), sixes))
        await apply_hits(battle, side, "A", sixes)


async def pursue(battle: Battle, block: Unit) -> None:
    """One volley at the ground blocks of a side that is about to leave (option `pursuit`, 4.6.13)."""
    side, slot = battle.role(block.owner), block.kind.slot
    hits_on = block.kind.rating("G")
    if not may_act(battle, block) or hits_on == 0 or not targets_of_class(battle, other(side), "G"):
        return
    rolled = await _roll(battle, block, "pursuit", slot)
    hits = sum(1 for die in rolled.result if die <= hits_on)
    battle.game.emit(
        BlockPursued(battle.hex, slot, battle.name(block), block.cv, CLASSES["G"], hits_on, rolled, hits)
    )
    await apply_hits(battle, other(side), "G", hits)


async def _roll(battle: Battle, block: Unit, round: str | int, slot: int) -> Roll:
    """The dice of one volley, named by what everybody sees (4.6.6)."""
    tracks = battle.game.tracks
    return await roll(
        f"{block.cv}d6",
        "battle",
        cast(int, tracks["turn"]),
        cast(int, tracks["round"]),
        battle.attacker,
        battle.hex,
        round,
        slot,
        battle.name(block),
    )
