"""Step 2.T.3, Air Response (rule 4.5): everybody on the defending side may send aircraft, all at once."""

from __future__ import annotations

from pbem.rules import Game, ask_all, procedure

from ..blocks import (
    Unit,
    battle_hexes,
    controller,
    in_play,
    mark,
    recompute_control,
    relocate,
    unit,
    units,
    world_of,
)
from ..decisions.air_response import AirResponse, Response, Room
from ..events.battle import BlocksResponded, ResponseTurnedBack, UnitResponded
from .movement import tell_control

Flight = tuple[str, Response]


@procedure("air_response", rule="4.5")
async def air_response(game: Game, phasing: str) -> None:
    """4.5 Every other player with a legal response decides, knowing only block counts.

    Then all fly together.
    """
    fields = tuple(battle_hexes(game, phasing))
    others = [p for p in world_of(game).clockwise_from(phasing)[1:] if p in in_play(game)]
    questions = [AirResponse(p, phasing, fields) for p in others]
    asked = [q for q in questions if q.legal(game)]
    answers = await ask_all(asked)
    flights = [(q.player, one) for q, answer in zip(asked, answers, strict=True) for one in answer]
    arrivals: dict[tuple[str, str, str], int] = {}
    for hex in fields:
        for player, block in _accepted(game, phasing, hex, flights):
            origin = block.hex
            _join(game, block, hex)
            game.emit(UnitResponded(player, block.id, origin, hex))
            arrivals[hex, player, origin] = arrivals.get((hex, player, origin), 0) + 1
    for (hex, player, origin), blocks in sorted(arrivals.items()):
        game.emit(BlocksResponded(player, origin, hex, blocks))
    left = dict.fromkeys(origin for _, _, origin in arrivals)
    tell_control(game, tuple(recompute_control(game, left)))  # the last garrison may have left (2.5)


def _accepted(game: Game, active: str, hex: str, flights: list[Flight]) -> list[tuple[str, Unit]]:
    """Who may come when simultaneous answers exceed the stack limit: by 4.5.3; the rest stay at base."""
    accepted: list[tuple[str, Unit]] = []
    rooms: dict[tuple[str, ...], Room] = {}
    for player in precedence(game, active, hex):
        room = rooms.setdefault(world_of(game).side(player), Room(game, player))
        for _, one in (f for f in flights if f[0] == player and f[1].to == hex):
            block = unit(game, one.unit)
            if room.fits(block, hex):
                room.take(block, hex)
                accepted.append((player, block))
            else:
                game.emit(ResponseTurnedBack(player, block.id, hex))
    return accepted


def precedence(game: Game, active: str, hex: str) -> list[str]:
    """The controller of the hex first (elsewhere, whose ships or blocks defend), then clockwise (4.5.3)."""
    world = world_of(game)
    order = [p for p in world.clockwise_from(active) if p != active]
    if hex in world.bases or hex in world.sites:
        first = controller(game, hex)
    else:
        cls = "naval" if world.is_sea(hex) else None
        there = [u.owner for u in units(game, hex=hex) if cls is None or u.cls == cls]
        first = next((p for p in order if p in there), None)
    return sorted(order, key=lambda p: p != first)


def _join(game: Game, block: Unit, hex: str) -> None:
    """The block flies (or marches) into the battle hex and remembers its base (4.5.2)."""
    origin = block.hex
    relocate(game, block.id, hex)
    mark(game, block.id, aboard=None, responded=True, entry_from=origin, entry_kind="response")
