"""The forecast of the fight that is aimed at, and of the board that the orders would leave.

All of it is worked out on the reader's own view, so it tells nothing that a report does not. What nobody has
seen is counted and not guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    from pbem.model.reaches import Reach
    from pbem.report.reader import View

Data = dict[str, Any]
UNKNOWN = "?"
"""The type of a counter that its reader has not seen."""
NAMED = 4
"""Units and places that a sentence names; the others are counted."""


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
    unknown = [one for one in known if one not in board.position.counters]
    if unknown:
        message = Message("cli.odds.you-see-no-such-unit", unknown=tuple(unknown))
        raise Refused(Diagnostic("unknown-unit", message))
    if start is not None and (beside := names.find(start)) in view.chart:
        board = board.copy()
        for one in known:
            board.position.move(one, str(beside))
    forecasts = folder.system.forecasts(board, place, known)
    if not forecasts:
        return {"place": place, "sentence": "", "none": _none(orders, view, place)}
    further = [_data(forecast, view) for forecast in forecasts[1:]]
    return _data(forecasts[0], view) | {
        "further": further,
        "chart": chart_of(folder.system, forecasts[0].odds),
    }


def board_of(orders: OrderDraft, question: Question | None) -> Game:
    """Return the board on which an answer goes on: with what it has done so far."""
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
            {"player": safe(view.wording.text(who)), "strength": safe(view.wording.text(strength))}
            for who, strength in forecast.sides
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
            {"player": safe(view.wording.text(who)), "what": what, "number": view.wording.number(number)}
            for who, what, number in forecast.expected
        ],
        "unknown": {view.wording.text(who): count for who, count in forecast.unknown},
        "lines": table_words(forecast, view),
        "others": [_data(other, view) for other in forecast.others],
        "none": "",
    }


# ---- what the orders leave


def after(orders: OrderDraft, question: Question | None, at: str | None) -> Data:
    """Return sentences about the board as the orders so far leave it; of a place, who can come there."""
    from pbem.cli.web.board import seen

    folder, me = orders.folder, orders.folder.me or ""
    before, game = folder.view().game, board_of(orders, question)
    looked = _Looked(game, me, seen(folder, code()))
    lines: list[str] = []
    if at is not None:
        lines += looked.coming(at)
    lines += looked.left_open(before)
    lines += looked.hungry(before)
    return {"at": at, "lines": lines, "reached": sorted(looked.reached)}


class _Looked:
    """The board after the orders so far, as one player sees it."""

    def __init__(self, game: Game, me: str, view: View) -> None:
        from pbem.cli.writing.naming import Names

        self.game, self.view = game, view
        self.mine = {me, *(game.powers_of(me) if me in game.players else ())}
        self.names, self.say = Names(view), words(code()).say
        friends = game.system.friends(game, me) if me in game.players else ()
        self.friends = self.mine | {
            power for friend in friends for power in (friend, *game.powers_of(friend))
        }
        foes = [id for id in sorted(game.position.counters) if self.view.owner(id) not in {"", *self.friends}]
        self.reach: dict[str, Reach] = {}
        self.unknown = 0
        for id in foes:
            reach = game.system.reach(game, id)
            if reach is not None:
                self.reach[id] = reach
            elif game.position.counters[id].get("type") == UNKNOWN:
                self.unknown += 1

    @property
    def reached(self) -> set[str]:
        """Return every place that a known enemy can reach."""
        return {end for one in self.reach.values() for end in one.ends}

    def coming(self, at: str) -> Iterator[str]:
        """Yield who of the known enemies can come to a place, and how many nobody knows."""
        if self.game.system.reach_hook is None:
            return
        goals, position = {at, *self._beside(at)}, self.game.position
        ids = [id for id, one in self.reach.items() if goals & one.ends or position.hex(id) in goals]
        place, units = self.names.called(at), self._listed(map(self._short, ids))
        if ids:
            yield self.say(
                "after-coming-beside" if len(goals) > 1 else "after-coming", place=place, units=units
            )
        elif any(goals & one.costs.keys() for one in self.reach.values()):
            yield self.say("after-nobody", place=place)
        if self.unknown:
            yield self.say("after-unknown", count=self.unknown)

    def _beside(self, at: str) -> list[str]:
        """Return the places beside one where the player stands: an attack is made from there."""
        chart = self.view.chart
        i = chart.get(at) if chart is not None else None
        mine = any(self.view.owner(id) in self.mine for id in self.game.position.at(at))
        return [chart.number(to) for to in chart.neighbours(i)] if chart and i is not None and mine else []

    def left_open(self, before: Game) -> Iterator[str]:
        """Yield the places that the orders empty and that an enemy can reach."""
        mine = [id for id in before.position.counters if self.view.owner(id) in self.mine]
        held = {at for id in mine if (at := before.position.hex(id)) is not None}
        now = {self.game.position.hex(id) for id in mine if id in self.game.position.counters}
        empty = sorted((held - now) & self.reached)
        if empty:
            yield self.say("after-open", places=self._listed(map(self.names.called, empty)))

    def hungry(self, before: Game) -> Iterator[str]:
        """Yield which units are out of supply then, and were not before."""
        was, then = _unsupplied(before, self.mine), _unsupplied(self.game, self.mine)
        if lost := sorted(then - was):
            yield self.say("after-hungry", units=self._listed(map(self._short, lost)))
        if fed := sorted(was - then):
            yield self.say("after-fed", units=self._listed(map(self._short, fed)))

    def _short(self, id: str) -> str:
        """Return a counter as it is marked on the map, with its place."""
        short = self.view.wording.short({"id": id, **self.game.position.counters[id]})
        return f"{short} ({self.game.position.hex(id)})"

    def _listed(self, names: Iterable[str]) -> str:
        every = list(names)
        more = len(every) - NAMED
        shown = ", ".join(every[:NAMED])
        return self.say("after-and-more", listed=shown, count=more) if more > 0 else shown


def _unsupplied(game: Game, mine: set[str]) -> set[str]:
    """Return the player's counters that are out of supply, as the map marks them."""
    areas = game.system.overlays(game)
    return {id for area in areas if area.layer == "unsupplied" and area.owner in mine for id in area.counters}
