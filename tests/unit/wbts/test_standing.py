"""Standing orders of a battle as answers to its questions (4.8); what must always hold of leaders."""

from __future__ import annotations

from pbem.systems.wbts.examples.invariants import invariants
from pbem.systems.wbts.rules.battle.losses import Losses, LossOrder, LossStanding
from tests.unit.wbts.boards import board


def test_of_the_order_in_which_land_units_lose_the_first_declared_cavalry_takes_the_first_point() -> None:
    land = ("U-1D", "U-C2", "U-C1")
    asked = Losses("north", 1, "0505", 4, 0, land, (), ("U-C1", "U-C2"))
    assert asked.from_standing(board(), [LossStanding(land)]) == LossOrder(land, (), "U-C2")
    assert asked.from_standing(board(), [LossStanding(("U-1D",))]) == LossOrder(("U-1D",))
    assert asked.from_standing(board(), []) is None


def test_ships_lose_as_the_standing_order_says_and_those_that_are_not_there_are_left_out() -> None:
    asked = Losses("north", 1, "0905", 0, 3, (), ("U-NF1", "U-IC1"), ())
    order = LossStanding(("U-1D",), ("U-IC1", "U-XX9", "U-NF1"))
    assert asked.from_standing(board(), [order]) == LossOrder((), ("U-IC1", "U-NF1"))


def test_a_leader_who_is_nowhere_or_off_the_map_is_found_by_the_invariants() -> None:
    game = board()
    game.position.drop("U-VANCE", "hex")
    game.position.move("U-LORNE", "9999")
    assert [words for words in invariants(game) if words.startswith("the leader")] == [
        "the leader U-LORNE is in 9999",
        "the leader U-VANCE is in no hex",
    ]
