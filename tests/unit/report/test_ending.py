"""What a finished game leaves to tell: points, losses, decisive battles, careers, what was hidden."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.board.position import Position
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.losses import losses
from pbem.report.reader import Meta, View
from pbem.report.structure import Report
from pbem.report.svg.heat import heat
from pbem.report.whole.acts import acts
from pbem.report.whole.book import _stands
from pbem.report.whole.ending import (
    beliefs,
    careers,
    decisive,
    first_place,
    losses_by_hex,
    losses_so_far,
    points,
    standing,
    weight,
    why,
)
from pbem.report.whole.ledger import Entry
from pbem.report.whole.moments import moments
from pbem.report.whole.stats import chance_of_as_good
from pbem.report.whole.stats_text import place_of
from pbem.report.whole.summing_up import verdict, winners
from pbem.report.wording import Wording

AT = "Game turn 2, Player turn of north, Combat"


@pytest.fixture
def scored(view: View) -> View:
    sections = {name: dict(texts) for name, texts in view.wording.sections.items()}
    sections["map"]["score"] = "vp"
    sections["events"] |= {"assaulted": "{attacker} assaults {hex}", "hurt": "{owner} lost {steps}"}
    sections["quantities"] = {"step": "step", "step-many": "steps", "block": "block", "block-many": "blocks"}
    position = Position(view.position.counters, {**view.position.tracks, "vp": {"north": 7, "south": 4}})
    return replace(view, wording=Wording(sections), position=position)


def report(view: View, meta: Meta, stage: int, *events: dict[str, Any], reader: str | None = None) -> Report:
    told = [Told(PUBLIC, {"rule": "4", "at": AT, **one}, n) for n, one in enumerate(events)]
    return compose(reader, told, view, replace(meta, stage=stage))


def assault(hex: str) -> dict[str, Any]:
    return {"event": "assaulted", "attacker": "south", "defender": "north", "hex": hex}


def hurt(owner: str, steps: int) -> dict[str, Any]:
    return {"event": "hurt", "owner": owner, "steps": steps, "gone": 0}


def test_who_leads_and_by_how_much(scored: View, view: View, meta: Meta) -> None:
    assert points(scored) == {"north": 7, "south": 4}
    assert standing(report(scored, meta, 1)) == "north 7, south 4: north leads by 3"
    level = replace(scored, position=Position({}, {"vp": {"north": 4, "south": 4}}))
    assert standing(report(level, meta, 1)) == "north 4, south 4: level"
    assert standing(report(view, meta, 1)) == "", "no points are kept"


def test_why_it_ended_is_what_the_last_event_says(scored: View, meta: Meta) -> None:
    assert why(report(scored, meta, 1, {"event": "won", "result": "South won"})) == ["Won: result South won"]
    assert why(report(scored, meta, 1, assault("0102"))) == []


def test_who_wins_is_whom_one_of_the_events_of_the_end_names() -> None:
    said = {
        "counted": SimpleNamespace(tells=("end",), players=()),
        "won": SimpleNamespace(tells=("end",), players=("north",)),
    }
    view = SimpleNamespace(players=("south", "north"), means=said.__getitem__, ending_from=lambda: None)
    ended: Any = SimpleNamespace(view=view, items=[SimpleNamespace(event=name) for name in said])
    assert first_place(ended) == ("north",)


def test_losses_add_up_and_lie_where_was_fought(scored: View, meta: Meta) -> None:
    stages = [
        report(scored, meta, 1, assault("0102"), hurt("north", 2)),
        report(scored, meta, 2, assault("0202"), hurt("south", 1), hurt("north", 1)),
    ]
    assert losses_so_far(stages) == [{"north": 2}, {"north": 3, "south": 1}]
    assert losses_by_hex(stages) == {"0102": 2, "0202": 2}
    drawn = heat(scored, losses_by_hex(stages), "Losses")
    assert drawn.count('class="m-hot"') == 2 and "Losses" in drawn


def test_the_battles_that_decided_are_those_that_cost_most(scored: View, meta: Meta) -> None:
    stages = [report(scored, meta, n, assault("0102"), hurt("north", n)) for n in range(1, 9)]
    found = decisive(acts(stages))
    assert [weight(one) for one in found] == [4, 5, 6, 7, 8], "in the order in which they were fought"
    assert decisive(acts([report(scored, meta, 1, assault("0102"))])) == [], (
        "one that cost nothing decided nothing"
    )


def test_a_career_has_moves_fights_and_an_end_and_nothing_of_counters_that_are_only_counted(
    scored: View, meta: Meta
) -> None:
    left = {id: fields for id, fields in scored.position.counters.items() if id != "n3"}
    gone = replace(scored, position=Position(left, scored.position.tracks))
    walked = {"event": "walked", "player": "north", "units": ["n3"], "way": ["0102", "0202"]}
    first = report(scored, meta, 1)
    told = careers([first, report(gone, meta, 2, assault("0102"), walked)])
    (last,) = (one.end for one in told if one.id == "n3")
    assert last is not None and last[0] == 2 and "n3" in last[1], "what was told of it last"
    found = {one.id: one for one in careers([first, report(gone, meta, 2, assault("0102"))])}
    assert sorted(found) == ["n1", "n2", "n3"], "?1 is nobody's career"
    assert found["n2"].fights == [(2, 1, "0102 Oxbridge")] and found["n2"].end is None
    again = careers([first, report(gone, meta, 2), report(gone, meta, 3)])
    assert [one.end for one in again if one.id == "n3"] == [(2, "")], "it ends once"
    assert all(one.moves == [] for one in careers([first])), "where it stood at first is no move"
    assert found["n3"].end == (2, "") and found["n3"].last == "0102"
    assert found["n1"].first == (1, "0101") and found["n1"].fights == []


def test_the_map_of_the_book_has_each_counter_s_moves_alone_and_not_every_stage(
    scored: View, meta: Meta
) -> None:
    """A page with the place of every counter at every stage would be many times as long."""
    moved = {**scored.position.counters, "n1": {**scored.position.counters["n1"], "hex": "0201"}}
    del moved["n3"]
    later = replace(scored, position=Position(moved, scored.position.tracks))
    reports = [report(view, meta, n) for n, view in enumerate((scored, scored, later, later), 1)]
    book: Any = SimpleNamespace(reports=reports, careers=careers(reports), last=reports[-1])
    found = {one["id"]: one["stays"] for one in _stands(book)["counters"]}
    assert found == {"n1": [(0, "0101"), (2, "0201")], "n2": [(0, "0102")], "n3": [(0, "0102"), (2, "")]}


def test_a_move_that_no_event_tells_by_the_counter_s_id_is_seen_on_the_map(scored: View, meta: Meta) -> None:
    moved = {**scored.position.counters, "n1": {**scored.position.counters["n1"], "hex": "0201"}}
    later = replace(scored, position=Position(moved, scored.position.tracks))
    (one,) = (one for one in careers([report(scored, meta, 1), report(later, meta, 2)]) if one.id == "n1")
    assert one.moves == [(2, "0101 to 0201")]


def test_what_was_hidden_stands_beside_what_was_believed(scored: View, meta: Meta) -> None:
    true = {**scored.position.counters, "s1": {"owner": "south", "type": "AR", "cv": 2, "hex": "0202"}}
    del true["?1"], true["?2"]
    truth = report(replace(scored, position=Position(true, scored.position.tracks)), meta, 1)
    his = report(scored, meta, 1, reader="north")
    (one,) = beliefs(his, truth)
    assert (one.hex, one.believed, one.truth) == ("0202", "south 2 blocks", "south AR2")
    assert beliefs(his, report(scored, meta, 1)) == []


def entry(better: str, *faces: int) -> Entry:
    return Entry(1, ("x",), f"{len(faces)}d6", faces, better=better)


def test_luck_by_sums_counts_low_dice_as_good_where_the_system_says_so() -> None:
    assert chance_of_as_good([entry("high", 6)]) == chance_of_as_good([entry("low", 1)]) == Fraction(1, 6)
    assert chance_of_as_good([entry("high", 6), entry("low", 1)]) == Fraction(1, 36)
    assert chance_of_as_good([entry("high", 1, 1)]) == 1
    assert chance_of_as_good([entry("", 6)]) is None, "nobody said what is good"
    assert (place_of(Fraction(1, 36)), place_of(Fraction(1)), place_of(Fraction(1, 1000))) == (
        "3",
        "100",
        "1",
    )


def test_who_reads_is_told_whether_he_has_won(scored: View, meta: Meta) -> None:
    south = {"event": "won", "result": "South won"}
    of = {reader: report(scored, meta, 1, south, reader=reader) for reader in ("south", "north", "gm", None)}
    assert winners(of[None]) == {"south"}
    assert verdict(of["south"])[0] == "You have won" and verdict(of["north"])[0] == "You have lost"
    assert verdict(of["gm"]) == verdict(of[None]) and "You" not in " ".join(verdict(of[None]))
    assert winners(report(scored, meta, 1, {"event": "won", "result": "draw of north and south"})) == set()
    assert verdict(of[None])[-1] == "North 7, south 4: north leads by 3"


def test_the_moments_of_a_game_are_ordered_by_how_far_they_moved_the_score(scored: View, meta: Meta) -> None:
    """As a chess server reviews a game: the greatest swing first, and where another got ahead."""
    points = [{"north": 0, "south": 0}, {"north": 2, "south": 0}, {"north": 2, "south": 0},
              {"north": 2, "south": 7}, {"north": 3, "south": 8}, {"north": 3, "south": 9}]  # fmt: skip
    assault_there = assault("0102")
    stages = [
        report(replace(scored, points_from=partial(dict, now)), meta, number, assault_there)
        for number, now in enumerate(points, 1)
    ]
    found = moments(stages, acts(stages))
    told = [(one.stage, one.swing, one.turned) for one in found]
    assert told == [(4, 7, True), (2, 2, True), (6, 1, False)]
    assert found[0].battle is not None and found[0].battle.fight.place == "0102"
    assert moments([report(scored, meta, 1), report(scored, meta, 2)], []) == [], "the score did not move"


def test_the_chart_of_losses_ends_with_the_number_that_its_table_has(scored: View, meta: Meta) -> None:
    """A unit that is gone whole is one of another quantity, and not one step more."""
    gone = {"event": "hurt", "owner": "north", "steps": 0, "gone": 1}
    stages = [report(scored, meta, 1, hurt("north", 2)), report(scored, meta, 2, gone)]
    chart = losses_so_far(stages)[-1]["north"]
    table = losses([item.event for one in stages for item in one.items], scored)
    assert chart == dict(table[0].lost)["step"] == 2
