"""Blocks on the map (2.4): typed counters and their changes.

Everything here also works on a player's view. There an unknown block is a counter of type ``?``, which counts
as naval at sea and as ground on land.
"""

from __future__ import annotations

from pbem.kit.naming import new_id
from pbem.rules import Board, Counter, counters, maybe

from .state import State
from .world import UNKNOWN, Class, UnitType, World, world_of


class Block(Counter):
    """A block. Its fields always show the present position."""

    owner: str
    type: str
    hex: str
    cv: int = 0
    aboard: str | None = None  #: the carrier that an air block is aboard
    revealed: bool = False
    activated: bool = False
    moved: bool = False
    responded: bool = False
    entry_from: str | None = None  #: the hex from which it entered its battle hex
    entry_kind: str | None = None  #: march, assault, drop, mission, sail or response

    @property
    def world(self) -> World:
        return world_of(self.board)

    @property
    def known(self) -> bool:
        """Return False for a face-down block of another player in a view."""
        return self.type != UNKNOWN

    @property
    def kind(self) -> UnitType:
        """Return the block's line of T-1; only for known blocks."""
        return self.world.types[self.type]

    @property
    def cls(self) -> Class:
        """Return the class; an unknown block counts as naval at sea, ground on land."""
        if self.known:
            return self.kind.class_
        return "naval" if self.world.is_sea(self.hex) else "ground"

    @property
    def passengers(self) -> list[Block]:
        """Return the air blocks aboard this carrier, by id."""
        return [u for u in units(self.board, hex=self.hex) if u.aboard == self.id]

    @property
    def steps(self) -> int:
        """Return the number of steps left."""
        return len(self.kind.steps) - self.kind.steps.index(self.cv)

    def go(self, hex: str) -> None:
        """Move into a hex with any passengers, without checking rules."""
        for guest in self.passengers:
            guest.hex = hex
        self.hex = hex

    def lose_step(self) -> int:
        """4.6.7, 4.7.1, 4.8.3: Remove a step; return the strength left, 0 if the block is eliminated."""
        left = self.kind.less(self.cv)
        if left:
            self.cv = left
        else:
            self.eliminate()
        return left

    def gain_step(self) -> None:
        """4.10.3: Add a step, at most up to full strength."""
        self.cv = self.kind.more(self.cv) or self.cv

    def eliminate(self) -> None:
        """2.4: Move the block into its owner's pool; aircraft aboard stay in the hex."""
        for guest in self.passengers:
            guest.aboard = None
        pool = State.of(self.board).pool.setdefault(self.owner, {})
        pool[self.type] = pool.get(self.type, 0) + 1
        self.remove()


def units(board: Board, owner: str | None = None, hex: str | None = None) -> list[Block]:
    """Return the blocks on the map by id, of one owner or in one hex if given."""
    return counters(board, Block, hex) if owner is None else counters(board, Block, hex, owner=owner)


def supply_units(board: Board, player: str) -> list[Block]:
    """Return the player's SU blocks on the map, by id."""
    return counters(board, Block, owner=player, type="SU")


def own(board: Board, player: str, id: str) -> Block | None:
    """Return the player's block of this id on the map, or None."""
    block = maybe(board, Block, id)
    return block if block is not None and block.owner == player else None


def place_new(board: Board, player: str, code: str, cv: int, hex: str) -> Block:
    """R-50, 4.10.3, 4.10.6: Put a block from the pool onto the map, with a new id."""
    state, prefix = State.of(board), world_of(board).prefix(player)
    pool = state.pool[player]
    assert pool.get(code, 0) > 0, f"no {code} in the pool of {player}"
    pool[code] -= 1
    if not pool[code]:
        del pool[code]
    id = new_id(state.made.setdefault(player, {}), code, lambda number: f"{prefix}-{code}{number}")
    return Block.add(board, id, owner=player, type=code, cv=cv, hex=hex)
