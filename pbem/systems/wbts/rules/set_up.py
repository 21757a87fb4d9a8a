"""2.2 to 2.5, section 10: The position at the start of a scenario, and faults of the scenario."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.board.position import Fields
from pbem.kit.faults import bad_data, refuse
from pbem.kit.set_up import listing_faults
from pbem.rules import Diagnostic, Json, Message, Position, dataclass

from .command.forces import roster_faults
from .handling import garrison_id
from .pieces import Leader, Unit
from .statics import SIDES, Data
from .victory import victory_faults
from .world import World

SIDED = {"side": ("unknown-player", SIDES)}


def set_up(system: Any, world: World, scenario: Data, options: Data) -> Position:
    """Return counters and tracks before the first week.

    Raises Refused with all faults of the scenario.
    """
    faults = [*_side_faults(scenario), *_time_faults(world, scenario)]
    faults += unit_faults(world, scenario, scenario["units"], "units")
    faults += leader_faults(world, scenario)
    faults += _other_faults(world, scenario)
    faults += _repeated(scenario)
    refuse(faults)
    position = Position({}, tracks(world, scenario))
    for id, fields in scenario["units"].items():
        position.add(id, counter(world, fields))
    for id, fields in scenario["leaders"].items():
        printed = {name: value for name, value in fields.items() if value is not None and value is not False}
        position.add(id, {"type": "leader", "status": "on_map", **printed})
    for works in scenario.get("entrenchments", ()):
        position.add(f"ENT-{works['hex']}", {"type": "entrenchment", **works})
    board = Setting(position, world)
    refuse(bad_data("bad-roster", text) for side in SIDES for text in roster_faults(board, side))
    return position


@dataclass(frozen=True)
class Setting:
    """A position in its world before there is a game."""

    position: Position
    world: World


def tracks(world: World, scenario: Data) -> dict[str, Json]:
    """Return the tracks before the first week."""
    nothing: dict[str, Json] = dict.fromkeys(world.seats, 0)
    settlements: dict[str, Json] = {
        hex: city.owner for hex, city in world.settlements.items() if city.owner != "none"
    }
    return {
        "gt": 1,
        "cup": [],
        "chit": dict(nothing),
        "order": [],
        "done": [],
        "free_used": dict(nothing),
        "rail_points": {s: scenario["rail_points"][s] for s in world.seats},
        "militia_ready": {s: dict(scenario["militia_ready"].get(s, {})) for s in world.seats},
        "militia_placed": {},
        "losses_sp": dict(nothing),
        "vp": dict(nothing),
        "spans": {},
        "settlement_owner": settlements,
        "fort_owner": {hex: fort.owner for hex, fort in world.forts.items()},
        "rail_owner": {h: s for s in world.seats for h in scenario["rail_owner"].get(s, ())},
        "rail_cut": list(scenario.get("rail_cut", [])),
        "made": {s: {} for s in world.seats},
        "plan": {},
        "battle": None,
        "battle_list": {},
        "fought": {s: {"attack": 0, "defend": 0} for s in world.seats},
        "secrets": {s: {} for s in world.seats},
        "result": None,
    }


def counter(world: World, fields: Data) -> Fields:
    """Return a unit's fields in the position. Its strength is the printed one if not given."""
    return {"sp": world.tables.types[_key(fields)].printed, **Unit.kept(fields)}


def _key(fields: Data) -> str:
    """Return the key of the unit chart: type, or kind for ships and HQs."""
    return str(fields.get("kind") or fields["type"])


def _side_faults(scenario: Data) -> Iterator[Diagnostic]:
    if tuple(scenario["seats"]) != SIDES:
        yield bad_data("bad-seats", Message("wbts.set-up.bad-seats", seats=tuple(scenario["seats"])), "seats")


def _time_faults(world: World, scenario: Data) -> Iterator[Diagnostic]:
    turns = [row["gt"] for row in scenario["calendar"]]
    if not turns or turns != list(range(1, len(turns) + 1)):
        yield bad_data("bad-calendar", Message("wbts.set-up.bad-calendar", turns=str(turns)), "calendar")
    if scenario["chit_period"] not in world.tables.periods:
        known = ", ".join(world.tables.periods)
        message = Message("wbts.set-up.unknown-period", chit_period=scenario["chit_period"], known=known)
        yield bad_data("unknown-period", message, "chit_period")


def unit_faults(world: World, scenario: Data, units: Data, *path: str | int) -> Iterator[Diagnostic]:
    """Yield faults of units: unknown type, too strong, off the map, misplaced, or of an unknown HQ."""
    kinds = ("army", "corps", "cavalry_corps")
    types = [*(name for name in world.tables.types if name not in kinds), "hq", "naval"]

    def check(id: str, fields: Data) -> Iterator[Diagnostic]:
        row, hex, hq = world.tables.types.get(_key(fields)), fields["hex"], fields.get("hq")
        if row is None:
            yield bad_data("unknown-type", Message("wbts.set-up.no-unit-type", id=id, key=_key(fields)))
            return
        sp = fields.get("sp", row.printed)
        if row.max and not 0 < sp <= row.max:
            yield bad_data("bad-strength", Message("wbts.set-up.bad-strength", id=id, sp=sp, max=row.max))
        if fields["type"] == "naval" and not world.navigable(hex):
            yield bad_data(
                "wrong-place", Message("wbts.set-up.ships-in-where-no-ships-can-be", id=id, hex=hex)
            )
        if fields["type"] != "naval" and world.is_sea(hex):
            yield bad_data("wrong-place", Message("wbts.set-up.land-unit-in-sea-hex", id=id, hex=hex))
        if hq is not None and scenario["units"].get(hq, {}).get("type") != "hq":
            yield bad_data("unknown-hq", Message("wbts.set-up.no-hq", id=id, hq=hq))
        if fields["type"] == "garrison" and id != garrison_id(fields["side"], hex):
            yield bad_data(
                "bad-id",
                Message("wbts.set-up.bad-id", id=id, hex=hex, garrison_id=garrison_id(fields["side"], hex)),
            )

    names = {"type": ("unknown-type", types), **SIDED}
    yield from listing_faults(Unit, units, world, path=path, names=names, check=check)


def leader_faults(world: World, scenario: Data) -> Iterator[Diagnostic]:
    """Yield faults of leaders: off the map, with a wrong or shared HQ, or impossible values."""
    leaders = scenario["leaders"]

    def check(id: str, fields: Data) -> Iterator[Diagnostic]:
        hq = fields.get("hq")
        if hq is not None:
            headquarters = scenario["units"].get(hq, {})
            if headquarters.get("type") != "hq" or headquarters.get("side") != fields["side"]:
                yield bad_data("unknown-hq", Message("wbts.set-up.his-side-has-no-hq", id=id, hq=hq))
            rivals = [other for other, f in leaders.items() if f.get("hq") == hq and other != id]
            if rivals:
                yield bad_data(
                    "two-commanders", Message("wbts.set-up.two-commanders", hq=hq, id=id, rivals=rivals[0])
                )
        for name, least, most in (("stars", 1, 4), ("initiative", 0, 5), ("combat", 0, 4), ("span", 0, 5)):
            if not least <= fields[name] <= most:
                yield bad_data(
                    "out-of-range",
                    Message(
                        "wbts.set-up.out-of-range",
                        id=id,
                        name=name,
                        fields=fields[name],
                        least=least,
                        most=most,
                    ),
                )

    whole = {id: {"type": "leader", **fields} for id, fields in leaders.items()}
    yield from listing_faults(Leader, whole, world, path=("leaders",), names=SIDED, check=check)


def _repeated(scenario: Data) -> Iterator[Diagnostic]:
    """Yield ids that two counters share: units, leaders, works, and arrivals."""
    seen = dict.fromkeys(scenario["units"], True)
    listed = [(id, ("leaders", id)) for id in scenario["leaders"]]
    for n, works in enumerate(scenario.get("entrenchments", ())):
        listed.append((f"ENT-{works['hex']}", ("entrenchments", n)))
    for n, arrival in enumerate(scenario.get("arrivals", ())):
        listed += [(id, ("arrivals", n)) for id in arrival.get("units", {}) if id not in scenario["units"]]
    for id, path in listed:
        if id in seen:
            yield bad_data("listed-twice", Message("wbts.set-up.listed-twice", id=id), *path)
        seen[id] = True


def _other_faults(world: World, scenario: Data) -> Iterator[Diagnostic]:
    """Yield faults of markers, rails, arrivals and victory conditions that name unknown things."""
    for n, works in enumerate(scenario.get("entrenchments", ())):
        held = [
            f
            for f in scenario["units"].values()
            if f["hex"] == works["hex"]
            and f["side"] == works["side"]
            and f["type"] in ("infantry", "militia")
        ]
        if not held or works["hex"] in world.forts:
            message = Message("wbts.set-up.entrenchment-in-without-infantry-or-militia", hex=works["hex"])
            yield bad_data("wrong-place", message, "entrenchments", n)
    for side, hexes in scenario["rail_owner"].items():
        for n, hex in enumerate(hexes):
            if hex not in world.rail_lines:
                yield bad_data("no-rail", Message("wbts.set-up.no-rail", hex=hex), "rail_owner", side, n)
    for n, arrival in enumerate(scenario.get("arrivals", ())):
        if arrival["hex"] not in world:
            message = Message("wbts.set-up.unknown-hex", hex=arrival["hex"])
            yield bad_data("unknown-hex", message, "arrivals", n)
        arriving = {id: {**fields, "hex": arrival["hex"]} for id, fields in arrival.get("units", {}).items()}
        for id in arriving:
            if id in scenario["units"]:
                yield bad_data(
                    "listed-twice", Message("wbts.set-up.listed-twice", id=id), "arrivals", n, "units", id
                )
        yield from unit_faults(world, scenario, arriving, "arrivals", n, "units")
        for id in arrival.get("supply", {}):
            if scenario["units"].get(id, {}).get("type") not in ("depot", "supply_train", "hq"):
                yield bad_data(
                    "unknown-unit", Message("wbts.set-up.unknown-unit", id=id), "arrivals", n, "supply", id
                )
    yield from victory_faults(world, scenario["victory"])
