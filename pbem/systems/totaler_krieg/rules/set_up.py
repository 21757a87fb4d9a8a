"""10.2, 10.3: The start of a game: counters on the map, in pools, out of the game, and tracks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.board.position import Position
from pbem.kit.faults import bad_data, refuse
from pbem.rules import Diagnostic, Message, to_json

from .pieces import State
from .printed import NOBODY, STRATEGIC
from .world import World

Data = Mapping[str, Any]


def set_up(system: Any, world: World, scenario: Data, options: Data) -> Position:
    """Return the start position.

    A set-up with unknown names is refused with all faults.
    """
    faults: list[Diagnostic] = []
    counters = _counters(world)
    _stand(world, scenario, counters, faults)
    for turn, ids in scenario.get("turn_track", {}).items():
        for n, id in enumerate(ids):
            if id not in counters:
                faults.append(_unknown(id, counters, "turn_track", str(turn), n))
            else:
                counters[id] |= {
                    "spot": "track",
                    "due": int(turn),
                    "hex": world.box("", "track", int(turn)),
                    "seen": True,
                }
    refuse(faults)
    return Position(counters, _tracks(world, scenario))


def _unknown(id: str, known: Mapping[str, Any], *path: str | int) -> Diagnostic:
    return bad_data(
        "unknown-counter",
        Message("totaler-krieg.defence.no-counter", element=id),
        *path,
        name=id,
        names=known,
    )


def _counters(world: World) -> dict[str, dict[str, Any]]:
    """Return all counters in their Force Pools.

    Those that cards add, strategic markers and those of neutral countries are elsewhere.
    """
    counters: dict[str, dict[str, Any]] = {}
    for id, printed in world.prints.items():
        at_start = "strategic" if printed.type == STRATEGIC else "pool"
        spot = "country" if printed.owner == NOBODY else "out" if printed.by_card else at_start
        hex = world.box(printed.owner, spot)
        counters[id] = {
            "owner": printed.owner,
            "type": printed.type,
            "country": printed.country,
            "hex": hex,
            "spot": spot,
        }
        if spot in ("out", "strategic"):
            counters[id]["seen"] = True
    return counters


def _stand(
    world: World, scenario: Data, counters: dict[str, dict[str, Any]], faults: list[Diagnostic]
) -> None:
    for where, listed in scenario.get("setup", {}).items():
        if where not in world.index:
            faults.append(
                bad_data(
                    "unknown-hex", Message("totaler-krieg.set-up.unknown-hex", where=where), "setup", where
                )
            )
            continue
        for n, text in enumerate(listed):
            id, _, face = str(text).partition("/")
            if id not in counters:
                faults.append(_unknown(id, counters, "setup", where, n))
                continue
            fields: dict[str, Any] = {"hex": where, "seen": True}
            if face.isdigit() and int(face) > 1:
                fields["steps"] = int(face)
            elif face and not face.isdigit():
                fields["side"] = face
            if face.isdigit() and int(face) not in world.prints[id].faces:
                message = Message("totaler-krieg.organizing.has-no-face-of-steps", output=id, steps=face)
                faults.append(bad_data("bad-face", message, "setup", where, n))
            counters[id] |= fields
            counters[id].pop("spot", None)


def _tracks(world: World, scenario: Data) -> dict[str, Any]:
    decks: dict[str, Any] = {
        faction: {"hands": {faction: list(scenario.get("decks", {}).get(faction, {}))}}
        for faction in world.factions
    }
    postures: dict[str, dict[str, str]] = {}
    for posture, pairs in scenario.get("postures", {}).items():
        for country, faction in pairs:
            postures.setdefault(country, {})[faction] = posture
    rows = scenario["factions"]
    return {
        "turn": 1,
        "csv": 0,
        "war_state": scenario.get("war_state", "total"),
        "weather": world.weather_of(1),
        "countries": {id: to_json(_state(world, id)) for id in world.countries},
        "postures": postures,
        "drm": {
            name: {"delay": int(row.get("delay_drm", 0)), "political": int(row.get("political_drm", 0))}
            for name, row in rows.items()
        },
        "decks": decks,
        "boxes": {name: list(ids) for name, ids in scenario.get("start_boxes", {}).items()},
    }


def _state(world: World, id: str) -> Any:
    country = world.countries[id]
    return State(country.status, country.alignment, country.conqueror)
