"""Turns what happened into events, for whoever may know it (4.12): moves, lone leaders, hexes taken."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules import Diagnostic, Game, audience_of

from .events.battle_after import HeadquartersLost, HexTaken, LeaderCaptured, LeaderDisplaced
from .events.command import LeftRoster, OrderSkipped
from .events.movement import Entrenched, Marched, RailCut, Rode, Sailed, TookHex
from .handling import Arrival, Displacements
from .moves.mover import Done, Performed
from .pieces import leader, world_of
from .tracks import T

NOBODY = "nobody"


def name_of(game: Game, id: str | None) -> str:
    """A leader's name, or `nobody`."""
    if id is None:
        return NOBODY
    return leader(game, id).name or id


def skipped(game: Game, side: str, order: str, faults: Iterable[Diagnostic]) -> bool:
    """Tells parts of an order that have become illegal; are there any?"""
    listed = list(faults)
    for fault in listed:
        game.emit(OrderSkipped(side, order, fault.code, fault.message))
    return bool(listed)


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
        game.emit(Rode(side, one.units, one.way, one.cost, T.of(game).rail_points[side]))
    elif one.by == "sea":
        game.emit(Sailed(side, one.units, one.way[0], one.way[-1], one.cost))
    else:
        game.emit(Marched(side, one.units, one.way, one.cost, one.in_zone))
    for hex in one.took:
        game.emit(TookHex(side, hex, world_of(game).place(hex)))
    if one.cut is not None:
        game.emit(RailCut(side, one.cut))
    tell_displaced(game, one.displaced)


def tell_arrivals(game: Game, side: str, came: Iterable[Arrival]) -> None:
    """What changes where units have come out of a battle: owners, and lone enemy leaders (R-101, R-103)."""
    for arrival in came:
        if arrival.took:
            game.emit(HexTaken(arrival.hex, world_of(game).place(arrival.hex), side, arrival.took))
        tell_displaced(game, arrival.displaced)


def tell_displaced(game: Game, gone: Displacements | None) -> None:
    """Lone leaders and HQs (4.8.16). Where they went, and which HQ it was, nobody has seen (R-28)."""
    if gone is None:
        return
    audience = audience_of(gone.side) if game.options["limited_intelligence"] else None
    for one in gone.leaders:
        name = name_of(game, one.leader)
        if one.to is not None:
            game.emit(LeaderDisplaced(gone.side, name, one.start, one.to), audience)
            continue
        game.emit(LeaderCaptured(gone.side, name, one.start))
        if one.hq is not None:
            game.emit(HeadquartersLost(gone.side, one.hq), audience)
    for hq in gone.hqs:
        game.emit(HeadquartersLost(gone.side, hq), audience)
