"""How diagnostics look, and that nothing in them can harm a terminal."""

import json
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.text.diagnostics import Diagnostic, Span
from pbem.text.render import as_json, concise, full

FILE = "axis-03.orders.yaml"
TEXT = "\n" * 13 + "    path: [2111, 2112, 2113]\n"
ILLEGAL = Diagnostic(
    "illegal-move",
    "16 Pz Div cannot enter 2113: 7 MP needed, 5 left",
    family="illegal",
    span=Span(FILE, 14, 24, 14, 28),
    path=("orders", 0, "path", 2),
    rule="6.2, terrain effects chart, marsh (tracked)",
    help=("stop in 2112, or use strategic movement (6.9)",),
)


def at(line: int, column: int, end_line: int, end_column: int, message: str = "m") -> Diagnostic:
    return Diagnostic("code", message, span=Span("f", line, column, end_line, end_column))


def excerpt(text: str, diagnostic: Diagnostic) -> tuple[str, str]:
    """The line shown and the carets, without the gutter."""
    lines = full([diagnostic], {"f": text}).split("\n")
    return lines[2].split("| ", 1)[1], lines[3].split("| ", 1)[1]


def test_in_full() -> None:
    assert full([ILLEGAL], {FILE: TEXT}) == (
        "axis-03.orders.yaml:14:24: error[illegal-move]: 16 Pz Div cannot enter 2113: 7 MP needed, 5 left\n"
        "   |\n"
        "14 |     path: [2111, 2112, 2113]\n"
        "   |                        ^^^^\n"
        "   = rule: 6.2, terrain effects chart, marsh (tracked)\n"
        "   = help: stop in 2112, or use strategic movement (6.9)"
    )


def test_in_short() -> None:
    line = "axis-03.orders.yaml:14:24: error[illegal-move]: 16 Pz Div cannot enter 2113: 7 MP needed, 5 left"
    assert concise([ILLEGAL]) == line
    assert concise([ILLEGAL, ILLEGAL]) == f"{line}\n{line}"
    assert concise([]) == full([]) == ""


def test_for_programs() -> None:
    (plain,) = json.loads(as_json([ILLEGAL]))
    assert plain == {
        "severity": "error",
        "family": "illegal",
        "code": "illegal-move",
        "message": "16 Pz Div cannot enter 2113: 7 MP needed, 5 left",
        "file": FILE,
        "start": {"line": 14, "column": 24},
        "end": {"line": 14, "column": 28},
        "path": ["orders", 0, "path", 2],
        "rule": "6.2, terrain effects chart, marsh (tracked)",
        "help": ["stop in 2112, or use strategic movement (6.9)"],
    }
    assert json.loads(as_json([Diagnostic("code", "m")])) == [
        {"severity": "error", "family": "invalid", "code": "code", "message": "m"}
    ]


def test_without_a_span_the_path_says_where() -> None:
    fault = Diagnostic("wrong-type", "m", severity="warning", path=("orders", 3, "path", 1), notes=("n",))
    assert full([fault]) == "orders.3.path.1: warning[wrong-type]: m\n  = note: n"
    assert concise([Diagnostic("code", "m")]) == "error[code]: m"


def test_without_the_text_there_is_no_excerpt() -> None:
    assert full([at(1, 1, 1, 2)]) == full([at(7, 1, 7, 2)], {"f": "one line"}).replace(":7:", ":1:")
    assert "|" not in full([at(1, 1, 1, 2)], {"other": "text"})


def test_blocks_are_separated_by_an_empty_line() -> None:
    assert full([at(1, 1, 1, 2), at(2, 1, 2, 2)], {"f": "a\nb\n"}).count("\n\n") == 1


@pytest.mark.parametrize(
    ("text", "fault", "shown", "carets"),
    [
        ("abc def", at(1, 5, 1, 8), "abc def", "    ^^^"),
        ("abc def\nx", at(1, 5, 2, 1), "abc def", "    ^^^"),
        ("abc", at(1, 4, 1, 4), "abc", "   ^"),
        ("abc", at(1, 2, 1, 2), "abc", " ^"),
        ("", at(1, 1, 1, 1), "", "^"),
        ("abc\r\nx", at(1, 3, 2, 1), "abc", "  ^"),
        ("漢字 ab", at(1, 4, 1, 6), "漢字 ab", "     ^^"),
        ("漢字 ab", at(1, 1, 1, 3), "漢字 ab", "^^^^"),
        ("e\u0301x", at(1, 3, 1, 4), "e\u0301x", " ^"),
        ("\tx", at(1, 2, 1, 3), "\u2409x", " ^"),
        ("a\u00a0b", at(1, 2, 1, 3), "a<U+00A0>b", " ^^^^^^^^"),
        ("\x1b[2Jx\u202ey", at(1, 7, 1, 8), "\u241b[2Jx<U+202E>y", " " * 13 + "^"),
    ],
)
def test_the_carets_stand_under_the_fault(text: str, fault: Diagnostic, shown: str, carets: str) -> None:
    if text:
        assert excerpt(text, fault) == (shown, carets)
    else:
        assert full([fault], {"f": text}).split("\n")[2:] == ["1 |", "  | ^"]


@pytest.mark.parametrize("column", [1, 40, 500, 99_000, 100_000])
def test_a_very_long_line_is_cut_around_the_fault(column: int) -> None:
    text = "".join(chr(ord("a") + n % 26) for n in range(100_000))
    shown, carets = excerpt(text, at(1, column, 1, column + 3))
    assert len(shown) <= 102
    under = shown[len(carets) - len(carets.lstrip()) : len(carets)]
    assert under == text[column - 1 : column + 2]
    assert shown.startswith("…") == (column > 60)
    assert shown.endswith("…") == (column < 99_940)


def test_a_fault_over_a_very_long_line_has_no_more_carets_than_the_excerpt() -> None:
    shown, carets = excerpt("x" * 5000, at(1, 1, 1, 5001))
    assert len(carets) <= len(shown)


any_text = st.text(st.characters(), max_size=30)


@given(any_text, any_text, st.integers(1, 40), st.integers(1, 40))
@settings(max_examples=200, deadline=None)
def test_nothing_printed_can_move_the_cursor_or_turn_the_text(
    source: str, said: str, start: int, end: int
) -> None:
    span = Span(said, 1, start, 1, end)
    fault = Diagnostic("code", said, span=span, rule=said, notes=(said,), help=(said,), path=(said,))
    for output in (full([fault], {said: source}), concise([fault]), as_json([fault])):
        for char in output.replace("\n", ""):
            assert unicodedata.category(char)[0] != "C", hex(ord(char))
            assert char not in "\u2028\u2029"
    assert as_json([fault]).isascii()
    assert "\n" not in concise([fault])
