"""2.3, 2.4: Notes of lists on units and leaders beside their figures: who is under whom, who is away."""

from __future__ import annotations

from pbem.rules import Game, Json, counters

from ..rules.pieces import Leader, units


def faces(game: Game) -> dict[str, dict[str, Json]]:
    """4.3.3: Return the commands of units and leaders.

    Of each unit on a roster its HQ, of each leader the HQ under that leader, and why one is off the map.
    """
    shown: dict[str, dict[str, Json]] = {u.id: {"roster": u.hq} for u in units(game) if u.known and u.hq}
    for who in counters(game, Leader):
        shown[who.id] = {
            "command": who.hq,
            "captured": who.status == "captured",
            "killed": who.status == "killed",
            "wounded": who.return_cycle if who.status == "wounded" else None,
        }
    return shown
