"""The map in sentences, by importance, without a drawing: contacts, own counters, others, places.

Neighbours and places come first. Distances and directions take the place of the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.board.map import GameMap
from pbem.report.muster import Force, Stack, in_one_line
from pbem.report.plain import capital, heading, safe, wrapped
from pbem.report.reader import View
from pbem.report.structure import Report
from pbem.text.dataclass import dataclass

# a sector of the compass ends where one difference is 414/1000 of the other, the tangent of 22.5 degrees
_NARROW = 414
# between the middles of hexes, times 1000 with a side of 1: from line to line, half a hex along one
_ACROSS, _HALF_DOWN = 1500, 866


@dataclass(frozen=True)
class Part:
    """A heading and its sentences."""

    title: str
    lines: tuple[str, ...]


def situation(report: Report) -> list[Part]:
    """Return the position in sentences: contacts, then every force, then the places."""
    view, say = report.view, report.words.say
    friends = {report.reader.id, *report.friends} if report.reader and not report.umpire else set()
    parts = [Part(say("state-of-the-game"), (*report.tracks, report.place))]
    if view.chart is not None:
        title = say("contacts" if friends else "side-by-side")
        parts.append(Part(title, tuple(_contacts(report, view.chart, friends))))
    own = [force for force in report.forces if force.owner in friends]
    for force in report.forces:
        parts.append(Part(_whose(force, report), tuple(_force(force, own, friends, view))))
    parts.append(Part(say("figures-mean"), report.figures_mean))
    if report.places:
        parts.append(Part(say("places"), tuple(_places(report))))
    return [part for part in parts if part.lines]


def render(report: Report) -> list[str]:
    """Return the parts as lines of 78 columns, each sentence on a new line."""
    lines: list[str] = []
    for part in situation(report):
        lines += heading(part.title)
        for text in part.lines:
            lines += wrapped(text, "", "  ")
    return lines[1:]


# ---- contacts ----------------------------------------------------------------------------------------


def _contacts(report: Report, chart: GameMap, friends: set[str]) -> Iterator[str]:
    """Yield each hex of the reader's side with adjacent or present enemies, most of them first.

    Without a reader: all adjacent enemies, each pair once.
    """
    view = report.view
    contacts: list[tuple[int, str, str]] = []
    for n, force in enumerate(report.forces):
        if friends and force.owner not in friends:
            continue
        others = [f for f in report.forces if f.owner not in friends] if friends else report.forces[n + 1 :]
        for stack in (held for held in force.stacks if held.groups):
            near = list(_near(stack, others, chart, view))
            if near:
                count = sum(number for number, _ in near)
                names = {"where": where(stack.hex, view), "own": _owned(force, stack, view)}
                line = view.wording.say("contact", **names, near="; ".join(text for _, text in near))
                contacts.append((-count, stack.hex, line))
    if not contacts:
        yield view.wording.say("no-contacts" if friends else "nobody-beside")
    for _, _, line in sorted(contacts):
        yield line


def _near(stack: Stack, others: Sequence[Force], chart: GameMap, view: View) -> Iterator[tuple[int, str]]:
    """Yield enemies in the hex of a stack and adjacent ones, with the hexsides between."""
    say, here = view.wording.say, chart.get(stack.hex)
    if here is None:
        return
    at = {
        (force.owner, other.hex): (force, other) for force in others for other in force.stacks if other.groups
    }
    for force in others:
        if (force.owner, stack.hex) in at:
            near = at[force.owner, stack.hex][1]
            same = "same-hex" if chart.kind(here) == "hex" else "same-place"
            yield near.count, say(same, who=_owned(force, near, view))
    for beside in sorted(chart.neighbours(here)):
        number = chart.number(beside)
        for force in others:
            if (force.owner, number) in at:
                near = at[force.owner, number][1]
                yield near.count, _beside(here, beside, _owned(force, near, view), chart, view)


def _beside(here: int, there: int, owner: str, chart: GameMap, view: View) -> str:
    """Return who is across a hexside, with its kinds, or at the other end of a link."""
    say, where_there = view.wording.say, where(chart.number(there), view)
    direction = chart.heading(here, there)
    if direction is None:
        kinds = ", ".join(safe(view.wording.text(kind)) for kind in chart.networks(here, there))
        return say("linked", where=where_there, who=owner, kinds=kinds)
    between = [view.wording.text(kind) for kind in chart.hexside_kinds(here, there)]
    shown = say("beside", direction=say(f"to-{direction}"), where=where_there, who=owner)
    return shown + (f" ({', '.join(between)})" if between else "")


# ---- forces and places -------------------------------------------------------------------------------


def _whose(force: Force, report: Report) -> str:
    owner = capital(safe(report.words.text(force.owner))) or report.words.say("nobodys")
    return report.words.say("own-force" if force.own else "force", who=owner, count=force.count)


def _force(force: Force, own: Sequence[Force], friends: set[str], view: View) -> Iterator[str]:
    """Yield the stacks of a force: the reader's side by hex, others by their distance."""
    bases = [stack.hex for side in own for stack in side.stacks if stack.groups]
    stacks: list[tuple[int, str, str]] = []
    for stack in force.stacks:
        counters = stack.told(own=force.own)
        line = view.wording.say("stack", where=_place(stack.hex, view), counters=counters)
        distance = 0
        if force.owner not in friends and bases:
            near = _nearest(stack.hex, bases, view)
            if near is not None:
                distance, base = near
                line += "; " + _distance(distance, stack.hex, base, view)
        stacks.append((distance, stack.hex, line))
    for _, _, line in sorted(stacks):
        yield line


def _nearest(hex: str, bases: Iterable[str], view: View) -> tuple[int, str] | None:
    """Return the nearest of these and its distance; None if hexes cannot be counted."""
    if view.chart is None:
        return None
    here, known = view.chart.get(hex), [(view.chart.get(base), base) for base in bases]
    if here is None:
        return None
    far = [(view.chart.distance(here, at), base) for at, base in known if at is not None]
    return min(((steps, base) for steps, base in far if steps is not None), default=None)


def _distance(distance: int, hex: str, base: str, view: View) -> str:
    assert view.chart is not None
    if distance == 0:
        same = "same-hex-as" if view.chart.kind(view.chart.index(base)) == "hex" else "same-place-as"
        return view.wording.say(same, where=where(base, view))
    direction = view.wording.say(f"to-{compass(view.chart, base, hex)}")
    return view.wording.say("away", count=distance, direction=direction, where=where(base, view))


def compass(chart: GameMap, start: str, end: str) -> str:
    """Return which of the eight directions leads from one hex to another of its field: `NE`."""
    across, down = (a - b for a, b in zip(_centre(chart, end), _centre(chart, start), strict=True))
    vertical = "" if abs(down) * 1000 < abs(across) * _NARROW else ("S" if down > 0 else "N")
    horizontal = "" if abs(across) * 1000 < abs(down) * _NARROW else ("E" if across > 0 else "W")
    return vertical + horizontal


def _centre(chart: GameMap, number: str) -> tuple[int, int]:
    hex = chart.index(number)
    line, along = chart.spot(hex)
    across, down = line * _ACROSS, along * _HALF_DOWN
    return (down, across) if chart.pointy(hex) else (across, down)


def _places(report: Report) -> Iterator[str]:
    """Yield the places, the most valuable first, each with its garrison."""
    view = report.view
    here: dict[str, list[str]] = {}
    for force in report.forces:
        for stack in force.stacks:
            if stack.groups:
                owner = safe(view.wording.text(force.owner))
                counters = in_one_line([group.plain for group in stack.groups])
                here.setdefault(stack.hex, []).append(view.wording.say("owned", who=owner, counters=counters))
    worth = {(place.kind, place.hex): _worth(place.kind, place.hex, view) for place in report.places}
    for place in sorted(report.places, key=lambda p: (-worth[p.kind, p.hex], p.hex)):
        garrison = ", ".join(here.get(place.hex, [])) or view.wording.say("nobody-there")
        yield f"{place.hex} {place.text}: {garrison}"


def _worth(kind: str, hex: str, view: View) -> int:
    field, chart = view.wording.of("map").get("worth"), view.chart
    index = chart.get(hex) if chart is not None else None
    place = chart.place(kind, index) if chart is not None and index is not None else None
    value = place.data.get(field) if place is not None and field else 0
    return value if isinstance(value, int) else 0


def _owned(force: Force, stack: Stack, view: View) -> str:
    """Return who has what in a hex: `red IN4, AR3`."""
    counters = in_one_line([group.told(own=False) for group in stack.groups])
    return view.wording.say("owned", who=safe(view.wording.text(force.owner)), counters=counters)


def where(hex: str, view: View) -> str:
    """Return a hex with the name of a place in it."""
    words = (safe(hex), view.place_name(hex, signs=True))
    return " ".join(word for word in words if word) or view.wording.say("off-map")


def _place(hex: str, view: View) -> str:
    """Return a hex with the name of its place and its terrain."""
    index = view.chart.get(hex) if view.chart else None
    if view.chart is None or index is None:
        return where(hex, view)
    terrain = safe(view.wording.text(view.chart.terrain(index)))
    return (
        f"{where(hex, view)}, {terrain}" if terrain or view.chart.kind(index) == "hex" else where(hex, view)
    )
