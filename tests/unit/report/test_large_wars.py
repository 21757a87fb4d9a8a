"""Of a large war a report shows where something happened, and says where the rest is to be seen."""

from __future__ import annotations

from pbem.cli.games.telling import report_view
from pbem.engine.adjudicate import Outcome, facts, start
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.reader import Meta
from pbem.report.text import render
from pbem.stages.views import PlayerView
from tests.benchmarks.big_wbts import Size, big_system

SYSTEM = big_system(Size(50, 34, 320, 40))
STATE = start(SYSTEM, "big")
FACTS = {fact.key: fact.value for fact in facts(SYSTEM, Outcome(STATE, STATE.position, (), (), (), (), None))}
VIEW = PlayerView(SYSTEM, "big", None, 1, FACTS, ())
MADE = {"rule": "4.3.1", "owner": "north", "given": {}}


def text(*hexes: str, whole: bool) -> str:
    """The report of a stage in which depots were made at these hexes."""
    told = [
        Told(PUBLIC, {"event": "depot-created", **MADE, "depot": f"D{n}", "hex": hex}, n)
        for n, hex in enumerate(hexes)
    ]
    view = PlayerView(SYSTEM, "big", None, 1, FACTS, tuple(told))
    return render(compose(None, told, report_view(view), Meta("War", "0" * 64, "wbts", 1, "")), whole=whole)


def test_only_where_something_happened_is_drawn_and_listed() -> None:
    hex = next(fields["hex"] for fields in STATE.position.counters.values() if fields.get("hex"))
    brief, whole = text(str(hex), whole=False), text(str(hex), whole=True)
    assert 5 * len(brief) < len(whole)
    assert str(hex) in brief.partition("Position")[2]
    assert "pbem map" in brief and "pbem report --whole" in brief
    assert "counters are where something happened" in brief


def test_parts_far_from_each_other_are_drawn_each_for_itself() -> None:
    brief = text("0202", "0230", "4802", whole=False)
    assert brief.count("columns ") == 3
    assert "/0117" not in brief


def test_a_war_that_changes_everywhere_is_still_a_letter() -> None:
    everywhere = {str(fields["hex"]) for fields in STATE.position.counters.values() if fields.get("hex")}
    assert len(text(*sorted(everywhere), whole=False)) < 100_000


def test_what_is_left_out_is_counted_and_the_way_to_it_told() -> None:
    far = [f"{column:02}{row:02}" for column in (2, 16, 30, 44) for row in (2, 30)]
    brief, whole = text(*far, "0203", whole=False), text(*far, "0203", whole=True)
    assert brief.count("columns ") == 4 and "and 4 more areas of the map" in brief and "pbem map" in brief
    assert "columns 1-12, rows 1-4" in brief, "where most happened"
    assert brief.count("depot D") == whole.count("depot D")
    many = [f"{column:02}20" for column in range(1, 26)]
    assert "and 5 more, see below" in text(*many, whole=False)
    assert "see below" not in text(*many, whole=True)


def test_many_dice_of_a_large_war_stand_beside_what_they_were_thrown_for_and_are_summed() -> None:
    die = {"dice": "1d6", "result": [3]}
    tried = {"event": "leader-tried", "rule": "4.5", "player": "north", "printed": 3, "initiative": 3}
    told = [
        Told(PUBLIC, {**tried, "leader": f"N-L{n}", "die": {**die, "label": ["try", n]}, "success": True}, n)
        for n in range(25)
    ]
    report = compose(None, told, report_view(VIEW), Meta("War", "0" * 64, "wbts", 1, ""))
    brief, whole = render(report, whole=False), render(report, whole=True)
    assert brief.count("1d6: 3") == whole.count("1d6: 3") == 25
    assert (brief.count("rolled 3"), whole.count("rolled 3")) == (25, 50)
    assert "25 dice" in brief and "pbem dice --stage 1 --how" in brief
    assert "d6 faces  1: 0, 2: 0, 3: 25" in brief
