"""4.2.1: Refit of aircraft at bases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Game, Message

from .bases import bases_of, carrier_at, settle_plane
from .events.turn import BaseRefitted
from .pieces import Plane, T, planes, world_of
from .supply.payments import pay
from .supply.reach import Net, available


def most_refitted(board: Board, side: str, hex: str) -> int | None:
    """Return the most aircraft that a base can refit, or None if there is no limit.

    It is two for each level, one for a strip, and two for a damaged carrier (4.12.6).
    """
    numbers, ship = world_of(board).numbers, carrier_at(board, side, hex)
    if ship is not None:
        return int(numbers["carrier_damaged_refit"]) if ship.hits else None
    base = T.of(board).bases[hex]
    return int(numbers["refit_per_level"]) * base.level if base.level else int(numbers["strip_refit"])


def idle(board: Board, side: str, hex: str) -> list[Plane]:
    """Return the inactive aircraft at a base: fighters first, then by barrage."""
    inactive = [p for p in planes(board, side, hex) if not p.active]
    return sorted(inactive, key=lambda p: (not p.is_type("F"), -p.wing.barrage, p.id))


def refit_faults(
    board: Board, side: str, hex: str, named: Sequence[str], dump: str | None
) -> list[Diagnostic]:
    """Return the faults of refitting these aircraft at a base."""
    base = T.of(board).bases.get(hex)
    if hex not in bases_of(board, side) or (base is not None and base.refitted):
        return [
            illegal(
                "E-REFIT-CAP", "4.2.1", Message("ocs.refit.no-base-of-yours-that-can-refit", hex=hex), "base"
            )
        ]
    faults, afloat = [], carrier_at(board, side, hex) is not None
    net = Net(board, side, trace=True)
    if net.ground.open_zoc(hex, trace=True) and not afloat:
        faults.append(illegal("E-REFIT-ZOC", "4.2.1", Message("ocs.hauling.in-enemy-zone", p=hex), "base"))
    able, most = {p.id for p in idle(board, side, hex)}, most_refitted(board, side, hex)
    for k, id in enumerate(named):
        if id not in able or id in named[:k]:
            faults.append(
                illegal(
                    "E-REFIT-CAP", "4.2.1", Message("ocs.refit.not-inactive", id=id, hex=hex), "planes", k
                )
            )
        elif most is not None and k >= most:
            faults.append(
                illegal(
                    "E-REFIT-CAP", "4.2.1", Message("ocs.refit.one-too-many", id=id, hex=hex), "planes", k
                )
            )
    supplies = [s for s in net.usable(hex) if dump is None or s.hex == dump]
    if not afloat and available(net, supplies) < int(net.world.supply["costs"]["refit_per_base"]):
        faults.append(
            illegal("E-REFIT-SUP", "4.2.1", Message("ocs.refit.no-supply-in-reach", hex=hex), "dump")
        )
    return faults


def refit(game: Game, side: str, hex: str, named: Sequence[str], dump: str | None) -> None:
    """4.2.1: Pay for a refit, and make as many aircraft Active as the base has room for (R-8)."""
    t, cost = T.of(game), int(world_of(game).supply["costs"]["refit_per_base"])
    source = ""
    if carrier_at(game, side, hex) is None:
        paid = pay(Net(game, side), hex, cost, dumps=(dump,) if dump else ())
        assert paid is not None, "a refit was not checked"
        t.bases[hex] = replace(t.bases[hex], refitted=True)
        source = paid[0].hex
    for id in named:
        settle_plane(game, Plane(game, id), hex, active=True)
    ready = tuple(id for id in named if Plane(game, id).active)
    game.emit(BaseRefitted(side, hex, source, cost if source else 0, ready))
