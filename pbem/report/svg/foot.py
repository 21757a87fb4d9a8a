"""The foot of a map that is a file of its own: layer switches, a line for the pointer, the key.

The switches and the name need the small script; without it, and in pictures, the key is there all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.report.svg.canvas import Canvas, words
from pbem.report.svg.letters import EM, advance

SIZE, ROW, SIGN, CELL, MOST_CELL = 11.0, 24, 40, 182, 236
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
    if (spot && says) { says.textContent = spot.getAttribute("aria-label"); }
  }
  root.addEventListener("click", function (event) {
    var one = event.target.closest("[role=switch]");
    if (one) { flip(one); }
  });
  root.addEventListener("keydown", function (event) {
    var one = event.target.closest("[role=switch]");
    if (one && (event.key === " " || event.key === "Enter")) { event.preventDefault(); flip(one); }
  });
  root.addEventListener("focusin", name);
  root.addEventListener("mouseover", name);
})();
"""


def foot(
    canvas: Canvas, layers: Sequence[str], off: Sequence[str], key: Sequence[tuple[str, str]]
) -> tuple[str, int]:
    """Return the drawing below the map, and its height."""
    top, found = canvas.sheet.height + 4, ""
    if not canvas.style.still:
        switches, top = _switches(canvas, layers, off, top)
        canvas.rule("says", "font:600 13px sans-serif;fill:#23201a", "fill:#f3eddb")
        hint = words(canvas.view.wording.say("map-hint"))
        says = f'<text id="says" class="says" x="16" y="{top + 16}" aria-hidden="true">{hint}</text>'
        found += switches + says
        top += ROW
    signs, top = _key(canvas, key, top)
    return found + signs, top + 8 - canvas.sheet.height


def _switches(canvas: Canvas, layers: Sequence[str], off: Sequence[str], top: int) -> tuple[str, int]:
    canvas.rule("sw", "cursor:pointer;outline:none")
    canvas.rule("box", "fill:#fffdf6;stroke:#4a4334;stroke-width:1.2", "fill:#23221c;stroke:#e8e0c8")
    canvas.rule("tick", "fill:none;stroke:#8a1f16;stroke-width:2.4", "stroke:#ff9f92")
    canvas.rule("sw[aria-checked=false] .m-tick", "display:none")
    canvas.rule("sw:focus-visible .m-box", "stroke:#b3006e;stroke-width:3", "stroke:#ff8ad1")
    found, x = "", 16
    for layer in layers:
        text = canvas.view.wording.say(f"layer-{layer}")
        wide = round(advance(text) * SIZE / EM) + 34
        if x > 16 and x + wide > canvas.sheet.width:
            x, top = 16, top + ROW
        checked = "false" if layer in off else "true"
        found += (
            f'<g class="sw" role="switch" tabindex="0" aria-checked="{checked}" aria-label="{words(text)}" '
            f'data-layer="{layer}" transform="translate({x} {top})"><rect class="box" y="4" width="13" '
            'height="13" rx="2"/><path class="tick" d="M2.5 10.5l3 3.5 5-7.5"/>'
            f"{canvas.letters.text(text, 18, 14.5, SIZE, 'start', _PLAIN)}</g>"
        )
        x += wide
    return found, top + ROW


_PLAIN = ' class="plain"'


def _key(canvas: Canvas, key: Sequence[tuple[str, str]], top: int) -> tuple[str, int]:
    """Return the signs in rows, as many side by side as fit."""
    canvas.rule("plain", "fill:#2b2720", "fill:#f3eddb")
    widest = max((advance(text) * SIZE / EM for _, text in key), default=0)
    cell = max(CELL, min(MOST_CELL, round(widest) + 52))
    across = max(1, (canvas.sheet.width - 16) // cell)
    found = ""
    for n, (sign, text) in enumerate(key):
        x, y = 32 + n % across * cell, top + SIGN // 2 + n // across * SIGN
        fits = min(SIZE, SIZE * (cell - 48) / max(1.0, advance(text) * SIZE / EM))
        written = canvas.letters.text(text, 22, 4, fits, "start", _PLAIN)
        found += f'<g transform="translate({x} {y})">{sign}{written}</g>'
    rows = -(-len(key) // across)
    return found, top + rows * SIGN
