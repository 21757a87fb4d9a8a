"""Stacks in hexes, in boxes, and fanned out beside their hex.

In a hex they cover neither number nor plate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.report.plain import safe
from pbem.report.svg import units
from pbem.report.svg.canvas import Canvas, words
from pbem.report.svg.letters import EM, advance, number
from pbem.report.svg.sheet import FLAT, Form, Rect
from pbem.report.svg.units import Face

# where counters stand in a hex, by how many there are: (x, y, scale)
ALONE, PAIR, LEADING = (
    ((0.0, 2.0, 1.22),),
    ((-15.0, 2.0, 0.95), (15.0, 2.0, 0.95)),
    (
        (-13.4, -6.0, 0.88),
        (13.4, -6.0, 0.88),
    ),
)
PILL = 14.5  # the middle of the pill below the two of a tall stack, and how high it is:
PILL_HIGH = 12
BARS = 6
HEIGHTS = {"": 5.0, "I": 3.6, "II": 3.6, "III": 5.0, "X": 5.0}
"""The height of a bar by the size of the unit; larger units have the highest."""
HIGHEST = 7.4
CELL, ACROSS, LARGE = 34, 4, 12
"""Of a fan: room for a counter, how many beside each other, and how many make it wider."""
SCALES = (1.35, 1.1, 0.9, 0.7, 0.55)
"""Sizes of counters in a fan; the largest that fits on the drawing is used."""
STEP = 36  # from counter to counter in a pool


def stack(canvas: Canvas, ids: Sequence[str], x: int, y: int) -> str:
    """Return the counters of a hex: one or two, or the two that matter most and how many are below them."""
    every = units.faces(canvas, ids)
    shown = leading(every)
    hidden = [face for face in every if face not in shown]
    places = ALONE if len(every) == 1 else LEADING if hidden else PAIR
    drawn = "".join(
        _use(units.counter(canvas, face), x + dx, y + dy, scale)
        for face, (dx, dy, scale) in zip(shown, places, strict=True)
    )
    return drawn + (_pill(canvas, hidden, x, y) if hidden else "")


def leading(every: Sequence[Face]) -> list[Face]:
    """Return the faces drawn of a stack: the first, and the first of another owner, or the next."""
    other = [face for face in every[1:] if face.owner != every[0].owner]
    return [every[0], *(other or every[1:])[:1]]


def _pill(canvas: Canvas, hidden: Sequence[Face], x: int, y: int) -> str:
    """Return how many more there are, and a bar for each of the first six in its owner's colour."""
    canvas.rule("more", "fill:#2b2720;stroke:#f7f2e2;stroke-width:1")
    alike = [face for face in hidden for _ in range(face.count)]
    text, size = f"+{len(alike)}", 9.6
    wide, bars = advance(text) * size / EM, alike[:BARS]
    width = wide + 3.4 * len(bars) + 9
    left, middle = x - width / 2, y + PILL
    box = f'x="{number(left)}" y="{number(middle - PILL_HIGH / 2)}" width="{number(width)}"'
    drawn = f'<rect class="more" {box} height="{PILL_HIGH}" rx="6"/>'
    drawn += canvas.letters.text(text, left + 4, middle + 3.4, size, "start", ' fill="#fff"', single=True)
    at, paths = left + wide + 6, dict[str, str]()
    for face in bars:
        high = HEIGHTS.get(face.echelon, HIGHEST)
        path = f"M{number(at)} {number(middle - high / 2)}h2.6v{number(high)}h-2.6z"
        paths[face.owner] = paths.get(face.owner, "") + path
        at += 3.4
    for owner, path in paths.items():
        drawn += f'<path d="{path}" fill="{canvas.paint(owner)["bright"]}"/>'
    return f'<g class="pill">{drawn}</g>'


def pill_sample(canvas: Canvas, face: Face) -> str:
    """Return the sign of a tall stack, for the key."""
    single = replace(face, count=1)
    return _pill(canvas, [single, single], 0, -round(PILL))


def pool(canvas: Canvas, ids: Sequence[str], room: Rect) -> str:
    """Return counters in a box or an area: rows of them, all shown, for it is as high as they need."""
    shown = units.faces(canvas, ids)
    across = min(len(shown), max(1, room.wide // STEP))
    left, top = room.x + (room.wide - across * STEP) // 2 + STEP // 2, room.y + STEP // 2 + 2
    return "".join(
        _use(units.counter(canvas, face), left + n % across * STEP, top + n // across * STEP, 1)
        for n, face in enumerate(shown)
    )


def _use(id: str, x: float, y: float, scale: float) -> str:
    size = "" if scale == 1 else f"scale({number(scale, 2)})"
    return f'<use href="#{id}" transform="translate({number(x)} {number(y)}){size}"/>'


# ---- fans ----------------------------------------------------------------------------------------


def fan(canvas: Canvas, hex: int, ids: Sequence[str]) -> str:
    """Return a panel beside a hex with all its counters, hidden until opened; empty for a single one."""
    every = units.faces(canvas, ids)
    if len(every) < 2:
        return ""
    chart, (x, y) = canvas.sheet.chart, canvas.sheet.centre(hex)
    form = FLAT if hex in canvas.sheet.rects else canvas.sheet.form(hex)
    across, scale, rect, tie = _panel(canvas, x, y, len(every), form)
    canvas.rule("fan", "display:none")
    canvas.rule("fan.m-open", "display:inline")
    canvas.rule("panel", "fill:#fffdf4;stroke:#1d1b16;stroke-width:1.6", "fill:#23221c;stroke:#f3eddb")
    canvas.rule("tie", "fill:none;stroke:#1d1b16;stroke-width:1.6", "stroke:#f3eddb")
    canvas.rule("plain", "fill:#2b2720", "fill:#f3eddb")
    id = chart.number(hex)
    named = safe(f"{id} {canvas.view.place_name(id)}".rstrip())[:36]
    title = canvas.letters.text(
        named, rect.x + 8, rect.y + 14, 11, "start", ' class="plain"', room=rect.wide - 14, single=True
    )
    if id in canvas.style.links:
        title = f'<a href="{words(canvas.style.links[id])}">{title}</a>'
    drawn = "".join(
        f'<use href="#{units.counter(canvas, face)}" x="{(2 * (n % across) + 1) * CELL // 2}"'
        f' y="{(2 * (n // across) + 1) * CELL // 2}"/>'
        for n, face in enumerate(every)
    )
    at = f"translate({rect.x + 6} {rect.y + 20})scale({scale})"
    room = f'x="{rect.x}" y="{rect.y}" width="{rect.wide}" height="{rect.high}"'
    panel = f'<rect class="panel" {room} rx="6"/>'
    around = f'<path class="tie" d="M{x} {y}{form.path}{tie}"/>'
    inner = f'<g class="all" transform="{at}">{drawn}</g>'
    return f'<g class="fan" data-fan="{words(id)}">{around}{panel}{title}{inner}</g>'


def _panel(canvas: Canvas, x: int, y: int, count: int, form: Form) -> tuple[int, float, Rect, str]:
    """Return how many counters stand beside each other in a fan, how large, where, and its tie.

    Rows of four; more than twelve counters take wider rows, and smaller counters where these do not fit on
    the drawing.
    """
    wide_room, deep = canvas.sheet.width, canvas.sheet.height
    best = 0, 0.0, Rect(0, 0, 0, 0), ""
    for scale in SCALES:
        for rows in (3, 4, 6, 9) if count > LARGE else (-(-count // ACROSS),):
            across = max(min(count, ACROSS), -(-count // rows))
            wide, high = (round(n * CELL * scale) for n in (across, -(-count // across)))
            rect, tie = _beside(canvas, x, y, max(wide + 12, 120), high + 24, form)
            best = across, scale, rect, tie
            if rect.x >= 0 <= rect.y and rect.x + rect.wide <= wide_room and rect.y + rect.high <= deep:
                return best
    return best


def _beside(canvas: Canvas, x: int, y: int, wide: int, high: int, form: Form) -> tuple[Rect, str]:
    """Return where a panel stands that hides no part of its hex, and the line that ties it to the hex."""
    wide_room, deep = canvas.sheet.width, canvas.sheet.height
    top = max(2, min(y - 40, deep - high - 2))
    aside, below = form.wide + 8, form.high + 8
    if x + aside + wide <= wide_room:
        return Rect(x + aside, top, wide, high), f"M{x + form.wide} {y}h8"
    if x - aside - wide >= 0:
        return Rect(x - aside - wide, top, wide, high), f"M{x - form.wide} {y}h-8"
    left = max(2, min(x - wide // 2, wide_room - wide - 2))
    if y + below + high <= deep:
        return Rect(left, y + below, wide, high), f"M{x} {y + form.high}v8"
    return Rect(left, y - below - high, wide, high), f"M{x} {y - form.high}v-8"
