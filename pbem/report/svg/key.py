"""The key of a map: each sign that is on it, drawn once, with its meaning in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.report.svg import ground, plaques, stage, units
from pbem.report.svg.canvas import Canvas
from pbem.report.svg.look import palette


def signs(canvas: Canvas, seen: stage.Happened) -> Iterator[tuple[str, str]]:
    """(drawing in a field of 30 by 30 around 0 0, words), counters first."""
    say = canvas.view.wording.say
    ids = sorted(canvas.view.position.counters)
    shown = [face for face in units.faces(canvas, ids) if canvas.view.look.part("counters")]
    kinds: dict[str, units.Face] = {}
    for face in shown:
        if not face.unknown:
            kinds.setdefault(face.kind.code, face)
    for code, face in sorted(kinds.items()):
        one = units.counter(canvas, replace(face, count=1))
        name = canvas.view.wording.text(face.kind.name)
        yield _use(one), f"{code} {name}" if name != code else code
    blank = next((face for face in shown if face.unknown), None)
    if blank is not None:
        yield _use(units.counter(canvas, replace(blank, count=2))), say("key-unknown")
    for n, network in enumerate(plaques.far_networks(canvas, chart) if (chart := canvas.view.chart) else ()):
        tone, dashed = plaques.line_class(canvas, n)
        yield f'<path class="{tone}" d="M-14 0h28"{dashed}/>', canvas.view.wording.text(network)
    yield from _ground(canvas)
    for by in dict.fromkeys(arrow.by for arrow in seen.arrows):
        yield stage.sample(canvas, by), say(f"key-{by}")
    if seen.streams:
        yield stage.stream_sample(canvas), say("key-stream")
    if any(overlay.layer == "stock" for overlay in canvas.view.overlays):
        yield stage.tag(canvas, "", "8", 0, 0), say("key-stock")
    for outcome in sorted({arrow.outcome for arrow in seen.arrows if arrow.outcome}):
        yield stage.sample(canvas, outcome), say(f"key-{outcome}")
    if seen.battles:
        yield _use(stage.burst(canvas)), say("key-battle")
    if seen.ended:
        yield _use(stage.ember(canvas)), say("key-ended")
    if seen.losses:
        yield stage.chip(canvas, 2, 0, 0), say("key-lost")


def _ground(canvas: Canvas) -> Iterator[tuple[str, str]]:
    """Terrain, lines and places that are on this map."""
    chart = canvas.view.chart
    if chart is None:
        return
    text = canvas.view.wording.text
    kinds = {chart.terrain(hex) for hex in canvas.sheet.hexes}
    for kind in sorted(kinds & set(canvas.look.part("terrain"))):
        tone = f"t{ground.terrains(chart).index(kind)}"
        name = canvas.define(f"terrain {kind}", "")
        yield f'<g class="hx"><use href="#{name}" class="{tone}" transform="scale(.38)"/></g>', text(kind)
    lines = [*canvas.look.part("hexsides").items(), *canvas.look.part("links").items()]
    for kind, line in lines:
        if canvas.uses(f"l-{line}"):
            yield ground.strokes(canvas, line, palette()["lines"][line], "M-14 0h28"), text(kind)
    for name in canvas.defined("site "):
        yield f'<g class="site">{_use(canvas.define(f"site {name}", ""))}</g>', text(name)


def _use(id: str) -> str:
    return f'<use href="#{id}"/>'
