"""4.6.1, 4.6.2, 4.6.5: Administration: support units go to base, convoys go back, beachheads fail."""

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

    Beachheads and convoys stay for the moment.
    """
    gone = [one for one in pieces(game, faction, "map") if one.role in ("air", "fleet")]
    for one in gone:
        send(one, "delay")
    if gone:
        game.emit(ReturnedToBase(faction, tuple(one.id for one in gone), "delay"))


def removable(board: Game, faction: str) -> list[Piece]:
    return [one for one in pieces(board, faction, "map") if one.role == "beachhead"]


def remove_beachhead(game: Game, faction: str, id: str, why: str) -> None:
    one = piece(game, id)
    hex = one.hex or ""
    send(one, "delay")
    game.emit(BeachheadRemoved(faction, id, hex, why))


def end_maintenance(game: Game, faction: str, wanted: Collection[str]) -> None:
    """4.6.2: Remove unwanted and unsupplied beachheads, then send all convoys home (R-102).

    The unsupplied ones go one after another by id: one that goes may have fed another (R-215).
    """
    for one in removable(game, faction):
        if one.id in wanted:
            remove_beachhead(game, faction, one.id, "removed")
    while (cut_off := _cut_off(game, faction)) is not None:
        remove_beachhead(game, faction, cut_off, "unsupplied")
    back = [one for one in pieces(game, faction, "map") if one.role == "convoy"]
    for one in back:
        send(one, "pool")
    if back:
        game.emit(ReturnedToBase(faction, tuple(one.id for one in back), "pool"))


def _cut_off(board: Game, faction: str) -> str | None:
    """Return the first beachhead, by id, that is not supplied as the position is."""
    supply = Supply(board)
    return next((one.id for one in removable(board, faction) if not supply.supplied(one)), None)


def default_convoys(
    board: Game, faction: str, before: Mapping[str, tuple[str | None, str]]
) -> list[Placement]:
    """5.15: Return placements of every convoy that maintenance sent home.

    In its zone, same side up, where legal.
    """
    placer, found = Placer(board, faction), []
    waiting = {one.id for one in pool(board, faction)}
    for id, (hex, side) in sorted(before.items()):
        zone = (hex or "").partition(".")[0]
        given = Placement(id, f"{zone}.convoys", side="troop" if side == "troop" else "supply")
        if id in waiting and not placer.faults(given):
            found.append(given)
    return found


def fail_beachheads(game: Game, faction: str) -> None:
    """4.6.5: Eliminate ground units in All-Sea hexes without a friendly beachhead."""
    ground, world = Ground(game), world_of(game)
    for hex, units in sorted(ground.by_role.get("ground", {}).items()):
        for one in units:
            if one.owner == faction and world.sea(hex) and ground.beachhead(hex, faction) is None:
                game.emit(LostAtSea(faction, one.id, hex, take_off(one)))
