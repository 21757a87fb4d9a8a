"""4.2, 4.5, 4.10, 4.11, 4.15.3: Cards, effects, political events, war and peace."""

from __future__ import annotations

from pbem.rules import Event, PlayerName, Prose, Proses, Roll, Title, Titles, UnitIds, event


@event(rule="4.2", to="public")
class CardRevealed(Event):
    """The revelation of a sealed selection. The first card that passes all checks is current."""

    power: PlayerName
    cards: Titles
    card: Title
    title: str
    refused: Proses = ()


@event(rule="4.2", to="public")
class NoCard(Event):
    power: PlayerName
    cards: Titles
    code: str
    reasons: Proses


@event(rule="4.2", to="public")
class CardSealed(Event):
    """The fact that a selection is face down, without its cards."""

    power: PlayerName
    sealed: bool


@event(rule="5.14", to="public")
class EffectApplied(Event):
    verb: str
    what: Prose
    changed: bool


@event(rule="4.5", to="public")
class PoliticalRolled(Event):
    power: PlayerName
    table: Title
    die: Roll
    drm: int
    row: str | int
    effects: Proses


@event(rule="4.15.3", to="public", tells="arrival")
class Mobilized(Event):
    country: Title
    power: PlayerName
    die: Roll
    units: UnitIds
    turned: UnitIds


@event(rule="4.10", to="public")
class WarDeclared(Event):
    power: PlayerName
    country: Title
    joins: str


@event(rule="4.10", to="public")
class Truced(Event):
    power: PlayerName
    other: PlayerName
    what: str
    turns: int


@event(rule="4.11", to="public")
class ConditionalHappened(Event):
    power: PlayerName
    event_id: Title
    once: bool
