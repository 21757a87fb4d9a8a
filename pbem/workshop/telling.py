"""A few lines about a scenario that came with a game, for whoever is to sign."""

from __future__ import annotations

from pbem.engine.adjudicate import start
from pbem.engine.powers import seats_at_start
from pbem.engine.scenarios.whole_scenario import WholeScenario
from pbem.engine.system import System
from pbem.text.messages import Message
from pbem.workshop.differences import differences


def own_lines(system: System, whole: WholeScenario, most: int = 12) -> list[str]:
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
    near, found = min(
        ((name, differences(system, system.whole(name), whole)) for name in system.scenarios()),
        key=lambda pair: (pair[0] != whole.id, len(pair[1])),
    )
    lines.append(Message("workshop.telling.differs", name=near, count=len(found)))
    lines += found[:most]
    if len(found) > most:
        lines.append(Message("workshop.differences.more", count=len(found) - most))
    return lines


def holds(system: System, whole: WholeScenario) -> list[str]:
    """Return the size of the map and how many counters each seat begins with."""
    own = system.with_scenario(whole)
    state = start(own, whole.id)
    chart = own.map_of(own.world(whole.id, state.options))
    lines: list[str] = []
    if chart is not None:
        lines.append(Message("workshop.telling.map", hexes=len(chart.hexes)))
    powers = seats_at_start(whole.data)
    for seat in state.players:
        names = {seat, *(power for power, of in powers.items() if of == seat)}
        held = [id for id, one in state.position.counters.items() if names & {str(v) for v in one.values()}]
        lines.append(Message("workshop.telling.seat", seat=seat, count=len(held)))
    return lines
