"""The figures of a game: what is counted, by game turn, and how likely a player's luck was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.model.whereabouts import Label
from pbem.report.plain import width
from pbem.report.reader import View
from pbem.report.whole.ledger import Entry
from pbem.report.whole.stats import Asking, Seen, Stats, Stop, Wait, chance_of_as_good, stats
from pbem.report.whole.stats_text import as_json, length, render
from pbem.report.wording import Wording
from pbem.text.schema import check, find
from tests.unit.report.happenings import KNOWN, FoughtDearly

FORMS = ("- {bid: 2}",)


def fight(turn: int, attacker: str, hits: int) -> dict[str, Any]:
    roll = {"label": ["combat", attacker, turn, hits], "dice": "2d6", "result": [2, 5]}
    at = f"Game turn {turn}, Movement"
    return {
        "event": "fought",
        "rule": "4",
        "at": at,
        "attacker": attacker,
        "hits": hits,
        "rating": 2,
        "roll": roll,
    }


def seen(view: View, number: int, events: Sequence[dict[str, Any]], **more: Any) -> Seen:
    return Seen(number, [Told(PUBLIC, event, n) for n, event in enumerate(events)], view, **more)


@pytest.fixture
def costly(view: View) -> View:
    """The same game where each hit costs the attacker a step."""
    words = {name: dict(texts) for name, texts in view.wording.sections.items()}
    words["quantities"] = {"step": "step", "step-many": "steps"}
    return replace(view, wording=Wording(words), events={**KNOWN, "fought": FoughtDearly})


@pytest.fixture
def told(costly: View) -> Stats:
    both, north, south = {"north": 1, "south": 1, "gm": 1}, {"north": 1, "gm": 1}, {"south": 1, "gm": 1}
    bid_n, bid_s = Asking("north", "bid", FORMS, "2"), Asking("south", "bid", FORMS)
    late = [fight(1, "south", 0), fight(2, "north", 1)]
    stages = [
        seen(costly, 0, [], sent={"gm": 1}),
        seen(costly, 1, [fight(1, "north", 2)], asked=[bid_n, bid_s], sent=both),
        seen(costly, 2, [], asked=[bid_n], sent=north),
        seen(costly, 3, late, asked=[bid_s], sent=south),
        seen(costly, 4, [fight(2, "south", 1)], asked=[bid_s, bid_s], sent={"south": 2, "gm": 1}),
    ]
    return stats(stages, ["north", "south", "gm"])


def test_a_stage_belongs_to_the_game_turn_in_which_it_began(told: Stats) -> None:
    found = [(turn.name, turn.stages) for turn in told.turns]
    assert found == [("Game turn 1", (0, 3)), ("Game turn 2", (4, 4))]


def test_the_set_up_is_no_game_turn(costly: View) -> None:
    placed = {**fight(1, "north", 0), "at": "Set-up, First option cards"}
    view = replace(costly, labels={"M": [Label("GT", "Game turn {n}"), Label("M", "Movement")]})
    found = stats([seen(view, 0, [placed]), seen(view, 1, [fight(1, "north", 2)])], ["north", "south"])
    assert [turn.name for turn in found.turns] == ["Set-up", "Game turn 1"]
    assert length(found, view.wording) == "2 stages, 1 game turn"


def test_mails_are_counted_by_turn_and_party(told: Stats) -> None:
    assert [turn.mails for turn in told.turns] == [
        {"north": 2, "south": 2, "gm": 4},
        {"north": 0, "south": 2, "gm": 1},
    ]
    assert told.mails == {"north": 2, "south": 4, "gm": 5}


def test_what_stopped_the_game_alone_comes_first_with_the_usual_answer_and_the_form_to_file(
    told: Stats,
) -> None:
    assert told.stops == (
        Stop("south", "bid", 3, 2, FORMS, again=1),
        Stop("north", "bid", 2, 1, FORMS, ("2", 2)),
    )


def test_only_who_owes_nothing_waits(told: Stats) -> None:
    assert told.waits == (Wait("north", "south", 2), Wait("south", "north", 1))


def test_losses_territory_and_luck_are_summed(told: Stats) -> None:
    assert [(one.player, one.lost) for one in told.losses] == [
        ("north", (("step", 3),)),
        ("south", (("step", 1),)),
    ]
    holdings = told.turns[-1].holdings
    assert [(one.player, one.places, one.counters) for one in holdings] == [("north", 1, 3), ("south", 0, 2)]
    assert [(one.player, one.sums.hits, one.sums.expected_hits) for one in told.luck] == [
        ("north", 3, Fraction(4, 3)),
        ("south", 1, Fraction(4, 3)),
    ]


def test_the_text_fits_a_page_and_the_data_its_schema(told: Stats, costly: View) -> None:
    text = render(told, costly, "The Ford", "public report")
    assert all(width(line) <= 72 for line in text.splitlines())
    for words in (
        "south, bid: 3 times, 2 of them alone",
        "{bid: 2}",
        "answered 2 times with 2",
        "Game turn 2",
    ):
        assert words in text
    assert check(as_json(told, "north"), find("stats")) == []


def shots(rolled: Sequence[tuple[int, int, int]]) -> list[Entry]:
    """Entries of (dice, rating, hits) with six-sided dice."""
    return [
        Entry(1, ("x", n), f"{dice}d6", (1,) * dice, "e", "p", hits, rating)
        for n, (dice, rating, hits) in enumerate(rolled)
    ]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 2), st.integers(0, 7), st.integers(0, 2)), min_size=1, max_size=2))
def test_the_chance_of_as_good_hits_is_that_of_all_ways_the_dice_may_fall(
    rolled: list[tuple[int, int, int]],
) -> None:
    ratings = [rating for dice, rating, _ in rolled for _ in range(dice)]
    hits = sum(hits for *_, hits in rolled)
    falls = list(product(range(1, 7), repeat=len(ratings)))
    good = sum(1 for fall in falls if sum(a <= b for a, b in zip(fall, ratings, strict=True)) >= hits)
    assert chance_of_as_good(shots(rolled)) == Fraction(good, len(falls))


def test_dice_that_can_hit_nothing_have_no_luck() -> None:
    assert chance_of_as_good([Entry(1, ("x",), "2d6", (3, 4))]) is None


def test_a_chance_that_nobody_can_tell_is_left_out_of_the_data(told: Stats) -> None:
    first, *others = told.luck
    data = as_json(replace(told, luck=(replace(first, chance=None), *others)), None)["luck"]
    assert first.chance is not None and "chance" not in data[0]
    assert [one["chance"] for one in data[1:]] == [str(luck.chance) for luck in others]
