"""Blocks on the map: reading them, who holds what, stack limits, steps, elimination (rules 2.4-2.6).

A block is a counter of the position. Its fields are ``owner type cv hex`` and, only where they differ from
"no": ``aboard revealed activated moved responded entry_from entry_kind``. Everything here works on a
player's view too, where a block he may not know is a counter of type ``?``: it counts as naval at sea
and as ground on land.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from pbem.kit.boards import Board as Board
from pbem.kit.boards import Sim as Sim

from .world import UNKNOWN, Class, UnitType, World


def world_of(board: Board) -> World:
    """The world, typed."""
    return cast(World, board.world)


class Unit:
    """A typed look at one counter; always shows the position as it is now."""

    __slots__ = ("_position", "id", "world")

    def __init__(self, board: Board, id: str) -> None:
        self.id = id
        self.world = world_of(board)
        self._position = board.position
        assert id in self._position.counters, f"{id} is not on the map"

    @property
    def _fields(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self._position.counters[self.id])

    def __repr__(self) -> str:
        return f"<{self.id} {self.type} {self.cv} {self.hex}>"

    @property
    def owner(self) -> str:
        return str(self._fields["owner"])

    @property
    def type(self) -> str:
        return str(self._fields["type"])

    @property
    def known(self) -> bool:
        """False for another player's face-down block in a view."""
        return self.type != UNKNOWN

    @property
    def kind(self) -> UnitType:
        """The line of T-1. Only for known blocks."""
        return self.world.types[self.type]

    @property
    def cls(self) -> Class:
        """The class; an unknown block is taken for naval at sea, ground on land."""
        if self.known:
            return self.kind.cls
        return "naval" if self.world.is_sea(self.hex) else "ground"

    @property
    def cv(self) -> int:
        return int(cast(int, self._fields.get("cv", 0)))

    @property
    def hex(self) -> str:
        return str(self._fields["hex"])

    @property
    def aboard(self) -> str | None:
        """The carrier an air block stands on."""
        return cast("str | None", self._fields.get("aboard"))

    @property
    def revealed(self) -> bool:
        return bool(self._fields.get("revealed"))

    @property
    def activated(self) -> bool:
        return bool(self._fields.get("activated"))

    @property
    def moved(self) -> bool:
        return bool(self._fields.get("moved"))

    @property
    def responded(self) -> bool:
        return bool(self._fields.get("responded"))

    @property
    def entry_from(self) -> str | None:
        """The hex from which it entered the present battle hex."""
        return cast("str | None", self._fields.get("entry_from"))

    @property
    def entry_kind(self) -> str | None:
        """march, assault, drop, mission, sail or response; None when it was there already."""
        return cast("str | None", self._fields.get("entry_kind"))


# reading


def unit(board: Board, id: str) -> Unit:
    """One block, which must be on the map."""
    return Unit(board, id)


def units(board: Board, owner: str | None = None, hex: str | None = None) -> list[Unit]:
    """Blocks on the map, by id; of one owner or in one hex when asked."""
    position = board.position
    ids: Iterable[str] = sorted(position.counters) if hex is None else position.at(hex)
    found = [Unit(board, id) for id in ids]
    return [u for u in found if owner is None or u.owner == owner]


def side_units(board: Board, player: str, hex: str | None = None) -> list[Unit]:
    """Blocks of the player and his allies, by id."""
    return [u for u in units(board, hex=hex) if world_of(board).allied(u.owner, player)]


def enemy_units(board: Board, player: str, hex: str | None = None) -> list[Unit]:
    """Blocks of everybody else, by id (4.0.3)."""
    return [u for u in units(board, hex=hex) if not world_of(board).allied(u.owner, player)]


def supply_units(board: Board, player: str) -> list[Unit]:
    """The player's SU blocks on the map, by id."""
    return [u for u in units(board, player) if u.type == "SU"]


def side(board: Board, player: str) -> tuple[str, ...]:
    """The player and his allies, in seat order."""
    return world_of(board).side(player)


def in_play(board: Board) -> tuple[str, ...]:
    """Players who are not out, in seat order (4.0.2)."""
    out = cast("list[str]", board.position.tracks.get("out", []))
    return tuple(p for p in world_of(board).seats if p not in out)


def holder(board: Board) -> str | None:
    """Who has the initiative."""
    initiative = cast("dict[str, Any]", board.position.tracks.get("initiative") or {})
    return cast("str | None", initiative.get("holder"))


def active_player(board: Board) -> str | None:
    """Whose Player Turn it is."""
    return cast("str | None", board.position.tracks.get("active"))


def mark(board: Board, id: str, **fields: Any) -> None:
    """Set fields of a block other than its hex; what is False or None is not kept in the state."""
    for name, value in fields.items():
        if value is None or value is False:
            board.position.drop(id, name)
        else:
            board.position.set(id, **{name: value})
