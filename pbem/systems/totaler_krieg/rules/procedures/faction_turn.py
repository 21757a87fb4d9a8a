"""2.3: The beginning of every phase of a faction's turn."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Diagnostic, Game

from ..events.fighting import ItemRefused
from ..pieces import T, pieces


def faction_of(phasing: str | None) -> str:
    assert phasing is not None
    return phasing


def refuse(game: Game, power: str, what: str, faults: Sequence[Diagnostic]) -> bool:
    """Report an item that is illegal when its turn comes, and return True if it is."""
    if faults:
        game.emit(ItemRefused(power, what, faults[0].code, faults[0].message))
    return bool(faults)


def enter_faction_turn(game: Game, power: str) -> None:
    """2.3: Clear the flags of all factions once, at the first phase of a faction's turn."""
    t = T.of(game)
    stamp = f"{t.turn}/{power}"
    if t.begun == stamp:
        return
    t.begun, t.acting, t.results, t.lost, t.attacked = stamp, power, {}, 0, ()
    for counter in pieces(game, spot="map"):
        counter.moved_op = counter.moved_res = counter.attacked_blitz = counter.attacked_regular = (
            counter.hq_used
        ) = False
