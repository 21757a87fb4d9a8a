"""Contrast of two colours as WCAG 2.2 measures it."""

from __future__ import annotations


def ratio(one: str, other: str) -> float:
    """Return a contrast from 1 (none) to 21 (black on white); colours as #rrggbb."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
