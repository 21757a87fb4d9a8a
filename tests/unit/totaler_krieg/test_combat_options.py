"""What `combat` offers (4.13): names that are free, and attacks that stand (4.13.6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.engine.adjudicate import game_of, start
from pbem.engine.drafting import Drafting
from pbem.rules import Next
from pbem.systems.totaler_krieg import SYSTEM


def drafting() -> Drafting[Any]:
    game = game_of(SYSTEM, start(SYSTEM, "lodestar", {}))
    decision: Any = SYSTEM.decision("combat", "axis", {"power": "axis", "segment": "regular", "round": 1})
    return Drafting(decision, game)


def attacks(answer: Drafting[Any]) -> list[Next[Any]]:
    return [one for one in answer.next() if one.element.section == "regular"]


def test_an_attack_offered_after_one_that_the_player_named_has_a_name_of_its_own() -> None:
    answer = drafting()
    own = attacks(answer)[0].element
    assert not answer.offer(replace(own, value=replace(own.value, id="G2")))
    assert {attack.element.value.id for attack in attacks(answer)} == {"G3"}


def test_4_13_6_several_units_may_stand_and_lose_a_step_where_others_retreat() -> None:
    offered = [attack.element.value for attack in attacks(drafting())]
    stands = [option for option in offered if option.on_ad == option.on_ex == "loss"]
    assert stands and all(len(one.units) > 1 for one in stands)
    assert all(replace(one, on_ad=None, on_ex=None) in offered for one in stands)
