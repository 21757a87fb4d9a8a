"""Stacking limits: a stack is legal when every limit counts no more than there may be, and not otherwise."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.stacking import Limit, excess

Unit = tuple[str, int]
UNITS: st.SearchStrategy[list[Unit]] = st.lists(
    st.tuples(st.sampled_from(["ground", "air", "hq"]), st.integers(0, 3)), max_size=7
)
LIMITS: tuple[Limit[Unit], ...] = (
    Limit("ground units", lambda unit: unit[0] != "air", lambda hex: 3),
    Limit("steps", lambda unit: unit[1] if unit[0] != "air" else 0, lambda hex: 6 if hex == "wide" else 3),
    Limit("aircraft", lambda unit: unit[0] == "air", lambda hex: None if hex == "wide" else 2),
    Limit("HQs", lambda unit: unit[0] == "hq", lambda hex: 1),
)
PLACES = st.sampled_from(["wide", "narrow"])


def legal(stack: list[Unit], hex: str) -> bool:
    """The same limits, said in full."""
    ground = [unit for unit in stack if unit[0] != "air"]
    return (
        len(ground) <= 3
        and sum(steps for _, steps in ground) <= (6 if hex == "wide" else 3)
        and (hex == "wide" or len(stack) - len(ground) <= 2)
        and sum(kind == "hq" for kind, _ in stack) <= 1
    )


@given(UNITS, PLACES)
def test_a_stack_is_legal_when_no_limit_is_broken(stack: list[Unit], hex: str) -> None:
    assert (not excess(LIMITS, stack, hex)) == legal(stack, hex)


def test_what_is_broken_is_named_with_what_there_is_and_may_be() -> None:
    assert [str(one) for one in excess(LIMITS, [("ground", 0)] * 5, "narrow")] == [
        "5 ground units in narrow, at most 3"
    ]
