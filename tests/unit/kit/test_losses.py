"""Losses: each way of spreading them does what one does by hand, one step at a time."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.losses import (
    Spread,
    between,
    evenly,
    in_order,
    largest_first,
    next_evenly,
    next_largest,
    order_matters,
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


@given(STRENGTHS, LOSSES)
def test_largest_first_takes_each_step_off_one_of_the_strongest(
    strengths: dict[str, int], losses: int
) -> None:
    left = dict(strengths)
    for _ in range(min(losses, sum(strengths.values()))):
        top = max(left.values())
        left[next(id for id in left if left[id] == top)] -= 1
    expected = {id: strengths[id] - left[id] for id in strengths if strengths[id] != left[id]}
    assert largest_first(strengths, losses) == expected


@pytest.mark.parametrize("spread", [evenly, in_order])
@given(strengths=STRENGTHS, losses=LOSSES)
def test_the_order_matters_where_two_orders_give_two_results(
    spread: Spread, strengths: dict[str, int], losses: int
) -> None:
    results = [spread({id: strengths[id] for id in order}, losses) for order in permutations(strengths)]
    assert order_matters(strengths, losses, spread) == any(one != results[0] for one in results)


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


@pytest.mark.parametrize(("may_take", "spread"), [(next_evenly, evenly), (next_largest, largest_first)])
@given(strengths=STRENGTHS, losses=LOSSES, choose=st.randoms(use_true_random=False))
def test_an_owner_who_chooses_step_by_step_loses_as_the_rule_spreads(
    may_take: Any, spread: Spread, strengths: dict[str, int], losses: int, choose: Any
) -> None:
    lost: dict[str, int] = {}
    by_default: dict[str, int] = {}
    for _ in range(losses):
        assert bool(may_take(strengths, lost)) == (sum(lost.values()) < sum(strengths.values()))
        if able := may_take(strengths, lost):
            taken = choose.choice(able)
            lost[taken] = lost.get(taken, 0) + 1
            first = may_take(strengths, by_default)[0]
            by_default[first] = by_default.get(first, 0) + 1
    assert by_default == spread(strengths, losses)
    left = {id: steps - lost.get(id, 0) for id, steps in strengths.items()}
    expected = {id: steps - by_default.get(id, 0) for id, steps in strengths.items()}
    if spread is largest_first:  # whoever takes them, the same strengths are left
        assert sorted(left.values()) == sorted(expected.values())
    else:  # nobody has taken two more than another who could have taken one
        able_ids = [id for id in strengths if left[id]]
        assert all(lost.get(id, 0) <= lost.get(other, 0) + 1 for id in lost for other in able_ids)
