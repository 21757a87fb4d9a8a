"""The cost of every step on a map as data, for searches that cannot afford a callback for each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from pbem.kit.hexsets import MEMBER, from_flags, pack
from pbem.text.dataclass import dataclass

MOST_COSTS = 255  # largest number of different entry costs on one map


def both_ways(hexsides: Iterable[tuple[int, int]], cost: int | None) -> dict[tuple[int, int], int | None]:
    """Return the steps across these hexsides (or along these links), in both directions, at one cost."""
    return {step: cost for a, b in hexsides for step in ((a, b), (b, a))}


class Ground(Protocol):
    """The part of a map that searches need: `pbem.board.map.GameMap`, or a single grid."""

    @property
    def table(self) -> Sequence[Sequence[int]]:
        """Return the neighbours of every location."""

    @property
    def arrivals(self) -> Mapping[int, int]:
        """Return, for each common difference of neighbours, the targets as the set bits of one integer."""

    @property
    def jumps(self) -> Sequence[tuple[int, int]]:
        """Return the other pairs of neighbours."""

    def number(self, i: int, /) -> str:
        """Return the id of a location."""


@dataclass(frozen=True)
class Lanes:
    """All steps that are possible, sorted so that a search can take those of a kind in one go.

    On a sheet of hexes the integers of origin and target differ by one of only eight offsets, and over the
    seam of two sheets by one of three. A `plain` lane (offset, targets) says: one may step to each target
    from `target - offset`, at its entry cost; `zones` has the locations of each entry cost. A `special` lane
    (cost, offset, targets) has its own cost. Links that no lane fits are `jumps` (origin, target, cost).
    """

    zones: tuple[tuple[int, int], ...]
    plain: tuple[tuple[int, int], ...]
    special: tuple[tuple[int, int, int], ...]
    jumps: tuple[tuple[int, int, int], ...] = ()

    @cached_property
    def jumps_to(self) -> dict[int, list[tuple[int, int]]]:
        """Return target -> (origin, cost) of every jump."""
        jumps: dict[int, list[tuple[int, int]]] = {}
        for origin, target, cost in self.jumps:
            jumps.setdefault(target, []).append((origin, cost))
        return jumps

    @cached_property
    def jumps_from(self) -> dict[int, list[tuple[int, int]]]:
        """Return origin -> (target, cost) of every jump."""
        jumps: dict[int, list[tuple[int, int]]] = {}
        for origin, target, cost in self.jumps:
            jumps.setdefault(origin, []).append((target, cost))
        return jumps

    @cached_property
    def landings(self) -> int:
        """Return where jumps end, as a set."""
        return _set(self.jumps_to)

    @cached_property
    def starts(self) -> int:
        """Return where jumps begin, as a set."""
        return _set(self.jumps_from)


def _set(members: Iterable[int]) -> int:
    listed = list(members)
    return pack(listed, max(listed) + 1) if listed else 0


class StepCosts:
    """Costs of steps, for one kind of unit on one map.

    `entry[i]` is the cost of entering a location, None if that is prohibited. `steps` has the exceptions,
    which take the place of the entry cost: roads, rivers, closed hexsides (None), links. Costs are whole
    numbers of the smallest unit (half movement points, say) from 0 up. An object of this class does not
    change; what changes with every move, such as hexes that the enemy closes, is handed to the searches.
    """

    def __init__(
        self,
        ground: Ground,
        entry: Sequence[int | None],
        steps: Mapping[tuple[int, int], int | None] | None = None,
    ) -> None:
        if len(entry) != len(ground.table):
            raise ValueError(f"found entry costs of {len(entry)} locations, wanted {len(ground.table)}")
        self.ground, self.table = ground, ground.table
        self.entry = tuple(entry)
        self.exceptions: dict[int, dict[int, int | None]] = {}
        for (origin, target), cost in (steps or {}).items():
            if target not in self.table[origin]:
                raise ValueError(f"no step leads from {ground.number(origin)} to {ground.number(target)}")
            if cost is not None and cost < 0:
                raise ValueError("a step cannot cost less than nothing")
            self.exceptions.setdefault(origin, {})[target] = cost
        self._entry_costs = sorted(cost for cost in dict.fromkeys(self.entry) if cost is not None)
        if self._entry_costs and self._entry_costs[0] < 0:
            raise ValueError("a step cannot cost less than nothing")
        if len(self._entry_costs) > MOST_COSTS:
            raise ValueError(
                f"found {len(self._entry_costs)} different entry costs, wanted at most {MOST_COSTS}"
            )

    def step(self, origin: int, target: int) -> int | None:
        """Return the cost of a step between neighbours, or None if prohibited; a callback for `reach`."""
        around = self.exceptions.get(origin)
        if around is not None and target in around:
            return around[target]
        return self.entry[target]

    @cached_property
    def lanes(self) -> Lanes:
        """Return these costs, sorted for searches that go over the whole map."""
        size = len(self.entry)
        by_offset: dict[int, dict[int | None, list[int]]] = {}
        for origin, around in self.exceptions.items():
            for target, cost in around.items():
                by_offset.setdefault(target - origin, {}).setdefault(cost, []).append(target)
        plain: list[tuple[int, int]] = []
        special: list[tuple[int, int, int]] = []
        for offset, targets in self.ground.arrivals.items():
            for cost_or_none, hexes in by_offset.get(offset, {}).items():
                taken = pack(hexes, size)
                targets &= ~taken
                if cost_or_none is not None:
                    special.append((cost_or_none, offset, taken))
            plain.append((offset, targets))
        jumps = ((a, b, self.step(a, b)) for a, b in self.ground.jumps)
        priced = tuple((a, b, cost) for a, b, cost in jumps if cost is not None)
        return Lanes(self._zones(), tuple(plain), tuple(sorted(special)), priced)

    def _zones(self) -> tuple[tuple[int, int], ...]:
        places: dict[int | None, int] = {cost: n for n, cost in enumerate(self._entry_costs)}
        places[None] = MOST_COSTS
        raw = bytes(map(places.__getitem__, self.entry))
        zones = []
        for n, cost in enumerate(self._entry_costs):
            marks = bytearray(b"0" * 256)
            marks[n] = MEMBER
            zones.append((cost, from_flags(raw.translate(marks))))
        return tuple(zones)
