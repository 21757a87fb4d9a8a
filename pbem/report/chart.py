"""A chart of lines that go in steps, as an SVG without floats: what everybody holds, stage by stage.

Colours are not needed to read it: each line has a pattern of its own, and its name at its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pbem.report.plain import safe
from pbem.text.dataclass import dataclass

WIDTH, HEIGHT = 1280, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 170, 20, 50
PATTERNS = ("none", "22 8", "6 8", "22 8 6 8", "2 8", "30 6 2 6")
ASIDE = 9  # how far lines of one height are apart
LETTER = 26  # height of a line of text


@dataclass(frozen=True)
class Line:
    """One line: a name, a colour, and a number for each place on the axis."""

    name: str
    colour: str
    values: Sequence[int]


def steps(lines: Sequence[Line], marks: Sequence[tuple[int, str]], title: str) -> str:
    """The chart; empty where there is nothing to draw. `marks` are places on the axis, with a word each."""
    count = max((len(line.values) for line in lines), default=0)
    most = max((value for line in lines for value in line.values), default=0)
    if count < 2 or most < 1:
        return ""
    body = _grid(most) + _marks(marks, count)
    ends = _apart([_y(line.values[-1], most) for line in lines])
    for number, (line, end) in enumerate(zip(lines, ends, strict=True)):
        aside = ASIDE * (2 * number - len(lines) + 1) // 2
        path = _path(line.values, count, most, aside)
        dash = PATTERNS[number % len(PATTERNS)]
        body += f'<path d="{path}" stroke="{escape(line.colour)}" stroke-width="9" opacity=".55"/>'
        body += f'<path d="{path}" stroke="currentColor" stroke-width="3" stroke-dasharray="{dash}"/>'
        body += _text(WIDTH - RIGHT + 14, end + 9, f"{safe(line.name, 10)} {line.values[-1]}")
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(safe(title))}" '
        f'fill="none" stroke-linejoin="round">{body}</svg>'
    )


def _x(place: int, count: int) -> int:
    return LEFT + place * (WIDTH - LEFT - RIGHT) // (count - 1)


def _y(value: int, most: int) -> int:
    return HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM) // most


def _path(values: Sequence[int], count: int, most: int, aside: int) -> str:
    """The steps; `aside` moves them a little, so that lines of one height stand beside each other."""
    path = f"M{_x(0, count)} {_y(values[0], most) + aside}"
    for place, value in enumerate(values[1:], 1):
        path += f"H{_x(place, count)}"
        if value != values[place - 1]:
            path += f"V{_y(value, most) + aside}"
    return path


def _grid(most: int) -> str:
    """Lines for nothing, for the half and for the most."""
    found = ""
    for value in sorted({0, most // 2, most}):
        y = _y(value, most)
        found += f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="currentColor" opacity=".25"/>'
        found += _text(LEFT - 12, y + 9, str(value), "end")
    return found


def _marks(marks: Sequence[tuple[int, str]], count: int) -> str:
    """Upright lines, with those words that have room."""
    found, free = "", 0
    for place, word in marks:
        x = _x(place, count)
        found += f'<path d="M{x} {TOP}V{HEIGHT - BOTTOM}" stroke="currentColor" opacity=".25"/>'
        shown = safe(word, 20)
        if x >= free:
            found += _text(x, HEIGHT - 12, shown)
            free = x + 14 * len(shown) + 20
    return found


def _apart(ends: Sequence[int]) -> list[int]:
    """The heights at which names stand beside the ends of lines, none over another."""
    found = list(ends)
    taken = -LETTER
    for place in sorted(range(len(ends)), key=lambda n: (ends[n], n)):
        found[place] = taken = max(ends[place], taken + LETTER)
    lowest = HEIGHT - BOTTOM
    for place in sorted(range(len(ends)), key=lambda n: -found[n]):
        found[place] = min(found[place], lowest)
        lowest = found[place] - LETTER
    return found


def _text(x: int, y: int, text: str, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'
