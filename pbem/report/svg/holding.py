"""Control as a tint with a band inside its border, and the front as a line with two sides."""

from __future__ import annotations

from pbem.report.control import front_of, held, is_water
from pbem.report.svg.canvas import Canvas
from pbem.report.svg.sheet import Point, polyline

TEETH = ("M-6 0a6 6 0 0 1 12 0z", "M-4 0v-6h8v6z")
"""The teeth of a front towards the ground of the first side and of the second."""


def control(canvas: Canvas) -> str:
    """Return each holder's tint, and a band inside the border of their land, not along coasts and edges."""
    drawn = ""
    dry = {hex for hex in canvas.sheet.hexes if not is_water(canvas.view, hex)}
    for power, hexes in held(canvas.view, canvas.sheet.hexes).items():
        n, colours = canvas.owners.index(power), canvas.paint(power)
        tint = canvas.rule(
            f"ct{n}", f"fill:{colours['line']};fill-opacity:.1", f"fill:{colours['bright']};fill-opacity:.1"
        )
        band = canvas.rule(
            f"ci{n}",
            f"fill:none;stroke:{colours['line']};stroke-width:15;stroke-opacity:.34;stroke-linejoin:round",
            f"stroke:{colours['bright']};stroke-opacity:.38",
        )
        area = canvas.define(f"held {power}", f'<path id="@" d="{canvas.sheet.outline(hexes)}"/>')
        drawn += f'<use class="{tint}" href="#{area}"/>'
        border = canvas.sheet.outline(hexes, dry)
        if border:
            clip = canvas.define(f"held clip {power}", f'<clipPath id="@"><use href="#{area}"/></clipPath>')
            drawn += f'<g clip-path="url(#{clip})"><path class="{band}" d="{border}"/></g>'
    return f'<g class="off">{drawn}</g>' if drawn else ""


def holders(canvas: Canvas) -> list[str]:
    """Return those whose tint is on the drawing."""
    return [power for power in canvas.owners if canvas.uses(f"ct{canvas.owners.index(power)}")]


def front(canvas: Canvas) -> str:
    """Return the front along its hexsides: half-rounds on one side's ground, squares on the other's."""
    sides = [side for side in front_of(canvas.view) if set(side) <= canvas.sheet.drawn]
    if not sides:
        return ""
    rules(canvas)
    lines, teeth = "".join(chains([canvas.sheet.side_between(a, b) for a, b in sides])), ""
    for a, b in sides:
        first, second = sorted((a, b), key=lambda hex: _rank(canvas, hex))
        for hex, other, shape in ((first, second, 0), (second, first, 1)):
            teeth += _tooth(canvas, hex, other, shape)
    return f'<g class="off"><path class="fe" d="{lines}"/>{teeth}<path class="fl" d="{lines}"/></g>'


def rules(canvas: Canvas) -> None:
    """Return the lines of a front."""
    ends = "stroke-linecap:round;stroke-linejoin:round"
    canvas.rule("fe", f"fill:none;stroke:#fffdf4;stroke-width:8;stroke-opacity:.85;{ends}", "stroke:#14130f")
    canvas.rule("fl", f"fill:none;stroke:#1d1b16;stroke-width:3.2;{ends}", "stroke:#fffdf4")
    canvas.rule("ft", "stroke:#fffdf4;stroke-width:.8", "stroke:#14130f")


def _rank(canvas: Canvas, hex: int) -> tuple[int, int]:
    power = canvas.view.holder(canvas.sheet.chart.number(hex))
    return (canvas.owners.index(power) if power in canvas.owners else len(canvas.owners)), hex


def _tooth(canvas: Canvas, hex: int, other: int, shape: int) -> str:
    """Return the mark of the front on the ground of a hex, a third of the way along the hexside."""
    direction = canvas.sheet.chart.direction(hex, other)
    assert direction is not None
    (ax, ay), (bx, by) = canvas.sheet.side(hex, direction)
    x, y = (2 * ax + bx) / 3, (2 * ay + by) / 3
    turn = canvas.sheet.form(hex).turns[direction] + 180
    tooth = canvas.define(
        f"tooth {shape} {turn}", f'<path id="@" d="{TEETH[shape]}" transform="rotate({turn})"/>'
    )
    power = canvas.view.holder(canvas.sheet.chart.number(hex)) or ""
    canvas.owner_class(power)
    n = canvas.owners.index(power) if power in canvas.owners else len(canvas.owners)
    return f'<use class="o{n}f ft" href="#{tooth}" x="{round(x)}" y="{round(y)}"/>'


def chains(sides: list[tuple[Point, Point]]) -> list[str]:
    """Return sides that meet as one line each; where three meet, lines end."""
    return [polyline(line) for line in lines(sides)]


def lines(sides: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Return sides that meet as lines of points; a ring ends where it begins."""
    ends: dict[Point, list[Point]] = {}
    for a, b in sides:
        ends.setdefault(a, []).append(b)
        ends.setdefault(b, []).append(a)
    left = {frozenset(side) for side in sides}
    drawn = []
    for start in sorted(ends, key=lambda point: (len(ends[point]) == 2, point)):
        for step in sorted(ends[start]):
            line = [start]
            while frozenset((line[-1], step)) in left:
                left.discard(frozenset((line[-1], step)))
                line.append(step)
                onward = [point for point in ends[step] if frozenset((step, point)) in left]
                if len(ends[step]) != 2 or not onward:
                    break
                step = onward[0]
            if len(line) > 1:
                drawn.append(line)
    return drawn


def tint_sample(canvas: Canvas, power: str) -> str:
    """Return ground that somebody holds, for the key."""
    n, box = canvas.owners.index(power), "M-18-10h36v20h-36z"
    canvas.rule("cs", "stroke-width:8")
    return (
        f'<path class="base" d="{box}"/><path class="ct{n}" d="{box}"/><path class="ci{n} cs" d="M-18-6h36"/>'
    )


def front_sample(canvas: Canvas) -> str:
    """Return a piece of front, for the key."""
    rules(canvas)
    shapes = f'<path d="{TEETH[0]}" transform="translate(-9 0)"/>'
    shapes += f'<path d="{TEETH[1]}" transform="translate(9 0)rotate(180)"/>'
    return f'<path class="fe" d="M-18 0h36"/><g class="plain">{shapes}</g><path class="fl" d="M-18 0h36"/>'
