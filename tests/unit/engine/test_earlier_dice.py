"""Dice that are told after the stage in which they were rolled say which stage that was (protocol 9.2)."""

from __future__ import annotations

import pytest

from pbem import rules as r
from pbem.engine.adjudicate import Outcome, adjudicate, start
from pbem.engine.answers import Inputs, Reply
from pbem.rules import Event, Game, System
from tests.unit.engine.duel import Guard


@r.event(rule="1.2", to="public")
class Seen(Event):
    before: r.Roll
    order: r.Shuffle
    after: r.Roll


@r.procedure("look", rule="1.0")
async def look(game: Game, phasing: str | None) -> None:
    """1.0 A die and a shuffle before a question, a die after it, all told at the end."""
    before, order = await r.roll("1d6", "before"), await r.shuffle(["a", "b"], "order")
    await r.ask(Guard("red"))
    game.emit(Seen(before, order, await r.roll("1d6", "after")))


@pytest.fixture
def looked() -> Outcome:
    system = System("look", "tests.unit.engine.duel", "1", 1, [__name__])
    system._data |= {"sequence.yaml": {"id": "A", "do": [{"leaf": "look"}]}, "system.yaml": {}}
    asked = adjudicate(system, start(system, "yard"), Inputs(0, seed=b"0" * 32))
    (question,) = asked.pending
    return adjudicate(system, asked.state, Inputs(1, {"red": {question.key: Reply("high")}}, seed=b"1" * 32))


def test_dice_of_an_earlier_stage_say_so_and_those_of_this_stage_do_not(looked: Outcome) -> None:
    (told,) = [event_told.event for event_told in looked.told]
    assert [told[name].get("stage") for name in ("before", "order", "after")] == [0, 0, None]  # type: ignore[union-attr]
