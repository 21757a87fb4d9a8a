"""Control: who holds what is what the last one took, and home's where nobody took anything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.control import Control
from pbem.model.meaning import Capture

HOME = {"0101": "red", "0102": None}
HEXES = ["0101", "0102", "0103"]
DEEDS = st.lists(st.tuples(st.sampled_from(HEXES), st.sampled_from(["red", "blue", None])))


@given(DEEDS)
def test_the_last_one_who_took_a_place_has_it(deeds: list[tuple[str, str | None]]) -> None:
    track: dict[str, str | None] = {}
    control = Control(track, HOME)
    held: dict[str, str | None] = {**HOME, "0103": None}
    for hex, who in deeds:
        before, change = held[hex], control.take(hex, who)
        assert change == (None if before == who else Capture(hex, before or "", who or ""))
        held[hex] = who
        assert {each: control.of(each) for each in HEXES} == held


def test_what_was_asked_is_not_written() -> None:
    track: dict[str, str | None] = {}
    control = Control(track, lambda hex: "blue")
    assert control.of("0909") == "blue" and track == {}
    assert Control({"0101": None}, HOME).of("0101") is None, "a place that nobody holds is not home's"


def test_what_nobody_takes_belongs_to_nobody_though_somebody_is_at_home_there() -> None:
    control = Control({}, HOME)
    assert control.take("0101", None) == Capture("0101", "red", "")
    assert control.of("0101") is None and control.take("0101", None) is None
