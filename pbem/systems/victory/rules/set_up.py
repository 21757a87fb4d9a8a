"""The position at the start of a scenario, and the faults of scenario data (2.4, 2.6, section 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.board.position import Fields
from pbem.kit.faults import bad_data, refuse
from pbem.kit.set_up import listing_faults
from pbem.rules import Board, Diagnostic, Json, Message, Position, dataclass, to_json

from .blocks import Block, units
from .sides import Side, crowds
from .state import Initiative
from .world import Data, World, world_of

TIE_RULES = ("side_wins", "fixed_list", "previous_holder", "random")
CONDITIONS = ("city_points", "city_points_at_most", "hold", "eliminated", "bands")
Path = tuple[str | int, ...]


@dataclass
class Start:
    """A position before it belongs to a game."""

    position: Position
    world: World


def set_up(system: Any, world: World, scenario: Data, options: Data) -> Position:
    """Return the blocks, pools and tracks before game turn 1. Raises `Refused` with all faults."""
    refuse([*seat_faults(world, scenario), *unit_faults(world, scenario), *ending_faults(world)])
    tracks: dict[str, Json] = {
        "turn": 0,
        "round": 0,
        "initiative": to_json(Initiative(None, 0, 0, False, None)),
        "control": {h: world.home(h) for h in sorted({**world.bases, **world.sites})},
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
        "made": to_json(made(world, scenario["units"])),
    }
    position = Position({id: dict(fields) for id, fields in scenario["units"].items()}, tracks)
    refuse(stack_faults(Start(position, world)))
    return position


def made(world: World, listed: Mapping[str, Data]) -> dict[str, dict[str, int]]:
    """Return the highest number used by each player and type, so that ids are never used again."""
    highest: dict[str, dict[str, int]] = {p: {} for p in world.seats}
    for id, fields in sorted(listed.items()):
        start = f"{world.prefix(fields['owner'])}-{fields['type']}"
        number = id.removeprefix(start)
        if id.startswith(start) and number.isdigit():
            counts = highest[fields["owner"]]
            counts[fields["type"]] = max(counts.get(fields["type"], 0), int(number))
    return highest


def seat_faults(world: World, scenario: Data) -> Iterator[Diagnostic]:
    """Yield faults: players named without a seat, too few or too many seats."""
    if not 2 <= len(world.seats) <= 6:
        yield bad_data("bad-seats", Message("victory.set-up.bad-seats", count=len(world.seats)), "seats")
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
            message = Message("victory.set-up.has-no-seat-in-scenario", player=player)
            yield bad_data("unknown-player", message, *path, name=player, names=world.seats)


def unit_faults(world: World, scenario: Data) -> Iterator[Diagnostic]:
    """Yield faults of blocks: unknown type or strength, off the map, or in a hex closed to their class."""
    listed = scenario["units"]

    def check(id: str, fields: Fields) -> Iterator[Diagnostic]:
        kind, hex, carrier = world.types[str(fields["type"])], str(fields["hex"]), fields.get("aboard")
        if fields["cv"] not in kind.steps:
            wanted = ", ".join(map(str, kind.steps))
            yield bad_data(
                "bad-strength",
                Message("victory.set-up.bad-strength", id=id, cv=fields["cv"], wanted=wanted),
                "cv",
            )
        if kind.lands and world.is_sea(hex):
            yield bad_data(
                "wrong-place", Message("victory.set-up.land-block-in-sea-hex", id=id, hex=hex), "hex"
            )
        elif kind.class_ == "naval" and not (world.is_sea(hex) or world.is_port(hex)):
            yield bad_data(
                "wrong-place", Message("victory.set-up.ship-in-which-no-port", id=id, hex=hex), "hex"
            )
        if carrier is not None and listed.get(carrier, {}).get("hex") != hex:
            yield bad_data(
                "wrong-place", Message("victory.set-up.aboard", id=id, carrier=carrier, hex=hex), "aboard"
            )

    names = {"type": ("unknown-type", world.types), "owner": ("unknown-player", world.seats)}
    yield from listing_faults(Block, listed, world, path=("units",), names=names, check=check)


def stack_faults(board: Board) -> Iterator[Diagnostic]:
    """2.6, 4.4.12: Yield faults: too many blocks in a hex, aircraft without airbase, enemies together."""
    for hex, _, words in crowds(board):
        yield bad_data("stack-limit", Message("victory.set-up.stack-limit", hex=hex, words=words))
    for hex in board.position.occupied():
        if len({world_of(board).side(u.owner): True for u in units(board, hex=hex)}) > 1:
            yield bad_data("enemies-together", Message("victory.set-up.enemies-together", hex=hex))
    for block in units(board):
        if block.cls == "air" and block.aboard is None:
            if not Side(board, block.owner).landing(block, block.hex)[0]:
                message = Message("victory.set-up.no-airbase", block=block.id, hex=block.hex)
                yield bad_data("no-airbase", message, "units", block.id)


def ending_faults(world: World) -> Iterator[Diagnostic]:
    """4.1.4, 4.9.2: Yield faults: unknown tie rules or conditions, and a game without an end."""
    for i, tie in enumerate(world.tie_rules):
        if tie["kind"] not in TIE_RULES:
            yield bad_data(
                "not-one-of",
                Message("victory.set-up.tie-rule", kind=tie["kind"], tie_rules=tuple(TIE_RULES)),
                "tie_rules",
                i,
            )
    for i, condition in enumerate(world.victory):
        if condition["kind"] not in CONDITIONS:
            message = Message(
                "victory.set-up.condition", kind=condition["kind"], conditions=tuple(CONDITIONS)
            )
            yield bad_data("not-one-of", message, "victory", i)
        for hex in condition.get("hexes", ()):
            if hex not in world.bases and hex not in world.sites:
                message = Message("victory.set-up.nothing-to-hold", hex=hex)
                yield bad_data("wrong-place", message, "victory", i, "hexes")
    last = world.victory[-1] if world.victory else {}
    closing = last.get("kind") == "bands" and last.get("turn") == world.last_turn
    if not closing or not last["bands"] or last["bands"][-1]["at_least"] != 0:
        message = Message("victory.set-up.no-ending", last_turn=world.last_turn)
        yield bad_data("no-ending", message, "victory")
