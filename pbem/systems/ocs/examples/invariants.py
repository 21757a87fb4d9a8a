"""2.3, 4.0.6: The invariants of ocs."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Game, Message

from ..rules.pieces import T, planes, points, ships, units, world_of


def invariants(game: Game) -> list[str]:
    """Return everything that breaks an invariant, in words."""
    return [*_units(game), *_things(game), *_tracks(game)]


def _units(game: Game) -> Iterator[str]:
    world = world_of(game)
    owners: dict[str, str] = {}
    for u in units(game):
        if u.hex not in world.index:
            yield Message("ocs.invariants.off-map", u=u.id, hex=u.hex)
            continue
        if u.steps < 1:
            yield Message("ocs.invariants.has-steps", u=u.id, steps=u.steps)
        if u.hex in world.terrains and world.kind(u.hex or "") == "hex" and not world.land(u.hex or ""):
            yield Message("ocs.invariants.stands-in-where-cannot", u=u.id, hex=u.hex)
        if owners.setdefault(u.hex or "", u.owner) != u.owner:
            yield Message("ocs.invariants.holds-combat-units-of-both-sides", hex=u.hex)
        if u.marker == "exploit" and not u.min_ar:
            yield Message("ocs.invariants.has-exploit-marker-without-rating", u=u.id)
        if u.id in T.of(game).dead:
            yield Message("ocs.invariants.map-and-in-dead-pile", u=u.id)


def _things(game: Game) -> Iterator[str]:
    world = world_of(game)
    for p in points(game):
        if p.load < 0 or p.capacity < 1:
            yield Message("ocs.invariants.t-on-points", p=p.id, load=p.load, points=p.points)
    for plane in planes(game):
        if plane.hex not in world.index:
            yield Message("ocs.invariants.has-no-base", plane=plane.id)
    for ship in ships(game):
        if ship.hex not in world.index:
            yield Message("ocs.invariants.is-off-the-map", ship=ship.id)


def _tracks(game: Game) -> Iterator[str]:
    t = T.of(game)
    for hex, dump in t.dumps.items():
        if dump.t < 1 or dump.fresh > dump.t:
            yield Message("ocs.invariants.dump-of-t", hex=hex, t=dump.t, fresh=dump.fresh)
