"""The public report as a page for mail programs: news, battles and questions, with a small map.

Mail programs run no scripts, fetch nothing and know few styles, so there are none; what a page of its own has
beside this is in the attachment of nobody: `pbem report --out report.html` makes it.
"""

from __future__ import annotations

from typing import Any

from pbem.report.ending import how_it_ended
from pbem.report.forces import by_hex, place, title
from pbem.report.news import news as first_line
from pbem.report.structure import Report
from pbem.report.svg.canvas import Style
from pbem.report.svg.draw import AREAS, draw
from pbem.report.svg.scene import Room, scene
from pbem.report.text import fight_words, is_large, losses_in_words, news_lines, nothing_words

MOST_CARDS, MOST_NEWS = 8, 12
MOST_PICTURE, MOST_OF_LARGE, LEAST_PICTURE = 11_000, 8_000, 5_000
"""Bytes of a picture for a mail; of that of a large war, which has more to read; and what a picture may have
where there is hardly any room. A larger one is left out."""
MOST_HEXES, FEWER_HEXES, MOST_WIDE, MOST_HIGH = 42, 24, 9, 8
"""Hexes of a picture, and where so many can only be small; beside and above each other. One of a whole map
that fits a mail shows counters that nobody can read, one of two ends of it shows paper between them."""
WHOLE = 100
"""Hexes of a map that is shown whole where nothing happened at a place."""
SCALES = (0.9, 0.8, 0.65, 0.5, 0.4)
"""The largest that fits is sent; the smallest is drawn first, for large pictures cost most."""
LEGIBLE = 0.65
"""A smaller one is drawn of fewer hexes."""


def page(report: Report, *, with_picture: bool) -> str:
    """Return the page; `with_picture`: the mail has one, named `cid:map`."""
    from pbem.report.html import environment, owners

    cards = [fight_words(fight, report) for fight in report.fights]
    return (
        environment()
        .get_template("mail.html.j2")
        .render(
            report=report,
            lang=report.words.language.code,
            say=report.words.say,
            owners=owners(report),
            news=(*report.notes, *news_lines(report))[:MOST_NEWS],
            more_news=max(0, len(report.notes) + len(news_lines(report)) - MOST_NEWS),
            nothing=nothing_words(report),
            ending=how_it_ended(report),
            first=first_line(report),
            lost=losses_in_words(report),
            cards=cards[:MOST_CARDS],
            more_cards=max(0, len(cards) - MOST_CARDS),
            waits=report.words.language.listed([party.text for party in report.waiting]),
            picture=with_picture,
            **_strengths(report),
        )
    )


def _strengths(report: Report) -> dict[str, list[Any]]:
    """Return the orders of battle and the places; nothing of a war that is too large for a mail."""
    if is_large(report.view):
        return {"forces": [], "places": []}
    words = report.words
    forces = [
        (title(one, words), [(place(each, words), each.told(own=one.own)) for each in one.stacks])
        for one in report.forces
    ]
    return {"forces": forces, "places": list(by_hex(report.places))}


def picture(report: Report, room: int = MOST_PICTURE) -> bytes:
    """Return the map of a stage's events as a small PNG of roughly at most `room` bytes.

    Of a small map all, if nothing happened.

    Nothing where there is no map, where nothing happened on a large one, or where the library for pictures is
    not installed.
    """
    chart = report.view.chart
    if chart is None or not report.view.position.counters:
        return b""
    hexes = scene(report, Room(MOST_HEXES, MOST_WIDE, MOST_HIGH)) or None
    if hexes is None and len(chart.hexes) > WHOLE:
        return b""
    try:
        import resvg_py  # noqa: F401
    except ImportError:
        return b""
    most = max(LEAST_PICTURE, min(room, MOST_OF_LARGE if is_large(report.view) else MOST_PICTURE))
    most *= _times_packed()
    scale, found = _fitting(report, hexes, most)
    if scale < LEGIBLE and hexes is not None:
        other, fewer = _fitting(report, scene(report, Room(FEWER_HEXES, MOST_WIDE, MOST_HIGH)), most)
        found = fewer if other > scale else found
    return _packed(found) if found else b""


def _fitting(report: Report, hexes: set[int] | None, most: int) -> tuple[float, bytes]:
    """Return the scale and PNG of the largest picture of some hexes within the limit; 0 and b"" if none."""
    style = Style("light", still=True, hidden=frozenset((*AREAS, "numbers")))
    drawn = draw(report.view, [dict(item.event) for item in report.items], style, hexes=hexes).svg
    smallest = SCALES[-1]
    found = _rendered(drawn, smallest)
    if len(found) > most:
        return 0.0, b""
    for scale in SCALES[:-1]:  # bytes grow at least as the scale does
        if len(found) * scale <= most * smallest:
            larger = _rendered(drawn, scale)
            if len(larger) <= most:
                return scale, larger
    return smallest, found


def _times_packed() -> int:
    """Return roughly how many times larger a picture is before it is packed; 1 if nothing packs it."""
    try:
        import oxipng  # noqa: F401
    except ImportError:
        return 1
    return 2


def _rendered(drawn: str, scale: float) -> bytes:
    """Return a drawing as PNG; edges without shades take a quarter of the bytes."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn, zoom=scale, skip_system_fonts=True, shape_rendering="crisp_edges"
        )
    )


def _packed(png: bytes) -> bytes:
    """Return the picture in half the bytes, or as it is if the library is missing."""
    try:
        import oxipng
    except ImportError:
        return png
    plain = [oxipng.RowFilter.NoOp]  # trying the others costs ten times as long, for a tenth
    deflate = oxipng.Deflaters.libdeflater(9)
    return bytes(oxipng.optimize_from_memory(png, filter=plain, deflate=deflate, fast_evaluation=True))
