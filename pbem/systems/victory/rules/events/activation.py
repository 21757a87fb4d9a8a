"""Events of rounds, passes and activation (rules 4.2, 4.3, 4.7): counts to all, names to the side."""

from __future__ import annotations

from pbem.rules import Event, HexNumber, PlayerName, UnitIds, event


@event(rule="4.2.1", to="public")
class RoundBegan(Event):
    """A round of the Activation phase and its order of players."""

    round: int
    order: tuple[PlayerName, ...]


@event(rule="4.2.3", to="public")
class PlayerPassed(Event):
    """A player passes of his own will."""

    player: PlayerName
    round: int


@event(rule="4.2.3", to="public")
class PlayerHadToPass(Event):
    """A forced pass, and why."""

    player: PlayerName
    round: int
    reason: str


@event(rule="4.2.3", to="public")
class TurnsWaived(Event):
    """The holder of the initiative is out of supply units before his quota is full."""

    player: PlayerName
    owed: int


@event(rule="4.3", to="public", tells="turn")
class PlayerTurnBegan(Event):
    """A Player Turn; `everything` in round 1, when all units are active."""

    player: PlayerName
    round: int
    everything: bool


@event(rule="4.3.4", to="public")
class SupplyUnitRevealed(Event):
    """A supply unit turned face up. `used` counts remote activations; None for a local one."""

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
    """A revealed supply unit pays for its turn; at 0 it is eliminated."""

    player: PlayerName
    hex: HexNumber
    before: int
    now: int


@event(rule="4.2.10", to="public")
class RoundEnded(Event):
    """The end of a round: who acted and who passed, and the holder's obligation."""

    round: int
    acted: tuple[PlayerName, ...]
    passed: dict[PlayerName, str]
    holder: PlayerName
    taken: int
    quota: int


@event(rule="4.1.6", to="public")
class ActivationEnded(Event):
    """All passed in one round."""

    rounds: int
