"""A battle while it is fought (4.8): everything that its steps hand on, kept in the track `battle`.

The track is public in every game: a step writes into it only what both sides may know when it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, cast

from pbem.rules import Game, from_json, to_json

from ..pieces import Board, Unit, is_unit, leaders, unit, units, world_of

Code = Literal["", "A", "D"]
TRACK = "battle"


@dataclass
class Battle:
    """One battle. Strengths are fractions as text; `stacks` are the attackers by the hex they attack from."""

    number: int
    attacker: str
    defender: str
    target: str
    leader: str | None = None
    naval: bool = False
    stacks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    declared: tuple[str, ...] = ()
    attack: str = "0"
    defence: str = "0"
    commander: str | None = None
    withheld: tuple[str, ...] = ()
    ships: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    defenders: tuple[str, ...] = ()
    ratio: int | None = None
    attacker_loss: int = 1
    entrained: tuple[str, ...] = ()
    cut: bool = False
    overrun: bool = False
    table: int = -1
    unsupplied: tuple[str, ...] = ()
    committed: dict[str, str] = field(default_factory=dict)
    percents: tuple[int, int] = (0, 0)
    code: Code = ""
    required: tuple[str, ...] = ()
    retreated: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[str | int, ...]:
        """What tells its questions from those of other battles of the segment."""
        return (self.number,)

    @property
    def over(self) -> bool:
        """Nothing is left to fight for: the target was emptied in c.3 (4.8.3) or overrun (R-19)."""
        return self.cut or self.overrun

    @property
    def strengths(self) -> tuple[Fraction, Fraction]:
        """Attack and defence as they stand now."""
        return Fraction(self.attack), Fraction(self.defence)

    @property
    def attackers(self) -> tuple[str, ...]:
        """All attacking units, hex by hex, as they were at the beginning."""
        return tuple(id for ids in self.stacks.values() for id in ids)

    def sides(self) -> tuple[str, str]:
        """Attacker and defender."""
        return self.attacker, self.defender

    def other(self, side: str) -> str:
        """The side against it."""
        return self.defender if side == self.attacker else self.attacker

    def hexes(self, side: str) -> tuple[str, ...]:
        """The combat hexes of a side: where it attacks from, or the target."""
        return tuple(self.stacks) if side == self.attacker else (self.target,)


def current(game: Board) -> Battle:
    """The battle that is being fought."""
    return cast(Battle, from_json(Battle, game.position.tracks[TRACK]))


def keep(game: Game, battle: Battle) -> None:
    """Write the battle back into its track."""
    game.tracks[TRACK] = to_json(battle)


def attacking(board: Board, battle: Battle) -> list[Unit]:
    """The attacking units that are left, hex by hex in the order they were named."""
    return [unit(board, id) for id in battle.attackers if is_unit(board, id)]


def defending(board: Board, battle: Battle) -> list[Unit]:
    """The participating land units of the defender that are left, by id."""
    return [unit(board, id) for id in battle.defenders if is_unit(board, id)]


def assisting(board: Board, battle: Battle) -> list[Unit]:
    """The defender's ships that take part and are left."""
    return [unit(board, id) for id in battle.ships if is_unit(board, id)]


def participating(board: Board, battle: Battle, side: str) -> list[Unit]:
    """Everything of a side that takes part in the battle and is left."""
    if side == battle.attacker:
        return attacking(board, battle)
    return defending(board, battle) + assisting(board, battle)


def in_target(board: Board, battle: Battle) -> list[Unit]:
    """All land units of the defender in the target, taking part or not, HQs among them."""
    return [each for each in units(board, battle.defender, battle.target) if each.is_land]


def held(board: Board, battle: Battle) -> bool:
    """Whether a combat unit of the defender is left in the target (R-24)."""
    return any(each.is_combat for each in in_target(board, battle))


def terrain_words(board: Board, hex: str) -> str:
    """Terrain and settlement of a hex in words."""
    world = world_of(board)
    place = world.settlements.get(hex)
    kinds = [world.terrain[hex], *([place.kind] if place else [])]
    fort = world.forts.get(hex)
    return ", ".join([*kinds, *([fort.kind] if fort else [])])


def leaders_in(board: Board, side: str, hexes: tuple[str, ...]) -> Iterator[str]:
    """Ids of a side's leaders in some hexes."""
    for hex in hexes:
        yield from (each.id for each in leaders(board, side, hex))
