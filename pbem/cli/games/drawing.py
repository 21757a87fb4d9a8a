"""The map as a drawing or a picture for a command: which layers, and which part of a large one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

if TYPE_CHECKING:
    from pbem.engine.scenarios.whole_scenario import WholeScenario
    from pbem.engine.system import System
    from pbem.report.structure import Report
    from pbem.report.svg.board import Board


def drawing(
    report: Report,
    form: str,
    hidden: tuple[str, ...],
    shown: tuple[str, ...],
    around: tuple[str, ...],
    everything: bool,
    dark: bool,
    board: Board | None = None,
) -> str | bytes:
    """Return the map of a report as a drawing, or as a picture of it or of a part.

    `board` is the picture of the user's own board, below the map.

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
        return svg(report, hidden, dark=dark, shown=shown, board=board)
    hexes = None if everything else part(report, around)
    if hexes is not None and not around:
        note(Message("cli.drawing.only-part-of-the-map-is-shown"))
    return png(report, hidden, dark=dark, shown=shown, hexes=hexes, board=board)


def _check_layers(hidden: tuple[str, ...], shown: tuple[str, ...]) -> None:
    from pbem.report.svg.draw import AREAS, LAYERS

    for names, known in ((hidden, LAYERS), (shown, AREAS)):
        for name in names:
            if name not in known:
                near = did_you_mean(name, known)
                message = Message("cli.drawing.no-such-layer", name=name, known=tuple(known))
                help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
                raise Refused(Diagnostic("unknown-layer", message, help=help_))


def report_at_start(system: System, scenario: WholeScenario, lang: str) -> Report:
    """Return the position at the start as a report for a reader who may know all of it."""
    from pbem.cli.games.telling import report_view
    from pbem.engine.adjudicate import game_of, start
    from pbem.report.composing.compose import compose
    from pbem.report.reader import Meta
    from pbem.stages.views import PlayerView

    game = game_of(system, start(system, scenario.id))
    known = {fact.key: fact.value for fact in game.system.facts(game)}
    view = report_view(PlayerView(game.system, scenario.id, None, 0, known, ()), lang)
    title = str(scenario.data.get("title", scenario.id))
    return compose(None, [], view, Meta(title, "0" * 64, system.title or system.name, 0, title))
