"""Kinds of moves (4.4.2 to 4.4.11): the blocks that make them, and their faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Message, dataclass

from ..blocks import Block
from ..orders import Move, MoveKind
from . import air, land, sea

if TYPE_CHECKING:
    from .mover import Mover

Faults: TypeAlias = "Callable[[Mover, Block, Move], Iterator[Diagnostic]]"


@dataclass(frozen=True)
class Kind:
    """One kind of move: its rule, its blocks and its own faults.

    `who`: True for blocks that may make it. `able`: the message for other blocks.
    """

    rule: str
    able: str
    who: Callable[[Block], bool]
    own_faults: Faults
    flies: bool = False

    def faults(self, mover: Mover, block: Block, move: Move) -> Iterator[Diagnostic]:
        """R-45: Yield all faults of the path of such a move."""
        if not self.who(block):
            message = Message(
                "victory.kinds.cannot-make-move",
                block=block.id,
                kind=block.kind.name,
                able=Message(self.able),
            )
            yield illegal("E-MOV-12", self.rule, message, "kind")
        elif broken := target_faults(mover, move) if self.flies else path_faults(mover, block, move):
            yield from broken
        else:
            yield from self.own_faults(mover, block, move)
            if not self.flies and mover.full(block, move.end):
                message = Message("victory.air.no-room", block=block.id, place=mover.world.place(move.end))
                yield illegal("E-MOV-08", "2.6", message, "path", len(move.path) - 1)


def _by_land(rule: str, faults: Faults) -> Kind:
    return Kind(rule, "victory.kinds.ground-and-logistic-blocks", lambda block: block.kind.lands, faults)


def _by_air(rule: str, faults: Faults) -> Kind:
    return Kind(rule, "victory.kinds.aircraft", lambda block: block.cls == "air", faults, flies=True)


def _by_ship(rule: str, faults: Faults) -> Kind:
    return Kind(rule, "victory.kinds.ships", lambda block: block.cls == "naval", faults)


KINDS: dict[MoveKind, Kind] = {
    "march": _by_land("4.4.2", land.march),
    "road_strat": _by_land("4.4.4", land.road_strat),
    "sea_strat": _by_land("4.4.5", land.sea_strat),
    "assault": _by_land("4.4.6", land.assault),
    "drop": Kind(
        "4.4.7", "victory.kinds.airborne-blocks", lambda block: block.kind.has("drop"), air.drop, flies=True
    ),
    "mission": _by_air("4.4.8", air.mission),
    "rebase": _by_air("4.4.9", air.rebase),
    "sail": _by_ship("4.4.10", sea.sail),
    "sail_strat": _by_ship("4.4.11", sea.sail_strat),
}


def candidates(mover: Mover, block: Block) -> Iterator[Move]:
    """Yield moves that include one to every legal end."""
    if block.cls == "naval":
        yield from sea.moves(mover, block)
    elif block.kind.lands:
        yield from land.moves(mover, block)
    if block.cls == "air" or block.kind.has("drop"):
        yield from air.moves(mover, block)


def path_faults(mover: Mover, block: Block, move: Move) -> list[Diagnostic]:
    """4.4.1 E-MOV-03: Return the fault of a path: missing, starting elsewhere, jumping, off the map."""
    world, path, start = mover.world, move.path, block.hex
    if len(path) < 2:
        message = Message("victory.kinds.needs-path-of-least-two-hexes", kind=move.kind, start=start)
        return [illegal("E-MOV-03", "4.4.1", message, "path")]
    if path[0] != start:
        message = Message("victory.kinds.path-begins", hex=path[0], block=block.id, start=start)
        return [illegal("E-MOV-03", "4.4.1", message, "path", 0)]
    for i, (start_, to) in enumerate(pairwise(path), start=1):
        if to not in world:
            return [illegal("E-MOV-03", "4.4.1", Message("victory.kinds.no-hex-on-map", to=to), "path", i)]
        if not world.adjacent(start_, to):
            help = Message("victory.kinds.beside", one=start_, neighbours=tuple(world.neighbours(start_)))
            return [
                illegal(
                    "E-MOV-03",
                    "4.4.1",
                    Message("victory.kinds.not-adjacent", to=to, one=start_),
                    "path",
                    i,
                    help=help,
                )
            ]
    return []


def target_faults(mover: Mover, move: Move) -> list[Diagnostic]:
    """4.4.1 E-MOV-03: Return the fault of an air move that names no hex of the map."""
    if move.to is None:
        return [illegal("E-MOV-03", "4.4.1", Message("victory.kinds.needs-to-hex", kind=move.kind), "kind")]
    if move.to not in mover.world:
        return [illegal("E-MOV-03", "4.4.1", Message("victory.kinds.no-hex-on-map", to=move.to), "to")]
    return []
