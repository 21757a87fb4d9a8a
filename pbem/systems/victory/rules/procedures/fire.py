"""A block's action in its slot: fire or retreat, volleys, flak, hits (4.6.4 to 4.6.8)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Message, Roll, ask, roll

from ..blocks import Block
from ..decisions.battle import CLASSES, Action, LossChoice, UnitAction
from ..doctrine import Role, Rule, Target, first_rule
from ..events import battle as told
from ..state import State
from .engagement import Battle, other
from .retreat import choose_place, leave, retreat_places, why_barred

PREFERENCE: tuple[Target, ...] = ("G", "N", "A")


def rating(battle: Battle, block: Block, target: Target) -> int:
    """Return a block's present rating against a class.

    In round 1 of an assault marines have G2, and no other assaulting block fires (4.4.6).
    """
    if block.entry_kind == "assault" and battle.role(block.owner) == "attacker" and battle.round == 1:
        if not block.kind.has("marine"):
            return 0
        if target == "G":
            return battle.world.numbers.assault_marine_ground
    return block.kind.rating(target)


def targets_of_class(battle: Battle, role: Role, target: Target) -> list[Block]:
    """4.6.5: Return a side's blocks that can take hits on a class.

    Logistic blocks count as ground only if no ground block is left.
    """
    match target:
        case "A":
            return battle.units(role, "air")
        case "N":
            return battle.units(role, "naval")
        case "G":
            return battle.units(role, "ground") or battle.units(role, "logistic")


def legal_targets(battle: Battle, block: Block) -> list[Target]:
    """4.6.5: Return the classes a block may fire at, by its rating, then in the order G, N, A."""
    enemy = other(battle.role(block.owner))
    legal = [t for t in PREFERENCE if rating(battle, block, t) > 0 and targets_of_class(battle, enemy, t)]
    return sorted(legal, key=lambda t: (-rating(battle, block, t), PREFERENCE.index(t)))


def may_act(battle: Battle, block: Block) -> bool:
    """4.3.3: Return True if a block may act: all but inactive ones of the active player (R-20)."""
    return battle.role(block.owner) == "defender" or block.activated


def can_still_fire(battle: Battle, role: Role) -> bool:
    """4.6.9 (c): Return True if a block of the side has a target in the next round."""
    there = [t for t in PREFERENCE if targets_of_class(battle, other(role), t)]
    return any(may_act(battle, u) and any(u.kind.rating(t) for t in there) for u in battle.units(role))


async def act(battle: Battle, block: Block, slot: int) -> None:
    """4.6.4: Let a block retreat or fire as its owner wants; without a target it does nothing."""
    if not may_act(battle, block):
        return
    targets = legal_targets(battle, block)
    barred = _too_early(battle, block)
    places = [] if barred else retreat_places(battle, block)
    barred = barred or ("" if places else why_barred(block))
    action = await _decide(battle, block, slot, targets, places, barred)
    if action.do == "retreat":
        to = action.to or await choose_place(battle, block, places, "retreat")
        battle.game.emit(told.BlockRetreated(battle.hex, battle.round, battle.name(block), to))
        leave(battle, block, to)
    elif targets:
        await volley(battle, block, slot, action.target or targets[0])


def _too_early(battle: Battle, block: Block) -> str:
    """R-23: Return why an attacker may not retreat yet, or ""."""
    first = battle.world.numbers.attacker_may_retreat_from_round
    early = battle.role(block.owner) == "attacker" and battle.round < first
    return Message("victory.fire.attackers-may-retreat-from-battle-round", first=first) if early else ""


async def _decide(
    battle: Battle, block: Block, slot: int, targets: list[Target], places: list[str], barred: str
) -> Action:
    """4.6.12: Return a block's action: by doctrine, by default, or by answer (R-60)."""
    rule = first_rule(battle.doctrine(block.owner), battle.situation(block))
    if rule is not None:
        return _by_rule(battle, block, rule, targets, places, barred)
    if battle.interactive and max(1, len(targets)) + len(places) > 1:
        who, legal = (battle.name(block), block.id), (tuple(targets), tuple(places))
        return await ask(UnitAction(block.owner, battle.hex, battle.round, slot, *who, *legal, barred))
    return Action("fire", targets[0]) if targets else Action("hold")


def _by_rule(
    battle: Battle, block: Block, rule: Rule, targets: list[Target], places: list[str], barred: str
) -> Action:
    if rule.do == "retreat" and places:
        return Action("retreat")
    if rule.do == "retreat":
        battle.game.emit(told.RetreatBarred(block.owner, battle.hex, battle.name(block), barred))
    wanted = [t for t in rule.target if t in targets] or targets
    return Action("fire", wanted[0]) if wanted else Action("hold")


async def volley(battle: Battle, block: Block, slot: int, target: Target) -> None:
    """4.6.6 to 4.6.8: Roll a die for each point of CV, then apply hits and flak."""
    side, hits_on, cv = battle.role(block.owner), rating(battle, block, target), block.cv
    rolled, air = await _roll(battle, block, battle.round, slot), block.cls == "air"
    hits = sum(1 for die in rolled.result if die <= hits_on)
    what = (battle.name(block), cv, CLASSES[target], hits_on, rolled, hits)
    battle.game.emit(told.BlockFired(battle.hex, battle.round, slot, side, *what))
    await apply_hits(battle, other(side), target, hits)
    if target == "A" and not air and battle.game.options["flak_friendly_fire"]:
        await _flak(battle, block, side, rolled.result.count(battle.world.numbers.flak_face))


async def _flak(battle: Battle, block: Block, side: Role, sixes: int) -> None:
    """4.6.8: Apply sixes of surface fire at aircraft to the firer's own aircraft, if there are any."""
    if sixes and targets_of_class(battle, side, "A"):
        battle.game.emit(told.FlakFell(battle.hex, battle.name(block), sixes))
        await apply_hits(battle, side, "A", sixes)


async def pursue(battle: Battle, block: Block) -> None:
    """4.6.13: Fire one volley at ground blocks of a side that is about to leave (option `pursuit`)."""
    enemy, slot, hits_on = other(battle.role(block.owner)), block.kind.slot, block.kind.rating("G")
    if may_act(battle, block) and hits_on and targets_of_class(battle, enemy, "G"):
        rolled = await _roll(battle, block, "pursuit", slot)
        hits = sum(1 for die in rolled.result if die <= hits_on)
        what = (battle.name(block), block.cv, CLASSES["G"], hits_on, rolled, hits)
        battle.game.emit(told.BlockPursued(battle.hex, slot, *what))
        await apply_hits(battle, enemy, "G", hits)


async def _roll(battle: Battle, block: Block, round: str | int, slot: int) -> Roll:
    """4.6.6: Roll the dice of one volley, with a label of public facts."""
    state = State.of(battle.game)
    where = (battle.attacker, battle.hex, round, slot, battle.name(block))
    return await roll(f"{block.cv}d6", "battle", state.turn, state.round, *where)


async def apply_hits(battle: Battle, role: Role, target: Target, hits: int) -> None:
    """4.6.7: Apply hits, each a step loss, one by one; those beyond the last block of the class are lost."""
    for done in range(hits):
        candidates = targets_of_class(battle, role, target)
        if not candidates:
            battle.game.emit(told.HitsWasted(battle.hex, hits - done, CLASSES[target]))
            return
        block = await _choose(battle, target, candidates)
        name, before, owner, type = battle.name(block), block.cv, block.owner, block.type
        left = block.lose_step()
        if left:
            battle.game.emit(told.BlockLostStep(battle.hex, name, before, left))
        else:
            battle.game.emit(told.BlockEliminated(battle.hex, name, owner, type, before))


async def _choose(battle: Battle, target: Target, candidates: list[Block]) -> Block:
    """R-25: Return the block that takes a hit.

    It is the strongest, or any with `loss_rule: owner`; the owner chooses among equals (R-59).
    """
    if battle.game.options["loss_rule"] == "strongest":
        top = max(u.cv for u in candidates)
        candidates = [u for u in candidates if u.cv == top]
    owners = battle.players(battle.role(candidates[0].owner))
    wishes = {player: battle.doctrine(player).loss_order for player in owners}
    listed = sorted(candidates, key=lambda u: (_place(wishes[u.owner], u.id), u.id))
    named = any(u.id in wishes[u.owner] for u in candidates)
    if not battle.interactive or named or _alike(candidates):
        return listed[0]
    owner = next(player for player in owners if any(u.owner == player for u in listed))
    names = {battle.name(u): u for u in listed}
    return names[await ask(LossChoice(owner, battle.hex, battle.round, target, tuple(names)))]


def _place(wanted: Sequence[str], id: str) -> int:
    """Return a block's place in the owner's order of losses; unnamed blocks come last."""
    return wanted.index(id) if id in wanted else len(wanted)


def _alike(candidates: list[Block]) -> bool:
    """R-60: Return True if the blocks do not differ, so that there is nothing to ask."""
    looks = [(u.owner, u.type, u.cv, u.entry_kind, u.entry_from, u.aboard, u.activated) for u in candidates]
    return all(look == looks[0] for look in looks)
