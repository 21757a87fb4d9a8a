"""Events of a game turn's beginning and of the initiative (rules 4.0, 4.1), all public."""

from __future__ import annotations

from pbem.rules import Event, PlayerName, Roll, event


@event(rule="4.0.1", to="public", tells="turn")
class GameTurnBegan(Event):
    """A new game turn."""

    turn: int
    last: int


@event(rule="4.1.2", to="public")
class BidsRevealed(Event):
    """All bids at once."""

    bids: dict[PlayerName, int]


@event(rule="4.1.4", to="public")
class TieBroken(Event):
    """A tie at the top, and the rule that ended it, by its place in the scenario's list and its kind."""

    tied: tuple[PlayerName, ...]
    winner: PlayerName
    number: int
    how: str


@event(rule="4.1.4", to="public")
class TieRolled(Event):
    """One round of dice among the tied, and which tie rule calls for it; who is left rolls again."""

    how: str
    dice: dict[PlayerName, Roll]
    left: tuple[PlayerName, ...]


@event(rule="4.1.3", to="public")
class InitiativeTaken(Event):
    """The first to move, and how many turns they owe."""

    player: PlayerName
    quota: int


@event(rule="4.1.5", to="public")
class ActivationSkipped(Event):
    """The skipped activation: nobody bid, so nobody acts this game turn."""
