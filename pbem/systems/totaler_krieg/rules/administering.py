"""4.6.1, 4.6.2, 4.6.5: Return of support units and convoys to base, and failure of beachheads."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pbem.rules import Game

from .events.turn import BeachheadRemoved, LostAtSea, ReturnedToBase
from .ground import Ground
from .orders import Placement
from .pieces import Piece, piece, pieces, pool, send, take_off, world_of
from .placing import Placer
from .supply import Supply


def return_to_base(game: Game, faction: str) -> None:
    """4.6.1: Send the faction's support units to the Delay Box.

    Beachheads and convoys stay for now.
    """
    gone = [unit for unit in pieces(game, faction, "map") if unit.role in ("air", "fleet")]
    for unit in gone:
        send(unit, "delay")
    if gone:
        game.emit(ReturnedToBase(faction, tuple(unit.id for unit in gone), "delay"))


def removable(board: Game, faction: str) -> list[Piece]:
    return [marker for marker in pieces(board, faction, "map") if marker.role == "beachhead"]


def remove_beachhead(game: Game, faction: str, id: str, why: str) -> None:
    marker = piece(game, id)
    hex = marker.hex or ""
    send(marker, "delay")
    game.emit(BeachheadRemoved(faction, id, hex, why))


def end_maintenance(game: Game, faction: str, wanted: Collection[str]) -> None:
    """4.6.2: Remove unwanted and unsupplied beachheads, then send all convoys home (R-102).

    The unsupplied ones go one after another by id, because one may supply the next (R-215).
    """
    for marker in removable(game, faction):
        if marker.id in wanted:
            remove_beachhead(game, faction, marker.id, "removed")
    while (cut_off := _cut_off(game, faction)) is not None:
        remove_beachhead(game, faction, cut_off, "unsupplied")
    back = [convoy for convoy in pieces(game, faction, "map") if convoy.role == "convoy"]
    for convoy in back:
        send(convoy, "pool")
    if back:
        game.emit(ReturnedToBase(faction, tuple(convoy.id for convoy in back), "pool"))


def _cut_off(board: Game, faction: str) -> str | None:
    """Return the first beachhead by id that is not supplied now."""
    supply = Supply(board)
    return next((marker.id for marker in removable(board, faction) if not supply.supplied(marker)), None)


def default_convoys(
    board: Game, faction: str, before: Mapping[str, tuple[str | None, str]]
) -> list[Placement]:
    """5.15: Return placements of every convoy that maintenance sent home.

    Each goes to its zone with the same side up if this is legal.
    """
    placer, placements = Placer(board, faction), []
    waiting = {counter.id for counter in pool(board, faction)}
    for id, (hex, side) in sorted(before.items()):
        zone = (hex or "").partition(".")[0]
        order = Placement(id, f"{zone}.convoys", side="troop" if side == "troop" else "supply")
        if id in waiting and not placer.faults(order):
            placements.append(order)
    return placements


def fail_beachheads(game: Game, faction: str) -> None:
    """4.6.5: Eliminate ground units in All-Sea hexes without a friendly beachhead."""
    ground, world = Ground(game), world_of(game)
    for hex, units in sorted(ground.by_role.get("ground", {}).items()):
        for unit in units:
            if unit.owner == faction and world.sea(hex) and ground.beachhead(hex, faction) is None:
                game.emit(LostAtSea(faction, unit.id, hex, take_off(unit)))
