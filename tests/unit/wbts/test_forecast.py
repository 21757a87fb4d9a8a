"""4.8.5 to 4.8.11: what is forecast of a battle is what the rules bring, whatever the dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pbem.engine.answers import ScriptedSource
from pbem.engine.game import Game
from pbem.engine.play import Played, play
from pbem.model.forecasts import Forecast
from pbem.testing import examples, prepare
from tests.nightly import IN_CI
from tests.unit.wbts.boards import WBTS, board, view

EXAMPLES = {str(data["example"]): data for _, data in examples(WBTS)}
STAYS: Mapping[str, Any] = {
    "commit-leader": "none",
    "supply-sources": [],
    "losses": {},
    "required-retreat": {},
    "voluntary-retreat": {},
    "advance": [],
}
FOUGHT = [name for name, one in EXAMPLES.items() if name.startswith(("EX-13", "EX-14 ", "EX-15", "EX-16"))]
DICE = range(1, 7)


def orders_of(example: Mapping[str, Any], *, chits: bool) -> dict[str, dict[str, Any]]:
    """The orders of an example, and that nobody does what he need not; with its chits or without."""
    given = deepcopy(dict(example["orders"]))
    found = {side: {**STAYS, **given.get(side, {}), "commit-leader": "none"} for side in ("north", "south")}
    for side in found:
        found[side].pop("required-retreat")
        found[side] |= {"required-retreat": {}, "voluntary-retreat": {}, "advance": []}
        if not chits:
            found[side].pop("intensity", None)
    return found


def run(example: Mapping[str, Any], dice: list[list[int]], *, chits: bool = True) -> tuple[Game, Played]:
    """The battle of an example with other dice, as far as it goes."""
    game = prepare(WBTS, example["given"])
    source = ScriptedSource(orders_of(example, chits=chits), dice, {}, [])
    return game, play(game, "B.2.c", source, example["phasing"])


def brought(played: Played) -> tuple[int, str, tuple[Fraction, Fraction]]:
    """The table, who had to fall back and did, and the share of its points that each side lost."""
    told = [one.event for one in played.told]

    def of(kind: str) -> list[Mapping[str, Any]]:
        return [one for one in told if one["event"] == kind]

    (began,), (chits,) = of("battle-began"), of("chits-revealed")
    lost = {one["side"]: Fraction(100 * one["points"], one["sp"]) for one in of("losses-taken")}
    gone = {one["side"] for one in of("units-retreated") if one["why"] == "required"}
    gone |= {one["side"] for one in of("unit-trapped")}
    letters = {began["attacker"]: "A", began["defender"]: "D"}
    sides = began["attacker"], began["defender"]
    return chits["table"], "".join(letters[side] for side in gone), (lost[sides[0]], lost[sides[1]])


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=IN_CI if one == FOUGHT[0] else pytest.mark.long) for one in FOUGHT]
)
def test_a_forecast_is_what_the_procedure_brings_with_every_throw(name: str) -> None:
    example = EXAMPLES[name]
    before, asked = run(example, [], chits=False)
    assert {one.kind for one in asked.pending} == {"intensity"}
    found = {one.case.split(",")[0].removeprefix("table "): one for one in WBTS.forecasts(before)}
    letters: dict[str, Fraction] = defaultdict(Fraction)
    shares, chance, table = [Fraction(0), Fraction(0)], Fraction(1, 6**3), 0
    for dice in product(DICE, repeat=3):
        table, letter, lost = brought(run(example, [[die] for die in dice])[1])
        letters[letter] += chance
        shares = [sum_ + chance * one for sum_, one in zip(shares, lost, strict=True)]
    forecast = found[str(table)]
    sides = [side for side, _ in forecast.sides]
    told = {(side, what): number for side, what, number in forecast.expected}
    assert [told[side, "percent"] for side in sides] == shares
    assert [told.get((side, "retreat"), 0) for side in sides] == [100 * letters["A"], 100 * letters["D"]]
    assert sum(each for _, each in forecast.chances) == 1


def tables(found: list[Forecast]) -> list[str]:
    return [one.case.split(",")[0] for one in found]


def test_only_tables_that_the_chits_can_make_are_listed() -> None:
    """4.8.6: the attacker's chit is at most his leader's initiative; without a commander the other has 0."""
    before, _ = run(EXAMPLES["EX-15c both unsupplied"], [], chits=False)
    assert tables(WBTS.forecasts(before)) == ["table 1", "table 2", "table 3"]


def test_a_town_never_falls_back() -> None:
    """4.8.11: in a town, a city, rough terrain or works no defender need retreat."""
    coming = {"U-1D": {"hex": "0504", "sp": 10}, "U-2D": {"hex": "0504", "sp": 8}}
    for place, goes in (("0505", False), ("0404", False), ("0604", True)):
        there = {"C-1D": {"hex": place, "sp": 4, "hq": None}}
        kept = {*coming, *there}
        game = board({**coming, **there}, {"gt": 3}, remove=tuple({*board().position.counters} - kept))
        found = WBTS.forecasts(game, place, list(coming))
        assert found
        for one in found:
            assert any(code.endswith("D") for code, _ in one.chances) is goes, (place, one)
            assert any(what == "retreat" and side == "south" for side, what, _ in one.expected) is goes


def test_in_fog_a_forecast_names_what_its_reader_does_not_know() -> None:
    """4.8.7, 4.8.8: stocks and leaders of the other side are its own business."""
    coming = {"U-1D": {"hex": "0504", "sp": 10}}
    game = board(coming, {"gt": 3}, hidden=True)
    for one in WBTS.forecasts(view(game, "north"), "0505", list(coming)):
        assert one.case.endswith(", if no leader is committed, if south is supplied")
        assert one.unknown == (("south", 1),)
        assert not any(what == "retreat" and side == "south" for side, what, _ in one.expected), "a town"


def test_nobody_with_strength_is_overrun_whatever_excuses_the_hex() -> None:
    """4.8.5, R-19: trains and depots that are withheld have no strength, and no terrain excuses them."""
    coming = {"U-1D": {"hex": "0504", "sp": 10}}
    kept = {*coming, "CST1"}
    given = {**coming, "CST1": {"hex": "0505"}}
    game = board(given, {"gt": 3}, remove=tuple({*board().position.counters} - kept))
    (found,) = WBTS.forecasts(game, "0505", list(coming))
    assert found.case == "an overrun" and found.chances == (("0/0D", Fraction(1)),)
