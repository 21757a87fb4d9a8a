"""Events of rounds, passes and activation (4.2, 4.3, 4.7): numbers for all, names for the side."""

from __future__ import annotations

from pbem.rules import Event, HexNumber, PlayerName, UnitIds, event


@event(rule="4.2.1", to="public")
class RoundBegan(Event):
    """A round of the Activation phase, with its order of players."""

    round: int
    order: tuple[PlayerName, ...]


@event(rule="4.2.3", to="public")
class PlayerPassed(Event):
    """A pass by choice."""

    player: PlayerName
    round: int


@event(rule="4.2.3", to="public")
class PlayerHadToPass(Event):
    """A forced pass, and the reason."""

    player: PlayerName
    round: int
    reason: str


@event(rule="4.2.3", to="public")
class TurnsWaived(Event):
    """Turns that the holder of the initiative owes but, without supply units, cannot take."""

    player: PlayerName
    owed: int


@event(rule="4.3", to="public", tells="turn")
class PlayerTurnBegan(Event):
    """A player turn. `everything`: round 1, when all units are active."""

    player: PlayerName
    round: int
    everything: bool


@event(rule="4.3.4", to="public")
class SupplyUnitRevealed(Event):
    """A supply unit turned face up. `used`: the number of remote activations; None for a local one."""

    player: PlayerName
    hex: HexNumber
    cv: int
    mode: str
    used: int | None = None


@event(rule="4.3.2", to="owner")
class UnitsActivated(Event):
    """The units that may act."""

    owner: PlayerName
    units: UnitIds


@event(rule="4.7.1", to="public")
class SupplyUnitReduced(Event):
    """A revealed supply unit that loses a step for its turn; at 0 it is eliminated."""

    player: PlayerName
    hex: HexNumber
    before: int
    now: int


@event(rule="4.2.10", to="public")
class RoundEnded(Event):
    """The end of a round: players who acted or passed, and the turns that the holder still owes."""

    round: int
    acted: tuple[PlayerName, ...]
    passed: dict[PlayerName, str]
    holder: PlayerName
    taken: int
    quota: int


@event(rule="4.1.6", to="public")
class ActivationEnded(Event):
    """The end of Activation, after a round in which all passed."""

    rounds: int
