"""2.9: Control of the cities and strategic hexes of the map, and their captures, for reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.rules import Capture, Game

from ..rules.ground import Ground

PLACES = ("settlement", "strategic")
GOES = ("moved", "advanced", "landed")
LOST = ("step-lost", "overstacked")
Fields = Mapping[str, Any]


def is_set_up(game: Game) -> bool:
    """Return False for a game whose first stage was closed before anything was set up."""
    return "turn" in game.position.tracks


def holders(game: Game) -> dict[str, str]:
    """2.9: Return the faction that controls each land hex; nothing of neutrals."""
    return held(Ground(game)) if is_set_up(game) else {}


def held(ground: Ground) -> dict[str, str]:
    """2.9: Return who controls which land hex."""
    world = ground.world
    controls = ((hex, ground.control(hex)) for hex in world.hexes if world.land(hex))
    return {hex: faction for hex, faction in controls if faction is not None}


def captures(game: Game, events: Sequence[Fields]) -> dict[int, list[Capture]]:
    """2.9: Return the captures of cities and strategic hexes in these events, by the number of the event.

    Those in which the events put a unit and which another faction controlled before.
    """
    if not is_set_up(game):
        return {}
    ground = Ground(game)
    held = _stood_before(game, events)
    by_event: dict[int, list[Capture]] = {}
    noted = {place.number for kind in PLACES for place in game.map.places(kind)}
    for number, event in enumerate(events):
        kind, power = event.get("event"), str(event.get("power", ""))
        if kind == "attacked":
            held[str(event.get("hex"))] = str(event.get("defender"))
        way = _way(event) if kind in GOES else []
        for hex in way[-1:]:
            before = held.get(hex) or ground.owner_of(ground.world.country_of(hex)) or ""
            if hex in noted and before and before != power:
                by_event.setdefault(number, []).append(Capture(hex, before, power))
            held[hex] = power
    return by_event


def _stood_before(game: Game, events: Sequence[Fields]) -> dict[str, str]:
    """Return the faction whose ground units stood in each hex before these events."""
    first: dict[str, str] = {}
    for event in events:
        kind = event.get("event")
        ids = [event.get("unit"), event.get("victim"), *(event.get("units") or ())]
        where = event.get("origin") or (event.get("hex") if kind in (*LOST, "overran") else "")
        for id in ids if kind in (*GOES, *LOST, "retreated", "overran", "returned-to-base") else ():
            first.setdefault(str(id), str(where or ""))
        for id in (event.get("unit"), event.get("infantry"), event.get("into"), event.get("instead")):
            first.setdefault(str(id), "")
    counters = game.position.counters
    before = {hex: str(counters[id]["owner"]) for id, hex in first.items() if hex and id in counters}
    ground = Ground(game)
    standing = {
        unit.id: (hex, unit.owner)
        for hex, there in ground.by_role.get("ground", {}).items()
        for unit in there
    }
    return before | {hex: owner for id, (hex, owner) in standing.items() if id not in first}


def _way(event: Fields) -> list[str]:
    return [str(hex) for hex in event.get("path") or (event.get("hex"),)]
