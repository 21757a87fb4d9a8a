"""The foot of a map that is a file of its own: layer switches, a line for the pointer, the key.

The switches and the name need the small script; without it, and in pictures, the key is there all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.report.svg.canvas import Canvas, words
from pbem.report.svg.key import Sign
from pbem.report.svg.letters import EM, advance

SIZE, ROW = 11.0, 24
SIGN, CELL, TEXT = 22, 128, 10.5  # of the key: height of a row, width of a column, size of its words
TIGHTER = (110, 96, 90)  # columns of a key that would else be too high
NARROW = 1.4  # how much wider than its column words may be, in narrower letters
SCRIPT = """
(function () {
  var root = document.documentElement, says = document.getElementById("says");
  function flip(one) {
    var on = one.getAttribute("aria-checked") !== "true";
    one.setAttribute("aria-checked", on ? "true" : "false");
    document.querySelectorAll(".m-L-" + one.getAttribute("data-layer")).forEach(function (layer) {
      layer.setAttribute("display", on ? "inline" : "none");
    });
  }
  function name(event) {
    var spot = event.target.closest(".m-x");
    if (spot && says) { says.textContent = spot.querySelector("title").textContent; }
  }
  var open = null;
  function fan(spot) {
    var hex = spot && spot.id.replace(/^.*?hex-/, "").replace(/["\\\\]/g, "");
    var found = hex ? root.querySelector('.m-fan[data-fan="' + hex + '"]') : null, again = found === open;
    if (open) { open.classList.remove("m-open"); open = null; }
    if (found && !again) { found.classList.add("m-open"); open = found; }
  }
  root.addEventListener("click", function (event) {
    var one = event.target.closest("[role=switch]");
    if (one) { flip(one); } else if (!event.target.closest(".m-fan")) { fan(event.target.closest(".m-x")); }
  });
  root.addEventListener("keydown", function (event) {
    var one = event.target.closest("[role=switch]"), spot = event.target.closest(".m-x");
    if (one && (event.key === " " || event.key === "Enter")) { event.preventDefault(); flip(one); }
    if (spot && event.key === "Enter") { fan(spot); }
    if (event.key === "Escape") { fan(null); }
  });
  root.addEventListener("focusin", name);
  root.addEventListener("mouseover", name);
})();
"""


def keys() -> str:
    """Return the script by which arrow keys go from area to area."""
    return Path(__file__).with_name("areas.js").read_text("utf-8")


def foot(canvas: Canvas, layers: Sequence[str], off: Sequence[str], key: Sequence[Sign]) -> tuple[str, int]:
    """Return the drawing below the map, and its height."""
    top, drawn = canvas.sheet.height + 4, ""
    if not canvas.style.still:
        switches, top = _switches(canvas, layers, off, top)
        canvas.rule("says", "font:600 13px sans-serif;fill:#23201a", "fill:#f3eddb")
        areas = canvas.view.shapes is not None
        hint = words(canvas.view.wording.say("map-hint-areas" if areas else "map-hint"))
        says = f'<text id="says" class="says" x="16" y="{top + 16}" aria-hidden="true">{hint}</text>'
        drawn += switches + says
        top += ROW
    signs, top = _key(canvas, key, top)
    return drawn + signs, top + 8 - canvas.sheet.height


def _switches(canvas: Canvas, layers: Sequence[str], off: Sequence[str], top: int) -> tuple[str, int]:
    canvas.rule("sw", "cursor:pointer;outline:none")
    canvas.rule("box", "fill:#fffdf6;stroke:#4a4334;stroke-width:1.2", "fill:#23221c;stroke:#e8e0c8")
    canvas.rule("tick", "fill:none;stroke:#8a1f16;stroke-width:2.4", "stroke:#ff9f92")
    canvas.rule("sw[aria-checked=false] .m-tick", "display:none")
    canvas.rule("sw:focus-visible .m-box", "stroke:#b3006e;stroke-width:3", "stroke:#ff8ad1")
    drawn, x = "", 16
    for layer in layers:
        text = canvas.view.wording.say(f"layer-{layer}")
        wide = round(advance(text) * SIZE / EM) + 34
        if x > 16 and x + wide > canvas.sheet.width:
            x, top = 16, top + ROW
        checked = "false" if layer in off else "true"
        drawn += (
            f'<g class="sw" role="switch" tabindex="0" aria-checked="{checked}" aria-label="{words(text)}" '
            f'data-layer="{layer}" transform="translate({x} {top})"><rect class="box" y="4" width="13" '
            'height="13" rx="2"/><path class="tick" d="M2.5 10.5l3 3.5 5-7.5"/>'
            f"{canvas.letters.text(text, 18, 14.5, SIZE, 'start', _PLAIN)}</g>"
        )
        x += wide
    return drawn, top + ROW


_PLAIN = ' class="plain"'


def _key(canvas: Canvas, key: Sequence[Sign], top: int) -> tuple[str, int]:
    """Return the signs in rows, at most a quarter as high as the hexes; owners, then arms are left out."""
    canvas.rule("plain", "fill:#2b2720", "fill:#f3eddb")
    most = max(1, canvas.sheet.high_hexes // 4 // SIGN)
    tries = [(CELL, ()), (CELL, ("owner",)), *((cell, ("owner", "arm")) for cell in (CELL, *TIGHTER))]
    for cell, left_out in tries:
        listed = [sign for sign in key if sign.kind not in left_out]
        cells = _cells(listed, max(1, (canvas.sheet.width - 16) // cell), cell)
        if not cells or cells[-1][1] < most:
            break
    drawn = ""
    for sign, (column, row, wide) in zip(listed, cells, strict=True):
        x, y = 28 + column * cell, top + SIGN // 2 + row * SIGN
        room = wide * cell - 36
        text = canvas.letters.text(sign.words, 18, 3.8, TEXT, "start", _PLAIN, room=room)
        drawn += f'<g transform="translate({x} {y})"><g transform="scale(.68)">{sign.drawn}</g>{text}</g>'
    return drawn, top + (cells[-1][1] + 1 if cells else 0) * SIGN


def _cells(key: Sequence[Sign], across: int, cell: int) -> list[tuple[int, int, int]]:
    """Return column, row and width of each sign, in columns: two for words that one has no room for."""
    cells: list[tuple[int, int, int]] = []
    column, row = 0, 0
    for sign in key:
        wide = min(across, 1 if advance(sign.words) * TEXT / EM <= NARROW * (cell - 36) else 2)
        if column + wide > across:
            column, row = 0, row + 1
        cells.append((column, row, wide))
        column += wide
    return cells
