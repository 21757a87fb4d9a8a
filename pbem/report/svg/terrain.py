"""The land and the water of a map.

Tints and textures that do not keep to hexsides, coasts, and the grid.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pbem.board.map import GameMap
from pbem.report.plain import safe
from pbem.report.svg import shore
from pbem.report.svg.canvas import Canvas, words
from pbem.report.svg.look import Tint, palette, shapes
from pbem.report.svg.sheet import FLAT

BLOCK = (960, 840)
"""Width and height of what is one outline on a page for a screen: a browser draws no more than it shows."""
TILE = (89, 73)
"""Width and height of a texture that names none: not in step with the hexes."""


def land(canvas: Canvas, chart: GameMap) -> str:
    """Return land in the tint of clear terrain, and smooth outlines of other terrain with textures."""
    order, kinds = terrains(chart), _kinds(canvas, chart)
    dry = _dry(canvas, kinds, order)
    plain = Tint(**{key: palette()["tints"]["clear"][key] for key in ("light", "dark")})
    alike = [kind for kind in kinds if canvas.look.tint(kind, order) == plain]
    common = max(alike, key=lambda kind: (len(kinds[kind]), kind), default="")
    tone = base(canvas)
    outline = canvas.sheet.outline(canvas.sheet.hexes)
    drawing = f'<g class="{tone}">{_title(canvas, common)}<path d="{outline}"/></g>'
    for kind in sorted(kinds):
        tint = canvas.look.tint(kind, order)
        if tint.water or kind == common:
            continue
        if tint == plain:
            named = _title(canvas, kind)
            path = canvas.sheet.outline(kinds[kind])
            drawing += f'<g fill-opacity="0">{named}<path d="{path}"/></g>' if named else ""
            continue
        name, texture = _tone(canvas, order, kind), _texture(canvas, tint.mark)
        drawn = "".join(_textured(canvas, path, texture) for path in _regions(canvas, kinds[kind], dry))
        drawing += f'<g class="{name}">{_title(canvas, kind)}{drawn}</g>'
    return drawing


def base(canvas: Canvas) -> str:
    """Return the class of clear terrain."""
    clear = palette()["tints"]["clear"]
    return canvas.rule("base", f"fill:{clear['light']}", f"fill:{clear['dark']}")


def _kinds(canvas: Canvas, chart: GameMap) -> dict[str, list[int]]:
    """Return the drawn hexes of each terrain."""
    kinds: dict[str, list[int]] = {}
    for hex in canvas.sheet.hexes:
        kinds.setdefault(chart.terrain(hex), []).append(hex)
    return kinds


def _dry(canvas: Canvas, kinds: Mapping[str, Collection[int]], order: list[str]) -> frozenset[int]:
    """Return the drawn hexes that are land."""
    return frozenset(
        hex for kind, hexes in kinds.items() if not canvas.look.tint(kind, order).water for hex in hexes
    )


def _regions(canvas: Canvas, hexes: Collection[int], dry: Collection[int]) -> Iterator[str]:
    """Return the outlines of hexes of one terrain: one, or one for each block of a page for a screen."""
    same = frozenset(hexes)

    def soft(other: int | None) -> bool:
        """Return True if the art may cross the hexside to this hex: to other land that is drawn."""
        return other in dry and other not in same

    blocks: dict[tuple[int, int], list[int]] = {}
    for hex in hexes:
        x, y = canvas.sheet.centre(hex)
        key = (x // BLOCK[0], y // BLOCK[1]) if canvas.style.screen else (0, 0)
        blocks.setdefault(key, []).append(hex)
    for block in blocks.values():
        yield shore.filled(canvas.sheet, block, soft, grow=2)


def _textured(canvas: Canvas, path: str, texture: str) -> str:
    if not texture:
        return f'<path d="{path}"/>'
    id = canvas.define(f"region {path}", f'<path id="@" d="{path}"/>')
    return f'<use href="#{id}"/><use href="#{id}" fill="url(#{texture})" class="veil"/>'


def _texture(canvas: Canvas, mark: str) -> str:
    """Return the id of the pattern with the mark of a terrain; empty for one without."""
    own = shapes()["marks"].get(mark)
    if own is None:
        return ""
    wide, high = own.get("tile", TILE)
    form = "line" if "line" in own else "fill"
    content = f'<path class="{_ink(canvas, mark, form, own, "")}" d="{own[form]}"/>'
    if "light2" in own:
        second = f'<path class="{_ink(canvas, mark, form, own, "2")}" d="{own[form]}"/>'
        content = f'<g transform="translate(6 4)scale(.7)">{second}</g>{content}'
    start = f'<pattern id="@" width="{wide}" height="{high}" patternUnits="userSpaceOnUse">'
    return canvas.define(
        f"texture {mark}",
        f'{start}<g transform="translate({wide // 2} {high // 2})">{content}</g></pattern>',
    )


def _ink(canvas: Canvas, mark: str, form: str, own: dict[str, str], which: str) -> str:
    light, dark = own[f"light{which}"], own[f"dark{which}"]
    if form == "line":
        drawn = f"fill:none;stroke:{light};stroke-width:1.1;stroke-linecap:round"
        return canvas.rule(f"k-{mark}{which}", drawn, f"stroke:{dark}")
    return canvas.rule(f"k-{mark}{which}", f"fill:{light}", f"fill:{dark}")


def _tone(canvas: Canvas, order: list[str], kind: str) -> str:
    tint = canvas.look.tint(kind, order)
    return canvas.rule(f"t{order.index(kind)}", f"fill:{tint.light}", f"fill:{tint.dark}")


def _title(canvas: Canvas, kind: str) -> str:
    title = words(safe(canvas.view.wording.text(kind)))
    return "" if canvas.style.still or not title else f"<title>{title}</title>"


def water(canvas: Canvas, chart: GameMap) -> str:
    """Return seas and lakes over everything on land, with two bands along the shore and the coast."""
    order, kinds = terrains(chart), _kinds(canvas, chart)
    wet = [kind for kind in sorted(kinds) if canvas.look.tint(kind, order).water]
    coast = _dry(canvas, kinds, order).__contains__
    drawn = ""
    for kind in wet:
        path, tone = shore.filled(canvas.sheet, kinds[kind], coast), _tone(canvas, order, kind)
        id = canvas.define(f"water {kind}", f'<path id="@" d="{path}"/>')
        drawn += f'<g class="{tone}">{_title(canvas, kind)}<use href="#{id}"/></g>'
        line = shore.line(canvas.sheet, kinds[kind], coast)
        if line:
            clip = canvas.define(f"clip {kind}", f'<clipPath id="@"><use href="#{id}"/></clipPath>')
            along = canvas.define(f"shore {kind}", f'<path id="@" d="{line}"/>')
            canvas.rule(
                "w1", "fill:none;stroke:#a5c6d8;stroke-width:32;stroke-linejoin:round", "stroke:#2b4a60"
            )
            canvas.rule("w2", "fill:none;stroke:#8fb6cc;stroke-width:14", "stroke:#375c76")
            canvas.rule("coast", "fill:none;stroke:#41718c;stroke-width:1.8", "stroke:#86b8d3")
            bands = "".join(f'<use class="{band} off" href="#{along}"/>' for band in ("w1", "w2"))
            drawn += f'<g clip-path="url(#{clip})">{bands}</g><use class="coast off" href="#{along}"/>'
    return drawn


def grid(canvas: Canvas) -> str:
    """Return a thin line around every hex; on a whole sheet each line is a use of the first."""
    canvas.rule(
        "grid",
        "fill:none;stroke:#6f6549;stroke-width:.9;stroke-opacity:.55",
        "stroke:#c9c09c;stroke-opacity:.28",
    )
    drawn = ""
    for part in canvas.sheet.parts:
        hex = canvas.sheet.form(part.hexes[0]).path
        if not part.whole:
            points = sorted(canvas.sheet.centre(place) for place in part.hexes)
            drawn += f'<path d="{"".join(f"M{x} {y}{hex}" for x, y in points)}"/>'
            continue
        path = "".join(f"M{x} {y}{hex}" for x, y in part.offsets)
        line = canvas.define(f"grid {part.offsets}", f'<path id="@" d="{path}"/>')
        drawn += "".join(f'<use href="#{line}" x="{x}" y="{y}"/>' for x, y in part.heads)
    return f'<g class="grid off">{drawn}</g>'


def terrains(chart: GameMap) -> list[str]:
    """Return the terrains of hexes by name, then those that only boxes and areas have."""
    of_hexes = dict.fromkeys(sorted({chart.terrain(hex) for sheet in chart.sheets for hex in sheet.integers}))
    return list(of_hexes | dict.fromkeys(sorted(set(chart.terrains()) - set(of_hexes))))


def sample(canvas: Canvas, kind: str, order: list[str]) -> str:
    """Return a hex of a terrain, for the key."""
    tint, edge = (
        canvas.look.tint(kind, order),
        canvas.rule("hx", "stroke:#8a7f63;stroke-width:2", "stroke:#6a6550"),
    )
    texture = _texture(canvas, "" if tint.water else tint.mark)
    hex = f'<path class="{edge} {_tone(canvas, order, kind)}" d="M0 0{FLAT.path}"/>'
    return hex + (f'<path d="M0 0{FLAT.path}" fill="url(#{texture})"/>' if texture else "")
