"""2.3 to 2.5: Typed views of the counters of a position: units, leaders and works on the map.

All of it works on a player's view too. There a hidden enemy stack is one counter of type `?`, which
counts as a combat unit with a zone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.board.position import Fields
from pbem.rules import Board as Board
from pbem.rules import Counter, counter, counters, maybe

from .statics import CARRIERS, COMBAT, LOGISTIC, STATIC, UNKNOWN, ZONE
from .tabled import UnitType
from .tracks import T
from .world import World

NO_UNITS = ("leader", "entrenchment")
MARKS = ("moved", "attacked", "entrained")


def world_of(board: Board) -> World:
    """Return the world, typed."""
    assert isinstance(board.world, World)
    return board.world


class Piece(Counter):
    """A unit or a leader. Off the map its hex is empty.

    `hq` is the HQ on whose roster a unit is, or that a leader commands.
    """

    side: str
    type: str
    hex: str = ""
    hq: str | None = None
    moved: bool = False

    @property
    def is_leader(self) -> bool:
        return self.type == "leader"


class Unit(Piece):
    """2.3: One unit.

    `joins` is the unit that these points merge with once their marks are equal (R-102).
    """

    sp: int = 0
    state: str | None = None
    entrained: bool = False
    attacked: bool = False
    supply: int = 0
    kind: str = ""
    joins: str | None = None
    constituents: tuple[dict[str, Any], ...] = ()

    told_by = ("type",)

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        return fields["type"] not in NO_UNITS

    @property
    def known(self) -> bool:
        """Return False for an enemy stack in a view."""
        return self.type != UNKNOWN

    @property
    def key(self) -> str:
        """Return the key of the unit chart: the type, or the kind of ships and HQs."""
        return self.kind or self.type

    @property
    def row(self) -> UnitType:
        """Return the unit's line of the unit chart."""
        return world_of(self.board).tables.types[self.key]

    @property
    def marks(self) -> tuple[str, ...]:
        """Return the marks of points that have moved, attacked or ridden."""
        return tuple(name for name in MARKS if getattr(self, name))

    @property
    def carries(self) -> bool:
        """Return True if it can hold supply points: depot, supply train, army HQ."""
        return self.known and self.key in CARRIERS

    @property
    def room(self) -> int | None:
        """Return the supply points for which it has room, None for no limit."""
        return None if self.type == "depot" else self.row.cargo - self.supply

    @property
    def is_combat(self) -> bool:
        """Return True if it is infantry, militia, cavalry or garrison."""
        return not self.known or self.type in COMBAT

    @property
    def is_zoc(self) -> bool:
        """Return True if it has a zone of control: infantry, militia or cavalry with strength."""
        return not self.known or (self.type in ZONE and self.sp >= 1)

    @property
    def is_logistic(self) -> bool:
        return self.type in LOGISTIC

    @property
    def is_static(self) -> bool:
        return self.type in STATIC

    @property
    def is_naval(self) -> bool:
        return self.type == "naval"

    @property
    def is_hq(self) -> bool:
        return self.type == "hq"

    @property
    def is_army(self) -> bool:
        return self.type == "hq" and self.kind == "army"

    @property
    def is_land(self) -> bool:
        """Return True if it is no ship."""
        return self.type != "naval"

    @property
    def digs(self) -> bool:
        """Return True if it is infantry or militia, which entrench and hold works."""
        return self.type in ("infantry", "militia") or not self.known

    @property
    def occupies(self) -> bool:
        """2.2: Return True if it makes its hex enemy-occupied. HQs and ships do not."""
        return self.is_combat or self.is_logistic

    @property
    def can_attack(self) -> bool:
        """Return True if it may attack: a combat unit with strength, not in parentheses."""
        return self.type in COMBAT and not self.row.parenthesised and self.sp >= 1


class Leader(Piece):
    """2.4: One leader, on the map or not. Initiative and span are the printed ones."""

    name: str = ""
    stars: int = 1
    initiative: int = 0
    combat: int = 0
    span: int = 0
    cavalry: bool = False
    naval: bool = False
    status: str = ""
    return_cycle: int | None = None
    attempted: bool = False
    active: bool = False

    told_by = ("type",)

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        return fields["type"] == "leader"

    @property
    def on_map(self) -> bool:
        return self.status in ("", "on_map")

    @property
    def is_ashore(self) -> bool:
        """Return True if it is a land leader on the map."""
        return self.on_map and not self.naval


class Works(Counter):
    """4.4.6: An entrenchment."""

    side: str
    type: str
    hex: str
    built_gt: int

    @property
    def age(self) -> int:
        """Return the age in game turns."""
        return gt(self.board) - self.built_gt


def is_unit(board: Board, id: str | None) -> bool:
    """Return True if a counter is a unit: neither leader nor marker."""
    return maybe(board, Unit, id) is not None


def is_leader(board: Board, id: str | None) -> bool:
    """Return True if a counter is a leader."""
    return maybe(board, Leader, id) is not None


def piece(board: Board, id: str) -> Piece:
    """Return a unit or a leader."""
    return counter(board, Piece, id)


def unit(board: Board, id: str) -> Unit:
    """Return one unit, which must be on the map."""
    return counter(board, Unit, id)


def leader(board: Board, id: str) -> Leader:
    """Return one leader, on the map or not."""
    return counter(board, Leader, id)


def own_unit(board: Board, side: str, id: str) -> Unit | None:
    """Return the unit of that id if the side has one."""
    unit_ = maybe(board, Unit, id)
    return unit_ if unit_ is not None and unit_.side == side else None


def own_leader(board: Board, side: str, id: str | None) -> Leader | None:
    """Return the leader of that id if the side has one, on the map or not."""
    who = maybe(board, Leader, id)
    return who if who is not None and who.side == side else None


def units(board: Board, side: str | None = None, hex: str | None = None) -> list[Unit]:
    """Return units on the map by id, only those of one side or in one hex if given."""
    return counters(board, Unit, hex) if side is None else counters(board, Unit, hex, side=side)


def leaders(board: Board, side: str | None = None, hex: str | None = None) -> list[Leader]:
    """Return leaders on the map by id, only those of one side or in one hex if given."""
    listed = counters(board, Leader, hex) if side is None else counters(board, Leader, hex, side=side)
    return [who for who in listed if who.on_map]


def left(board: Board, ids: Iterable[str]) -> list[Unit]:
    """Return those of some units that are still on the map."""
    return [u for id in ids if (u := maybe(board, Unit, id)) is not None]


def has_troops(board: Board, ids: Iterable[str]) -> bool:
    """R-103: Return True if a combat unit is among them. Only these displace leaders and HQs."""
    return any(u.is_combat for u in left(board, ids))


def works_at(board: Board, hex: str, side: str | None = None) -> Works | None:
    """Return the entrenchment in a hex, only that of a side if given."""
    works = maybe(board, Works, f"ENT-{hex}")
    return works if works is not None and side in (None, works.side) else None


def gt(board: Board) -> int:
    """Return the game turn."""
    return T.of(board).gt


def cycle(board: Board) -> int:
    """2.5, 4.10: Return the cycle of weeks for rail points and wounds, counted from 1."""
    return (gt(board) - 1) // world_of(board).cycle_weeks + 1


def winter(board: Board) -> bool:
    """2.5: Return True in winter."""
    return world_of(board).winter(gt(board))


def label(board: Board, phasing: str, rest: str, *name: str | int) -> tuple[str | int, ...]:
    """Return the label of a player turn's die: `wbts`, game turn, node, a name.

    `2.b` is the node B.2.b or C.2.b.
    """
    order = T.of(board).order
    turn = "C" if order and phasing == order[-1] else "B"
    return ("wbts", gt(board), f"{turn}.{rest}", *name)
