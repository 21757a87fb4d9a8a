"""The sensible player's ships: craft land troops near a goal, warships go where they reach the enemy.

Everything is taken from the list of legal options.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from pbem.rules import Drafting, Next, Part

from ..rules.actions import Action
from ..rules.pieces import Craft, Ship, craft, maybe_unit, ships, units, world_of

SURE = 2
"""The least strength of an assault from craft, as a multiple of the defenders'."""
INLAND = 4
"""Hexes between a beach and a goal at most."""


def by_sea(drafting: Drafting[Any], side: str, goals: Sequence[str]) -> None:
    """4.12: Load craft, sail, and land where nobody stands; take warships along."""
    if not goals:
        return
    for id in [c.id for c in craft(drafting.draft.game, side)]:
        _load(drafting, side, id)
        if (c := _aboard(drafting, side, id)) is not None:
            _sail(drafting, c, _beaches(drafting.draft.game, c, goals))
        if (c := _aboard(drafting, side, id)) is not None:
            _land(drafting, c, goals)
    foes = _foes(drafting.draft.game, side)
    for ship in list(ships(drafting.draft.game, side)):
        if ship.hull.barrage and foes and not any(ship.hull.range >= _far(drafting, ship, f) for f in foes):
            _sail(drafting, ship, [hex for hex in goals if hex in foes] or foes)


def from_boats(drafting: Drafting[Any], side: str) -> None:
    """4.12.7: Attack beaches that are held weakly."""
    for id in [c.id for c in craft(drafting.draft.game, side)]:
        for order, option in _listed(drafting, id, "assault"):
            c = _aboard(drafting, side, id)
            if c is not None and _beats(drafting.draft.game, c, order.hex):
                drafting.offer(option)
                break


def bombard(drafting: Drafting[Any], side: str) -> None:
    """4.10: Fire ships at the enemy units in range."""
    for id in [s.id for s in ships(drafting.draft.game, side)]:
        aimed = [option for order, option in _listed(drafting, id, "fire") if order.target == "units"]
        if aimed:
            drafting.offer(aimed[0])


def combine(drafting: Drafting[Any], side: str) -> None:
    """4.3.5: Make reduced aircraft of one model whole."""
    for _, option in _of_kind(drafting.next(), "combine"):
        drafting.offer(option)


def _listed(drafting: Drafting[Any], id: str, kind: str) -> list[tuple[Any, Part[Action]]]:
    """Return the legal orders of one kind with a counter, each with the element that it is in."""
    return _of_kind(drafting.next(id), kind)


def _of_kind(options: Iterable[Next[Any]], kind: str) -> list[tuple[Any, Part[Action]]]:
    elements = [option.element for option in options if option.element.section == "actions"]
    return [(order, element) for element in elements if (order := getattr(element.value, kind)) is not None]


def _aboard(drafting: Drafting[Any], side: str, id: str) -> Craft | None:
    """Return a craft that carries units."""
    aboard = [c for c in craft(drafting.draft.game, side) if c.id == id]
    return (
        aboard[0]
        if aboard and any(cargo["kind"] != "transport" for cargo in aboard[0].cargo.values())
        else None
    )


def _load(drafting: Drafting[Any], side: str, id: str) -> None:
    """Take troops aboard as long as there is room, and supply for their attack."""
    while True:
        game = drafting.draft.game
        able = [
            option
            for order, option in _listed(drafting, id, "embark")
            if any((u := maybe_unit(game, unit)) and u.attack_capable for unit in order.units)
        ]
        if not able or drafting.offer(able[0]):
            break
    if _aboard(drafting, side, id) is not None:
        supply = [option for order, option in _listed(drafting, id, "embark") if order.tokens]
        if supply:
            drafting.offer(supply[0])


def _beaches(game: Any, c: Craft, goals: Sequence[str]) -> list[str]:
    """Return the coasts that a craft can take and that are nearest to a goal."""
    world = world_of(game)
    beaches = []
    for hex in sorted(world.terrains):
        far = world.nearest(hex, goals)
        if world.land(hex) and far <= INLAND and any(world.sea(n) for n in world.beside(hex)):
            if not units(game, world.enemy(c.owner), hex) or _beats(game, c, hex):
                beaches.append((far, hex))
    best = min(beaches, default=(0, ""))[0]
    return [hex for far, hex in beaches if far == best]


def _beats(game: Any, c: Craft, hex: str) -> bool:
    """Return True if what is aboard is strong enough for a held beach."""
    world = world_of(game)
    own = sum(Fraction(world.units[id].side("combat").strength or 0) for id in c.cargo if id in world.units)
    foes = sum(Fraction(u.side.strength or 0) for u in units(game, world.enemy(c.owner), hex))
    return own >= SURE * foes


def _sail(drafting: Drafting[Any], ship: Ship | Craft, wanted: Sequence[str]) -> None:
    """Go where the nearest wanted hex is nearer than here."""
    if not wanted:
        return
    best, nearest = None, min(_far(drafting, ship, hex) for hex in wanted)
    for order, option in _listed(drafting, ship.id, "naval"):
        far = min(_far(drafting, order.path[-1], hex) for hex in wanted)
        if far < nearest:
            best, nearest = option, far
    if best is not None:
        drafting.offer(best)


def _far(drafting: Drafting[Any], a: Ship | Craft | str, b: str) -> int:
    """Return how far apart two hexes are; a box is far from everything."""
    world = world_of(drafting.draft.game)
    a = a if isinstance(a, str) else a.hex or ""
    return world.distance(a, b) if a in world.terrains else 99


def _land(drafting: Drafting[Any], c: Craft, goals: Sequence[str]) -> None:
    """Put troops ashore at the best beach, if nobody is there."""
    wanted = _beaches(drafting.draft.game, c, goals)
    for order, option in _listed(drafting, c.id, "land"):
        if order.units and order.hex in wanted and not drafting.offer(option):
            return


def _foes(game: Any, side: str) -> list[str]:
    world = world_of(game)
    return sorted({u.hex or "" for u in units(game, world.enemy(side)) if u.hex in world.terrains})
