"""The addresses of what helps to decide: the odds of a fight."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.cli._web import asked, draft
from pbem.cli._web.asked import Answer
from pbem.cli._web.odds_data import odds
from pbem.cli._web.rooms import Room, Route

if TYPE_CHECKING:
    from pbem.archive import Folder


class AtHints(Room):
    """The answers to a player who thinks."""

    def routes(self) -> list[Route]:
        in_turn = partial(asked.in_turn, self.place)
        return [
            ("POST", "/g/<name>/odds", in_turn(self.odds)),
        ]

    def odds(self, folder: Folder) -> Answer:
        """Return the odds of a fight for a target and the units that take part."""
        data = asked.body()
        orders = draft.OrderDraft(folder)
        key = asked.text(data, "key")
        question = orders.question(key) if key is not None else None
        target, units = asked.text(data, "target") or "", asked.texts(data, "units", 100)
        return odds(orders, question, target, units, asked.text(data, "from"))
