"""The public report as a page for mail programs: news, battles and questions, with a small map.

Mail programs run no scripts, fetch nothing and know few styles, so there are none; a page of its
own has more, and no email attaches it: `pbem report --out report.html` makes it.
"""

from __future__ import annotations

from typing import Any

from pbem.board.map import GameMap
from pbem.report.forces import by_hex, place, title
from pbem.report.news import news as first_line
from pbem.report.structure import Report
from pbem.report.svg.canvas import Style
from pbem.report.svg.draw import AREAS, draw
from pbem.report.svg.scene import Room, scene, window
from pbem.report.text import fight_words, is_large, losses_in_words, news_lines, nothing_words, to_do_lines
from pbem.report.whole.ending import how_it_ended

MOST_CARDS, MOST_NEWS = 8, 12
PIXELS, SHOWN = 1200, 600
"""Width of a picture, and the width at which a mail program shows it."""
MOST_PICTURE = 120_000
"""Bytes of a picture."""
WIDE, HIGH = 8, 7
"""Columns and rows of hexes of a picture, at most: a hex number is then nine pixels high on a phone."""
PROVINCES, QUIET = 720, 6
"""Pixels across a map of provinces, which is always shown whole, and how many orders, losses and captures it
takes to be worth its bytes: a quiet phase is told in words, without a page."""
SCALES = (1.0, 0.8, 0.65, 0.5)
"""The largest that has no more bytes is sent, for where nothing packs pictures."""


def is_quiet(report: Report) -> bool:
    """Return True if the text tells enough: on a map of provinces little happened, and the game continues."""
    if report.view.shapes is None or report.fights or report.finished:
        return False
    return _shown(report) < QUIET


def page(report: Report, *, with_picture: bool) -> str:
    """Return the page; `with_picture`: the email has one, named `cid:map`."""
    from pbem.report.html import environment, owners

    cards = [fight_words(fight, report) for fight in report.fights]
    words = report.words
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
            to_do=to_do_lines(report),
            picture=with_picture,
            shown=SHOWN,
            alternative=f"{words.say('map-title', stage=report.stage)}. {first_line(report)}",
            **_strengths(report),
        )
    )


def _strengths(report: Report) -> dict[str, list[Any]]:
    """Return the orders of battle and the places; nothing of a war that is too large for an email."""
    if is_large(report.view):
        return {"forces": [], "places": []}
    words = report.words
    forces = [
        (title(force, words), [(place(stack, words), stack.told(own=force.own)) for stack in force.stacks])
        for force in report.forces
    ]
    told = report.view.shapes is not None  # on a map of provinces, a line above says who holds what
    return {"forces": forces, "places": [] if told else list(by_hex(report.places))}


def picture(report: Report) -> bytes:
    """Return the map as a PNG: where something happened; of a small map all, where nothing did.

    Nothing where there is no map, where nothing happened on a large one, or where the library for pictures is
    not installed.
    """
    chart = report.view.chart
    if chart is None or not report.view.position.counters:
        return b""
    hexes = window(chart, scene(report, Room(WIDE * HIGH, WIDE, HIGH)), WIDE, HIGH)
    if not hexes and not _fits(chart):
        return b""
    try:
        import resvg_py  # noqa: F401
    except ImportError:
        return b""
    style = Style("light", still=True, hidden=frozenset(AREAS), mail=True)
    events = [dict(item.event) for item in report.items]
    drawn = draw(report.view, events, style, hexes=hexes or None)
    pixels = PIXELS if report.view.shapes is None else PROVINCES
    effort = 9 if report.view.shapes is None else 12
    for scale in SCALES:
        made = _packed(_rendered(drawn.svg, scale * pixels / max(1, drawn.wide)), effort)
        if len(made) <= MOST_PICTURE:
            return made
    return b""


def _shown(report: Report) -> int:
    """Return how many events are drawn on a map of provinces."""
    drawn = report.view.look.part("orders")
    meant = ((item.event, report.view.means(item.event).tells) for item in report.items)
    return sum(
        str(event.get("event")) in drawn or bool({"loss", "capture"} & {*tells}) for event, tells in meant
    )


def _fits(chart: GameMap) -> bool:
    """Return True if a whole map is small enough for a picture."""
    return len(chart.hexes) <= WIDE * HIGH * 3 // 2


def _rendered(drawn: str, scale: float) -> bytes:
    """Return a drawing as PNG; edges without shades take a quarter of the bytes."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn, zoom=scale, skip_system_fonts=True, shape_rendering="crisp_edges"
        )
    )


def _packed(png: bytes, effort: int) -> bytes:
    """Return the picture in half the bytes, or as it is if the library is missing.

    `effort` is at most 12, which takes 0.4 s for the map of seven powers and saves an eighth.
    """
    try:
        import oxipng
    except ImportError:
        return png
    plain = [oxipng.RowFilter.NoOp]  # trying the others costs ten times as long, for a tenth
    deflate = oxipng.Deflaters.libdeflater(effort)
    return bytes(oxipng.optimize_from_memory(png, filter=plain, deflate=deflate, fast_evaluation=True))
