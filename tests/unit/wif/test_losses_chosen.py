"""4.6.4: who chooses what is lost: its owner gives the cheapest, an enemy takes the dearest."""

from __future__ import annotations

from pbem.engine.adjudicate import game_of, start
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.decisions.replies import FlakLoss
from pbem.systems.wif.rules.pieces import Unit


def test_an_owner_gives_the_cheapest_and_who_fires_takes_the_dearest() -> None:
    state = start(SYSTEM, "narrow_sea_1943", {})
    game = game_of(SYSTEM, state, state.position)
    among = tuple(sorted(("CW-TR1", "CW-I1", "US-A1"), reverse=True))
    costs = {id: Unit(game, id).print.cost for id in among}
    assert len(set(costs.values())) > 1

    def lost(firer: bool) -> str:
        return FlakLoss("allied", "0705", among, firer=firer).default(game)

    assert costs[lost(firer=False)] == min(costs.values())
    assert costs[lost(firer=True)] == max(costs.values())
