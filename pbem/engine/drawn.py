"""The shapes of a map's areas: those that a scenario brings, or those of the package for the same areas."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.board.map import GameMap
from pbem.board.shape_faults import shape_faults
from pbem.board.shapes import Shapes, read
from pbem.engine.system import System
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

FOLDER = "look/shapes/*.yaml"
_read: dict[str, Shapes] = {}


def shapes_of(system: System, chart: GameMap | None) -> Shapes | None:
    """Return the shapes of a map, or None without any.

    A picture is not a rule: no game pins the files of a package, and the areas say whose they are.
    """
    if chart is None or not chart.areas or chart.sheets or chart.boxes:
        return None
    if chart.shapes is not None:
        return chart.shapes
    wanted = {chart.number(i) for i in chart.areas}
    return next(
        (one for name in system.files(FOLDER) if {*(one := packaged(system, name)).areas} == wanted), None
    )


def drawing_faults(system: System) -> Iterator[Diagnostic]:
    """Yield what is wrong with a package's shapes: in themselves, and against its maps."""
    charts = {}
    for name in system.scenarios():
        scenario = system.scenario(name)
        chart = system.map_of(system.build_world(scenario, system.options(scenario, {})))
        if chart is not None and chart.areas:
            charts[frozenset(chart.number(i) for i in chart.areas)] = chart
    for name in system.files(FOLDER):
        document = system.document(name)
        try:
            shapes = read(document.data)
        except Refused as refused:
            yield from (fault.at(document) for fault in refused.diagnostics)
            continue
        near = max(charts, key=lambda ids: len(ids & {*shapes.areas}), default=frozenset())
        if near & {*shapes.areas}:
            yield from (fault.at(document) for fault in shape_faults(shapes, charts[near]))
        else:
            yield Diagnostic("no-such-map", Message("engine.drawn.no-such-map")).at(document)


def packaged(system: System, name: str) -> Shapes:
    """Return the shapes of a file of the package, read once."""
    key = f"{system.folder}/{name}"
    if key not in _read:
        _read[key] = read(system.data(name))
    return _read[key]
