"""2.3: Beginning of all phases of a faction's turn."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Diagnostic, Game

from ..events.fighting import ItemRefused
from ..pieces import T, pieces


def faction_of(phasing: str | None) -> str:
    assert phasing is not None
    return phasing


def refuse(game: Game, power: str, what: str, faults: Sequence[Diagnostic]) -> bool:
    """Leave out an item that is not legal when its turn comes; return True if it was."""
    if faults:
        game.emit(ItemRefused(power, what, faults[0].code, faults[0].message))
    return bool(faults)


def enter_faction_turn(game: Game, power: str) -> None:
    """2.3: Clear the flags of all factions once, at the first of its phases."""
    t = T.of(game)
    stamp = f"{t.turn}/{power}"
    if t.begun == stamp:
        return
    t.begun, t.acting, t.results, t.lost, t.attacked = stamp, power, {}, 0, ()
    for one in pieces(game, spot="map"):
        one.moved_op = one.moved_res = one.attacked_blitz = one.attacked_regular = one.hq_used = False
