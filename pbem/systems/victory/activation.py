"""Which units a Player Turn activates (rule 4.3): all in round 1, those of revealed supply units later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.rules import Diagnostic

from .blocks import Board, Unit, supply_units, unit, units, world_of
from .initiative import current_round
from .moves import illegal
from .orders import Reveal
from .supply import Lines

RULE = "4.3.1"
MODES = ("local", "remote")


def in_local_range(board: Board, su: Unit) -> list[Unit]:
    """The owner's units within activation range of a supply unit by plain distance, by id (4.3.2)."""
    world = world_of(board)
    reach = world.numbers.su_local_range[su.cv - 1]
    return [u for u in units(board, su.owner) if world.distance(su.hex, u.hex) <= reach]


def remote_costs(board: Board, su: Unit, targets: Sequence[str]) -> dict[str, int]:
    """What each target costs a supply unit: less if it can trace supply to it (4.3.2)."""
    numbers = world_of(board).numbers
    lines = Lines(board, su.owner, [su.hex])
    return {
        id: numbers.remote_in_supply if lines.reach(unit(board, id).hex) else numbers.remote_otherwise
        for id in targets
    }


def activated(board: Board, player: str, reveals: Iterable[Reveal]) -> list[str]:
    """Ids of the units that these reveals activate, sorted; in round 1 all of the player's (4.3.2)."""
    if current_round(board) <= 1:
        return [u.id for u in units(board, player)]
    listed = list(reveals)
    found: dict[str, bool] = {}
    for one in listed:
        su = unit(board, one.su)
        chosen = [u.id for u in in_local_range(board, su)] if one.mode == "local" else one.targets
        found |= dict.fromkeys(chosen, True)
    face_up = [one.su for one in listed]
    return sorted(id for id in found if id not in face_up)


def is_own(board: Board, player: str, id: str) -> bool:
    """Whether a player has a unit of this id on the map."""
    return id in board.position.counters and unit(board, id).owner == player


def reveal_faults(board: Board, player: str, reveals: Sequence[Reveal]) -> Iterator[Diagnostic]:
    """Everything wrong with the reveals of a turn order; paths lead into the order (4.3.1, 4.3.2)."""
    if current_round(board) <= 1:
        if reveals:
            message = "all units are active in round 1; no supply unit is revealed"
            yield illegal("E-SU-07", RULE, message, "reveal")
        return
    if not reveals:
        mine = ", ".join(u.id for u in supply_units(board, player))
        yield illegal("E-SU-01", RULE, "reveal at least one supply unit", "reveal", help=(f"yours: {mine}",))
    for i in range(len(reveals)):
        yield from one_reveal_faults(board, player, reveals, i)


def one_reveal_faults(board: Board, player: str, reveals: Sequence[Reveal], i: int) -> Iterator[Diagnostic]:
    """Everything wrong with one of the reveals."""
    one = reveals[i]
    if not is_own(board, player, one.su) or unit(board, one.su).type != "SU":
        message = f"{one.su} is no supply unit of {player} on the map"
        yield illegal("E-SU-02", RULE, message, "reveal", i, "su")
        return
    if one.su in [other.su for other in reveals[:i]]:
        yield illegal("E-SU-03", RULE, f"{one.su} is revealed twice", "reveal", i, "su")
    if one.mode not in MODES:
        message = f"found mode '{one.mode}', wanted local or remote"
        yield illegal("E-SU-06", RULE, message, "reveal", i, "mode")
    if one.mode == "local" and one.targets:
        message = "a local activation names no targets: it takes all units in range"
        yield illegal("E-SU-06", "4.3.2", message, "reveal", i, "targets")
    if one.mode == "remote":
        yield from _target_faults(board, player, reveals, i)


def _target_faults(board: Board, player: str, reveals: Sequence[Reveal], i: int) -> Iterator[Diagnostic]:
    one, su = reveals[i], unit(board, reveals[i].su)
    face_up = [other.su for other in reveals]
    good: list[str] = []
    for k, target in enumerate(one.targets):
        reason = ""
        if not is_own(board, player, target):
            reason = f"{target} is no unit of {player} on the map"
        elif target in face_up:
            reason = f"{target} is face up in this Player Turn"
        elif target in one.targets[:k]:
            reason = f"{target} is named twice"
        else:
            good.append(target)
        if reason:
            yield illegal("E-SU-06", "4.3.2", reason, "reveal", i, "targets", k)
    needed = sum(remote_costs(board, su, good).values())
    if needed > su.cv:
        message = f"needs {needed} remote activations, {su.id} has {su.cv}"
        yield illegal("E-SU-04", "4.3.2", message, "reveal", i, "targets")


def mended(board: Board, player: str, reveals: Sequence[Reveal]) -> tuple[Reveal, ...]:
    """Reveals without their bad parts: wrong blocks, wrong targets, targets beyond the strength (R-35)."""
    if current_round(board) <= 1:
        return ()
    kept: list[Reveal] = []
    face_up = [one.su for one in reveals]
    for one in reveals:
        bad_su = not is_own(board, player, one.su) or unit(board, one.su).type != "SU"
        if bad_su or one.mode not in MODES or one.su in [k.su for k in kept]:
            continue
        targets: list[str] = []
        for target in one.targets if one.mode == "remote" else ():
            if is_own(board, player, target) and target not in face_up and target not in targets:
                su, wanted = unit(board, one.su), [*targets, target]
                if sum(remote_costs(board, su, wanted).values()) <= su.cv:
                    targets = wanted
        kept.append(Reveal(one.su, one.mode, tuple(targets)))
    return tuple(kept)
