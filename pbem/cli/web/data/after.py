"""The meaning of orders before they are given: supply, what is left open, who can come.

All of it is worked out on the reader's own view, so it tells nothing that a report does not. What nobody has
seen is counted and not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from pbem.cli.shell.language import code
from pbem.cli.web.addresses.at_hand import once
from pbem.cli.web.data.odds import board_of
from pbem.cli.web.words import words

if TYPE_CHECKING:
    from pbem.cli.web.draft import OrderDraft
    from pbem.engine.game import Game
    from pbem.engine.resolve import Question
    from pbem.model.reaches import Reach
    from pbem.report.reader import View

UNKNOWN = "?"
"""The type of a counter that its reader has not seen."""
NAMED = 4
"""Units and places that a sentence names; the others are counted."""


class PutOff(Exception):
    """Raised where a click waits for an answer: this one is asked for again."""


def after(
    orders: OrderDraft, question: Question | None, at: str | None, hurried: Callable[[], bool] = lambda: False
) -> list[str]:
    """Return sentences about the board as the orders leave it; of a place, who can come there.

    Raises `PutOff` as soon as `hurried` says that somebody waits.
    """
    from pbem.cli.web.board import seen

    folder, me = orders.folder, orders.folder.me or ""
    looked = _Looked(board_of(orders, question), me, seen(folder, code()), hurried)
    coming = [] if at is None else looked.coming(at)
    before = folder.view().game
    was = once(folder, ("unsupplied", me), lambda: unsupplied(before, looked.mine))
    return [*looked.left_open(before), *looked.hungry(was), *coming]


class _Looked:
    """The board after the orders, as one player sees it."""

    def __init__(self, game: Game, me: str, view: View, hurried: Callable[[], bool]) -> None:
        from pbem.cli.writing.naming import Names

        self.game, self.view = game, view
        self.mine = {me, *(game.powers_of(me) if me in game.players else ())}
        self.names, self.say = Names(view), words(code()).say
        friends = game.system.friends(game, me) if me in game.players else ()
        self.friends = self.mine | {
            power for friend in friends for power in (friend, *game.powers_of(friend))
        }
        foes = [id for id in sorted(game.position.counters) if self._owner(id) not in {"", *self.friends}]
        self.reach: dict[str, Reach] = {}
        self.unknown = 0
        for id in foes:
            if hurried():
                raise PutOff
            reach = game.system.reach(game, id)
            if reach is not None:
                self.reach[id] = reach
            elif game.position.counters[id].get("type") == UNKNOWN:
                self.unknown += 1

    def _owner(self, id: str) -> str:
        """Return who owns a counter, also one that the orders make."""
        return str(self.game.position.counters[id].get(self.view.owner_field, ""))

    def coming(self, at: str) -> Iterator[str]:
        """Yield who of the known enemies can come to a place, and how many nobody knows."""
        chart = self.view.chart
        if self.game.system.reach_hook is None or chart is None or chart.get(at) is None:
            return
        goals, position = {at, *self._beside(at)}, self.game.position
        ids = [id for id, reach in self.reach.items() if goals & reach.ends or position.hex(id) in goals]
        place, units = self.names.called(at), self._listed(map(self._short, ids))
        if ids:
            yield self.say(
                "after-coming-beside" if len(goals) > 1 else "after-coming", place=place, units=units
            )
        elif self.reach:
            yield self.say("after-nobody", place=place)
        if self.unknown:
            yield self.say("after-unknown", count=self.unknown)

    def _beside(self, at: str) -> list[str]:
        """Return the places beside one where the player stands: an attack is made from there."""
        chart = self.view.chart
        i = chart.get(at) if chart is not None else None
        mine = any(self._owner(id) in self.mine for id in self.game.position.at(at))
        return [chart.number(to) for to in chart.neighbours(i)] if chart and i is not None and mine else []

    def left_open(self, before: Game) -> Iterator[str]:
        """Yield the places that the orders empty and that an enemy can reach."""
        mine = [id for id in before.position.counters if self.view.owner(id) in self.mine]
        held = {at for id in mine if (at := before.position.hex(id)) is not None}
        now = {self.game.position.hex(id) for id in mine if id in self.game.position.counters}
        empty = sorted(at for at in held - now if any(at in reach.ends for reach in self.reach.values()))
        if empty:
            yield self.say("after-open", places=self._listed(map(self.names.called, empty)))

    def hungry(self, was: set[str]) -> Iterator[str]:
        """Yield which units are out of supply then, and which of `was` no longer are."""
        then = unsupplied(self.game, self.mine)
        if lost := sorted(then - was):
            yield self.say("after-hungry", units=self._listed(map(self._short, lost)))
        if fed := sorted(unit for unit in was - then if unit in self.game.position.counters):
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


def unsupplied(game: Game, mine: set[str]) -> set[str]:
    """Return the player's counters that are out of supply, as the map marks them."""
    areas = game.system.overlays(game)
    return {id for area in areas if area.layer == "unsupplied" and area.owner in mine for id in area.counters}
