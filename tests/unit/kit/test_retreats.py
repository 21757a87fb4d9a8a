"""Retreats: the default first, and the first wish that is legal."""

from __future__ import annotations

from pbem.kit.retreats import nearest_first, wished


def test_by_default_to_the_best_rank_then_the_nearest_goal_then_the_lowest_id() -> None:
    def apart(one: str, other: str) -> int:
        return abs(int(one) - int(other))

    places = ["09", "03", "05", "01"]
    assert nearest_first(places, ["04"], apart) == ["03", "05", "01", "09"]
    assert nearest_first(places, ["04"], apart, rank=lambda place: place != "09") == ["09", "03", "05", "01"]
    assert nearest_first(places, [], apart) == ["01", "03", "05", "09"]


def test_the_first_wish_that_is_legal_counts() -> None:
    assert wished(["a", "b"], ["x", "b", "a"]) == "b"
    assert wished(["a", "b"], ["x"]) is None
