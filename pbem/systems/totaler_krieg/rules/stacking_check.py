"""4.16: The node `stack`, which checks every hex at the end of every phase and segment."""

from __future__ import annotations

from pbem.rules import Board, Diagnostic, Game, Message

from .asking import ask_quoted
from .decisions.defence import Overstack, stand_in
from .events.fighting import Overstacked
from .pieces import piece
from .stacks import Excess, cut, excess, stacks, to_cut


async def check_stacks(game: Game) -> None:
    """4.16: Cut stacks over the limit of units and steps, as the owner chooses, else by default."""
    for hex, faction, units in stacks(game):
        ids = [unit.id for unit in units]
        fault = excess(game, hex, units)
        if fault is None:
            continue
        seat = game.seat(faction)
        wanted = await ask_quoted(game, Overstack(seat, faction, hex, fault.why, tuple(ids)))
        await _cut(game, hex, faction, fault, ids, tuple(wanted))


async def _cut(
    game: Game, hex: str, faction: str, first: Excess, ids: list[str], wanted: tuple[str, ...]
) -> None:
    fault: Excess | None = first
    while fault is not None:
        unit = to_cut(game, fault, wanted)
        lost = cut(game, fault, unit, None if fault.whole else await stand_in(game, unit))
        if lost.instead and lost.instead not in ids:  # it may have left this stack before
            ids.append(lost.instead)
        game.emit(
            Overstacked(faction, lost.unit, hex, fault.why, lost.left, lost.instead, lost.went, lost.steps)
        )
        stack = [unit for id in ids if (unit := piece(game, id)).spot == "map" and unit.hex == hex]
        fault = excess(game, hex, stack)


def stack_doubts(board: Board, faction: str) -> list[Diagnostic]:
    """Return a warning for each stack of the faction that the check would cut."""
    return [
        Diagnostic(
            "overstacked",
            Message("totaler-krieg.stacking-check.overstacked", hex=hex, why=fault.why),
            severity="warning",
            family="illegal",
            rule="4.16",
        )
        for hex, owner, units in stacks(board)
        if owner == faction and (fault := excess(board, hex, units)) is not None
    ]
