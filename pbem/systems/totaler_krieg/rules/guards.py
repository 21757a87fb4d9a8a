"""Guards: when an item of an order is carried out (4.28)."""

from __future__ import annotations

from pbem.rules import Board

from .ground import Ground
from .orders import Guard
from .pieces import T


def holds(board: Board, faction: str, guard: Guard | None) -> bool:
    """Is everything that a guard asks so now? No guard always holds."""
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


def guard_words(guard: Guard | None) -> str:
    """A guard in words."""
    if guard is None:
        return ""
    parts = [f"{guard.if_empty} is empty"] if guard.if_empty else []
    parts += [f"{id} gave {' or '.join(codes)}" for id, codes in sorted((guard.if_result or {}).items())]
    parts += [f"no more than {guard.if_lost_le} steps are lost"] if guard.if_lost_le is not None else []
    return f", if {' and '.join(parts)}, else {guard.else_}" if parts else ""
