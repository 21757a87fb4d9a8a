"""The board of a page: the drawing of the map, where each location lies on it, and who stands where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.archive import Folder


def board(folder: Folder) -> dict[str, Any]:
    """The map as its reader may know it: `svg`, and as data `centres` (location to its middle) and `stacks`.

    A system without a map gives an empty drawing and the stacks alone.
    """
    from pbem.cli._telling import report_of
    from pbem.report.svg.canvas import Style
    from pbem.report.svg.draw import AREAS, draw, sheet

    report = report_of(folder, folder.me, folder.view())
    view, chart = report.view, report.view.chart
    drawn = draw(
        view, (item.event for item in report.items), Style(hidden=AREAS), view.wording.say("map-region")
    )
    centres: dict[str, list[int]] = {}
    if chart is not None:
        found = sheet(view, chart)
        for i in found.hexes:
            x, y = found.centre(i)
            centres[chart.number(i)] = [int(x), int(y)]
        for i, rect in found.rects.items():
            centres[chart.number(i)] = [int(rect.x + rect.wide // 2), int(rect.y + rect.high // 2)]
    return {"svg": drawn.svg, "layers": drawn.layers, "centres": centres, "stacks": stacks(folder, view)}


def stacks(folder: Folder, view: Any) -> list[dict[str, Any]]:
    """Every location with counters that the reader knows of, his own with their ids."""
    from pbem.cli._naming import Names

    names = Names(view)
    me = folder.me
    mine = {me, *(folder.view().game.powers_of(me) if me in folder.view().game.players else ())}
    found: dict[str, list[dict[str, Any]]] = {}
    for id, fields in sorted(view.position.counters.items()):
        found.setdefault(view.position.hex(id) or "", []).append(
            {
                "id": id,
                "text": view.wording.short({"id": id, **fields}),
                "owner": view.wording.text(view.owner(id)),
                "mine": view.owner(id) in mine,
            }
        )
    return [{"at": at, "name": names.called(at) if at else "", "counters": c} for at, c in found.items()]
