"""Turns what moves did into events, for whoever may know it (4.12)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules import Game

from .command import Fault
from .events.command import LeftRoster, OrderSkipped
from .events.movement import Entrenched, Marched, RailCut, Rode, Sailed, TookHex
from .moves.mover import Done, Performed
from .moves.rail import rail_points
from .pieces import world_of
from .procedures.battle_words import tell_displaced


def tell(game: Game, side: str, done: Performed, order: str) -> None:
    """What a force did; parts of the order that were skipped are told to their owner."""
    for one in done.done:
        tell_move(game, side, one)
    if done.entrenched is not None:
        game.emit(Entrenched(side, done.entrenched))
    if done.dropped:
        game.emit(LeftRoster(side, tuple(done.dropped)))
    skipped(game, side, order, done.faults)


def tell_move(game: Game, side: str, one: Done) -> None:
    """One move."""
    if one.by == "rail":
        game.emit(Rode(side, one.units, one.way, one.cost, rail_points(game, side)))
    elif one.by == "sea":
        game.emit(Sailed(side, one.units, one.way[0], one.way[-1], one.cost))
    else:
        game.emit(Marched(side, one.units, one.way, one.cost, one.in_zone))
    for hex in one.took:
        game.emit(TookHex(side, hex, world_of(game).place(hex)))
    if one.cut is not None:
        game.emit(RailCut(side, one.cut))
    tell_displaced(game, world_of(game).enemy(side), one.displaced, one.hqs_lost)


def skipped(game: Game, side: str, order: str, faults: Iterable[Fault]) -> None:
    """Parts of an order that have become illegal."""
    for fault in faults:
        game.emit(OrderSkipped(side, order, fault.code, fault.message))
