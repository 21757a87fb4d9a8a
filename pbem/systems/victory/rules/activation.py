"""Passes, forced passes, and the units that a player turn activates (rules 4.2.3, 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Message

from .blocks import Block, own, supply_units, units
from .orders import Reveal
from .sides import Side
from .state import State
from .supply import Lines

Reason = Literal["no-units", "quota", "waived", "no-su"]
MODES = ("local", "remote")


def forced_pass(board: Board, player: str) -> Reason | None:
    """4.2.3: Return why a player must pass now (rows a, b and c), or None."""
    state = State.of(board)
    initiative = state.initiative
    if not units(board, player):
        return "no-units"
    if player == initiative.holder and initiative.waived:
        return "waived"
    if player == initiative.holder and initiative.taken >= initiative.quota:
        return "quota"
    if state.round >= 2 and not supply_units(board, player):
        return "no-su"
    return None


def must_act(board: Board, player: str) -> bool:
    """4.2.3: Return True if the holder owes a turn and can take it (row d)."""
    return forced_pass(board, player) is None and State.of(board).initiative.owed(player) > 0


def step_total(board: Board, player: str) -> int:
    """Return the total steps of the player's supply units."""
    return sum(u.steps for u in supply_units(board, player))


def in_local_range(su: Block) -> list[Block]:
    """4.3.2: Return the owner's units within activation range of a supply unit, by id.

    The range is plain distance in hexes (R-16).
    """
    reach = su.world.numbers.su_local_range[su.cv - 1]
    return [u for u in units(su.board, su.owner) if su.world.distance(su.hex, u.hex) <= reach]


def remote_costs(su: Block, targets: Sequence[str]) -> dict[str, int]:
    """4.3.2: Return what each target costs a supply unit: less if it can trace supply to the target."""
    numbers, lines = su.world.numbers, Lines(Side(su.board, su.owner), [su.hex])
    costs = (numbers.remote_otherwise, numbers.remote_in_supply)
    return {id: costs[lines.reach(Block(su.board, id).hex)] for id in targets}


def reveal(board: Board, order: Reveal) -> None:
    """4.3.1, 4.3.2: Turn a supply unit face up and activate its targets, but never itself (R-14)."""
    su = Block(board, order.su)
    su.revealed, su.activated = True, False
    for block in in_local_range(su) if order.mode == "local" else [Block(board, id) for id in order.targets]:
        block.activated = not block.revealed


def activate_all(board: Board, player: str) -> None:
    """4.3.2: Activate every unit of the active player, in round 1."""
    for block in units(board, player) if State.of(board).round <= 1 else ():
        block.activated = True


def reveal_faults(
    board: Board, player: str, order: Reveal, earlier: Sequence[Reveal]
) -> Iterator[Diagnostic]:
    """4.3.1, 4.3.2: Yield all faults of a reveal, given the earlier ones."""
    if State.of(board).round <= 1:
        message = Message("victory.activation.all-units-active-in-round-1")
        yield illegal("E-SU-07", "4.3.1", message)
        return
    su = own(board, player, order.su)
    if su is None or su.type != "SU":
        yield illegal(
            "E-SU-02",
            "4.3.1",
            Message("victory.activation.no-supply-unit-of-on-map", su=order.su, player=player),
            "su",
        )
        return
    if order.su in [other.su for other in earlier]:
        yield illegal("E-SU-03", "4.3.1", Message("victory.activation.revealed-twice", su=order.su), "su")
    elif order.su in [id for other in earlier for id in other.targets]:
        yield illegal(
            "E-SU-06", "4.3.2", Message("victory.activation.target-so-stays-face-down", su=order.su), "su"
        )
    if order.mode not in MODES:
        yield illegal(
            "E-SU-06", "4.3.1", Message("victory.activation.mode-local-or-remote", mode=order.mode), "mode"
        )
    if order.mode == "local" and order.targets:
        message = Message("victory.activation.local-activation-names-no-targets")
        yield illegal("E-SU-06", "4.3.2", message, "targets")
    if order.mode == "remote":
        yield from _target_faults(player, su, order.targets)


def _target_faults(player: str, su: Block, targets: Sequence[str]) -> Iterator[Diagnostic]:
    good: list[str] = []
    for k, id in enumerate(targets):
        reason = why_no_target(player, su, id) or (
            Message("victory.activation.named-twice", name=id) if id in targets[:k] else ""
        )
        if reason:
            yield illegal("E-SU-06", "4.3.2", reason, "targets", k)
        else:
            good.append(id)
    needed = sum(remote_costs(su, good).values())
    if needed > su.cv:
        message = Message("victory.activation.needs-remote-activations", needed=needed, su=su.id, cv=su.cv)
        yield illegal("E-SU-04", "4.3.2", message, "targets")


def why_no_target(player: str, su: Block, id: str) -> str:
    """4.3.2: Return why a supply unit cannot activate a unit remotely, strength apart, or ""."""
    target = own(su.board, player, id)
    if target is None:
        return Message("victory.activation.no-unit-of-on-map", id=id, player=player)
    return (
        Message("victory.activation.face-up-in-player-turn", id=id) if target.revealed or id == su.id else ""
    )


def mended(board: Board, player: str, order: Reveal, earlier: Sequence[Reveal]) -> Reveal | None:
    """R-35: Return a reveal without its illegal targets and those it cannot pay for, or None."""
    bare = Reveal(order.su, order.mode)
    if list(reveal_faults(board, player, bare, earlier)):
        return None
    kept = bare
    for id in dict.fromkeys(order.targets) if order.mode == "remote" else ():
        longer = Reveal(order.su, order.mode, (*kept.targets, id))
        if not list(reveal_faults(board, player, longer, earlier)):
            kept = longer
    return kept
