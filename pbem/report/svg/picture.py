"""The map of a report as a file of its own: as SVG, and as PNG by the extra `png` (resvg)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pbem.report.structure import Report
from pbem.report.svg.board import Board
from pbem.report.svg.canvas import Style, Theme
from pbem.report.svg.draw import AREAS, LARGE, draw, sheet
from pbem.report.svg.far import far
from pbem.report.svg.scene import Room, around, filled, scene
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message


def svg(
    report: Report,
    hidden: Collection[str] = (),
    *,
    dark: bool = False,
    shown: Collection[str] = (),
    board: Board | None = None,
) -> str:
    """Return a drawing that is a file of its own.

    `dark`: on dark paper whatever the reader's screen prefers; `shown` are areas that are visible at once.
    """
    theme: Theme = "dark" if dark else "auto"
    style = Style(theme, alone=True, hidden=frozenset(hidden), shown=frozenset(shown), board=board)
    drawn = draw(report.view, _events(report), style, title(report))
    if drawn.wide <= LARGE or report.view.chart is None or not report.view.chart.sheets:
        return drawn.svg
    situation = far(report.view, _events(report), title(report), "", lambda hex: f"#hex-{hex}", board)
    return _with_situation(drawn.svg, situation)


def _with_situation(near: str, situation: str) -> str:
    """Return a large drawing that a printer shows as a situation: on one sheet nobody could read it."""
    head, end, rest = near.partition("</defs>")
    size = _SIZE.search(near)
    room = f'width="{size[1]}" height="{size[2]}"' if size is not None else ""
    inner = situation.strip().replace('class="map"', f'class="m-on-paper" {room}', 1)
    style = "<style>@media print{.m-near{display:none}}@media screen{.m-on-paper{display:none}}</style>"
    return f'{head}{end}{style}<g class="m-near">{rest.strip().removesuffix("</svg>")}</g>{inner}</svg>\n'


def bare(report: Report, events: Sequence[Mapping[str, Any]] | None = None) -> str:
    """Return the drawing alone, for pages that show it as a picture; light or dark as they are.

    `events` are those that are drawn instead of the report's own: of several stages on one map.
    """
    style = Style(still=True, hidden=frozenset(AREAS))
    return draw(report.view, _events(report) if events is None else events, style, title(report)).svg


MOST_PIXELS = 6_000_000
"""Of a picture: as many as are drawn in some three seconds."""
ROOM, NEAR = Room(260, 24, 24), 5
"""Of the part of a large map that a picture shows, and how far around a place that somebody names."""
_SIZE = re.compile(r'viewBox="0 0 ([0-9]+) ([0-9]+)"')


def part(report: Report, places: Collection[str] = ()) -> set[int] | None:
    """Return the hexes that a picture shows, None for all.

    They are those around `places`; without any, on a map too large for a picture, those around events.
    """
    chart = report.view.chart
    if chart is None:
        return None
    if places:
        return filled(chart, around(chart, places, ROOM, near=NEAR)) or None
    if len(chart.hexes) <= MOST_PIXELS // _UNITS:
        return None
    return filled(chart, scene(report, ROOM)) or None


_UNITS = 4200  # of a hex: more than fit at a pixel to the unit cannot be read


def png(
    report: Report,
    hidden: Collection[str] = (),
    *,
    dark: bool = False,
    scale: float = 2,
    shown: Collection[str] = (),
    hexes: Collection[int] | None = None,
    board: Board | None = None,
) -> bytes:
    """Return the map as PNG, with `scale` pixels to the unit, at most `MOST_PIXELS`.

    Areas of supply and control are left out unless they are `shown`. `hexes`: a part.

    Refused without the library, which the extra `png` brings.
    """
    try:
        import resvg_py
    except ImportError:
        help_ = (
            Message("report.svg.install-resvg"),
            Message("report.svg.or-make-svg"),
        )
        raise Refused(Diagnostic("no-png", Message("report.svg.no-png"), help=help_)) from None
    left_out = {*hidden, *(name for name in AREAS if name not in shown)}
    drawn = sheet(report.view, report.view.chart, hexes) if report.view.chart is not None else None
    fits = _scale(drawn.width * drawn.height, scale) if drawn is not None else scale
    if fits * Style().number_size < LEAST_NUMBER:
        left_out.add("numbers")
    theme: Theme = "dark" if dark else "light"
    style = Style(
        theme,
        still=True,
        alone=True,
        hidden=frozenset(left_out),
        shown=frozenset(shown),
        screen=fits < 1,
        board=board,
    )
    made = draw(report.view, _events(report), style, title(report), hexes).svg
    return bytes(resvg_py.svg_to_bytes(svg_string=made, zoom=fitting(made, scale), skip_system_fonts=True))


LEAST_NUMBER = 4
"""Pixels of a number that says something; smaller ones are left out."""


def fitting(drawn: str, scale: float) -> float:
    """Return the wanted scale, or the one at which a drawing has at most `MOST_PIXELS`."""
    size = _SIZE.search(drawn)
    return _scale(int(size[1]) * int(size[2]) if size is not None else 1, scale)


def _scale(units: int, scale: float) -> float:
    return scale if units * scale * scale <= MOST_PIXELS else (MOST_PIXELS / units) ** 0.5


def title(report: Report) -> str:
    """Return the title of the drawing."""
    return f"{report.title}: {report.words.say('map-title', stage=report.stage)}"


def _events(report: Report) -> list[dict[str, object]]:
    return [dict(item.event) for item in report.items]
