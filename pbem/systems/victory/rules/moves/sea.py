"""Moves of ships: sailing, shore attacks, and strategic moves between ports (4.4.10, 4.4.11)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Message

from ..blocks import Block
from ..orders import Move
from .land import strategic

if TYPE_CHECKING:
    from .mover import Mover


def canal_open(mover: Mover, hex: str) -> bool:
    """4.4.10: Return True for a canal without enemies and with a friendly base or a unit of the side."""
    side, world = mover.side, mover.world
    if hex not in world.canals or side.enemies(hex):
        return False
    return side.friendly_base(hex) or bool(side.units(hex))


def passable(mover: Mover, hex: str) -> bool:
    """Return True if ships may pass through a hex: sea, friendly port, open canal."""
    return mover.world.is_sea(hex) or mover.side.friendly_port(hex) or canal_open(mover, hex)


def wet(mover: Mover, start: str, to: str) -> bool:
    """R-43: Return True if water joins two hexes, because one of them is sea or a canal."""
    return any(mover.world.is_sea(hex) or hex in mover.world.canals for hex in (start, to))


def _dry_steps(mover: Mover, move: Move) -> Iterator[Diagnostic]:
    """R-43: Yield the faults of steps without water."""
    for i, (start, to) in enumerate(pairwise(move.path), start=1):
        shore = mover.side.enemy_in(to) and mover.world.coastal(to)
        if (passable(mover, to) or shore) and not wet(mover, start, to):
            yield illegal(
                "E-MOV-04", "4.4.10", Message("victory.sea.no-water-between", one=start, to=to), "path", i
            )


def sail(mover: Mover, block: Block, move: Move) -> Iterator[Diagnostic]:
    """4.4.10: Yield the faults of sailing."""
    world, path, last = mover.world, move.path, len(move.path) - 1
    yield from _dry_steps(mover, move)
    for i, hex in enumerate(path[1:], start=1):
        if mover.side.enemy_in(hex):
            if not world.is_sea(hex) and not world.coastal(hex):
                yield illegal(
                    "E-MOV-04", "4.4.10", Message("victory.sea.no-ship-can-reach", hex=hex), "path", i
                )
            elif i < last:
                yield illegal(
                    "E-MOV-06",
                    "4.4.10",
                    Message("victory.land.enemies-in-end-move", to=hex, block=block.id),
                    "path",
                    i,
                )
        elif not passable(mover, hex):
            message = Message("victory.sea.ships-may-not-enter", place=world.place(hex))
            yield illegal("E-MOV-04", "4.4.10", message, "path", i)
        elif i == last and not world.is_sea(hex) and not mover.side.friendly_port(hex):
            yield illegal(
                "E-MOV-04", "4.4.10", Message("victory.sea.no-ship-may-stay-in-canal", hex=hex), "path", i
            )
    if last > block.kind.mv:
        message = Message("victory.mover.needs-movement-points", block=block.id, spent=last, mv=block.kind.mv)
        yield illegal("E-MOV-05", "4.4.10", message, "path")


def sail_strat(mover: Mover, block: Block, move: Move) -> Iterator[Diagnostic]:
    """4.4.11: Yield the faults of strategic sailing."""
    world, path, last = mover.world, move.path, len(move.path) - 1
    most = block.kind.mv * world.numbers.naval_strat_factor
    yield from _dry_steps(mover, move)
    for i in (0, last):
        if not mover.side.friendly_port(path[i]):
            yield strategic(
                "4.4.11", Message("victory.land.no-friendly-port", place=world.place(path[i])), "path", i
            )
    if mover.side.enemy_in(path[-1]):
        yield strategic("4.4.11", Message("victory.land.enemies", hex=path[-1]), "path", last)
    for i, hex in enumerate(path[1:-1], start=1):
        if world.is_sea(hex) and mover.side.enemy_in(hex):
            yield illegal(
                "E-MOV-11", "4.4.11", Message("victory.land.enemy-ships-in-sea-hex", hex=hex), "path", i
            )
        elif not passable(mover, hex):
            reason = Message("victory.sea.no-sea-friendly-port-or-open-canal", place=world.place(hex))
            yield strategic("4.4.11", reason, "path", i)
    if last > most:
        yield strategic("4.4.11", Message("victory.sea.hexes-at-most", count=last, most=most), "path")


def moves(mover: Mover, block: Block) -> Iterator[Move]:
    """Yield one move to every hex that ships may sail to."""
    world, mv, side = mover.world, block.kind.mv, mover.side

    def cost(start: str, to: str) -> int | None:
        return 1 if passable(mover, to) and not side.enemy_in(to) and wet(mover, start, to) else None

    far = mover.reach(block, cost, mv * world.numbers.naval_strat_factor)
    near = {hex: path for hex, path in far.items() if len(path) - 1 <= mv}
    yield from (Move(block.id, "sail", path) for path in near.values())
    yield from mover.attacks(block, "sail", near)
    for hex, path in far.items() if side.friendly_port(block.hex) else ():
        if hex not in near and side.friendly_port(hex):
            yield Move(block.id, "sail_strat", path)
