"""Towns, ports and their names: signs in the middle of a hex, and a plate at its foot with its holder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.board.map import GameMap
from pbem.board.places import Place
from pbem.report.control import objectives
from pbem.report.svg.canvas import Canvas
from pbem.report.svg.letters import EM, advance, number
from pbem.report.svg.look import shapes

TOP, HIGH = 22, 12  # of a plate below the middle of its hex, so that all of it lies in the hex
ROOM = 44  # for what stands on it: a hex is 45 wide where the base line of its letters runs
NARROWEST = 0.57
"""Least width of a name's letters; below it the plate drops the sign, then the worth, then letters."""
SIGN = 8.6  # width of a sign on a plate


def sites(canvas: Canvas, chart: GameMap) -> str:
    """Return the signs of places: in the middle of an empty hex (a plate has it where counters cover it).

    The upper edge, which no counter covers, has other signs of a place, such as a port, and a star
    with its worth if somebody needs it for victory.
    """
    canvas.rule(
        "site",
        "fill:#4a4334;stroke:#4a4334;stroke-width:1.6;stroke-linejoin:round",
        "fill:#e8e0c8;stroke:#e8e0c8",
    )
    canvas.rule("hollow", "fill:none")
    signs, aside = "", 20 if canvas.style.mail else 17
    for place, own in drawn(canvas, chart):
        x, y = canvas.sheet.centre(place.hex)
        named = sign_of(own, place)
        if named and not _covered(canvas, chart, place.hex):
            signs += _site(canvas, named, x, y - 3, 1.1)
        for name, also in own.get("also", {}).items():
            signs += _site(canvas, also, x + aside, y - 27, 0.55) if place.data.get(name) else ""
    for number_, counts in objectives(canvas.view).items():
        hex = canvas.sheet.get(number_)
        if hex is not None and hex not in canvas.sheet.rects:
            signs += _objective(canvas, canvas.sheet.centre(hex), counts)
    return f'<g class="site">{signs}</g>' if signs else ""


def _objective(canvas: Canvas, centre: tuple[int, int], counts: int) -> str:
    """Return a star left of the number of a hex, with what it counts."""
    (x, y), text = centre, str(counts) if counts and not canvas.style.mail else ""
    canvas.rule("plain", "fill:#2b2720", "fill:#f3eddb")
    written = canvas.letters.text(
        text, x - 15.5, y - 25.2, 8.4, "start", ' class="plain" stroke="none"', single=True
    )
    return _site(canvas, "objective", x - (20 if text or canvas.style.mail else 17), y - 28, 0.46) + (
        written if text else ""
    )


def drawn(canvas: Canvas, chart: GameMap) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    for kind, own in canvas.look.part("places").items():
        for place in chart.places(kind):
            if place.hex in canvas.sheet.drawn:
                yield place, own


def sign_of(own: Mapping[str, Any], place: Place) -> str:
    """Return the name of the sign of a place; empty for one without."""
    by = str(place.data.get(own.get("by", ""), ""))
    return str(own.get("sites", {}).get(by, own.get("site") or ""))


def _covered(canvas: Canvas, chart: GameMap, hex: int) -> bool:
    return "units" not in canvas.style.hidden and bool(canvas.view.position.at(chart.number(hex)))


def _site(canvas: Canvas, name: str, x: float, y: float, scale: float) -> str:
    at = f"translate({number(x)} {number(y)})scale({scale})"
    return f'<use href="#{define(canvas, name)}" transform="{at}"/>'


def define(canvas: Canvas, name: str) -> str:
    """Return the id of the sign of a place."""
    own = shapes()["sites"][name]
    inner = f'<path d="{own["fill"]}"/>' if "fill" in own else ""
    inner += f'<path class="hollow" d="{own["line"]}"/>' if "line" in own else ""
    return canvas.define(f"site {name}", f'<g id="@">{inner}</g>')


def names(canvas: Canvas, chart: GameMap) -> str:
    """Return the plates: the holder's initial and colours, a sign if counters cover it, name and worth."""
    plates, done = "", set[int]()
    for place, own in drawn(canvas, chart):
        if place.hex in done:
            continue
        holder = canvas.view.holder(place.number)
        label = str(place.data.get(own["label"], "")) if "label" in own else ""
        value = place.data.get(own.get("value", ""))
        counts = value if isinstance(value, int) and not isinstance(value, bool) else 0
        if label or holder in canvas.initials:
            done.add(place.hex)
            sign = sign_of(own, place) if _covered(canvas, chart, place.hex) else ""
            plates += _plate(canvas, canvas.sheet.centre(place.hex), label, holder, sign, str(counts or ""))
    bare = not canvas.look.part("places")
    for hex in canvas.sheet.hexes if bare or chart.names else ():
        if hex not in done and (bare or hex in chart.names):
            text = canvas.view.place_name(chart.number(hex), signs=True)
            holder = canvas.view.holder(chart.number(hex))
            plates += _plate(canvas, canvas.sheet.centre(hex), text, holder, "", "") if text else ""
    return plates


def sample(canvas: Canvas, holder: str) -> str:
    """Return a plate for the key."""
    return _plate(canvas, (0, -TOP - HIGH // 2), "…", holder, "town", "")


def _plate(
    canvas: Canvas, centre: tuple[int, int], label: str, holder: str | None, sign: str, ending: str
) -> str:
    canvas.rule("tablet", "fill:#fbf7e9;stroke:#4a4334;stroke-width:.8", "fill:#23221c;stroke:#b9b196")
    canvas.rule("plain", "fill:#2b2720", "fill:#f3eddb")
    mark = canvas.initials.get(holder or "", "")
    badge = _wide(canvas, mark) + 3.6 if mark else 0
    size = canvas.style.name_size
    sign, ending = _beside(canvas, label, ROOM - badge, sign, ending)
    signed, tail = SIGN if sign else 0, _wide(canvas, f" {ending}") if ending else 0
    label = _cut(canvas, label, ROOM - badge - signed - tail)
    wide = min(_wide(canvas, label), ROOM - badge - signed - tail) + tail
    width = badge + signed + wide + (4 if label or tail else 0)
    (x, y), base = centre, centre[1] + TOP + 9.2
    left = x - width / 2
    plate = f'<path class="tablet" d="{_outline(left, y, width)}"/>'
    if mark and holder:
        colours = canvas.paint(holder)
        spot = _outline(left, y, width, badge)
        plate += f'<path d="{spot}" fill="{colours["fill"]}" stroke="#1d1b16" stroke-width=".8"/>'
        ink = f' fill="{colours["ink"]}"'
        middle = left + badge / 2 + (0.6 if width > 40 else 0)
        plate += canvas.letters.text(mark, middle, base, size, "middle", ink, single=True)
    at = left + badge + 2
    if sign:
        canvas.rule("site", "fill:#4a4334;stroke:#4a4334;stroke-width:1.6", "fill:#e8e0c8;stroke:#e8e0c8")
        canvas.rule("hollow", "fill:none")
        plate += f'<g class="site">{_site(canvas, sign, at + 3.8, y + TOP + 6.2, 0.42)}</g>'
        at += signed
    plain = ' class="plain"'
    if label:
        room = wide - tail
        plate += canvas.letters.text(label, at, base, size, "start", plain, room=room, single=True)
        at += room
    if ending:
        plate += canvas.letters.text(ending, at + 2, base, size, "start", plain, single=True)
    return plate


def _wide(canvas: Canvas, text: str) -> float:
    return advance(text) * canvas.style.name_size / EM


def _beside(canvas: Canvas, label: str, room: float, sign: str, ending: str) -> tuple[str, str]:
    """Return the sign and the worth for which there is room beside a whole name; the hex's field has both."""
    least = _wide(canvas, label) * NARROWEST
    for shown, ending_shown in ((sign, ending), ("", ending), ("", "")):
        tail = _wide(canvas, f" {ending_shown}") if ending_shown else 0
        if least <= room - (SIGN if shown else 0) - tail:
            return shown, ending_shown
    return "", ""


def _cut(canvas: Canvas, text: str, room: float) -> str:
    """Return a name as long as there is room for it, in letters as narrow as can be read."""
    if _wide(canvas, text) * NARROWEST <= room:
        return text
    while text and _wide(canvas, f"{text}.") * NARROWEST > room:
        text = text[:-1]
    return f"{text.rstrip()}." if text.strip() else ""


def _outline(left: float, y: float, width: float, badge: float | None = None) -> str:
    """Return the border of a plate, or of its badge, cut at the corners where the hex is narrow."""
    top, low, middle = y + TOP, y + TOP + HIGH, left + width / 2
    half = {at: 40 - 20 * (at - y) / 35 - 0.6 for at in (top, low)}
    upper, lower = (max(left, middle - half[at]) for at in (top, low))
    if badge is not None:
        return _path((upper, top), (left + badge, top), (left + badge, low), (lower, low))
    right, under = (min(left + width, middle + half[at]) for at in (top, low))
    return _path((upper, top), (right, top), (under, low), (lower, low))


def _path(*points: tuple[float, float]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z"
