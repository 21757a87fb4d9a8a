"""Boxes and areas on the drawing: rectangles with their names and counters, and lines for links.

An area that has hexes lies over them where they leave room, and its border is drawn around them. All others
stand in rows below the sheets, or in columns beside them where the sheets are higher than wide; `look.yaml`
may put any of them elsewhere. The boxes of an area stand in its rectangle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isqrt

from pbem.board.map import GameMap
from pbem.report.control import is_water
from pbem.report.plain import safe
from pbem.report.svg import ground, terrain
from pbem.report.svg.canvas import Canvas, words
from pbem.report.svg.holding import chains
from pbem.report.svg.letters import EM, advance
from pbem.report.svg.look import Look, palette
from pbem.report.svg.sheet import ACROSS, HALF_HEIGHT, HALF_WIDTH, TITLE, Fields, Point, Rect, polyline

WIDE, LABEL = 96, 14  # a plaque, and the strip for its name
CELL_WIDE, CELLS = 82, 3  # a box in the plaque of an area; so many beside each other
FULL = 76  # height of a plaque, and of each row of its boxes, that is neither empty nor crowded
EMPTY, ROW = 24, 36  # room below the name: without counters, and for each row of them
SPACE = 16  # between plaques
OPEN = 46  # the same where links join them
HEX_AREA = 4200
DASHES = ("", "6 3", "2 3", "9 3 2 3", "12 4")
MOST_LETTERS = 44
"""Letters of a name on a plaque; longer ones get no shorter by narrower letters."""
SIZE = 9.0
REGION = "fill:none;stroke:#3f6f94;stroke-width:3;stroke-dasharray:14 5"


# ---- where they lie ------------------------------------------------------------------------------


def arrange(
    chart: GameMap, look: Look, fields: Fields, counts: Mapping[int, int] | None = None
) -> dict[int, Rect]:
    """Return the rectangle of every box and area, in the order of the map.

    `counts` says how many counters are drawn in each, so that it is as high as they need.
    """
    counts = counts or {}
    tops = [*chart.areas, *(box for box in chart.boxes if owner(chart, box) is None)]
    sizes = {i: _size(chart, i, look, counts) for i in tops}
    placed: dict[int, Rect] = {}
    for i in tops:
        at = look.part("locations").get(chart.number(i), {}).get("at")
        full = sizes[i][0], max(sizes[i][1], FULL * (1 + len(_rows(chart, i, counts))))
        spot = _corner(fields, at) if at is not None else _over(chart, fields, i, full, placed)
        if spot is not None and at is None:
            spot = spot[0], spot[1] + (full[1] - sizes[i][1]) // 2
        if spot is not None:
            placed[i] = Rect(*spot, *sizes[i])
    left = {i: size for i, size in sizes.items() if i not in placed}
    linked = any(near in left for i in left for near in chart.neighbours(i))
    _tray(fields, left, placed, linked)
    for i in list(placed):
        rows = _rows(chart, i, counts)
        y = placed[i].y + placed[i].high - sum(high for _, high in rows)
        for row, high in rows:
            for n, box in enumerate(row):
                placed[box] = Rect(placed[i].x + n * CELL_WIDE, y, CELL_WIDE, high)
            y += high
    return dict(sorted(placed.items()))


def owner(chart: GameMap, box: int) -> int | None:
    """Return the area that contains this box, or None."""
    entry = chart.entry(box)
    of = entry.data.get("of") if entry is not None else None
    return chart.get(of) if isinstance(of, str) else None


def inner(chart: GameMap, area: int) -> list[int]:
    """Return the boxes of an area."""
    return [box for box in chart.boxes if owner(chart, box) == area]


def _size(chart: GameMap, i: int, look: Look, counts: Mapping[int, int]) -> Point:
    """Return width and height: room for name and counters, or what the look says, and for the boxes."""
    own = look.part("locations").get(chart.number(i), {}).get("size")
    rows = _rows(chart, i, counts)
    wide = max([WIDE, *(len(row) * CELL_WIDE for row, _ in rows)])
    high = 0
    if own is not None:
        wide, high = max(wide, own[0] * ACROSS), own[1] * 2 * HALF_HEIGHT
    bare = LABEL if rows and not counts.get(i) else _high(counts.get(i, 0), wide)
    return wide, max(high, bare) + sum(high for _, high in rows)


def _rows(chart: GameMap, area: int, counts: Mapping[int, int]) -> list[tuple[list[int], int]]:
    """Return the boxes of an area in rows, each with its height."""
    boxes = inner(chart, area)
    rows = [boxes[n : n + CELLS] for n in range(0, len(boxes), CELLS)]
    return [(row, max(_high(counts.get(box, 0), CELL_WIDE) for box in row)) for row in rows]


def _high(count: int, wide: int) -> int:
    """Return the height of a plaque with so many counters."""
    return LABEL + (-(-count // max(1, wide // ROW)) * ROW + 6 if count else EMPTY)


def _corner(fields: Fields, at: Sequence[int]) -> Point:
    """Return the corner that a look gives in columns and rows from the corner of the sheets."""
    bounds = _all(fields)
    return bounds.x + at[0] * ACROSS, bounds.y + at[1] * 2 * HALF_HEIGHT


def _all(fields: Fields) -> Rect:
    bounds = Rect(0, 0, 0, 0)
    for n, bound in enumerate(fields.bounds.values()):
        bounds = bound if n == 0 else bounds.around(bound)
    return bounds


def _over(chart: GameMap, fields: Fields, area: int, size: Point, placed: Mapping[int, Rect]) -> Point | None:
    """Return the middle hex of an area if a plaque there hides only its hexes, else None."""
    hexes = chart.area_hexes(_layer(chart, area), chart.number(area)) if chart.kind(area) == "area" else ()
    if len(hexes) * HEX_AREA < 2 * size[0] * size[1]:
        return None
    own, centres = set(hexes), {hex: fields.centre(hex) for hex in hexes}
    bounds = _hexes_around(chart, fields, hexes[0])
    middle = [sum(point[n] for point in centres.values()) // len(centres) for n in (0, 1)]
    best: tuple[int, int] | None = None
    for hex, (x, y) in centres.items():
        rect = Rect(x - size[0] // 2, y - size[1] // 2, *size)
        far = (x - middle[0]) ** 2 + (y - middle[1]) ** 2
        if best is not None and best <= (far, hex):
            continue
        near = chart.within(hex, max(size) // ACROSS + 1)
        hidden = any(_covers(rect, fields.centre(other)) for other in near if other not in own)
        if not hidden and rect.around(bounds) == bounds and not any(map(rect.meets, placed.values())):
            best = far, hex
    if best is None:
        return None
    x, y = centres[best[1]]
    return x - size[0] // 2, y - size[1] // 2


def _hexes_around(chart: GameMap, fields: Fields, hex: int) -> Rect:
    """Return the rectangle of the field of a hex, without the strip for titles."""
    sheet = chart.sheet(hex)
    assert sheet is not None
    drawn, strip = fields.bounds[sheet.field], TITLE if fields.titled else 0
    return Rect(drawn.x, drawn.y + strip, drawn.wide, drawn.high - strip)


def _covers(rect: Rect, point: Point) -> bool:
    """Return True if a rectangle would hide much of the hex with this middle."""
    across = rect.x - HALF_WIDTH // 2 < point[0] < rect.x + rect.wide + HALF_WIDTH // 2
    return across and rect.y - HALF_HEIGHT // 2 < point[1] < rect.y + rect.high + HALF_HEIGHT // 2


def _layer(chart: GameMap, area: int) -> str:
    entry = chart.entry(area)
    assert entry is not None
    return entry.kind


def _tray(fields: Fields, sizes: Mapping[int, Point], placed: dict[int, Rect], linked: bool) -> None:
    """Place rectangles in rows below the sheets, in columns beside them, or in a square without hexes.

    Plaques that are `linked` with each other have room for the lines.
    """
    bounds = _all(fields)
    for rect in placed.values():
        bounds = bounds.around(rect)
    bare = not fields.bounds
    space = OPEN if linked else SPACE
    most = max(isqrt(len(sizes)) + 1, 1) * (WIDE + space) if bare else max(bounds.wide, 4 * WIDE)
    beside = not bare and bounds.high > bounds.wide
    most = max(bounds.high, 4 * WIDE) if beside else most
    along, across, deep = 0, 0, 0
    for i, (wide, high) in sizes.items():
        length, depth = (high, wide) if beside else (wide, high)
        if along and along + length > most:
            along, across, deep = 0, across + deep + space, 0
        x, y = (across, along) if beside else (along, across)
        start = (
            (bounds.x + bounds.wide + space, bounds.y)
            if beside
            else (bounds.x, bounds.y + bounds.high + space)
        )
        placed[i] = Rect(start[0] + x, start[1] + y, wide, high)
        along, deep = along + length + space, max(deep, depth)


# ---- how they are drawn --------------------------------------------------------------------------


def borders(canvas: Canvas, chart: GameMap) -> str:
    """Return the borders of areas that are locations, and of the look's layers, with their names."""
    drawing = ""
    own: dict[str, list[int]] = {}
    for area in chart.areas if canvas.sheet.rects else ():
        drawn = canvas.sheet.drawn
        hexes = [h for h in chart.area_hexes(_layer(chart, area), chart.number(area)) if h in drawn]
        if hexes:
            own[chart.number(area)] = hexes
            covered = any(map(canvas.sheet.rects[area].holds, map(canvas.sheet.centre, hexes)))
            drawing += "" if covered else _name(canvas, hexes, chart.name(area) or chart.number(area))
    if path := _between_areas(canvas, own):
        canvas.rule("region", REGION, "stroke:#8fbfe2")
        drawing += f'<path class="region" d="{path}"/>'
    for layer, line in canvas.look.part("layers").items():
        form, areas = palette()["lines"].get(line, {}), _areas(canvas, chart, layer)
        if areas and form:
            drawing += ground.strokes(canvas, line, form, _between_areas(canvas, areas))
            drawing += "".join(_name(canvas, hexes, area) for area, hexes in areas.items())
    return drawing


def _between_areas(canvas: Canvas, areas: Mapping[str, Sequence[int]]) -> str:
    """Return the borders of areas against each other and against what is in none.

    Coasts and the edge of the map show by themselves where an area ends.
    """
    chart, of = canvas.sheet.chart, {hex: area for area, hexes in areas.items() for hex in hexes}
    sides = [
        canvas.sheet.side_between(*sorted((hex, other)))
        for hex, area in sorted(of.items())
        for other in chart.beside(hex)
        if other in canvas.sheet.drawn
        and of.get(other) != area
        and (hex < other or other not in of)
        and is_water(canvas.view, hex) == is_water(canvas.view, other)
    ]
    return "".join(chains(sides))


def _areas(canvas: Canvas, chart: GameMap, layer: str) -> dict[str, list[int]]:
    """Return the drawn hexes of each area of a layer."""
    inside: dict[str, list[int]] = {}
    for hex in canvas.sheet.hexes:
        area = chart.area(layer, hex)
        if area is not None:
            inside.setdefault(area, []).append(hex)
    return inside


def _name(canvas: Canvas, hexes: Sequence[int], name: str) -> str:
    """Return an area's name in large letters, in the hex nearest to its middle.

    Empty hexes come first, if there are any.
    """
    canvas.rule("region-name", "fill:#2b2720;fill-opacity:.5", "fill:#f3eddb")
    everywhere = [canvas.sheet.centre(hex) for hex in hexes]
    middle = [sum(point[n] for point in everywhere) // len(everywhere) for n in (0, 1)]
    centres = [canvas.sheet.centre(hex) for hex in _bare(canvas, hexes)] or everywhere
    x, y = min(centres, key=lambda point: ((point[0] - middle[0]) ** 2 + (point[1] - middle[1]) ** 2, point))
    view = canvas.view
    text = safe(view.wording.text(view.titles.get(name, name)))[:30]
    return canvas.letters.text(text, x, y + 6, 17, "middle", ' class="region-name"')


def _bare(canvas: Canvas, hexes: Sequence[int]) -> list[int]:
    """Return the hexes without counter, place and road."""
    chart = canvas.view.chart
    if chart is None:
        return []
    settled = {place.hex for kind in canvas.look.part("places") for place in chart.places(kind)}
    roads = list(canvas.look.part("links"))
    return [
        hex
        for hex in hexes
        if hex not in settled
        and not canvas.view.position.at(chart.number(hex))
        and not any(chart.links_from(network, hex) for network in roads)
    ]


def lines(canvas: Canvas, chart: GameMap) -> str:
    """Return straight lines for links without a hexside, each network with its own dashes."""
    made = ""
    for n, network in enumerate(far_networks(canvas, chart)):
        tone, dashed = line_class(canvas, n)
        paths = "".join(_line(canvas, a, b, n) for a, b in _far(canvas, chart, network))
        name = words(safe(canvas.view.wording.text(network)))
        title = "" if canvas.style.still else f"<title>{name}</title>"
        made += f'<g class="lanes">{title}<path class="{tone}" d="{paths}"{dashed}/></g>'
    return made


def _line(canvas: Canvas, a: int, b: int, n: int) -> str:
    """Return a straight line with a short bar in a hex; an arc over plaques in a row.

    Lines of the nth network lie a little beside those of others.
    """
    rects = canvas.sheet.rects
    (ax, ay), (bx, by) = canvas.sheet.centre(a), canvas.sheet.centre(b)
    if a in rects and b in rects and rects[a].y == rects[b].y and _between(canvas, a, b):
        top, rise = rects[a].y, SPACE + 2 * (SPACE + 3 * n)
        return f"M{ax} {top}Q{(ax + bx) // 2} {top - rise} {bx} {top}"
    path = polyline([(ax, ay + 3 * n), (bx, by + 3 * n)])
    return path + "".join(
        f"M{x - 4} {y + 3 * n}h8" for i, x, y in ((a, ax, ay), (b, bx, by)) if i not in rects
    )


def _between(canvas: Canvas, a: int, b: int) -> bool:
    """Return True if another plaque is between the two, which have the same height."""
    rects = canvas.sheet.rects
    left, right = sorted((rects[a].centre[0], rects[b].centre[0]))
    gap = Rect(left, rects[a].centre[1], right - left, 1)
    return any(i not in (a, b) and rect.meets(gap) for i, rect in rects.items())


def far_networks(canvas: Canvas, chart: GameMap) -> list[str]:
    """Return the networks with links that lines are drawn for."""
    return [
        name for name in chart.all_networks if canvas.sheet.rects or chart.sheets if _far(canvas, chart, name)
    ]


def _far(canvas: Canvas, chart: GameMap, network: str) -> list[tuple[int, int]]:
    drawn = canvas.sheet.drawn
    return [(a, b) for a, b in chart.links(network) if a in drawn and b in drawn and not chart.adjacent(a, b)]


def line_class(canvas: Canvas, n: int) -> tuple[str, str]:
    """Return class and dashes of the lines of the nth such network."""
    tone = canvas.rule("lane", "fill:none;stroke:#6b3fa0;stroke-width:2;stroke-opacity:.75", "stroke:#c8a6f0")
    dash = DASHES[n % len(DASHES)]
    return tone, f' stroke-dasharray="{dash}"' if dash else ""


def plaques(canvas: Canvas, chart: GameMap) -> str:
    """Return the rectangles, each in the tint of its terrain, with its id and its name."""
    if not canvas.sheet.rects:
        return ""
    drawn, order = "", terrain.terrains(chart)
    canvas.rule("plaque", "stroke:#4a4334;stroke-width:1.6;fill-opacity:.93", "stroke:#b9b196")
    canvas.rule("strip", "fill:#fbf7e9;fill-opacity:.85", "fill:#23221c")
    canvas.rule("bare", "fill:#efe8d2", "fill:#2b2a22")
    canvas.rule("plain", "fill:#2b2720", "fill:#f3eddb")
    # areas first: their boxes lie on them
    for i in sorted(canvas.sheet.rects, key=lambda i: (chart.kind(i) == "box", i)):
        rect, kind = canvas.sheet.rects[i], _terrain(chart, i)
        tint = canvas.look.tint(kind, order)
        tone = (
            canvas.rule(f"b{order.index(kind)}", f"fill:{tint.light}", f"fill:{tint.dark}")
            if kind
            else "bare"
        )
        box = f'x="{rect.x}" y="{rect.y}" width="{rect.wide}"'
        drawn += f'<rect class="plaque {tone}" {box} height="{rect.high}" rx="5"/>'
        drawn += f'<rect class="strip" {box} height="{LABEL}" rx="5"/>'
        label, room = _label(canvas, chart, i), rect.wide - 6
        size = min(SIZE, SIZE * room / max(1.0, advance(label) * SIZE / EM))
        drawn += canvas.letters.text(label, rect.centre[0], rect.y + 10.5, size, "middle", ' class="plain"')
    return drawn


def _terrain(chart: GameMap, i: int) -> str:
    """Return the terrain of a box or an area, or that of most of its hexes, or ""."""
    if chart.terrain(i) or chart.kind(i) == "box":
        return chart.terrain(i)
    kinds = Counter(map(chart.terrain, chart.area_hexes(_layer(chart, i), chart.number(i))))
    return min(kinds, key=lambda kind: (-kinds[kind], kind), default="")


def _label(canvas: Canvas, chart: GameMap, i: int) -> str:
    """Return the name; the id, by which orders name it, only where it has none. Its field says both."""
    id, name = chart.number(i), safe(canvas.view.wording.text(chart.name(i)))[:MOST_LETTERS]
    return name or id


def room(canvas: Canvas, chart: GameMap, i: int) -> Rect:
    """Return the room for counters in a plaque: below its name, above its boxes."""
    rect = canvas.sheet.rects[i]
    below = [canvas.sheet.rects[box].y for box in inner(chart, i) if box in canvas.sheet.rects]
    return Rect(rect.x, rect.y + LABEL, rect.wide, min([rect.y + rect.high, *below]) - rect.y - LABEL)


def titles(canvas: Canvas) -> str:
    """Return the titles of sheets, where there are several."""
    if not canvas.sheet.fields.titled:
        return ""
    canvas.rule("plain", "fill:#2b2720", "fill:#f3eddb")
    drawn = ""
    for part in canvas.sheet.parts:
        centres = [canvas.sheet.centre(hex) for hex in part.hexes]
        high = canvas.sheet.form(part.hexes[0]).high
        x, y = min(x for x, _ in centres) - HALF_WIDTH // 2, min(y for _, y in centres) - high
        title = safe(canvas.view.wording.text(part.sheet.title))[:40]
        drawn += canvas.letters.text(title, x, y - 8, 14, "start", ' class="plain"')
    return drawn
