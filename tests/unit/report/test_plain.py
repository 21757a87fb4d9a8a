"""Text that is safe to print, whatever it holds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.report.plain import capital, columns, cut, fixed, in_words, padded, safe, width, wrapped


@settings(deadline=None)
@given(st.text())
def test_safe_text_has_nothing_a_terminal_acts_on(text: str) -> None:
    shown = safe(text)
    assert not any(
        ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or 0x202A <= ord(char) <= 0x202E for char in shown
    )


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"))), st.integers(4, 72))
def test_wrapped_lines_fit_and_lose_no_letter(text: str, columns: int) -> None:
    lines = wrapped(safe(text), "- ", "  ", columns)
    assert all(width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(f"- {safe(text)}".split())


def test_a_beginning_wider_than_the_page_does_not_stop_anything() -> None:
    assert wrapped("two words", "x" * 500, columns=10) == ["xxxxxtwo", "     words"]
    assert wrapped("日本語", "- ", columns=4) == ["- 日", "  本", "  語"]


def test_wide_letters_count_two_columns() -> None:
    assert width("日本") == 4
    assert cut("日本語", 5) == "日本"
    assert padded("日本", 5) == "日本 "


def test_one_line_with_two_ends_gives_way_on_the_left() -> None:
    assert len(columns("x" * 200, "stage 1")) == 72
    assert columns("a", "b").endswith("b")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "–"),
        ((), "–"),
        (True, "yes"),
        (["red", "blue"], "red, blue"),
        ({"red": 3, "blue": 1}, "red 3, blue 1"),
        ({"label": ["x", 1], "dice": "2d6", "result": [3, 4]}, "3 4"),
        ({"Crane": {"units": [], "leaders": ["Lorne", "Marsh"]}}, "Crane (leaders Lorne, Marsh)"),
        ("a\x1b[31mb", "a␛[31mb"),
    ],
)
def test_values_of_events_in_words(value: object, words: str) -> None:
    assert in_words(value) == words


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(1, 3), 1, "0.3"),
        (Fraction(1, 20), 1, "0.1"),
        (Fraction(-1, 20), 1, "-0.1"),
        (Fraction(-1, 100), 1, "0.0"),
        (Fraction(7, 2), 0, "4"),
        (Fraction(199, 100), 1, "2.0"),
    ],
)
def test_fractions_with_fixed_places(value: Fraction, places: int, text: str) -> None:
    assert fixed(value, places) == text


def test_capitals() -> None:
    assert capital("red AR a") == "Red AR a"


def test_joiners_stay_where_writing_needs_them_and_nowhere_else() -> None:
    """A name in Persian or a picture of several falls apart without; between other letters they hide."""
    persian, family = "\u0645\u06cc\u200c\u0631\u0648\u062f", "\U0001f468\u200d\U0001f469"
    assert safe(persian) == persian and safe(family) == family
    assert width(safe(persian)) == 5 and width(safe(family)) == 4
    assert safe("a\u200db") == "a<U+200D>b" and safe("\u0430\u200d\u0431") == "\u0430<U+200D>\u0431"
    assert safe("\u200d\u0645") == "<U+200D>\u0645", "not at the beginning of a word"


def test_a_fraction_has_one_place_unless_more_are_wanted() -> None:
    assert [fixed(Fraction(1, 3)), fixed(Fraction(-1, 20)), fixed(Fraction(5, 8), 2)] == [
        "0.3",
        "-0.1",
        "0.63",
    ]
