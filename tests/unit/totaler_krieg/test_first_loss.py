"""4.25 The attacker's first step, where it comes from a retreat that could not be finished."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pbem.rules import Game
from pbem.systems.totaler_krieg import SYSTEM
from pbem.systems.totaler_krieg.rules.fighting import Fight
from pbem.systems.totaler_krieg.rules.orders import Attack
from pbem.systems.totaler_krieg.rules.pieces import piece
from pbem.testing.runner import prepare


def after_a_barred_retreat(units: Sequence[str], losses: tuple[str, ...]) -> tuple[Game, Fight]:
    """N-PZA and N-IN1 of 0804 attack 0904; an HQ holds them back from a retreat of one hex."""
    game = prepare(SYSTEM, {"counters": {id: {"hex": "0804"} for id in ("N-PZA", "N-IN1", "N-HQ1")}})
    fight = Fight(game, "axis", Attack("A", "0904", ("N-PZA", "N-IN1", "N-HQ1"), losses=losses), "regular")
    asyncio.run(fight._retreat(units, 1, 1, "axis"))
    return game, fight


def test_the_first_step_of_an_unfinished_retreat_comes_from_armour() -> None:
    game, fight = after_a_barred_retreat(("N-HQ1", "N-IN1", "N-PZA"), ("N-IN1",))
    assert piece(game, "N-PZA").spot == "pool" and piece(game, "N-IN1").spot == "map"
    assert fight.attackers.first is None


def test_the_next_step_is_free() -> None:
    game, fight = after_a_barred_retreat(("N-HQ1", "N-IN1", "N-PZA"), ("N-PZA", "N-IN1"))
    asyncio.run(fight._lose(fight.attackers, 1, "axis"))
    assert piece(game, "N-IN1").spot == "pool" and piece(game, "N-HQ1").spot == "map"
