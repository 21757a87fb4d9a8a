"""The addresses of what helps to decide: odds, the news as a replay, rules, cards and charts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import bottle

from pbem.cli.shell.language import spoken
from pbem.cli.web import asked, draft
from pbem.cli.web.asked import Answer
from pbem.cli.web.data.after import PutOff, after
from pbem.cli.web.data.news import news
from pbem.cli.web.data.odds import odds
from pbem.cli.web.data.rule import card, chart, rule
from pbem.cli.web.notes import note, notes, turn
from pbem.cli.web.rooms import Room, Route
from pbem.text.diagnostics import Refused

if TYPE_CHECKING:
    from pbem.archive import Folder


class AtHints(Room):
    """The answers to a player who thinks."""

    def routes(self) -> list[Route]:
        in_turn = partial(asked.in_turn, self.place)
        return [
            ("POST", "/g/<name>/odds", in_turn(self.odds)),
            ("POST", "/g/<name>/after", in_turn(self.after)),
            ("GET", "/g/<name>/news", in_turn(self.news, post=False)),
            ("GET", "/g/<name>/notes", in_turn(self.notes, post=False)),
            ("POST", "/g/<name>/note", in_turn(self.note)),
            ("GET", "/g/<name>/rule/<what>", self._fragment(lambda folder, what: rule(folder, what))),
            ("GET", "/g/<name>/card/<what>", self._fragment(lambda folder, what: card(folder, what))),
            ("GET", "/g/<name>/chart/<what>", self._fragment(_chart)),
        ]

    def news(self, folder: Folder) -> Answer:
        """Return the steps of the replay since a stage."""
        since = str(bottle.request.query.since)
        first = int(since) if since.isascii() and since.isdigit() and len(since) < 6 else -1
        return news(folder, first)

    def _fragment(self, make: Callable[[Folder, str], dict[str, str]]) -> Callable[[str, str], Any]:
        """Return a route that gives a fragment to a script, and a page to everybody else."""
        from pbem.cli.shell.language import of_game

        def answered(name: str, what: str) -> Any:
            with asked.TURN:
                folder = self.place.at_hand(name)
                of_game(folder)
                try:
                    hints = make(folder, what)
                except Refused as fault:
                    raise bottle.HTTPError(404, spoken(fault.diagnostics[0].message)) from None
            if asked.by_script():
                return hints
            return self.page("fragment.html.j2", name, folder, heading=hints["title"], fragment=hints["html"])

        return answered

    def notes(self, folder: Folder) -> Answer:
        """Return the player's private notes, and the game turn on which one may be written."""
        return {"notes": notes(folder), "turn": turn(folder)}

    def note(self, folder: Folder) -> Answer:
        """Write a private note on a place or on this game turn."""
        from pbem.cli.writing.naming import Names

        data = asked.body()
        at = asked.text(data, "at") or ""
        place = Names.of(folder).find(at) or at[:60] if at else ""
        note(folder, place, asked.text(data, "text") or "")
        return self.notes(folder)

    def odds(self, folder: Folder) -> Answer:
        """Return the odds of a fight for a target and the units that take part."""
        data = asked.body()
        orders = draft.OrderDraft(folder)
        key = asked.text(data, "key")
        question = orders.question(key) if key is not None else None
        target, units = asked.text(data, "target") or "", asked.texts(data, "units", 100)
        return odds(orders, question, target, units, asked.text(data, "from"))

    def after(self, folder: Folder) -> Answer:
        """Return what the orders so far would leave, with the one that is aimed at, if any.

        `later` where a click waits: the page asks again.
        """
        data = asked.body()
        orders = draft.OrderDraft(folder)
        key, at, number = asked.text(data, "key"), asked.text(data, "at"), data.get("number")
        question = orders.question(key) if key is not None else None
        units = asked.texts(data, "units", 100)
        if question is not None and isinstance(number, int):  # never saved
            orders.choose(question, asked.text(data, "of"), number, str(data.get("text")))
        elif question is not None and units:
            orders.march(question, units, at)
        try:
            return {"lines": after(orders, question, at, asked.TURN.awaited)}
        except PutOff:
            return {"lines": [], "later": True}


def _chart(folder: Folder, name: str) -> dict[str, str]:
    query = bottle.request.query
    return chart(folder, name, query.getunicode("row", ""), query.getunicode("column", ""))
