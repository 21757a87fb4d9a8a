"""The counters of a folder at the start, drawn by the look of the system as on the map."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.report.svg.canvas import Canvas
    from pbem.workshop.editing import Opened

_DATA = re.compile(r' d="([^"]+)"')


def faces(opened: Opened, lang: str) -> dict[str, Any]:
    """Return faces of counters by id, and the symbols and forms that they use; {} of a faulty folder."""
    from pbem.cli.games.drawing import report_at_start
    from pbem.report.svg.canvas import Canvas, Style
    from pbem.report.svg.look import shapes
    from pbem.report.svg.pieces import FORMS
    from pbem.report.svg.sheet import Sheet

    reading = opened.found
    if reading.errors or reading.system is None or reading.whole is None:
        return {}
    report = report_at_start(reading.system.with_scenario(reading.whole), reading.whole, lang)
    if report.view.chart is None:
        return {}
    canvas = Canvas(report.view, Sheet(report.view.chart, ()), Style())
    made = {id: _face(canvas, id) for id in canvas.view.position.counters}
    used = {face["symbol"] for face in made.values()}
    return {
        "faces": made,
        "symbols": {name: own for name, own in shapes()["symbols"].items() if name in used and own},
        "forms": {name: match[1] for name, form in FORMS.items() if (match := _DATA.search(form))},
    }


def _face(canvas: Canvas, id: str) -> dict[str, Any]:
    """Return what is printed on one counter, with the colours of its owner."""
    from pbem.report.svg.pieces import form_of
    from pbem.report.svg.units import face_of

    face = face_of(canvas, id)
    steps = face.kind.steps
    left = len(steps) - steps.index(face.strength) if face.strength in steps and len(steps) <= 8 else 0
    return {
        "paint": canvas.paint(face.owner),
        "symbol": face.kind.symbol,
        "form": form_of(canvas, id),
        "label": face.kind.label,
        "corner": canvas.initials.get(face.owner, ""),
        "foot": face.figures or ("" if face.strength is None else str(face.strength)),
        "echelon": face.echelon,
        "marks": face.marks,
        "steps": [left, len(steps)] if left else [],
    }
