"""Moves by air: missions, rebasing, and drops of airborne blocks (4.4.7-4.4.9, 4.4.12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Message

from ..blocks import Block
from ..orders import Move

if TYPE_CHECKING:
    from .mover import Mover


def _range(mover: Mover, block: Block, move: Move, most: int, rule: str) -> Iterator[Diagnostic]:
    away = mover.world.distance(block.hex, move.end)
    if away > most:
        message = Message(
            "victory.air.hexes-from-in-most",
            end=move.end,
            away=away,
            block=block.id,
            hex=block.hex,
            most=most,
        )
        yield illegal("E-MOV-13", rule, message, "to")


def _room(mover: Mover, block: Block, move: Move) -> Iterator[Diagnostic]:
    if mover.full(block, move.end):
        yield illegal(
            "E-MOV-08",
            "2.6",
            Message("victory.air.no-room", block=block.id, place=mover.world.place(move.end)),
            "to",
        )


def drop(mover: Mover, block: Block, move: Move) -> Iterator[Diagnostic]:
    """4.4.7: Yield the faults of an airdrop."""
    world = mover.world
    if not mover.side.friendly_base(block.hex):
        message = Message(
            "victory.air.no-airbase-drop-starts-from-friendly-base", block=block.id, hex=block.hex
        )
        yield illegal("E-MOV-14", "4.4.7", message, "unit")
    yield from _range(mover, block, move, world.numbers.drop, "4.4.7")
    if not world.ground[move.end].landing:
        yield illegal(
            "E-MOV-04",
            "4.4.7",
            Message("victory.air.no-drop", end=move.end, ground=world.ground[move.end].name),
            "to",
        )
    elif move.end == block.hex:
        yield illegal(
            "E-MOV-03", "4.4.1", Message("victory.air.stands-in-already", block=block.id, end=move.end), "to"
        )
    else:
        yield from _room(mover, block, move)


def mission(mover: Mover, block: Block, move: Move) -> Iterator[Diagnostic]:
    """4.4.8: Yield the faults of a mission."""
    yield from _range(mover, block, move, block.kind.mv, "4.4.8")
    if not mover.side.enemy_in(move.end):
        yield illegal(
            "E-MOV-15", "4.4.8", Message("victory.air.no-enemy", place=mover.world.place(move.end)), "to"
        )
    yield from _room(mover, block, move)


def rebase(mover: Mover, block: Block, move: Move) -> Iterator[Diagnostic]:
    """4.4.9, 4.4.12: Yield the faults of a rebase."""
    world, side = mover.world, mover.side
    yield from _range(mover, block, move, block.kind.mv * world.numbers.air_strat_factor, "4.4.9")
    if side.enemies(move.end):
        yield illegal("E-MOV-14", "4.4.9", Message("victory.air.no-airbase-enemies", end=move.end), "to")
        return
    possible, onto = side.landing(block, move.end, move.carrier)
    if mover.full(block, move.end):
        yield from _room(mover, block, move)
    elif not possible:
        where = (
            Message("victory.air.on-carrier", carrier=move.carrier, end=move.end)
            if move.carrier
            else Message("victory.air.in", place=world.place(move.end))
        )
        yield illegal("E-MOV-14", "4.4.12", Message("victory.air.no-airbase-with-room", where=where), "to")
    elif move.end == block.hex and onto == block.aboard:
        yield illegal(
            "E-MOV-03", "4.4.1", Message("victory.air.based-in-already", block=block.id, end=move.end), "to"
        )


def moves(mover: Mover, block: Block) -> Iterator[Move]:
    """Yield possible drops, or missions and rebases, of a block."""
    world = mover.world
    if block.kind.has("drop"):
        for hex in world.within(block.hex, world.numbers.drop):
            yield Move(block.id, "drop", to=hex)
        return
    for hex in world.within(block.hex, block.kind.mv):
        if mover.side.enemy_in(hex):
            yield Move(block.id, "mission", to=hex)
    for hex in sorted(mover.side.airbases(block, block.kind.mv * world.numbers.air_strat_factor)):
        yield Move(block.id, "rebase", to=hex)
