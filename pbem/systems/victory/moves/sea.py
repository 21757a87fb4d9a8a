"""Moves of ships: sailing, shore attacks, and strategic moves between ports (4.4.10, 4.4.11)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pbem.rules import Diagnostic

from ..blocks import Unit, controller, enemy_units, friendly_port, side_units
from .model import RULES, Move, illegal, path_faults
from .mover import Mover
from .search import ways


def canal_open(mover: Mover, hex: str) -> bool:
    """A canal whose base the side controls, or with a unit of the side in it, and no enemy (4.4.10)."""
    world = mover.world
    if hex not in world.canals or enemy_units(mover.board, mover.player, hex):
        return False
    who = controller(mover.board, hex) if hex in world.bases else None
    ours = who is not None and world.allied(who, mover.player)
    return ours or bool(side_units(mover.board, mover.player, hex))


def passable(mover: Mover, hex: str) -> bool:
    """Whether ships may be in a hex on their way: sea, friendly port, open canal."""
    return mover.world.is_sea(hex) or friendly_port(mover.board, mover.player, hex) or canal_open(mover, hex)


def wet(mover: Mover, one: str, to: str) -> bool:
    """Whether water joins two hexes: one of them is sea or a canal."""
    world = mover.world
    return world.is_sea(one) or world.is_sea(to) or one in world.canals or to in world.canals


def sea_faults(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """Everything wrong with a move of a ship."""
    if block.cls != "naval":
        message = f"{block.id} ({block.kind.name}) cannot make this move, ships can"
        yield illegal("E-MOV-12", RULES[move.kind], message, "kind")
        return
    broken = path_faults(mover.world, block.id, block.hex, move)
    if broken:
        yield from broken
        return
    for i, (one, to) in enumerate(pairwise(move.path), start=1):
        shore = mover.enemy_in(to) and mover.world.coastal(to)
        if (passable(mover, to) or shore) and not wet(mover, one, to):
            yield illegal("E-MOV-04", "4.4.10", f"no water between {one} and {to}", "path", i)
    yield from (_sail if move.kind == "sail" else _sail_strat)(mover, block, move)
    if mover.full(block, move.end):
        message = f"no room for {block.id} in {mover.world.place(move.end)}"
        yield illegal("E-MOV-08", "2.6", message, "path", len(move.path) - 1)


def _sail(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """4.4.10."""
    world, path = mover.world, move.path
    last = len(path) - 1
    for i, hex in enumerate(path[1:], start=1):
        if mover.enemy_in(hex):
            if not world.is_sea(hex) and not world.coastal(hex):
                yield illegal("E-MOV-04", "4.4.10", f"no ship can reach {hex}", "path", i)
            elif i < last:
                yield illegal("E-MOV-06", "4.4.10", f"enemies in {hex} end the move of {block.id}", "path", i)
        elif not passable(mover, hex):
            message = f"ships may not enter {world.place(hex)}: no sea, friendly port or open canal"
            yield illegal("E-MOV-04", "4.4.10", message, "path", i)
        elif i == last and not world.is_sea(hex) and not friendly_port(mover.board, mover.player, hex):
            yield illegal("E-MOV-04", "4.4.10", f"no ship may stay in canal {hex}", "path", i)
    if last > block.kind.mv:
        message = f"{block.id} needs {last} movement points, it has {block.kind.mv}"
        yield illegal("E-MOV-05", "4.4.10", message, "path")


def _sail_strat(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """4.4.11."""
    world, path = mover.world, move.path
    last, most = len(path) - 1, block.kind.mv * world.numbers.naval_strat_factor
    for i in (0, last):
        if not friendly_port(mover.board, mover.player, path[i]):
            reason = f"strategic move: {world.place(path[i])} is no friendly port"
            yield illegal("E-MOV-10", "4.4.11", reason, "path", i)
    if mover.enemy_in(path[-1]):
        yield illegal("E-MOV-10", "4.4.11", f"strategic move: enemies in {path[-1]}", "path", last)
    for i, hex in enumerate(path[1:-1], start=1):
        if world.is_sea(hex) and mover.enemy_in(hex):
            yield illegal("E-MOV-11", "4.4.11", f"enemy ships in sea hex {hex}", "path", i)
        elif not passable(mover, hex):
            reason = f"strategic move: {world.place(hex)} is no sea, friendly port or open canal"
            yield illegal("E-MOV-10", "4.4.11", reason, "path", i)
    if last > most:
        yield illegal("E-MOV-10", "4.4.11", f"strategic move: {last} hexes, at most {most}", "path")


def sea_moves(mover: Mover, block: Unit) -> Iterator[Move]:
    """Every legal end of a ship's move; places with enemies once per hexside they can be entered by."""
    for move in _sailing(mover, block):
        if not mover.way_faults(block, move):
            yield move


def _sailing(mover: Mover, block: Unit) -> Iterator[Move]:
    world, mv = mover.world, block.kind.mv

    def cost(one: str, to: str) -> int | None:
        open_ = passable(mover, to) and not mover.enemy_in(to)
        return 1 if open_ and wet(mover, one, to) else None

    far = ways(world, block.hex, cost, mv * world.numbers.naval_strat_factor)
    near = {hex: path for hex, path in far.items() if len(path) - 1 <= mv}
    for _, path in sorted(near.items()):
        yield Move(block.id, "sail", path)
    for before in sorted({**near, block.hex: ()}):
        way = near.get(before, (block.hex,))
        for hex in world.neighbours(before):
            if mover.enemy_in(hex):
                yield Move(block.id, "sail", (*way, hex))
    if friendly_port(mover.board, mover.player, block.hex):
        for hex, path in sorted(far.items()):
            if hex not in near and friendly_port(mover.board, mover.player, hex):
                yield Move(block.id, "sail_strat", path)
