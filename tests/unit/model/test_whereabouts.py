"""The place of an event: data in events, words where it is shown, in both forms that games have."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.system import find
from pbem.model.whereabouts import ENDED, Label, Stop, is_place, whereabouts
from pbem.report.wording import Wording

TURN, ROUND = Label("GT", "Spring {n}", 1900), Label("R", "Round {n}")
LABELS = {
    "B.1": (Label("root", ""), TURN, ROUND, Label("B", "Turn of {player}"), Label("B.1", "Move, then fight")),
    "C": (Label("root", ""), TURN, Label("C", "Weather")),
}
MOVE = {"node": "B.1", "passes": {"GT": 3, "R": 2, "B": "red"}}
WORDS = "Spring 1903, Round 2, Turn of red, Move, then fight"


def test_data_and_the_words_of_earlier_engines_are_one_place() -> None:
    new, old = whereabouts(MOVE, LABELS), whereabouts(WORDS, LABELS)
    assert new == WORDS == old
    assert new.stops == old.stops
    assert (new.turn, new.players) == (1903, {"red"})
    assert new.stops[1:3] == (Stop("Round {n}", 2), Stop("Turn of {player}", None, "red"))


def test_a_place_is_told_in_the_language_of_its_reader_by_the_label() -> None:
    values = {"Spring {n}": "Frühjahr {n}", "Turn of {player}": "Am Zug: {player}", "red": "Rot",
              "Move, then fight": "Zug und Kampf"}  # fmt: skip
    german = Wording({"values": values})
    told = "Frühjahr 1903, Round 2, Am Zug: Rot, Zug und Kampf"
    assert german.where(whereabouts(MOVE, LABELS)) == told
    assert german.where(whereabouts(WORDS, LABELS)) == told


def test_a_node_that_the_rules_no_longer_have_is_told_by_its_id() -> None:
    assert whereabouts({"node": "Z.9", "passes": {"GT": 3}}, LABELS) == "Z.9"


def test_a_part_played_alone_leaves_out_the_loops_around_it() -> None:
    assert whereabouts({"node": "B.1", "passes": {"B": "red"}}, LABELS) == "Turn of red, Move, then fight"


@pytest.mark.parametrize(
    "other",
    [{"a": 1}, [], 3, None, {"node": "C"}, {"node": 1, "passes": {}}, {"node": "C", "passes": []},
     {"node": "C", "passes": {"GT": [3]}}, {"node": "C", "passes": {"GT": True}},
     {"node": "C", "passes": {}, "more": ""}],
)  # fmt: skip
def test_what_is_no_place_has_no_parts(other: Any) -> None:
    assert not is_place(other)
    assert whereabouts(other, LABELS).stops == ()
    assert is_place(ENDED) and is_place(MOVE) and is_place(WORDS)


@pytest.mark.parametrize("name", ["victory", "wbts", "ocs", "totaler-krieg", "wif", "diplomacy"])
def test_each_leaf_and_step_of_each_system_can_be_told(name: str) -> None:
    system = find(name)
    ids = {
        one.id
        for one in system.outline.walk()
        if one.kind == "step" or (one.kind == "leaf" and not one.steps)
    }
    labels = system.labels(system.scenario(system.scenarios()[0]))
    assert ids <= set(labels)
    for node in ids:
        passes: dict[str, Any] = {}
        for label in labels[node]:
            kind = found.kind if (found := system.outline.find(label.node)) else ""
            passes |= {label.node: 2} if kind == "repeat" else {}
            passes |= {label.node: "red"} if kind in ("each", "powers") else {}
        place = whereabouts({"node": node, "passes": passes}, labels)
        assert place and not set("{}") & set(place), place
        assert whereabouts(str(place), labels) == place


def test_a_label_counts_the_innermost_loop_and_names_the_innermost_player() -> None:
    side, power = Label("S", "Side of {player}"), Label("P", "{power} moves")
    labels = {"F": (TURN, ROUND, side, power, Label("F", "Fight {n}"))}
    nested = {"node": "F", "passes": {"GT": 3, "R": 2, "S": "allied", "P": "GE"}}
    assert whereabouts(nested, labels) == "Spring 1903, Round 2, Side of GE, GE moves, Fight 2"
