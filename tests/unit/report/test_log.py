"""The line of a stage in the history of an archive: game turn and player by the labels of the outline."""

from __future__ import annotations

from typing import Any

from pbem.model.whereabouts import Label
from pbem.report import log
from pbem.report.wording import Wording

NODES = {"GT": "Game turn {n}", "A": "Activation", "R": "Round {n}", "T": "Player Turn of {player}"}
LABELS = {
    "T": [Label(*one) for one in NODES.items()],
    "X": [Label("GT", "Game turn {n}"), Label("X", "{player} retreat")],
    "P": [Label("GT", "Game turn {n}"), Label("P", "Production {n}")],
}
WORDS = Wording({"log": {"fought": "{count} battles", "fought-one": "a battle at {hex}"}})


def event(at: Any, **more: Any) -> dict[str, Any]:
    return {"event": "fought", "hex": "0606", "at": at, **more}


def test_the_game_turn_is_what_the_outermost_label_counts() -> None:
    told = [event("Game turn 3, Activation, Round 7"), event("Game turn 4, Production 9"), event("")]
    assert log.turns(told, LABELS) == [3, 4]
    assert log.turns([event("Month 3 of 1944")], LABELS) == [], "a number in a text counts nothing"


def test_the_line_names_the_player_whose_part_it_was_by_the_label() -> None:
    mine = event("Game turn 3, Activation, Round 1, Player Turn of red")
    assert log.subject([mine], ("red", "blue"), WORDS, None, LABELS) == "GT 3, red: a battle at 0606"
    both = [mine, event("Game turn 3, Activation, Round 1, Player Turn of blue")]
    assert log.subject(both, ("red", "blue"), WORDS, None, LABELS) == "GT 3: 2 battles"
    other = event("Game turn 3, red sky in the morning")
    assert log.subject([other], ("red", "blue"), WORDS, None, LABELS) == "GT 3: a battle at 0606"


def test_places_as_data_say_the_same_as_the_words_of_earlier_engines() -> None:
    red = event({"node": "T", "passes": {"GT": 3, "R": 1, "T": "red"}})
    assert log.turns([red, event({"node": "P", "passes": {"GT": 4}})], LABELS) == [3, 4]
    assert log.subject([red], ("red", "blue"), WORDS, None, LABELS) == "GT 3, red: a battle at 0606"
    blue = event("Game turn 3, Activation, Round 1, Player Turn of blue")
    assert log.subject([red, blue], ("red", "blue"), WORDS, None, LABELS) == "GT 3: 2 battles"
