"""4.12: Events of moves, lone leaders and hexes taken, each for the players who may know it."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules import Diagnostic, Game, Roll, audience_of

from .command.forces import Modified
from .events.battle_after import HeadquartersLost, HexTaken, LeaderCaptured, LeaderDisplaced
from .events.command import LeftRoster, OrderSkipped
from .events.movement import (
    Entrenched,
    LeaderFailed,
    Marched,
    RailCut,
    Rode,
    Sailed,
    TookHex,
    TriedInVain,
)
from .handling import Arrival, Displacements
from .moves.mover import Done, Performed
from .pieces import label, leader, world_of
from .tracks import T

NOBODY = "nobody"


def name_of(game: Game, id: str | None) -> str:
    """Return a leader's name, or `nobody`."""
    if id is None:
        return NOBODY
    return leader(game, id).name or id


def skipped(game: Game, side: str, order: str, faults: Iterable[Diagnostic]) -> bool:
    """Report parts of an order that have become illegal. Return True if there are any."""
    listed = list(faults)
    for fault in listed:
        game.emit(OrderSkipped(side, order, fault.code, fault.message))
    return bool(listed)


def leader_label(game: Game, phasing: str, rest: str, name: str, leader: str) -> tuple[str | int, ...]:
    """R-301: Return the label of a leader's die. With limited intelligence it lacks the name."""
    return label(game, phasing, rest, name, *(() if game.options["limited_intelligence"] else (leader,)))


def tell_failure(game: Game, side: str, id: str, values: Modified, die: Roll) -> None:
    """R-301: Report to all that a leader failed, and to the own side which one."""
    game.emit(TriedInVain(side, die))
    game.emit(LeaderFailed(side, id, leader(game, id).initiative, values.initiative, values.reasons))


def tell(game: Game, side: str, done: Performed, order: str) -> None:
    """Report the moves of a force. Skipped parts of the order go to their owner."""
    for move in done.done:
        tell_move(game, side, move)
    if done.entrenched is not None:
        game.emit(Entrenched(side, done.entrenched))
    if done.dropped:
        game.emit(LeftRoster(side, tuple(done.dropped)))
    skipped(game, side, order, done.faults)


def tell_move(game: Game, side: str, move: Done) -> None:
    """Report one move."""
    if move.by == "rail":
        game.emit(Rode(side, move.units, move.way, move.cost, T.of(game).rail_points[side]))
    elif move.by == "sea":
        game.emit(Sailed(side, move.units, move.way[0], move.way[-1], move.cost))
    else:
        game.emit(Marched(side, move.units, move.way, move.cost, move.in_zone))
    for hex in move.took:
        game.emit(TookHex(side, hex, world_of(game).place(hex)))
    if move.cut is not None:
        game.emit(RailCut(side, move.cut))
    tell_displaced(game, move.displaced)


def tell_arrivals(game: Game, side: str, came: Iterable[Arrival]) -> None:
    """R-101, R-103: Report changes after units left a battle: owners, and lone enemy leaders."""
    for arrival in came:
        if arrival.took:
            game.emit(HexTaken(arrival.hex, world_of(game).place(arrival.hex), side, arrival.took))
        tell_displaced(game, arrival.displaced)


def tell_displaced(game: Game, gone: Displacements | None) -> None:
    """4.8.16: Report lone leaders and HQs.

    With limited intelligence the enemy learns neither their hexes nor their HQs (R-28).
    """
    if gone is None:
        return
    audience = audience_of(gone.side) if game.options["limited_intelligence"] else None
    for lone in gone.leaders:
        name = name_of(game, lone.leader)
        if lone.to is not None:
            game.emit(LeaderDisplaced(gone.side, name, lone.start, lone.to), audience)
            continue
        game.emit(LeaderCaptured(gone.side, name, lone.start))
        if lone.hq is not None:
            game.emit(HeadquartersLost(gone.side, lone.hq), audience)
    for hq in gone.hqs:
        game.emit(HeadquartersLost(gone.side, hq), audience)
