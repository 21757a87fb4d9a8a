"""The shapes of a map's areas: those that a scenario brings, or the package's for the same areas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.board.map import GameMap
from pbem.board.shape_faults import shape_faults
from pbem.board.shapes import Shapes, read
from pbem.engine.system import System
from pbem.text.diagnostics import Diagnostic, Refused

FOLDER = "look/shapes"


def shapes_of(system: System, chart: GameMap | None) -> Shapes | None:
    """Return the shapes of a map, or None without any.

    A picture is not a rule: no game pins the files of a package, and their areas say whose they are.
    """
    if chart is None or not chart.areas or chart.sheets or chart.boxes:
        return None
    if chart.shapes is not None:
        return chart.shapes
    data = data_of(system, chart)
    return read(data) if data is not None else None


def data_of(system: System, chart: GameMap) -> dict[str, Any] | None:
    """Return the package's shapes for the areas of a map as plain data; None without any."""
    wanted = {chart.number(i) for i in chart.areas}
    named = (name for name in _files(system) if {*system.data(name).get("areas", ())} == wanted)
    return next((dict(system.data(name)) for name in named), None)


def _files(system: System) -> list[str]:
    return system.files(f"{FOLDER}/*.yaml")


def drawing_faults(system: System) -> Iterator[Diagnostic]:
    """Yield what is wrong with a package's shapes: in themselves, and against the nearest of its maps."""
    files = _files(system)
    charts = [chart for name in system.scenarios() if (chart := _chart(system, name))] if files else []
    for name in files:
        document = system.document(name)
        try:
            shapes = read(document.data)
        except Refused as refused:
            yield from (fault.at(document) for fault in refused.diagnostics)
            continue
        if not charts:
            return
        near = max(charts, key=lambda chart: len({*map(chart.number, chart.areas)} & {*shapes.areas}))
        yield from (fault.at(document) for fault in shape_faults(shapes, near))


def _chart(system: System, name: str) -> GameMap | None:
    """Return the map of a scenario if it has areas; None for a refused world, which others
    report.
    """
    scenario = system.scenario(name)
    try:
        chart = system.map_of(system.build_world(scenario, system.options(scenario, {})))
    except Refused:
        return None
    return chart if chart is not None and chart.areas else None
