"""Moves by air: missions, rebasing, and drops of airborne blocks (4.4.7-4.4.9, 4.4.12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pbem.rules import Diagnostic

from ..blocks import Unit, airbases, enemy_units, friendly_base, landing
from .model import RULES, Move, illegal, target_faults
from .mover import Mover


def air_faults(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """Everything wrong with a flight or drop."""
    if not (block.kind.has("drop") if move.kind == "drop" else block.cls == "air"):
        able = "airborne blocks" if move.kind == "drop" else "aircraft"
        message = f"{block.id} ({block.kind.name}) cannot make this move, {able} can"
        yield illegal("E-MOV-12", RULES[move.kind], message, "kind")
        return
    broken = target_faults(mover.world, move)
    if broken:
        yield from broken
        return
    checks: dict[str, Callable[[Mover, Unit, Move], Iterator[Diagnostic]]] = {
        "drop": _drop,
        "mission": _mission,
        "rebase": _rebase,
    }
    yield from checks[move.kind](mover, block, move)


def _range(mover: Mover, block: Unit, move: Move, most: int, rule: str) -> Iterator[Diagnostic]:
    away = mover.world.distance(block.hex, move.end)
    if away > most:
        message = f"{move.end} is {away} hexes from {block.id} in {block.hex}, at most {most}"
        yield illegal("E-MOV-13", rule, message, "to")


def _room(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    if mover.full(block, move.end):
        message = f"no room for {block.id} in {mover.world.place(move.end)}"
        yield illegal("E-MOV-08", "2.6", message, "to")


def _drop(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """4.4.7."""
    world = mover.world
    if not friendly_base(mover.board, mover.player, block.hex):
        message = f"no airbase: a drop starts from a friendly base, {block.id} stands in {block.hex}"
        yield illegal("E-MOV-14", "4.4.7", message, "unit")
    yield from _range(mover, block, move, world.numbers.drop, "4.4.7")
    if not world.terrain[move.end].landing:
        message = f"no drop into {move.end}, {world.terrain[move.end].name}"
        yield illegal("E-MOV-04", "4.4.7", message, "to")
    elif move.end == block.hex:
        yield illegal("E-MOV-03", "4.4.1", f"{block.id} stands in {move.end} already", "to")
    else:
        yield from _room(mover, block, move)


def _mission(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """4.4.8."""
    yield from _range(mover, block, move, block.kind.mv, "4.4.8")
    if not mover.enemy_in(move.end):
        yield illegal("E-MOV-15", "4.4.8", f"no enemy there: {mover.world.place(move.end)}", "to")
    yield from _room(mover, block, move)


def deck(mover: Mover, block: Unit, move: Move) -> str | None:
    """The carrier a legal rebasing lands on, None for the ground."""
    return landing(mover.board, mover.player, block, move.end, move.carrier)[1]


def _rebase(mover: Mover, block: Unit, move: Move) -> Iterator[Diagnostic]:
    """4.4.9."""
    world = mover.world
    yield from _range(mover, block, move, block.kind.mv * world.numbers.air_strat_factor, "4.4.9")
    if enemy_units(mover.board, mover.player, move.end):
        yield illegal("E-MOV-14", "4.4.9", f"no airbase: enemies in {move.end}", "to")
        return
    full = list(_room(mover, block, move))
    possible, onto = landing(mover.board, mover.player, block, move.end, move.carrier)
    if full:
        yield from full
    elif not possible:
        where = f"on {move.carrier} in {move.end}" if move.carrier else f"in {world.place(move.end)}"
        yield illegal("E-MOV-14", "4.4.12", f"no airbase with room {where}", "to")
    elif move.end == block.hex and onto == block.aboard:
        yield illegal("E-MOV-03", "4.4.1", f"{block.id} is based in {move.end} already", "to")


def air_moves(mover: Mover, block: Unit) -> Iterator[Move]:
    """Every legal flight or drop of a block."""
    for move in _flights(mover, block):
        if not mover.way_faults(block, move):
            yield move


def _flights(mover: Mover, block: Unit) -> Iterator[Move]:
    world = mover.world
    if block.kind.has("drop"):
        for hex in world.within(block.hex, world.numbers.drop):
            yield Move(block.id, "drop", to=hex)
        return
    for hex in world.within(block.hex, block.kind.mv):
        if mover.enemy_in(hex):
            yield Move(block.id, "mission", to=hex)
    reach = block.kind.mv * world.numbers.air_strat_factor
    for hex, _ in sorted(airbases(mover.board, block, block.hex, reach)):
        yield Move(block.id, "rebase", to=hex)
