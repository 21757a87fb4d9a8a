"""4.28: Guards, the conditions under which a part of an order is carried out."""

from __future__ import annotations

from pbem.rules import Board, Message

from .ground import Ground
from .orders import Guard
from .pieces import T


def holds(board: Board, faction: str, guard: Guard | None) -> bool:
    """Return True if every condition of a guard is met. No guard always holds."""
    if guard is None:
        return True
    t = T.of(board)
    if guard.if_empty is not None and Ground(board).enemies(guard.if_empty, faction):
        return False
    results = t.results
    for attack, codes in sorted((guard.if_result or {}).items()):
        if results.get(attack) not in codes:
            return False
    return guard.if_lost_le is None or t.lost <= guard.if_lost_le


def guarded(guard: Guard | None) -> bool:
    """Return True if a guard has a condition."""
    return guard is not None and (guard.if_empty, guard.if_result, guard.if_lost_le) != (None, None, None)


def guard_words(guard: Guard | None) -> str:
    """Return a guard in words."""
    if guard is None:
        return ""
    parts: list[str] = (
        [Message("totaler-krieg.guards.empty", if_empty=guard.if_empty)] if guard.if_empty else []
    )
    parts += [
        Message("totaler-krieg.guards.gave", attack=id, codes=" or ".join(codes))
        for id, codes in sorted((guard.if_result or {}).items())
    ]
    parts += (
        [Message("totaler-krieg.guards.no-more-than-steps-lost", if_lost_le=guard.if_lost_le)]
        if guard.if_lost_le is not None
        else []
    )
    return (
        Message("totaler-krieg.guards.if-else", parts=" and ".join(parts), else_=guard.else_) if parts else ""
    )
