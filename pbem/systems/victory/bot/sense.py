"""The sensible player's view of a position: strength of stacks, danger, and worthwhile goals.

Works on the player's view only: another player's face-down block counts as `UNKNOWN_CV` steps that hit on a
1.
"""

from __future__ import annotations

from functools import cached_property

from pbem.rules import Board

from ..rules.blocks import Block, units
from ..rules.sides import Side, controller, vacant_neutral
from ..rules.supply import Lines

UNKNOWN_CV = 3
FAR = 99
GUARDED = 2  # a city worth this much is never left empty
THREAT = 2  # distance from which an enemy stack can attack a city


def power(block: Block) -> int:
    """Return steps times chances to hit on the ground: 3 for infantry of strength 3, 6 for such armour."""
    if not block.known:
        return UNKNOWN_CV
    return block.cv * max(block.kind.g, 1 if block.cls == "ground" else 0)


def fights(block: Block) -> bool:
    """Return True if the block holds ground."""
    return block.cls == "ground"


class Sense:
    """One player's judgement of a position that does not change while it is used."""

    def __init__(self, board: Board, player: str) -> None:
        self.board = board
        self.player = player
        self.side = Side(board, player)
        self.world = self.side.world

    @cached_property
    def enemies(self) -> dict[str, list[Block]]:
        """Return enemy blocks by hex."""
        blocks: dict[str, list[Block]] = {}
        for block in self.side.enemies():
            blocks.setdefault(block.hex, []).append(block)
        return blocks

    @cached_property
    def enemies_ashore(self) -> tuple[str, ...]:
        """Return land hexes with enemies, by number."""
        return tuple(sorted(h for h in self.enemies if not self.world.is_sea(h)))

    @cached_property
    def lines(self) -> Lines:
        """Return the supply lines of the side to its bases."""
        return Lines(self.side, self.side.bases())

    @cached_property
    def goals(self) -> tuple[str, ...]:
        """Return bases worth marching to: foreign ones and vacant neutral ones."""
        return tuple(h for h in self.world.bases if not self.side.controls(h))

    @cached_property
    def threatened(self) -> dict[str, int]:
        """Return the side's bases with enemy land blocks near, and how many."""
        threats: dict[str, int] = {}
        for base in self.side.bases():
            near = [h for h in self.enemies_ashore if self.world.distance(base, h) <= THREAT]
            count = sum(len(self.enemies[h]) for h in near)
            if count:
                threats[base] = count
        return threats

    def defence(self, hex: str) -> int:
        """Return the expected resistance in a hex; cities hold more blocks and are held harder."""
        held = sum(power(block) for block in self.enemies.get(hex, []))
        return held + (1 if self.world.is_city(hex) else 0)

    def value(self, hex: str) -> int:
        """Return the value of taking a hex: points of a city count most, a vacant neutral one still more."""
        base = self.world.bases.get(hex)
        if base is None:
            return 2 if hex in self.world.sites else 1
        worth = 2 + 4 * base.pp
        if controller(self.board, hex) == self.player:
            return worth + 2  # an enemy stands in one of our bases
        return worth + (3 if vacant_neutral(self.board, hex) else 0)

    def to_enemy(self, hex: str) -> int:
        """Return the hexes to the nearest enemy on land."""
        return self.world.nearest(hex, self.enemies_ashore, FAR)

    def to_goal(self, hex: str) -> int:
        """Return the hexes to the nearest goal; valuable ones count as a little nearer."""
        bases = self.world.bases
        return min((3 * self.world.distance(hex, g) - bases[g].pp for g in self.goals), default=FAR)

    def supplied(self, hex: str) -> bool:
        """Return True if a block of the side can trace a supply line from there."""
        return self.lines.reach(hex)

    def pinned(self) -> set[str]:
        """Return blocks that stay: garrisons of valuable, threatened and captured bases."""
        kept: set[str] = set()
        for hex in self.side.bases():
            base, here = self.world.bases[hex], [u for u in units(self.board, self.player, hex) if fights(u)]
            if not here:
                continue
            others = [u for u in self.side.units(hex) if u.owner != self.player]
            captured = base.home is None or not self.world.allied(base.home, self.player)
            danger = self.threatened.get(hex, 0)
            wanted = 1 if captured or base.pp >= GUARDED or (danger and base.pp) else 0
            wanted += 1 if danger >= 2 and base.pp >= GUARDED else 0
            by_worth = sorted(here, key=lambda u: (u.type != "IN", -u.cv if danger else u.cv, u.id))
            kept |= {u.id for u in by_worth[: max(0, wanted - len([u for u in others if fights(u)]))]}
        return kept
