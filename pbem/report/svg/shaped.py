"""Areas with shapes: sea, shores, land, the ground of powers, borders and names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.board.geometry import Point, Ring, room, sides
from pbem.board.shapes import Arc, Shape, Shapes
from pbem.report.control import is_water
from pbem.report.plain import safe
from pbem.report.svg import curves
from pbem.report.svg.canvas import Canvas
from pbem.report.svg.letters import EM, advance, number
from pbem.text.dataclass import dataclass

HATCHES = (
    "M0 5.5h11",
    "M0 5.5h11",
    "M0 5.5h11",
    "M3 3h2v2h-2zM8.500 8.500h2v2h-2z",
    "M2 5.500h7M5.500 2v7",
    "M0 5.5h11",
    "M0 4h11M0 7h11",
)
TURNS = (45, 135, 0, 0, 0, 90, 20)
"""What the ground of the first power is hatched with, of the second and so on, and how it is turned."""
DRY = ("#efe8cf", "#4a4836")
"""Land by day and by night."""
NAME, LEAST_NAME = 15.0, 0.72
"""Size of a name on land, and how narrow its letters may be; where it still has no room the id is written."""
MAIL_NAME = 24.0
"""Size of an id in an email, where the map is shown at a third of its size."""
MAIL_DOWN = 11
"""How much lower names are there, because units are larger."""
SIGN = 15.0
"""Room for the sign of a centre beside a name."""
SLANT = 12
"""Degrees by which names of seas lean."""


@dataclass(frozen=True)
class Ground:
    """The holder of an area; `weak`: only because it belongs to another area that they hold."""

    who: str
    weak: bool = False


class Chart:
    """The shapes of a map as they are drawn: which areas are water, and whose ground each is."""

    def __init__(self, canvas: Canvas, shapes: Shapes) -> None:
        self.canvas, self.shapes = canvas, shapes
        chart = canvas.sheet.chart
        self.index = {id: i for id in shapes.areas if (i := chart.get(id)) is not None}
        self.wet = {id for id, i in self.index.items() if is_water(canvas.view, i)}
        self.wet |= {id for id, shape in shapes.blank.items() if shape.water}
        self.ground = dict(self._grounds())

    def _grounds(self) -> Iterator[tuple[str, Ground]]:
        holders, known = self.canvas.view.holders, self.canvas.owners
        for id in self.shapes.areas:
            power, other = holders.get(id, ""), holders.get(self.shapes.belongs.get(id, ""), "")
            if id not in self.wet and (power or other) in known:
                yield id, Ground(power or other, weak=not power)

    @property
    def shown(self) -> dict[str, Shape]:
        """Return all shapes by the id of their areas."""
        return {**self.shapes.areas, **self.shapes.blank}

    def name(self, id: str) -> str:
        """Return the name of an area."""
        assert self.canvas.view.chart is not None
        return self.canvas.view.chart.name(self.index[id])

    def path(self, id: str) -> str:
        """Return the name of an area's outline, which fills and fields use."""
        data = curves.outline(self.shapes, self.shown[id])
        return self.canvas.define(f"shape {id}", f'<path id="@" fill-rule="evenodd" d="{data}"/>')

    def arcs(self, kind: str) -> list[Arc]:
        """Return the arcs of a kind: coast, sea, power or inner."""
        return [
            self.shapes.arcs[name] for name, users in self.shapes.sides.items() if self._kind(users) == kind
        ]

    def _kind(self, users: tuple[str, ...]) -> str:
        if len(users) != 2:
            return ""
        wet = [id in self.wet for id in users]
        if any(wet):
            return "sea" if all(wet) else "coast"
        power, other = (self.ground[id].who if id in self.ground else "" for id in users)
        return "power" if power != other else "inner"


def land(chart: Chart) -> str:
    """Return the sea with bands along its shores, and the land on it."""
    canvas, (wide, high) = chart.canvas, chart.shapes.size
    tints = {"sea": ("#bcd5e2", "#1d3342"), "dry": DRY, "bare": ("#cfcabb", "#33322b")}
    for name, (light, dark) in tints.items():
        canvas.rule(name, f"fill:{light}", f"fill:{dark}")
    join = "fill:none;stroke-linejoin:round"
    canvas.rule("shore2", f"{join};stroke:#aecbda;stroke-width:30", "stroke:#243f52")
    canvas.rule("shore", f"{join};stroke:#9cc0d3;stroke-width:15", "stroke:#2b4a60")
    coast = canvas.define("coast", f'<path id="@" d="{curves.lines(chart.arcs("coast"))}"/>')
    drawn = f'<rect class="sea" width="{wide}" height="{high}"/>'
    if not canvas.style.mail:  # bands are a fifth of the bytes of a picture in an email
        bands = f'<use class="shore2" href="#{coast}"/><use class="shore" href="#{coast}"/>'
        drawn += f'<g clip-path="url(#{_sea(chart)})">{bands}</g>'
    dry = "".join(f'<use href="#{chart.path(id)}"/>' for id in chart.shapes.areas if id not in chart.wet)
    bare = "".join(f'<use href="#{chart.path(id)}"/>' for id in chart.shapes.blank if id not in chart.wet)
    lakes = "".join(f'<use href="#{chart.path(id)}"/>' for id in chart.shapes.blank if id in chart.wet)
    return f'{drawn}<g class="dry">{dry}</g><g class="bare">{bare}</g><g class="sea">{lakes}</g>'


def held(chart: Chart) -> str:
    """Return the tint of each power's ground, hatched in its own direction where it holds the area itself."""
    canvas, drawn = chart.canvas, ""
    for power in canvas.owners:
        strong = [id for id, ground in chart.ground.items() if ground.who == power and not ground.weak]
        weak = [id for id, ground in chart.ground.items() if ground.who == power and ground.weak]
        if not (strong or weak):
            continue
        tint = _tint(canvas, power)
        uses = "".join(f'<use href="#{chart.path(id)}"/>' for id in strong)
        drawn += f'<g class="{tint}">{uses}</g>'
        # lines that lean double a picture; in an email the centres have the holder's letter instead
        drawn += "" if canvas.style.mail else f'<g fill="url(#{hatch(canvas, power)})">{uses}</g>'
        faint = "".join(f'<use href="#{chart.path(id)}"/>' for id in weak)
        drawn += f'<g class="{tint} faint">{faint}</g>' if faint else ""
    return f'<g class="off">{drawn}</g>' if drawn else ""


def _tint(canvas: Canvas, power: str) -> str:
    n, colours = canvas.owners.index(power), canvas.paint(power)
    canvas.rule("faint", "opacity:.5")
    return canvas.rule(
        f"pt{n}", f"fill:{colours['fill']};fill-opacity:.38", f"fill:{colours['bright']};fill-opacity:.3"
    )


def hatch(canvas: Canvas, power: str) -> str:
    """Return the id of a power's hatching."""
    n = canvas.owners.index(power)
    tone, at = canvas.owner_class(power), n % len(HATCHES)
    return canvas.define(
        f"ground {power}",
        f'<pattern id="@" width="11" height="11" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate({TURNS[at]})"><path class="{tone}" fill="none" stroke-opacity=".5" '
        f'stroke-width="1.5" d="{HATCHES[at]}"/></pattern>',
    )


def tint_sample(canvas: Canvas, power: str) -> str:
    """Return ground of a power, for the key."""
    box = "M-18-10h36v20h-36z"
    canvas.rule("dry", f"fill:{DRY[0]}", f"fill:{DRY[1]}")
    return (
        f'<path class="dry" d="{box}"/><path class="{_tint(canvas, power)}" d="{box}"/>'
        f'<path fill="url(#{hatch(canvas, power)})" d="{box}"/>'
    )


def borders(chart: Chart) -> str:
    """Return borders inside and between powers, at sea, and the coast, each in a width of its own."""
    canvas, ends = chart.canvas, "fill:none;stroke-linecap:round;stroke-linejoin:round"
    canvas.rule("inner", f"{ends};stroke:#5d543d;stroke-width:1.6", "stroke:#b9b196")
    canvas.rule("power", f"{ends};stroke:#1d1b16;stroke-width:3.2", "stroke:#fffdf4")
    canvas.rule("seam", "fill:none;stroke:#6f9db5;stroke-width:1.4;stroke-dasharray:6 5", "stroke:#4f7a93")
    canvas.rule("shoreline", f"{ends};stroke:#2f5d77;stroke-width:2.2", "stroke:#86b8d3")
    drawn = ""
    for name, kind in (("inner", "inner"), ("power", "power"), ("seam", "sea")):
        if data := curves.lines(chart.arcs(kind)):
            drawn += f'<path class="{name}" d="{data}"/>'
    coast = canvas.define("coast", "")
    return (
        f'<g class="off" clip-path="url(#{_sea(chart)})">{drawn}<use class="shoreline" href="#{coast}"/></g>'
    )


def _sea(chart: Chart) -> str:
    """Return the id of the edge of the sea, beyond which no shore is drawn."""
    wide, high = chart.shapes.size
    return chart.canvas.define("sea", f'<clipPath id="@"><rect width="{wide}" height="{high}"/></clipPath>')


# ---- names ---------------------------------------------------------------------------------------


def names(chart: Chart, centres: Mapping[str, str]) -> str:
    """Return the names of areas, leaning at sea, with a ring beside them where a centre is."""
    canvas = chart.canvas
    canvas.rule("nm", "fill:#2b2720", "fill:#f3eddb")
    canvas.rule(
        "nr",
        "stroke:#fbf7e9;stroke-width:46;stroke-opacity:.85;stroke-linejoin:round;fill:#fbf7e9",
        "stroke:#1b1a16;fill:#1b1a16",
    )
    canvas.rule("sn", "fill:#2d5871", "fill:#b8d8ea")
    canvas.rule(
        "sr",
        "stroke:#bcd5e2;stroke-width:46;stroke-linejoin:round;fill:#bcd5e2",
        "stroke:#1d3342;fill:#1d3342",
    )
    return "".join(_name(chart, id, shape, id in centres) for id, shape in chart.shapes.areas.items())


def _name(chart: Chart, id: str, shape: Shape, centre: bool) -> str:
    canvas, wet = chart.canvas, id in chart.wet
    view, rings = canvas.view, chart.shapes.outline(shape)
    x, y = shape.label
    y += MAIL_DOWN if canvas.style.mail else 0
    size = MAIL_NAME if canvas.style.mail else NAME
    name = safe(view.wording.text(chart.name(id)))
    left, right = span(rings, (x, y - 5))
    room_ = min(x - left, right - x) * 2 - 8 - (SIGN if centre else 0)
    wide = advance(name) * size / EM
    if canvas.style.mail or not name or wide * LEAST_NAME > room_:
        name, wide = id, advance(id) * size / EM
        room_ = max(room_, wide)
    wide = min(wide, room_)
    at = x - wide / 2 + (SIGN / 2 if centre and shape.centre is None else 0)
    turned = f"translate({number(at)} {y})" + (f"skewX(-{SLANT})" if wet else "")
    text = canvas.letters.text(name, 0, 0, size, "start", "", room=wide)
    written = canvas.define(f"name {id}", f'<g id="@" transform="{turned}">{text}</g>')
    rim, ink = ("sr", "sn") if wet else ("nr", "nm")
    drawn = f'<use class="{rim}" href="#{written}"/><use class="{ink}" href="#{written}"/>'
    if centre:
        spot = shape.centre or (
            round(at - SIGN / 2 - (5 if canvas.style.mail else 2)),
            y - (8 if canvas.style.mail else 5),
        )
        power = chart.ground[id].who if canvas.style.mail and id in chart.ground else ""
        drawn += f'<use href="#{centre_sign(canvas, power)}" x="{spot[0]}" y="{spot[1]}"/>'
    return drawn


def centre_sign(canvas: Canvas, holder: str = "") -> str:
    """Return the sign of a centre: a ring with a dot, or in an email with its holder's letter."""
    if holder:
        colours = canvas.paint(holder)
        ink = f' fill="{colours["ink"]}"'
        text = canvas.letters.text(canvas.initials.get(holder, ""), 0, 5.6, 16, "middle", ink)
        inner = f'<circle r="10.5" fill="{colours["fill"]}" stroke="#1d1b16" stroke-width="1.6"/>{text}'
        return canvas.define(f"centre of {holder}", f'<g id="@">{inner}</g>')
    canvas.rule("sc", "fill:#fffdf4;stroke:#1d1b16;stroke-width:1.8", "fill:#14130f;stroke:#fffdf4")
    canvas.rule("nm", "fill:#2b2720", "fill:#f3eddb")
    big = 1.5 if canvas.style.mail else 1
    inner = f'<circle class="sc" r="{number(5.5 * big)}"/><circle class="nm" r="{number(2.3 * big)}"/>'
    return canvas.define("centre", f'<g id="@">{inner}</g>')


def span(rings: list[Ring] | list[list[Point]], point: Point) -> tuple[int, int]:
    """Return the borders left and right of a point inside."""
    x, y = point
    cuts = []
    for ring in rings:
        for (ax, ay), (bx, by) in sides(ring):
            if (ay > y) != (by > y):
                cuts.append(ax + (bx - ax) * (y - ay) // (by - ay))
    return max([cut for cut in cuts if cut <= x], default=x), min([cut for cut in cuts if cut > x], default=x)


def is_small(shapes: Shapes, shape: Shape, least: int) -> bool:
    """Return True if a shape is narrower than this around where its units are."""
    return room(shapes.outline(shape), shape.stand) < least * 16
