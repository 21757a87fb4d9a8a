"""A report in another language: nothing of it is left out, and what has no translation stays English."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from pbem.engine.system import find
from pbem.model.whereabouts import Label, whereabouts
from pbem.report.language import language, languages, own_words
from pbem.report.translation import translation_faults
from pbem.report.wording import Wording
from pbem.text import translating
from pbem.text.diagnostics import Refused
from pbem.text.sentences import FIELD
from pbem.text.translating import translated

VALUES = {"red": "Rot", "Game turn {n}": "Spielzug {n}", "Turn of {player}": "Zug von {player}", "CV": "KW"}


@pytest.mark.parametrize("code", [code for code in languages() if code != "en"])
def test_every_phrase_of_the_report_is_there_in_every_language_with_its_fields(code: str) -> None:
    english, other = own_words("en"), own_words(code)
    assert set(other) == set(english)
    for key, text in english.items():
        assert sorted(FIELD.findall(other[key])) == sorted(FIELD.findall(text)), key


def test_a_language_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(Refused, match="Use one of: de, en"):
        language("fr")


def test_one_and_many_are_said_differently() -> None:
    assert language("en").say("you-owe", count=1).startswith("To do: one answer:")
    assert language("de").say("you-owe", count=3).startswith("Zu tun: 3 Antworten:")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("red", "Rot"),
        ("Game turn 3", "Spielzug 3"),
        ("Turn of red", "Zug von Rot"),
        ("red AR a CV 3", "Rot AR a KW 3"),
        ("0505 Velm", "0505 Velm"),
        ("red has no path", "red has no path"),  # a sentence is translated whole or not at all
        ("", ""),
    ],
)
def test_texts_in_events_are_translated_whole_by_pattern_or_by_word(text: str, wanted: str) -> None:
    assert translated(text, VALUES) == wanted
    assert translated(text, {}) == text


def test_what_a_translation_lacks_or_has_too_much_is_said() -> None:
    english = {
        "events": {"moved": "{owner} moves {path}", "won": "over"},
        "luck": {"fired": "{hits} {rating}"},
    }
    other = {"events": {"moved": "{owner} zieht", "lost": "verloren"}, "values": {"Turn {n}": "Zug"}}
    found = [(fault.code, fault.path) for fault in translation_faults(english, other)]
    assert found == [
        ("bad-sentence", ("events", "moved")),
        ("no-sentence", ("events", "won")),
        ("unknown-name", ("events", "lost")),
        ("bad-sentence", ("values", "Turn {n}")),
    ]


def test_a_sentence_without_a_translation_is_told_in_english() -> None:
    system = find("victory")
    words = Wording(system.wording_in("xx"), language("de"))
    assert words.event({"event": "player-out", "player": "red"}) == Wording(system.wording).event(
        {"event": "player-out", "player": "red"}
    )


def test_victory_speaks_german() -> None:
    words = Wording(find("victory").wording_in("de"), language("de"))
    bids = {"event": "bids-revealed", "bids": {"red": 3, "green": 0}}
    assert words.event(bids) == "Gebote um die Initiative: Rot 3, Grün 0"
    held = {
        "event": "hex-held",
        "place": "0106 resource site",
        "rounds": 2,
        "role": "defender",
        "players": ["red"],
    }
    assert words.headline(held) == "Rot hielt 0106 Rohstoffquelle"
    assert words.where("Game turn 2, Activation, Round 1, Player Turn of blue, Air Response") == (
        "Spielzug 2, Aktivierung, Runde 1, Spielerzug von Blau, Luftreaktion"
    )


def test_a_label_with_a_comma_is_one_part_of_the_place() -> None:
    values = {
        "Turn {n}": "Zug {n}",
        "Battle, attack {n}": "Schlacht, Angriff {n}",
        "Reveal, spiral": "Bauspirale",
    }
    words = Wording({"values": values}, language("de"))
    labels = {"B": [Label("T", "Turn {n}"), Label("B", "Battle, attack {n}"), Label("R", "Reveal, spiral")]}
    assert words.places(whereabouts("Turn 2, Battle, attack 3", labels)) == ["Zug 2", "Schlacht, Angriff 3"]
    assert words.where(whereabouts("Turn 2, Reveal, spiral", labels)) == "Zug 2, Bauspirale"
    assert words.places(whereabouts("Turn 2, Movement", labels)) == ["Zug 2", "Movement"]
    assert Wording().places(whereabouts("Turn 2, Reveal, spiral", labels)) == ["Turn 2", "Reveal, spiral"]


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            "nobody is left in 0505 Velm: the first to enter takes it",
            "niemand in 0505 Velm: wer zuerst einzieht, bekommt es",
        ),
        ("nobody is left in 0505", "niemand in 0505"),
        ("R-F1 to 0606 (2 hexes; 1 against 2 blocks)", "R-F1 nach 0606 (2 Felder; 1 gegen 2 Blöcke)"),
        ("R-F1 to 0606 (who knows; 1 against 2 blocks)", "R-F1 to 0606 (who knows; 1 against 2 blocks)"),
    ],
)
def test_fields_end_where_a_sign_or_a_bracket_does(english: str, german: str) -> None:
    values = {
        "nobody is left in {a}{b}": "niemand in {a}{b}",
        ": the first to enter takes it": ": wer zuerst einzieht, bekommt es",
        "{a} to {b}": "{a} nach {b}",
        "{a} hexes": "{a} Felder",
        "{a} against {b} blocks": "{a} gegen {b} Blöcke",
        "{a} against {b} block{c}": "{a} gegen {b} Block{c}",
    }
    assert translated(english, values) == german


def test_a_text_of_many_parts_is_taken_apart_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report of `ocs` that quoted an order was told in German for more than ten minutes: each part was
    translated again in each way of taking the text apart."""
    done: list[str] = []
    whole = translating._translated

    def counted(text: str, values: Mapping[str, str]) -> str:
        done.append(text)
        return whole(text, values)

    monkeypatch.setattr(translating, "_translated", counted)
    values = {"{what}: {message}": "{what}: {message}", "{a} to {b}": "{a} nach {b}", "{a}; {b}": "{a}; {b}"}
    text = ", ".join(f"part {n}: some words to go" for n in range(12))
    translated(text, values)
    assert 10 < len(done) < 1000 and len(done) == len(set(done))


def test_an_order_in_braces_stays_as_its_owner_wrote_it() -> None:
    text = "{answer: {units: [A-1P], to: Haska}, when: {turn: 1}}"
    assert translated(text, {"{a}: {b}": "{a} = {b}", "answer": "Antwort"}) == text


def test_figures_have_the_decimal_mark_of_the_language() -> None:
    assert language("en").number(Fraction(57, 10)) == "5.7"
    assert language("de").number(Fraction(57, 10)) == "5,7"
    assert language("de").number(Fraction(-1, 4), 2) == "-0,25"
