"""Photographs of boards: drawn hexes of known terrain, seen from aside under uneven light, as PNG."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Mapping

from pbem.board.map import GameMap
from pbem.report.svg.sheet import Sheet

Colour = tuple[int, int, int]
Point = tuple[float, float]
WIDE, HIGH = 900, 640


def seen(x: float, y: float) -> Point:
    """Where a point of the drawing (0 to 1 each way) is on the photograph: turned and skewed."""
    depth = 1 / (1 + 0.22 * y + 0.08 * x)
    return (60 + 760 * x * depth + 70 * y * depth, 40 + 640 * y * depth + 46 * x * depth)


COLOURS: Mapping[str, Colour] = {
    "clear": (236, 226, 196), "sea": (150, 190, 214), "forest": (150, 176, 110), "hills": (214, 186, 130),
    "mountain": (170, 140, 110), "swamp": (170, 196, 170), "desert": (244, 226, 160),
}  # fmt: skip


def photograph(chart: GameMap, seed: int = 1) -> tuple[bytes, dict[str, Point]]:
    """A photograph of a map, and where the middle of each hex is on it."""
    luck, sheet = random.Random(seed), Sheet(chart)
    pixels = [[(70, 62, 54)] * WIDE for _ in range(HIGH)]
    middles = {hex: sheet.centre(hex) for hex in chart.hexes}

    def place(x: float, y: float) -> Point:
        return seen(x / sheet.width, y / sheet.height)

    for hex, (x, y) in middles.items():
        shade = luck.randrange(-7, 8)
        colour = COLOURS[chart.terrain(hex)]
        for dx in range(-38, 39, 2):
            for dy in range(-35, 36, 2):
                if abs(dx) * 35 + abs(dy) * 20 > 40 * 35:
                    continue
                px, py = place(x + dx, y + dy)
                grain = luck.randrange(-9, 10) + shade
                light = 1.08 - 0.28 * px / WIDE - 0.1 * py / HIGH
                said = tuple(max(0, min(255, round((one + grain) * light))) for one in colour)
                for ox in (0, 1):
                    for oy in (0, 1):
                        if 0 <= int(px) + ox < WIDE and 0 <= int(py) + oy < HIGH:
                            pixels[int(py) + oy][int(px) + ox] = said  # type: ignore[assignment]
    return png(pixels), {chart.number(hex): place(*middle) for hex, middle in middles.items()}


def png(pixels: list[list[Colour]]) -> bytes:
    raw = b"".join(b"\0" + b"".join(bytes(one) for one in row) for row in pixels)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(raw, 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in parts)
