"""The map of a report as a file of its own: as SVG, and as PNG by the extra `png` (resvg)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pbem.report.structure import Report
from pbem.report.svg.canvas import Style
from pbem.report.svg.draw import AREAS, draw
from pbem.text.diagnostics import Diagnostic, Refused


def svg(report: Report, hidden: Collection[str] = (), *, dark: bool = False) -> str:
    """A drawing that stands alone; `dark`: on dark paper whatever the reader's screen prefers."""
    style = Style("dark" if dark else "auto", alone=True, hidden=frozenset(hidden))
    return draw(report.view, _events(report), style, title(report)).svg


def bare(report: Report, events: Sequence[Mapping[str, Any]] | None = None) -> str:
    """The drawing and nothing beside it, for pages that show it as a picture; light or dark as they are.

    `events` are those that are drawn instead of the report's own: of several stages on one map.
    """
    style = Style(still=True, hidden=frozenset(AREAS))
    return draw(report.view, _events(report) if events is None else events, style, title(report)).svg


MOST_PIXELS = 6_000_000
"""Of a picture: as many as are drawn in some three seconds."""
_SIZE = re.compile(r'viewBox="0 0 ([0-9]+) ([0-9]+)"')


def png(report: Report, hidden: Collection[str] = (), *, dark: bool = False, scale: float = 2) -> bytes:
    """The same as a picture, `scale` pixels to the unit, fewer of a map that would be larger than
    `MOST_PIXELS`; areas of supply and control are left out.

    Refused without the library, which the extra `png` brings.
    """
    try:
        import resvg_py
    except ImportError:
        help_ = ("install it with: pip install 'pbem[png]'", "or make an SVG: --format svg")
        raise Refused(Diagnostic("no-png", "pictures need the library resvg-py", help=help_)) from None
    style = Style("dark" if dark else "light", still=True, alone=True, hidden=frozenset((*hidden, *AREAS)))
    drawn = draw(report.view, _events(report), style, title(report))
    fits = fitting(drawn.svg, scale)
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn.svg, zoom=fits, skip_system_fonts=True))


def fitting(drawn: str, scale: float) -> float:
    """The scale at which a drawing has no more than `MOST_PIXELS`, if not the one that is wanted."""
    size = _SIZE.search(drawn)
    units = int(size[1]) * int(size[2]) if size is not None else 1
    return scale if units * scale * scale <= MOST_PIXELS else (MOST_PIXELS / units) ** 0.5


def title(report: Report) -> str:
    """What the drawing is of."""
    return f"{report.title}: {report.words.say('map-title', stage=report.stage)}"


def _events(report: Report) -> list[dict[str, object]]:
    return [dict(item.event) for item in report.items]
