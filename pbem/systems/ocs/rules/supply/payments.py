"""4.0.5: Payments in T: planned on a `Net`, carried out on the board, reported."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Flow, Game, Message, dataclass

from ..events.moving import Committed
from ..events.turn import SupplyUsed
from ..pieces import T, Unit, units
from .reach import Net, Supply, available
from .stores import take


@dataclass(frozen=True)
class Payment:
    """A payment of T from a hex for a unit in the hex `to`, thrown by an HQ or drawn.

    `zones`: hexes on the path whose enemy zones a unit must negate.
    """

    hex: str
    t: int
    hq: str = ""
    formation: str | None = None
    zones: tuple[str, ...] = ()
    to: str = ""


def plan(
    net: Net,
    hex: str,
    t: int,
    consumer: Unit | None = None,
    *,
    dumps: Iterable[str] = (),
    formation: str | None = None,
    drawn_only: bool = False,
    strict: bool = True,
    loads: bool = True,
) -> list[Payment] | None:
    """4.0.5: Return a plan to pay `t` T, or None if there is not enough.

    It uses the dumps named first (with `strict` no others), then the default order. Without `loads` it uses
    nothing from organic trucks. The net counts planned T as spent; the board changes only in `settle`.
    """
    named = tuple(dumps)
    formation = formation or (consumer.formation if consumer is not None else None)
    organic = loads and (bool(named) or net.side in T.of(net.board).uses_organic)
    supplies = net.usable(hex, consumer, formation, organic=organic, drawn_only=drawn_only)
    if named:
        rank = {name: n for n, name in enumerate(named)}
        supplies = [s for s in supplies if not strict or s.hex in rank]
        supplies.sort(key=lambda s: rank.get(s.hex, len(rank)))
    own = formation if organic else None
    if available(net, supplies, own) < t:
        return None
    planned: list[Payment] = []
    for supply in supplies:
        if t <= 0:
            break
        got = net.spend(supply.hex, t, own)
        if got:
            zones = tuple(net.commits(hex, supply, consumer))
            planned.append(Payment(supply.hex, got, supply.hq or "", own, zones, hex))
            t -= got
    return planned


def drain(net: Net, supplies: Iterable[Supply]) -> list[Payment]:
    """Return payments that empty these dumps without paying for anything."""
    drained = [Payment(s.hex, net.spend(s.hex, available(net, [s]))) for s in supplies]
    return [payment for payment in drained if payment.t]


def settle(net: Net, payments: Iterable[Payment]) -> None:
    """4.4.4, 4.16: Carry out payments; report units committed to negate zones on the path."""
    committed = False
    for payment in payments:
        for zone in payment.zones:
            if not net.ground.free(zone) and (u := net.ground.committer(zone, net.others)) is not None:
                u.committed = committed = True
                if isinstance(net.board, Game):
                    net.board.emit(Committed(net.side, u.id, zone))
        take(net.board, net.side, payment.hex, payment.t, payment.formation)
    net.forget(zones=committed)


def flows(board: Board, payments: Iterable[Payment]) -> tuple[Flow, ...]:
    """Return payments as lines on the map: from the dump, via the HQ that throws, to the user."""
    amounts: dict[tuple[str, str, str], int] = {}
    for payment in payments:
        hq = Unit(board, payment.hq).hex or "" if payment.hq else ""
        key = (payment.hex, hq, payment.to)
        amounts[key] = amounts.get(key, 0) + payment.t
    return tuple(Flow(origin, goal, t, via) for (origin, via, goal), t in sorted(amounts.items()) if goal)


def tell(game: Game, side: str, use: str, hex: str, payments: Iterable[Payment]) -> None:
    """Report to a side the supply it pays for something in a hex."""
    listed, sources = list(payments), dict[str, int]()
    for payment in listed:
        sources[payment.hex] = sources.get(payment.hex, 0) + payment.t
    total = sum(sources.values())
    if total:
        thrown = tuple(sorted({payment.hq for payment in listed if payment.hq}))
        game.emit(SupplyUsed(side, use, hex, total, sources, thrown, flows(game, listed)))


def pay(
    net: Net,
    hex: str,
    t: int,
    consumer: Unit | None = None,
    *,
    dumps: Iterable[str] = (),
    formation: str | None = None,
    drawn_only: bool = False,
    strict: bool = True,
) -> list[Payment] | None:
    """4.0.5: Pay `t` T now; if there is not enough, return None and spend nothing."""
    planned = plan(
        net, hex, t, consumer, dumps=dumps, formation=formation, drawn_only=drawn_only, strict=strict
    )
    if planned is not None:
        settle(net, planned)
    return planned


def why_short(
    net: Net, hex: str, t: int, consumer: Unit | None, dumps: Iterable[str], rule: str, *path: str | int
) -> Diagnostic:
    """Return why something cannot be paid: a named dump out of reach, an HQ in Strat, too little."""
    named = tuple(dumps)
    reached = {s.hex for s in net.usable(hex, consumer, organic=True)}
    who = consumer.id if consumer is not None else hex
    far = [name for name in named if name not in reached]
    if far:
        return illegal(
            "E-SUP-PATH", rule, Message("ocs.payments.no-supply-path", who=who, far=tuple(far)), *path
        )
    if not reached and any(
        hq.is_hq and hq.marker == "strat" and hq.side.throw and net.throws(hq, hex) is not None
        for hq in units(net.board, net.side)
        if hq.hex in net.world.terrains and (consumer is None or hq.id != consumer.id)
    ):
        return illegal(
            "E-SUP-HQ-STRAT", rule, Message("ocs.payments.hq-that-would-serve-in-strat-mode", who=who), *path
        )
    return illegal("E-SUP-SHORT", rule, Message("ocs.payments.t-not-in-reach", t=t, who=who), *path)
