"""D-04, D-05: Orders to move as players write them.

Activations with a path for each part of the force.
"""

from __future__ import annotations

from typing import Literal

from pbem.rules import HexNumber, Name, dataclass

By = Literal["march", "rail"]


@dataclass(frozen=True)
class Move:
    """Units and leaders that go the same way. `path` are the hexes entered, in order; `cut` is where one of
    them cuts the rails."""

    units: tuple[Name, ...]
    path: tuple[HexNumber, ...] = ()
    by: By = "march"
    cut: HexNumber | None = None


@dataclass(frozen=True)
class Activation:
    """A leader with his force, or one unit, activated by chit: its moves, or an entrenchment instead."""

    activate: Name
    moves: tuple[Move, ...] = ()
    entrench: bool = False


@dataclass(frozen=True)
class Sail:
    """Ships (and naval leaders aboard) that go the same way; `path` are the hexes entered."""

    units: tuple[Name, ...]
    path: tuple[HexNumber, ...]


@dataclass(frozen=True)
class FreeInitiative:
    """Activations in order, as many as the chit allows, and moves of ships. `more`: ask once more."""

    activations: tuple[Activation, ...] = ()
    ships: tuple[Sail, ...] = ()
    more: bool = False


@dataclass(frozen=True)
class Attempt:
    """A leader rolls for initiative; if he has it his force moves, or entrenches, at once."""

    leader: Name
    if_active: tuple[Move, ...] = ()
    entrench: bool = False


@dataclass(frozen=True)
class LeaderInitiative:
    """Leaders in the order in which they try. `more`: ask once more when these have tried."""

    leaders: tuple[Attempt, ...] = ()
    more: bool = False
