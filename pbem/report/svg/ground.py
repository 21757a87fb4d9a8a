"""Rivers, roads and hex numbers: all that keeps exactly to the land."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.board.map import GameMap
from pbem.report.svg.canvas import Canvas
from pbem.report.svg.letters import EM, advance, together
from pbem.report.svg.look import palette
from pbem.report.svg.sheet import Part, polyline


def hexsides(canvas: Canvas, chart: GameMap) -> str:
    """Return lines along hexsides, or across them (bridges)."""
    made = ""
    for kind, line in canvas.look.part("hexsides").items():
        form = palette()["lines"].get(line, {})
        sides = [side for side in chart.hexsides(kind) if set(side) <= canvas.sheet.drawn]
        if not sides or not form:
            continue
        paths = []
        for a, b in sides:
            if form.get("across"):
                (ax, ay), (bx, by) = canvas.sheet.centre(a), canvas.sheet.centre(b)
                ends = ((3 * ax + 2 * bx) // 5, (3 * ay + 2 * by) // 5)
                paths.append(polyline([ends, ((2 * ax + 3 * bx) // 5, (2 * ay + 3 * by) // 5)]))
            else:
                paths.append(polyline(canvas.sheet.side_between(a, b)))
        made += strokes(canvas, line, form, "".join(paths))
    return made


def links(canvas: Canvas, chart: GameMap) -> str:
    """Return roads and rails through the middles of hexes, curved where a road only passes."""
    made = ""
    for network, line in canvas.look.part("links").items():
        form = palette()["lines"].get(line, {})
        inside = canvas.sheet.drawn
        paths: list[str] = []
        for hex in canvas.sheet.hexes:
            ends = [o for o in chart.links_from(network, hex) if o in inside and chart.adjacent(hex, o)]
            middles = [_middle(canvas, hex, other) for other in ends]
            x, y = canvas.sheet.centre(hex)
            if len(middles) == 2:
                (ax, ay), (bx, by) = middles
                paths.append(f"M{ax} {ay}Q{x} {y} {bx} {by}")
            else:
                paths += [polyline([(x, y), middle]) for middle in middles]
        if paths and form:
            made += strokes(canvas, line, form, "".join(paths))
    return made


def _middle(canvas: Canvas, a: int, b: int) -> tuple[int, int]:
    (ax, ay), (bx, by) = canvas.sheet.centre(a), canvas.sheet.centre(b)
    return (ax + bx) // 2, (ay + by) // 2


def strokes(canvas: Canvas, name: str, form: Mapping[str, object], path: str) -> str:
    """Return a line with its casing, its dashes or its sleepers."""
    wide = int(str(form.get("width", 3)))
    dash = f";stroke-dasharray:{form['dash']}" if "dash" in form else ""
    ends = "butt" if dash or form.get("across") else "round"
    base = f"fill:none;stroke-linejoin:round;stroke-linecap:{ends}"
    tone = canvas.rule(
        f"l-{name}", f"{base};stroke:{form['light']};stroke-width:{wide}{dash}", f"stroke:{form['dark']}"
    )
    below = ""
    if "casing" in form:
        case = canvas.rule(
            f"c-{name}", f"{base};stroke:{form['casing']};stroke-width:{wide + 2}", "stroke:#15140f"
        )
        below = f'<path class="{case}" d="{path}"/>'
    if form.get("ties"):
        ties = canvas.rule(
            f"s-{name}",
            f"fill:none;stroke:{form['light']};stroke-width:{wide + 5};stroke-dasharray:1.8 7.2",
            f"stroke:{form['dark']}",
        )
        below += f'<path class="{ties}" d="{path}"/>'
    return f'{below}<path class="{tone}" d="{path}"/>'


# ---- numbers -------------------------------------------------------------------------------------


def numbers(canvas: Canvas) -> str:
    """Return the number of every hex.

    On a whole sheet each row and each column is written once and used again.
    """
    edge = "stroke-width:64;stroke-linejoin:round;paint-order:stroke"
    canvas.rule("no", f"fill:#4e4833;stroke:#f6f1e0;stroke-opacity:.75;{edge}", "fill:#e2ddc6;stroke:#24231c")
    made = "".join(_numbers(canvas, part) for part in canvas.sheet.parts)
    return f'<g class="no">{made}</g>'


def _numbers(canvas: Canvas, part: Part) -> str:
    grid = part.sheet.grid
    size = canvas.style.number_size
    base = 25 if canvas.style.mail else 26  # of the base line above the middle of a hex
    wide = advance(grid.prefix + "0" * grid.digits + grid.separator) * size / EM

    def text(value: int, first: bool) -> str:
        padded = f"{value:0{grid.digits}}"
        return f"{grid.prefix}{padded}{grid.separator}" if first else padded

    def written(value: int, first: bool) -> str:
        inner = canvas.letters.text(text(value, first), 1 - wide if first else 1, 0, size, "start")
        return canvas.define(f"number {first} {text(value, first)}", f'<g id="@">{inner}</g>')

    def line(parts: list[tuple[int, bool, int, int]]) -> str:
        """Return the numbers of a row or a column."""
        if canvas.style.screen:
            texts = [(text(value, one), x + (1 - wide if one else 1), y) for value, one, x, y in parts]
            return together(texts, size)
        return "".join(f'<use href="#{written(value, one)}"{_x(x)} y="{y}"/>' for value, one, x, y in parts)

    found = ""
    if not part.whole:
        for hex in part.hexes:
            x, y = canvas.sheet.centre(hex)
            column, row = part.column_row(hex)
            for value, first in ((column, True), (row, False)):
                found += f'<use href="#{written(value, first)}" x="{x}" y="{y - base}"/>'
        return found
    columns = sorted({part.column_row(hex)[0] for hex in part.hexes})
    rows = sorted({part.column_row(hex)[1] for hex in part.hexes})
    down = [(row, False, 0, y) for row, y in zip(rows, part.offsets, strict=True)]
    along = [(column, True, x, y - base) for column, (x, y) in zip(columns, part.tops, strict=True)]
    id_down = canvas.define(f"rows {part.sheet.name}", f'<g id="@">{line(down)}</g>')
    id_along = canvas.define(f"columns {part.sheet.name}", f'<g id="@">{line(along)}</g>')
    found = "".join(f'<use href="#{id_along}" y="{y}"/>' for y in part.offsets)
    return found + "".join(f'<use href="#{id_down}" x="{x}" y="{y - base}"/>' for x, y in part.tops)


def _x(x: int) -> str:
    return f' x="{x}"' if x else ""
