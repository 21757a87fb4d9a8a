"""The map as text for a terminal.

Hexsides and links show on the borders. Sheets that are not joined
come one after the other, then boxes and areas, each a rectangle with its name, what is there and where
links lead. Everything comes from the view: what the reader may not know is not there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from weakref import WeakKeyDictionary

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.report.plain import cut, padded, safe, width, wrapped
from pbem.report.reader import View
from pbem.report.texthexes import MAP_WIDTH, Canvas, Region, Window
from pbem.text.dataclass import dataclass

BESIDE = 3  # boxes beside each other
BOX = MAP_WIDTH // BESIDE - 2
MOST_LINKS = 12
MOST_PARTS = 4  # of a large map in a report
APART = 4  # rows between parts that are drawn each for itself


def initials(players: Sequence[str]) -> dict[str, str]:
    """Return the shortest capitals that tell the players apart: R, B, G."""
    marks: dict[str, str] = {}
    for player in players:
        others = [other for other in players if other != player]
        lengths = range(1, len(player) + 1)
        fits = (n for n in lengths if not any(o[:n].upper() == player[:n].upper() for o in others))
        marks[player] = safe(player[: next(fits, len(player))].upper())
    return marks


def counter_owners(view: View) -> tuple[str, ...]:
    """Return whose counters may be on the map: the players, and the powers that they run (track `seats`)."""
    seats = view.position.tracks.get("seats")
    powers = tuple(seats) if isinstance(seats, dict) else ()
    return (*view.players, *(power for power in powers if power not in view.players))


@dataclass
class Drawn:
    """The fixed parts of a map: its fields, and parts of them as they look when empty."""

    regions: list[Region]
    blank: dict[tuple[object, ...], list[list[str]]] = field(default_factory=dict)
    corners: dict[tuple[int, Window | None], dict[int, tuple[int, int]]] = field(default_factory=dict)


_DRAWN: WeakKeyDictionary[GameMap, Drawn] = WeakKeyDictionary()


def _drawn(chart: GameMap) -> Drawn:
    """Return the fixed drawing of a map, made once.

    A stage has a report for each reader.
    """
    made = _DRAWN.get(chart)
    if made is None:
        fields = dict.fromkeys(sheet.field for sheet in chart.sheets)
        made = _DRAWN[chart] = Drawn([Region(chart, field) for field in fields])
    return made


def regions(chart: GameMap) -> list[Region]:
    """Return the fields of hexes of a map, in the order of its sheets."""
    return _drawn(chart).regions


def draw(view: View, window: Window | None = None, region: Region | None = None) -> list[str]:
    """Return the lines of one field of hexes (the first), or of the window; [] without a map."""
    chart = view.chart
    if chart is None or not chart.sheets:
        return []
    region = region or regions(chart)[0]
    known = _drawn(chart)
    part = known.regions.index(region), window
    if part not in known.corners:
        hexes = (h for h in region.hexes if window is None or window.holds(*region.places[h]))
        known.corners[part] = region.corners(hexes)
    corners = known.corners[part]
    words = view.wording
    sections = (words.of(name) for name in ("hexsides", "links", "terrain", "places-short"))
    key = (*part, words.language.code, *(tuple(section.items()) for section in sections))
    if key not in known.blank:
        known.blank[key] = _blank(view, region, corners).rows
    canvas, inside = Canvas(known.blank[key]), _Inside(view, chart, region.across, region.pointy)
    for hex in inside.not_blank():
        if hex in corners:
            inside.write(canvas, hex, corners[hex])
    return canvas.lines()


def _blank(view: View, region: Region, corners: Mapping[int, tuple[int, int]]) -> Canvas:
    """Return hexes with numbers, names, terrain, hexsides and links, without counters and holders."""
    canvas, chart = Canvas(), region.chart
    for corner in corners.values():
        region.outline(canvas, corner)
    for kind, sign in view.wording.of("hexsides").items():
        for a, b in chart.hexsides(kind) if sign else ():
            _mark(canvas, region, corners, a, b, sign[0], crossing=False)
    for network, sign in view.wording.of("links").items():
        for a, b in chart.links(network) if sign else ():
            _mark(canvas, region, corners, a, b, sign[0], crossing=True)
    inside = _Inside(replace(view, position=Position()), chart, region.across, region.pointy)
    for hex, corner in corners.items():
        inside.write(canvas, hex, corner)
    return canvas


def sheets(view: View, *, everything: bool = False) -> list[tuple[str, list[str]]]:
    """Return the map in parts that fit on a page, each with its heading: hexes, then boxes and areas.

    Sheets that fit on a page are shown whole, of larger ones the parts around counters unless `everything`.
    """
    chart = view.chart
    if chart is None:
        return []
    parts = [part for region in regions(chart) for part in _parts(view, region, everything)]
    if chart.boxes or chart.areas:
        parts.append((view.wording.say("boxes-and-areas"), boxes(view, chart)))
    return parts


def sheets_around(view: View, wanted: Collection[str]) -> tuple[list[tuple[str, list[str]]], int]:
    """Return the parts of a large map around these locations, and how many more there are.

    Each has a margin of a hex. Those with most locations come first, at most `MOST_PARTS`, in the order of
    the map.
    """
    chart = view.chart
    if chart is None:
        return [], 0
    windows = [(region, *window) for region in regions(chart) for window in _windows(region, chart, wanted)]
    ranked = sorted(range(len(windows)), key=lambda n: (-windows[n][2], n))[:MOST_PARTS]
    shown = [windows[n][:2] for n in sorted(ranked)]
    drawn = [(_extent(view, region, window), draw(view, window, region)) for region, window in shown]
    return drawn, len(windows) - len(shown)


def _parts(view: View, region: Region, everything: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts of one field of hexes."""
    places, chart = region.places, region.chart
    if not places:
        return
    low, high = min(c for c, _ in places.values()), max(c for c, _ in places.values())
    fits = high - low < region.most
    alone = len(regions(chart)) == 1
    taken = {n for n in (chart.get(hex) for hex in view.position.occupied()) if n is not None and n in places}
    for first in range(low, high + 1, region.most):
        strip = (first, min(first + region.most - 1, high))
        here = [(c, r) for c, r in places.values() if strip[0] <= c <= strip[1]]
        busy = [(c, r) for c, r in map(places.__getitem__, sorted(taken)) if strip[0] <= c <= strip[1]]
        rows = [r for _, r in (here if fits or everything else busy)]
        if not rows:
            continue
        margin = 0 if fits or everything else 1
        window = Window(strip, (min(rows) - margin, max(rows) + margin))
        parts = [] if alone else [region.title]
        parts += [] if fits else [_extent(view, region, window)]
        yield ", ".join(part for part in parts if part), draw(view, window, region)


def _windows(region: Region, chart: GameMap, wanted: Collection[str]) -> Iterator[tuple[Window, int]]:
    """Yield the parts of a field around some locations, and how many of these are in each."""
    places = region.places
    spots = sorted(places[i] for i in {chart.get(id) for id in wanted} if i is not None and i in places)
    low = min((column for column, _ in places.values()), default=0)
    strips: dict[int, list[int]] = {}
    for column, row in spots:
        strips.setdefault((column - low) // region.most, []).append(row)
    for strip, rows in sorted(strips.items()):
        first = low + strip * region.most
        for run in _runs(sorted(rows)):
            window = Window((first, first + region.most - 1), (run[0] - 1, run[-1] + 1))
            yield window, len(run)


def _runs(rows: Sequence[int]) -> Iterator[list[int]]:
    """Yield rows that are close together: those further apart are drawn separately."""
    run: list[int] = []
    for row in rows:
        if run and row > run[-1] + APART:
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _extent(view: View, region: Region, window: Window) -> str:
    """Return which part of a sheet a window shows: columns and rows, or first and last hex."""
    if len(region.sheets) == 1:
        numbering = region.sheets[0].grid.numbering
        first, last = map(numbering.columns.shown, window.columns)
        top, bottom = map(numbering.rows.shown, window.rows)
        return view.wording.say("sheet", first=first, last=last, top=top, bottom=bottom)
    shown = [hex for hex, place in region.places.items() if window.holds(*place)]
    corners = region.corners(shown)
    ranked = sorted(shown, key=lambda hex: (corners[hex][1], corners[hex][0]))
    first, last = (region.chart.number(hex) for hex in (ranked[0], ranked[-1]))
    return view.wording.say("hexes-from", first=first, last=last)


# ---- boxes and areas -----------------------------------------------------------------------------


def boxes(view: View, chart: GameMap) -> list[str]:
    """Return boxes and areas as rectangles side by side; an area's boxes are in its rectangle."""
    own = {
        chart.number(area): [box for box in chart.boxes if _of(chart, box) == area] for area in chart.areas
    }
    inner = {box for listed in own.values() for box in listed}
    tops = [i for i in (*chart.areas, *chart.boxes) if i not in inner]
    drawn = [_box(view, chart, i, own.get(chart.number(i), [])) for i in tops]
    lines: list[str] = []
    for n in range(0, len(drawn), BESIDE):
        row = drawn[n : n + BESIDE]
        high = max(map(len, row))
        full = [[*box[:-1], *[f"|{' ' * (BOX - 2)}|"] * (high - len(box)), box[-1]] for box in row]
        lines += ["  ".join(parts).rstrip() for parts in zip(*full, strict=True)]
    return lines


def _of(chart: GameMap, box: int) -> int | None:
    """Return the area of a box."""
    entry = chart.entry(box)
    of = entry.data.get("of") if entry is not None else None
    return chart.get(of) if isinstance(of, str) else None


def _box(view: View, chart: GameMap, i: int, inner: Sequence[int]) -> list[str]:
    id, room = chart.number(i), BOX - 4
    text = [view.wording.text(safe(chart.name(i)))] if chart.name(i) else []
    text += [" ".join(_Inside(view, chart, room).stacks(id))] if view.position.at(id) else []
    for box in inner:
        label = view.wording.text(chart.number(box).rpartition(".")[2])
        label = view.wording.of("values").get(label, label)
        text.append(f"{label}: {' '.join(_Inside(view, chart, room).stacks(chart.number(box)))}".rstrip())
    joined = chart.numbers(near for near in chart.neighbours(i))
    more = [view.wording.say("and-more", count=len(joined) - MOST_LINKS)] if len(joined) > MOST_LINKS else []
    if joined:
        listed = ", ".join([*joined[:MOST_LINKS], *more])
        text.append(view.wording.say("leads-to", where=safe(listed)))
    lines = [line for part in text for line in wrapped(part, "", "  ", room)] or [""]
    top = f"+-{cut(safe(id), room)}"
    inside = [f"| {padded(line, room)} |" for line in lines]
    return [f"{top}{'-' * (BOX - 1 - width(top))}+", *inside, f"+{'-' * (BOX - 2)}+"]


def legend(view: View) -> list[str]:
    """Return the meaning of the map's letters and signs that occur."""
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
    marks = initials(counter_owners(view))
    owners = ", ".join(f"{mark} {safe(words.text(player))}" for player, mark in marks.items())
    lines = wrapped(", ".join(parts))
    if owners:
        sample = next(iter(marks.values()))
        lines += wrapped(words.say("counters-owner", owners=owners, sample=sample, holder=sample.lower()))
    return lines


# ---- one hex -------------------------------------------------------------------------------------


def _mark(
    canvas: Canvas,
    region: Region,
    corners: Mapping[int, tuple[int, int]],
    a: int,
    b: int,
    sign: str,
    *,
    crossing: bool,
) -> None:
    """Draw a hexside over the whole border, a link over the middle of it: a bridge shows as both.

    A link between locations that share no hexside has no place among the characters.
    """
    for hex, other in ((a, b), (b, a)):
        direction = region.chart.direction(hex, other) if hex in corners else None
        if direction is None:
            continue
        for line, column in (region.middles if crossing else region.sides)[direction]:
            canvas.put(corners[hex][0] + line, corners[hex][1] + column, sign)


class _Inside:
    """A writer of the contents of one view's hexes."""

    def __init__(self, view: View, chart: GameMap, across: int, pointy: bool = False) -> None:
        self.view, self.chart, self.pointy = view, chart, pointy
        self.across = across - 1 if pointy else across
        self.marks = initials(counter_owners(view))
        self.signs = {kind: safe(sign) for kind, sign in view.wording.of("terrain").items()}

    def write(self, canvas: Canvas, hex: int, corner: tuple[int, int]) -> None:
        """Write number, place or terrain, counters, holder: a line each, as last time if
        unchanged.
        """
        number, position = self.chart.number(hex), self.view.position
        ids = position.at(number)
        fields = [dict(position.counters[id]) for id in ids]
        seen = ids, fields, self.view.holder(number), self.marks, self.across, self.pointy
        drawn = self.view.wording.lately(("hex", self.chart, hex), seen, lambda _: self._lines(hex))
        for line, column, text in drawn:
            canvas.write(corner[0] + line, corner[1] + column, text)

    def _lines(self, hex: int) -> list[tuple[int, int, str]]:
        """Return the contents of a hex: line and column from its corner, and text."""
        across = self.across
        number = self.chart.number(hex)
        sign = self.signs.get(self.chart.terrain(hex), "")
        name, holder = self._place(hex, number)
        upper, lower = self._counters(number)
        fill = sign[:2] * (across // 2) if len(sign) > 1 else ""
        letters = f"{sign} {sign}" if sign and not upper else sign
        first = (
            f"{name} {sign[0]}" if name and sign and width(name) + 2 <= across else name or fill or letters
        )
        if self.pointy:
            middle = upper if lower else first
            texts = (number, middle, lower or upper or fill)
            held = [(4, (across + 1) // 2, self.marks.get(holder, "?").lower()[:1])] if holder else []
            return [*((n, 1, cut(text, across).center(across)) for n, text in enumerate(texts, 1)), *held]
        drawn = [
            (1, 2, cut(number, across - 2).center(across - 2)),
            (2, 1, cut(first, across).center(across)),
            (3, 1, cut(upper or fill, across).center(across)),
        ]
        if lower:
            drawn.append((4, 2, cut(lower, across - 2).center(across - 2, "_")))
        elif holder:
            drawn.append((4, 2, self.marks.get(holder, "?").lower()[:1]))
        return drawn

    def not_blank(self) -> list[int]:
        """Return the hexes with counters or a holder, which differ from empty ones."""
        numbers = {*self.view.position.occupied(), *self.view.holders}
        return sorted(hex for number in numbers if (hex := self.chart.get(number)) is not None)

    def _place(self, hex: int, number: str) -> tuple[str, str | None]:
        """Return short name and holder of the first place in a hex that has words."""
        for kind in self.view.wording.of("places-short"):
            place = self.chart.place(kind, hex)
            if place is not None:
                holder = self.view.holder(number)
                return self.view.wording.place(kind, {**place.data, "holder": holder}, short=True), holder
        return safe(self.chart.name(hex)), None

    def _counters(self, number: str) -> tuple[str, str]:
        """Return counters of a hex in a line, and the rest in a shorter one."""
        words = self.stacks(number)
        upper = " ".join(words)
        return (upper, "") if width(upper) <= self.across else ("".join(words[:3]), "".join(words[3:]))

    def stacks(self, number: str) -> list[str]:
        """Return owner and count of the stacks in a location; a lone counter by its type, if that fits."""
        position, players = self.view.position, self.view.players
        stacks: dict[str, list[str]] = {}
        for id in position.at(number):
            stacks.setdefault(self.view.owner(id), []).append(id)
        owners = [p for p in players if p in stacks] + sorted(o for o in stacks if o not in players)
        words = [f"{self.marks.get(owner, '?')}{len(stacks[owner])}" for owner in owners]
        if len(owners) == 1 and len(stacks[owners[0]]) == 1:
            id = stacks[owners[0]][0]
            alone = f"{words[0][:-1]} {self.view.wording.short({'id': id, **position.counters[id]})}"
            if width(alone) <= self.across:
                return [alone]
        return words
