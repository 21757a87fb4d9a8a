"""The position at the start of a scenario, and all that can be wrong with it (2.4, 2.6, section 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.rules import Diagnostic, Json, Position, Refused, did_you_mean

from .blocks import Sim, landing, stack_limit, unit, units
from .world import Data, World

TIE_RULES = ("side_wins", "fixed_list", "previous_holder", "random")
CONDITIONS = ("city_points", "city_points_at_most", "hold", "eliminated", "bands")
Path = tuple[str | int, ...]


def set_up(system: Any, world: World, scenario: Data, options: Data) -> Position:
    """Blocks, pools and tracks before game turn 1. A faulty scenario is refused with all its faults."""
    faults = [*seat_faults(world, scenario), *unit_faults(world, scenario), *ending_faults(world)]
    if faults:
        raise Refused(faults)
    position = Position(
        {id: dict(fields) for id, fields in scenario["units"].items()},
        {
            "turn": 0,
            "round": 0,
            "initiative": {"holder": None, "quota": 0, "taken": 0, "waived": False, "previous_holder": None},
            "control": {h: p.home for h, p in sorted({**world.bases, **world.sites}.items())},
            "vp": dict.fromkeys(world.seats, 0),
            "out": [],
            "result": None,
            "acted": False,
            "passed": {},
            "active": None,
            "taking": False,
            "battles": [],
            "battle": None,
            "plan": {},
            "pool": {p: dict(scenario["pool"].get(p, {})) for p in world.seats},
            "made": made(world, scenario["units"]),
        },
    )
    board = Sim(position, world)
    crowded = [*stack_faults(board)]
    if crowded:
        raise Refused(crowded)
    return position


def made(world: World, listed: Mapping[str, Data]) -> dict[str, Json]:
    """The highest number in use per player and type, so that new blocks never get the id of an old one."""
    highest: dict[str, dict[str, int]] = {p: {} for p in world.seats}
    for id, fields in sorted(listed.items()):
        start = f"{world.prefix(fields['owner'])}-{fields['type']}"
        number = id.removeprefix(start)
        if id.startswith(start) and number.isdigit():
            counts = highest[fields["owner"]]
            counts[fields["type"]] = max(counts.get(fields["type"], 0), int(number))
    return {player: dict(counts) for player, counts in highest.items()}


def _fault(code: str, message: str, *path: str | int, help: str = "") -> Diagnostic:
    return Diagnostic(code, message, path=path, help=(help,) if help else ())


def seat_faults(world: World, scenario: Data) -> Iterator[Diagnostic]:
    """Names of players that are no seats."""
    if not 2 <= len(world.seats) <= 6:
        yield _fault("bad-seats", f"found {len(world.seats)} seats, wanted 2-6", "seats")
    named: list[tuple[str, Path]] = [(p, ("alliances", i)) for i, a in enumerate(world.alliances) for p in a]
    named += [(b.home, ("map", "places", "base")) for b in world.bases.values() if b.home]
    named += [(s.home, ("map", "places", "resource_site")) for s in world.sites.values() if s.home]
    named += [(p, ("pool", p)) for p in scenario["pool"]]
    for i, tie in enumerate(world.tie_rules):
        named += [(p, ("tie_rules", i)) for p in (*tie.get("side", ()), *tie.get("order", ()))]
    for i, condition in enumerate(world.victory):
        named += [(p, ("victory", i)) for p in condition["who"]]
    for player, path in named:
        if player not in world.seats:
            near = did_you_mean(player, world.seats)
            help = f"did you mean '{near}'?" if near else ""
            yield _fault("unknown-player", f"'{player}' has no seat in this scenario", *path, help=help)


def unit_faults(world: World, scenario: Data) -> Iterator[Diagnostic]:
    """Blocks of unknown type or strength, off the map, or where their class cannot be."""
    listed = scenario["units"]
    for id, fields in listed.items():
        kind = world.types.get(fields["type"])
        if kind is None:
            near = did_you_mean(fields["type"], list(world.types))
            help = f"did you mean '{near}'?" if near else ""
            yield _fault("unknown-type", f"{id}: no unit type '{fields['type']}'", "units", id, help=help)
            continue
        if fields["cv"] not in kind.steps:
            wanted = ", ".join(map(str, kind.steps))
            yield _fault("bad-strength", f"{id}: strength {fields['cv']}, wanted {wanted}", "units", id)
        if fields["owner"] not in world.seats:
            yield _fault("unknown-player", f"{id}: '{fields['owner']}' has no seat", "units", id)
        hex = fields["hex"]
        if hex not in world.terrain:
            yield _fault("unknown-hex", f"{id}: no hex {hex} on the map", "units", id)
        elif kind.lands and world.is_sea(hex):
            yield _fault("wrong-place", f"{id}: a land block in sea hex {hex}", "units", id)
        elif kind.cls == "naval" and not (world.is_sea(hex) or world.is_port(hex)):
            yield _fault("wrong-place", f"{id}: a ship in {hex}, which is no port", "units", id)
        carrier = fields.get("aboard")
        if carrier is not None and (carrier not in listed or listed[carrier]["hex"] != hex):
            yield _fault("wrong-place", f"{id}: aboard {carrier}, which is not in {hex}", "units", id)


def stack_faults(board: Sim) -> Iterator[Diagnostic]:
    """Hexes with too many blocks, aircraft without an airbase, enemies in one hex (2.6, 4.4.12)."""
    world = board.world
    for hex in board.position.occupied():
        there = units(board, hex=hex)
        sides = {world.side(u.owner): True for u in there}
        if len(sides) > 1:
            yield _fault("enemies-together", f"{hex} holds blocks of enemies")
        for side in sides:
            for cls in ("air", "naval", "ground", "logistic"):
                count = sum(1 for u in there if u.owner in side and u.cls == cls)
                limit = stack_limit(board, hex, cls)
                if count > limit:
                    yield _fault("stack-limit", f"{hex} holds {count} {cls} blocks, at most {limit}")
    for block in units(board):
        if block.cls == "air" and block.aboard is None:
            if not landing(board, block.owner, unit(board, block.id), block.hex)[0]:
                yield _fault(
                    "no-airbase", f"{block.id} stands in {block.hex} without an airbase", "units", block.id
                )


def ending_faults(world: World) -> Iterator[Diagnostic]:
    """Tie rules and conditions of unknown kind, and a game that would not end (4.1.4, 4.9.2)."""
    for i, tie in enumerate(world.tie_rules):
        if tie["kind"] not in TIE_RULES:
            yield _fault(
                "not-one-of", f"tie rule '{tie['kind']}', wanted {', '.join(TIE_RULES)}", "tie_rules", i
            )
    for i, condition in enumerate(world.victory):
        if condition["kind"] not in CONDITIONS:
            message = f"condition '{condition['kind']}', wanted {', '.join(CONDITIONS)}"
            yield _fault("not-one-of", message, "victory", i)
    last = world.victory[-1] if world.victory else {}
    closing = last.get("kind") == "bands" and last.get("turn") == world.last_turn
    if not closing or last["bands"][-1]["at_least"] != 0:
        message = f"the last condition must be bands on turn {world.last_turn}, with a last band at_least 0"
        yield _fault("no-ending", message, "victory")
