"""Formations as a reader may know them: what a map from afar shows in place of six hundred counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pbem.board.map import GameMap
from pbem.report.reader import View
from pbem.report.svg.look import Kind
from pbem.text.dataclass import dataclass

NEAR = 4
"""So many hexes from its headquarters, or from its middle, a unit belongs to a formation that has no name."""
WIDER = (NEAR, 6, 9, 13)
MOST = 80
"""Formations that a drawing has room for; of more, those without a name are wider."""
MARKS = ("I", "II", "III", "X", "XX", "XXX", "XXXX", "XXXXX")
"""Sizes of units from the smallest up."""


@dataclass(frozen=True)
class Formation:
    """Units of one owner that belong together.

    `name`, `symbol` and `size` are empty where nobody may know. `place` is where one of them stands;
    `strength` of `full` is what they have left, 0 where nothing tells.
    """

    owner: str
    name: str
    units: tuple[str, ...]
    place: int
    symbol: str = ""
    arm: str = ""
    size: str = ""
    strength: int = 0
    full: int = 0


@dataclass(frozen=True)
class _Unit:
    """A counter in a hex of the map, as far as the view tells."""

    id: str
    owner: str
    hex: int
    kind: Kind | None = None
    formation: str = ""
    size: str = ""
    rank: int = 0
    strength: int = 0
    full: int = 0

    @property
    def commands(self) -> bool:
        return self.kind is not None and "headquarters" in self.kind.symbol


def formations(view: View) -> list[Formation]:
    """Return all formations: by name where the system gives one, else around headquarters, else by place.

    A hidden stack has neither a name nor strength.
    """
    chart = view.chart
    if chart is None:
        return []
    units = [unit for id in sorted(view.position.counters) if (unit := _unit(view, chart, id)) is not None]
    groups: dict[tuple[str, str], list[_Unit]] = {}
    left: list[_Unit] = []
    for unit in units:
        if unit.formation:
            groups.setdefault((unit.owner, unit.formation), []).append(unit)
        else:
            left.append(unit)
    made = [_made(chart, name, members) for (_, name), members in groups.items()]
    for head in [unit for unit in left if unit.commands]:
        members = [unit for unit in left if unit.owner == head.owner and _near(chart, unit, head)]
        mine = [unit for unit in members if unit is head or not unit.commands]
        taken = {unit.id for unit in mine}
        left = [unit for unit in left if unit.id not in taken]
        made.append(_made(chart, head.kind.label if head.kind else "", mine))
    clusters: list[list[_Unit]] = []
    for near in WIDER:
        clusters = list(_by_place(chart, left, near))
        if len(made) + len(clusters) <= MOST:
            break
    made += [_made(chart, "", members) for members in clusters]
    return sorted(
        made, key=lambda formation: (-len(formation.units), formation.owner, formation.name, formation.place)
    )


def _unit(view: View, chart: GameMap, id: str) -> _Unit | None:
    hex, counter = chart.get(view.position.hex(id) or ""), view.position.counters[id]
    if hex is None or chart.kind(hex) != "hex":
        return None
    owner, look = view.owner(id), view.look
    if not owner:
        return None
    if look.is_unknown(counter):
        return _Unit(id, owner, hex)
    counter = {"id": id, **view.printed.get(id, {}), **counter}
    kind, strength = look.kind(counter), look.strength(counter) or 0
    full = max(kind.steps[0], strength) if kind.steps and strength else strength
    return _Unit(
        id,
        owner,
        hex,
        kind,
        look.formation(counter),
        look.echelon(counter),
        look.rank(counter),
        strength,
        full,
    )


def _near(chart: GameMap, unit: _Unit, other: _Unit) -> bool:
    far = chart.distance(unit.hex, other.hex)
    return far is not None and far <= NEAR


def _by_place(chart: GameMap, units: Sequence[_Unit], far: int) -> Iterator[list[_Unit]]:
    """Return units that no formation claims, by where most of them stand; hidden ones for themselves."""
    at: dict[tuple[str, bool, int], list[_Unit]] = {}
    for unit in units:
        at.setdefault((unit.owner, unit.kind is None, unit.hex), []).append(unit)
    near = {key: [(*key[:2], hex) for hex in chart.within(key[2], far)] for key in at}
    crowd = {key: sum(len(at.get(other, ())) for other in near[key]) for key in at}
    for key in sorted(at, key=lambda key: (-crowd[key], key)):
        members = [unit for other in near[key] for unit in at.pop(other, ())] if key in at else []
        if members:
            yield members


def _made(chart: GameMap, name: str, members: Sequence[_Unit]) -> Formation:
    """Return a formation of some units, at the unit nearest to its middle, with its commonest arm."""
    known = [unit for unit in members if unit.kind is not None]
    fighting = [unit for unit in known if not unit.commands] or known
    arms: Counter[tuple[str, str]] = Counter()
    for unit in fighting:
        assert unit.kind is not None
        arms[unit.kind.symbol, unit.kind.name] += max(1, unit.strength)
    symbol, arm = min(arms, key=lambda look: (-arms[look], look), default=("", ""))
    sizes = [unit.size for unit in known if unit.size in MARKS]
    spots = [chart.spot(unit.hex) for unit in members]
    middle = [sum(spot[n] for spot in spots) // len(spots) for n in (0, 1)]
    place = min(
        (unit.hex for unit in members),
        key=lambda hex: (sum((a - b) ** 2 for a, b in zip(chart.spot(hex), middle, strict=True)), hex),
    )
    return Formation(
        members[0].owner,
        name,
        tuple(unit.id for unit in members),
        place,
        symbol,
        arm,
        max(sizes, key=MARKS.index, default=""),
        sum(unit.strength for unit in members),
        sum(unit.full for unit in members),
    )


def hexes_of(view: View, formation: Formation) -> list[int]:
    """Return the hexes where the units of a formation stand, in order."""
    chart = view.chart
    assert chart is not None
    places: Iterable[str] = (view.position.hex(id) or "" for id in formation.units)
    return sorted({hex for place in places if (hex := chart.get(place)) is not None})
