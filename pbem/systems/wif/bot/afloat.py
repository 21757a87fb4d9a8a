"""Orders of the sensible player at sea, from the sea and from the air, step by step.

Transports take corps to coasts near a goal and put them ashore. Warships and aircraft go where the enemy is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from pbem.rules import Drafting, Game, Part

from ..rules.decisions.impulse_letter import Writing
from ..rules.entries import Carries, Drops, Sails, SeaFlights, Searches, Strikes
from ..rules.naval import aboard, fighting_areas
from ..rules.pieces import Unit, held_by, side_units, units
from ..rules.world import world_of

SURE = 2
"""The least strength of an invasion or a drop, as a multiple of the defenders'."""
INLAND = 2
"""Hexes between a coast that is worth an invasion and a goal, at most."""
BEHIND = 3
"""Hexes from the nearest goal from which on troops are flown forward."""
BOMBS = 3
"""Strategic factors that make bombing factories worth its fuel."""


def useful(game: Game, power: str, goals: list[str]) -> bool:
    """Return True if a power has a transport that can bring somebody to a coast near a goal."""
    return any(True for ship in _transports(game, power) for _ in _coasts(game, ship, goals))


def at_sea(drafting: Drafting[Any], draft: Writing, goals: list[str]) -> None:
    """Carry out steps a to f: strikes at ports, flights to sea, voyages, searches, bombs on factories."""
    game = draft.game
    foes = side_units(game, world_of(game).enemy(draft.side))
    ports = sorted({u.hex for u in foes if u.print.arm == "sea" and u.area is None and u.hex})
    areas = sorted({u.area for u in foes if u.print.arm == "sea" and u.area})
    sailors = [u for u in _planes(draft) if u.print.ats and u.print.ats >= u.print.tac]
    for u in sailors if not areas else ():
        _first(drafting, [Part("a", Strikes((u.id,), hex, target="port")) for hex in ports])
    for u in sailors:
        _first(drafting, [Part("b", SeaFlights((u.id,), area)) for area in areas])
    for power in draft.powers:
        _sail(drafting, draft, power, goals, areas)
    for area in fighting_areas(game, draft.side):
        drafting.offer(Part("d", Searches(area)))
    for u in _planes(draft):
        if u.print.strategic >= BOMBS:
            _bomb(drafting, game, u)


def ashore(drafting: Drafting[Any], draft: Writing, goals: list[str]) -> None:
    """Carry out steps j to m: fly troops to the front, land in own ports near it, invade, drop paratroops."""
    game = draft.game
    for plane in _planes(draft):
        _fly(drafting, draft, plane, goals)
    ships = [ship for power in draft.powers for ship in _transports(game, power) if ship.area is not None]
    for ship in ships:
        for u in aboard(game, ship.id):
            home = [h for h, s in world_of(game).sites.items() if s.port and held_by(game, h, draft.side)]
            near = sorted((far, h) for h in home if (far := _far(game, h, goals)) <= INLAND)
            _first(drafting, [Part("k", Carries(u.id, hex, ship.id)) for _, hex in near])
    for ship in ships:
        for u in aboard(game, ship.id):
            _first(drafting, [Part("l", Carries(u.id, hex, ship.id)) for hex in _coasts(game, ship, goals)])
    for u in _planes(draft):
        _drop(drafting, game, u, goals)


def _first(drafting: Drafting[Any], parts: Iterable[Part[Any]]) -> bool:
    """Order the first of these that is legal."""
    return any(not drafting.offer(part) for part in parts)


def _planes(draft: Writing) -> list[Unit]:
    return [
        u for power in draft.powers for u in units(draft.game, power) if u.print.arm == "air" and not u.down
    ]


def _transports(game: Game, power: str) -> list[Unit]:
    kinds = world_of(game).units["transports"]
    return [u for u in units(game, power) if u.type in kinds and not u.down]


def _far(game: Game, hex: str, goals: list[str]) -> int:
    world = world_of(game)
    return min((n for g in goals if (n := world.hexes_between(hex, g)) is not None), default=99)


def _cargo(game: Game, ship: Unit) -> list[Unit]:
    """Return what a transport has aboard, or whom it could load, the strongest first."""
    loaded = aboard(game, ship.id)
    if loaded or ship.area is not None:
        return loaded
    here = [u for u in units(game, ship.owner, ship.place) if u.print.arm == "land" and not u.print.support]
    able = [u for u in here if not u.down and not u.print.headquarters and u.type != "AA"]
    return sorted(able, key=lambda u: (u.type != "MAR", -u.print.strength, u.id))


def _coasts(game: Game, ship: Unit, goals: list[str]) -> Iterator[str]:
    """Yield the enemy coasts that the cargo of a ship can take, those nearest to a goal first."""
    world, own = world_of(game), world_of(game).side_of[ship.owner]
    areas = [ship.area] if ship.area is not None else list(world.areas)
    cargo = _cargo(game, ship)
    near = sorted((_far(game, hex, goals), hex) for area in areas for hex in world.shores[area])
    for far, hex in near if cargo else ():
        if far <= INLAND and not held_by(game, hex, own) and _beats(game, cargo[0], hex, own):
            yield hex


def _beats(game: Game, u: Unit, hex: str, own: str) -> bool:
    """4.7.6: Return True if a unit from the sea or the air is strong enough for a hex."""
    foes = [e for e in side_units(game, world_of(game).enemy(own), hex) if e.print.arm == "land"]
    strong = Fraction(u.print.strength) * (1 if u.type in ("MAR", "PARA") else Fraction(1, 2))
    return strong >= SURE * sum(e.print.strength for e in foes)


def _sail(drafting: Drafting[Any], draft: Writing, power: str, goals: list[str], areas: list[str]) -> None:
    """Send transports with troops to coasts near a goal, empty ones to fetch some, warships to fight."""
    game, world = draft.game, world_of(draft.game)
    carriers = {ship.id: ship for ship in _transports(game, power)}
    for ship in list(carriers.values()):
        cargo = _cargo(game, ship)
        if cargo:
            load: dict[str, tuple[str, ...]] | None = (
                None if aboard(game, ship.id) else {ship.id: (cargo[0].id,)}
            )
            shores = {a: [h for h in _coasts(game, ship, goals) if h in world.shores[a]] for a in world.areas}
            near = sorted((_far(game, shores[a][0], goals), a) for a in shores if shores[a])
            if near and near[0][1] != ship.area:
                _first(drafting, [Part("c", Sails((ship.id,), area, load=load)) for _, area in near])
        elif ship.area is not None:
            ports = [h for h, s in world.sites.items() if s.port and held_by(game, h, draft.side)]
            full = sorted((-len(units(game, power, h)), h) for h in ports if units(game, power, h))
            _first(drafting, [Part("c", Sails((ship.id,), port)) for _, port in full])
    fighting = [u for u in units(game, power) if u.print.arm == "sea" and u.print.attack and not u.down]
    for u in fighting:
        if u.id not in carriers and u.area not in areas:
            _first(drafting, [Part("c", Sails((u.id,), area)) for area in areas])


def _bomb(drafting: Drafting[Any], game: Game, u: Unit) -> None:
    """4.7.5: Bomb the factories that are nearest."""
    world = world_of(game)
    own = world.side_of[u.owner]
    works = [h for h, s in world.sites.items() if s.factories and not held_by(game, h, own)]
    near = sorted(works, key=lambda h: (world.hexes_between(u.place, h) or 99, h))
    _first(drafting, [Part("f", Strikes((u.id,), hex)) for hex in near])


def _fly(drafting: Drafting[Any], draft: Writing, plane: Unit, goals: list[str]) -> None:
    """4.7.5: Fly a unit that is far from every goal to a city near one."""
    game = draft.game
    if plane.type != "ATR" or plane.hex is None or _far(game, plane.hex, goals) <= BEHIND:
        return
    cities = [h for h, s in world_of(game).sites.items() if s.city and held_by(game, h, draft.side)]
    near = sorted((_far(game, h, goals), h) for h in cities if _far(game, h, goals) <= BEHIND)
    able = [
        u
        for u in units(game, plane.owner, plane.hex)
        if u.print.arm == "land" and u.type != "PARA" and not u.down
    ]
    _first(drafting, [Part("j", Carries(u.id, hex, atr=plane.id)) for u in able for _, hex in near])


def _drop(drafting: Drafting[Any], game: Game, plane: Unit, goals: list[str]) -> None:
    """4.7.6: Drop paratroops on a goal that is held weakly, or beside it."""
    world, own = world_of(game), world_of(game).side_of[plane.owner]
    if plane.type != "ATR" or plane.hex is None:
        return
    for u in units(game, plane.owner, plane.hex):
        if u.type != "PARA" or u.down:
            continue
        near = sorted((_far(game, hex, goals), hex) for hex in world.within(plane.hex, plane.print.range))
        weak = [
            hex for far, hex in near if far <= 1 and not held_by(game, hex, own) and _beats(game, u, hex, own)
        ]
        _first(drafting, [Part("m", Drops(plane.id, u.id, hex)) for hex in weak])
