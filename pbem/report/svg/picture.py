"""The map of a report as a file of its own: as SVG, and as PNG by the extra `png` (resvg)."""

from __future__ import annotations

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


def png(report: Report, hidden: Collection[str] = (), *, dark: bool = False, scale: int = 2) -> bytes:
    """The same as a picture, `scale` pixels to the unit; areas of supply and control are left out.

    Refused without the library, which the extra `png` brings.
    """
    try:
        import resvg_py
    except ImportError:
        help_ = ("install it with: pip install 'pbem[png]'", "or make an SVG: --format svg")
        raise Refused(Diagnostic("no-png", "pictures need the library resvg-py", help=help_)) from None
    style = Style("dark" if dark else "light", still=True, alone=True, hidden=frozenset((*hidden, *AREAS)))
    drawn = draw(report.view, _events(report), style, title(report))
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn.svg, zoom=scale, skip_system_fonts=True))


def title(report: Report) -> str:
    """What the drawing is of."""
    return f"{report.title}: {report.words.say('map-title', stage=report.stage)}"


def _events(report: Report) -> list[dict[str, object]]:
    return [dict(item.event) for item in report.items]
