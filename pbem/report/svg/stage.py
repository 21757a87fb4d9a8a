"""Events of a stage drawn over the map: moves as arrows, retreats, supply used, battles, losses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import pairwise
from math import hypot
from typing import Any, Literal

from pbem.model.meaning import Meaning
from pbem.report.losses import counted
from pbem.report.reader import View
from pbem.report.svg.canvas import Canvas
from pbem.report.svg.letters import number
from pbem.text.dataclass import dataclass

BURST = (
    "M0-11l2.6 5 5.2-3.4-.9 6.1 6.1.8-4.8 3.9 3.6 5-6.1-.8-.4 6.2-5.3-3.9-5.3 3.9-.4-6.2-6.1.8 "
    "3.6-5-4.8-3.9 6.1-.8-.9-6.1 5.2 3.4z"
)
SWORDS = "M-5-5l10 10m0-10l-10 10m-1.6-3l3 3m8.8-3l-3 3"
TIP = 34  # how far from the middle of a hex an arrow ends: at its edge, where it hides no counter
START, LEFT = 22, 13  # how far from it one begins: where counters stand, and where they have left
LANE = 3.4  # distance of arrows over the same hexes; LANES are on each side
LANES = 4
ASIDE = 15  # shift of an arrow that goes straight up or down, off the hex numbers
DASHES = {"land": "", "attack": "", "sea": "10 4", "air": "2 4", "drop": "2 4 8 4"}
Outcome = Literal["", "stopped", "beaten"]
Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Arrow:
    """Counters that went from hex to hex.

    `by`: land, sea, air, drop, attack or retreat; `outcome`: stopped or beaten back, if they did not arrive.
    """

    owner: str
    way: tuple[int, ...]
    by: str
    count: int
    outcome: Outcome = ""


@dataclass(frozen=True)
class Stream:
    """Supply of an owner that went a way, all of the stage together."""

    owner: str
    way: tuple[int, ...]
    amount: int


@dataclass(frozen=True)
class Happened:
    """The events of a stage on the map.

    Arrows, streams, and the number of battles and losses by hex; `ended`: the battles that ended there and
    began elsewhere.
    """

    arrows: tuple[Arrow, ...]
    battles: Mapping[int, int]
    losses: Mapping[int, int]
    streams: tuple[Stream, ...] = ()
    ended: Mapping[int, int] = field(default_factory=dict)


def movers(view: View, events: Iterable[Fields]) -> frozenset[str]:
    """Return the counters that moved in these events."""
    meant = (view.means(event) for event in events)
    return frozenset(id for meaning in meant if "move" in meaning.tells for id in meaning.units)


def happened(canvas: Canvas, events: Iterable[Fields]) -> Happened:
    """Return the moves, retreats, battles and losses that events declare."""
    arrows: dict[tuple[str, tuple[int, ...], str, Outcome], int] = {}
    battles: dict[int, int] = {}
    losses: dict[int, int] = {}
    streams: dict[tuple[str, tuple[int, ...]], int] = {}
    ended: dict[int, int] = {}
    listed = list(events)
    beaten = _beaten(canvas, listed)
    began: int | None = None
    counts = bool(canvas.view.wording.of("quantities"))
    for event in listed:
        meaning = canvas.view.means(event)
        for way, by, count in _ways(canvas, meaning, str(event.get("event", ""))):
            whose = next(
                (power for power in (*meaning.attackers, *meaning.losers) if power in canvas.owners), ""
            )
            lost = (whose, way[-1]) in beaten and by != "retreat"
            outcome: Outcome = "beaten" if lost else "stopped" if meaning.stopped else ""
            key = (whose, way, by, outcome)
            arrows[key] = arrows.get(key, 0) + count
        for flow in meaning.flows:
            stops = [_hex(canvas, place) for place in (flow.origin, flow.via, flow.goal) if place]
            line = tuple(hex for n, hex in enumerate(stops) if hex is not None and hex not in stops[:n])
            whose = next((power for power in meaning.players if power in canvas.owners), "")
            streams[whose, line] = streams.get((whose, line), 0) + flow.amount
        hex = next((hex for place in meaning.here if (hex := _hex(canvas, place)) is not None), None)
        if "battle" in meaning.tells and hex is not None:
            battles[hex] = battles.get(hex, 0) + 1
        began = hex if "battle" in meaning.tells else began
        amount, where = sum(counted(event, canvas.view).values()), hex if hex is not None else began
        if (amount or ("loss" in meaning.tells and not counts)) and where is not None:
            losses[where] = losses.get(where, 0) + max(1, amount)
        if "outcome" in meaning.tells and hex is not None and hex != began:
            signs = ended if began is not None else battles  # of a battle that an earlier stage began
            signs[hex] = signs.get(hex, 0) + 1
    drawn = tuple(Arrow(*key[:3], count, key[3]) for key, count in arrows.items())
    carried = tuple(Stream(*key, amount) for key, amount in streams.items() if len(key[1]) > 1)
    return Happened(drawn, battles, losses, carried, ended)


def _beaten(canvas: Canvas, events: Iterable[Fields]) -> set[tuple[str, int]]:
    """Return (attacker, hex) of the battles whose outcome names a defender first, as the holder."""
    beaten: set[tuple[str, int]] = set()
    attackers: tuple[str, ...] = ()
    defenders: tuple[str, ...] = ()
    began: int | None = None
    for event in events:
        meaning = canvas.view.means(event)
        here = next((hex for place in meaning.here if (hex := _hex(canvas, place)) is not None), None)
        if "battle" in meaning.tells:
            attackers, defenders, began = meaning.attackers, meaning.defenders, here
        elif "outcome" in meaning.tells and began is not None:
            if meaning.players and meaning.players[0] in defenders:
                beaten |= {(power, began) for power in attackers}
    return beaten


def _ways(canvas: Canvas, meaning: Meaning, kind: str) -> Iterator[tuple[tuple[int, ...], str, int]]:
    """Yield the ways of an event, their kind and count.

    A move is one way to its end; a retreat has one for each end.
    """
    hexes = [
        [_hex(canvas, place) for place in part] for part in (meaning.origins, meaning.way, meaning.goals)
    ]
    origins, way, goals = ([hex for hex in part if hex is not None] for part in hexes)
    if "move" in meaning.tells:
        hexes_passed = [*origins, *way, *goals]
        count = meaning.count if meaning.count is not None else max(1, len(meaning.units))
        by = str(canvas.look.part("moves").get(kind, "land"))
        ways = [
            (
                tuple(hex for n, hex in enumerate(hexes_passed) if n == 0 or hex != hexes_passed[n - 1]),
                by,
                count,
            )
        ]
    elif "battle" in meaning.tells and origins:
        here = [hex for place in meaning.here if (hex := _hex(canvas, place)) is not None][:1]
        ways = [
            ((origin, here[0]), "attack", 1) for origin in dict.fromkeys(origins) if here != [origin] and here
        ]
    elif "retreat" in meaning.tells:
        ends = dict.fromkeys(hex for hex in goals if hex not in origins)
        ways = [((*origins, *way, end), "retreat", 1) for end in ends]
    else:
        ways = []
    yield from (drawn for drawn in ways if len(drawn[0]) > 1)


def _hex(canvas: Canvas, value: object) -> int | None:
    return canvas.sheet.get(value)


# ---- drawing -------------------------------------------------------------------------------------


def arrows(canvas: Canvas, events: Happened) -> tuple[str, str]:
    """Return the arrows' parts under and over the counters.

    Over them are heads, outcomes and counts. Arrows over the same hexes are side by side.
    """
    canvas.rule(
        "case",
        "fill:none;stroke:#fffdf4;stroke-width:6;stroke-opacity:.85;stroke-linecap:round",
        "stroke:#14130f",
    )
    canvas.rule("way", "fill:none;stroke-width:3;stroke-linecap:round;stroke-linejoin:round")
    canvas.rule("tip", "stroke:#fffdf4;stroke-width:1;stroke-linejoin:round", "stroke:#14130f")
    shown = sorted(events.arrows, key=lambda arrow: arrow.by == "retreat")
    drawn = [_arrow(canvas, arrow, lane) for arrow, lane in zip(shown, _lanes(shown), strict=True)]
    return _ghosts(canvas, shown) + "".join(under for under, _ in drawn), "".join(over for _, over in drawn)


def _lanes(listed: Sequence[Arrow]) -> list[float]:
    """Return how far aside each arrow is.

    There are as many lanes as arrows with a common part, closer if there are too many.
    """
    taken: dict[frozenset[int], set[int]] = {}
    lanes: list[int] = []
    for arrow in listed:
        parts = [frozenset(pair) for pair in pairwise(arrow.way)]
        used = set().union(*(taken.get(part, set()) for part in parts)) if parts else set()
        lane = next(n for n in range(len(used) + 1) if n not in used)
        for part in parts:
            taken.setdefault(part, set()).add(lane)
        lanes.append(lane)
    crowd = [
        max((max(taken[frozenset(pair)]) for pair in pairwise(arrow.way)), default=0) for arrow in listed
    ]
    asides: list[float] = []
    for lane, most in zip(lanes, crowd, strict=True):
        side = (lane + 1) // 2 * (1 if lane % 2 else -1)
        asides.append(side * LANE * min(1.0, 2 * LANES / max(1, most)))
    return asides


def _ghosts(canvas: Canvas, listed: Sequence[Arrow]) -> str:
    """Return outlines of counters where an arrow begins and none of its owner is left."""
    empty = {(arrow.way[0], arrow.owner) for arrow in listed if not _stands(canvas, arrow)}
    if not empty:
        return ""
    canvas.rule(
        "ghost", "fill:#fffdf4;fill-opacity:.45;stroke-width:1.6;stroke-dasharray:3 2.4", "fill:#14130f"
    )
    made = ""
    for hex, owner in sorted(empty):
        x, y = canvas.sheet.centre(hex)
        tone = canvas.owner_class(owner) if owner else _nobodys(canvas)
        made += f'<rect class="ghost {tone}" x="{x - 11}" y="{y - 11}" width="22" height="22" rx="3"/>'
    return made


def _stands(canvas: Canvas, arrow: Arrow) -> bool:
    """Return True if a counter of an arrow's owner is where it begins."""
    ids = canvas.view.position.at(canvas.sheet.chart.number(arrow.way[0]))
    return any(arrow.owner in ("", canvas.view.owner(id)) for id in ids)


def _nobodys(canvas: Canvas) -> str:
    return canvas.rule("any", "fill:none;stroke:#4a4334", "stroke:#e8e0c8")


def _arrow(canvas: Canvas, arrow: Arrow, aside: float) -> tuple[str, str]:
    points = _shifted([canvas.sheet.centre(hex) for hex in arrow.way], aside)
    if any(abs(a[0] - b[0]) < 1 and abs(a[1] - b[1]) > 1 for a, b in pairwise(points)):
        points = [(x + ASIDE, y) for x, y in points]
    (px, py), (x, y) = points[-2], points[-1]
    long = hypot(x - px, y - py) or 1.0
    ux, uy = (x - px) / long, (y - py) / long
    tip = min(TIP, long / 2)
    x, y = x - tip * ux, y - tip * uy
    points[0] = _on_from(points[0], points[1], START if _stands(canvas, arrow) else LEFT)
    straight = arrow.by in ("land", "sea", "attack", "retreat")
    path = _path([*points[:-1], (x - 4 * ux, y - 4 * uy)], bend=not straight)
    tone = canvas.owner_class(arrow.owner) if arrow.owner else _nobodys(canvas)
    dash = "3 5" if arrow.by == "retreat" else DASHES[arrow.by]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    head = _head(x, y, ux, uy)
    fill = f"{tone}f tip" if arrow.owner else "site tip"
    over = f'<path class="{fill}" d="{head}"/>'
    if arrow.by == "retreat":
        over = f'<path class="way {tone}" d="{_open_head(x, y, ux, uy)}"/>'
    if arrow.outcome:
        over += f'<path class="way {tone}" d="{_bar(arrow.outcome, x, y, ux, uy)}"/>'
    over += _count(canvas, arrow, points) if arrow.count > 1 else ""
    return f'<path class="case" d="{path}"/><path class="way {tone}" d="{path}"{dashed}/>', over


def _on_from(start: tuple[float, float], to: tuple[float, float], far: float) -> tuple[float, float]:
    """Return a point a little further, so that counters that stay are not crossed out."""
    (x, y), (a, b) = start, to
    long = hypot(a - x, b - y) or 1.0
    far = min(far, long / 3)
    return x + far * (a - x) / long, y + far * (b - y) / long


def _shifted(points: Sequence[tuple[int, int]], aside: float) -> list[tuple[float, float]]:
    """Return a way shifted aside: to the same side in both directions."""
    (ax, ay), (bx, by) = points[0], points[-1]
    if (ax, ay) > (bx, by):  # the same side for both directions
        (ax, ay), (bx, by) = (bx, by), (ax, ay)
    long = hypot(bx - ax, by - ay) or 1.0
    dx, dy = -aside * (by - ay) / long, aside * (bx - ax) / long
    return [(x + dx, y + dy) for x, y in points]


def _path(points: Sequence[tuple[float, float]], *, bend: bool) -> str:
    (x, y), *rest = points
    if bend and len(points) == 2:
        (tx, ty) = rest[0]
        mx, my = (x + tx) / 2 - (ty - y) / 6, (y + ty) / 2 + (tx - x) / 6
        return f"M{number(x)} {number(y)}Q{number(mx)} {number(my)} {number(tx)} {number(ty)}"
    return f"M{number(x)} {number(y)}" + "".join(f"L{number(a)} {number(b)}" for a, b in rest)


def _head(x: float, y: float, ux: float, uy: float) -> str:
    corners = [
        (x + 7 * ux, y + 7 * uy),
        (x - 5 * ux - 6 * uy, y - 5 * uy + 6 * ux),
        (x - 5 * ux + 6 * uy, y - 5 * uy - 6 * ux),
    ]
    return "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners) + "z"


def _open_head(x: float, y: float, ux: float, uy: float) -> str:
    corners = [(x - 6 * ux - 6 * uy, y - 6 * uy + 6 * ux), (x, y), (x - 6 * ux + 6 * uy, y - 6 * uy - 6 * ux)]
    return "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners)


def _bar(outcome: str, x: float, y: float, ux: float, uy: float) -> str:
    """Return a bar before the head of a stopped arrow, or a cross for one beaten back."""
    if outcome == "stopped":
        a, b = (x + 10 * ux - 9 * uy, y + 10 * uy + 9 * ux), (x + 10 * ux + 9 * uy, y + 10 * uy - 9 * ux)
        return f"M{number(a[0])} {number(a[1])}L{number(b[0])} {number(b[1])}"
    x, y = x - 13 * ux, y - 13 * uy
    across, other = (ux - uy) * 7, (ux + uy) * 7
    return (
        f"M{number(x - across)} {number(y - other)}L{number(x + across)} {number(y + other)}"
        f"M{number(x - other)} {number(y + across)}L{number(x + other)} {number(y - across)}"
    )


def _count(canvas: Canvas, arrow: Arrow, points: Sequence[tuple[float, float]]) -> str:
    (ax, ay), (bx, by) = points[0], points[1]
    x, y = (ax + bx) / 2, (ay + by) / 2
    canvas.rule("chip", "fill:#fffdf4;stroke:#4a4334;stroke-width:1", "fill:#14130f;stroke:#e8e0c8")
    text = canvas.letters.text(str(arrow.count), x, y + 3.2, 9, "middle", ' class="plain"')
    return f'<circle class="chip" cx="{number(x)}" cy="{number(y)}" r="6.5"/>{text}'


def streams(canvas: Canvas, events: Happened) -> str:
    """Return supply as beads on a line from its source to where it was used, with the amount at the
    end.
    """
    canvas.rule("bead", "fill:none;stroke-width:4;stroke-linecap:round;stroke-dasharray:.1 7")
    canvas.rule("thread", "fill:none;stroke-width:1.2;stroke-opacity:.75")
    shown = ""
    for order, stream in enumerate(events.streams):
        points = _shifted([canvas.sheet.centre(hex) for hex in stream.way], (order % 5 - 2) * LANE)
        tone = canvas.owner_class(stream.owner)
        path = _path(points, bend=True)
        shown += f'<path class="thread {tone}" d="{path}"/><path class="bead {tone}" d="{path}"/>'
        shown += _amount(canvas, stream.owner, str(stream.amount), points)
    return shown


def _amount(canvas: Canvas, owner: str, text: str, points: Sequence[tuple[float, float]]) -> str:
    (ax, ay), (bx, by) = points[-2], points[-1]
    x, y = bx - (bx - ax) / 3, by - (by - ay) / 3
    return tag(canvas, owner, text, x, y)


def tag(canvas: Canvas, owner: str, text: str, x: float, y: float) -> str:
    """Return a small plate with a number in the owner's colour."""
    canvas.rule("plate", "fill:#fffdf4;stroke-width:1.2", "fill:#14130f")
    wide = 8 + 5 * len(text)
    box = f'<rect class="plate {canvas.owner_class(owner)}" x="{number(x - wide / 2)}" y="{number(y - 5)}" '
    canvas.rule("plain", "fill:#2b2720", "fill:#f3eddb")
    written = canvas.letters.text(text, x, y + 3, 8, "middle", ' class="plain"')
    return f'{box}width="{wide}" height="10" rx="3"/>{written}'


def battles(canvas: Canvas, events: Happened) -> str:
    """Return a burst with crossed swords at each battle, and the losses there."""
    shown = ""
    for hex in sorted(events.battles):
        x, y = canvas.sheet.centre(hex)
        shown += f'<use href="#{burst(canvas)}" x="{x + 39}" y="{y + 9}"/>'
    for hex in sorted(events.ended):
        x, y = canvas.sheet.centre(hex)
        shown += (
            f'<use href="#{ember(canvas)}" x="{x + 39}" y="{y + (-14 if hex in events.battles else 9)}"/>'
        )
    for hex, count in sorted(events.losses.items()):
        x, y = canvas.sheet.centre(hex)
        shown += chip(canvas, count, x - 39, y + 8)
    return shown


def burst(canvas: Canvas) -> str:
    """Return the id of the sign of a battle."""
    canvas.rule("burst", "fill:#ffd23f;stroke:#5a1e0e;stroke-width:1.2;stroke-linejoin:round")
    canvas.rule("swords", "fill:none;stroke:#5a1e0e;stroke-width:1.5;stroke-linecap:round")
    inner = f'<path class="burst" d="{BURST}"/><path class="swords" d="{SWORDS}"/>'
    return canvas.define("burst", f'<g id="@">{inner}</g>')


def ember(canvas: Canvas) -> str:
    """Return the id of the sign of a battle that began elsewhere and ended here."""
    canvas.rule("ember", "fill:#fff3c4;stroke:#5a1e0e;stroke-width:1.6;stroke-dasharray:3 2")
    canvas.rule("swords", "fill:none;stroke:#5a1e0e;stroke-width:1.5;stroke-linecap:round")
    inner = f'<path class="ember" d="{BURST}"/><path class="swords" d="{SWORDS}"/>'
    return canvas.define("ember", f'<g id="@">{inner}</g>')


def chip(canvas: Canvas, count: int, x: int, y: int) -> str:
    """Return the number of counters lost."""
    canvas.rule("lost", "fill:#2b2720;stroke:#fffdf4;stroke-width:1")
    box = f'<rect class="lost" x="{x - 9}" y="{y - 5}" width="18" height="11" rx="5"/>'
    return box + canvas.letters.text(f"−{count}", x, y + 3.4, 9, "middle", ' fill="#fff"')


def ghost_sample(canvas: Canvas) -> str:
    """Return the outline of a counter that has left, for the key."""
    return f'<rect class="ghost {_nobodys(canvas)}" x="-11" y="-11" width="22" height="22" rx="3"/>'


def stream_sample(canvas: Canvas) -> str:
    """Return a short stream for the key."""
    _nobodys(canvas)
    canvas.rule("bead", "fill:none;stroke-width:4;stroke-linecap:round;stroke-dasharray:.1 7")
    return '<path class="bead any" d="M-14 0h28"/>'


def sample(canvas: Canvas, by: str) -> str:
    """Return a short arrow for the key."""
    _nobodys(canvas)
    dash = DASHES.get(by, "3 5")
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    if by in ("stopped", "beaten"):
        bar = "M13-8v16" if by == "stopped" else "M-8-6l12 12m0-12l-12 12"
        return f'<path class="way any" d="M-14 0h18M4-5l7 5-7 5{bar}"/>'
    head = "M5-6l8 6-8 6" + ("" if by == "retreat" else "z")
    return f'<path class="way any" d="M-14 0h18"{dashed}/><path class="way any" d="{head}"/>'
