r"""The map as text for a terminal: flat-topped hexes in staggered columns, 6 by 4 characters each.

     ____          number of the hex
    /0305\         name of a place, or the letter of the terrain
   / Dron \        counters: owner and count, or the type of a lone counter that the reader knows
   \  R4  /
    \r___/         who holds the place

Hexsides and links show on the borders. Everything comes from the view: what the reader may not know is not
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.board.map import GameMap
from pbem.report.plain import WIDTH, cut, safe, width, wrapped
from pbem.report.reader import View

ACROSS, DOWN = 6, 4
SHEET = (WIDTH - 2) // ACROSS
# border characters of each side, as (line, column) from the upper left corner of a hex
SIDES = {
    "N": ((0, 2), (0, 3), (0, 4), (0, 5)),
    "NE": ((1, 6), (2, 7)),
    "SE": ((3, 7), (4, 6)),
    "S": ((4, 2), (4, 3), (4, 4), (4, 5)),
    "SW": ((3, 0), (4, 1)),
    "NW": ((1, 1), (2, 0)),
}
STROKES = {"N": "____", "NE": "\\\\", "SE": "//", "S": "____", "SW": "\\\\", "NW": "//"}
# which characters of a border a link takes: the middle of a flat side, the lower half of a slanted one
CROSSING = {"N": (1, 2), "NE": (1,), "SE": (1,), "S": (1, 2), "SW": (1,), "NW": (1,)}


def initials(players: Sequence[str]) -> dict[str, str]:
    """The shortest capitals that tell the players apart: R, B, G."""
    found: dict[str, str] = {}
    for player in players:
        others = [other for other in players if other != player]
        lengths = range(1, len(player) + 1)
        fits = (n for n in lengths if not any(o[:n].upper() == player[:n].upper() for o in others))
        found[player] = safe(player[: next(fits, len(player))].upper())
    return found


@dataclass
class Canvas:
    """Characters by line and column; what was not drawn is blank."""

    cells: dict[tuple[int, int], str] = field(default_factory=dict)

    def put(self, line: int, column: int, char: str) -> None:
        self.cells[line, column] = char

    def write(self, line: int, column: int, text: str) -> None:
        """Characters side by side; wide ones are not for maps and become a question mark."""
        plain = text if text.isascii() else "".join(char if width(char) == 1 else "?" for char in text)
        for offset, char in enumerate(plain):
            self.cells[line, column + offset] = char

    def lines(self) -> list[str]:
        if not self.cells:
            return []
        last_line, last_column = max(line for line, _ in self.cells), max(column for _, column in self.cells)
        rows = range(last_line + 1)
        return ["".join(self.cells.get((n, c), " ") for c in range(last_column + 1)).rstrip() for n in rows]


@dataclass(frozen=True)
class Window:
    """The printed columns and rows that are drawn, ends included."""

    columns: tuple[int, int]
    rows: tuple[int, int]

    def holds(self, column: int, row: int) -> bool:
        return self.columns[0] <= column <= self.columns[1] and self.rows[0] <= row <= self.rows[1]


def draw(view: View, window: Window | None = None) -> list[str]:
    """The lines of the map, or of the part in the window; nothing for a system without a map."""
    chart = view.chart
    if chart is None:
        return []
    canvas = Canvas()
    hexes = [h for h in chart.grid.hexes if window is None or window.holds(*chart.grid.column_row(h))]
    corners = _corners(chart, hexes)
    for corner in corners.values():
        _outline(canvas, corner)
    for kind, sign in view.wording.of("hexsides").items():
        for a, b in chart.hexsides(kind) if sign else ():
            _mark(canvas, chart, corners, a, b, sign[0], crossing=False)
    for network, sign in view.wording.of("links").items():
        for a, b in chart.links(network) if sign else ():
            _mark(canvas, chart, corners, a, b, sign[0], crossing=True)
    inside = _Inside(view, chart)
    for hex in hexes:
        inside.write(canvas, hex, corners[hex])
    return canvas.lines()


def sheets(view: View, *, everything: bool = False) -> list[tuple[str, list[str]]]:
    """The map in parts that fit on a page, each with its heading.

    A map that fits on a page is shown whole, of a larger one the parts around counters unless `everything`.
    """
    chart = view.chart
    if chart is None or not chart.grid.hexes:
        return []
    found: list[tuple[str, list[str]]] = []
    places = [chart.grid.column_row(hex) for hex in chart.grid.hexes]
    low, high = min(c for c, _ in places), max(c for c, _ in places)
    whole = high - low < SHEET
    taken = {n for n in (chart.grid.get(hex) for hex in view.position.occupied()) if n is not None}
    for first in range(low, high + 1, SHEET):
        strip = (first, min(first + SHEET - 1, high))
        here = [(c, r) for c, r in places if strip[0] <= c <= strip[1]]
        busy = [(c, r) for c, r in map(chart.grid.column_row, sorted(taken)) if strip[0] <= c <= strip[1]]
        rows = [r for _, r in (here if whole or everything else busy)]
        if not rows:
            continue
        margin = 0 if whole or everything else 1
        window = Window(strip, (min(rows) - margin, max(rows) + margin))
        across, down = window.columns, window.rows
        edges = {"first": across[0], "last": across[1], "top": down[0], "bottom": down[1]}
        title = "" if whole else view.wording.say("sheet", **edges)
        found.append((title, draw(view, window)))
    return found


def legend(view: View) -> list[str]:
    """What the letters and signs of the map mean: only what the map has."""
    chart = view.chart
    if chart is None:
        return []
    words = view.wording
    terrains = set(chart.terrains())
    letters = [(kind, sign) for kind, sign in words.of("terrain").items() if kind in terrains and sign]
    sides = [(kind, sign) for kind, sign in words.of("hexsides").items() if chart.hexsides(kind)]
    links = [(kind, sign) for kind, sign in words.of("links").items() if chart.links(kind)]
    parts = [f"{safe(sign)[:1]} {safe(words.text(kind))}" for kind, sign in letters]
    for key, signs in (("on-hexside", sides), ("across-hexside", links)):
        parts += [words.say(key, sign=safe(s)[:1] * 2, kind=safe(words.text(kind))) for kind, s in signs]
    marks = initials(view.players)
    owners = ", ".join(f"{mark} {safe(words.text(player))}" for player, mark in marks.items())
    lines = wrapped(", ".join(parts))
    if owners:
        sample = next(iter(marks.values()))
        lines += wrapped(words.say("counters-owner", owners=owners, sample=sample, holder=sample.lower()))
    return lines


# ---- one hex -------------------------------------------------------------------------------------


def _corners(chart: GameMap, hexes: Iterable[int]) -> dict[int, tuple[int, int]]:
    """(line, column) of the upper left corner of each hex, moved so that the drawing begins at 0, 0."""
    grid = chart.grid
    found: dict[int, tuple[int, int]] = {}
    for hex in hexes:
        column, row = grid.column_row(hex)
        half = DOWN // 2 if grid.is_shifted(column) else 0
        line = row * DOWN + half if grid.rows_from == "top" else -(row * DOWN + half)
        found[hex] = (line, column * ACROSS)
    top = min((line for line, _ in found.values()), default=0)
    left = min((column for _, column in found.values()), default=0)
    return {hex: (line - top, column - left) for hex, (line, column) in found.items()}


def _outline(canvas: Canvas, corner: tuple[int, int]) -> None:
    for side, spots in SIDES.items():
        for (line, column), stroke in zip(spots, STROKES[side], strict=True):
            canvas.put(corner[0] + line, corner[1] + column, stroke)


def _mark(
    canvas: Canvas,
    chart: GameMap,
    corners: Mapping[int, tuple[int, int]],
    a: int,
    b: int,
    sign: str,
    *,
    crossing: bool,
) -> None:
    """Draw a hexside over the whole border, a link over the middle of it: a bridge shows as both."""
    for hex, other in ((a, b), (b, a)):
        if hex in corners:
            direction = chart.grid.direction(hex, other)
            assert direction is not None
            spots = SIDES[direction]
            for n in CROSSING[direction] if crossing else range(len(spots)):
                line, column = spots[n]
                canvas.put(corners[hex][0] + line, corners[hex][1] + column, sign)


class _Inside:
    """Writes what stands inside the hexes of one view."""

    def __init__(self, view: View, chart: GameMap) -> None:
        self.view = view
        self.chart = chart
        self.marks = initials(view.players)
        self.signs = {kind: safe(sign) for kind, sign in view.wording.of("terrain").items()}

    def write(self, canvas: Canvas, hex: int, corner: tuple[int, int]) -> None:
        """Number, place or terrain, counters, holder: a line each."""
        line, column = corner
        number = self.chart.grid.number(hex)
        sign = self.signs.get(self.chart.terrain(hex), "")
        name, holder = self._place(hex, number)
        upper, lower = self._counters(number)
        fill = sign[:2] * (ACROSS // 2) if len(sign) > 1 else ""
        letters = f"{sign} {sign}" if sign and not upper else sign
        first = (
            f"{name} {sign[0]}" if name and sign and width(name) + 2 <= ACROSS else name or fill or letters
        )
        canvas.write(line + 1, column + 2, cut(number, ACROSS - 2).center(ACROSS - 2))
        canvas.write(line + 2, column + 1, cut(first, ACROSS).center(ACROSS))
        canvas.write(line + 3, column + 1, cut(upper or fill, ACROSS).center(ACROSS))
        if lower:
            canvas.write(line + 4, column + 2, cut(lower, ACROSS - 2).center(ACROSS - 2, "_"))
        elif holder:
            canvas.put(line + 4, column + 2, self.marks.get(holder, "?").lower()[:1])

    def _place(self, hex: int, number: str) -> tuple[str, str | None]:
        """Short name and holder of the first place in a hex that has words."""
        for kind in self.view.wording.of("places-short"):
            place = self.chart.place(kind, hex)
            if place is not None:
                holder = self.view.holder(number)
                return self.view.wording.place(kind, {**place.data, "holder": holder}, short=True), holder
        return "", None

    def _counters(self, number: str) -> tuple[str, str]:
        """Counters of a hex in six characters, and what did not fit there in four more."""
        position, players = self.view.position, self.view.players
        stacks: dict[str, list[str]] = {}
        for id in position.at(number):
            stacks.setdefault(self.view.owner(id), []).append(id)
        owners = [p for p in players if p in stacks] + sorted(o for o in stacks if o not in players)
        words = [f"{self.marks.get(owner, '?')}{len(stacks[owner])}" for owner in owners]
        if len(owners) == 1 and len(stacks[owners[0]]) == 1:
            id = stacks[owners[0]][0]
            alone = f"{words[0][:-1]} {self.view.wording.short({'id': id, **position.counters[id]})}"
            if width(alone) <= ACROSS:
                return alone, ""
        upper = " ".join(words)
        return (upper, "") if width(upper) <= ACROSS else ("".join(words[:3]), "".join(words[3:]))
