"""The forecast of the fight that is aimed at, and the board on which an answer continues.

All of it is worked out on the reader's own view, so it tells nothing that a report does not. What nobody has
seen is counted and not guessed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import code, spoken
from pbem.cli.web.data.rule import chart_of
from pbem.cli.web.words import words
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.cli.web.draft import OrderDraft
    from pbem.engine.game import Game
    from pbem.engine.resolve import Question
    from pbem.model.forecasts import Forecast
    from pbem.report.reader import View

Data = dict[str, Any]


def odds(
    orders: OrderDraft, question: Question | None, target: str, units: list[str], start: str | None = None
) -> Data:
    """Return what to expect if these units attack a place, on the board as the orders so far leave it.

    `start`: they have gone there first. Refused for a place or a unit that the reader does not know.
    """
    from pbem.cli.web.board import seen
    from pbem.cli.writing.naming import Names

    folder = orders.folder
    view = seen(folder, code())
    names = Names(view)
    place = names.find(target)
    if place is None or view.chart is None or place not in view.chart:
        message = Message("cli.drawing.no-such-place", place=target)
        raise Refused(Diagnostic("unknown-location", message, help=tuple(names.hints(target))))
    board = board_of(orders, question)
    known = [names.find(unit) or unit for unit in units]
    unknown = [unit for unit in known if unit not in board.position.counters]
    if unknown:
        message = Message("cli.odds.you-see-no-such-unit", unknown=tuple(unknown))
        raise Refused(Diagnostic("unknown-unit", message))
    if start is not None and (beside := names.find(start)) in view.chart:
        board = board.copy()
        for unit in known:
            board.position.move(unit, str(beside))
    forecasts = folder.system.forecasts(board, place, known)
    if not forecasts:
        return {"place": place, "sentence": "", "none": _none(orders, view, place)}
    further = [_data(forecast, view) for forecast in forecasts[1:]]
    return _data(forecasts[0], view) | {
        "further": further,
        "chart": chart_of(folder.system, forecasts[0].odds),
    }


def board_of(orders: OrderDraft, question: Question | None) -> Game:
    """Return the board on which an answer continues: with what it has done so far."""
    from pbem.cli.web.addresses.at_hand import AtHand
    from pbem.cli.web.in_a_row import Then
    from pbem.engine.growing import Growing

    if question is None:
        return orders.folder.view().game
    there = orders.at(question)
    game: Game = there.view().game
    decision = orders.folder.system.decision(question.kind, question.party, question.fields)
    if not isinstance(decision, Growing) or not isinstance(there, AtHand | Then):
        return game
    drafting = there.draft(question, orders.answer(question))
    return game if drafting is None else drafting.draft.game.copy()


def _none(orders: OrderDraft, view: View, place: str) -> str:
    system = orders.folder.system
    if system.odds_hook is None:
        return view.wording.say("no-odds", system=system.title or system.name)
    return view.wording.say("no-forecast-there", place=view.place(place))


def _data(forecast: Forecast, view: View) -> Data:
    from pbem.model.forecasts import share
    from pbem.report.forecasts import sentence_words, table_words
    from pbem.report.plain import safe

    say = words(code()).say
    shown: list[str | None] = [
        None if lost is None else view.wording.number(lost) for lost in forecast.losses
    ]
    return {
        "place": forecast.place,
        "name": view.place(forecast.place),
        "sentence": " ".join(sentence_words(forecast, view)) if forecast.ends or forecast.case else "",
        "case": safe(view.wording.text(forecast.case)),
        "odds": spoken(forecast.odds),
        "share": share(forecast.chance("taken")) if forecast.ends else "",
        "sides": [
            {"player": safe(view.wording.text(player)), "strength": safe(view.wording.text(strength))}
            for player, strength in forecast.sides
        ],
        "table": [
            {"result": safe(view.wording.result(result)), "chance": str(chance), "share": share(chance)}
            for result, chance in forecast.chances
        ],
        "ends": [
            {"end": end, "text": say(f"board-end-{end}"), "share": share(chance)}
            for end, chance in forecast.ends
        ],
        "losses": shown,
        "unit": forecast.unit,
        "expected": [
            {
                "player": safe(view.wording.text(player)),
                "what": quantity,
                "number": view.wording.number(number),
            }
            for player, quantity, number in forecast.expected
        ],
        "unknown": {view.wording.text(player): count for player, count in forecast.unknown},
        "lines": table_words(forecast, view),
        "others": [_data(other, view) for other in forecast.others],
        "none": "",
    }
