"""Losses: how many points, and off which units (4.8.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..pieces import Unit


def loss(strength: int, percent: int, smallest: int = 10) -> int:
    """Points lost at a percentage: nearest, halves up, at least 1 from `smallest` per cent on (R-21)."""
    if percent == 0 or strength == 0:
        return 0
    points = (2 * strength * percent + 100) // 200
    return min(strength, max(1, points) if percent >= smallest else points)


def multiplied(strength: int, percent: int, factors: Sequence[int], smallest: int = 10) -> int:
    """The same after its doublings, never more than there is."""
    points = loss(strength, percent, smallest)
    for factor in factors:
        points *= factor
    return min(strength, points)


def shares(points: int, on_land: int, at_sea: int) -> tuple[int, int]:
    """How a defender's loss is split between land and ships: the odd point to the land, excess to the
    other.
    """
    if not at_sea:
        return min(points, on_land), 0
    land = min((points + 1) // 2, on_land)
    ships = min(points - land, at_sea)
    return min(points - ships, on_land), ships


def in_order(units: Sequence[Unit], wanted: Sequence[str]) -> list[Unit]:
    """Units in the order in which they lose: as wanted, the others by falling strength, then id."""
    place = {id: n for n, id in enumerate(wanted)}
    return sorted(units, key=lambda u: (place.get(u.id, len(place)), -u.sp, u.id))


def spread(units: Sequence[Unit], points: int, first: str | None = None) -> dict[str, int]:
    """Points round by round, one off each unit with strength left; `first` loses the very first one.

    That point counts as its own of the first round.
    """
    left = {each.id: each.sp for each in units if each.sp}
    lost = dict.fromkeys(left, 0)
    order = list(left)
    if first is not None and first in left:
        order = [first, *(id for id in order if id != first)]
    rest = points
    rounds = 0
    while rest and any(left.values()):
        names = order if rounds == 0 else list(lost)
        for id in names:
            if rest and left[id]:
                left[id] -= 1
                lost[id] += 1
                rest -= 1
        rounds += 1
    return {id: count for id, count in lost.items() if count}


def ships_in_order(ships: Sequence[Unit], wanted: Sequence[str]) -> list[Unit]:
    """Ships in the order in which they lose: as wanted, the others weakest first, then by id."""
    place = {id: n for n, id in enumerate(wanted)}
    return sorted(ships, key=lambda u: (place.get(u.id, len(place)), u.sp, u.id))


def on_ships(ships: Sequence[Unit], points: int) -> dict[str, int]:
    """Points on as few ships as there need be, each up to its strength."""
    lost: dict[str, int] = {}
    for ship in ships:
        taken = min(points, ship.sp)
        if taken:
            lost[ship.id] = taken
        points -= taken
    return lost


def matters(units: Sequence[Unit], points: int) -> bool:
    """Whether the order in which units lose makes any difference."""
    able = [each for each in units if each.sp]
    if points <= 0 or len(able) < 2 or points >= sum(each.sp for each in able):
        return False
    return points % len(able) != 0 or points // len(able) > min(each.sp for each in able)


def least_ships(ships: Sequence[Unit], points: int) -> bool:
    """Whether it makes a difference which ships lose."""
    return len(ships) > 1 and 0 < points < sum(each.sp for each in ships)


def words(lost: Mapping[str, int]) -> tuple[str, ...]:
    """Losses as a report lists them."""
    return tuple(f"{id} {count}" for id, count in lost.items())
