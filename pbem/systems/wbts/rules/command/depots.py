"""4.3.1, 4.3.2: Depots and supply stocks: creating, loading, and faults of orders for them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Any

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, HexNumber, Message, Name, Next, Part, Points, Range, dataclass

from ..handling import numbered, take_points
from ..pieces import Unit, own_unit, unit, units, world_of

Count = Annotated[int, Range(1, 1000)]


@dataclass(frozen=True)
class Share:
    """Strength points that one unit gives."""

    unit: Name
    sp: Count


@dataclass(frozen=True)
class MakeDepot:
    """A depot made in a hex from strength points of units there."""

    hex: HexNumber
    from_: tuple[Share, ...]

    @property
    def given(self) -> dict[str, int]:
        """Return the points by unit."""
        points: dict[str, int] = {}
        for share in self.from_:
            points[share.unit] = points.get(share.unit, 0) + share.sp
        return points


@dataclass(frozen=True)
class Load:
    """Supply points from one carrier to another in the same hex: trains, depots, army HQs."""

    train: Name
    source: Name
    points: Count


def carriers(board: Board, side: str) -> list[Unit]:
    """Return depots, supply trains and army HQs of a side, by id."""
    return [u for u in units(board, side) if u.carries]


def depot_faults(board: Board, side: str, order: MakeDepot) -> Iterator[Diagnostic]:
    """E-DEP-1 to E-DEP-4: Yield the reasons why a depot cannot be made."""
    given: dict[str, int] = {}
    for n, share in enumerate(order.from_):
        given[share.unit] = given.get(share.unit, 0) + share.sp
        giver = own_unit(board, side, share.unit)
        if giver is None or giver.hex != order.hex or not giver.is_combat:
            message = Message("wbts.depots.no-combat-unit", unit=share.unit, side=side, hex=order.hex)
            yield illegal("E-DEP-1", "4.3.1", message, "from", n)
        elif given[giver.id] > giver.sp:
            message = Message(
                "wbts.depots.has-strength-points", giver=giver.id, sp=giver.sp, given=given[giver.id]
            )
            yield illegal("E-DEP-1", "4.3.1", message, "from", n)
        if giver is not None and giver.entrained:
            yield illegal("E-DEP-4", "4.3.1", Message("wbts.selection.entrained", id=giver.id), "from", n)
    wanted, total = world_of(board).tables.numbers["depot_cost"], sum(given.values())
    if total != wanted:
        message = Message("wbts.depots.depot-costs-strength-points", wanted=wanted, total=total)
        yield illegal("E-DEP-2", "4.3.1", message, "from")
    if any(u.type == "depot" for u in units(board, side, order.hex)):
        yield illegal("E-DEP-3", "4.3.1", Message("wbts.depots.has-depot-already", hex=order.hex), "hex")


def make_depot(board: Board, side: str, order: MakeDepot) -> str:
    """Exchange strength points for a depot that records them. Return its id. These are no losses."""
    parts: dict[tuple[str, str | None], int] = {}
    for share in order.from_:
        giver = unit(board, share.unit)
        kind = giver.type, giver.state
        parts[kind] = parts.get(kind, 0) + take_points(giver, share.sp)
    made: list[dict[str, Any]] = [
        {"type": type, "sp": sp, **({"state": state} if state else {})} for (type, state), sp in parts.items()
    ]
    id, sp = numbered(board, side, "D"), world_of(board).tables.types["depot"].printed
    Unit.add(board, id, side=side, type="depot", sp=sp, hex=order.hex, constituents=tuple(made))
    return id


def next_depots(board: Board, side: str) -> Iterator[Next[Part[Any]]]:
    """Yield depots that can be made from one unit, or from two that give a point each."""
    wanted = world_of(board).tables.numbers["depot_cost"]
    for hex in board.position.occupied():
        stack = units(board, side, hex)
        able = [u for u in stack if u.is_combat and not u.entrained]
        if any(u.type == "depot" for u in stack):
            continue
        ways: list[tuple[Share, ...]] = [(Share(u.id, wanted),) for u in able if u.sp >= wanted]
        ways += [(Share(first.id, 1), Share(second.id, 1)) for first, second in combinations(able, 2)]
        for shares in ways:
            text = Message("wbts.depots.depot", hex=hex, shares=tuple(f"{s.sp} of {s.unit}" for s in shares))
            points = Points(tuple(s.unit for s in shares), end=hex, cost=(("SP", wanted),))
            yield Next(Part("depots", MakeDepot(hex, shares)), text, points)


def load_faults(board: Board, side: str, order: Load) -> Iterator[Diagnostic]:
    """E-LOAD-1 to E-LOAD-3: Yield the reasons why supply cannot be moved."""
    train, source = own_unit(board, side, order.train), own_unit(board, side, order.source)
    for code, name, id, carrier in (
        ("E-LOAD-3", "train", order.train, train),
        ("E-LOAD-2", "source", order.source, source),
    ):
        if carrier is None or not carrier.carries:
            message = Message("wbts.cleanup.no-depot-supply-train-or-army-hq", unit=id, side=side)
            yield illegal(code, "4.3.2", message, name)
    if train is None or source is None or not train.carries or not source.carries:
        return
    if train.hex != source.hex or train.id == source.id:
        yield illegal(
            "E-LOAD-1",
            "4.3.2",
            Message("wbts.depots.in", train=train.id, hex=train.hex, source=source.id, hex_2=source.hex),
        )
    if source.supply < order.points:
        message = Message(
            "wbts.depots.holds-points", source=source.id, supply=source.supply, points=order.points
        )
        yield illegal("E-LOAD-2", "4.3.2", message, "source")
    most = world_of(board).tables.numbers["load_per_action"]
    if order.points > most:
        message = Message("wbts.depots.one-action-loads-1-points", most=most, points=order.points)
        yield illegal("E-LOAD-3", "4.3.2", message, "points")
    elif train.room is not None and order.points > train.room:
        message = Message(
            "wbts.depots.holds-points-and-has-room-for-more",
            train=train.id,
            supply=train.supply,
            room=train.room,
        )
        yield illegal("E-LOAD-3", "4.3.2", message, "points")


def load(board: Board, order: Load) -> None:
    """Move supply points."""
    unit(board, order.source).supply -= order.points
    unit(board, order.train).supply += order.points


def next_loads(board: Board, side: str) -> Iterator[Next[Part[Any]]]:
    """Yield every transfer of as many points as possible, and of one."""
    most = world_of(board).tables.numbers["load_per_action"]
    for source in carriers(board, side):
        for train in units(board, side, source.hex):
            if train.id == source.id or not train.carries:
                continue
            points = min(most, most if train.room is None else train.room, source.supply)
            for amount in sorted({1, points}, reverse=True) if points >= 1 else ():
                text = Message("wbts.depots.points", amount=amount, source=source.id, train=train.id)
                about = Points((source.id, train.id), end=train.hex, cost=(("supply", amount),))
                yield Next(Part("loads", Load(train.id, source.id, amount)), text, about)
