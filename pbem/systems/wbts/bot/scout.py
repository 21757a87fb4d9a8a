"""The destinations of a sensible player's forces: valuable places without stronger enemies near."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.rules import Board, dataclass

from ..rules.chain import chain
from ..rules.command.forces import force, modified
from ..rules.moves.free import candidates
from ..rules.moves.initiative import may_try
from ..rules.moves.land import Ground, Stack, marching
from ..rules.moves.model import Move
from ..rules.moves.mover import entrench_fault, movable
from ..rules.moves.rail import rail_cost, rides
from ..rules.pieces import is_leader, leader, left, piece, unit, units, world_of
from ..rules.tracks import T
from ..rules.zones import owner

UNSEEN = 8  # assumed strength of an unseen enemy stack
HOLDING = 2  # distance of enemies that pins a force to its place


@dataclass(frozen=True)
class Intent:
    """The plan of a leader or unit if it is activated, and its promise."""

    who: str
    moves: tuple[Move, ...]
    entrench: bool
    worth: int


class Scout:
    """Looks over the map for one side: worth of places, strength of enemies, ways there."""

    def __init__(self, board: Board, side: str) -> None:
        self.board, self.side = board, side
        self.world = world_of(board)
        self.ground = Ground.of(board, side)
        enemy = self.world.enemy(side)
        self.strength: dict[str, int] = {}
        for hostile in units(board, enemy):
            if hostile.occupies:
                seen = hostile.sp if hostile.known else UNSEEN
                self.strength[hostile.hex] = self.strength.get(hostile.hex, 0) + seen
        self.targets = self._targets(enemy)
        self.reached = chain(board, side)

    def _targets(self, enemy: str) -> dict[str, int]:
        """Return valuable hexes: enemy places by their points, and enemy stacks."""
        points = self.world.victory["points"]
        worth = dict.fromkeys(self.strength, 1)
        for hex in sorted({**self.world.settlements, **self.world.forts}):
            if owner(self.board, hex) == enemy:
                gain = points[self.side]["holds"].get(hex, 0) + points[enemy]["holds"].get(hex, 0)
                worth[hex] = 2 + int(gain)
        return worth

    def intents(self, *, by_chit: bool) -> Iterator[Intent]:
        """Yield the plans of everybody who can be activated."""
        if by_chit:
            for id in candidates(self.board, self.side):
                members = self._force(id) if is_leader(self.board, id) else [id]
                yield from self._intent(id, members)
        else:
            for who in may_try(self.board, self.side):
                yield from self._intent(who.id, self._force(who.id))

    def _force(self, id: str) -> list[str]:
        who = leader(self.board, id)
        return movable(self.board, force(who, modified(who, self.reached).span))

    def _intent(self, id: str, members: Sequence[str]) -> Iterator[Intent]:
        """Yield the joint move of the part of a force with its leader; it entrenches where it stays."""
        here = piece(self.board, id).hex
        stack = [other for other in members if piece(self.board, other).hex == here]
        fighters = [unit for unit in left(self.board, stack) if unit.can_attack]
        if not fighters:
            yield from self._follow(id, here)
            return
        strength = sum(unit.sp for unit in fighters)
        if not self._must_hold(here):
            advance = self._advance(stack, here, strength)
            if advance is not None:
                move, gain = advance
                yield Intent(id, (move,), False, 10 * gain + strength)
                return
        if self._near_enemy(here, 2) and not self._no_digging(here):
            yield Intent(id, (), True, 5 + strength // 4)

    def _no_digging(self, hex: str) -> bool:
        return entrench_fault(self.board, self.side, hex) is not None

    def _near_enemy(self, hex: str, radius: int) -> bool:
        return any(near in self.strength for near in self.world.within(hex, radius))

    def _must_hold(self, hex: str) -> bool:
        """Return True if this is an own place near the enemy that must not be left."""
        valued = self.world.victory["points"][self.world.enemy(self.side)]["holds"]
        return hex in valued and self._near_enemy(hex, HOLDING)

    def _advance(self, stack: list[str], here: str, strength: int) -> tuple[Move, int] | None:
        """Return the way that brings a stack nearest to its goal, or None if it should stay."""
        goal = max(self.targets, key=lambda t: (self._pull(here, t), t), default=None)
        if goal is None or (self.world.distance(here, goal) <= 1 and goal in self.strength):
            return None
        best: tuple[int, str, Move] | None = None
        for move, end in self._ways(stack, here):
            if self._too_strong(end, strength):
                continue
            left = self.world.distance(end, goal)
            if best is None or (left, end) < best[:2]:
                best = (left, end, move)
        gain = self.world.distance(here, goal) - best[0] if best else 0
        return (best[2], gain) if best and gain > 0 else None

    def _pull(self, here: str, target: str) -> int:
        return 3 * self.targets[target] - 2 * self.world.distance(here, target)

    def _too_strong(self, hex: str, strength: int) -> bool:
        """Return True if the enemy beside a hex is too strong."""
        beside = sum(self.strength.get(near, 0) for near in self.world.neighbours(hex))
        return 2 * beside > 5 * strength

    def _ways(self, stack: list[str], here: str) -> Iterator[tuple[Move, str]]:
        """Yield marches of a whole stack, and rides where the points allow."""
        ways = marching(self.board, self.ground, Stack.of(self.board, stack)).ways(here)
        for end, path in ways.items():
            yield Move(tuple(stack), path), end
        if 1 <= rail_cost(self.board, stack) <= min(2, T.of(self.board).rail_points[self.side]):
            for end, path in rides(self.board, self.ground, self.side, here).items():
                if len(path) > 2:
                    yield Move(tuple(stack), path, "rail"), end

    def _follow(self, id: str, here: str) -> Iterator[Intent]:
        """Yield moves of trains to the fighting units; leaders without troops and others stay."""
        if is_leader(self.board, id) or unit(self.board, id).type != "supply_train":
            return
        if not unit(self.board, id).supply:
            return
        front = [u.hex for u in units(self.board, self.side) if u.can_attack and self._near_enemy(u.hex, 2)]
        if not front or any(self.world.distance(here, hex) <= 1 for hex in front):
            return
        near = {
            hex: min(self.world.distance(hex, other) for other in front) for hex in self.world.within(here, 3)
        }
        ways = [(near[end], end, move) for move, end in self._ways([id], here) if end in near]
        safe = [way for way in ways if way[1] not in self.ground.zones]
        if safe and min(safe)[0] < near[here]:
            yield Intent(id, (min(safe, key=lambda way: way[:2])[2],), False, 3)
