"""The board of a page: the place of each location on the map, the stacks, the data of counters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.cli.shell.words import safe
from pbem.cli.web.addresses.at_hand import once

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.writing.naming import Names
    from pbem.report.reader import View
    from pbem.report.svg.sheet import Sheet


def board(folder: Folder, lang: str = "en") -> dict[str, Any]:
    """Return what the drawing lacks: `centres` (location to its middle), `rim`, `stacks` and `faces`.

    Coasts that are apart have middles of their own (`SPA.NC`); `coasts` says of which location they are.

    The rim is the corners of a hex, as seen from its middle. A system without a map gives the stacks alone.
    """
    from pbem.report.svg.draw import sheet

    view = seen(folder, lang)
    chart = view.chart
    centres: dict[str, list[int]] = {}
    coasts: dict[str, str] = {}
    rim: list[list[int]] = []
    ground = None
    if chart is not None:
        ground = sheet(view, chart)
        for i in ground.hexes:
            x, y = ground.centre(i)
            centres[chart.number(i)] = [int(x), int(y)]
        rim = [[*corner] for corner in ground.form(ground.hexes[0]).corners] if ground.hexes else []
        for i, rect in ground.rects.items():
            centres[chart.number(i)] = [int(rect.x + rect.wide // 2), int(rect.y + rect.high // 2)]
    if ground is not None and view.shapes is not None:
        for id, shape in view.shapes.areas.items():
            coasts |= {f"{id}.{name}": id for name in shape.coasts}
            centres |= {f"{id}.{name}": [*spot] for name, spot in shape.coasts.items()}
    return {
        "centres": centres,
        "coasts": coasts,
        "rim": rim,
        "stacks": stacks(folder, view),
        "faces": faces(view, ground),
    }


def seen(folder: Folder, lang: str) -> View:
    """Return the owner's view of the board, in the words of a language."""
    from pbem.cli.games.telling import report_view

    return once(folder, ("seen", lang), lambda: report_view(folder.view(), lang))


def seat_name(folder: Folder, id: str, lang: str) -> str:
    """Return what a seat is called at the head of a line: "Soviet Union" for `soviet`."""
    from pbem.report.plain import capital

    return capital(seen(folder, lang).wording.text(id) if folder.stage >= 0 else id)


def faces(view: View, drawn: Sheet | None) -> dict[str, int]:
    """Return which of the counters drawn in its hex each counter is, so that a page can move its picture."""
    from pbem.report.svg import units
    from pbem.report.svg.canvas import Canvas, Style

    if drawn is None:
        return {}
    canvas = Canvas(view, drawn, Style())
    counts: dict[str, int] = {}
    for i in range(len(drawn.chart)):
        counts |= units.order(canvas, view.position.at(drawn.chart.number(i)))
    return counts


def _place(names: Names, at: str) -> str:
    """Return a place with its name: that of an area is said before any sign on it, as in `BUD Budapest`."""
    chart = names.view.chart
    index = chart.get(at) if chart is not None else None
    if chart is None or index is None or chart.kind(index) != "area" or not chart.name(index):
        return names.called(at)
    return f"{at} {safe(names.view.wording.text(chart.name(index)))}"


def stacks(folder: Folder, view: Any) -> list[dict[str, Any]]:
    """Return every location with known counters, the reader's own with their ids."""
    from pbem.cli.writing.naming import Names
    from pbem.report import figures

    names = Names(view)
    me = folder.me
    mine = {me, *(folder.view().game.powers_of(me) if me in folder.view().game.players else ())}
    words = view.wording
    by_place: dict[str, list[dict[str, Any]]] = {}
    for id in sorted(view.position.counters):
        values, own = view.values(id), view.owner(id) in mine
        text = figures.listed(words, values)
        known = not own and figures.figured_by(words, values)
        by_place.setdefault(view.position.hex(id) or "", []).append(
            {
                "id": id,
                "text": f"{id} {text}" if known else text,
                "owner": words.text(view.owner(id)),
                "mine": own,
            }
        )
    lying: dict[str, list[str]] = {}
    for facility in view.facilities:
        if text := figures.facility(words, facility):
            lying.setdefault(facility.place, []).append(f"{words.text(facility.owner)} {text}")
    return [
        {
            "at": at,
            "name": _place(names, at) if at else "",
            "counters": by_place.get(at, []),
            "facilities": lying.get(at, []),
        }
        for at in dict.fromkeys((*by_place, *lying))
    ]


def counter(folder: Folder, id: str, lang: str = "en") -> dict[str, Any]:
    """Return what is known of a counter: its name, its place, and its fields."""
    from pbem.cli.writing.naming import Names
    from pbem.report.figures import worth
    from pbem.text.flow import flow

    view = seen(folder, lang)
    fields = view.position.counters.get(id)
    if fields is None:
        return {"id": id, "text": "", "where": "", "fields": []}
    names = Names(view)
    shown = [(key, value if isinstance(value, str) else flow(value)) for key, value in sorted(fields.items())]
    text = names.called(id) + worth(view.wording, view.values(id))
    return {"id": id, "text": text, "where": names.place(id), "fields": shown}


def past(folder: Folder, id: str, lang: str = "en") -> list[str]:
    """Return what the reports told the owner about a counter, stage by stage."""
    from pbem.archive import history
    from pbem.cli.games.telling import chapter_report

    if folder.stage < 0 or id not in folder.view().game.position.counters:
        return []
    stages = history(folder.root, folder.private)
    lines = []
    for chapter in stages.chapters:
        report = chapter_report(stages, chapter, folder.reader, lang)
        lines += [f"{report.stage}: {item.text}" for item in report.items if _about(item.event, id)]
    return lines


def _about(value: Any, id: str) -> bool:
    """Return True if an event names this counter anywhere."""
    if isinstance(value, dict):
        return any(key == id or _about(item, id) for key, item in value.items())
    if isinstance(value, list | tuple):
        return any(_about(item, id) for item in value)
    return bool(value == id)
