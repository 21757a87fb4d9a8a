"""A few lines about a scenario that came with a game, for the people who are to sign."""

from __future__ import annotations

from pathlib import Path

from pbem.engine.adjudicate import start
from pbem.engine.powers import seats_at_start
from pbem.engine.scenarios.whole_scenario import WholeScenario
from pbem.engine.system import System
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message
from pbem.workshop.differences import differences
from pbem.workshop.folders import SCENARIO, is_folder, read_folder

MOST_BESIDE = 200
"""Files and folders that are looked at for a scenario of one's own."""
MOST_SHOWN = 12
"""Differences of two scenarios that are listed."""


def own_lines(system: System, whole: WholeScenario) -> list[str]:
    """Return what to know of a scenario that is not the package's, [] for one that is.

    `system` is the installed one. The scenario is compared with the packaged one of its name, or with the one
    that differs least.
    """
    if whole.id in system.scenarios() and system.whole(whole.id).bytes == whole.bytes:
        return []
    lines: list[str] = [
        Message(
            "workshop.telling.own",
            title=str(whole.data.get("title", "")),
            id=whole.id,
            source=str(whole.about.get("source", "")),
            licence=str(whole.about.get("licence", "")),
        ),
        *holds(system, whole),
    ]
    near, differing = min(
        ((name, differences(system, system.whole(name), whole)) for name in system.scenarios()),
        key=lambda pair: (pair[0] != whole.id, len(pair[1])),
    )
    lines.append(Message("workshop.telling.differs", name=near, count=len(differing)))
    return [*lines, *_first(differing)]


def _first(differing: list[Message]) -> list[Message]:
    """Return as many differences as a reader reads, and how many more there are."""
    if len(differing) <= MOST_SHOWN:
        return differing
    more = Message("workshop.differences.more", count=len(differing) - MOST_SHOWN)
    return [*differing[:MOST_SHOWN], more]


def beside_mine(system: System, whole: WholeScenario, around: Path) -> list[str]:
    """Return how a scenario differs from folders of the same id in a folder that somebody works in.

    Two authors may hold the same scenario with one river changed, and only one of them travels.
    """
    lines: list[str] = []
    beside = sorted(around.iterdir()) if around.is_dir() else []
    for root in [around, *beside][:MOST_BESIDE]:
        mine = _mine(root, whole)
        if mine is None:
            continue
        if mine.bytes == whole.bytes:
            lines.append(Message("workshop.telling.mine", folder=root.name))
            continue
        differing = differences(system, mine, whole)
        lines.append(Message("workshop.telling.differs-from-mine", folder=root.name, count=len(differing)))
        lines += _first(differing)
    return lines


def _mine(root: Path, whole: WholeScenario) -> WholeScenario | None:
    """Return the scenario in a folder if it has this id; None for others, and for folders with faults."""
    try:
        head = read_folder(root, check=False).documents.get(SCENARIO) if is_folder(root) else None
        if head is None or not isinstance(head.data, dict) or head.data.get("id") != whole.id:
            return None
        mine = read_folder(root).whole
    except (Refused, OSError):
        return None
    return mine if mine is not None and mine.system == whole.system else None


def holds(system: System, whole: WholeScenario) -> list[str]:
    """Return the size of the map, in hexes or areas, and how many counters each seat begins with."""
    own = system.with_scenario(whole)
    state = start(own, whole.id)
    chart = own.map_of(own.world(whole.id, state.options))
    lines: list[str] = []
    if chart is not None and chart.hexes:
        lines.append(Message("workshop.telling.map", hexes=len(chart.hexes)))
    elif chart is not None:
        lines.append(Message("workshop.telling.areas", count=len(chart.areas)))
    powers = seats_at_start(whole.data)
    for seat in state.players:
        names = {seat, *(power for power, of in powers.items() if of == seat)}
        held = [
            id
            for id, counter in state.position.counters.items()
            if names & {str(v) for v in counter.values()}
        ]
        lines.append(Message("workshop.telling.seat", seat=seat, count=len(held)))
    return lines
