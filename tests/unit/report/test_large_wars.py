"""Of a large war a report shows where something happened, and says where the rest is to be seen."""

from __future__ import annotations

from pbem.cli._telling import report_view
from pbem.engine.adjudicate import Outcome, facts, start
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.reader import Meta
from pbem.report.structure import compose
from pbem.report.text import render
from pbem.stages.views import PlayerView
from tests.benchmarks.big_wbts import Size, big_system

SYSTEM = big_system(Size(50, 34, 320, 40))
STATE = start(SYSTEM, "big")
FACTS = {fact.key: fact.value for fact in facts(SYSTEM, Outcome(STATE, STATE.position, (), (), (), (), ""))}
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
    assert "counters stand where something happened" in brief


def test_parts_far_from_each_other_are_drawn_each_for_itself() -> None:
    brief = text("0202", "0230", "4802", whole=False)
    assert brief.count("columns ") == 3
    assert "/0117" not in brief


def test_a_war_that_changes_everywhere_is_still_a_letter() -> None:
    everywhere = {str(fields["hex"]) for fields in STATE.position.counters.values() if fields.get("hex")}
    assert len(text(*sorted(everywhere), whole=False)) < 100_000
