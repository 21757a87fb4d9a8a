"""Charts of lines in steps: readable without colours, the same bytes for the same figures."""

from __future__ import annotations

import itertools
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.report.whole.chart import HEIGHT, LETTER, PATTERNS, Flag, Line, lead, steps

RED, BLUE = Line("Red", "#a00", [6, 6, 7, 7]), Line("Blue", "#00a", [6, 7, 7, 7])


def heights(chart: str) -> list[int]:
    """How high the names at the ends of the lines stand."""
    return sorted(int(y) for y, _ in re.findall(r'y="(\d+)" text-anchor="start"[^>]*>(\w+ \d+)<', chart))


def test_each_line_has_a_pattern_and_its_name_and_last_figure_at_its_end() -> None:
    chart = steps([RED, BLUE], [(0, "Turn 1"), (3, "Turn 2")], "What they held")
    assert [f'stroke-dasharray="{pattern}"' in chart for pattern in PATTERNS[:3]] == [True, True, False]
    for text in (">Red 7<", ">Blue 7<", ">Turn 1<", ">Turn 2<", 'aria-label="What they held"'):
        assert text in chart


def test_lines_of_one_height_stand_beside_each_other() -> None:
    matches = re.findall(r'd="(M[^"]*)" stroke="#', steps([RED, RED], [], "x"))
    assert len(matches) == 2 and matches[0] != matches[1]


def test_nothing_is_drawn_where_there_is_nothing() -> None:
    assert steps([], [], "x") == "" == steps([Line("a", "#000", [0, 0])], [], "x")
    assert steps([Line("a", "#000", [3])], [], "x") == ""


def test_names_are_text_and_nothing_else() -> None:
    chart = steps([Line("<b>&", "#000", [1, 2]), BLUE], [(0, "<i>")], '"><script>')
    assert "<b>" not in chart and "<i>" not in chart and "<script>" not in chart


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(0, 40), min_size=3, max_size=3), min_size=1, max_size=6))
def test_names_at_the_ends_never_cover_each_other(values: list[list[int]]) -> None:
    chart = steps([Line(f"P{n}", "#000", one) for n, one in enumerate(values)], [], "x")
    found = heights(chart)
    assert all(b - a >= LETTER for a, b in itertools.pairwise(found))
    assert all(0 < y < HEIGHT for y in found)
    assert chart == "" or len(found) == len(values)


def test_who_is_ahead_lies_above_or_below_the_middle() -> None:
    chart = lead(Line("Red", "#a00", [0, 4, 1]), Line("Blue", "#00a", [0, 0, 3]), [(1, "Turn 1")], "Lead")
    (path,) = re.findall(r'<path d="([^"]*)" stroke="currentColor" stroke-width="3"', chart)
    start, *rises = [int(y) for y in re.findall(r"(?:M[0-9]+ |V)([0-9]+)", path)]
    assert rises[0] < start < rises[1], "red is ahead by 4, then blue by 2"
    assert abs(start - rises[0] - 2 * (rises[1] - start)) <= 2
    for text in (">Red 1<", ">Blue 3<", ">+4<", ">Turn 1<", 'role="img"'):
        assert text in chart
    assert lead(RED, RED, [], "x") == ""


def test_flags_lead_to_what_happened_and_do_not_cover_each_other() -> None:
    flags = [
        Flag(1, "stages/0001.html#battle-1", "0404 <Sill>"),
        Flag(1, "stages/0001.html#battle-2", "0505"),
    ]
    for chart in (steps([RED, BLUE], [], "x", flags), lead(RED, BLUE, [], "x", flags)):
        assert 'href="stages/0001.html#battle-2"' in chart and 'aria-label="1. 0404 &lt;Sill&gt;"' in chart
        one, other = (int(x) for x in re.findall(r'<circle cx="(\d+)"', chart))
        assert other - one >= 40 and 'role="group"' in chart
