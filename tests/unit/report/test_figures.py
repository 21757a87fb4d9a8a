"""What a player at the keyboard reads of counters: type, figures, state; and what else is in a place, never
more than the view tells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.board.position import Position
from pbem.model.facility import Facility
from pbem.report import figures, situation
from pbem.report.composing.compose import compose
from pbem.report.reader import Meta, View
from pbem.report.text import render
from pbem.report.wording import Wording

WORDS = {
    "counters-short": {"any": "{type}"},
    "types": {"IN": "infantry", "TR": "truck"},
    "figures": {"TR": "{load} T", "unit": "{attack}-{move}[[, range {range}]]"},
    "figures-mean": {"unit": "Units: attack-movement", "TR": "Trucks: T aboard"},
    "states": {"worn": "{steps} of {full} steps", "dg": "DG", "fuel": "fuel {fuel}"},
    "facilities": {"dump": "dump[[ of {t} T]]"},
    "facilities-short": {"dump": "{t}T"},
}
INFANTRY = {"id": "n1", "type": "IN", "attack": 4, "move": 5}


def words(**more: dict[str, str]) -> Wording:
    return Wording({**WORDS, **more})


def test_a_counter_is_told_by_type_figures_and_all_that_holds_of_it() -> None:
    worn = INFANTRY | {"worn": True, "steps": 1, "full": 2, "dg": True, "fuel": 0}
    assert figures.listed(words(), worn) == "infantry (4-5), 1 of 2 steps, DG"
    assert figures.listed(words(), INFANTRY | {"range": 3}, 2) == "2 x infantry (4-5, range 3)"


def test_what_is_not_known_is_not_told() -> None:
    assert figures.listed(words(), {"id": "?1", "type": "IN", "attack": 4}) == "infantry"
    assert figures.listed(words(), {"id": "t", "type": "TR", "load": 2, "move": 9}) == "truck (2 T)"
    assert figures.listed(Wording(), {"id": "x", "type": "IN"}).startswith("x")


def test_only_the_figures_that_are_there_are_explained() -> None:
    assert figures.keys(words(), [INFANTRY]) == ["Units: attack-movement"]
    assert figures.keys(words(), [{"id": "?1", "type": "IN"}]) == []


@pytest.fixture
def known(view: View) -> View:
    counters = {
        "n1": {"owner": "north", "type": "IN", "hex": "0101"},
        "n2": {"owner": "north", "type": "IN", "hex": "0101"},
        "s1": {"owner": "south", "type": "IN", "hex": "0202"},
        "?1": {"owner": "south", "type": "?", "hex": "0202"},
    }
    printed = {id: {"attack": 4, "move": 5, "dg": id == "s1"} for id in ("n1", "n2", "s1")}
    dumps = (Facility("0102", "north", "dump", {"t": 6}), Facility("0202", "south", "dump", {}))
    return replace(
        view,
        position=Position(counters, {}),
        wording=words(),
        printed_from=lambda: printed,
        facilities_from=lambda: dumps,
    )


def test_an_order_of_battle_says_what_to_plan_from(known: View, meta: Meta) -> None:
    text = render(compose("north", [], known, meta))
    assert "Units: attack-movement" in text
    assert "0101                   n1, n2 infantry (4-5)" in text
    assert "dump of 6 T" in text
    assert "0202                   ?; s1 infantry (4-5), DG; dump" in text


def test_the_map_in_words_says_so_too(known: View, meta: Meta) -> None:
    lines = "\n".join(situation.render(compose("north", [], known, meta)))
    assert "0101, clear: n1, n2 infantry (4-5)" in lines
    assert "What the values mean" in lines
