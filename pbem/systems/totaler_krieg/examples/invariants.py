"""2.3, 2.6, 4.16: The invariants of every position."""

from __future__ import annotations

from pbem.rules import Game, Message

from ..rules.ground import Ground
from ..rules.pieces import pieces, world_of


def invariants(game: Game) -> list[str]:
    """Return everything that breaks an invariant, in words."""
    world, ground, faults = world_of(game), Ground(game), list[str]()
    for piece in pieces(game):
        if (piece.spot == "map") != (piece.hex in world.index and world.area("off", piece.hex or "") is None):
            faults.append(
                Message("totaler-krieg.invariants.in-box", one=piece.id, hex=piece.hex, spot=piece.spot)
            )
        if piece.hex is not None and piece.hex not in world.index:
            faults.append(Message("totaler-krieg.invariants.off-map", one=piece.id, hex=piece.hex))
        if piece.spot == "map" and piece.role == "ground" and piece.steps not in piece.print.faces:
            faults.append(Message("totaler-krieg.invariants.has-steps", one=piece.id, steps=piece.steps))
        if piece.spot == "track" and piece.due < 1:
            faults.append(Message("totaler-krieg.invariants.turn-track", one=piece.id))
    for hex, units in sorted(ground.by_role.get("ground", {}).items()):
        if len({unit.owner for unit in units}) > 1:
            faults.append(Message("totaler-krieg.invariants.holds-units-of-two-factions", hex=hex))
    return faults


def census(game: Game) -> list[str]:
    """Return the counters that were made or lost, which is always a fault."""
    known = set(world_of(game).prints)
    there = set(game.position.counters)
    return (
        [Message("totaler-krieg.invariants.made-or-lost", id=id) for id in sorted(known ^ there)]
        if known - there
        else []
    )
