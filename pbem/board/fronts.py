"""The front between enemies: hexsides between ground that they hold, near units of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pbem.board.locations import Locations

NEAR = 2
"""So many hexes from its hexside a unit makes a border a front."""


def front(
    chart: Locations,
    held: Mapping[str, str],
    standing: Iterable[tuple[str, str]],
    hostile: Callable[[str, str], bool],
    near: int = NEAR,
) -> tuple[str, ...]:
    """Return the hexsides (`0804/0905`) where hexes of enemies touch and both have units near.

    `held` says who holds which hex, `standing` names the owner and the hex of every unit. The lower hex comes
    first.
    """
    reached: dict[str, set[int]] = {}
    for owner, hex in dict.fromkeys(standing):
        at = chart.get(hex)
        if at is not None and chart.kind(at) == "hex":
            reached.setdefault(owner, set()).update(chart.within(at, near))
    holders = {i: who for hex, who in held.items() if (i := chart.get(hex)) is not None}
    wars = {
        (a, b) for a in {*holders.values()} for b in {*holders.values(), *reached} if a != b and hostile(a, b)
    }

    def guarded(hex: int, foe: str) -> bool:
        """Return True if an enemy of a power stands near a hex."""
        return any((foe, who) in wars and hex in hexes for who, hexes in reached.items())

    sides: list[str] = []
    for a, own in sorted(holders.items()):
        for b in chart.beside(a):
            if a < b and (own, holders.get(b, "")) in wars and guarded(a, holders[b]) and guarded(b, own):
                sides.append(chart.hexside(a, b))
    return tuple(sides)
