"""`pbem odds`: what to expect of a battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import print_json, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, lang_option, reader_option
from pbem.cli.writing.naming import Names
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.odds.help")
@click.argument("place", required=False)
@click.option("--with", "attackers", multiple=True, metavar="UNIT", help="cli.odds.option-with")
@reader_option
@lang_option
@json_option
@in_folder
def command(
    folder: Folder,
    place: str | None,
    attackers: tuple[str, ...],
    reader: str | None,
    lang: str,
    as_json: bool,
) -> None:
    from pbem.cli.games.telling import report_view
    from pbem.report.data import forecast_json
    from pbem.report.forecasts import forecast_words
    from pbem.text.diagnostics import Diagnostic, Refused

    view = folder.view(reader)
    shown = report_view(view, lang)
    names = Names(shown)
    known = names.find(place) if place is not None else None
    if place is not None and (shown.chart is None or known is None or known not in shown.chart):
        message = Message("cli.drawing.no-such-place", place=place)
        raise Refused(Diagnostic("unknown-location", message, help=tuple(names.hints(place))))
    place, attackers = known, tuple(names.find(attacker) or attacker for attacker in attackers)
    unknown = [attacker for attacker in attackers if attacker not in view.position.counters]
    if unknown:
        hints = [hint for word in unknown for hint in names.hints(word)]
        raise Refused(
            Diagnostic(
                "unknown-unit",
                Message("cli.odds.you-see-no-such-unit", unknown=tuple(unknown)),
                help=tuple(hints),
            )
        )
    forecasts = view.system.forecasts(view.game, place, attackers)
    if as_json:
        print_json({"forecasts": [forecast_json(forecast) for forecast in forecasts]})
        return
    if view.system.odds_hook is None:
        result(shown.wording.say("no-odds", system=view.system.title or view.system.name))
        return
    lines = [
        line if number == 0 else f"  {line}"
        for word in forecast_words(forecasts, shown)
        for number, line in enumerate(word)
    ]
    nothing = "no-forecasts" if place is None else "no-forecast-there"
    result("\n".join(lines) if lines else shown.wording.say(nothing, place=shown.place(place or "")))
