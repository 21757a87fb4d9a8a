"""Counters in the wargame manner: symbol, code, strength, steps; unknown blocks are blank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.report.svg.canvas import Canvas
from pbem.report.svg.letters import EM, advance, number
from pbem.report.svg.look import Kind, shapes
from pbem.text.dataclass import dataclass

LEAST = 9.6
"""Size of letters on a counter that are 8 pixels high at 100% where it is drawn smallest."""
NARROWEST = 0.7
"""Least width of letters, as a share of their usual width, before a text is cut."""


@dataclass(frozen=True)
class Face:
    """Counters of one owner that look alike; `unknown` ones are only counted."""

    owner: str
    unknown: bool
    kind: Kind
    strength: int | None
    figures: str
    marks: str
    count: int
    moved: bool = False
    echelon: str = ""
    unsupplied: bool = False


def faces(canvas: Canvas, ids: Sequence[str]) -> list[Face]:
    """Return what is in a hex, by owner and rank, the strongest first; alike ones together."""
    counts: dict[Face, int] = {}
    ranked = sorted(ids, key=lambda id: (canvas.owners.index(canvas.view.owner(id)), *_rank(canvas, id)))
    for id in ranked:
        face = face_of(canvas, id)
        counts[face] = counts.get(face, 0) + 1
    return [replace(face, count=count) for face, count in counts.items()]


def _rank(canvas: Canvas, id: str) -> tuple[int, int, str]:
    """Return where a counter stands among those of its owner: the system's rank, then its strength."""
    counter = canvas.view.position.counters[id]
    if canvas.look.is_unknown(counter):
        return -1, 0, id
    counter = {**canvas.view.printed.get(id, {}), **counter}
    return canvas.look.rank(counter), -(canvas.look.strength(counter) or 0), id


def order(canvas: Canvas, ids: Sequence[str]) -> dict[str, int]:
    """Return each id's place among the counters drawn in a hex."""
    shown = [replace(face, count=0) for face in faces(canvas, ids)]
    return {id: shown.index(face_of(canvas, id)) for id in ids}


def face_of(canvas: Canvas, id: str) -> Face:
    """Return the face of one counter."""
    look, owner, counter = canvas.look, canvas.view.owner(id), canvas.view.position.counters[id]
    if look.is_unknown(counter):
        return Face(owner, True, Kind("unknown", ""), None, "", "", 0, id in canvas.moved)
    counter = {**canvas.view.printed.get(id, {}), **counter}
    kind = look.kind({"id": id, **counter})
    if not look.part("counters"):
        kind = Kind("none", canvas.view.wording.short({"id": "", **counter})[:8])
    marks, moved, size = look.marks(counter), id in canvas.moved, look.echelon(counter)
    hungry = id in canvas.view.unsupplied
    figures = look.figures(counter)
    return Face(owner, False, kind, look.strength(counter), figures, marks, 0, moved, size, hungry)


def counter(canvas: Canvas, face: Face) -> str:
    """Return the id of a counter with this face."""
    inner = rim(canvas) if face.moved else ""
    body = _body(canvas, face.owner, min(face.count, 3))
    inner += body + _blank(canvas, face) if face.unknown else _front(canvas, face, body)
    inner += hungry(canvas) if face.unsupplied else ""
    return canvas.define(f"counter {face}", f'<g id="@">{inner}</g>')


def _body(canvas: Canvas, owner: str, thick: int) -> str:
    """Return the block, with others under it if there are several."""
    colours = canvas.paint(owner)
    canvas.rule("edge", "stroke:#1d1b16;stroke-width:1", "stroke:#0b0a08")
    canvas.rule("glint", "fill:none;stroke:#fff;stroke-opacity:.45;stroke-width:1")
    rects = "".join(
        f'<rect x="{number(-15 + 1.8 * n)}" y="{number(-15 - 1.2 * n)}" width="30" height="30" rx="2.5"/>'
        for n in range(thick - 1, -1, -1)
    )
    content = f'<g id="@"><g class="edge" fill="{colours["fill"]}">{rects}</g>'
    content += '<path class="glint" d="M-13.8 12.5v-24.8q0-1.5 1.5-1.5h24.8"/></g>'
    return f'<use href="#{canvas.define(f"body {owner} {thick}", content)}"/>'


def rim(canvas: Canvas) -> str:
    """Return a light rim: the counter moved in the shown events."""
    canvas.rule("rim", "fill:#fffdf4;stroke:#1d1b16;stroke-width:1", "stroke:#0b0a08")
    return '<rect class="rim" x="-16.8" y="-16.8" width="33.6" height="33.6" rx="4.5"/>'


def hungry(canvas: Canvas) -> str:
    """Return a struck-out circle at the lower right of the symbol: the counter is out of supply."""
    canvas.rule("hungry", "fill:#fffdf4;stroke:#1d1b16;stroke-width:1.5")
    return '<path class="hungry" d="M7.4 2.4a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0zM8.5 4.9l5-5"/>'


def bare(canvas: Canvas, owner: str) -> str:
    """Return a counter with only its owner's letter, for the key."""
    ink = f' fill="{canvas.paint(owner)["ink"]}"'
    letter = canvas.letters.text(canvas.initials.get(owner, ""), 0, 5, 15, "middle", ink)
    return _body(canvas, owner, 1) + letter


def mark(canvas: Canvas, owner: str, letters: str) -> str:
    """Return the chip with letters for the states of a counter, for the key."""
    face = Face(owner, False, Kind("none", ""), None, "", letters, 1)
    chip = _marked(canvas, face, -5)[0]
    return f'<g transform="scale(1.6)">{_body(canvas, owner, 1).replace("<use", CHIP_GROUND, 1)}{chip}</g>'


CHIP_GROUND = '<use transform="scale(.6)"'


def has_steps(face: Face) -> bool:
    """Return True if it shows how many steps are left."""
    return not face.unknown and face.strength in face.kind.steps and 1 < len(face.kind.steps) <= 8


def steps_sample(canvas: Canvas, face: Face) -> str:
    """Return the steps of a counter alone, for the key."""
    shown = _pips_beside(canvas, face) if face.figures else _pips(canvas, replace(face, count=1))
    row = min(4.2 * len(face.kind.steps), 16)
    at = "translate(20 4)" if face.figures else f"translate({number(1.5 * (row / 2 - 13.4))} -15.6)"
    return _body(canvas, face.owner, 1) + f'<g transform="{at}scale(1.5)">{shown}</g>'


def several(canvas: Canvas, owner: str) -> str:
    """Return two counters that look alike, for the key."""
    ink = f' fill="{canvas.paint(owner)["ink"]}"'
    return _body(canvas, owner, 2) + canvas.letters.text("×2", 0, 5, 13, "middle", ink)


def _front(canvas: Canvas, face: Face, body: str) -> str:
    """Return the front over the body: what many counters have alike is defined once, its label is its own."""
    colours = canvas.paint(face.owner)
    ink = f' fill="{colours["ink"]}"'
    write = canvas.letters.text
    corner = canvas.initials.get(face.owner, "")
    corner, size = _fitting(corner, LEAST, 14)
    taken = min(advance(corner) * size / EM, 14)
    label = face.kind.label.removeprefix(f"{corner}-") or face.kind.label
    room = 25.6 - taken
    label, size = _fitting(label, 10.5, room)
    inner = write(label, -13.8, -6.8, size, "start", ink, room=room)
    corners = write(corner, 13.8, -6.8, LEAST, "end", ink, room=taken) + _echelon(face, ink)
    beside = _pips_beside(canvas, face) if face.figures else ""
    chip, aside = _marked(canvas, face, -11.6 if beside else -14.4)
    alike = body + _shared(canvas, corners) + _shared(canvas, beside)
    alike += symbol(canvas, face.kind.symbol, aside) + _shared(canvas, chip)
    foot = face.figures or ("" if face.strength is None else str(face.strength))
    pips = _pips(canvas, face) if not face.figures else ""
    if face.count > 1:
        inner += write(f"×{face.count}", 13.4, 13.4, LEAST, "end", ink)
    else:
        alike += _shared(canvas, pips)
    narrow = 12 if face.count > 1 or pips else 26
    at, anchor = (-12.5, "start") if face.count > 1 or pips else (0, "middle")
    size = max(LEAST, _fit(foot, 10.5, narrow))  # figures are never cut: too many stand closer
    alike += _shared(canvas, write(foot, at, 13.8, size, anchor, ink, room=narrow) if foot else "")
    return _shared(canvas, alike) + inner


def _shared(canvas: Canvas, content: str) -> str:
    """Return a use of what many counters have alike, which is defined once."""
    if not content:
        return ""
    id = canvas.define(f"alike {content}", f'<g id="@">{content}</g>')
    return f'<use href="#{id}"/>'


def _marked(canvas: Canvas, face: Face, left: float) -> tuple[str, float]:
    """Return the chip of a counter's states left of its symbol, and the shift of the symbol.

    The chip has the counter's colours reversed.
    """
    if not face.marks:
        return "", 0
    colours, wide = canvas.paint(face.owner), max(6.0, min(11.0, advance(face.marks) * LEAST / EM + 1.6))
    chip = f'<rect x="{number(left)}" y="-6.2" width="{number(wide)}" height="10.4" rx="1.6"'
    chip += f' fill="{colours["ink"]}"/>'
    fill = f' fill="{colours["fill"]}"'
    text = canvas.letters.text(face.marks, left + wide / 2, 2.6, LEAST, "middle", fill, room=wide - 1.2)
    return chip + text, left + wide + 14.4


def _echelon(face: Face, ink: str) -> str:
    """Return the size of a unit beside its symbol: a stroke per letter of `II`, a cross per one of `XX`."""
    made, y = "", -5.6
    for sign in face.echelon[:5]:
        made += f"M11.6 {number(y)}l2.6 2.2m0-2.2l-2.6 2.2" if sign == "X" else f"M11.4 {number(y + 1)}h3"
        y += 3 if sign == "X" else 2.2
    stroke = ink.replace("fill=", "stroke=")
    return f'<path d="{made}" fill="none"{stroke} stroke-width="1"/>' if made else ""


def symbol(canvas: Canvas, name: str, aside: float = 0) -> str:
    """Return the symbol in its frame; `aside` of what stands left of it, and narrower."""
    own = shapes()["symbols"].get(name, {})
    if not own:
        return ""
    canvas.rule("frame", "fill:#f7f2e2;stroke:#1d1b16;stroke-width:1")
    canvas.rule("sign", "fill:none;stroke:#1d1b16;stroke-width:1.2;stroke-linejoin:round")
    canvas.rule("solid", "fill:#1d1b16")
    inner = '<rect class="frame" x="-9.5" y="-8" width="19" height="12"/>'
    inner += f'<path class="sign" d="{own["line"]}"/>' if "line" in own else ""
    inner += f'<path class="solid" d="{own["fill"]}"/>' if "fill" in own else ""
    framed = f'<g id="@" transform="translate(0 1.2)scale(1.05 .92)">{inner}</g>'
    use = f'<use href="#{canvas.define(f"symbol {name}", framed)}"'
    if not aside:
        return f"{use}/>"
    wide = max(0.5, min(1.0, (24.6 - aside) / 21))
    return f'{use} transform="translate({number(aside - 13.8 + 10 * wide)} 0)scale({number(wide, 2)} 1)"/>'


def _pips(canvas: Canvas, face: Face) -> str:
    """Return a square for each step, filled for those that are left."""
    steps = face.kind.steps
    if face.strength is None or face.strength not in steps or len(steps) > 8:
        return ""
    left, ink = len(steps) - steps.index(face.strength), canvas.paint(face.owner)["ink"]
    wide = min(4.2, 16 / len(steps))
    side = number(wide - 1)
    at = [number(13.4 - wide * (len(steps) - n)) for n in range(len(steps))]
    full, gone = ("".join(f"M{x} 8.4h{side}v4h-{side}z" for x in part) for part in (at[:left], at[left:]))
    drawn = f'<path d="{full}" fill="{ink}"/>'
    return drawn + (f'<path d="{gone}" fill="none" stroke="{ink}" stroke-width=".6"/>' if gone else "")


def _pips_beside(canvas: Canvas, face: Face) -> str:
    """Return step squares in a column at the left edge, beside figures; "" for a counter of one step."""
    steps = face.kind.steps
    if face.strength is None or face.strength not in steps or not 1 < len(steps) <= 6:
        return ""
    left, ink = len(steps) - steps.index(face.strength), canvas.paint(face.owner)["ink"]
    at = [number(3 - 2.8 * n) for n in range(len(steps))]
    full, gone = ("".join(f"M-14.2 {y}h2v2h-2z" for y in part) for part in (at[:left], at[left:]))
    drawn = f'<path d="{full}" fill="{ink}"/>'
    return drawn + (f'<path d="{gone}" fill="none" stroke="{ink}" stroke-width=".5"/>' if gone else "")


def _blank(canvas: Canvas, face: Face) -> str:
    ink = f' fill="{canvas.paint(face.owner)["ink"]}"'
    count = str(face.count)
    inner = canvas.letters.text(count, 0, 10, max(LEAST, _fit(count, 19, 24)), "middle", ink)
    return inner + canvas.letters.text(canvas.initials.get(face.owner, ""), 13.6, -6.8, LEAST, "end", ink)


def _fitting(text: str, size: float, room: float) -> tuple[str, float]:
    """Return a text and a size that fit: smaller as far as legible, narrower, then shorter."""
    size = max(LEAST, _fit(text, size, room))
    while text and advance(text) * size * NARROWEST / EM > room + 0.5:
        text = text[:-1]
    return text.rstrip("- /"), size


def _fit(text: str, size: float, room: float) -> float:
    """Return the size at which a text is no wider than the room."""
    wide = advance(text) * size / EM
    return size if wide <= room else size * room / wide
