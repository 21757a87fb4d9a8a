"""Data of a fight during the steps of 4.9."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from pbem.rules import Game, dataclass

from ..decisions.fight import Stance
from ..pieces import Unit, maybe_unit


@dataclass
class Fight:
    """The state of a fight from step to step."""

    kind: str
    attacker: str
    defender: str
    hex: str
    attackers: list[str]
    defenders: list[str]
    ar: str
    along: tuple[str, ...] = ()
    stance: Stance = field(default_factory=Stance)
    internals: list[str] = field(default_factory=list)
    hexes: tuple[str, ...] = ()
    paid: dict[str, str] = field(default_factory=dict)
    supplied: dict[str, bool] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    barred: tuple[str, ...] = ()
    barred_defender: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    retreated: bool = False
    short: bool = False
    earned: bool = True


def alive(game: Game, ids: Sequence[str]) -> list[Unit]:
    """Return the units among `ids` that are left."""
    return [u for id in ids if (u := maybe_unit(game, id)) is not None]
