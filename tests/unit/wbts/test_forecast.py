"""4.8.5 to 4.8.11: what is forecast of a battle is what the rules bring, whatever the dice."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.engine.answers import ScriptedSource
from pbem.engine.game import Game
from pbem.engine.play import Played, play
from pbem.model.forecasts import Forecast
from pbem.systems.wbts.look import forecast
from pbem.testing import examples, prepare
from pbem.testing.fights import differences
from tests.nightly import IN_CI, in_ci
from tests.properties.forecasts.wbts import judge, staged
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


def brought(game: Game, played: Played) -> tuple[int, str, tuple[int, int]]:
    """The table, how the battle ended, and the points that each side lost."""
    (chits,) = [one.event for one in played.told if one.event["event"] == "chits-revealed"]
    account = WBTS.fought(game, [one.event for one in played.told])
    assert account is not None and account.faults() == []
    assert None not in account.losses
    return chits["table"], account.end, account.losses  # type: ignore[return-value]


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=IN_CI if one == FOUGHT[0] else pytest.mark.long) for one in FOUGHT]
)
def test_a_forecast_is_what_the_procedure_brings_with_every_throw(name: str) -> None:
    example = EXAMPLES[name]
    before, asked = run(example, [], chits=False)
    assert {one.kind for one in asked.pending} == {"intensity"}
    (main,) = WBTS.forecasts(before)
    found = {table_of(one): one for one in (main, *main.others) if "committed" not in one.case or one is main}
    ends: dict[str, Fraction] = defaultdict(Fraction)
    losses, chance, table = [Fraction(0), Fraction(0)], Fraction(1, 6**3), 0
    for dice in product(DICE, repeat=3):
        table, end, lost = brought(*run(example, [[die] for die in dice]))
        ends[NOT_ENTERED.get(end, end)] += chance
        losses = [sum_ + chance * one for sum_, one in zip(losses, lost, strict=True)]
    forecast = found[table]
    assert {NOT_ENTERED.get(end, end): each for end, each in forecast.ends} == ends
    assert list(forecast.losses) == losses
    assert forecast.unit == "points" and forecast.faults() == []
    assert sum(each for _, each in forecast.chances) == 1


NOT_ENTERED = {"cleared": "taken"}
"""In these examples nobody advances; a forecast counts with an advance."""


def table_of(one: Forecast) -> int:
    """The table of a case: `if the chits make table 3 ...`."""
    return int(re.findall(r"table (\d)", one.case)[0])


def tables(found: list[Forecast]) -> list[int]:
    """The tables of the case that a forecast takes for granted and of its others."""
    (main,) = found
    return sorted(table_of(one) for one in (main, *main.others) if "table" in one.case)


def test_only_tables_that_the_chits_can_make_are_listed() -> None:
    """4.8.6: the attacker's chit is at most his leader's initiative; without a commander the other has 0."""
    before, _ = run(EXAMPLES["EX-15c both unsupplied"], [], chits=False)
    assert tables(WBTS.forecasts(before)) == [1, 2, 3]


def test_a_town_never_falls_back() -> None:
    """4.8.11: in a town, a city, rough terrain or works no defender need retreat."""
    coming = {"U-1D": {"hex": "0504", "sp": 10}, "U-2D": {"hex": "0504", "sp": 8}}
    for place, goes in (("0505", False), ("0404", False), ("0604", True)):
        there = {"C-1D": {"hex": place, "sp": 4, "hq": None}}
        kept = {*coming, *there}
        game = board({**coming, **there}, {"gt": 3}, remove=tuple({*board().position.counters} - kept))
        (found,) = WBTS.forecasts(game, place, list(coming))
        for one in (found, *found.others):
            assert any(code.endswith("D") for code, _ in one.chances) is goes, (place, one)
            assert goes or one.chance("taken") == 0, (place, one)


def test_in_fog_a_forecast_names_what_its_reader_does_not_know() -> None:
    """4.8.7, 4.8.8: stocks and leaders of the other side are its own business."""
    coming = {"U-1D": {"hex": "0504", "sp": 10}}
    game = board(coming, {"gt": 3}, hidden=True)
    (one,) = WBTS.forecasts(view(game, "north"), "0505", list(coming))
    assert one.case == "if south has 8 strength points of infantry there"
    assert [other.case for other in one.others[:2]] == [
        "if south has 4 strength points of infantry there",
        "if south has 16 strength points of infantry there",
    ]
    assert one.unknown == (("south", 1),) and one.losses[1] is None
    assert one.chance("taken") == 0, "a town"


def test_nobody_with_strength_is_overrun_whatever_excuses_the_hex() -> None:
    """4.8.5, R-19: trains and depots that are withheld have no strength, and no terrain excuses them."""
    coming = {"U-1D": {"hex": "0504", "sp": 10}}
    kept = {*coming, "CST1"}
    given = {**coming, "CST1": {"hex": "0505"}}
    game = board(given, {"gt": 3}, remove=tuple({*board().position.counters} - kept))
    (found,) = WBTS.forecasts(game, "0505", list(coming))
    assert found.case == "an overrun" and found.ends == (("taken", Fraction(1)),)


@in_ci
def test_ships_that_assist_and_cavalry_that_retreats_are_cases() -> None:
    """4.8.3, 4.8.5: the answers of the defender that nobody knows yet, as the rules bring them."""
    coming = {
        "U-1D": {"hex": "0604", "sp": 10, "hq": "U-I"},
        "U-I": {"hex": "0604"},
        "U-VANCE": {"hex": "0604"},
    }
    there = {"C-4D": {"hex": "0605", "sp": 3}, "C-C1": {"hex": "0605", "sp": 3, "hq": None}, "C-RF1": {}}
    kept = {*coming, *there}
    game = board({**coming, **there}, {"gt": 3}, remove=tuple({*board().position.counters} - kept))
    (found,) = WBTS.forecasts(game, "0605", ("U-VANCE", "U-1D"))
    cases = {str(one.case): one for one in found.others}
    assert [*cases][:2] == ["if C-RF1 assists", "if C-C1 retreats before combat"]
    table = table_of(found)
    for case, answers in (
        ("if C-RF1 assists", {"defence": {"naval": ["C-RF1"]}}),
        ("if C-C1 retreats before combat", {"retreat-before-combat": {"moves": {"C-C1": "0606"}}}),
    ):
        ready = staged(game, "0605", ("U-VANCE", "U-1D"), table)
        ready = replace(ready, orders={**ready.orders, "south": answers})
        found_ = differences(
            WBTS, cases[case], ready, judge("0605", ("U-VANCE", "U-1D")), sample=20, seed=case
        )
        assert found_ == [], case


def test_cavalry_alone_may_leave_the_hex_to_the_attacker() -> None:
    """4.8.3: nobody is left, and the battle jumps to the advance."""
    coming = {"U-1D": {"hex": "0604", "sp": 10}}
    kept = {*coming, "C-C1", "C-C2"}
    game = board(coming, {"gt": 3}, remove=tuple({*board().position.counters} - kept))
    (found,) = WBTS.forecasts(game, "0605", ("U-1D",))
    (gone,) = (one for one in found.others if "before combat" in str(one.case))
    assert str(gone.case) == "if C-C1, C-C2 retreat before combat"
    assert gone.ends == (("taken", Fraction(1)),) and gone.losses == (0, 0)


def test_who_rode_away_was_not_eliminated() -> None:
    """4.8.3: the account of a battle that nobody fought says why the hex is taken."""
    coming = {
        "U-1D": {"hex": "0604", "sp": 10, "hq": "U-I"},
        "U-I": {"hex": "0604"},
        "U-VANCE": {"hex": "0604"},
    }
    kept = {*coming, "C-C1"}
    game = board(coming, {"gt": 3}, remove=tuple({*board().position.counters} - kept))
    ready = staged(game, "0605", ("U-VANCE", "U-1D"), 1)
    away = {"retreat-before-combat": {"moves": {"C-C1": "0606"}}}
    (course,) = replace(ready, orders={**ready.orders, "south": away}).some(1, "away")
    account = WBTS.fought(course[1], [one.event for one in course[2].told])
    assert account is not None and account.end == "taken" and account.losses == (0, 0)
    assert account.why == "the defenders retreated"


@pytest.mark.parametrize(
    ("there", "inside", "naval", "excused", "stays"),
    [
        ("ab", "", False, False, False),
        ("ab", "", True, False, True),
        ("ab", "", False, True, True),
        ("ab", "a", False, False, False),
        ("ab", "ab", False, False, True),
        ("abH", "ab", False, False, True),
        ("H", "", False, False, False),
    ],
)
def test_a_defender_stays_whom_no_result_can_drive_out(
    there: str, inside: str, naval: bool, excused: bool, stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """4.8.11, 4.8.15: headquarters (`H`) need no room in a fort."""
    units = [SimpleNamespace(id=id, is_hq=id == "H") for id in there]
    battle: Any = SimpleNamespace(
        in_target=lambda: units, inside=list(inside), naval=naval, board=None, target="0101", defender="north"
    )
    monkeypatch.setattr(forecast, "exempt_hex", lambda *_: "a city" if excused else None)
    assert forecast._stays(battle) == stays
