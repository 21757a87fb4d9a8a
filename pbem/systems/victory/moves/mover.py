"""One player's movement in his Player Turn (rule 4.4): faults of a move, making it, and what is possible.

The same object serves the check of an order, the list of options (both on a copy) and step 2.T.2 itself,
so that what is refused and what is done cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from pbem.rules import Diagnostic

from ..blocks import (
    Board,
    Unit,
    enemy_occupied,
    enemy_units,
    foreign_base,
    friendly_base,
    friendly_site,
    mark,
    passengers,
    recompute_control,
    relocate,
    stack_room,
    unit,
    vacant_neutral,
    world_of,
)
from ..world import hexside
from .model import Move, illegal


@dataclass(frozen=True)
class Made:
    """A move that was made: the way as others see it, how many blocks went, and the control that changed."""

    unit: str
    kind: str
    path: tuple[str, ...]
    blocks: int
    battle: bool
    control: tuple[tuple[str, str | None, str | None], ...]


class Mover:
    """The moves of one player, from the position in which his Player Turn begins."""

    def __init__(self, board: Board, player: str) -> None:
        self.board = board
        self.player = player
        self.world = world_of(board)
        began = cast("dict[str, list[str]] | None", board.position.tracks.get("turn_began"))
        began = began or self._as_it_is()
        #: where a road march may begin or end, and where it may not pass, as the Player Turn began (4.4.4)
        self.home_bases, self.home_sites = began["bases"], began["sites"]
        self.closed_bases = began["closed"]
        self.crossed: dict[str, int] = {}
        self.landed: dict[str, list[str]] = {}

    def _as_it_is(self) -> dict[str, list[str]]:
        board, player, world = self.board, self.player, self.world
        shut = [h for h in world.bases if foreign_base(board, player, h) or vacant_neutral(board, h)]
        return {
            "bases": [h for h in world.bases if friendly_base(board, player, h)],
            "sites": [h for h in world.sites if friendly_site(board, player, h)],
            "closed": shut,
        }

    def began(self) -> dict[str, list[str]]:
        """Bases and sites as they are at the start of the Player Turn, for the track of that name."""
        return {"bases": self.home_bases, "sites": self.home_sites, "closed": self.closed_bases}

    # asking

    def enemy_in(self, hex: str) -> bool:
        """Whether a hex is enemy-occupied for this player (2.5)."""
        return enemy_occupied(self.board, self.player, hex)

    def full(self, block: Unit, end: str) -> bool:
        """Whether the stack limit of the end hex forbids the move, aircraft aboard included (4.4.1)."""
        if not stack_room(self.board, self.player, end, block.type, ignore=(block.id,)):
            return True
        aboard = passengers(self.board, block.id)
        ids = [p.id for p in aboard]
        return bool(aboard) and not stack_room(
            self.board, self.player, end, aboard[0].type, count=len(aboard), ignore=ids
        )

    def hexside_full(self, one: str, to: str) -> bool:
        """Whether no more ground blocks may cross into an enemy-occupied hex here (4.4.3)."""
        return self.crossed.get(hexside(one, to), 0) >= self.world.hexside_limit(one, to)

    def beach_full(self, block: Unit, one: str, to: str) -> bool:
        """Whether no more blocks may land over this beach: one, or two marines (4.4.3)."""
        ashore = self.landed.get(hexside(one, to), [])
        marines = all(self.world.types[code].has("marine") for code in (*ashore, block.type))
        numbers = self.world.numbers
        return len(ashore) >= (numbers.hexside_beach_marines if marines else numbers.hexside_beach)

    def faults(self, move: Move) -> list[Diagnostic]:
        """Everything wrong with a move now; paths lead into the move."""
        if move.unit not in self.board.position.counters or unit(self.board, move.unit).owner != self.player:
            message = f"no such unit: {self.player} has no {move.unit} on the map"
            return [illegal("E-GEN-01", "5.8", message, "unit")]
        block = unit(self.board, move.unit)
        if block.revealed:
            message = f"{block.id} is face up, it moves only when it has been reduced"
            return [illegal("E-MOV-01", "4.3.2", message, "unit")]
        if not block.activated:
            return [illegal("E-MOV-01", "4.4.1", f"{block.id} is not activated", "unit")]
        if block.moved:
            return [illegal("E-MOV-02", "4.4.1", f"{block.id} has moved already", "unit")]
        return self.way_faults(block, move)

    def way_faults(self, block: Unit, move: Move) -> list[Diagnostic]:
        """What is wrong with the way alone, whoever may or may not move now."""
        from .air import air_faults
        from .land import land_faults
        from .sea import sea_faults

        if move.kind in ("march", "road_strat", "sea_strat", "assault"):
            return list(land_faults(self, block, move))
        if move.kind in ("sail", "sail_strat"):
            return list(sea_faults(self, block, move))
        return list(air_faults(self, block, move))

    def options(self, block: Unit) -> Iterator[Move]:
        """Every legal end of a move of this block, each with one way to it."""
        from .air import air_moves
        from .land import land_moves
        from .sea import sea_moves

        if not block.activated or block.moved or block.revealed:
            return
        if block.cls == "naval":
            yield from sea_moves(self, block)
        elif block.kind.lands:
            yield from land_moves(self, block)
        if block.cls == "air" or block.kind.has("drop"):
            yield from air_moves(self, block)

    # moving

    def make(self, move: Move) -> Made:
        """Make a move that has no faults."""
        block = unit(self.board, move.unit)
        start, end = block.hex, move.end
        path = move.path or (start, end)
        battle = self.enemy_in(end)
        aboard = len(passengers(self.board, block.id))
        if battle:
            mark(self.board, block.id, entry_from=path[-2], entry_kind=move.kind)
            self._count(block, move, path)
        if block.cls == "air":
            self._land(block, move)
        relocate(self.board, block.id, end)
        mark(self.board, block.id, moved=True)
        peaceful = [h for h in (start, end) if not enemy_units(self.board, self.player, h)]
        control = tuple(recompute_control(self.board, peaceful))
        return Made(block.id, move.kind, path, 1 + aboard, battle, control)

    def _count(self, block: Unit, move: Move, path: tuple[str, ...]) -> None:
        side = hexside(path[-2], path[-1])
        if move.kind == "march":
            self.crossed[side] = self.crossed.get(side, 0) + 1
        elif move.kind == "assault":
            self.landed.setdefault(side, []).append(block.type)

    def _land(self, block: Unit, move: Move) -> None:
        from .air import deck

        onto = deck(self, block, move) if move.kind == "rebase" else None
        mark(self.board, block.id, aboard=onto)
