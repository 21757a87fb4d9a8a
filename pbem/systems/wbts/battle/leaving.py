"""Who leaves a battle and where everybody goes: required, overrun, voluntary (4.8.11 to 4.8.13).

One list of `Leaver`s serves options, check, default and execution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..command import commanded_hq, roster
from ..handling import Arrival, destroy, move, remove, settle_rosters
from ..pieces import Board, is_leader, is_unit, leader, leaders, unit, units
from ..statics import TRAINS
from .retreats import barred, exempt_hex, fort_room, places, preferred, weight
from .state import Battle, attacking, in_target

Why = Literal["required", "overrun", "voluntary"]
STAY, FORT = "stay", "fort"


@dataclass(frozen=True)
class Leaver:
    """One that leaves or may leave a hex; `places` are its legal hexes, the default first."""

    id: str
    start: str
    must: bool
    places: tuple[str, ...]

    @property
    def nowhere(self) -> bool:
        """It has no legal hex."""
        return not self.places


@dataclass(frozen=True)
class Outcome:
    """What came of it: destination of each that left, who was destroyed, who went into the fort."""

    moved: dict[str, str]
    destroyed: tuple[str, ...]
    sheltered: tuple[str, ...]
    came: tuple[Arrival, ...] = ()


def leavers(board: Board, battle: Battle, side: str, why: Why) -> list[Leaver]:
    """Everybody who must or may leave, units first, then HQs, then leaders, each by id."""
    if side == battle.attacker:
        found = _of_attacker(board, battle, why)
    else:
        found = _of_defender(board, battle, why)
    return sorted(found, key=lambda one: (_rank(board, one.id), one.id))


def _rank(board: Board, id: str) -> int:
    if is_leader(board, id):
        return 2
    return 1 if unit(board, id).is_hq else 0


def _leaver(board: Board, id: str, start: str, must: bool) -> Leaver:
    return Leaver(id, start, must, tuple(places(board, id, start)))


def _of_attacker(board: Board, battle: Battle, why: Why) -> list[Leaver]:
    """The surviving attackers; leaders, HQs and trains in their hexes may go along."""
    going = attacking(board, battle)
    found = [_leaver(board, u.id, u.hex, why != "voluntary") for u in going]
    for hex in dict.fromkeys(u.hex for u in going):
        if battle.naval:
            aboard = [who.id for who in leaders(board, battle.attacker, hex) if who.naval]
            found += [_leaver(board, id, hex, False) for id in aboard]
            continue
        along = [u.id for u in units(board, battle.attacker, hex) if u.is_hq or u.type in TRAINS]
        along += [each.id for each in leaders(board, battle.attacker, hex) if not each.naval]
        found += [_leaver(board, id, hex, False) for id in along]
    return found


def _of_defender(board: Board, battle: Battle, why: Why) -> list[Leaver]:
    """Everything on land in the target; who is inside a fort or in an exempt hex need not go (5.5, R-29)."""
    target = battle.target
    excused = why == "voluntary" or (
        why == "required" and exempt_hex(board, target, battle.defender) is not None
    )
    behind = why == "required" and any(is_unit(board, id) for id in battle.inside)
    found = []
    for each in in_target(board, battle):
        if why == "voluntary" and (each.is_static or each.id in battle.required):
            continue
        safe = excused or (behind and (each.id in battle.inside or each.is_hq))
        found.append(_leaver(board, each.id, target, not safe))
    for who in leaders(board, battle.defender, target):
        if not who.naval and not (why == "voluntary" and who.id in battle.required):
            found.append(_leaver(board, who.id, target, not (excused or behind)))
    return found


def room_inside(board: Board, battle: Battle, side: str, why: Why) -> dict[str, int]:
    """Room in an own fort by hex, for those who must leave; empty in an overrun (R-19)."""
    if why != "required":
        return {}
    rooms: dict[str, int] = {}
    for hex in battle.hexes(side):
        staying = list(battle.inside) if side == battle.defender else _not_leaving(board, battle, hex)
        room = fort_room(board, hex, side, staying)
        if room >= 0:
            rooms[hex] = room
    return rooms


def _not_leaving(board: Board, battle: Battle, hex: str) -> list[str]:
    return [each.id for each in units(board, battle.attacker, hex) if each.id not in battle.attackers]


def settled(
    board: Board, battle: Battle, side: str, why: Why, answer: Mapping[str, str]
) -> dict[str, str | None]:
    """Where everybody goes by an answer and the defaults: a hex, `fort`, `stay`, or None for nowhere."""
    listed = leavers(board, battle, side, why)
    rooms = room_inside(board, battle, side, why)
    found: dict[str, str | None] = {}
    for one in listed:
        if one.id in answer:
            found[one.id] = answer[one.id]
            if answer[one.id] == FORT:
                rooms[one.start] -= weight(board, one.id)
    for one in listed:
        if one.id not in found:
            found[one.id] = _default(board, one, listed, found, rooms)
    return found


def _default(
    board: Board,
    one: Leaver,
    listed: Sequence[Leaver],
    found: Mapping[str, str | None],
    rooms: dict[str, int],
) -> str | None:
    """Units: stay if they may, else the first legal hex, else the fort. HQs and leaders go with their
    people.
    """
    if _rank(board, one.id) or (not one.must and unit(board, one.id).type in TRAINS):
        lead = _followed(board, one, listed, found)
        if lead in (FORT, STAY) or (
            lead is not None and not barred(board, one.id, one.start, lead, led=True)
        ):
            return lead
    if not one.must:
        return STAY
    if one.places:
        return one.places[0]
    if rooms.get(one.start, -1) >= weight(board, one.id):
        rooms[one.start] -= weight(board, one.id)
        return FORT
    return None


def _followed(
    board: Board, one: Leaver, listed: Sequence[Leaver], found: Mapping[str, str | None]
) -> str | None:
    """Where those go whom an HQ, a leader or a train goes with; None if that is open.

    An HQ goes with its roster, a leader with his HQ; all others go once no combat unit stays in the hex.
    """
    mates: list[str] = []
    if is_leader(board, one.id):
        hq = commanded_hq(board, one.id)
        if hq is not None and hq.id in found:
            return found[hq.id]
    elif unit(board, one.id).is_hq:
        mates = [id for id in roster(board, one.id) if unit(board, id).hex == one.start]
    if not mates:
        here = units(board, _side(board, one.id), one.start)
        afloat = is_leader(board, one.id) and leader(board, one.id).naval
        mates = [u.id for u in here if (u.is_naval if afloat else u.is_combat)]
    goals = [found.get(id, STAY) for id in mates]
    if any(goal == STAY for goal in goals) or not goals:
        return None if one.must else STAY
    return next((goal for goal in goals if goal is not None), None)


def _side(board: Board, id: str) -> str:
    return str(board.position.counters[id]["side"])


def wished(listed: Iterable[Leaver], board: Board, prefer: Sequence[str], *, all_go: bool) -> dict[str, str]:
    """The answer of a standing order: units that must (or, with `all_go`, can) leave, to hexes they prefer.

    HQs and leaders are left out: by default they go with their people.
    """
    return {
        one.id: preferred(one.places, prefer)
        for one in listed
        if one.places and not _rank(board, one.id) and (one.must or all_go)
    }


def execute(board: Board, side: str, plan: Mapping[str, str | None]) -> Outcome:
    """Move everybody at once; who has nowhere to go is destroyed, but a leader waits for 4.8.16, his HQ
    with him.
    """
    by_goal: dict[str, list[str]] = {}
    destroyed: list[str] = []
    for id, goal in plan.items():
        if goal is None:
            if not _waits(board, id):
                destroyed.append(id)
        elif goal not in (STAY, FORT):
            by_goal.setdefault(goal, []).append(id)
    moved = {id: goal for goal, ids in by_goal.items() for id in ids}
    came = tuple(move(board, ids, goal, settle=False) for goal, ids in by_goal.items())
    for id in destroyed:
        if is_unit(board, id):
            wipe_out(board, id)
    settle_rosters(board, side)
    sheltered = tuple(id for id, goal in plan.items() if goal == FORT)
    return Outcome(moved, tuple(destroyed), sheltered, came)


def _waits(board: Board, id: str) -> bool:
    """A leader, or an HQ whose commander is with it."""
    if is_leader(board, id):
        return True
    hq = unit(board, id)
    return hq.is_hq and any(
        commanded_hq(board, each.id) is not None and leader(board, each.id).hq == id
        for each in leaders(board, hq.side, hq.hex)
    )


def wipe_out(board: Board, id: str) -> int:
    """A unit is destroyed with its supply; gives its points, which count as losses."""
    if unit(board, id).is_hq:
        remove(board, id)
        return 0
    return destroy(board, id)
