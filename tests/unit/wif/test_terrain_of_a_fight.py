"""4.7.7 What terrain changes of the die where no sample map has it: a city in forest, swamp or mountains."""

from __future__ import annotations

from copy import deepcopy

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.battle import modifiers
from pbem.systems.wif.rules.pieces import T
from pbem.systems.wif.rules.world import build_world

MONTLEVY = "0807"


def on(terrain: str) -> dict[str, int]:
    """The changes of the die for an attack on Montlevy, a city, if it were on that terrain."""
    state = start(SYSTEM, "narrow_sea_1943", {})
    world = build_world(SYSTEM, deepcopy(SYSTEM.data("scenarios/narrow_sea_1943.yaml")), {})
    world.terrain[MONTLEVY] = terrain
    told = game_of(SYSTEM, state, state.position)
    game = Game(SYSTEM, told.scenario, told.options, told.players, told.position, world=world)
    T.of(game).phasing = "allied"
    return modifiers(game, MONTLEVY)


@pytest.mark.parametrize("terrain", ["forest", "swamp", "jungle"])
def test_a_city_in_close_terrain_is_one_change_and_not_two(terrain: str) -> None:
    """-1 defender in forest, swamp, jungle or city."""
    assert sum(on(terrain).values()) == -1


def test_a_city_in_the_mountains_is_two_and_not_three() -> None:
    """-2 mountain."""
    assert sum(on("mountain").values()) == -2


def test_a_city_on_clear_ground_is_one() -> None:
    assert on("clear") == {"city": -1}
