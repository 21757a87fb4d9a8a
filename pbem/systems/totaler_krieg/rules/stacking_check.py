"""The node `stack`: at the end of every phase and segment, everybody, every hex (4.16)."""

from __future__ import annotations

from pbem.rules import Board, Diagnostic, Game, Message

from .asking import ask_quoted
from .decisions.defence import Overstack, stand_in
from .events.fighting import Overstacked
from .pieces import piece
from .stacks import Excess, cut, excess, stacks, to_cut


async def check_stacks(game: Game) -> None:
    """4.16: Cut stacks over the limit, by units and steps: as the owner says, else by default."""
    for hex, faction, units in stacks(game):
        ids = [one.id for one in units]
        found = excess(game, hex, units)
        if found is None:
            continue
        seat = game.seat(faction)
        wanted = await ask_quoted(game, Overstack(seat, faction, hex, found.why, tuple(ids)))
        await _cut(game, hex, faction, found, ids, tuple(wanted))


async def _cut(
    game: Game, hex: str, faction: str, first: Excess, ids: list[str], wanted: tuple[str, ...]
) -> None:
    found: Excess | None = first
    while found is not None:
        one = to_cut(game, found, wanted)
        lost = cut(game, found, one, None if found.whole else await stand_in(game, one))
        if lost.instead and lost.instead not in ids:  # it may have left this very stack before
            ids.append(lost.instead)
        game.emit(
            Overstacked(faction, lost.unit, hex, found.why, lost.left, lost.instead, lost.went, lost.steps)
        )
        there = [one for id in ids if (one := piece(game, id)).spot == "map" and one.hex == hex]
        found = excess(game, hex, there)


def stack_doubts(board: Board, faction: str) -> list[Diagnostic]:
    """Return a warning for each stack of the faction that the check would cut."""
    return [
        Diagnostic(
            "overstacked",
            Message("totaler-krieg.stacking-check.overstacked", hex=hex, why=found.why),
            severity="warning",
            family="illegal",
            rule="4.16",
        )
        for hex, owner, units in stacks(board)
        if owner == faction and (found := excess(board, hex, units)) is not None
    ]
