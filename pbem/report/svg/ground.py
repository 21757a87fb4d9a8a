"""Rivers, roads and hex numbers, which keep exactly to the grid."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.board.hexes import HexGrid
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
    classes: list[str] = []
    if "casing" in form:
        case = f"{base};stroke:{form['casing']};stroke-width:{wide + 2}"
        classes.append(canvas.rule(f"c-{name}", case, "stroke:#15140f"))
    if form.get("ties"):
        ties = canvas.rule(
            f"s-{name}",
            f"fill:none;stroke:{form['light']};stroke-width:{wide + 5};stroke-dasharray:1.8 7.2",
            f"stroke:{form['dark']}",
        )
        classes.append(ties)
    if not classes:
        return f'<path class="{tone}" d="{path}"/>'
    once = canvas.define(f"line {path}", f'<path id="@" d="{path}"/>')
    return "".join(f'<use class="{style}" href="#{once}"/>' for style in (*classes, tone))


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
    numbering = grid.numbering
    before = numbering.order
    ends = {"column": numbering.columns, "row": numbering.rows}
    longest = max(advance(ends[before].text(n)) for n in _extent(grid, before))
    wide = (advance(numbering.prefix + numbering.separator) + longest) * size / EM

    def text(value: int, first: bool) -> str:
        """Return the part of a number that stands first, with what is before it and between, or the other."""
        axis = before if first else ("row" if before == "column" else "column")
        digits = ends[axis].text(value)
        return f"{numbering.prefix}{digits}{numbering.separator}" if first else digits

    def written(value: int, first: bool) -> str:
        inner = canvas.letters.text(text(value, first), 1 - wide if first else 1, 0, size, "start")
        return canvas.define(f"number {first} {text(value, first)}", f'<g id="@">{inner}</g>')

    def line(parts: list[tuple[int, bool, int, int]]) -> str:
        """Return the numbers of a row or a column."""
        if canvas.style.screen:
            texts = [(text(value, down), x + (1 - wide if down else 1), y) for value, down, x, y in parts]
            return together(texts, size)
        return "".join(f'<use href="#{written(value, down)}"{_x(x)} y="{y}"/>' for value, down, x, y in parts)

    drawn = ""
    if not part.whole:
        for hex in part.hexes:
            x, y = canvas.sheet.centre(hex)
            column, row = part.column_row(hex)
            for value, first in ((column, before == "column"), (row, before == "row")):
                drawn += f'<use href="#{written(value, first)}" x="{x}" y="{y - base}"/>'
        return drawn
    lines, places = ("row", "column") if grid.pointy else ("column", "row")
    own = {"column": sorted({part.column_row(hex)[0] for hex in part.hexes})}
    own["row"] = sorted({part.column_row(hex)[1] for hex in part.hexes})
    along = [(value, before == places, *to) for value, to in zip(own[places], part.offsets, strict=True)]
    heads = [(x, y - base) for x, y in part.heads]
    across = [(value, before == lines, *at) for value, at in zip(own[lines], heads, strict=True)]
    id_along = canvas.define(f"{places}s {part.sheet.name}", f'<g id="@">{line(along)}</g>')
    id_across = canvas.define(f"{lines}s {part.sheet.name}", f'<g id="@">{line(across)}</g>')
    drawn = "".join(f'<use href="#{id_across}"{_x(x)} y="{y}"/>' for x, y in part.offsets)
    return drawn + "".join(f'<use href="#{id_along}" x="{x}" y="{y}"/>' for x, y in heads)


def _extent(grid: HexGrid, axis: str) -> range:
    """Return the numbers of an axis of a sheet."""
    first, count = (grid.first_column, grid.columns) if axis == "column" else (grid.first_row, grid.rows)
    return range(first, first + count)


def _x(x: int) -> str:
    return f' x="{x}"' if x else ""
