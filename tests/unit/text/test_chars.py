"""Which characters text may hold, and what the others are called."""

import re

import pytest

from pbem.text.chars import FORBIDDEN, called, cell, clipped, visible

ALL = "".join(map(chr, range(0x110000)))


def test_the_forbidden_set_is_that_of_the_protocol() -> None:
    wanted = set(range(0x20)) - {0x09, 0x0A}
    wanted |= set(range(0x7F, 0xA0)) | set(range(0xD800, 0xE000))
    wanted |= set(range(0x202A, 0x202F)) | set(range(0x2066, 0x206A))
    wanted |= set(range(0xFDD0, 0xFDF0)) | {n for n in range(0x110000) if n & 0xFFFE == 0xFFFE}
    assert {ord(char) for char in FORBIDDEN.findall(ALL)} == wanted


def test_what_python_calls_printable_is_never_forbidden() -> None:
    # reading and writing canonical JSON rest on this: they do not look closer at printable text
    assert not any(char.isprintable() for char in FORBIDDEN.findall(ALL))


@pytest.mark.parametrize(
    ("char", "name"),
    [
        ("\t", "a tab (U+0009)"),
        ("\u00a0", "a non-breaking space (U+00A0)"),
        ("\u2003", "an unusual space (U+2003)"),
        ("\x01", "a control character (U+0001)"),
        ("\u202e", "a character that reverses the direction of writing (U+202E)"),
        ("\ud800", "half of a surrogate pair (U+D800)"),
        ("\uffff", "a code point that is not a character (U+FFFF)"),
        ("\u201c", "the character “ (U+201C)"),
    ],
)
def test_characters_have_names_for_messages(char: str, name: str) -> None:
    assert called(char) == name


def test_any_character_can_be_shown_on_one_line() -> None:
    for char in re.sub("[\ud800-\udfff]", "", ALL[:0x3000]) + "😀\U000e0001\U0010ffff":
        shown, width = cell(char)
        assert shown.isprintable() and 0 <= width <= 10
    assert visible("a\nb\ud800\x1b") == "a\u240ab<U+D800>\u241b"


def test_long_text_is_clipped() -> None:
    assert clipped("abc", 3) == "abc"
    assert clipped("abcd", 3) == "ab…"
