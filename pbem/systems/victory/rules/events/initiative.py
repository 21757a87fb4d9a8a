"""Public events of a game turn's start and of the initiative (rules 4.0, 4.1)."""

from __future__ import annotations

from pbem.rules import Event, PlayerName, Roll, event


@event(rule="4.0.1", to="public", tells="turn")
class GameTurnBegan(Event):
    """A new game turn."""

    turn: int
    last: int


@event(rule="4.1.2", to="public")
class BidsRevealed(Event):
    """All bids, revealed together."""

    bids: dict[PlayerName, int]


@event(rule="4.1.4", to="public")
class TieBroken(Event):
    """A tie for the highest bid, and the rule that broke it: its number in the scenario, and its kind."""

    tied: tuple[PlayerName, ...]
    winner: PlayerName
    number: int
    how: str


@event(rule="4.1.4", to="public")
class TieRolled(Event):
    """A round of dice among tied players, and the tie rule that asks for it; those left roll again."""

    how: str
    dice: dict[PlayerName, Roll]
    left: tuple[PlayerName, ...]


@event(rule="4.1.3", to="public")
class InitiativeTaken(Event):
    """The player who takes the initiative, and the turns they owe."""

    player: PlayerName
    quota: int


@event(rule="4.1.5", to="public")
class ActivationSkipped(Event):
    """An activation that is skipped, because no player bid."""
