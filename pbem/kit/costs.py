"""What every step on a map costs, as data: for searches that cannot afford a call-back for each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from pbem.board.hexes import HexGrid
from pbem.kit.hexsets import MEMBER, from_flags, pack

Lane = tuple[int, int, int]


def both_ways(hexsides: Iterable[tuple[int, int]], cost: int | None) -> dict[tuple[int, int], int | None]:
    """The steps across these hexsides (or along these links), there and back, at one cost."""
    return {step: cost for a, b in hexsides for step in ((a, b), (b, a))}


class StepCosts:
    """Costs of steps, for one kind of unit on one map.

    `entry[hex]` is the cost of entering a hex, None where that is prohibited. `steps` has the exceptions,
    which take the place of the entry cost: roads, rivers, closed hexsides (None). Costs are whole numbers of
    the smallest unit (half movement points, say) from 0 up. An object of this class does not change; what
    changes with every move, such as hexes that the enemy closes, is handed to the searches.
    """

    def __init__(
        self,
        grid: HexGrid,
        entry: Sequence[int | None],
        steps: Mapping[tuple[int, int], int | None] | None = None,
    ) -> None:
        if len(entry) != len(grid.table):
            raise ValueError(f"found entry costs of {len(entry)} hexes, wanted {len(grid.table)}")
        self.grid, self.table = grid, grid.table
        self.entry = tuple(entry)
        self.exceptions: dict[int, dict[int, int | None]] = {}
        for (origin, target), cost in (steps or {}).items():
            if target not in self.table[origin]:
                raise ValueError(f"no step leads from {grid.number(origin)} to {grid.number(target)}")
            self.exceptions.setdefault(origin, {})[target] = cost
        if any(cost is not None and cost < 0 for cost in (*self.entry, *(steps or {}).values())):
            raise ValueError("a step cannot cost less than nothing")

    def step(self, origin: int, target: int) -> int | None:
        """The cost of a step between adjacent hexes, None if it is prohibited. Serves as a call-back."""
        around = self.exceptions.get(origin)
        if around is not None and target in around:
            return around[target]
        return self.entry[target]

    @cached_property
    def lanes(self) -> tuple[Lane, ...]:
        """All possible steps sorted by cost and by how far origin and target lie apart in hex integers.

        A lane (cost, offset, targets) says: from `target - offset` one can step to each target at this cost.
        On a hex grid there are only eight offsets, so that a search can take all steps of a lane in one go.
        """
        lanes: dict[tuple[int, int], int] = {}
        by_offset = self._exceptions_by_offset()
        zones = self._zones()
        for offset, targets in _offsets(self.grid).items():
            special = by_offset.get(offset, {})
            plain = targets
            for hexes in special.values():
                plain &= ~pack(hexes, len(self.entry))
            for cost, zone in zones.items():
                lanes[cost, offset] = plain & zone
            for cost_or_none, hexes in special.items():
                if cost_or_none is not None:
                    at = cost_or_none, offset
                    lanes[at] = lanes.get(at, 0) | pack(hexes, len(self.entry))
        return tuple(
            (cost, offset, lanes[cost, offset]) for cost, offset in sorted(lanes) if lanes[cost, offset]
        )

    def _zones(self) -> dict[int, int]:
        """The hexes of each entry cost."""
        costs = sorted({cost for cost in self.entry if cost is not None})
        places: dict[int | None, int] = {cost: n for n, cost in enumerate(costs)}
        if len(costs) > 255:
            raise ValueError(f"found {len(costs)} different entry costs, wanted at most 255")
        raw = bytes([places.get(cost, 255) for cost in self.entry])
        zones = {}
        for n, cost in enumerate(costs):
            marks = bytearray(b"0" * 256)
            marks[n] = MEMBER
            zones[cost] = from_flags(raw.translate(bytes(marks)))
        return zones

    def _exceptions_by_offset(self) -> dict[int, dict[int | None, list[int]]]:
        """The targets of exceptional steps, by offset and cost."""
        found: dict[int, dict[int | None, list[int]]] = {}
        for origin, around in self.exceptions.items():
            for target, cost in around.items():
                found.setdefault(target - origin, {}).setdefault(cost, []).append(target)
        return found


def _offsets(grid: HexGrid) -> dict[int, int]:
    """For each difference between the integers of adjacent hexes, the hexes that lie so of a neighbour."""
    rows, columns = grid.rows, grid.columns
    found: dict[int, int] = {}
    for column in range(columns):
        for across, along in grid.offsets(column + grid.first):
            first, last = max(0, -along), min(rows, rows - along)  # the rows a step can start from
            if 0 <= column + across < columns and first < last:
                offset = across * rows + along
                block = ((1 << (last - first)) - 1) << (column * rows + first + offset)
                found[offset] = found.get(offset, 0) | block
    on_map = pack(grid.hexes, len(grid.table))
    for offset, targets in found.items():
        arrived = on_map << offset if offset > 0 else on_map >> -offset
        found[offset] = targets & on_map & arrived
    return found
