"""Step 2.T.3, Air Response (rule 4.5): all defending players may send aircraft, at the same time."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Game, ask_all, procedure

from ..blocks import Block, units
from ..decisions.air_response import AirResponse, Response, Responses
from ..events.battle import BlocksResponded, ResponseTurnedBack, UnitResponded
from ..sides import Side, controller
from ..state import in_play
from ..world import world_of
from .movement import settle

Flight = tuple[str, Response]


@procedure("air_response", rule="4.5")
async def air_response(game: Game, phasing: str) -> None:
    """4.5: Ask all other players with a legal response; all blocks then fly together.

    The players know only the numbers of blocks.
    """
    fields = Side(game, phasing).battle_hexes()
    others = [p for p in world_of(game).clockwise_from(phasing)[1:] if p in in_play(game)]
    questions = [question for p in others if (question := AirResponse(p, phasing, fields)).legal(game)]
    answers = await ask_all(questions)
    flights = [
        (q.player, response) for q, answer in zip(questions, answers, strict=True) for response in answer
    ]
    arrivals: dict[tuple[str, str, str], int] = {}
    for hex in fields:
        for player, id, origin in _arriving(game, phasing, hex, flights):
            game.emit(UnitResponded(player, id, origin, hex))
            arrivals[hex, player, origin] = arrivals.get((hex, player, origin), 0) + 1
    for (hex, player, origin), blocks in sorted(arrivals.items()):
        game.emit(BlocksResponded(player, origin, hex, blocks))
    settle(game, [origin for _, _, origin in arrivals])  # the last garrison may have left


def _arriving(game: Game, active: str, hex: str, flights: list[Flight]) -> Iterator[tuple[str, str, str]]:
    """4.5.3: Yield player, block and base of arrivals; those above the stack limit stay (R-22)."""
    sides: dict[tuple[str, ...], Responses] = {}
    there: list[tuple[str, str, str]] = []
    for player in precedence(game, active, hex):
        side = sides.setdefault(world_of(game).side(player), Responses(game, player))
        for _, response in (f for f in flights if f[0] == player and f[1].to == hex):
            block = Block(game, response.unit)
            if side.fits(block, hex):
                there.append((player, block.id, block.hex))
                side.join(block, hex)
            else:
                game.emit(ResponseTurnedBack(player, block.id, hex))
    yield from there


def precedence(game: Game, active: str, hex: str) -> list[str]:
    """4.5.3: Return the others: the hex's controller, or owner of its blocks (R-55), then clockwise."""
    world = world_of(game)
    order = [p for p in world.clockwise_from(active) if p != active]
    if hex in world.bases or hex in world.sites:
        first = controller(game, hex)
    else:
        there = [u.owner for u in units(game, hex=hex) if not world.is_sea(hex) or u.cls == "naval"]
        first = next((p for p in order if p in there), None)
    return sorted(order, key=lambda p: p != first)
