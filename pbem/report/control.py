"""Control of the map and the front, as far as a reader's view tells."""

from __future__ import annotations

from collections.abc import Callable, Collection

from pbem.board.fronts import front
from pbem.report.reader import View

MOST = 9
"""Tenths of the land: where one power holds more, control says nothing and is not drawn."""


def held(view: View, drawn: Collection[int]) -> dict[str, list[int]]:
    """Return the land hexes among those drawn that each power holds, in the order of the powers.

    Nothing where one of them has nearly all of them.
    """
    chart = view.chart
    if chart is None:
        return {}
    dry = {hex for hex in drawn if chart.kind(hex) == "hex" and not is_water(view, hex)}
    by_owner: dict[str, list[int]] = {}
    known = {*view.powers, *view.players, *(view.owner(id) for id in view.position.counters)}
    for number, power in view.holders.items():
        hex = chart.get(number)
        if hex in dry and power in known:
            by_owner.setdefault(power, []).append(hex)
    if any(10 * len(hexes) > MOST * len(dry) for hexes in by_owner.values()):
        return {}
    return {power: sorted(by_owner[power]) for power in sorted(by_owner, key=rank(view))}


def is_water(view: View, hex: int) -> bool:
    """Return True if a hex is drawn as water."""
    assert view.chart is not None
    terrain = view.chart.terrain(hex)
    known = view.look.part("terrain")
    return view.look.tint(terrain, () if terrain in known else (terrain,)).water


def rank(view: View) -> Callable[[str], tuple[int, str]]:
    """Return the key that sorts owners: powers in their order, then seats, then others by name."""
    order = {owner: n for n, owner in enumerate(dict.fromkeys((*view.powers, *view.players)))}
    return lambda owner: (order.get(owner, len(order)), owner)


def front_of(view: View) -> list[tuple[int, int]]:
    """Return the hexsides of the front; nothing where the rules know none."""
    chart = view.chart
    if chart is None:
        return []
    names = [side for overlay in view.overlays if overlay.layer == "front" for side in overlay.hexes]
    if view.look.data.get("front") == "control":
        standing = [(view.owner(id), view.position.hex(id) or "") for id in sorted(view.position.counters)]
        sides = {power for power in (*view.holders.values(), *(owner for owner, _ in standing)) if power}
        fights = {power: view.side(power) for power in sides}
        names += front(chart, view.holders, standing, lambda a, b: fights.get(a, a) != fights.get(b, b))
    hexsides = []
    for name in dict.fromkeys(names):
        a, b = chart.hexside_hexes(name)
        if not is_water(view, a) and not is_water(view, b):
            hexsides.append((a, b))
    return hexsides


def objectives(view: View) -> dict[str, int]:
    """Return the places that somebody needs for victory, with what each counts (0: not said)."""
    worths: dict[str, int] = {}
    for overlay in view.overlays:
        for place in overlay.hexes if overlay.layer == "objective" else ():
            worths[place] = max(overlay.worth, worths.get(place, 0))
    return worths
