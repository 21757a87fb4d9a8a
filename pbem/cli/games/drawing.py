"""The map as a drawing or a picture: which layers, which part of a large one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

if TYPE_CHECKING:
    from pbem.report.structure import Report


def drawing(
    report: Report,
    form: str,
    hidden: tuple[str, ...],
    shown: tuple[str, ...],
    around: tuple[str, ...],
    everything: bool,
    dark: bool,
) -> str | bytes:
    """Return the map of a report as a drawing, or as a picture of it or of a part.

    Raises Refused for an unknown name.
    """
    from pbem.report.svg.picture import part, png, svg

    _check_layers(hidden, shown)
    chart = report.view.chart
    if chart is None:
        raise Refused(report.view.no_map or Diagnostic("no-map", Message("cli.drawing.no-map")))
    for place in around:
        if place not in chart:
            raise Refused(Diagnostic("unknown-location", Message("cli.drawing.no-such-place", place=place)))
    if around and form != "png":
        raise click.UsageError(Message("cli.drawing.around-is-for-pictures"))
    if form == "svg":
        return svg(report, hidden, dark=dark, shown=shown)
    hexes = None if everything else part(report, around)
    if hexes is not None and not around:
        note(Message("cli.drawing.only-part-of-the-map-is-shown"))
    return png(report, hidden, dark=dark, shown=shown, hexes=hexes)


def _check_layers(hidden: tuple[str, ...], shown: tuple[str, ...]) -> None:
    from pbem.report.svg.draw import AREAS, LAYERS

    for names, known in ((hidden, LAYERS), (shown, AREAS)):
        for name in names:
            if name not in known:
                near = did_you_mean(name, known)
                message = Message("cli.drawing.no-such-layer", name=name, known=tuple(known))
                help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
                raise Refused(Diagnostic("unknown-layer", message, help=help_))
