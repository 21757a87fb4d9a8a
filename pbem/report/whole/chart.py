"""A chart of lines that go in steps, as an SVG without floats: what everybody holds, stage by stage.

Colours are not needed to read it: each line has a pattern of its own, and its name at its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pbem.report.plain import safe
from pbem.text.dataclass import dataclass

WIDTH, HEIGHT = 1280, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 290, 44, 50
PATTERNS = ("none", "22 8", "6 8", "22 8 6 8", "2 8", "30 6 2 6")
ASIDE = 9  # how far lines of one height are apart
LETTER = 26  # height of a line of text


@dataclass(frozen=True)
class Line:
    """One line: a name, a colour, and a number for each place on the axis."""

    name: str
    colour: str
    values: Sequence[int]


@dataclass(frozen=True)
class Flag:
    """A numbered event at a place on the axis, with a link."""

    at: int
    href: str
    title: str


def lead(
    above: Line, below: Line, marks: Sequence[tuple[int, str]], title: str, flags: Sequence[Flag] = ()
) -> str:
    """Return a chart of the lead of one over the other; "" if there is nothing to draw.

    The area is over the middle line for `above`, under it for `below`.
    """
    values = [a - b for a, b in zip(above.values, below.values, strict=True)]
    most = max((abs(value) for value in values), default=0)
    if len(values) < 2 or most < 1:
        return ""
    middle, half = (HEIGHT - BOTTOM + TOP) // 2, (HEIGHT - BOTTOM - TOP) // 2
    heights = [middle - value * half // most for value in values]
    path = _stairs(heights)
    body = _marks(marks, len(values))
    for line, parts in (
        (above, [min(height, middle) for height in heights]),
        (below, [max(height, middle) for height in heights]),
    ):
        body += f'<path d="{_stairs(parts)}V{middle}H{LEFT}z" fill="{escape(line.colour)}"/>'
    body += f'<path d="M{LEFT} {middle}H{WIDTH - RIGHT}" stroke="currentColor" stroke-width="2"/>'
    body += f'<path d="{path}" stroke="currentColor" stroke-width="3"/>'
    for value, y in ((most, TOP), (0, middle), (most, HEIGHT - BOTTOM)):
        body += _text(LEFT - 12, y + 9, f"+{value}" if value else "0", "end")
    for line, y in ((above, TOP + 22), (below, HEIGHT - BOTTOM - 8)):
        body += _text(WIDTH - RIGHT + 14, y, f"{safe(line.name, 12)} {line.values[-1]}")
    return _whole(body + _flags(flags, len(values)), title, flags)


def _stairs(heights: Sequence[int]) -> str:
    """Return a path of steps that rises where the next place begins."""
    path = f"M{_x(0, len(heights))} {heights[0]}"
    for place, height in enumerate(heights[1:], 1):
        path += f"H{_x(place, len(heights))}V{height}"
    return path


def _whole(body: str, title: str, flags: Sequence[Flag]) -> str:
    """Return the picture, with the role of an image, or of a group if it has links."""
    role = "group" if flags else "img"
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="{role}" aria-label="{escape(safe(title))}" '
        f'fill="none" stroke-linejoin="round">{body}</svg>'
    )


def _flags(flags: Sequence[Flag], count: int) -> str:
    """Return numbers in circles along the top, without overlap."""
    made, free = "", 0
    for number, flag in sorted(enumerate(flags, 1), key=lambda numbered: (numbered[1].at, numbered[0])):
        x = max(_x(flag.at, count), free)
        free = x + 44
        name = escape(f"{number}. {safe(flag.title)}")
        made += (
            f'<a href="{escape(flag.href)}" class="flag" aria-label="{name}"><title>{name}</title>'
            f'<circle cx="{x}" cy="21" r="20" fill="#ffd23f" stroke="#5a1e0e" stroke-width="2"/>'
            f'\n<text x="{x}" y="30" text-anchor="middle" fill="#3a1206">{number}</text></a>'
        )
    return made


def steps(
    lines: Sequence[Line], marks: Sequence[tuple[int, str]], title: str, flags: Sequence[Flag] = ()
) -> str:
    """Return the chart, or "" if there is nothing to draw.

    `marks` are places on the axis, with a word each.
    """
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
        body += _text(WIDTH - RIGHT + 14, end + 9, f"{safe(line.name, 12)} {line.values[-1]}")
    return _whole(body + _flags(flags, count), title, flags)


def _x(place: int, count: int) -> int:
    return LEFT + place * (WIDTH - LEFT - RIGHT) // (count - 1)


def _y(value: int, most: int) -> int:
    return HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM) // most


def _path(values: Sequence[int], count: int, most: int, aside: int) -> str:
    """Return the steps of a line; `aside` shifts them so that equal lines do not overlap."""
    path = f"M{_x(0, count)} {_y(values[0], most) + aside}"
    for place, value in enumerate(values[1:], 1):
        path += f"H{_x(place, count)}"
        if value != values[place - 1]:
            path += f"V{_y(value, most) + aside}"
    return path


def _grid(most: int) -> str:
    """Return lines for zero, half and the maximum."""
    made = ""
    for value in sorted({0, most // 2, most}):
        y = _y(value, most)
        made += f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="currentColor" opacity=".25"/>'
        made += _text(LEFT - 12, y + 9, str(value), "end")
    return made


def _marks(marks: Sequence[tuple[int, str]], count: int) -> str:
    """Return vertical lines, with those words that have room."""
    made, free = "", 0
    for place, word in marks:
        x = _x(place, count)
        made += f'<path d="M{x} {TOP}V{HEIGHT - BOTTOM}" stroke="currentColor" opacity=".25"/>'
        shown = safe(word, 20)
        if x >= free:
            made += _text(x, HEIGHT - 12, shown)
            free = x + 18 * len(shown) + 20
    return made


def _apart(ends: Sequence[int]) -> list[int]:
    """Return heights for names beside the ends of lines, without overlap."""
    heights = list(ends)
    taken = -LETTER
    for place in sorted(range(len(ends)), key=lambda n: (ends[n], n)):
        heights[place] = taken = max(ends[place], taken + LETTER)
    lowest = HEIGHT - BOTTOM
    for place in sorted(range(len(ends)), key=lambda n: -heights[n]):
        heights[place] = min(heights[place], lowest)
        lowest = heights[place] - LETTER
    return heights


def _text(x: int, y: int, text: str, anchor: str = "start") -> str:
    # text browsers print the words of a drawing: each on its own
    return f'\n<text x="{x}" y="{y}" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'
