"""4.2.1 Refit of aircraft at bases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Game

from .events.turn import BaseRefitted
from .pieces import Plane, T, planes, world_of
from .reach import Net, Payment, available, pay


def most_refitted(board: Board, hex: str) -> int:
    """Two for each level; a strip one."""
    numbers, base = world_of(board).numbers, T.of(board).bases[hex]
    return int(numbers["refit_per_level"]) * base.level if base.level else int(numbers["strip_refit"])


def refit_faults(
    board: Board, side: str, hex: str, named: Sequence[str], dump: str | None, n: int
) -> list[Diagnostic]:
    """Everything against refitting these aircraft at a base."""
    t = T.of(board)
    base = t.bases.get(hex)
    if base is None or base.owner != side or base.refitted:
        return [illegal("E-REFIT-CAP", "4.2.1", f"{hex} is no base of yours that can refit", n, "base")]
    found = []
    net = Net(board, side, trace=True)
    if net.ground.open_zoc(hex, trace=True):
        found.append(illegal("E-REFIT-ZOC", "4.2.1", f"{hex} is in an enemy zone", n, "base"))
    idle = {p.id for p in planes(board, side, hex) if not p.active}
    for k, id in enumerate(named):
        if id not in idle:
            found.append(illegal("E-REFIT-CAP", "4.2.1", f"{id} is not inactive in {hex}", n, "planes", k))
        elif k >= most_refitted(board, hex):
            found.append(illegal("E-REFIT-CAP", "4.2.1", f"{id} is one too many for {hex}", n, "planes", k))
    supplies = [s for s in net.usable(hex) if dump is None or s.hex == dump]
    if available(net, supplies) < int(net.world.supply["costs"]["refit_per_base"]):
        found.append(illegal("E-REFIT-SUP", "4.2.1", f"no supply in reach of {hex}", n, "dump"))
    return found


def refit(game: Game, side: str, hex: str, named: Sequence[str], dump: str | None) -> None:
    """4.2.1 Pay, and make Active what the base has room for (R-8)."""
    t, world = T.of(game), world_of(game)
    cost = int(world.supply["costs"]["refit_per_base"])
    paid: list[Payment] | None = pay(Net(game, side), hex, cost, dumps=(dump,) if dump else ())
    assert paid is not None, "a refit was not checked"
    base = t.bases[hex]
    t.bases[hex] = replace(base, refitted=True)
    room = (
        int(world.numbers["base_active"]) + base.level - sum(1 for p in planes(game, side, hex) if p.active)
    )
    ready = tuple(named[: max(0, room)])
    for id in ready:
        Plane(game, id).active = True
    game.emit(BaseRefitted(side, hex, paid[0].hex, cost, ready))
