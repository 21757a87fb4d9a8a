"""Losses: each way of spreading them does what one does by hand, one step at a time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.losses import (
    between,
    evenly,
    in_order,
    ranked,
    share_of,
)

STRENGTHS = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 5), max_size=5)
LOSSES = st.integers(0, 20)


def by_hand(strengths: dict[str, int], losses: int, first: str | None) -> dict[str, int]:
    """Rounds of one step each, in the order given; `first` begins the first round."""
    left, lost = dict(strengths), dict.fromkeys(strengths, 0)
    order = list(strengths)
    if first in order:
        order = [first, *(id for id in order if id != first)]
    while losses and any(left.values()):
        for id in order:
            if losses and left[id]:
                left[id], lost[id], losses = left[id] - 1, lost[id] + 1, losses - 1
        order = list(strengths)
    return {id: steps for id, steps in lost.items() if steps}


@given(STRENGTHS, LOSSES, st.sampled_from("abcdefx"))
def test_evenly_is_round_by_round(strengths: dict[str, int], losses: int, first: str) -> None:
    able = {id: steps for id, steps in strengths.items() if steps}
    assert evenly(strengths, losses, first=first) == by_hand(able, losses, first)
    assert list(evenly(strengths, losses)) == [id for id in strengths if id in evenly(strengths, losses)]


def test_evenly_the_first_step_is_all_that_comes_out_of_turn() -> None:
    assert evenly({"a": 2, "b": 2, "c": 2}, 4, first="b") == {"a": 2, "b": 1, "c": 1}


@given(STRENGTHS, LOSSES)
def test_in_order_no_unit_loses_before_the_one_ahead_of_it_is_gone(
    strengths: dict[str, int], losses: int
) -> None:
    lost = in_order(strengths, losses)
    assert sum(lost.values()) == min(losses, sum(strengths.values()))
    behind = False
    for id, steps in strengths.items():
        assert not (behind and id in lost)
        behind = behind or lost.get(id, 0) < steps


def test_those_that_are_wanted_come_first_the_others_by_what_the_rules_say() -> None:
    strengths = {"a": 1, "b": 3, "c": 2, "d": 3}
    assert ranked("abcd", ["c", "x"], then=lambda id: -strengths[id]) == ["c", "b", "d", "a"]
    assert ranked("dcba") == ["a", "b", "c", "d"]
    assert ranked("ab", ["b", "a", "b"]) == ["b", "a"]


def test_shares_are_rounded_to_the_nearest_halves_up() -> None:
    assert [share_of(strength, 10) for strength in (4, 5, 14, 15, 25)] == [0, 1, 1, 2, 3]


def test_two_groups_share_losses_the_odd_one_with_the_first_and_excess_with_the_other() -> None:
    assert between(5, 9, 9) == (3, 2)
    assert between(5, 1, 9) == (1, 4)
    assert between(5, 9, 1) == (4, 1)
    assert between(5, 9, 0) == (5, 0)
    assert between(9, 2, 2) == (2, 2)
