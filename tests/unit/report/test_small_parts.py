"""Small parts of reports at their bounds: lines, values, codes, log lines, and faults of a translation."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbem.report import codes, log, plain
from pbem.report.plain import (
    capital,
    columns,
    cut,
    fixed,
    heading,
    in_words,
    label_text,
    padded,
    width,
    wrapped,
)
from pbem.report.translation import translation_faults
from pbem.report.wording import Wording
from pbem.text.plurals import rule
from tests.unit.archive.paper import last

# --- lines ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "first", "rest", "wide", "lines"),
    [
        ("", "", None, 10, [""]),
        ("one two", "", None, 7, ["one two"]),
        ("one two", "", None, 6, ["one", "two"]),
        ("one  two\nthree", "- ", None, 9, ["- one two", "  three"]),
        ("one two", "- ", "> ", 6, ["- one", "> two"]),
        ("abcdefgh", "", None, 4, ["abcd", "efgh"]),
        ("abcdefgh ij", "- ", None, 5, ["- abc", "  def", "  gh", "  ij"]),
        ("ab", "longprefix", None, 8, ["longab"]),
        ("a b", "- ", "restrest", 4, ["- a", "reb"]),
        ("äö üß", "", None, 5, ["äö üß"]),
        ("äö üß", "", None, 4, ["äö", "üß"]),
        ("日本 語", "", None, 4, ["日本", "語"]),
        ("日本語", "", None, 4, ["日本", "語"]),
    ],
)
def test_a_text_is_broken_between_words_and_long_words_anywhere(
    text: str, first: str, rest: str | None, wide: int, lines: list[str]
) -> None:
    assert wrapped(text, first, rest, wide) == lines


def test_both_ends_of_a_line_and_headings() -> None:
    line = columns("left", "right")
    assert line.startswith("left ") and line.endswith(" right") and width(line) == plain.WIDTH
    long = columns("x" * 200, "right")
    assert width(long) == plain.WIDTH and long.endswith(" right") and long.startswith("xxx")
    assert columns("left", "") == "left"
    assert heading("Würfel") == ["", "Würfel", "------"] and heading("日本") == ["", "日本", "----"]
    assert (cut("日本語", 5), cut("abc", 2), cut("abc", 3)) == ("日本", "ab", "abc")
    assert padded("日", 4) == "日  " and padded("abc", 2) == "abc"


VALUES: list[tuple[Any, str]] = [
    (None, "–"),
    ("", "–"),
    ([], "–"),
    ({}, "–"),
    (0, "0"),
    (True, "yes"),
    (False, "no"),
    ("a\x1bb", "a␛b"),
    ("7/2", "3½"),
    ("1/2", "1/2"),
    ("11/2 and 3/2", "5½ and 1½"),
    ("13/2/4", "13/2/4"),
    (["a", ["b", "c"], 1], "a, b, c, 1"),
    ({"label": ["x"], "result": [3, 4]}, "3 4"),
    ({"a": 1, "b": "c"}, "a 1, b c"),
    ({"a": [1, 2], "b": [3]}, "a (1, 2), b 3"),
    ({"a": {"x": [1], "y": [2, 3]}}, "a (x 1; y 2, 3)"),
    ({"a": {"x": 1, "y": [2]}}, "a (x 1, y 2)"),
    ({"a": {"x": [], "y": None}}, "a (x –, y –)"),
    ({"a": {}}, "a –"),
    ({"die": {"label": ["x"], "result": [3]}}, "die (3)"),
]


@pytest.mark.parametrize(("value", "words"), VALUES, ids=range(len(VALUES)))
def test_a_value_of_an_event_is_said_for_people(value: Any, words: str) -> None:
    assert in_words(value) == words


@pytest.mark.parametrize(
    ("number", "places", "words"),
    [
        (Fraction(1, 3), 1, "0.3"),
        (Fraction(1, 4), 1, "0.3"),
        (Fraction(-1, 4), 1, "-0.3"),
        (Fraction(-1, 40), 1, "0.0"),
        (Fraction(199, 100), 1, "2.0"),
        (Fraction(5, 2), 0, "3"),
        (Fraction(-5, 2), 0, "-3"),
        (Fraction(101, 100), 2, "1.01"),
    ],
)
def test_a_fraction_has_fixed_places_and_halves_go_away_from_zero(
    number: Fraction, places: int, words: str
) -> None:
    assert fixed(number, places) == words


def test_labels_and_capitals() -> None:
    assert label_text(["battle", 2, "r\ted"]) == "battle/2/r␉ed"
    assert (capital("über"), capital(""), capital("NATO x")) == ("Über", "", "NATO x")


# --- codes, counts and the log --------------------------------------------------------------------------

CODES = {
    "Ae{n}": "exploit with {n}",
    "DL{n}": "{n|step|steps} lost",
    "A o1": "as a whole",
    "A": "alone",
    "none": "",
}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("Ae4", "exploit with 4"),
        ("DL1", "1 step lost"),
        ("DL12", "12 steps lost"),
        ("A o1", "as a whole"),
        ("Ae4 DL2", "exploit with 4; 2 steps lost"),
        ("A none", "alone"),
        ("A unknown", "A unknown"),
        ("xAe4", "xAe4"),
        ("Ae", "Ae"),
        ("", ""),
    ],
)
def test_a_result_is_spelt_as_a_whole_or_part_by_part(code: str, words: str) -> None:
    assert codes.spelt(code, CODES) == words


FORMS: dict[str, str] = {
    # the forms of 0, 1, 2, 4, 5, 10, 11, 12, 19, 21, 22, 101, 102, 111, 112
    "en": "101111111111111",
    "de-AT": "101111111111111",
    "fr": "001111111111111",
    "ja": "000000000000000",
    "ru": "201122222010122",
    "pl": "201122222212122",
    "cs": "201122222222222",
    "lt": "201112222010122",
    "ro": "101111111221111",
    "sl": "301233333330133",
}


def test_each_language_has_its_forms_for_numbers() -> None:
    numbers = (0, 1, 2, 4, 5, 10, 11, 12, 19, 21, 22, 101, 102, 111, 112)
    assert {tag: "".join(str(rule(tag).form(n)) for n in numbers) for tag in FORMS} == FORMS
    assert {tag: rule(tag).forms for tag in FORMS} == {
        **dict.fromkeys(FORMS, 3),
        "en": 2,
        "de-AT": 2,
        "fr": 2,
        "ja": 1,
        "sl": 4,
    }


LOG = {"lost": "{count} lost", "lost-one": "one lost", "took": "{hex} taken", "led": "{who} led"}


def words(**sections: Any) -> Wording:
    return Wording(sections)


def test_the_log_counts_what_is_counted_where_it_first_happened() -> None:
    events: list[dict[str, Any]] = [
        {"event": "lost"},
        {"event": "took", "hex": "0101"},
        {"event": "lost"},
        {"event": "took", "hex": "0101"},
        {"event": "took", "hex": "0202"},
        {"event": "idle"},
    ]
    assert log.phrases(events, words(log=LOG)) == ["2 lost", "0101 taken", "0202 taken"]
    assert log.phrases([{"event": "lost"}], words(log=LOG)) == ["one lost"]
    headlines = {"took": "Taken: {hex}"}
    assert log.phrases(events, words(headlines=headlines)) == ["Taken: 0101", "Taken: 0202"]
    assert log.phrases([{"event": "idle"}], words(log=LOG, events={"idle": "Nobody moved"})) == [
        "Nobody moved"
    ]


def test_a_line_of_the_log_has_room_for_72_letters_and_says_how_much_more_there_is() -> None:
    said = words(log={"led": "{who} led"})
    for count in (0, 1, 2, 9, 10, 40):
        events = [{"event": "led", "who": f"General {n}"} for n in range(count)]
        line = log.subject(events, ("north",), said, turn=3)
        assert len(line) <= log.WIDTH
        told = line.count(" led")
        assert told >= min(count, 1)
        if told < count:
            assert said.say("log-more", count=count - told) in line
            assert len(f"{line}, General {told} led") > log.WIDTH - 2, "one more would have had room"
        assert (said.say("log-nothing") in line) is (count == 0)
    long = log.subject([{"event": "led", "who": "x" * 99}], (), said, turn=3)
    assert len(long) == log.WIDTH
    assert log.subject([], (), said).startswith(said.say("log-start"))
    assert log.subject([], (), said, turn=3).startswith(said.say("log-turn", turn=3))


# --- translations ---------------------------------------------------------------------------------------


def test_what_a_translation_lacks_or_has_too_much_is_named_with_its_place() -> None:
    english = {
        "events": {"took": "{who} takes {hex}", "idle": "Nobody moves", "lost": "{n} lost"},
        "map": {"sea": "~"},
        "values": {},
    }
    good = {
        "events": {"took": "{hex}: {who}", "idle": "Niemand zieht", "lost": "{n} verloren"},
        "values": {"red": "rot"},
    }

    def faults(other: dict[str, dict[str, str]]) -> list[str]:
        return [
            f"{one.code} {'.'.join(map(str, one.path))} {last(one.message)}"
            for one in translation_faults(english, other)
        ]

    assert faults(good) == []
    assert faults({**good, "events": {"took": "{who}", "idle": "{hex}"}}) == [
        "bad-sentence events.took bad-sentence",
        "bad-sentence events.idle bad-sentence",
        "no-sentence events.lost no-sentence",
    ]
    assert faults({**good, "map": {"sea": "x"}}) == []
    assert faults({**good, "map": {"lake": "x"}, "more": {"a": "b"}}) == [
        "unknown-name map.lake unknown-name",
        "unknown-name more.a unknown-name",
    ]
    assert faults({**good, "values": {"{n} red": "rot"}}) == ["bad-sentence values.{n} red bad-sentence"]
    (fault,) = translation_faults(english, {**good, "events": {**good["events"], "idle": "{b} {a}"}})
    message: Any = fault.message
    assert (message.fields["fields"], message.fields["wanted"]) == ("a, b", "none")
    assert faults({}) == [f"no-sentence events.{key} no-sentence" for key in english["events"]]
