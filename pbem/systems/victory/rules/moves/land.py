"""Moves of ground and logistic blocks: marches, strategic moves, assaults (4.4.2-4.4.6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Message

from ..blocks import Block
from ..orders import Move

if TYPE_CHECKING:
    from .mover import Mover

Faults = Iterator[Diagnostic]


def march(mover: Mover, block: Block, move: Move) -> Faults:
    """4.4.2, 4.4.3: Yield the faults of a march."""
    world, path, spent = mover.world, move.path, 0
    for i, (start, to) in enumerate(pairwise(path), start=1):
        cost = world.march_cost(block.kind, start, to)
        if cost is None:
            message = Message(
                "victory.land.may-not-enter", block=block.id, to=to, ground=world.ground[to].name
            )
            yield illegal("E-MOV-04", "4.4.2", message, "path", i)
            return
        spent += cost
        if not mover.side.enemy_in(to):
            continue
        if block.cls == "logistic":
            message = Message("victory.land.may-not-enter-where-enemies", block=block.id, to=to)
            yield illegal("E-MOV-09", "4.4.2", message, "path", i)
        if i < len(path) - 1:
            yield illegal(
                "E-MOV-06",
                "4.4.2",
                Message("victory.land.enemies-in-end-move", to=to, block=block.id),
                "path",
                i,
            )
        elif block.cls == "ground" and mover.hexside_full(start, to):
            limit = world.hexside_limit(start, to)
            message = Message("victory.land.ground-blocks-crossed-already", limit=limit, one=start, to=to)
            yield illegal("E-MOV-07", "4.4.3", message, "path", i)
    if spent > block.kind.mv and len(path) > 2:
        message = Message(
            "victory.mover.needs-movement-points", block=block.id, spent=spent, mv=block.kind.mv
        )
        yield illegal("E-MOV-05", "4.4.2", message, "path")


def strategic(rule: str, reason: str, *path: str | int) -> Diagnostic:
    """R-45: Return E-MOV-10, the fault that strategic moves and assaults share."""
    what = Message("victory.land.assault" if rule == "4.4.6" else "victory.land.strategic-move")
    return illegal("E-MOV-10", rule, Message("text.diagnostics.about", what=what, message=reason), *path)


def road_strat(mover: Mover, block: Block, move: Move) -> Faults:
    """4.4.4: Yield the faults of a move by road, with control as of the player turn's start (R-42)."""
    world, path, began, links = mover.world, move.path, mover.began, len(move.path) - 1
    if path[0] not in began.bases and path[0] not in began.sites:
        yield strategic(
            "4.4.4",
            Message("victory.land.no-friendly-base-or-resource-site", place=world.place(path[0])),
            "path",
            0,
        )
    for i, (start, to) in enumerate(pairwise(path), start=1):
        if not world.road(start, to):
            yield strategic("4.4.4", Message("victory.land.no-road", one=start, to=to), "path", i)
    if links > world.numbers.road_strat_links:
        yield strategic(
            "4.4.4",
            Message("victory.land.road-links", links=links, road_strat_links=world.numbers.road_strat_links),
            "path",
        )
    for i, hex in enumerate(path[1:], start=1):
        if mover.side.enemy_in(hex):
            yield strategic("4.4.4", Message("victory.land.enemies", hex=hex), "path", i)
        elif hex in began.closed:
            reason = Message("victory.land.foreign-or-neutral-and-vacant", place=world.place(hex))
            yield strategic("4.4.4", reason, "path", i)
    if path[-1] not in began.bases and path[-1] not in began.closed:
        yield strategic(
            "4.4.4", Message("victory.land.no-friendly-base", place=world.place(path[-1])), "path", links
        )


def _from_port(mover: Mover, move: Move, most: int, rule: str) -> Faults:
    """4.4.5, 4.4.6: Yield the faults of a path from a friendly port over sea hexes without enemy ships."""
    start, between = move.path[0], move.path[1:-1]
    if not mover.side.friendly_port(start):
        yield strategic(
            rule, Message("victory.land.no-friendly-port", place=mover.world.place(start)), "path", 0
        )
    for i, hex in enumerate(between, start=1):
        if not mover.world.is_sea(hex):
            yield strategic(rule, Message("victory.land.no-sea-hex", hex=hex), "path", i)
        elif mover.side.enemy_in(hex):
            yield illegal(
                "E-MOV-11", rule, Message("victory.land.enemy-ships-in-sea-hex", hex=hex), "path", i
            )
    if not 1 <= len(between) <= most:
        yield strategic(rule, Message("victory.land.sea-hexes", count=len(between), most=most), "path")


def sea_strat(mover: Mover, block: Block, move: Move) -> Faults:
    """4.4.5: Yield the faults of a strategic move by sea, which cannot enter a battle (R-69)."""
    end, last = move.path[-1], len(move.path) - 1
    yield from _from_port(mover, move, mover.world.numbers.sea_strat_hexes, "4.4.5")
    if not mover.side.friendly_port(end):
        yield strategic(
            "4.4.5", Message("victory.land.no-friendly-port", place=mover.world.place(end)), "path", last
        )
    elif mover.side.enemy_in(end):
        yield strategic("4.4.5", Message("victory.land.enemies", hex=mover.world.place(end)), "path", last)


def assault(mover: Mover, block: Block, move: Move) -> Faults:
    """4.4.6: Yield the faults of an assault."""
    world, path, last, end = mover.world, move.path, len(move.path) - 1, move.path[-1]
    if not block.kind.has("assault"):
        able = ", ".join(code for code, kind in world.types.items() if kind.has("assault"))
        message = Message("victory.land.cannot-make-assault", block=block.id, kind=block.kind.name, able=able)
        yield illegal("E-MOV-12", "4.4.6", message, "kind")
        return
    yield from _from_port(mover, move, world.numbers.assault_sea_hexes, "4.4.6")
    if not world.coastal(end) or not world.ground[end].landing:
        yield illegal(
            "E-MOV-04",
            "4.4.6",
            Message("victory.land.no-assault", end=end, ground=world.ground[end].name),
            "path",
            last,
        )
    elif mover.side.friendly_port(end):
        yield strategic("4.4.6", Message("victory.land.friendly-port", place=world.place(end)), "path", last)
    elif mover.side.enemy_in(end) and mover.beach_full(block, path[-2], end):
        yield illegal(
            "E-MOV-07",
            "4.4.3",
            Message("victory.land.beach-from-to-full", start=path[-2], end=end),
            "path",
            last,
        )


def moves(mover: Mover, block: Block) -> Iterator[Move]:
    """Yield one move to every hex that marches, roads and ships may lead to."""
    yield from _marches(mover, block)
    if block.hex in (*mover.began.bases, *mover.began.sites):
        yield from _road_marches(mover, block)
    if mover.side.friendly_port(block.hex):
        yield from _over_sea(mover, block)


def _marches(mover: Mover, block: Block) -> Iterator[Move]:
    world, enemy_in = mover.world, mover.side.enemy_in

    def cost(start: str, to: str) -> int | None:
        return world.march_cost(block.kind, start, to)

    reached = mover.reach(block, cost, block.kind.mv, stop=enemy_in, first_hex_always=True)
    peaceful = {hex: path for hex, path in reached.items() if not enemy_in(hex)}
    yield from (Move(block.id, "march", path) for path in peaceful.values())
    if block.cls == "ground":
        yield from mover.attacks(block, "march", peaceful)


def _road_marches(mover: Mover, block: Block) -> Iterator[Move]:
    world, began = mover.world, mover.began

    def cost(start: str, to: str) -> int | None:
        return 1 if world.road(start, to) and to not in began.closed and not mover.side.enemy_in(to) else None

    for hex, path in mover.reach(block, cost, world.numbers.road_strat_links).items():
        if hex in began.bases:
            yield Move(block.id, "road_strat", path)


def _over_sea(mover: Mover, block: Block) -> Iterator[Move]:
    world, port = mover.world, mover.side.friendly_port

    def cost(start: str, to: str) -> int | None:
        return 1 if world.is_sea(to) and not mover.side.enemy_in(to) else None

    seas = mover.reach(block, cost, world.numbers.sea_strat_hexes)
    shores: dict[str, tuple[str, ...]] = {}
    for hex in sorted(seas, key=lambda h: (len(seas[h]), h)):
        for land in world.neighbours(hex):
            if port(land) and land != block.hex:
                shores.setdefault(land, (*seas[hex], land))
    yield from (Move(block.id, "sea_strat", path) for _, path in sorted(shores.items()))
    for path in seas.values() if block.kind.has("assault") else ():
        for land in world.neighbours(path[-1]):
            if not world.is_sea(land) and not port(land):
                yield Move(block.id, "assault", (*path, land))
