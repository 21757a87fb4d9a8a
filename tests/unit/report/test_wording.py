"""Sentences are data with fields in them and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass

import pytest

from pbem.engine.system import System
from pbem.report.language import with_english
from pbem.report.plain import in_words
from pbem.report.reader import View
from pbem.report.wording import Wording
from pbem.systems.victory import SYSTEM as VICTORY
from pbem.testing.wording import faults
from pbem.text.sentences import fill, used
from tests.primer import SYSTEM as PRIMER


@dataclass(frozen=True)
class Moved:
    owner: str
    hex: str


@dataclass(frozen=True)
class Bid:
    player: str
    most: int


def codes(sections: dict[str, dict[str, str]]) -> list[str]:
    return [fault.code for fault in faults(sections, {"moved": Moved}, {"bid": Bid})]


GOOD = {"events": {"moved": "{owner} to {hex}"}, "decisions": {"bid": "up to {most}?"}}


def test_a_part_may_hang_on_what_a_field_says_and_lie_in_another() -> None:
    said = "[[now=nobody?{before} lost it]][[now=nobody!{now} took it[[before=nobody! from {before}]]]]"
    assert used(said) == ("now", "before", "now", "now", "before", "before")
    for before, now, told in (
        ("red", "blue", "blue took it from red"),
        ("nobody", "blue", "blue took it"),
        ("red", "nobody", "red lost it"),
    ):
        assert fill(said, {"before": before, "now": now}, str) == told


def test_sentences_and_phrases_have_the_plural_forms_of_their_language() -> None:
    english = {"lost": "{count} blocks lost", "lost-one": "{count} block lost", "decimal-mark": "."}
    own = {"lost": "stracono {count|blok|bloki|bloków}"}
    polish = with_english("pl", english, own)
    sections = {"events": {"lost": "{side} traci {n|blok|bloki|bloków}"}}
    words = Wording(sections, polish)
    for number, blocks in ((1, "1 blok"), (3, "3 bloki"), (5, "5 bloków"), (22, "22 bloki")):
        assert polish.say("lost", count=number) == f"stracono {blocks}"
        assert words.event({"event": "lost", "side": "A", "n": number}) == f"A traci {blocks}"


def test_a_complete_wording_has_no_faults() -> None:
    assert codes(GOOD) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"events": {}}, ["no-sentence"]),
        ({"decisions": {}}, ["no-sentence"]),
        ({"events": {"moved": "{owner} to {hexx}"}}, ["unknown-name"]),
        ({"events": {"moved": "x", "moves": "y"}}, ["unknown-name"]),
        ({"events": {"moved": "{owner!r} to {hex}"}}, ["bad-sentence"]),
        ({"events": {"moved": "{0} {hex:>4}"}}, ["bad-sentence"]),
        ({"headlines": {"lost": "x"}}, ["unknown-name"]),
        ({"headline": {"moved": "x"}}, ["unknown-name"]),
    ],
)
def test_what_is_wrong_with_a_wording_is_said(change: dict[str, dict[str, str]], found: list[str]) -> None:
    assert codes({**GOOD, **change}) == found


def test_a_misspelt_field_gets_a_suggestion() -> None:
    (fault,) = faults({**GOOD, "events": {"moved": "{ownr}"}}, {"moved": Moved}, {"bid": Bid})
    assert fault.help == ("did you mean 'owner'?",)


@pytest.mark.parametrize("system", [VICTORY, PRIMER], ids=["victory", "primer"])
def test_every_event_and_decision_of_the_installed_systems_has_a_sentence(system: System) -> None:
    registry = system.registry
    assert faults(system.wording, registry.events, registry.decisions) == []


def test_braces_in_a_value_stay_what_they_are() -> None:
    assert fill("{owner} to {hex}", {"owner": "{hex}", "hex": "{owner}"}, in_words) == "{hex} to {owner}"


def test_an_event_without_a_sentence_is_told_all_the_same() -> None:
    assert (
        Wording({}).event({"event": "bridge-blown", "rule": "7", "hex": "0102"}) == "Bridge blown: hex 0102"
    )


def test_standing_text_of_known_and_unknown_counters(view: View) -> None:
    words = view.wording
    assert words.counter({"owner": "north", "type": "IN", "cv": 4}) == "North IN 4"
    assert words.counter({"owner": "south", "type": "?"}) == "South block"
    assert words.short({"type": "IN", "cv": 4}, 2) == "2 IN4"
    assert words.short({"type": "?"}, 3) == "3 blocks"


def test_tracks_are_told_only_when_they_are_there(view: View) -> None:
    assert view.wording.tracks({"turn": 2, "order": {"first": "south"}}) == ["Game turn 2", "First: south"]
    assert view.wording.tracks({"turn": 2, "order": {}}) == ["Game turn 2"]


def test_a_part_in_double_brackets_is_left_out_where_it_has_nothing_to_say() -> None:
    sentence = "defence {d}[[; withheld: {units}]][[, {lost} lost by {who}]]"
    assert fill(sentence, {"d": 0, "units": ["CD1", "CST1"], "lost": 2, "who": "south"}, in_words) == (
        "defence 0; withheld: CD1, CST1, 2 lost by south"
    )
    assert fill(sentence, {"d": 3, "units": [], "lost": 0, "who": "south"}, in_words) == "defence 3"
    assert fill(sentence, {"d": "[[x]]"}, in_words) == "defence [[x]]", (
        "brackets of values stay what they are"
    )


def test_a_number_goes_with_the_word_for_one_or_for_several() -> None:
    sentence = "{blocks|block marches|blocks march}"
    assert fill(sentence, {"blocks": 1}, in_words) == "1 block marches"
    assert fill(sentence, {"blocks": 3}, in_words) == "3 blocks march"
    assert fill("{lost|step|steps} lost", {"lost": 0}, in_words) == "0 steps lost"
    assert used(sentence) == ("blocks",)


def test_a_verb_goes_with_the_number_of_those_that_are_named() -> None:
    sentence = "{units} {units:marches|march}"
    assert used(sentence) == ("units", "units")
    assert fill(sentence, {"units": ["A"]}, in_words) == "A marches"
    assert fill(sentence, {"units": ["A", "B"]}, in_words) == "A, B march"
    assert fill(sentence, {"units": "A"}, in_words) == "A marches"
    assert fill("red[[ {units}]] {units:marches|march}", {"units": []}, in_words) == "red marches"


def test_a_part_may_hang_on_a_field_that_it_does_not_tell() -> None:
    sentence = "{unit} stops[[zone?, in an enemy zone]][[zone!, in the open]]"
    assert fill(sentence, {"unit": "A", "zone": True}, in_words) == "A stops, in an enemy zone"
    assert fill(sentence, {"unit": "A", "zone": False}, in_words) == "A stops, in the open"
    assert used(sentence) == ("unit", "zone", "zone")


def test_a_list_of_records_is_told_member_by_member() -> None:
    words = Wording(
        {
            "events": {"rolled": "rolled: {dice}"},
            "members": {"rolled.dice": "{who} {die}[[hit? hits]][[hit! misses]]"},
        }
    )
    dice = [{"who": "Beck", "die": 3, "hit": True}, {"who": "Ives", "die": 5, "hit": False}]
    assert words.event({"event": "rolled", "dice": dice}) == "Rolled: Beck 3 hits; Ives 5 misses"


def test_words_for_a_list_that_no_event_has_are_a_fault() -> None:
    rolled = make_dataclass("Rolled", ["dice"])
    found = faults(
        {"events": {"rolled": "{dice}"}, "members": {"rolled.dise": "{who}"}}, {"rolled": rolled}, {}
    )
    assert [(one.path, one.help) for one in found] == [
        (("members", "rolled.dise"), ("did you mean 'rolled.dice'?",))
    ]


def test_a_name_of_data_reads_as_words() -> None:
    words = Wording({"events": {"moved": "{owner} to {hex}"}})
    assert (
        words.event({"event": "moved", "owner": "cavalry_corps", "hex": "R-AR_1"})
        == "Cavalry corps to R-AR_1"
    )


def test_a_counter_of_which_a_field_is_not_known_is_called_by_its_id() -> None:
    """`militia: "{state} militia {id}"`, and nobody knows of which state."""
    words = Wording({"names": {"militia": "{state} militia {id}"}})
    assert words.name({"type": "militia", "state": "Ohio", "id": "M1"}) == "Ohio militia M1"
    assert words.name({"type": "militia", "state": None, "id": "M1"}) == "M1"
    assert words.name({"type": "cavalry", "id": "C1"}) == "C1"
