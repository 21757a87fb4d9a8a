"""Rules that every position keeps."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Game, Message, counters

from ..rules.state import State, Unit
from ..rules.world import world_of


def invariants(game: Game) -> list[str]:
    """Return everything that breaks an invariant, in words."""
    return list(_broken(game))


def _broken(game: Game) -> Iterator[str]:
    atlas, seen = world_of(game).atlas, set()
    retreats = State.of(game).retreats
    for unit in counters(game, Unit):
        province = atlas.provinces[unit.hex]
        if (unit.type == "army" and province.sea) or (unit.type == "fleet" and province.terrain == "inland"):
            yield Message("diplomacy.invariants.wrong-ground", unit=unit.id, place=unit.hex)
        if unit.type == "fleet" and province.coasts and unit.coast not in province.coasts:
            yield Message("diplomacy.invariants.no-coast", unit=unit.id, place=unit.hex)
        if unit.dislodged != (unit.id in retreats):
            yield Message("diplomacy.invariants.still-dislodged", unit=unit.id)
        if (unit.hex, unit.dislodged) in seen:
            yield Message("diplomacy.invariants.two-units", place=unit.hex)
        seen.add((unit.hex, unit.dislodged))
