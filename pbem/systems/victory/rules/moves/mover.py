"""One player's movement in a player turn (rule 4.4): faults of a move, the move itself, and options.

Turn orders are checked with the same object that makes the moves in step 2.T.2, so that both always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Literal

from pbem.kit.faults import illegal
from pbem.kit.ways import ways
from pbem.rules import Board, Capture, Diagnostic, Message, Points, dataclass

from ..blocks import Block, own, units
from ..orders import Move, MoveKind
from ..sides import Side, recompute_control, vacant_neutral
from ..state import Began, State
from .kinds import KINDS, candidates

Cost = Callable[[str, str], int | None]


@dataclass(frozen=True)
class Made:
    """A move that was made: path as others see it, number of blocks, and changes of control."""

    unit: str
    kind: str
    path: tuple[str, ...]
    blocks: int
    battle: bool
    control: tuple[Capture, ...]


class Mover:
    """The moves of one player, from the position in which their player turn begins.

    `gone`: blocks that take no room: supply units at their last step, before step 2.T.5.
    """

    def __init__(
        self, board: Board, player: str, gone: Collection[str] = (), began: Began | None = None
    ) -> None:
        self.board, self.player, self.gone = board, player, gone
        self.side = Side(board, player)
        self.world = self.side.world
        #: hexes where road moves may begin or end, or may not pass, when the player turn began (4.4.4)
        self.began = began or State.of(board).turn_began or self._as_it_is()
        self.crossed: dict[str, int] = {}
        self.landed: dict[str, list[str]] = {}

    def _as_it_is(self) -> Began:
        side, bases = self.side, self.world.bases
        shut = (h for h in bases if side.foreign_base(h) or vacant_neutral(self.board, h))
        sites = (h for h in self.world.sites if side.controls(h))
        return Began(tuple(h for h in bases if side.controls(h)), tuple(sites), tuple(shut))

    def full(self, block: Block, end: str) -> bool:
        """4.4.1: Return True if the end hex has no room for the block and its passengers."""
        aboard = block.passengers
        ids = [p.id for p in aboard]
        return not self.side.room(end, block.type, ignore=(block.id, *self.gone)) or (
            bool(aboard) and not self.side.room(end, aboard[0].type, len(aboard), ids)
        )

    def hexside_full(self, start: str, to: str) -> bool:
        """4.4.3: Return True if no more ground blocks may cross this hexside into enemies."""
        return self.crossed.get(self.world.hexside(start, to), 0) >= self.world.hexside_limit(start, to)

    def beach_full(self, block: Block, start: str, to: str) -> bool:
        """4.4.3: Return True if no more blocks may land over this beach: one, or two marines."""
        ashore, numbers = self.landed.get(self.world.hexside(start, to), []), self.world.numbers
        marines = all(self.world.types[code].has("marine") for code in (*ashore, block.type))
        return len(ashore) >= (numbers.hexside_beach_marines if marines else numbers.hexside_beach)

    def faults(self, move: Move) -> list[Diagnostic]:
        """4.4.1: Return all faults of a move now."""
        block = own(self.board, self.player, move.unit)
        if block is None:
            message = Message("victory.blocks.no-such-unit", player=self.player, unit=move.unit)
            return [illegal("E-GEN-01", "5.8", message, "unit")]
        if block.revealed:
            message = Message("victory.mover.face-up", block=block.id)
            return [illegal("E-MOV-01", "4.3.2", message, "unit")]
        if not block.activated:
            return [
                illegal("E-MOV-01", "4.4.1", Message("victory.mover.not-activated", block=block.id), "unit")
            ]
        if block.moved:
            return [
                illegal(
                    "E-MOV-02", "4.4.1", Message("victory.mover.has-moved-already", unit=block.id), "unit"
                )
            ]
        return self.way_faults(block, move)

    def way_faults(self, block: Block, move: Move) -> list[Diagnostic]:
        """Return the faults of the path alone, whether or not the block may move now."""
        return list(KINDS[move.kind].faults(self, block, move))

    def options(self, block: Block) -> Iterator[Move]:
        """Yield every legal move of a block that may move (see `ways`)."""
        if block.activated and not block.moved and not block.revealed:
            yield from self.ways(block)

    def ways(self, block: Block) -> Iterator[Move]:
        """Yield one legal move to every end for this block, even if it may not move now.

        A hex with enemies has one for each hexside through which the block can enter.
        """
        for move in candidates(self, block):
            if not self.way_faults(block, move):
                yield move

    def reach(self, block: Block, cost: Cost, limit: int, **how: Any) -> dict[str, tuple[str, ...]]:
        """Return the hexes in reach at this cost, each with its path, by number."""
        reached = ways(self.world, block.hex, cost, limit, **how)
        return {end: (block.hex, *reached[end]) for end in sorted(reached)}

    def attacks(self, block: Block, kind: MoveKind, reached: dict[str, tuple[str, ...]]) -> Iterator[Move]:
        """Yield moves into enemies beside the hexes that a block reaches, including its own."""
        for before, way in sorted({**reached, block.hex: (block.hex,)}.items()):
            for hex in self.world.neighbours(before):
                if self.side.enemy_in(hex):
                    yield Move(block.id, kind, (*way, hex))

    def points(self, move: Move) -> Points:
        """Return path, cost and battle of a legal move."""
        block = Block(self.board, move.unit)
        way, risk = move.path[1:] or (move.end,), ""
        if move.kind == "march":
            steps = zip(move.path, way, strict=False)
            cost = (("MP", sum(self.world.march_cost(block.kind, start, to) or 0 for start, to in steps)),)
        else:
            cost = (("hexes", len(move.path) - 1 if move.path else self.world.distance(block.hex, move.end)),)
        if self.side.enemy_in(move.end):
            ours = 1 + len(units(self.board, self.player, move.end))
            theirs = len(self.side.enemies(move.end))
            risk = Message("victory.mover.against-blocks", ours=ours, theirs=theirs)
        kind: Literal["move", "attack"] = "attack" if risk else "move"
        return Points((move.unit,), way=way, cost=cost, risk=risk, kind=kind)

    def make(self, move: Move) -> Made:
        """Make a move that has no faults."""
        block = Block(self.board, move.unit)
        start, end, aboard = block.hex, move.end, len(block.passengers)
        path, battle = move.path or (start, end), self.side.enemy_in(end)
        if battle:
            block.entry_from, block.entry_kind = path[-2], move.kind
            self._count(block, move)
        if block.cls == "air":
            onto = self.side.landing(block, end, move.carrier)[1] if move.kind == "rebase" else None
            block.aboard = onto
        block.go(end)
        block.moved = True
        peaceful = [h for h in (start, end) if not self.side.enemies(h)]
        return Made(block.id, move.kind, path, 1 + aboard, battle, recompute_control(self.board, peaceful))

    def _count(self, block: Block, move: Move) -> None:
        """4.4.3: Count the blocks that crossed a hexside or landed over it."""
        over = self.world.hexside(*move.path[-2:]) if move.kind in ("march", "assault") else ""
        if move.kind == "march":
            self.crossed[over] = self.crossed.get(over, 0) + 1
        elif move.kind == "assault":
            self.landed.setdefault(over, []).append(block.type)
