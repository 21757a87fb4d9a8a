"""2.3, 2.6, 4.16: Invariants that hold whatever is played."""

from __future__ import annotations

from pbem.rules import Game, Message

from ..rules.ground import Ground
from ..rules.pieces import pieces, world_of


def invariants(game: Game) -> list[str]:
    """Return everything that breaks an invariant, in words."""
    world, ground, found = world_of(game), Ground(game), list[str]()
    for one in pieces(game):
        if (one.spot == "map") != (one.hex in world.index and world.area("off", one.hex or "") is None):
            found.append(Message("totaler-krieg.invariants.in-box", one=one.id, hex=one.hex, spot=one.spot))
        if one.hex is not None and one.hex not in world.index:
            found.append(Message("totaler-krieg.invariants.off-map", one=one.id, hex=one.hex))
        if one.spot == "map" and one.role == "ground" and one.steps not in one.print.faces:
            found.append(Message("totaler-krieg.invariants.has-steps", one=one.id, steps=one.steps))
        if one.spot == "track" and one.due < 1:
            found.append(Message("totaler-krieg.invariants.turn-track", one=one.id))
    for hex, units in sorted(ground.by_role.get("ground", {}).items()):
        if len({one.owner for one in units}) > 1:
            found.append(Message("totaler-krieg.invariants.holds-units-of-two-factions", hex=hex))
    return found


def census(game: Game) -> list[str]:
    """Return the counters made or lost, which is never right."""
    known = set(world_of(game).prints)
    there = set(game.position.counters)
    return (
        [Message("totaler-krieg.invariants.made-or-lost", id=id) for id in sorted(known ^ there)]
        if known - there
        else []
    )
