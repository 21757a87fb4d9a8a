"""Labels of dice: wbts/<game turn>/<node>/<name> (section 4, conventions), and ids of new counters."""

from __future__ import annotations

from typing import cast

from .pieces import Board, gt


def node(board: Board, phasing: str | None, rest: str) -> str:
    """The id of a node of the player turn that is played: `2.b` is B.2.b for the first player."""
    order = cast("list[str]", board.position.tracks["order"])
    return f"{'C' if order and phasing == order[-1] else 'B'}.{rest}"


def label(board: Board, phasing: str | None, rest: str, *name: str | int) -> tuple[str | int, ...]:
    """The words of a die rolled in a player turn: node without its first letter, then a name."""
    return ("wbts", gt(board), node(board, phasing, rest), *name)


def new_id(board: Board, side: str, kind: str) -> str:
    """An id for a new counter of a side that no counter ever had: `D-north-1`."""
    made = cast("dict[str, dict[str, int]]", board.position.tracks["made"])
    while True:
        number = made[side].get(kind, 0) + 1
        made[side][kind] = number
        id = f"{kind}-{side}-{number}"
        if id not in board.position.counters:
            return id
