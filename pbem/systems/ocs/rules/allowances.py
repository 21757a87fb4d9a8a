"""4.0.2: Movement allowances of combat units."""

from __future__ import annotations

from fractions import Fraction

from .pieces import T, Unit, world_of


def movement_allowance(u: Unit) -> Fraction:
    """4.0.2: Return a unit's allowance in this phase, by the side that shows and all factors, unrounded."""
    t = T.of(u.board)
    return allowed(u, t.phase, t.acting == u.owner)


def allowed(u: Unit, phase: str, acting: bool) -> Fraction:
    """4.0.2: Return a unit's allowance in a given phase. `acting`: if its side acts in that phase."""
    factors = world_of(u.board).numbers["modes_ma"]
    value = Fraction(u.side.ma)
    if u.marker == "reserve" and phase == "C" and acting:
        value *= Fraction(factors["reserve"])
    if u.marker == "strat":
        value *= Fraction(factors["strat"])
    if u.marker == "dg":
        value *= Fraction(factors["dg"])
    if u.marker == "exploit" and phase == "G":
        value *= Fraction(factors["exploit"])
    if phase == "E":
        value *= Fraction(factors["reaction"])
    return value / 2 if u.air_landed else value
