"""A report begins with what happened since the reader's last orders, however many stages that took."""

from __future__ import annotations

from dataclasses import replace

from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.data import as_json
from pbem.report.headlines import Line
from pbem.report.html import render as page
from pbem.report.reader import Earlier, Meta, View
from pbem.report.structure import MOST_SINCE, compose
from pbem.report.text import render
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
    assert "since your last orders, stages 2 to 4:" in text
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
    assert "nothing happened" not in render(compose("north", [moved], view, meta))
    assert "nothing happened to you" in render(compose("north", [], view, meta))
