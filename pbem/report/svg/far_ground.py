"""The ground of a large map from afar.

Fields, who holds them, rivers, roads, and the front as a smooth line. Sizes are in pixels of a drawing
1,210 wide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import pairwise
from math import hypot
from typing import Any

from pbem.board.map import GameMap
from pbem.report.control import front_of, held, is_water
from pbem.report.reader import View
from pbem.report.svg import smooth
from pbem.report.svg.board import Board
from pbem.report.svg.canvas import Canvas, Style
from pbem.report.svg.holding import TEETH, holders, lines
from pbem.report.svg.letters import number
from pbem.report.svg.look import palette
from pbem.report.svg.sheet import Point, Rect, Sheet
from pbem.report.svg.shore import borders
from pbem.report.svg.terrain import terrains

ACROSS = 1210
FIELD = 6
"""Hexes of one terrain that are drawn; fewer are left out."""
EVERY = 26
"""Pixels from mark to mark on the front."""
WATERS = ("river", "tidal-river", "canal")


class Ground:
    """One drawing in the making.

    `taken` is where no name may cover a drawn thing, `fronts` are the points of the front, `signs` where
    places have theirs.
    """

    def __init__(
        self,
        view: View,
        chart: GameMap,
        events: list[Mapping[str, Any]],
        title: str,
        prefix: str,
        link: Callable[[str], str],
        board: Board | None = None,
    ) -> None:
        self.view, self.chart, self.events, self.title, self.link = view, chart, events, title, link
        self.sheet = Sheet(chart, chart.hexes)
        self.canvas = Canvas(view, self.sheet, Style(prefix=f"{prefix}far-", screen=False, board=board))
        self.px = self.sheet.width / ACROSS
        self.dry = frozenset(hex for hex in self.sheet.hexes if not is_water(view, hex))
        self.taken: list[Rect] = []
        self.fronts: list[Point] = []
        self.signs: list[Rect] = []

    def _rule(self, name: str, light: str, dark: str = "") -> str:
        return self.canvas.rule(f"z{name}", light, dark)

    def _wide(self, pixels: float) -> str:
        return number(pixels * self.px)

    def _text(self, text: str, x: float, y: float, size: float, anchor: str, tone: str) -> str:
        return self.canvas.letters.text(text, x, y, size * self.px, anchor, f' class="{tone}"')

    def _halo(self) -> str:
        edge = "stroke-width:44;stroke-linejoin:round;paint-order:stroke"
        return self._rule(
            "ha", f"fill:#1d1b16;stroke:#f6f1e0;stroke-opacity:.85;{edge}", "fill:#f3eddb;stroke:#1b1a16"
        )

    # ---- ground ----------------------------------------------------------------------------------

    def ground(self) -> str:
        """Return land in the tint of clear terrain, with the large fields of other terrain."""
        order, drawn = terrains(self.chart), ""
        clear = palette()["tints"]["clear"]
        tone = self.canvas.rule("base", f"fill:{clear['light']}", f"fill:{clear['dark']}")
        drawn += f'<path class="{tone}" d="{self.sheet.outline(self.sheet.hexes)}"/>'
        alike: dict[tuple[str, str], set[int]] = {}
        for hex in sorted(self.dry):
            tint = self.view.look.tint(self.chart.terrain(hex), order)
            alike.setdefault((tint.light, tint.dark), set()).add(hex)
        for (light, dark), hexes in alike.items():
            large = [hex for field in _fields(self.chart, hexes) if len(field) >= FIELD for hex in field]
            if large and light != clear["light"]:
                tone = self._rule(f"g{light[1:]}", f"fill:{light}", f"fill:{dark}")
                drawn += f'<path class="{tone}" d="{self._area(large, 3)}"/>'
        return drawn

    def _area(self, hexes: Collection[int], rounds: int) -> str:
        """Return hexes as smooth areas; the edge of the map stays as it is."""
        return "".join(
            smooth.closed([(side.start, side.beyond is None) for side in border], rounds)
            for border in borders(self.sheet, hexes)
        )

    def control(self) -> str:
        drawn = ""
        for power, hexes in held(self.view, self.sheet.hexes).items():
            n, colours = self.canvas.owners.index(power), self.canvas.paint(power)
            light, dark = (
                f"fill:{colours['line']};fill-opacity:.1",
                f"fill:{colours['bright']};fill-opacity:.1",
            )
            tone = self.canvas.rule(f"ct{n}", light, dark)
            area = self.canvas.define(f"held {power}", f'<path id="@" d="{self._area(hexes, 4)}"/>')
            drawn += f'<use class="{tone}" href="#{area}"/>'
        return drawn

    def water(self) -> str:
        wet = [hex for hex in self.sheet.hexes if hex not in self.dry]
        if not wet:
            return ""
        tint = palette()["tints"]["water"]
        tone = self._rule("wa", f"fill:{tint['light']}", f"fill:{tint['dark']}")
        coast = self._rule("co", f"fill:none;stroke:#41718c;stroke-width:{self._wide(1.2)}", "stroke:#86b8d3")
        shore = lines(
            [
                self.sheet.side_between(hex, other)
                for hex in wet
                for other in self.chart.beside(hex)
                if other in self.dry
            ]
        )
        along = "".join(smooth.line(points, 1) for points in shore)
        return f'<path class="{tone}" d="{self._area(wet, 1)}"/><path class="{coast}" d="{along}"/>'

    def ways(self) -> str:
        """Return rivers, roads and rails as thin lines."""
        rivers = self._rule(
            "ri", f"fill:none;stroke:#4d87ad;stroke-width:{self._wide(1.8)}", "stroke:#6fb0d8"
        )
        roads = self._rule("ro", f"fill:none;stroke:#8d7a55;stroke-width:{self._wide(1.2)}", "stroke:#b7a67c")
        sides = [
            self.sheet.side_between(a, b)
            for kind, line in self.view.look.part("hexsides").items()
            if line in WATERS
            for a, b in self.chart.hexsides(kind)
        ]
        steps = [
            (self.sheet.centre(a), self.sheet.centre(b))
            for network in self.view.look.part("links")
            for a, b in self.chart.links(network)
            if self.chart.adjacent(a, b)
        ]
        drawn = ""
        for tone, pairs in ((rivers, sides), (roads, steps)):
            path = "".join(smooth.line(points, 2) for points in lines(list(dict.fromkeys(pairs))))
            drawn += f'<path class="{tone}" d="{path}"/>' if path else ""
        return drawn

    def grid(self) -> str:
        """Return a dotted line with its number every ten hexes."""
        dots = self._rule(
            "gr",
            f"fill:none;stroke:#6f6549;stroke-opacity:.45;stroke-width:{self._wide(1)};"
            f"stroke-dasharray:{self._wide(1)} {self._wide(4)}",
            "stroke:#c9c09c",
        )
        soft = self.canvas.rule("zso", "fill:#5f5846", "fill:#b3a98f")
        part, drawn = self.sheet.parts[0], ""
        if len(self.sheet.parts) > 1:
            return ""  # several sheets have numbers of their own
        spots = {part.column_row(hex): self.sheet.centre(hex) for hex in part.hexes}
        columns = sorted({column for column, _ in spots if column % 10 == 0})
        rows = sorted({row for _, row in spots if row % 10 == 0})
        numbering = part.sheet.grid.numbering
        first, last = ("{}..", "..{}") if numbering.order == "column" else ("..{}", "{}..")
        for value in columns:
            x = min(x for (column, _), (x, _) in spots.items() if column == value)
            drawn += f'<path class="{dots}" d="M{x} 0V{self.sheet.height}"/>'
            drawn += self._text(
                first.format(numbering.columns.text(value)), x - 4 * self.px, 11 * self.px, 9, "end", soft
            )
        for value in rows:
            y = min(y for (_, row), (_, y) in spots.items() if row == value)
            drawn += f'<path class="{dots}" d="M0 {y}H{self.sheet.width}"/>'
            drawn += self._text(
                last.format(numbering.rows.text(value)), 3 * self.px, y - 3 * self.px, 9, "start", soft
            )
        return drawn

    # ---- the front -------------------------------------------------------------------------------

    def front(self) -> str:
        """Return the front as a smooth line, a band on each side of it, and its marks."""
        sides = {frozenset(self.sheet.side_between(a, b)): (a, b) for a, b in front_of(self.view)}
        if not sides:
            return ""
        paths, teeth = "", ""
        for points in lines([(min(side), max(side)) for side in sides]):
            paths += smooth.line(points, 4, every=1)
            teeth += self._teeth(points, sides)
            self.fronts += smooth.averaged(points, 4)
        ends = "fill:none;stroke-linecap:round;stroke-linejoin:round"
        self._rule(
            "fe", f"{ends};stroke:#fffdf4;stroke-width:{self._wide(7)};stroke-opacity:.85", "stroke:#14130f"
        )
        self._rule("fl", f"{ends};stroke:#1d1b16;stroke-width:{self._wide(3)}", "stroke:#fffdf4")
        id, bands = self.canvas.define("front", f'<path id="@" d="{paths}"/>'), ""
        for power in holders(self.canvas):
            colours = self.canvas.paint(power)
            n = self.canvas.owners.index(power)
            band = self._rule(
                f"b{n}",
                f"{ends};stroke:{colours['line']};stroke-opacity:.34;stroke-width:{self._wide(26)}",
                f"stroke:{colours['bright']}",
            )
            area = self.canvas.define(f"held {power}", "")
            clip = self.canvas.define(f"clip {power}", f'<clipPath id="@"><use href="#{area}"/></clipPath>')
            bands += f'<g clip-path="url(#{clip})"><use class="{band}" href="#{id}"/></g>'
        line = f'<use class="zfe" href="#{id}"/>{teeth}<use class="zfl" href="#{id}"/>'
        return f'<g class="off">{bands}{line}</g>'

    def _teeth(self, points: list[Point], sides: Mapping[frozenset[Point], tuple[int, int]]) -> str:
        """Return marks along a line: half-rounds on the ground of the first side, squares on the other's."""
        line, drawn, left, count = smooth.averaged(points, 4), "", EVERY * self.px / 2, 0
        self._rule("ft", f"stroke:#fffdf4;stroke-width:{number(0.8)}", "stroke:#14130f")
        for n, ((ax, ay), (bx, by)) in enumerate(pairwise(line)):
            long = hypot(bx - ax, by - ay)
            left -= long
            if left > 0 or not long:
                continue
            left += EVERY * self.px
            pair = sorted(sides[frozenset((points[n], points[n + 1]))], key=self._rank)
            hex, shape = (pair[0], 0) if count % 2 == 0 else (pair[1], 1)
            count += 1
            x, y = (ax + bx) / 2, (ay + by) / 2
            cx, cy = self.sheet.centre(hex)
            ux, uy = (by - ay) / long, (ax - bx) / long  # to one side of the line, up for a line to the right
            if ux * (cx - x) + uy * (cy - y) < 0:
                ux, uy = -ux, -uy
            turn = _turn(ux, uy)
            tooth = self.canvas.define(f"tooth {shape}", f'<path id="@" d="{TEETH[shape]}"/>')
            power = self.view.holder(self.chart.number(hex)) or ""
            self.canvas.owner_class(power)
            tone = self.canvas.owners.index(power) if power in self.canvas.owners else len(self.canvas.owners)
            at = f"translate({round(x)} {round(y)})rotate({turn})scale({number(self.px * 0.9)})"
            drawn += f'<use class="o{tone}f zft" href="#{tooth}" transform="{at}"/>'
        return drawn

    def _rank(self, hex: int) -> tuple[int, int]:
        power = self.view.holder(self.chart.number(hex))
        owners = self.canvas.owners
        return (owners.index(power) if power in owners else len(owners)), hex


def _fields(chart: GameMap, hexes: set[int]) -> list[list[int]]:
    """Return hexes in fields that hang together."""
    left, fields = set(hexes), []
    for hex in sorted(hexes):
        if hex not in left:
            continue
        left.discard(hex)
        field = [hex]
        for member in field:
            for other in chart.beside(member):
                if other in left:
                    left.discard(other)
                    field.append(other)
        fields.append(field)
    return fields


def _turn(ux: float, uy: float) -> int:
    """Return the turn, in steps of 15 degrees, that points what points up in a direction."""
    best = max(range(len(_TURNS)), key=lambda n: (ux * _TURNS[n][0] + uy * _TURNS[n][1], -n))
    return 15 * best


_TURNS = tuple(
    (x / 1000, y / 1000)
    for x, y in (
        (0, -1000),
        (259, -966),
        (500, -866),
        (707, -707),
        (866, -500),
        (966, -259),
        (1000, 0),
        (966, 259),
        (866, 500),
        (707, 707),
        (500, 866),
        (259, 966),
        (0, 1000),
        (-259, 966),
        (-500, 866),
        (-707, 707),
        (-866, 500),
        (-966, 259),
        (-1000, 0),
        (-966, -259),
        (-866, -500),
        (-707, -707),
        (-500, -866),
        (-259, -966),
    )
)
