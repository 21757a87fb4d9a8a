"""Node 3, Attrition (rule 4.8).

Who is out of supply, who is fed, who loses a step. All at once, one position.
"""

from __future__ import annotations

from typing import cast

from pbem.rules import Game, ask_all, condition, procedure

from ..blocks import in_play, lose_step, recompute_control, supply_units, unit, world_of
from ..decisions.feeding import Feeding
from ..events.attrition import AttritionSuffered, NobodySuffered, SupplyUnitSpent, UnitFed, UnitStarved
from ..events.battle import BaseChangedHands
from ..supply_status import unsupplied

STATUS = "gm_unsupplied"  # only the GM may know which blocks are out of supply


@procedure("supply_status", rule="4.8.1")
async def supply_status(game: Game, phasing: str | None) -> None:
    """4.8.1 Once per game turn, for all players, from the position as it is now."""
    found = unsupplied(game, bool(game.options["city_supply"]))
    game.tracks[STATUS] = [u.id for u in found]


def _questions(game: Game) -> list[Feeding]:
    owners = [p for p in in_play(game) if supply_units(game, p)]
    return [question for question in map(Feeding, owners) if question.legal(game)]


@condition("supply_units_may_feed")
def supply_units_may_feed(game: Game, phasing: str | None) -> bool:
    """Whether the option is on and some supply unit can reach a block out of supply (4.8.2)."""
    return bool(game.options["su_feeds"]) and bool(_questions(game))


@procedure("feeding", rule="4.8.2")
async def feeding(game: Game, phasing: str | None) -> None:
    """4.8.2 Owners of supply units may give up a step for each block they save; an SU may be used up."""
    asked = _questions(game)
    answers = await ask_all(asked)
    hungry = cast("list[str]", game.tracks[STATUS])
    spent: dict[tuple[str, str], int] = {}
    for question, answer in zip(asked, answers, strict=True):
        for meal in answer:
            if meal.saves not in hungry:
                continue  # an ally has saved it; the step is kept
            hungry.remove(meal.saves)
            su, before = unit(game, meal.su), unit(game, meal.su).cv
            place = (question.player, su.hex)
            gone = lose_step(game, meal.su)
            if gone:
                spent[place] = spent.get(place, 0) + 1
            game.emit(UnitFed(question.player, meal.su, meal.saves, before, 0 if gone else su.cv))
    for (owner, hex), blocks in sorted(spent.items()):
        game.emit(SupplyUnitSpent(owner, hex, blocks))


@procedure("step_losses", rule="4.8.3")
async def step_losses(game: Game, phasing: str | None) -> None:
    """4.8.3 Every other block out of supply loses a step, all simultaneously; told by hex (4.8.6)."""
    losses: dict[tuple[str, str], list[str]] = {}
    reduced: dict[tuple[str, str], int] = {}
    for id in cast("list[str]", game.tracks.pop(STATUS, [])):
        block, before = unit(game, id), unit(game, id).cv
        owner, hex, type = block.owner, block.hex, block.type
        gone = lose_step(game, id)
        game.emit(UnitStarved(owner, id, hex, before, 0 if gone else block.cv))
        reduced[hex, owner] = reduced.get((hex, owner), 0) + 1
        losses.setdefault((hex, owner), []).extend([type] if gone else [])
    for (hex, owner), blocks in sorted(reduced.items()):
        dead = losses[hex, owner]
        game.emit(AttritionSuffered(owner, hex, blocks, len(dead), tuple(sorted(dead))))
    if not reduced:
        game.emit(NobodySuffered())
    for hex, was, now in recompute_control(game):  # a garrison may have died (2.5)
        game.emit(BaseChangedHands(hex, world_of(game).place(hex), was or "neutral", now or "neutral"))
