"""4.7: The reach of aircraft and ships is what their orders may name, and not more."""

from __future__ import annotations

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.flying import range_fault
from pbem.systems.wif.rules.naval import ports_in_range
from pbem.systems.wif.rules.pieces import Unit, powers_of, units
from pbem.systems.wif.rules.world import world_of


@pytest.fixture(scope="module")
def game() -> Game:
    state = start(SYSTEM, "narrow_sea_1943")
    return game_of(SYSTEM, state, state.position)


def face_up(game: Game, arm: str) -> list[Unit]:
    world = world_of(game)
    return [
        unit
        for player in game.players
        for power in powers_of(game, player)
        for unit in units(game, power)
        if unit.print.arm == arm and unit.hex in world and not unit.down and not unit.at_sea
    ]


def test_an_aircraft_reaches_the_hexes_that_no_rule_calls_too_far(game: Game) -> None:
    """4.7, and the needs of a hex beyond its range are its distance."""
    planes = face_up(game, "air")
    assert planes
    for plane in planes:
        reached = SYSTEM.reach(game, plane.id)
        assert reached is not None and reached.has == plane.print.range
        for hex, far in reached.costs.items():
            assert (hex in reached.ends) == (range_fault(game, plane, hex) is None)
            assert reached.needs(hex) == (None if hex in reached.ends else far)


def test_a_ship_reaches_the_ports_in_its_range_and_the_areas_on_the_way(game: Game) -> None:
    """4.7.3, R-303."""
    ships, areas = face_up(game, "sea"), {*world_of(game).area_of}
    assert ships
    for ship in ships:
        reached = SYSTEM.reach(game, ship.id)
        assert reached is not None and reached.ends & areas
        assert reached.ends - areas == {*ports_in_range(game, ship)} - {ship.hex}
