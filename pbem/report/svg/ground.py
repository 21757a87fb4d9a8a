"""The map itself: terrain, coasts, rivers, roads, hex numbers, places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from pbem.board.map import GameMap
from pbem.report.plain import safe
from pbem.report.svg.canvas import Canvas, words
from pbem.report.svg.letters import EM, advance, number, together
from pbem.report.svg.look import palette, shapes
from pbem.report.svg.sheet import HEX, Part, Point, polyline

NAME_SIZE, NUMBER_SIZE = 9.0, 8.0


def terrain(canvas: Canvas, chart: GameMap) -> str:
    """Return every hex in its tint with its mark, then the coasts; a title names each terrain."""
    kinds = Counter(chart.terrain(hex) for hex in canvas.sheet.hexes)
    order = terrains(chart)
    canvas.rule("hx", "stroke:#8a7f63;stroke-width:.8", "stroke:#6a6550")
    found = ""
    # on a whole sheet the commonest terrain lies under everything: a column is written once and used again
    whole = [part for part in canvas.sheet.parts if part.whole and not canvas.style.screen]
    common = kinds.most_common(1)[0][0] if whole else None
    for kind in sorted(kinds, key=lambda kind: (kind != common, kind)):
        tint = canvas.look.tint(kind, order)
        tone = canvas.rule(f"t{order.index(kind)}", f"fill:{tint.light}", f"fill:{tint.dark}")
        name = canvas.define(f"terrain {kind}", f'<g id="@"><path d="{HEX}"/>{_mark(canvas, tint.mark)}</g>')
        below = whole if kind == common else []
        uses = "".join(_columns(canvas, name, part) for part in below)
        others = [part for part in canvas.sheet.parts if part not in below]
        if canvas.style.screen:
            uses = _blocks(canvas, [h for h in canvas.sheet.hexes if chart.terrain(h) == kind], tint.mark)
        else:
            uses += "".join(
                _use(canvas, name, h) for part in others for h in part.hexes if chart.terrain(h) == kind
            )
        said = words(safe(canvas.view.wording.text(kind)))
        title = "" if canvas.style.still or not said else f"<title>{said}</title>"
        found += f'<g class="{tone}">{title}{uses}</g>'
    wet = [hex for hex in canvas.sheet.hexes if canvas.look.tint(chart.terrain(hex), order).water]
    shore = canvas.sheet.outline(wet, edge_of_map=False) if wet else ""
    if shore:
        canvas.rule("coast", "fill:none;stroke:#5f93af;stroke-width:2.4", "stroke:#6fa6c4")
        found += f'<path class="coast" d="{shore}"/>'
    return f'<g class="hx">{found}</g>'


BLOCK = (480, 560)
"""Width and height of what is one outline, so that a browser draws no more than it shows."""


def _blocks(canvas: Canvas, hexes: Sequence[int], mark: str) -> str:
    """Return hexes of one terrain as an outline per block of the map, with the mark as a pattern."""
    made = ""
    blocks: dict[tuple[int, int, int], list[Point]] = {}
    for hex in hexes:
        (x, y), sheet = canvas.sheet.centre(hex), canvas.sheet.chart.sheet(hex)
        assert sheet is not None
        blocks.setdefault((sheet.field, x // BLOCK[0], y // BLOCK[1]), []).append((x, y))
    for (field, *_), centres in blocks.items():
        x, y = centres[0]
        path = f"M{x - 20} {y - 35}{_AROUND}"
        for (ax, ay), (bx, by) in pairwise(centres):
            path += f"m{bx - ax}{' ' if by >= ay else ''}{by - ay}{_AROUND}"
        pattern = _pattern(canvas, mark, centres[0], field)
        if not pattern:
            made += f'<path d="{path}"/>'
            continue
        name = canvas.define(f"block {len(canvas.defined('block '))}", "")
        made += f'<path id="{name}" d="{path}"/><use href="#{name}" fill="url(#{pattern})" stroke="none"/>'
    return made


def _pattern(canvas: Canvas, mark: str, centre: Point, field: int) -> str:
    """Return the id of a pattern with a mark in the middle of every hex of a field."""
    drawn = _mark(canvas, mark)
    if not drawn:
        return ""
    content = "".join(f'<g transform="translate({x} {y})">{drawn}</g>' for x, y in _TILE)
    at = f"translate({centre[0] % 120 - 60} {centre[1] % 70 - 35})"
    start = f'<pattern id="@" width="120" height="70" patternUnits="userSpaceOnUse" patternTransform="{at}">'
    return canvas.define(f"pattern {mark} {field}", f"{start}{content}</pattern>")


_AROUND = "h40l20 35-20 35h-40l-20-35z"
_TILE = ((0, 0), (120, 0), (0, 70), (120, 70), (60, 35))  # middles of hexes in a tile of two columns


def terrains(chart: GameMap) -> list[str]:
    """Return the terrains of hexes by name, then those that only boxes and areas have."""
    of_hexes = dict.fromkeys(sorted({chart.terrain(hex) for sheet in chart.sheets for hex in sheet.integers}))
    return list(of_hexes | dict.fromkeys(sorted(set(chart.terrains()) - set(of_hexes))))


def _use(canvas: Canvas, name: str, hex: int) -> str:
    x, y = canvas.sheet.centre(hex)
    return f'<use href="#{name}" x="{x}" y="{y}"/>'


def _columns(canvas: Canvas, name: str, part: Part) -> str:
    """Return every hex of a whole sheet, column by column."""
    uses = "".join(f'<use href="#{name}" y="{y}"/>' for y in part.offsets)
    column = canvas.define(f"column {part.offsets}", f'<g id="@">{uses}</g>')
    return "".join(f'<use href="#{column}" x="{x}" y="{y}"/>' for x, y in part.tops)


def _mark(canvas: Canvas, mark: str) -> str:
    own = shapes()["marks"].get(mark)
    if own is None:
        return ""
    form = "line" if "line" in own else "fill"
    light, dark = (
        (f"fill:none;stroke:{own['light']};stroke-width:1.1", f"stroke:{own['dark']}")
        if form == "line"
        else (f"fill:{own['light']};stroke:none", f"fill:{own['dark']}")
    )
    return f'<path class="{canvas.rule(f"k-{mark}", light, dark)}" d="{own[form]}"/>'


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
    wide = advance(grid.prefix + "0" * grid.digits + grid.separator) * NUMBER_SIZE / EM

    def text(value: int, first: bool) -> str:
        padded = f"{value:0{grid.digits}}"
        return f"{grid.prefix}{padded}{grid.separator}" if first else padded

    def written(value: int, first: bool) -> str:
        inner = canvas.letters.text(text(value, first), 1 - wide if first else 1, 0, NUMBER_SIZE, "start")
        return canvas.define(f"number {first} {text(value, first)}", f'<g id="@">{inner}</g>')

    def line(parts: list[tuple[int, bool, int, int]]) -> str:
        """Return the numbers of a row or a column."""
        if canvas.style.screen:
            texts = [(text(value, one), x + (1 - wide if one else 1), y) for value, one, x, y in parts]
            return together(texts, NUMBER_SIZE)
        return "".join(f'<use href="#{written(value, one)}"{_x(x)} y="{y}"/>' for value, one, x, y in parts)

    found = ""
    if not part.whole:
        for hex in part.hexes:
            x, y = canvas.sheet.centre(hex)
            column, row = part.column_row(hex)
            for value, first in ((column, True), (row, False)):
                found += f'<use href="#{written(value, first)}" x="{x}" y="{y - 26}"/>'
        return found
    columns = sorted({part.column_row(hex)[0] for hex in part.hexes})
    rows = sorted({part.column_row(hex)[1] for hex in part.hexes})
    down = [(row, False, 0, y) for row, y in zip(rows, part.offsets, strict=True)]
    along = [(column, True, x, y - 26) for column, (x, y) in zip(columns, part.tops, strict=True)]
    id_down = canvas.define(f"rows {part.sheet.name}", f'<g id="@">{line(down)}</g>')
    id_along = canvas.define(f"columns {part.sheet.name}", f'<g id="@">{line(along)}</g>')
    found = "".join(f'<use href="#{id_along}" y="{y}"/>' for y in part.offsets)
    return found + "".join(f'<use href="#{id_down}" x="{x}" y="{y - 26}"/>' for x, y in part.tops)


def _x(x: int) -> str:
    return f' x="{x}"' if x else ""


# ---- places --------------------------------------------------------------------------------------


def sites(canvas: Canvas, chart: GameMap) -> str:
    """Return the shapes of places, in the middle of their hexes."""
    canvas.rule(
        "site",
        "fill:#4a4334;stroke:#4a4334;stroke-width:1.6;stroke-linejoin:round",
        "fill:#e8e0c8;stroke:#e8e0c8",
    )
    canvas.rule("hollow", "fill:none")
    found = ""
    for kind, own in canvas.look.part("places").items():
        for place in chart.places(kind):
            if place.hex not in canvas.sheet.drawn:
                continue
            named = own.get("sites", {}).get(str(place.data.get(own.get("by", ""), "")), own.get("site"))
            x, y = canvas.sheet.centre(place.hex)
            found += _site(canvas, named, x, y - 3) if named else ""
            for name, also in own.get("also", {}).items():
                found += _site(canvas, also, x + 20, y - 3, 0.7) if place.data.get(name) else ""
    return f'<g class="site">{found}</g>' if found else ""


def _site(canvas: Canvas, name: str, x: int, y: int, scale: float = 1.1) -> str:
    own = shapes()["sites"][name]
    inner = f'<path d="{own["fill"]}"/>' if "fill" in own else ""
    inner += f'<path class="hollow" d="{own["line"]}"/>' if "line" in own else ""
    id = canvas.define(f"site {name}", f'<g id="@">{inner}</g>')
    return f'<use href="#{id}" transform="translate({x} {y})scale({scale})"/>'


def names(canvas: Canvas, chart: GameMap) -> str:
    """Return the names of places on a plate in the holder's colour and letter, at the foot of the hex."""
    canvas.rule("plate", "fill:#fbf7e9;stroke:#4a4334;stroke-width:.8", "fill:#23221c;stroke:#b9b196")
    canvas.rule("plain", "fill:#2b2720", "fill:#f3eddb")
    made = ""
    done: set[int] = set()
    for kind, own in canvas.look.part("places").items():
        for place in chart.places(kind):
            if place.hex in done or place.hex not in canvas.sheet.drawn:
                continue
            holder = canvas.view.holder(place.number)
            label = str(place.data.get(own["label"], "")) if "label" in own else ""
            value = place.data.get(own.get("value", ""))
            if label and isinstance(value, int) and not isinstance(value, bool) and value:
                label += f" {value}"
            if label or holder:
                done.add(place.hex)
                made += _plate(canvas, place.hex, label[:24], holder)
    bare = not canvas.look.part("places")
    for hex in canvas.sheet.hexes if bare or chart.names else ():
        if hex not in done and (bare or hex in chart.names):
            text, number = canvas.view.place_name(chart.number(hex), signs=True), chart.number(hex)
            made += _plate(canvas, hex, text[:24], canvas.view.holder(number)) if text else ""
    return made


def plate_sample(canvas: Canvas, holder: str) -> str:
    """Return a plate without a name, for the key."""
    return _plate_at(canvas, 0, -32, "…", holder)


def _plate(canvas: Canvas, hex: int, label: str, holder: str | None) -> str:
    """Return `R Karsk 3`: the holder's initial in the holder's colours, then the name."""
    return _plate_at(canvas, *canvas.sheet.centre(hex), label, holder)


def _plate_at(canvas: Canvas, x: int, y: int, label: str, holder: str | None) -> str:
    size = NAME_SIZE if len(label) < 12 else NAME_SIZE - 1
    mark = canvas.initials.get(holder or "", "")
    wide = advance(label) * size / EM + (6 if label else 0)
    badge = advance(mark) * size / EM + 5 if mark else 0
    left, base = x - (wide + badge) / 2, y + 35.2  # between the counters and the number of the next hex
    box = f'x="{number(left)}" y="{number(base - 8.6)}" width="{number(wide + badge)}" height="11" rx="2"'
    found = f'<rect class="plate" {box}/>'
    if mark and holder:
        colours = canvas.paint(holder)
        spot = f'x="{number(left)}" y="{number(base - 8.6)}" width="{number(badge)}" height="11" rx="2"'
        found += f'<rect {spot} fill="{colours["fill"]}" stroke="#1d1b16" stroke-width=".8"/>'
        ink = f' fill="{colours["ink"]}"'
        found += canvas.letters.text(mark, left + badge / 2, base, size, "middle", ink, single=True)
    plain = ' class="plain"'
    return found + canvas.letters.text(label, left + badge + 3, base, size, "start", plain, single=True)
