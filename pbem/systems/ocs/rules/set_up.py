"""The position at the start of a scenario, and the faults of scenario data (section 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.kit.faults import bad_data, refuse
from pbem.rules import Diagnostic, Json, Message, Position

from .world import World

Data = Mapping[str, Any]
STATE = ("facing", "lost", "internal", "last_trace", "oos")


def set_up(system: Any, world: World, scenario: Data, options: Data) -> Position:
    """Return the position before game turn 1; refuse a scenario with all its faults."""
    refuse(faults(world, scenario))
    counters: dict[str, dict[str, Json]] = {}
    dumps: dict[str, Json] = {}
    coming: dict[str, Json] = {}
    plans: dict[str, Json] = {}
    for side, own in world.oob.items():
        counters |= counters_of(side, own)
        dumps |= {hex: {"owner": side, "t": t} for hex, t in own.get("start_supply_T", {}).items()}
        coming |= dict(arrivals(world, side, own))
        plans |= {p["unit"]: {"hex": p["hex"], "turn": p["turn"]} for p in own.get("drop_plans", ())}
    return Position(
        counters,
        {
            "turn": 0,
            "dumps": dumps,
            "bases": _facilities(scenario, "air_bases", {"level": "level"}),
            "hedgehogs": _facilities(scenario, "hedgehogs", {"level": "level"}),
            "ports": _facilities(scenario, "ports", {"printed_T": "printed_t"}) | _off_map(world),
            "control": dict(control(world, scenario)),
            "coming": coming,
            "plans": plans,
            "phase": "",
        },
    )


def unit_fields(side: str, row: Data) -> dict[str, Json]:
    """Return the counter of a combat unit in a scenario's list."""
    fields: dict[str, Json] = {"owner": side, "kind": row["kind"], "hex": row.get("hex")}
    fields |= {
        key: row[key] for key in STATE if key in row and row[key] not in ("combat", "full", "trace", 0, False)
    }
    if row.get("mode_marker", "none") != "none":
        fields["marker"] = row["mode_marker"]
    return fields


def plane_fields(side: str, row: Data) -> dict[str, Json]:
    fields: dict[str, Json] = {"owner": side, "kind": "aircraft", "hex": row.get("base")}
    if row.get("status") == "active":
        fields["active"] = True
    return fields


def counters_of(side: str, own: Data) -> dict[str, dict[str, Json]]:
    """Return all counters of a side on the map at the start."""
    counters = {row["id"]: unit_fields(side, row) for row in own.get("units", ())}
    for row in own.get("transport", ()):
        fields: dict[str, Json] = {"owner": side, "kind": "transport", "hex": row["hex"]}
        fields |= {key: row[key] for key in ("type", "points", "ma", "mobility")}
        fields |= {"load": row["load_T"]} if row.get("load_T") else {}
        fields |= {"organic_of": row["organic_of"]} if row.get("organic_of") else {}
        counters[row["id"]] = fields
    counters |= {row["id"]: plane_fields(side, row) for row in own.get("aircraft", ())}
    for row in own.get("craft", ()):
        counters[row["id"]] = {"owner": side, "kind": "craft", "hex": row["hex"], "points": row["points"]}
        counters[row["id"]] |= {"load": row["load_T"]} if row.get("load_T") else {}
    for row in own.get("ships", ()):
        counters[row["id"]] = {"owner": side, "kind": "ship", "hex": row["hex"]}
    return counters


def arrivals(world: World, side: str, own: Data) -> Iterator[tuple[str, Json]]:
    """Yield the arrivals of a side as id and turn, hexes, counter."""
    made: dict[str, int] = {}
    for turn, listed in own.get("arrivals", {}).items():
        for row in listed:
            hexes = [row["hex"]] if "hex" in row else list(world.sources[side])
            due: dict[str, Json] = {"turn": int(turn), "hexes": hexes}
            if row.get("by_rail"):
                due["by_rail"] = True
            if "unit" in row:
                id, fields = row["unit"]["id"], unit_fields(side, row["unit"])
            elif "aircraft" in row:
                id, fields = row["aircraft"]["id"], {**plane_fields(side, row["aircraft"]), "active": True}
            else:
                kind = f"repl_{row['repl']}"
                made[kind] = made.get(kind, 0) + 1
                id = f"{side[0].upper()}-{row['repl'].upper()}-{turn}{made[kind]}"
                fields = {"owner": side, "kind": kind, "type": kind, "hex": None, "facing": "move"}
            fields.pop("hex", None)
            due["counter"] = fields
            yield id, due


def _facilities(scenario: Data, key: str, names: dict[str, str]) -> dict[str, Json]:
    return {
        hex: {"owner": row["owner"], **{to: row[name] for name, to in names.items()}}
        for hex, row in scenario.get(key, {}).items()
    }


def _off_map(world: World) -> dict[str, Json]:
    """2.2: Return the ports of boxes off the map."""
    return {
        name: {"owner": box["side"], "printed_t": box["notional_port_T"]}
        for name, box in world.boxes.items()
        if box.get("notional_port_T")
    }


def control(world: World, scenario: Data) -> Iterator[tuple[str, Json]]:
    """Yield the controlling side of each land hex. Named hexes take precedence over columns."""
    listed = scenario.get("control", {})
    named = {hex: side for side, own in listed.items() for hex in own.get("hexes", ())}
    for hex in world.hexes:
        if not world.land(hex):
            continue
        column = world.map.grid.column_row(world.at(hex))[0]
        for side, own in listed.items():
            low, high = own.get("columns", [1, 0])
            if low <= column <= high and hex not in named:
                yield hex, side
        if hex in named:
            yield hex, named[hex]


def faults(world: World, scenario: Data) -> Iterator[Diagnostic]:
    """Yield the faults of counters that are listed twice or placed where they cannot be."""
    seen: set[str] = set()
    for side, own in world.oob.items():
        for turn, coming in own.get("arrivals", {}).items():
            for n, entry in enumerate(coming):
                id = (entry.get("unit") or entry.get("aircraft") or {}).get("id", "")
                if id and id in seen:
                    message = Message("ocs.set-up.listed-twice", id=id)
                    yield bad_data("listed-twice", message, "oob", side, "arrivals", turn, n)
                seen.add(id)
        for key in ("units", "transport", "aircraft", "ships", "craft"):
            for n, row in enumerate(own.get(key, ())):
                if row["id"] in seen:
                    yield bad_data(
                        "listed-twice", Message("ocs.set-up.listed-twice", id=row["id"]), "oob", side, key, n
                    )
                seen.add(row["id"])
                hex = row.get("hex", row.get("base"))
                if hex not in world:
                    yield bad_data(
                        "unknown-hex",
                        Message("ocs.set-up.unknown-hex", id=row["id"], hex=hex),
                        "oob",
                        side,
                        key,
                        n,
                    )
                elif key in ("units", "transport") and hex not in world.boxes and not world.land(hex):
                    yield bad_data(
                        "wrong-place",
                        Message("ocs.set-up.wrong-place", id=row["id"], hex=hex),
                        "oob",
                        side,
                        key,
                        n,
                    )
