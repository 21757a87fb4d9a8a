"""The position at the start of a scenario (section 10)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pbem.kit.faults import bad_data, refuse
from pbem.rules import Diagnostic, Json, Message, Position, Refused, to_json

from .pieces import Due, PoolEntry, Unit
from .printed import arm_of
from .world import World

Data = Mapping[str, Any]


def set_up(system: Any, world: World, scenario: Data, options: Data) -> Position:
    """Return counters and tracks before turn 1.

    A faulty scenario is refused with all its faults.
    """
    faults: list[Diagnostic] = []
    counters: dict[str, dict[str, Json]] = {}
    for power, listed in scenario.get("units", {}).items():
        for hex, lines in listed.items():
            path = ("units", power, hex)
            if hex not in world.index:
                faults.append(
                    bad_data(
                        "unknown-hex",
                        Message("wif.set-up.not-on-map", hex=hex),
                        *path,
                        name=hex,
                        names=world.index,
                    )
                )
            for n, line in enumerate(lines):
                due = read_unit(world, power, line, (*path, n), faults)
                if due is None:
                    continue
                if due.id in counters:
                    faults.append(
                        bad_data("listed-twice", Message("wif.set-up.listed-twice", due=due.id), *path, n)
                    )
                counters[due.id] = {**fields_of(due), "hex": hex}
    for name, listed in world.attackable.items():
        for hex, lines in listed.get("units", {}).items():
            at = ("attackable", name, "units", hex)
            if hex not in world.index:
                faults.append(
                    bad_data(
                        "unknown-hex",
                        Message("wif.set-up.not-on-map", hex=hex),
                        *at,
                        name=hex,
                        names=world.index,
                    )
                )
            for n, line in enumerate(lines):
                read_unit(world, "", line, (*at, n), faults)
    tracks = _tracks(world, scenario, faults)
    refuse(faults)
    return Position(counters, tracks)


def read_unit(
    world: World, power: str, line: str, path: tuple[str | int, ...], faults: list[Diagnostic]
) -> Due | None:
    """Read a line such as `CW-I1 INF corps 5-3 cost 3 (Nordland)`."""
    country = re.search(r"\((\w+)\)\s*$", line)
    id, type, *printed = re.sub(r"\(\w+\)\s*$", "", line).split()
    due = Due(id, power, type, " ".join(printed), country[1] if country else None)
    if arm_of(world.units, type) is None:
        faults.append(bad_data("unknown-type", Message("wif.printed.unknown-type", type=type), *path))
        return None
    if due.country is not None and due.country not in world.countries:
        faults.append(
            bad_data(
                "unknown-country",
                Message("wif.set-up.unknown-country", country=due.country),
                *path,
                name=due.country,
                names=world.countries,
            )
        )
        return None
    try:
        world.print(type, due.printed)
    except Refused as refused:
        faults += refused.diagnostics
        return None
    return due


def fields_of(due: Due) -> dict[str, Json]:
    """Return the fields of a counter that arrives, face-up."""
    fields: dict[str, Json] = {
        "owner": due.owner,
        "type": due.type,
        "printed": due.printed,
        "country": due.country,
    }
    return Unit.kept(fields)


def _pool(world: World, power: str, lines: Any, faults: list[Diagnostic]) -> list[Json]:
    entries = []
    for n, line in enumerate(lines):
        count, _, unit = str(line).partition(" ")
        type, _, printed = unit.partition(" ")
        if not count.isdigit() or arm_of(world.units, type) is None:
            faults.append(
                bad_data("bad-print", Message("wif.set-up.bad-print", line=line), "force_pools", power, n)
            )
            continue
        try:
            world.print(type, printed)
        except Refused as refused:
            faults += refused.diagnostics
        entries.append(to_json(PoolEntry(unit, int(count))))
    return entries


def _tracks(world: World, scenario: Data, faults: list[Diagnostic]) -> dict[str, Json]:
    """Return the tracks at the start."""
    start = scenario["initial"]
    last = start.get("last_turn", {})
    spiral: dict[str, list[Json]] = {}
    for turn, by_power in scenario.get("reinforcements", {}).items():
        for power, lines in by_power.items():
            for n, line in enumerate(lines):
                due = read_unit(world, power, line, ("reinforcements", str(turn), power, n), faults)
                if due is not None:
                    spiral.setdefault(str(turn), []).append(to_json(due))
    tracks: dict[str, Json] = {
        "turn": 0,
        "impulse": 0,
        "phasing": None,
        "initiative": int(start.get("initiative", 0)),
        "initiative_last": start.get("initiative_last", next(iter(world.sides))),
        "number": 0,
        "weather": dict.fromkeys(world.weather.zones, "fine"),
        "control": {},
        "countries": {},
        "damaged": [],
        "pool": dict.fromkeys(world.power_order, 0),
        "rate": {},
        "action": {},
        "other_last": {p: int(row["other"]) for p, row in last.items()},
        "rp_last": {p: int(row["rp"]) for p, row in last.items()},
        "gearing": {p: dict(row) for p, row in start.get("gearing", {}).items()},
        "chits": dict(start.get("chits", {})),
        "saved": dict(start.get("saved_bp", {})),
        "force_pool": {
            p: _pool(world, p, lines, faults) for p, lines in scenario.get("force_pools", {}).items()
        },
        "spiral": dict(spiral),
        "occasion": None,
        "result": None,
    }
    if world.options.get("fuel"):
        tracks["fuel"] = dict(start.get("fuel", {}))
    return tracks
