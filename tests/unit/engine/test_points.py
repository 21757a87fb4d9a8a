"""What an option says of itself: its kind, who takes part, what it costs; in every system."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice

import pytest

from pbem.engine.growing import Growing
from pbem.engine.points import Points
from pbem.engine.system import find
from pbem.model.codec import from_json
from pbem.testing.examples import examples
from pbem.testing.runner import prepare

MOST = 400
FIGHTS = {
    "victory": "turn-order",
    "ocs": "actions",
    "wbts": "battles",
    "totaler-krieg": "combat",
    "wif": "impulse-letter",
}


def test_an_option_with_a_way_is_a_move_and_its_units_are_those_it_begins_with() -> None:
    one = Points(("A",), way=("0101", "0102"), cost=(("MP", 3), ("hexes", 1)))
    assert (one.sort, one.taking, one.price, one.faults()) == ("move", ("A",), "3 MP, 1 hex", [])
    assert Points(("A",)).sort == "other" and Points().faults() == []


@pytest.mark.parametrize(
    ("points", "fault"),
    [
        (Points(("A",), kind="attack"), "no place"),
        (Points(end="0101", kind="attack"), "no unit"),
        (Points(("A",), kind="move"), "no place"),
        (Points(("A",), end="0101", kind="raid"), "is none of"),  # type: ignore[arg-type]
        (Points(("A", "B"), end="0101", kind="attack", units=("B", "C")), "not among its units"),
    ],
)
def test_what_an_option_says_wrong_of_itself_is_named(points: Points, fault: str) -> None:
    assert any(fault in one for one in points.faults()), points.faults()


@pytest.mark.parametrize("name", list(FIGHTS))
def test_every_system_says_which_options_are_moves_and_which_attacks(name: str) -> None:
    system = find(name)
    kinds: dict[str, set[str]] = defaultdict(set)
    for _, example in examples(system):
        asked = example.get("options") or example.get("check")
        if not asked:
            continue
        game = prepare(system, example.get("given", {}))
        decision = system.decision(asked["decision"], asked["player"], asked.get("fields", {}))
        so_far = from_json(decision.answer, asked["so_far"]) if "so_far" in asked else None
        if isinstance(decision, Growing):
            listed = islice(decision.options(game, so_far), MOST)
        else:
            listed = islice(decision.options(game), MOST)
        for one in listed:
            assert one.points.faults() == [], (decision.kind, one.text)
            kinds[decision.kind].add(one.points.sort)
            if one.points.sort == "attack" and one.points.counters:
                assert one.points.last is not None, (decision.kind, one.text)
    assert "attack" in kinds[FIGHTS[name]], dict(kinds)
    assert any("move" in found for found in kinds.values()), dict(kinds)
