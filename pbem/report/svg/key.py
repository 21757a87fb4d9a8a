"""The key of a map: each sign that is on it, drawn once, with its meaning in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from pbem.report.figures import facility
from pbem.report.plain import capital, safe
from pbem.report.svg import ground, holding, places, plaques, stacks, stage, terrain, units
from pbem.report.svg.canvas import Canvas
from pbem.report.svg.look import palette
from pbem.text.dataclass import dataclass

Signs = Iterator[tuple[str, str]]


@dataclass(frozen=True)
class Sign:
    """A sign in a field of 30 by 30 around 0 0, and what it means; `kind`: an arm, an owner, or empty."""

    drawn: str
    words: str
    kind: Literal["", "arm", "owner"] = ""


def signs(canvas: Canvas, seen: stage.Happened) -> Iterator[Sign]:
    """Return the signs that are on the drawing, counters first."""
    ids = [id for id in sorted(canvas.view.position.counters) if _is_drawn(canvas, id)]
    shown = [face for face in units.faces(canvas, ids) if canvas.view.look.part("counters")]
    if "units" not in canvas.style.hidden:
        yield from (Sign(drawn, words, "arm") for drawn, words in _kinds(canvas, shown))
        yield from (Sign(drawn, words, "owner") for drawn, words in _owners(canvas, shown))
    else:
        shown = []
    yield from (Sign(drawn, words) for drawn, words in _others(canvas, seen, shown))


def _others(canvas: Canvas, seen: stage.Happened, shown: Sequence[units.Face]) -> Signs:
    """Return what is neither an arm nor an owner."""
    say = canvas.view.wording.say
    yield from _on_counters(canvas, shown) if shown else ()
    chart = canvas.view.chart
    for n, network in enumerate(plaques.far_networks(canvas, chart) if chart else ()):
        tone, dashed = plaques.line_class(canvas, n)
        yield f'<path class="{tone}" d="M-14 0h28"{dashed}/>', canvas.view.wording.text(network)
    yield from _ground(canvas)
    yield from _areas(canvas)
    yield from _happened(canvas, seen)
    if seen.losses:
        yield stage.chip(canvas, 2, 0, 0), say("key-lost")


def _is_drawn(canvas: Canvas, id: str) -> bool:
    """Return True if a counter is on the part that is drawn; on a whole map all are that are anywhere."""
    chart, here = canvas.view.chart, canvas.view.position.hex(id)
    if chart is None or len(canvas.sheet.hexes) == len(chart.hexes):
        return bool(here)
    return canvas.sheet.get(here) is not None


def _kinds(canvas: Canvas, shown: Sequence[units.Face]) -> Signs:
    """Yield a counter of each kind with its name, or its code where that is written on it."""
    kinds: dict[str, units.Face] = {}
    for face in shown:
        if not face.unknown:
            kinds.setdefault(face.kind.code, face)
    for code, face in sorted(kinds.items()):
        counter = units.counter(canvas, replace(face, count=1, marks="", moved=False, unsupplied=False))
        name = canvas.view.wording.text(face.kind.name)
        yield _use(counter), f"{code} {name}" if face.kind.label == code != name else name
    blank = next((face for face in shown if face.unknown), None)
    if blank is not None:
        counter = units.counter(canvas, replace(blank, count=2, moved=False, unsupplied=False))
        yield _use(counter), canvas.view.wording.say("key-unknown")


def _owners(canvas: Canvas, shown: Sequence[units.Face]) -> Signs:
    """Yield each owner's colour and letter."""
    there = {face.owner for face in shown}
    for owner in canvas.owners:
        if owner in there:
            named = capital(safe(canvas.view.wording.text(owner))) or canvas.view.wording.say("nobodys")
            yield units.bare(canvas, owner), named


def _on_counters(canvas: Canvas, shown: Sequence[units.Face]) -> Signs:
    """Yield the other signs on and beside counters: letters, steps, counts, moves."""
    say, text, look = canvas.view.wording.say, canvas.view.wording.text, canvas.view.look
    owner = shown[0].owner if shown else ""
    meanings = look.part("counters").get("meanings", {})
    for field, letters in look.part("counters").get("marks", {}).items():
        if any(letters in face.marks for face in shown):
            yield units.mark(canvas, owner, letters), f"{letters}: {text(meanings.get(field, field))}"
    stepped = next((face for face in shown if units.has_steps(face)), None)
    if stepped is not None:
        yield units.steps_sample(canvas, stepped), say("key-steps")
    if any(face.count > 1 and not face.unknown for face in shown):
        yield units.several(canvas, owner), say("key-several")
    if canvas.uses("more"):
        yield stacks.pill_sample(canvas, shown[0]), say("key-more")
    if any(face.moved for face in shown):
        rimmed = units.rim(canvas) + units.bare(canvas, owner)
        yield f'<g transform="scale(.85)">{rimmed}</g>', say("key-moved")
    if any(face.unsupplied for face in shown):
        yield units.bare(canvas, owner) + units.hungry(canvas), say("key-unsupplied")


def _areas(canvas: Canvas) -> Signs:
    """Yield areas of supply and control, each in its owner's hatching."""
    layers = {overlay.layer for overlay in canvas.view.overlays if overlay.hexes}
    for layer in ("supply", "zoc"):
        hatch = next(iter(canvas.defined(f"hatch {layer} ")), None)
        if layer in layers and hatch is not None and layer not in canvas.style.hidden:
            fill = canvas.define(f"hatch {layer} {hatch}", "")
            yield (
                f'<rect class="K-{layer}" x="-14" y="-10" width="28" height="20" fill="url(#{fill})"/>',
                canvas.view.wording.say(f"key-{layer}"),
            )


def _facilities(canvas: Canvas) -> Signs:
    """Yield the plates of facilities, one of each kind."""
    words = canvas.view.wording
    for kind in {kind.kind: kind for kind in reversed(canvas.view.facilities)}.values():
        if text := facility(words, kind, short=True):
            yield stage.tag(canvas, "", text, 0, 0), facility(words, kind)


def _happened(canvas: Canvas, seen: stage.Happened) -> Signs:
    """Yield arrows, streams and signs of battles."""
    say = canvas.view.wording.say
    for by in dict.fromkeys(arrow.by for arrow in seen.arrows):
        yield stage.sample(canvas, by), say(f"key-{by}")
    if canvas.uses("ghost"):
        yield stage.ghost_sample(canvas), say("key-ghost")
    if seen.streams:
        yield stage.stream_sample(canvas), say("key-stream")
    yield from _facilities(canvas)
    for outcome in sorted({arrow.outcome for arrow in seen.arrows if arrow.outcome}):
        yield stage.sample(canvas, outcome), say(f"key-{outcome}")
    if seen.battles:
        yield _use(stage.burst(canvas)), say("key-battle")
    if seen.ended:
        yield _use(stage.ember(canvas)), say("key-ended")


def _ground(canvas: Canvas) -> Signs:
    """Yield terrain, lines and places that are on this map."""
    chart = canvas.view.chart
    if chart is None:
        return
    text, order = canvas.view.wording.text, terrain.terrains(chart)
    own = canvas.style.board  # a picture of the board shows its own
    kinds = {chart.terrain(hex) for hex in canvas.sheet.hexes if own is None or not own.shows(chart, hex)}
    alike: dict[object, list[str]] = {}
    for kind in sorted(kinds & set(canvas.look.part("terrain"))):
        alike.setdefault(canvas.look.tint(kind, order), []).append(kind)
    for same in alike.values():
        sign = f'<g transform="scale(.38)">{terrain.sample(canvas, same[0], order)}</g>'
        yield sign, ", ".join(map(text, same))
    lines: dict[str, list[str]] = {}
    for kind, line in [*canvas.look.part("hexsides").items(), *canvas.look.part("links").items()]:
        if canvas.uses(f"l-{line}"):
            lines.setdefault(line, []).append(kind)
    for line, same in lines.items():
        form = palette()["lines"][line]
        yield ground.strokes(canvas, line, form, "M-14 0h28"), ", ".join(map(text, same))
    for name in canvas.defined("site "):
        yield (
            f'<g class="site">{_use(canvas.define(f"site {name}", ""))}</g>',
            canvas.view.wording.say(f"site-{name}"),
        )
    if canvas.uses("tablet") and canvas.owners:
        yield places.sample(canvas, canvas.owners[0]), canvas.view.wording.say("key-plate")
    for power in holding.holders(canvas):
        named = capital(safe(text(power)))
        yield holding.tint_sample(canvas, power), canvas.view.wording.say("key-held", who=named)
    if canvas.uses("fl"):
        yield holding.front_sample(canvas), canvas.view.wording.say("key-front")


def _use(id: str) -> str:
    return f'<use href="#{id}"/>'
