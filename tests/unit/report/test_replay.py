"""The replay of news: what matters most to its reader comes first."""

from __future__ import annotations

from pbem.report.replay import Part, Step, ranked
from pbem.report.worth import RANKS, Worth


def step(part: Part, worth: Worth, *, fight: bool = False) -> Step:
    return Step(1, part, (RANKS.index(worth), 0, 0), worth, "", fight=fight)


def test_the_end_of_the_game_comes_before_own_fights_and_these_before_the_rest() -> None:
    told = [step("rest", "order"), step("own", "loss"), step("weight", "front")]
    told += [step("own", "battle", fight=True), step("own", "end")]
    assert [told[n].headline for n in ranked(told)] == ["end", "battle", "loss", "front", "order"]
