"""A large map from afar: formations along a smooth front, places worth having, and the great moves.

Sizes are in pixels of a drawing 1,210 wide; what is near each other at that size is moved apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import hypot
from typing import Any

from pbem.report.control import objectives
from pbem.report.formations import Formation, formations, hexes_of
from pbem.report.plain import capital, safe
from pbem.report.reader import View
from pbem.report.svg import draw, stage
from pbem.report.svg.board import Board, pictures
from pbem.report.svg.canvas import words
from pbem.report.svg.far_ground import ACROSS, Ground
from pbem.report.svg.holding import TEETH
from pbem.report.svg.letters import EM, advance, number
from pbem.report.svg.look import shapes
from pbem.report.svg.places import drawn as places_drawn
from pbem.report.svg.places import sign_of
from pbem.report.svg.sheet import Point, Rect

BOX, TALL, BAR = 34, 22, 4
MOVES, SHORT, APART = 6, 3, 4
"""Arrows at most; hexes of the shortest; how near to each other moves begin and end that are one."""
CITIES = ("city", "fortress", "port")


def far(
    view: View,
    events: Iterable[Mapping[str, Any]],
    title: str,
    prefix: str,
    link: Callable[[str], str],
    board: Board | None = None,
) -> str:
    """Return the drawing, empty without hexes; `link` gives the address of the part with a hex."""
    chart = view.chart
    if chart is None or not chart.sheets:
        return ""
    return _Far(view, chart, list(events), title, prefix, link, board).drawing()


class _Far(Ground):
    """The drawing with what stands on the ground."""

    def drawing(self) -> str:
        """Return all layers, lowest first."""
        own = self.canvas.style.board
        covered = own is not None and all(own.shows(self.chart, hex) for hex in self.sheet.hexes)
        drawn = [("" if covered else self.ground()) + pictures(self.canvas)]
        drawn += [self.control(), self.water(), self.ways()]
        drawn += [self.grid(), self.front()]
        ranked = self._ranked()
        boxes = self._formations()
        drawn += [self._moves(), self._places(ranked), boxes, self._battles()]
        key, more = self._key()
        return draw.document(self.canvas, "".join(drawn) + key, self.title, more)

    # ---- what stands there -----------------------------------------------------------------------

    def _formations(self) -> str:
        """Return a box for each formation where one of its units stands, apart from all others."""
        drawn = ""
        for formation in formations(self.view):
            x, y = self._spot(formation)
            drawn += self._box(formation, x, y)
        return drawn

    def _spot(self, formation: Formation) -> Point:
        """Return the middle of a hex where a unit of a formation stands, in which a box covers no other."""
        near = self.sheet.centre(formation.place)
        hexes = [self.sheet.centre(hex) for hex in hexes_of(self.view, formation)]
        ranked = sorted(hexes, key=lambda at: ((at[0] - near[0]) ** 2 + (at[1] - near[1]) ** 2, at))
        spots = [(at, self._room(formation, *at)) for at in ranked]

        def hides(spot: tuple[Point, Rect]) -> tuple[bool, bool, bool]:
            """Return whether a box at a spot would cover another, the front, or a place: worst first."""
            return tuple(  # type: ignore[return-value]
                any(covers)
                for covers in (
                    map(spot[1].meets, self.taken),
                    map(spot[1].holds, self.fronts),
                    map(spot[1].meets, self.signs),
                )
            )

        best = min(spots, key=hides)
        self.taken.append(best[1])
        return best[0]

    def _room(self, formation: Formation, x: int, y: int) -> Rect:
        wide = BOX + (4 + advance(formation.name) * 11 / EM if formation.name else 0)
        high = TALL + (10 if formation.size else 0) + BAR + 2
        top = TALL / 2 + (10 if formation.size else 0)
        px = self.px
        return Rect(round(x - BOX / 2 * px), round(y - top * px), round(wide * px), round(high * px))

    def _box(self, formation: Formation, x: int, y: int) -> str:
        canvas, px = self.canvas, self.px
        colours = canvas.paint(formation.owner)
        canvas.rule("edge", "stroke:#1d1b16;stroke-width:1", "stroke:#0b0a08")
        halo = self._halo()
        inner = f'<rect class="edge" x="-17" y="-11" width="{BOX}" height="{TALL}" fill="{colours["fill"]}"/>'
        inner += self._arm(formation.symbol, colours["ink"])
        body = canvas.define(f"box {formation.owner} {formation.symbol}", f'<g id="@">{inner}</g>')
        drawn = f'<use href="#{body}"/>'
        if formation.full:
            left = 33 * formation.strength / formation.full
            drawn += f'<path d="M-17 12h{BOX}v{BAR}h-{BOX}z" fill="#1d1b16"/>'
            gone = number(33 - left)
            drawn += f'<path d="M{number(left - 16.5)} 12.8h{gone}v2.4h-{gone}z" fill="#fff"/>'
        if formation.size:
            drawn += canvas.letters.text(formation.size, 0, -13, 9, "middle", f' class="{halo}"')
        if formation.name:
            drawn += canvas.letters.text(safe(formation.name)[:12], 20, 4, 11, "start", f' class="{halo}"')
        label = words(self._described(formation))
        address = words(self.link(self.chart.number(formation.place)))
        at = f"translate({x} {y})scale({number(px, 2)})"
        self.canvas.rule("zx", "cursor:pointer")
        self.canvas.rule("zx:focus-visible .m-edge", "stroke:#b3006e;stroke-width:3", "stroke:#ff8ad1")
        named = f'aria-label="{label}" transform="{at}"><title>{label}</title>'
        return f'<a class="zx" href="{address}" {named}{drawn}</a>'

    def _arm(self, symbol: str, ink: str) -> str:
        """Return the sign of an arm that fills its box."""
        own = shapes()["symbols"].get(symbol, {})
        drawn = (
            f'<path d="{own["line"]}" fill="none" stroke="{ink}" stroke-width="1"/>' if "line" in own else ""
        )
        drawn += f'<path d="{own["fill"]}" fill="{ink}"/>' if "fill" in own else ""
        return f'<g transform="translate(0 3.6)scale(1.79 1.83)">{drawn}</g>' if drawn else ""

    def _described(self, formation: Formation) -> str:
        """Return a formation in words: whose, what, how many counters, what is left, where."""
        say, text = self.view.wording.say, self.view.wording.text
        parts = [say("far-counters", count=len(formation.units))]
        if formation.arm:
            parts.insert(0, text(formation.arm))
        if formation.full:
            parts.append(say("far-strength", left=formation.strength, full=formation.full))
        name = " ".join(part for part in (capital(safe(text(formation.owner))), safe(formation.name)) if part)
        return f"{name}: {', '.join(parts)}; {self.view.place(self.chart.number(formation.place))}"

    def _ranked(self) -> dict[int, tuple[int, int, str, str]]:
        """Return kind, worth, name and number of each place that has a sign; where those stand."""
        wanted, ranked = objectives(self.view), dict[int, tuple[int, int, str, str]]()
        for place, own in places_drawn(self.canvas, self.chart):
            label = str(place.data.get(own["label"], "")) if "label" in own else ""
            value = place.data.get(own.get("value", ""))
            worth = wanted.get(place.number) or (value if isinstance(value, int) and value > 0 else 0)
            kind = 0 if place.number in wanted else 1 if sign_of(own, place) in CITIES else 2
            if label or kind == 0:
                ranked.setdefault(place.hex, (kind, -worth, label, str(worth or "")))
        for text in wanted:
            hex = self.sheet.get(text)
            if hex is not None:
                ranked.setdefault(hex, (0, -wanted[text], "", str(wanted[text] or "")))
        for hex in ranked:
            x, y = self.sheet.centre(hex)
            half = round(6 * self.px)
            self.signs.append(Rect(x - half, y - half, 2 * half, 2 * half))
        return ranked

    def _places(self, ranked: dict[int, tuple[int, int, str, str]]) -> str:
        """Return objectives with their worth, cities and towns; names where they cover nothing."""
        self.taken += self.signs
        return "".join(
            self._place(hex, *ranked[hex]) for hex in sorted(ranked, key=lambda hex: (ranked[hex], hex))
        )

    def _place(self, hex: int, kind: int, _: int, label: str, worth: str) -> str:
        (x, y), px, halo = self.sheet.centre(hex), self.px, self._halo()
        size = (13.5, 11.5, 10)[kind]
        holder = self.view.holder(self.chart.number(hex))
        fill = self.canvas.paint(holder)["fill"] if holder in self.canvas.initials else "#4a4334"
        self._rule(
            "ci", f"fill:#fffdf4;stroke:#1d1b16;stroke-width:{self._wide(1.6)}", "fill:#14130f;stroke:#f3eddb"
        )
        if kind == 0:
            star = shapes()["sites"]["objective"]["fill"]
            at = f"translate({x} {y})scale({number(0.9 * px, 2)})"
            rim = 'stroke="#fffdf4" stroke-width="1.2" paint-order="stroke"'
            sign = f'<path d="{star}" transform="{at}" fill="{fill}" {rim}/>'
        else:
            sign = f'<circle class="zci" cx="{x}" cy="{y}" r="{self._wide(4 if kind == 1 else 3)}"/>'
            sign += f'<circle cx="{x}" cy="{y}" r="{self._wide(1.6)}" fill="{fill}"/>' if kind == 1 else ""
        text = safe(f"{label[:20]} {worth}".strip())
        wide, high = advance(text) * size / EM * px, size * px
        for dx, dy, anchor in (
            (7, 0.35, "start"),
            (-7, 0.35, "end"),
            (0, -0.7, "middle"),
            (0, 1.4, "middle"),
        ):
            left = x + dx * px - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
            base = y + dy * high
            room = Rect(round(left), round(base - 0.75 * high), round(wide), round(0.8 * high))
            inside = room.x > 0 and room.x + room.wide < self.sheet.width and room.y > 0
            if text and inside and not any(map(room.meets, self.taken)):
                self.taken.append(room)
                return sign + self._text(text, x + dx * px, base, size, anchor, halo)
        return sign

    def _battles(self) -> str:
        """Return where was fought."""
        seen = stage.happened(self.canvas, self.events)
        burst = stage.burst(self.canvas) if seen.battles else ""
        drawn = ""
        for hex in sorted(seen.battles):
            x, y = self.sheet.centre(hex)
            drawn += f'<use href="#{burst}" transform="translate({x} {y})scale({number(0.7 * self.px, 2)})"/>'
        return drawn

    def _moves(self) -> str:
        """Return the six greatest moves as broad arrows; those that begin and end near each other are one."""
        moved: dict[tuple[str, int, int], int] = {}
        for arrow in stage.happened(self.canvas, self.events).arrows:
            start, end = arrow.way[0], arrow.way[-1]
            long = self.chart.distance(start, end)
            if arrow.by in ("retreat", "attack") or long is None or long < SHORT:
                continue
            same = next(
                (
                    key
                    for key in moved
                    if key[0] == arrow.owner
                    and all(
                        (self.chart.distance(a, b) or 0) <= APART
                        for a, b in zip(key[1:], (start, end), strict=True)
                    )
                ),
                (arrow.owner, start, end),
            )
            moved[same] = moved.get(same, 0) + arrow.count
        best = sorted(moved, key=lambda key: (-moved[key] * (self.chart.distance(*key[1:]) or 0), key))[
            :MOVES
        ]
        return "".join(self._broad(*key) for key in best)

    def _broad(self, owner: str, start: int, end: int) -> str:
        (ax, ay), (bx, by), px = self.sheet.centre(start), self.sheet.centre(end), self.px
        long = hypot(bx - ax, by - ay) or 1
        ux, uy = (bx - ax) / long, (by - ay) / long
        neck = max(0.3 * long, long - 22 * px)

        def at(along: float, aside: float) -> str:
            return f"{round(ax + ux * along - uy * aside * px)} {round(ay + uy * along + ux * aside * px)}"

        points = [at(0, 3), at(neck, 5), at(neck, 11), at(long, 0), at(neck, -11), at(neck, -5), at(0, -3)]
        if owner:
            self.canvas.owner_class(owner)
        tone = f"o{self.canvas.owners.index(owner)}f" if owner in self.canvas.owners else "plain"
        self._rule("mo", f"fill-opacity:.85;stroke:#fffdf4;stroke-width:{self._wide(1)}", "stroke:#14130f")
        return f'<path class="{tone} zmo" d="M{"L".join(points)}z"/>'

    # ---- the key ---------------------------------------------------------------------------------

    def _key(self) -> tuple[str, int]:
        """Return one row below the map: what each sign means that is on it."""
        say, px, canvas = self.view.wording.say, self.px, self.canvas
        plain, x, row = canvas.rule("plain", "fill:#2b2720", "fill:#f3eddb"), 14.0, 0
        signs: list[tuple[str, str]] = []
        for power in canvas.owners:
            if any(key.startswith(f"{power} ") for key in canvas.defined("box ")):
                fill = canvas.paint(power)["fill"]
                box = f'<rect class="edge" x="-11" y="-7" width="22" height="14" fill="{fill}"/>'
                signs.append((box, capital(safe(self.view.wording.text(power)))))
        if canvas.uses("zfl"):
            first, second = (
                f'<path d="{tooth}" class="{plain}" transform="{at}"/>'
                for tooth, at in zip(
                    TEETH, ("translate(-7 0)scale(.8)", "translate(7 0)scale(.8 -.8)"), strict=True
                )
            )
            signs.append((f'<path d="M-13 0h26v2h-26z" class="{plain}"/>{first}{second}', say("key-front")))
        bar = f'<path d="M-13-3h26v6h-26z" class="{plain}"/><path d="M3-1.4h9v2.8h-9z" fill="#fff"/>'
        signs.append((bar, say("far-bar")))
        star = shapes()["sites"]["objective"]["fill"]
        if objectives(self.view):
            signs.append((f'<path d="{star}" class="{plain}"/>', say("site-objective")))
        if canvas.uses("zmo"):
            signs.append(
                (f'<path d="M-13-2l16-1v-4l10 7-10 7v-4l-16-1z" class="{plain}"/>', say("far-moves"))
            )
        drawn = ""
        for sign, text in signs:
            wide = 34 + advance(text) * 11 / EM + 22
            if x + wide > ACROSS and x > 14:
                x, row = 14.0, row + 1
            top = self.sheet.height + (16 + 24 * row) * px
            at = f"translate({number((x + 14) * px)} {number(top)})scale({number(px, 2)})"
            label = canvas.letters.text(text, 18, 4, 11, "start", f' class="{plain}"')
            drawn += f'<g transform="{at}">{sign}{label}</g>'
            x += wide
        return drawn, round((30 + 24 * row) * px)
