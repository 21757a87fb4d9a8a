"""What stands at the foot of counters on maps: `5-3` of land units, air-to-air and tactical factors of
aircraft, attack and defence of ships (2.3)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules import Game, Json

from ..rules.pieces import units
from ..rules.printed import Print


def faces(game: Game) -> Mapping[str, Mapping[str, Json]]:
    """The figures of every counter that is on the map, its size, and whether it lies face-down."""
    return {
        u.id: {"figures": figures(u.print), "echelon": u.print.size, "down": u.face == "down"}
        for u in units(game)
    }


def figures(print: Print) -> str:
    """What a counter shows of itself: strength and movement, factors and range, attack and defence."""
    if print.arm == "land":
        worth = f"-{print.reorg}" if print.headquarters else ""
        return f"{print.strength}-{print.move}{worth}"
    if print.arm == "air":
        return f"{print.ata}/{print.tac} r{print.range}"
    return f"{print.attack}-{print.defence}"
