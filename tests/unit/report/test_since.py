"""A report begins with what happened since the reader's last orders, however many stages that took."""

from __future__ import annotations

from dataclasses import replace

from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.composing.summary import MOST_SINCE
from pbem.report.data import as_json
from pbem.report.headlines import Line
from pbem.report.html import render as page
from pbem.report.reader import Earlier, Meta, View
from pbem.report.text import fight_words, render
from pbem.text.schema import check, find
from tests.unit.report.test_text import event, fight


def before(stage: int, *events: dict[str, object]) -> Earlier:
    return Earlier(stage, events)


def test_news_of_several_stages_stand_first_what_matters_most_before_the_rest(view: View, meta: Meta) -> None:
    late = replace(
        meta, earlier=[before(2, fight("north", "0101", 1)), before(3, event("won", result="Over"))]
    )
    report = compose("north", [Told(PUBLIC, fight("south", "0102", 2), 0)], view, late)
    assert report.since is not None
    assert (report.since.first, report.since.last) == (2, 4)
    assert report.since.lines == (
        Line((3,), "Over"),
        Line((2,), "North attacked 0101"),
        Line((4,), "South attacked 0102 Oxbridge"),
    )
    text = render(report)
    assert "Since your last orders, stages 2 to 4:" in text
    assert (
        text.index("Over (stage 3)")
        < text.index("North attacked 0101 (stage 2)")
        < text.index("What happened")
    )
    assert "South attacked 0102 Oxbridge (stage" not in text, "what is of this stage needs no number"
    assert "Since your last orders, stages 2 to 4" in page(report)
    assert check(as_json(report), find("report")) == []


def test_who_answered_in_this_stage_and_who_only_looks_on_read_of_this_stage_alone(
    view: View, meta: Meta
) -> None:
    told = [Told(PUBLIC, fight("south", "0102", 2), 0)]
    assert compose("north", told, view, meta).since is None
    late = replace(meta, earlier=[before(3, fight("north", "0101", 1))])
    assert compose(None, told, view, late).since is None


def test_a_long_absence_is_told_shortly(view: View, meta: Meta) -> None:
    many = [before(n, event("won", result=f"Result {n}")) for n in range(1, 31)]
    report = compose("north", [], view, replace(meta, stage=31, earlier=many))
    assert report.since is not None and len(report.since.lines) == MOST_SINCE
    assert report.since.more == 30 - MOST_SINCE
    assert f"and {30 - MOST_SINCE} more" in render(report)


def test_small_things_are_not_called_nothing(view: View, meta: Meta) -> None:
    moved = Told(PUBLIC, event("moved", owner="north", hex="0102"), 0)
    assert "Nothing happened" not in render(compose("north", [moved], view, meta))
    assert "Nothing happened to you" in render(compose("north", [], view, meta))
    assert "The game begins" in render(compose("north", [], view, replace(meta, stage=0)))


def test_what_led_up_to_another_stage_is_left_out_and_what_is_alike_is_told_once(
    view: View, meta: Meta
) -> None:
    view.wording.sections["headlines"].update({"taken": "{now} took {hex}", "died": "a unit died in {hex}"})
    taken = [event("taken", hex="0102", now=who) for who in ("south", "north", "south")]
    died = event("died", hex="0101")
    late = replace(
        meta,
        earlier=[
            before(1, taken[0], died),
            before(2, taken[1], event("planned", player="north", hex="0301")),
        ],
    )
    made = compose("north", [Told(PUBLIC, taken[2], 0), Told(PUBLIC, died, 1)], view, late)
    assert made.since is not None
    assert made.since.lines == (
        Line((4,), "South took 0102 Oxbridge (it changed hands 3 times)"),
        Line((1, 4), "A unit died in 0101"),
    )
    assert "A unit died in 0101 (stages 1 and 4)" in render(made)


def test_where_a_counter_went_in_several_stages_is_one_line(view: View, meta: Meta) -> None:
    def walk(*way: str) -> dict[str, object]:
        return event("walked", player="north", units=["N1", "N2"], way=list(way))

    late = replace(meta, earlier=[before(2, walk("0101", "0102")), before(3, walk("0102", "0202"))])
    told = [Told(PUBLIC, walk("0202", "0301"), 0)]
    made = compose("north", told, view, late)
    assert made.since is not None
    assert any("moved from 0101 to 0301" in text for text in made.since.moved), made.since.moved
    back = [Told(PUBLIC, walk("0202", "0101"), 0)]
    again = compose("north", back, view, late).since
    assert again is not None and again.moved == ("Moves: north 3",), "who is where he was went nowhere"
    once = replace(meta, earlier=[before(2, walk("0101", "0102"), walk("0102", "0202"))])
    short = compose("north", [], view, once).since
    assert short is not None and short.moved == ("Moves: north 2",), "of one stage the stage itself tells"


def test_who_owes_nothing_reads_so(view: View, meta: Meta) -> None:
    quiet = replace(meta, waiting=["south"], asked=())
    assert "Nothing for you to do; waiting for south" in render(compose("north", [], view, quiet))


def test_battles_of_all_stages_since_my_last_orders_have_a_card(view: View, meta: Meta) -> None:
    """Not those of the last stage alone: the heading says "stages 2 to 4"."""
    told = {2: [fight("north", "0101", 1)], 3: [fight("south", "0301", 1)], 1: [fight("north", "0302", 1)]}
    late = replace(
        meta, earlier=[before(n, *told[n]) for n in (2, 3)], before=lambda stage: told.get(stage, [])
    )
    made = compose("north", [Told(PUBLIC, fight("south", "0102", 2), 0)], view, late)
    assert [(card.place, card.stage) for card in made.fights] == [("0101", 2), ("0301", 3), ("0102", None)]
    titles = [fight_words(card, made)[0] for card in made.fights]
    assert titles[0].endswith("(stage 2)") and not titles[-1].endswith(")")
    assert check(as_json(made), find("report")) == []
    assert "shot by shot (0)" not in page(made)
    alone = compose("north", [Told(PUBLIC, fight("south", "0102", 2), 0)], view, replace(late, earlier=()))
    assert [card.place for card in alone.fights] == ["0102"], "what I had answered to is not told again"
