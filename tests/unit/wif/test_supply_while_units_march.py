"""R-201 A unit is judged at the end of its own move: supply that follows moves is that worked out anew."""

from __future__ import annotations

import random

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.rules import Game
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.land import Land
from pbem.systems.wif.rules.pieces import T, Unit, side_units
from pbem.systems.wif.rules.sources import Supply


def board() -> Game:
    state = start(SYSTEM, "narrow_sea_1943", {})
    game = game_of(SYSTEM, state, state.position)
    t = T.of(game)
    t.turn, t.impulse, t.action = 1, 1, {"CW": "land", "USA": "land", "GE": "land"}
    return game


@pytest.mark.parametrize("seed", range(12))
def test_supply_that_follows_the_moves_is_that_of_the_board(seed: int) -> None:
    rng = random.Random(f"march {seed}")
    game = board()
    for own in ("axis", "allied"):
        T.of(game).phasing = own
        land = Land(game, own)
        for _ in range(14):
            able = [u for u in side_units(game, own) if u.print.arm == "land" and list(land.ways(u))]
            if not able:
                break
            u = rng.choice(able)
            path, _ = rng.choice(list(land.ways(u)))
            land.march(u, path)
            assert land._supply is not None
            fresh = Supply(game, own)
            for id in sorted(game.position.counters):
                one = Unit(game, id)
                if one in side_units(game, own) or one.owner == u.owner:
                    assert land._supply.in_supply(one) == fresh.in_supply(one), (id, path)
            assert bytes(land._supply.ground.usable) == bytes(fresh.ground.usable)
            for kept, reached in land._supply._floods.items():
                assert fresh.paths.flood(kept) == reached, (kept, path)
