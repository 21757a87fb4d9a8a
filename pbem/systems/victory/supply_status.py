"""Which blocks are out of supply, and what a city yields (rules 4.8.1 and 4.10.1, option `city_supply`
included).

Works on a player's view for his own side: hexes of enemies are open, and an unknown block bars a line
like any other.
"""

from __future__ import annotations

from .blocks import Board, Unit, controller, friendly_base, side_units, world_of
from .supply import Lines, exempt, out_of_supply


def friendly_cities(board: Board, player: str) -> list[str]:
    """Cities the side controls, by number."""
    world = world_of(board)
    return [h for h in sorted(world.bases) if world.bases[h].city and friendly_base(board, player, h)]


def cities_in_touch(board: Board, player: str, city: str) -> list[str]:
    """Other friendly cities to which a city can trace a supply line, by number (4.10.1)."""
    others = [c for c in friendly_cities(board, player) if c != city]
    return [c for c in others if Lines(board, player, [c]).reach(city)]


def isolated_cities(board: Board, player: str) -> list[str]:
    """Friendly cities that can trace to no other friendly city (4.10.1, `city_supply`)."""
    return [c for c in friendly_cities(board, player) if not cities_in_touch(board, player, c)]


def unsupplied(board: Board, city_supply: bool) -> list[Unit]:
    """All blocks out of supply now, by id (4.8.1).

    Under `city_supply` an isolated city feeds only a few (4.10.1).
    """
    if not city_supply:
        return out_of_supply(board)
    world = world_of(board)
    alone: list[tuple[str, str]] = []
    teams = {world.side(p): p for p in reversed(world.seats)}
    for player in teams.values():
        alone += [(player, city) for city in isolated_cities(board, player)]
    hungry = {u.id: u for u in out_of_supply(board, without=[city for _, city in alone])}
    for player, city in sorted(alone, key=lambda a: a[1]):
        for id in _fed_by(board, player, city, hungry):
            del hungry[id]
    return list(hungry.values())


def _fed_by(board: Board, player: str, city: str, hungry: dict[str, Unit]) -> list[str]:
    """The blocks an isolated city supplies: as many as its PP, the nearest first, then by id."""
    world, lines = world_of(board), Lines(board, player, [city])
    near = [u for u in side_units(board, player) if u.id in hungry and not exempt(u) and lines.reach(u.hex)]
    near.sort(key=lambda u: (world.distance(u.hex, city), u.id))
    return [u.id for u in near[: world.bases[city].pp]]


def city_yield(board: Board, city: str, city_supply: bool) -> int:
    """PP a city gives its controller this game turn; 0 when nobody controls it (4.10.1)."""
    who, base = controller(board, city), world_of(board).bases[city]
    if who is None or not base.city:
        return 0
    return min(base.pp, len(cities_in_touch(board, who, city))) if city_supply else base.pp
