"""2.3: Figures on counters, for drawings and lists.

Strength and movement of land units, factors and range of aircraft, attack and defence of ships, what they
cost.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules import Game, Json

from ..rules.pieces import units
from ..rules.printed import Print


def faces(game: Game) -> Mapping[str, Mapping[str, Json]]:
    """Return the figures of every counter on the map, its size, and if it is face-down."""
    return {
        u.id: {
            "figures": figures(u.print),
            "echelon": u.print.size,
            "down": u.face == "down",
            "cost": u.print.cost,
            **printed(u.print),
        }
        for u in units(game)
    }


def printed(print: Print) -> dict[str, Json]:
    """Return each figure of a counter by its name, those of its arm alone."""
    if print.arm == "land":
        return {"strength": print.strength, "move": print.move, "reorg": print.reorg, "aa": print.aa}
    if print.arm == "air":
        factors = (print.ata, print.tac, print.ats, print.strategic)
        return {"factors": "/".join(map(str, factors)), "reach": print.range}
    return {
        "attack": print.attack,
        "defence": print.defence,
        "sails": print.move,
        "reach": print.range,
        "cost2": print.cost2,
    }


def figures(print: Print) -> str:
    """Return a counter's own figures: strength and movement, factors and range, attack and defence."""
    if print.arm == "land":
        worth = f"-{print.reorg}" if print.headquarters else ""
        return f"{print.strength}-{print.move}{worth}"
    if print.arm == "air":
        return f"{print.ata}/{print.tac} r{print.range}"
    return f"{print.attack}-{print.defence}"
