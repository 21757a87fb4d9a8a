"""4.12.7: Beach assaults: attacks from craft, supplied from craft."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Game, Message, Refused

from ..actions import Assault
from ..decisions.fight import DefenceStance
from ..events.moving import BeachGivenUp
from ..fighting.casualties import strike_all
from ..fighting.combat import best_rating, fight_it_out
from ..fighting.combat_supply import NEXT_STOCK, Bought
from ..fighting.fights import Fight
from ..fighting.losses import bury, sink_craft, take_out
from ..moving import stop
from ..pieces import Craft, T, Unit, craft, maybe_unit, total_re, units, world_of
from ..sealing import ask
from ..supply.reach import Net
from .amphib import aboard, own_craft
from .landings import come_ashore


def assault_faults(game: Game, side: str, listed: Sequence[Craft], order: Assault) -> list[Diagnostic]:
    """Return all faults of a beach assault."""
    world, t = world_of(game), T.of(game)
    carried, here = aboard(game, listed), listed[0].hex or ""
    faults = []
    if not world.sea(here) or order.hex not in world.beside(here) or not world.land(order.hex):
        faults.append(
            illegal(
                "E-CBT-ADJ", "4.12.7", Message("ocs.beaches.no-coast-beside", hex=order.hex, here=here), "hex"
            )
        )
    elif not units(game, world.enemy(side), order.hex):
        faults.append(
            illegal(
                "E-CBT-EMPTY", "4.12.7", Message("ocs.beaches.no-enemy-combat-unit", hex=order.hex), "hex"
            )
        )
    if order.hex in t.attacked:
        faults.append(
            illegal("E-CBT-HEX", "4.12.7", Message("ocs.beaches.attacked-in-segment", hex=order.hex), "hex")
        )
    if any(c.done for c in listed):
        faults.append(
            illegal("E-CBT-TWICE", "4.12.7", Message("ocs.beaches.these-craft-have-landed-in-turn"), "craft")
        )
    if not order.units:
        faults.append(illegal("E-CBT-CAP", "4.12.7", Message("ocs.beaches.name-least-one-unit"), "units"))
    for n, id in enumerate(order.units):
        if id not in carried or order.units.index(id) != n:
            faults.append(
                illegal(
                    "E-CBT-ADJ", "4.12.7", Message("ocs.beaches.not-aboard-or-named-twice", id=id), "units", n
                )
            )
            continue
        fields = carried[id].cargo[id]
        if fields["kind"] == "transport" or fields.get("facing", "combat") != "combat":
            faults.append(
                illegal("E-CBT-CAP", "4.12.7", Message("ocs.beaches.not-in-combat-mode", id=id), "units", n)
            )
    if not faults:
        size = total_re(_lent(game.copy(), listed, order.units))
        if size > int(world.tables["ships"]["landing"]["re_per_roll"]):
            faults.append(
                illegal(
                    "E-OVR-STACK", "4.12.7", Message("ocs.beaches.re-too-much-for-beach", size=size), "units"
                )
            )
        if any(not u.attack_capable for u in _lent(game.copy(), listed, order.units)):
            faults.append(illegal("E-CBT-CAP", "4.12.7", Message("ocs.beaches.unit-cannot-attack"), "units"))
    if order.ar is not None and order.ar not in order.units:
        faults.append(illegal("E-AR", "4.9.4", Message("ocs.beaches.does-not-take-part", ar=order.ar), "ar"))
    return faults


def can_assault(game: Game, side: str) -> bool:
    """R-130: Return True if a craft with units aboard is beside an enemy coast."""
    world, t = world_of(game), T.of(game)
    foes = {u.hex for u in units(game, world.enemy(side)) if u.hex not in t.attacked}
    return any(
        c.cargo
        and not c.done
        and c.hex in world.terrains
        and any(n in foes for n in world.beside(c.hex or ""))
        for c in craft(game, side)
    )


def _lent(board: Any, listed: Sequence[Craft], ids: Sequence[str]) -> list[Unit]:
    """Put these units aboard into the hex of their craft, on this board, and return them."""
    carried = {id: c for c in listed for id in c.cargo}
    for id in ids:
        board.position.add(id, {**carried[id].cargo[id], "hex": listed[0].hex})
    return [Unit(board, id) for id in ids]


def pay_from_craft(
    game: Game, side: str, hex: str, listed: Sequence[Unit], may_drop: Sequence[str]
) -> Bought | None:
    """Pay combat supply from craft in or beside the hex, or else from internal stocks; None if too little."""
    near = [c for c in craft(game, side) if c.hex == hex or c.hex in world_of(game).beside(hex)]
    net, paid, dropped = Net(game, side, trace=False), dict[str, str](), list[str]()
    stock = {c.id: c.load for c in near}
    for u in listed:
        if sum(stock.values()) >= u.steps:
            left = u.steps
            for id in sorted(stock):
                part = min(left, stock[id])
                stock[id], left = stock[id] - part, left - part
            paid[u.id] = f"{u.steps}T {hex}"
        elif u.internal in NEXT_STOCK:
            paid[u.id] = "internal"
        elif u.id in may_drop:
            dropped.append(u.id)
        else:
            return None
    for c in near:
        c.load = stock[c.id]
    return Bought(paid, tuple(dropped), (), net)


async def assault(game: Game, side: str, order: Assault) -> Fight | None:
    """Fight a beach assault: failed units are lost with their craft; on a vacated beach T-ALT decides."""
    world = world_of(game)
    listed = own_craft(game, side, order.craft)
    if faults := assault_faults(game, side, listed, order):
        raise Refused(faults)
    here, enemy = listed[0].hex or "", world.enemy(side)
    carried = aboard(game, listed)
    group = _lent(game, listed, order.units)
    for id in order.units:
        take_out(carried[id], id)
    bought = pay_from_craft(game, side, here, group, order.drop_if_short)
    if bought is None or not bought.paid:
        raise stop("E-SUP-SHORT", "4.12.7", Message("ocs.beaches.craft-carry-not-enough-supply"), "units")
    for c in listed:
        c.done = True
    for id in bought.dropped:
        _back(game, listed[0], id)
    stance = await ask(game, DefenceStance(enemy, order.hex))
    if stance.beach == "yield":
        await _yielded(game, side, listed, order, bought)
        return None
    f = await fight_it_out(
        game,
        "beach",
        side,
        order.hex,
        bought,
        order.ar or best_rating(group),
        list(bought.paid),
        stance=stance,
    )
    failed = bool(units(game, enemy, order.hex))
    for id in f.attackers:
        u = maybe_unit(game, id)
        if u is not None and (failed or u.hex != order.hex):
            strike_all(game, u, Message("ocs.beaches.beach-assault-failed"))
    for c in [c for c in listed if failed and c.there]:
        sink_craft(game, c)
    return f


def _back(game: Game, c: Craft, id: str) -> None:
    fields: dict[str, Any] = dict(game.position.counters[id])
    fields.pop("hex", None)
    game.position.remove(id)
    c.cargo = {**c.cargo, id: fields}


async def _yielded(game: Game, side: str, listed: Sequence[Craft], order: Assault, bought: Bought) -> None:
    """4.12.7: Eliminate defenders who yield the beach, and land the attackers."""
    enemy = world_of(game).enemy(side)
    T.of(game).attacked = (*T.of(game).attacked, order.hex)
    lost = [u.id for u in units(game, enemy, order.hex)]
    game.emit(BeachGivenUp(enemy, order.hex, tuple(lost)))
    for id in lost:
        bury(Unit(game, id))
    for id in bought.paid:
        _back(game, listed[0], id)
    await come_ashore(game, side, listed, tuple(bought.paid), order.hex, None)
    for id in bought.paid:
        u = maybe_unit(game, id)
        if u is not None:
            u.attacked = True
