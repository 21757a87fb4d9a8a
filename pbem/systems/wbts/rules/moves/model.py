"""D-04, D-05: Orders to move, with a path for each part of a force."""

from __future__ import annotations

from typing import Literal

from pbem.rules import HexNumber, Name, dataclass

By = Literal["march", "rail"]


@dataclass(frozen=True)
class Move:
    """Units and leaders that go together.

    `path` are the hexes entered, in order. `cut` is the hex where one of them cuts the rails.
    """

    units: tuple[Name, ...]
    path: tuple[HexNumber, ...] = ()
    by: By = "march"
    cut: HexNumber | None = None


@dataclass(frozen=True)
class Activation:
    """A leader's force or one unit, activated by chit, with its moves or an entrenchment."""

    activate: Name
    moves: tuple[Move, ...] = ()
    entrench: bool = False


@dataclass(frozen=True)
class Sail:
    """Ships, with naval leaders aboard, that go together. `path` are the hexes entered."""

    units: tuple[Name, ...]
    path: tuple[HexNumber, ...]


@dataclass(frozen=True)
class FreeInitiative:
    """Activations in order up to the chit, and moves of ships. With `more` others follow."""

    activations: tuple[Activation, ...] = ()
    ships: tuple[Sail, ...] = ()
    more: bool = False


@dataclass(frozen=True)
class Attempt:
    """A leader's roll for initiative. On success the force moves or entrenches at once."""

    leader: Name
    if_active: tuple[Move, ...] = ()
    entrench: bool = False


@dataclass(frozen=True)
class LeaderInitiative:
    """Leaders in the order in which they try. With `more` others follow."""

    leaders: tuple[Attempt, ...] = ()
    more: bool = False
