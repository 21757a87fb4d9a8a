"""Counters out of supply have a sign on the map: in each system those of which its rules say so."""

from __future__ import annotations

import pytest

from pbem.engine.system import find
from pbem.rules import Game
from pbem.systems.totaler_krieg.rules.pieces import Piece
from pbem.systems.victory.rules.blocks import Block
from pbem.systems.wbts.rules.pieces import Unit as Civil
from pbem.systems.wif.rules.pieces import Unit
from pbem.testing.runner import prepare


def marked(game: Game) -> set[str]:
    return {id for one in game.system.overlays(game) if one.layer == "unsupplied" for id in one.counters}


@pytest.mark.parametrize(
    ("system", "counter", "id", "far"),
    [
        ("victory", Block, "R-IN1", "1205"),  # behind the enemy's lines, where no base is near
        ("wbts", Civil, "C-C1", "0501"),
        ("totaler-krieg", Piece, "N-IN1", "1206"),
        ("wif", Unit, "GE-I1", "0303"),
    ],
)
def test_a_counter_far_behind_the_enemy_is_marked_and_at_home_it_is_not(
    system: str, counter: type[Block | Civil | Piece | Unit], id: str, far: str
) -> None:
    game = prepare(find(system), {})
    assert id not in marked(game)
    counter(game, id).hex = far
    assert marked(game) >= {id}
    owners = {one.owner for one in game.system.overlays(game) if id in one.counters}
    own = game.position.counters[id]
    assert owners == {own.get("owner", own.get("side"))}


def test_ships_and_supply_units_of_victory_never_are() -> None:
    game = prepare(find("victory"), {})
    ids = [id for id, one in game.position.counters.items() if one["type"] in ("SU", "RS", "DD", "BB")]
    for id in ids:
        Block(game, id).hex = "1205"
    assert ids and not marked(game).intersection(ids)
