"""Hits and who takes them (rules 4.6.7 and 4.6.8)."""

from __future__ import annotations

from pbem.rules import ask

from ..blocks import Unit, lose_step, unit
from ..decisions.battle import CLASSES, LossChoice
from ..doctrine import Role, Target, loss_place
from ..events.battle import BlockEliminated, BlockLostStep, HitsWasted
from .engagement import Battle


def targets_of_class(battle: Battle, role: Role, target: Target) -> list[Unit]:
    """A side's blocks that hits of a class can fall on.

    Logistic ones only when no ground block is left (4.6.5).
    """
    match target:
        case "A":
            return battle.units(role, "air")
        case "N":
            return battle.units(role, "naval")
        case "G":
            return battle.units(role, "ground") or battle.units(role, "logistic")


async def apply_hits(battle: Battle, role: Role, target: Target, hits: int) -> None:
    """Hits one by one, each a step of the strongest block of the class.

    What is beyond the last one is lost (4.6.7).
    """
    for done in range(hits):
        candidates = targets_of_class(battle, role, target)
        if not candidates:
            battle.game.emit(HitsWasted(battle.hex, hits - done, CLASSES[target]))
            return
        await _take_hit(battle, await _choose(battle, target, candidates))


async def _choose(battle: Battle, target: Target, candidates: list[Unit]) -> Unit:
    """The strongest, or any with `loss_rule.

    Owner` (R-25); among equals as the owning side wants, else by id.
    """
    if battle.game.options["loss_rule"] == "strongest":
        top = max(u.cv for u in candidates)
        candidates = [u for u in candidates if u.cv == top]
    ranked = sorted(candidates, key=lambda u: (loss_place(battle.doctrine(u.owner), u.id), u.id))
    if not battle.interactive or _alike(candidates):
        return ranked[0]
    if any(u.id in battle.doctrine(u.owner).loss_order for u in candidates):
        return ranked[0]
    asked = next(p for p in battle.players(battle.role(ranked[0].owner)) if any(u.owner == p for u in ranked))
    names = {battle.name(u): u for u in ranked}
    answer = await ask(LossChoice(asked, battle.hex, battle.round, target, tuple(names)))
    return names[answer]


def _alike(candidates: list[Unit]) -> bool:
    """Whether nothing tells the blocks apart, so that there is nothing to ask."""
    first = candidates[0]
    return all(
        (u.owner, u.type, u.cv, u.entry_kind, u.entry_from, u.aboard, u.activated)
        == (
            first.owner,
            first.type,
            first.cv,
            first.entry_kind,
            first.entry_from,
            first.aboard,
            first.activated,
        )
        for u in candidates
    )


async def _take_hit(battle: Battle, block: Unit) -> None:
    """One step off a block, which is removed at once when that was its last."""
    game, name, before = battle.game, battle.name(block), block.cv
    owner, type = block.owner, block.type
    if lose_step(game, block.id):
        game.emit(BlockEliminated(battle.hex, name, owner, type, before))
    else:
        game.emit(BlockLostStep(battle.hex, name, before, unit(game, block.id).cv))
