"""Node 3, Attrition (rule 4.8): unsupplied blocks, feeding and losses, all in one position."""

from __future__ import annotations

from pbem.rules import Game, ask_all, condition, procedure

from ..blocks import Block, supply_units
from ..decisions.feeding import Feeding
from ..events.attrition import AttritionSuffered, NobodySuffered, SupplyUnitSpent, UnitFed, UnitStarved
from ..state import State, in_play
from ..supply import unsupplied
from .movement import settle


@procedure("supply_status", rule="4.8.1")
async def supply_status(game: Game, phasing: str | None) -> None:
    """4.8.1: Record the unsupplied blocks of all players once per game turn, for the GM only."""
    hungry = unsupplied(game, bool(game.options["city_supply"]))
    State.of(game).gm_unsupplied = tuple(u.id for u in hungry)


def _questions(game: Game) -> list[Feeding]:
    owners = [p for p in in_play(game) if supply_units(game, p)]
    return [question for question in map(Feeding, owners) if question.legal(game)]


@condition("supply_units_may_feed")
def supply_units_may_feed(game: Game, phasing: str | None) -> bool:
    """4.8.2: Return True if the option is on and a supply unit can reach an unsupplied block."""
    return bool(game.options["su_feeds"]) and bool(_questions(game))


@procedure("feeding", rule="4.8.2")
async def feeding(game: Game, phasing: str | None) -> None:
    """4.8.2: Let owners of supply units give up a step for each block they save."""
    questions = _questions(game)
    answers = await ask_all(questions)
    state, spent = State.of(game), dict[tuple[str, str], int]()
    for question, answer in zip(questions, answers, strict=True):
        for meal in answer:
            hungry = state.gm_unsupplied
            if meal.saves not in hungry:
                continue  # an ally has saved it; the step is kept
            state.gm_unsupplied = tuple(id for id in hungry if id != meal.saves)
            su = Block(game, meal.su)
            before, place = su.cv, (question.player, su.hex)
            left = su.lose_step()
            if not left:
                spent[place] = spent.get(place, 0) + 1
            game.emit(UnitFed(question.player, meal.su, meal.saves, before, left))
    for (owner, hex), blocks in sorted(spent.items()):
        game.emit(SupplyUnitSpent(owner, hex, blocks))


@procedure("step_losses", rule="4.8.3")
async def step_losses(game: Game, phasing: str | None) -> None:
    """4.8.3: Remove a step from every other unsupplied block at once; report by hex (4.8.6)."""
    state, dead, reduced = State.of(game), dict[tuple[str, str], list[str]](), dict[tuple[str, str], int]()
    for id in state.gm_unsupplied:
        block = Block(game, id)
        owner, hex, type, before = block.owner, block.hex, block.type, block.cv
        left = block.lose_step()
        game.emit(UnitStarved(owner, id, hex, before, left))
        reduced[hex, owner] = reduced.get((hex, owner), 0) + 1
        dead.setdefault((hex, owner), []).extend([] if left else [type])
    del state.gm_unsupplied
    for (hex, owner), blocks in sorted(reduced.items()):
        types = tuple(sorted(dead[hex, owner]))
        game.emit(AttritionSuffered(owner, hex, blocks, len(types), types))
    if not reduced:
        game.emit(NobodySuffered())
    settle(game)  # 2.5: a garrison may have died
