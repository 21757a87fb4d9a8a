"""Codes of tables and ids of cards in sentences, and what is told once."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.board.position import Position
from pbem.engine.system import find
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.codes import spelt
from pbem.report.composing.items import without_repeated_moves
from pbem.report.headlines import in_few_words
from pbem.report.reader import View
from pbem.report.wording import Wording
from pbem.testing.wording import faults

WORDS = {"DL{n}": "{n|step|steps} lost", "DL{n}DG": "{n|step|steps} lost, disorganized", "DG": "disorganized"}


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("DG", "disorganized"),
        ("DL1", "1 step lost"),
        ("DL2DG DL1", "2 steps lost, disorganized; 1 step lost"),
        ("DL1 AX", "DL1 AX"),
        ("", ""),
    ],
)
def test_a_code_is_said_in_words_if_all_of_it_is_known(code: str, said: str) -> None:
    assert spelt(code, WORDS) == said


def test_sentences_say_codes_of_their_fields_and_of_no_others() -> None:
    wording = Wording({"headlines": {"shot": "{result_said} ({result})"}, "codes": WORDS})
    assert wording.headline({"event": "shot", "result": "DG"}) == "Disorganized (DG)"
    system = find("ocs")
    sections = {**system.wording, "headlines": {"combat-resolved": "{nothing_said}"}}
    assert "nothing_said" in str(faults(sections, system.registry.events, system.registry.decisions))


def test_every_code_of_the_tables_has_words() -> None:
    land = find("wif").data("tables/combat.yaml")["land"]["rows"]
    results = {cell for row in land.values() for cell in row}
    words = find("wif").wording["codes"]
    assert len(results) > 5
    assert not [result for result in results if spelt(result, words) == result]


def test_results_that_differ_are_not_told_as_one() -> None:
    words = {"headlines": {"shot": "{units} fired{units:|}: {result_said}"}, "codes": WORDS}
    view = View(Position({}, {}), ("red",), Wording(words))
    shots = [
        {"event": "shot", "units": ["a"], "result": "DG"},
        {"event": "shot", "units": ["b"], "result": "DL1"},
    ]
    assert in_few_words(shots, view) == ["A fired: disorganized", "B fired: 1 step lost"]


def test_a_headline_that_says_nothing_is_none() -> None:
    wording = Wording({"headlines": {"shot": "[[hits!nobody hit]]"}})
    assert wording.headline({"event": "shot", "hits": 1}) is None


def test_cards_go_by_their_titles() -> None:
    system = find("totaler-krieg")
    view = View(
        Position({}, {"current": {"axis": "AX-1"}}),
        ("axis",),
        Wording(system.wording),
        titles_from=lambda: {"AX-1": "Winter Levy", "AX-2": "Second Front"},
        events=system.registry.events,
    )
    event = {"event": "card-revealed", "power": "axis", "cards": ["AX-1", "AX-2"], "card": "AX-1"}
    assert "Winter Levy, Second Front" in view.wording.event(view.named(event))
    assert view.tracks() == ["Cards in play: Axis Winter Levy"]


def test_who_knows_which_unit_moved_reads_of_its_move_once() -> None:
    system = find("victory")
    view = View(Position({}, {}), ("red",), Wording(system.wording), events=system.registry.events)
    way = ["0101", "0102"]

    def told(to: tuple[str, ...], **fields: Any) -> Told:
        return Told(to, fields, 0)

    seen = [
        told(PUBLIC, event="blocks-marched", player="red", blocks=1, path=way),
        told(("red",), event="unit-moved", owner="red", unit="R-1", how="march", path=way),
        told(PUBLIC, event="blocks-marched", player="red", blocks=1, path=["0101", "0202"]),
        told(PUBLIC, event="blocks-marched", player="blue", blocks=2, path=way),
    ]
    assert [one.event["event"] for one in without_repeated_moves(seen, view)] == [
        "unit-moved",
        *["blocks-marched"] * 2,
    ]
    assert without_repeated_moves(seen[:1], view) == seen[:1]
