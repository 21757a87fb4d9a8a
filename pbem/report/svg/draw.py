"""The whole map as one SVG: layers that can be switched, and a name for everything that is on it.

Nothing is fetched and no font is needed. Every hex with something in it can be reached with the keyboard; its
name says in words what is drawn there. The reader's view has nothing that the reader may not know, so neither
has the map.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from pbem.board.map import GameMap
from pbem.report.figures import facility
from pbem.report.muster import forces
from pbem.report.plain import capital, safe
from pbem.report.reader import View
from pbem.report.svg import (
    board,
    foot,
    ground,
    holding,
    key,
    places,
    plaques,
    provinces,
    stacks,
    stage,
    terrain,
)
from pbem.report.svg.canvas import Canvas, Style, words
from pbem.report.svg.sheet import Fields, Rect, Sheet
from pbem.text.dataclass import dataclass

_CLASSES = re.compile('class="([^"]*)"')
LAYERS = (
    "control",
    "rivers",
    "roads",
    "numbers",
    "places",
    "supply",
    "zoc",
    "front",
    "units",
    "stocks",
    "moves",
    "flows",
    "battles",
)
AREAS = ("supply", "zoc")  # off until somebody wants them


@dataclass(frozen=True)
class Drawn:
    """A map: the drawing, its layers for switches, and its key of signs with meanings.

    The signs of the key are uses of what the drawing defines, for other drawings on the same page. `parts` of
    a large map are its parts by first and last hex; the nth has the id `part-n`, and `inside` says in which a
    location lies. `pages` are the rectangles of it that a printer shows one by one, `unprinted` counts those
    with counters that it leaves out. `wide` is in its units.
    """

    svg: str
    layers: tuple[str, ...] = ()
    key: tuple[tuple[str, str], ...] = ()
    parts: tuple[str, ...] = ()
    wide: int = 0
    inside: Mapping[str, int] = field(default_factory=dict)
    pages: tuple[Rect, ...] = ()
    unprinted: int = 0


def draw(
    view: View,
    events: Iterable[Mapping[str, Any]] = (),
    style: Style = Style(),  # noqa: B008  (frozen)
    title: str = "",
    hexes: Collection[int] | None = None,
) -> Drawn:
    """Return the map of a view with the results of the events; an empty one without a map.

    `hexes` draws a part of a large map.
    """
    chart = view.chart
    if chart is None:
        return Drawn("")
    listed = list(events)
    shapes = view.shapes if hexes is None else None
    canvas = Canvas(view, sheet(view, chart, hexes), style, stage.movers(view, listed))
    seen = stage.happened(canvas, listed)
    made = provinces.layers(canvas, shapes, seen, listed) if shapes else _layers(canvas, chart, seen)
    drawn = [(name, content) for name, content in made if content]
    drawn = [(name, content) for name, content in drawn if name not in style.hidden]
    there = {name for name, _ in drawn}
    layers = tuple(name for name in LAYERS if name in there)
    fans = "".join(content for name, content in drawn if name == "fans")
    drawn = [(name, content) for name, content in drawn if name != "fans"]
    body = "".join(
        f'<g class="L-{name}"{_id(style, name, drawn[:n])}>{content}</g>'
        for n, (name, content) in enumerate(drawn)
    )
    signs: tuple[key.Sign, ...] = ()
    if style.alone or not style.still:
        signs = tuple(provinces.signs(canvas, shapes, listed) if shapes else key.signs(canvas, seen))
    below, more = (
        foot.foot(canvas, layers, [name for name in AREAS if name not in style.shown], signs)
        if style.alone
        else ("", 0)
    )
    spots = "" if style.still else _fields(canvas, names(view, seen, canvas.sheet.drawn, listed))
    parts = [] if style.still or style.alone else _parts(canvas)
    frames = "".join(
        f'<rect id="{style.prefix}part-{n}" class="off" {_box(rect)} fill="none"/>'
        for n, (rect, _) in enumerate(parts, 1)
    )
    spots += f'<g class="fans">{fans}</g>' if fans and "units" not in style.hidden else ""
    svg = document(canvas, body + frames + spots + below, title, more)
    signs_shown = tuple((_own_classes(sign.drawn), sign.words) for sign in signs)
    names_ = tuple(name for _, name in parts)
    pages = _pages(canvas, seen) if parts else []
    paper = tuple(sorted(pages[:MOST_PAGES], key=lambda rect: (rect.y, rect.x)))
    inside, left_out = _inside(canvas, parts), max(0, len(pages) - MOST_PAGES)
    return Drawn(svg, layers, signs_shown, names_, canvas.sheet.width, inside, paper, left_out)


PART = (1500, 1200)
"""Width and height of a part of a large map."""
PAGE = (980, 1330)
"""Width and height of what a printer shows of one on a page: 16 columns and 18 rows, which fill a sheet."""
MOST_PAGES = 8
"""Pages of a large map on paper, after the situation: those where most happened."""
LARGE = 2080
"""A map that is wider than this is large: on a page its hexes are too small to read."""


def _parts(canvas: Canvas) -> list[tuple[Rect, str]]:
    """Return the parts of a large map, in rows, with the first and the last hex in each."""
    drawn, chart = canvas.sheet, canvas.sheet.chart
    if drawn.width <= LARGE:
        return []
    across, down = -(-drawn.width // PART[0]), -(-drawn.height // PART[1])
    wide, high = -(-drawn.width // across), -(-drawn.height // down)
    inside: dict[tuple[int, int], list[int]] = {}
    for hex in drawn.hexes:
        x, y = drawn.centre(hex)
        inside.setdefault((y // high, x // wide), []).append(hex)
    return [
        (Rect(column * wide, row * high, wide, high), f"{chart.number(hexes[0])}–{chart.number(hexes[-1])}")
        for (row, column), hexes in sorted(inside.items())
    ]


def _inside(canvas: Canvas, parts: Sequence[tuple[Rect, str]]) -> dict[str, int]:
    """Return in which part each location with a counter lies, from 1."""
    return {
        canvas.sheet.chart.number(i): n
        for i in canvas.sheet.hexes
        for n, (rect, _) in enumerate(parts, 1)
        if rect.holds(canvas.sheet.centre(i))
    }


def _pages(canvas: Canvas, seen: stage.Happened) -> list[Rect]:
    """Return the pages of a large map on which anybody stands, first those where most happened."""
    drawn = canvas.sheet
    fought = Counter({**seen.battles, **seen.ended}) + Counter(seen.losses)
    moved = Counter(arrow.way[-1] for arrow in seen.arrows)
    there = [i for id in canvas.view.position.occupied() if (i := drawn.get(id)) is not None]
    worth: dict[tuple[int, int], list[int]] = {}
    for i in dict.fromkeys((*there, *fought, *moved)):
        if i in drawn.drawn:
            x, y = drawn.centre(i)
            sums = worth.setdefault((x // PAGE[0], y // PAGE[1]), [0, 0, 0])
            for n, counts in enumerate((fought, moved)):
                sums[n] += counts[i]
            sums[2] += 1
    order = sorted(worth, key=lambda at: ([-n for n in worth[at]], at[1], at[0]))
    return [Rect(x * PAGE[0], y * PAGE[1], *PAGE) for x, y in order]


def _box(rect: Rect) -> str:
    return f'x="{rect.x}" y="{rect.y}" width="{rect.wide}" height="{rect.high}"'


def sheet(view: View, chart: GameMap, hexes: Collection[int] | None = None) -> Sheet:
    """Return the places of everything; boxes and areas belong to the drawing of the whole map."""
    if hexes is None and view.shapes is not None:
        return provinces.sheet(chart, view.shapes)
    fields = Fields(chart)
    if hexes is not None or not (chart.boxes or chart.areas):
        return Sheet(chart, hexes, fields)
    counts = {i: len(view.position.at(chart.number(i))) for i in (*chart.boxes, *chart.areas)}
    return Sheet(chart, hexes, fields, plaques.arrange(chart, view.look, fields, counts))


def _layers(canvas: Canvas, chart: GameMap, seen: stage.Happened) -> list[tuple[str, str]]:
    """Return the drawing of each layer, lowest first.

    Arrows have a part under the counters and one over them.
    """
    canvas.rule("off", "pointer-events:none")
    counters, fans = "", ""
    for i in (*canvas.sheet.hexes, *canvas.sheet.rects):
        ids = canvas.view.position.at(chart.number(i))
        if not ids:
            continue
        if i in canvas.sheet.rects:
            drawn = stacks.pool(canvas, ids, plaques.room(canvas, chart, i))
        else:
            drawn = stacks.stack(canvas, ids, *canvas.sheet.centre(i))
            fans += "" if canvas.style.still else stacks.fan(canvas, i, ids)
        if not canvas.style.still:
            drawn = f'<g data-at="{words(chart.number(i))}">{drawn}</g>'
        counters += drawn
    ways, heads = stage.arrows(canvas, seen)
    own = canvas.style.board
    printed = own is not None  # on a picture of the board all this is to be seen
    if printed:
        terrain.base(canvas)  # what the key shows on it
    water = "" if printed else terrain.water(canvas, chart) + terrain.grid(canvas)
    # a sheet of which there is no picture is drawn, and the pictures of others lie over what is drawn there
    partly = own is not None and not all(own.shows(chart, hex) for hex in canvas.sheet.hexes)
    return [
        *(_unprinted(canvas, chart) if partly else []),
        ("ground", board.pictures(canvas) if printed else terrain.land(canvas, chart)),
        ("control", holding.control(canvas)),
        ("ground", water + plaques.borders(canvas, chart)),
        ("rivers", "" if printed else ground.hexsides(canvas, chart)),
        ("roads", ("" if printed else ground.links(canvas, chart)) + plaques.lines(canvas, chart)),
        ("supply", _areas(canvas, "supply") + _lifelines(canvas)),
        ("zoc", _areas(canvas, "zoc")),
        ("boxes", plaques.plaques(canvas, chart)),
        ("sites", "" if printed else places.sites(canvas, chart)),
        ("front", holding.front(canvas)),
        ("moves", ways),
        ("flows", stage.streams(canvas, seen)),
        ("numbers", ("" if printed else ground.numbers(canvas)) + plaques.titles(canvas)),
        ("units", counters),
        ("moves", heads),
        ("places", places.names(canvas, chart)),
        ("stocks", _stocks(canvas)),
        ("battles", stage.battles(canvas, seen)),
        ("fans", fans),
    ]


def _unprinted(canvas: Canvas, chart: GameMap) -> list[tuple[str, str]]:
    """Return all that a printed board shows, for sheets without a picture."""
    return [
        ("ground", terrain.land(canvas, chart) + terrain.water(canvas, chart) + terrain.grid(canvas)),
        ("rivers", ground.hexsides(canvas, chart)),
        ("roads", ground.links(canvas, chart)),
        ("sites", places.sites(canvas, chart)),
        ("numbers", ground.numbers(canvas)),
    ]


def _areas(canvas: Canvas, layer: str) -> str:
    """Return the areas of a layer: hatched in the owner's direction, with a border in the owner's colour."""
    made = ""
    for overlay in canvas.view.overlays:
        drawn = [canvas.sheet.get(number) for number in overlay.hexes]
        inside = [i for i in drawn if i is not None and i not in canvas.sheet.rects]
        boxes = [canvas.sheet.rects[i].path for i in drawn if i is not None and i in canvas.sheet.rects]
        if overlay.layer != layer or not (inside or boxes):
            continue
        tone = canvas.owner_class(overlay.owner)
        number = canvas.owners.index(overlay.owner) if overlay.owner in canvas.owners else 0
        turn = (30, 150, 90, 60, 120, 0)[number % 6]
        gap = 9 if layer == "supply" else 5
        lines = f'<path d="M0 0h{gap}" class="{tone}" stroke-width="1" stroke-opacity=".45"/>'
        hatch = canvas.define(
            f"hatch {layer} {overlay.owner}",
            f'<pattern id="@" width="{gap}" height="{gap}" patternUnits="userSpaceOnUse" '
            f'patternTransform="rotate({turn})">{lines}</pattern>',
        )
        dash = "9 4" if layer == "supply" else "2 3"
        made += (
            f'<path class="{tone}" d="{canvas.sheet.outline(inside)}{"".join(boxes)}" fill="url(#{hatch})" '
            f'stroke-width="2.6" stroke-dasharray="{dash}" stroke-linejoin="round"/>'
        )
    return made


def _lifelines(canvas: Canvas) -> str:
    """Return the lines of a layer `lifeline`: from the source of supply to those it reaches."""
    canvas.rule("life", "fill:none;stroke-width:1.6;stroke-dasharray:5 3;stroke-opacity:.9")
    made = ""
    for overlay in canvas.view.overlays:
        hexes = [i for id in overlay.hexes if (i := canvas.sheet.get(id)) is not None]
        if overlay.layer == "lifeline" and len(hexes) > 1:
            points = "L".join(" ".join(map(str, canvas.sheet.centre(i))) for i in hexes)
            made += f'<path class="life {canvas.owner_class(overlay.owner)}" d="M{points}"/>'
    return made


def _stocks(canvas: Canvas) -> str:
    """Return the facilities as few letters on a plate at the lower right."""
    plates: dict[tuple[str, str], list[str]] = {}
    for lying in canvas.view.facilities:
        if text := facility(canvas.view.wording, lying, short=True):
            plates.setdefault((lying.place, lying.owner), []).append(text)
    made = ""
    for (id, owner), texts in plates.items():
        if (i := canvas.sheet.get(id)) is not None:
            x, y = canvas.sheet.centre(i)
            made += stage.tag(canvas, owner, " ".join(texts), x + 35, y - 14)
    return made


# ---- names ---------------------------------------------------------------------------------------


def names(
    view: View, seen: stage.Happened, hexes: Collection[int], events: Iterable[Mapping[str, Any]]
) -> dict[int, str]:
    """Return the content of hexes in words.

    These are all hexes with a counter, a place, a battle or a loss, and others where something happened or a
    move began or ended, so that links can lead there.
    """
    chart = view.chart
    assert chart is not None
    texts: dict[int, list[str]] = {i: [] for i in chart.areas} if view.shapes is not None else {}
    for kind in view.wording.of("places"):
        for place in chart.places(kind):
            holder = view.holder(place.number) or view.wording.say("nobody")
            text = view.wording.place(kind, {**place.data, "holder": holder})
            texts.setdefault(place.hex, []).append(text)
    for force in forces(view, None):
        owner = capital(safe(view.wording.text(force.owner))) or view.wording.say("nobodys")
        for stack in force.stacks:
            hex = chart.get(stack.hex)
            if hex is not None:
                texts.setdefault(hex, []).append(f"{owner}: {stack.told(own=False)}")
    for hex, count in seen.battles.items():
        texts.setdefault(hex, []).append(view.wording.say("map-battle", count=count))
    for hex in seen.ended:
        texts.setdefault(hex, []).append(view.wording.say("map-ended"))
    for hex, count in seen.losses.items():
        texts.setdefault(hex, []).append(view.wording.say("map-lost", count=count))
    for event in events:
        meaning = view.means(event)
        for id in (*meaning.here, *meaning.origins, *meaning.way[-1:], *meaning.goals):
            if (hex := chart.get(id)) is not None:
                texts.setdefault(hex, [])
    return {
        hex: "; ".join([_plain(view, chart, hex), *parts])
        for hex, parts in sorted(texts.items())
        if hex in hexes
    }


def _plain(view: View, chart: GameMap, hex: int) -> str:
    name = chart.name(hex) if chart.kind(hex) == "hex" else view.wording.text(chart.name(hex))
    parts = (chart.number(hex), name, view.wording.text(chart.terrain(hex)))
    return " ".join(safe(part) for part in parts if part)


def _fields(canvas: Canvas, texts: Mapping[int, str]) -> str:
    """Return the fields that can be focused: shapes of areas, or places."""
    if canvas.view.shapes is None or canvas.sheet.hexes:
        return _spots(canvas, texts)
    return provinces.fields(canvas, canvas.view.shapes, texts)


def _spots(canvas: Canvas, texts: Mapping[int, str]) -> str:
    """Return a focusable field with its content in words over every hex with content."""
    canvas.rule("x", "fill:#fff;fill-opacity:0;stroke:none;cursor:help;outline:none")
    style = canvas.style
    canvas.rule("x:hover", "stroke:#1d1b16;stroke-width:2.5", "stroke:#fff")
    for state in ("focus-visible", "target"):
        canvas.rule(f"x:{state}", "stroke:#b3006e;stroke-width:4", "stroke:#ff8ad1")
    made = ""
    for hex, text in texts.items():
        inner = f"<title>{words(text)}</title>{_spot(canvas, hex)}"
        number = canvas.sheet.chart.number(hex)
        anchor = f'id="{style.prefix}hex-{words(number)}" class="x"'
        if number in style.links:
            label = f'aria-label="{words(text)}" href="{words(style.links[number])}"'
            made += f"<a {anchor} {label}>{inner}</a>"
        else:
            made += f'<g {anchor} role="img" tabindex="0">{inner}</g>'
    return f'<g class="spots">{made}</g>'


def _spot(canvas: Canvas, i: int) -> str:
    """Return the field of a hex, or of a box or an area."""
    rect = canvas.sheet.rects.get(i)
    if rect is None:
        (x, y), path = canvas.sheet.centre(i), canvas.sheet.form(i).path
        id = canvas.define(f"spot {path}", f'<path id="@" d="{path}"/>')
        return f'<use href="#{id}" x="{x}" y="{y}"/>'
    return f'<rect x="{rect.x}" y="{rect.y}" width="{rect.wide}" height="{rect.high}" rx="5"/>'


def _id(style: Style, name: str, before: Collection[tuple[str, str]]) -> str:
    """Return the id of a layer for drawing editors; only the first of its parts has it."""
    if not style.alone:
        return ""
    id = "" if any(name == other for other, _ in before) else f' id="layer-{name}"'
    return id + (' display="none"' if name in AREAS and name not in style.shown else "")


def document(canvas: Canvas, body: str, title: str, more: int = 0) -> str:
    """Return the whole drawing around its content; `more` is room below the map."""
    high = canvas.sheet.height + more
    size = f'viewBox="0 0 {canvas.sheet.width} {high}"'
    still = canvas.style.still
    name = f"<title>{words(title)}</title>" if title and not still else ""
    role = 'role="img"' if still else 'role="group"'
    label = f' aria-label="{words(title)}"' if title else ""
    canvas.rule("paper", "fill:#f6f1e0", "fill:#1b1a16")
    paper = f'<rect class="paper" width="{canvas.sheet.width}" height="{high}"/>'
    own = foot.SCRIPT + (foot.keys() if canvas.view.shapes is not None else "")
    script = f"<script>//<![CDATA[{own}//]]></script>" if canvas.style.alone and not still else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" {size} {role}{label}>{name}'
        f"<style>{canvas.css()}</style>{_own_classes(canvas.definitions() + paper + body)}{script}</svg>\n"
    )


def _own_classes(content: str) -> str:
    """Return the content with a prefix on its classes, so that they meet no others on a page."""
    return _CLASSES.sub(lambda match: f'class="{" ".join("m-" + n for n in match[1].split())}"', content)
