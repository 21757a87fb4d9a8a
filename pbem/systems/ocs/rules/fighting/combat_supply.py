"""4.9.2, 4.9.3: Combat supply of attackers and defenders, from the map or from internal stocks."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Game, Message, dataclass

from ..events.fighting import InternalStockUsed
from ..pieces import T, Unit, total_re, world_of
from ..supply.payments import Payment, drain, plan, settle, tell, why_short
from ..supply.reach import Net, Supply, available
from .fights import Fight, alive

NEXT_STOCK = {"full": "low", "low": "exhausted"}


@dataclass(frozen=True)
class Bought:
    """4.9.2: The supply of an attack: payment by unit, units dropped, payments from dumps."""

    paid: dict[str, str]
    dropped: tuple[str, ...]
    payments: tuple[Payment, ...]
    net: Net


def plan_attack(
    game: Game,
    side: str,
    listed: Sequence[str],
    dumps: tuple[str, ...],
    may_drop: Sequence[str],
    others: frozenset[str] = frozenset(),
) -> Bought | None:
    """4.9.2: Plan the supply of attackers in the order listed, from the dumps named first.

    None: the attack cannot be paid. Nothing is spent yet.
    """
    per_step = int(world_of(game).combat["combat_supply"]["attacker_T_per_step"])
    net = Net(game, side, trace=False, others=others)
    paid: dict[str, str] = {}
    dropped: list[str] = []
    payments: list[Payment] = []
    for id in listed:
        u = Unit(game, id)
        payment_plan = plan(net, u.hex or "", u.steps * per_step, u, dumps=dumps, strict=False)
        if payment_plan is not None:
            paid[id] = ", ".join(f"{p.t}T {p.hex}" for p in payment_plan)
            payments += payment_plan
        elif u.internal in NEXT_STOCK:
            paid[id] = "internal"
            if u.print.multi_step:
                payments += drain(net, net.usable(u.hex or "", u))
        elif id in may_drop:
            dropped.append(id)
        else:
            return None
    return Bought(paid, tuple(dropped), tuple(payments), net)


def unpayable(
    game: Game, side: str, listed: Sequence[str], dumps: tuple[str, ...], rule: str, *path: str | int
) -> Diagnostic:
    """Return why an attack cannot be paid: the fault of the first unit without supply."""
    net = Net(game, side, trace=False)
    faults = [
        why_short(net, u.hex or "", u.steps, u, dumps, rule, *path)
        for u in alive(game, listed)
        if u.internal not in NEXT_STOCK
    ]
    return (
        faults[0]
        if faults
        else illegal("E-SUP-SHORT", rule, Message("ocs.combat-supply.not-enough-supply"), *path)
    )


def pay_defence(game: Game, f: Fight) -> str:
    """4.9.3: Pay 1 T or 2 T, or withhold; if too little is in reach, each unit decides by itself (R-16)."""
    chart = world_of(game).combat["combat_supply"]["defender_T"]
    group = alive(game, f.defenders)
    need = int(chart["re_at_most_1"] if total_re(group) <= 1 else chart["otherwise"])
    net = Net(game, f.defender, trace=False)
    organic = bool(f.stance.dumps) or f.defender in T.of(game).uses_organic
    usable = _of_all(net, group, f.stance.dumps, organic)
    reach = sum(_loads(net, supply, own) for supply, own in usable)
    keep = f.stance.pay_if_T_left_at_least
    if f.stance.supply == "withhold" or (keep is not None and reach - need < keep):
        f.supplied = dict.fromkeys(f.defenders, False)
        return "withheld"
    spent: list[Payment] = []
    for supply, own in usable:
        for formation in own or (None,):
            got = net.spend(supply.hex, need - sum(p.t for p in spent), formation)
            spent += [Payment(supply.hex, got, supply.hq or "", formation, to=f.hex)] if got else []
    settle(net, spent)
    tell(game, f.defender, "defence", f.hex, spent)
    if reach >= need:
        f.supplied = dict.fromkeys(f.defenders, True)
        return ", ".join(f"{p.t}T {p.hex}" for p in spent)
    for u in group:
        wish = (f.stance.internals_of or {}).get(u.id, f.stance.internals)
        able = wish == "use" and u.internal in NEXT_STOCK
        f.supplied[u.id] = able
        if able:
            f.internals.append(u.id)
    return "internal" if any(f.supplied.values()) else "none"


def _of_all(
    net: Net, group: Sequence[Unit], named: Sequence[str], organic: bool
) -> list[tuple[Supply, tuple[str, ...]]]:
    """Return each dump that any defender can use, the dumps named first.

    Each comes with the defending formations that may use their organic trucks' loads there.
    """
    best: dict[str, Supply] = {}
    own: dict[str, dict[str, None]] = {}
    for u in group:
        for supply in net.usable(u.hex or "", u, organic=organic):
            best[supply.hex] = min(supply, best.get(supply.hex, supply))
            formations = own.setdefault(supply.hex, {})
            if organic and u.formation is not None:
                formations[u.formation] = None
    rank = {hex: n for n, hex in enumerate(named)}
    listed = sorted(best.values(), key=lambda dump: (rank.get(dump.hex, len(rank)), dump))
    return [(dump, tuple(own[dump.hex])) for dump in listed]


def _loads(net: Net, supply: Supply, own: Sequence[str]) -> int:
    """Return the T of a dump, with the organic loads of these formations."""
    free = available(net, [supply])
    return free + sum(available(net, [supply], formation) - free for formation in own)


def use_stocks(game: Game, f: Fight) -> None:
    """4.9.3: Mark the internal stocks of survivors as used, after the combat."""
    for u in alive(game, f.internals):
        u.internal = NEXT_STOCK[u.internal]  # type: ignore[assignment]
        game.emit(InternalStockUsed(u.owner, u.id, u.internal))


def amount(supply: str) -> int:
    """Return the T in a list of payments such as `2T 10.06, 1T 12.06`; internal stocks count none."""
    return sum(int(payment.partition("T")[0]) for payment in supply.split(", ") if payment[:1].isdigit())
