"""Lettering as outlines, so that a map looks the same on every machine and needs no font.

`letters.json` holds the outlines of Roboto Condensed Bold (Google; Apache License 2.0: `letters.LICENSE`),
200 units to the em: `{character: [advance, path]}`. A character that is not there is drawn as a box.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

EM = 200  # units
_START = re.compile(r"M(-?\d+) ?(-?\d+)")
BOX = (110, "M12-142h80v142h-80zm12 12v118h56v-118z")


@cache
def outlines() -> dict[str, tuple[int, str]]:
    """Return every character that can be drawn, with its advance and its outline."""
    data = json.loads((Path(__file__).parent / "letters.json").read_text("utf-8"))
    return {char: (advance, path) for char, (advance, path) in data.items()}


def advance(text: str) -> int:
    """Return the width of a text, in units of the em."""
    known = outlines()
    return sum(known.get(char, BOX)[0] for char in text)


class Letters:
    """The characters that one drawing uses, each defined once and used by name.

    `whole`: each text is an outline of its own.
    """

    def __init__(self, prefix: str = "", *, whole: bool = False) -> None:
        self.prefix, self.whole = prefix, whole
        self._names: dict[str, str] = {}

    def name(self, char: str) -> str:
        """Return the id of a character's outline."""
        return self._names.setdefault(char, f"{self.prefix}g{len(self._names):x}")

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        anchor: str = "middle",
        extra: str = "",
        room: float | None = None,
        *,
        single: bool = False,
    ) -> str:
        """Return a line of text on a base line at x, y.

        `size` is that of the em, `extra` are more attributes. Letters are narrowed to fit into `room`.
        `single`: the text occurs once, so its letters are used by name even if others are outlines.
        """
        high, wide = size / EM, advance(text)
        scale = high if room is None or not wide or wide * high <= room else max(room, 1) / wide
        left = {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        known, at, uses = outlines(), 0, ""
        for char in "" if self.whole and not single else text:
            if char != " ":
                where = f' x="{at}"' if at else ""
                uses += f'<use href="#{self.name(char)}"{where}/>'
            at += known.get(char, BOX)[0]
        place = f"translate({number(x - left * scale)} {number(y)})"
        both = number(high, 4) if scale == high else f"{number(scale, 4)} {number(high, 4)}"
        place += f"scale({both})"
        if self.whole and not single:
            return f'<path transform="{place}"{extra} d="{_outline(text, 0, 0)}"/>'
        return f'<g transform="{place}"{extra}>{uses}</g>'

    def definitions(self) -> str:
        """Return the outlines that were used."""
        known = outlines()
        return "".join(
            f'<path id="{name}" d="{known.get(char, BOX)[1]}"/>' for char, name in self._names.items()
        )


def together(texts: Iterable[tuple[str, float, float]], size: float) -> str:
    """Return texts, each with a start of its own, as one outline.

    That is one element for a browser, where letters used by name are two each.
    """
    scale = size / EM
    outline = "".join(_outline(text, round(x / scale), round(y / scale)) for text, x, y in texts)
    return f'<path transform="scale({number(scale, 4)})" d="{outline}"/>'


def _outline(text: str, right: int, down: int) -> str:
    """Return the outline of a text that begins at a point, in units of the em."""
    known, drawn = outlines(), ""
    for char in text:
        wide, path = known.get(char, BOX)
        if char != " ":
            drawn += _START.sub(_moved(right, down), path)
        right += wide
    return drawn


def _moved(right: int, down: int) -> Callable[[re.Match[str]], str]:
    """Return a shift for the start of an outline's part: all else in it is relative."""
    return lambda start: f"M{right + int(start[1])} {down + int(start[2])}"


def number(value: float, places: int = 1) -> str:
    """Return a coordinate in few bytes, rounded so that it is equal on every machine."""
    text = f"{value:.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text
