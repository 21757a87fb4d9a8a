"""Whom an event is told to, where the rules do not say it for the one event."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.engine.system import System
from pbem.model.events import Event, event
from pbem.model.facts import GM_ONLY, PUBLIC, Audience
from tests.primer import FOG, SYSTEM

MINE = ("north",)


@event(rule="1.1")
class Marched(Event):
    owner: str


@event(rule="1.1", owned_by="side")
class Halted(Event):
    side: str


@event(rule="1.1")
class Rained(Event):
    inches: int


@event(rule="1.1", to="public")
class Surrendered(Event):
    owner: str


@event(rule="1.1", to="gm")
class Betrayed(Event):
    owner: str


@event(rule="1.1", to="owner", owned_by="side")
class Warned(Event):
    side: str


def a_game(system: System) -> Game:
    return game_of(system, start(system, "ford"))


@pytest.mark.parametrize(
    ("told", "hidden", "open_"),
    [
        (Marched("north"), MINE, PUBLIC),
        (Halted("north"), MINE, PUBLIC),
        (Rained(3), GM_ONLY, PUBLIC),
        (Surrendered("north"), PUBLIC, PUBLIC),
        (Betrayed("north"), GM_ONLY, GM_ONLY),
        (Warned("north"), MINE, MINE),
    ],
    ids=lambda given: given.kind if isinstance(given, Event) else "",
)
def test_an_event_is_told_to_whom_its_class_says(told: Event, hidden: Audience, open_: Audience) -> None:
    """Of one that says nothing, everybody hears where nothing is hidden; else its owner, or the GM alone."""
    for system, audience in ((FOG, hidden), (SYSTEM, open_)):
        game = a_game(system)
        game.emit(told)
        game.emit(told, to=("south",))
        assert [one.audience for one in game.told] == [audience, ("south",)]


def test_who_shares_what_they_see_is_told_too() -> None:
    allied = replace(FOG)
    allied.__dict__["friends"] = lambda game, player: ("north", "south")
    game = a_game(FOG)
    game.system = allied
    game.emit(Marched("north"))
    assert game.told[0].audience == ("north", "south")


def test_each_event_says_how_many_public_ones_came_before_it() -> None:
    game = a_game(FOG)
    for told in (Marched("north"), Surrendered("north"), Betrayed("south"), Surrendered("south"), Rained(1)):
        game.emit(told)
    assert [one.after for one in game.told] == [0, 0, 1, 1, 2]


def test_an_event_for_an_owner_names_one() -> None:
    game = a_game(FOG)

    @event(rule="1.1", to="owner")
    class Whispered(Event):
        owner: int

    with pytest.raises(AssertionError, match="is for its owner"):
        game.emit(Whispered(3))
