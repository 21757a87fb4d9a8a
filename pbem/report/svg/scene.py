"""The part of a map that a picture shows: around what happened, or around places that somebody names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pbem.board.map import GameMap
from pbem.report.structure import Report
from pbem.report.worth import rank
from pbem.text.dataclass import dataclass

AROUND = 2
"""The least number of hexes that a picture shows around an event."""


@dataclass(frozen=True)
class Room:
    """The number of hexes that a picture may show: in all, across and down."""

    hexes: int
    wide: int
    high: int


def scene(report: Report, room: Room) -> set[int]:
    """Return the hexes around events, the fights first, then by importance; none without events."""
    chart = report.view.chart
    if chart is None:
        return set()
    items = sorted(report.items, key=lambda item: rank(item.event, report.view))
    named = [fight.place for fight in report.fights] + [hex for item in items for hex in item.hexes]
    return around(chart, named, room)


def around(chart: GameMap, named: Iterable[str], room: Room, near: int = AROUND) -> set[int]:
    """Return the hexes at most `near` to places, in their order, as many as there is room for."""
    hexes: set[int] = set()
    for number in dict.fromkeys(named):
        here = chart.get(number)
        if here is None or chart.kind(here) != "hex":
            continue
        wider = hexes | set(chart.within(here, near))
        if len(wider) <= room.hexes and _fits(wider, chart, room):
            hexes = wider
    return hexes


def filled(chart: GameMap, hexes: Iterable[int]) -> set[int]:
    """Return all hexes of the rectangle around some: a picture without holes."""
    spots = {hex: _offset_of(chart, hex) for hex in hexes}
    fields = {sheet.field for hex in spots if (sheet := chart.sheet(hex)) is not None}
    if len(fields) != 1:
        return set(spots)
    (left, right), (top, bottom) = (_span([spot[n] for spot in spots.values()]) for n in (0, 1))
    return {
        hex
        for hex in chart.hexes
        if (sheet := chart.sheet(hex)) is not None
        and sheet.field in fields
        and left <= (spot := _offset_of(chart, hex))[0] <= right
        and top <= spot[1] <= bottom
    }


def window(chart: GameMap, hexes: Collection[int], wide: int, high: int) -> set[int]:
    """Return all hexes of a rectangle of so many columns and rows around some, fewer where the map ends."""
    spots = [_offset_of(chart, hex) for hex in hexes]
    fields = {sheet.field for hex in hexes if (sheet := chart.sheet(hex)) is not None}
    if len(fields) != 1:
        return set(hexes)
    within = [hex for hex in chart.hexes if (sheet := chart.sheet(hex)) is not None and sheet.field in fields]
    spots_within = [_offset_of(chart, hex) for hex in within]
    across, down = (
        _widened(_span([spot[n] for spot in spots]), _span([spot[n] for spot in spots_within]), most)
        for n, most in enumerate(_units(chart, hexes, wide, high))
    )
    return {
        hex
        for hex, spot in zip(within, spots_within, strict=True)
        if across[0] <= spot[0] <= across[1] and down[0] <= spot[1] <= down[1]
    }


def _widened(span: tuple[int, int], limits: tuple[int, int], most: int) -> tuple[int, int]:
    """Return a span made as long as it may be, on both sides alike, inside the whole."""
    low, high = span
    low -= max(0, most - (high - low + 1)) // 2
    low = max(limits[0], min(low, limits[1] - most + 1))
    return low, max(high, min(limits[1], low + most - 1))


def _span(values: Sequence[int]) -> tuple[int, int]:
    return min(values), max(values)


def _offset_of(chart: GameMap, hex: int) -> tuple[int, int]:
    """Return how far a hex lies to the east and to the south: lines of hexes, and half hexes along them."""
    line, along = chart.spot(hex)
    return (along, line) if chart.pointy(hex) else (line, along)


def _units(chart: GameMap, hexes: Iterable[int], wide: int, high: int) -> tuple[int, int]:
    """Return so many columns and rows in the units of `_offset_of`."""
    return (2 * wide, high) if any(chart.pointy(hex) for hex in hexes) else (wide, 2 * high)


def _fits(hexes: set[int], chart: GameMap, room: Room) -> bool:
    """Return True if a picture around these has room, and is not mostly paper between its ends."""
    spots = [_offset_of(chart, hex) for hex in hexes]
    across, down = (max(spot[n] for spot in spots) - min(spot[n] for spot in spots) for n in (0, 1))
    if any(chart.pointy(hex) for hex in hexes):
        return across // 2 + 1 <= room.wide and down + 1 <= room.high
    return across + 1 <= room.wide and down // 2 + 1 <= room.high
