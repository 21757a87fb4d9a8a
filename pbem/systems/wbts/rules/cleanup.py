"""4.9, D-19: The cleanup segment: supply and depots destroyed, militia deployed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import (
    Board,
    Diagnostic,
    Draft,
    Game,
    Growing,
    HexNumber,
    Message,
    Name,
    Next,
    Part,
    Points,
    ask,
    dataclass,
    decision,
    procedure,
    steps,
)

from .asking import InWeek
from .battle.secrets import lodge_secrets
from .chain import chain
from .command.depots import Count, carriers
from .events.cleanup import DepotDestroyed, MilitiaDeployed, SupplyDestroyed
from .handling import add_garrison, join, merge, numbered, remove
from .pieces import Unit, own_unit, unit, units, world_of
from .telling import skipped
from .tracks import T
from .zones import enemy_occupied, fort_of, owner


@dataclass(frozen=True)
class Burn:
    """Supply points destroyed in an own depot, train or army HQ."""

    unit: Name
    points: Count


@dataclass(frozen=True)
class Piece:
    """Points of a type that come back from a depot. `into` is a unit there that takes them in."""

    type: Name
    sp: Count
    state: Name | None = None
    into: Name | None = None


@dataclass(frozen=True)
class BreakUp:
    """A depot that is destroyed. Without `constituents` garrison points take its place."""

    depot: Name
    constituents: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class Deploy:
    """A militia point of a state to place in a hex. With `new` it joins no unit there."""

    state: Name
    hex: HexNumber
    new: bool = False


@dataclass(frozen=True)
class Cleanup:
    """Supply points destroyed, then depots destroyed, then militia deployed."""

    burn: tuple[Burn, ...] = ()
    depots: tuple[BreakUp, ...] = ()
    militia: tuple[Deploy, ...] = ()


def burn_faults(board: Board, side: str, order: Burn) -> Iterator[Diagnostic]:
    """Yield faults of a burn. Only own stocks that exist can be destroyed."""
    held = own_unit(board, side, order.unit)
    if held is None or not held.carries:
        message = Message("wbts.cleanup.no-depot-supply-train-or-army-hq", unit=order.unit, side=side)
        yield illegal("E-LOAD-2", "4.9.1", message, "unit")
    elif order.points > held.supply:
        message = Message(
            "wbts.cleanup.holds-points", unit=order.unit, supply=held.supply, points=order.points
        )
        yield illegal("E-LOAD-2", "4.9.1", message, "points")


def burn(board: Board, order: Burn) -> int:
    """Destroy supply points, and return the rest."""
    unit(board, order.unit).supply -= order.points
    return unit(board, order.unit).supply


def break_faults(board: Board, side: str, order: BreakUp) -> Iterator[Diagnostic]:
    """E-CLN-1: Yield faults of constituents.

    They must be in the depot's record, and fit into the units named.
    """
    depot = own_unit(board, side, order.depot)
    if depot is None or depot.type != "depot":
        yield illegal(
            "E-CLN-1", "4.9.2", Message("wbts.cleanup.no-depot", depot=order.depot, side=side), "depot"
        )
        return
    named = sorted((p.type, p.state or "", p.sp) for p in order.constituents)
    recorded = sorted((p["type"], p.get("state", ""), p["sp"]) for p in depot.constituents)
    if named and named != recorded:
        record = ", ".join(f"{sp} {type}" for type, _, sp in recorded) or "nothing"
        yield illegal(
            "E-CLN-1", "4.9.2", Message("wbts.cleanup.made", depot=order.depot, record=record), "constituents"
        )
    for n, part in enumerate(order.constituents):
        if part.into is not None and (why := _join_fault(board, side, depot, part, part.into)):
            yield illegal("E-CLN-1", "4.9.2", why, "constituents", n, "into")


def _join_fault(board: Board, side: str, depot: Unit, part: Piece, into: str) -> str:
    other = own_unit(board, side, into)
    if other is None:
        return Message("wbts.cleanup.no-unit", into=into, side=side)
    if other.hex != depot.hex or other.type != part.type or other.state != part.state:
        return Message(
            "wbts.cleanup.no-in-that-these-points-could-join", other=other.id, type=part.type, hex=depot.hex
        )
    most = other.row.max
    return (
        Message("wbts.cleanup.has-of-most-points", other=other.id, sp=other.sp, most=most)
        if most and other.sp + part.sp > most
        else ""
    )


def break_up(board: Board, side: str, order: BreakUp) -> dict[str, int]:
    """Destroy a depot with its supply. Return the points that replace it, by unit (R-69)."""
    depot = unit(board, order.depot)
    hex = depot.hex
    remove(depot)
    if not order.constituents:
        sp = world_of(board).tables.numbers["depot_garrison"]
        return {add_garrison(board, side, hex, sp).id: sp}
    back: dict[str, int] = {}
    for number, part in enumerate(order.constituents, 1):
        id = f"{order.depot}-R{number}"
        if part.type == "garrison":
            new = add_garrison(board, side, hex, part.sp)
        elif part.into is not None:
            new = join(unit(board, part.into), id, part.sp)
        else:
            new = Unit.add(board, id, side=side, type=part.type, sp=part.sp, hex=hex, state=part.state)
        back[new.id] = part.sp
    return back


def deploy_faults(board: Board, side: str, order: Deploy) -> Iterator[Diagnostic]:
    """E-MIL-1 to E-MIL-5: Yield faults of a militia point (R-27, R-64).

    E-MIL-5 is a state without a point.
    """
    numbers, tracks = world_of(board).tables.numbers, T.of(board)
    if tracks.militia_placed.get(order.state, 0) >= numbers["militia_per_state_per_cleanup"]:
        message = Message("wbts.cleanup.has-had-militia-point-of-cleanup", state=order.state)
        yield illegal("E-MIL-1", "4.9.3", message, "state")
    most = numbers["militia_per_state_on_map"]
    militia = [u for u in units(board, side) if u.type == "militia" and u.state == order.state]
    if sum(u.sp for u in militia) >= most:
        yield illegal(
            "E-MIL-2",
            "4.9.3",
            Message("wbts.cleanup.has-militia-points-on-map", state=order.state, most=most),
            "state",
        )
    if tracks.militia_ready[side].get(order.state, 0) < 1:
        yield illegal(
            "E-MIL-5", "4.9.3", Message("wbts.cleanup.has-no-militia-point-ready", state=order.state), "state"
        )
    if (why := _place_fault(board, side, order)) is not None:
        yield illegal(why[0], "4.9.3", why[1], "hex")


def _place_fault(board: Board, side: str, order: Deploy) -> tuple[str, str] | None:
    """Return the fault of a place: not an owned settlement or unbesieged fort, or with enemies."""
    world, hex = world_of(board), order.hex
    if hex not in world.terrain or world.state(hex) != order.state:
        return "E-MIL-3", Message("wbts.cleanup.not-in-state", hex=hex, state=order.state)
    if hex not in world.settlements or owner(board, hex) != side:
        if fort_of(board, hex, side) is None:
            return "E-MIL-3", Message("wbts.cleanup.no-settlement-or-fort", hex=hex, side=side)
        if besieged(board, side, hex):
            return "E-MIL-3", Message("wbts.cleanup.fort-in-besieged", hex=hex)
    if enemy_occupied(board, hex, side):
        return "E-MIL-4", Message("wbts.cleanup.enemy-occupied", hex=hex)
    return None


def besieged(board: Board, side: str, hex: str) -> bool:
    """4.9: Return True if an enemy zone unit is adjacent, and the fort has no chain of supply."""
    world = world_of(board)
    enemy = world.enemy(side)
    near = any(u.is_zoc for there in world.neighbours(hex) for u in units(board, enemy, there))
    return near and hex not in chain(board, side)


def deploy(board: Board, side: str, order: Deploy) -> str:
    """Place a militia point with militia of its state in the hex, or as a unit of its own (R-102)."""
    tracks, most = T.of(board), world_of(board).tables.types["militia"].max
    tracks.militia_ready[side][order.state] -= 1
    tracks.militia_placed[order.state] = tracks.militia_placed.get(order.state, 0) + 1
    militia = [u for u in units(board, side, order.hex) if u.type == "militia" and u.state == order.state]
    able = sorted((u for u in militia if u.sp < most and not order.new), key=lambda u: (bool(u.marks), u.id))
    id = "" if able and not able[0].marks else numbered(board, side, "MIL")
    if able:
        return join(able[0], id, 1).id
    return Unit.add(board, id, side=side, type="militia", sp=1, hex=order.hex, state=order.state).id


def places(board: Board, side: str) -> Iterator[Deploy]:
    """Yield every place where a militia point can be put now."""
    world = world_of(board)
    for state in sorted(T.of(board).militia_ready[side]):
        for hex in sorted({**world.settlements, **world.forts}):
            order = Deploy(state, hex)
            if not any(True for _ in deploy_faults(board, side, order)):
                yield order


Standing = dict[str, HexNumber]


class CleanupDraft(Draft[Part[Any]]):
    """Supply, then depots, then militia, each on the board after those before."""

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        board, side = self.game, self.player
        last = self.elements[-1].section if self.elements else "burn"
        for place in places(board, side):
            text = Message("wbts.cleanup.militia-point", state=place.state, hex=place.hex)
            yield Next(Part("militia", place), text, Points(end=place.hex))
        if last != "militia":
            yield from self._depots()
        for u in carriers(board, side) if last == "burn" else ():
            for points in sorted({u.supply, 1}, reverse=True) if u.supply else ():
                text = Message("wbts.cleanup.destroy-supply-points", points=points, each=u.id)
                about = Points((u.id,), cost=(("supply", points),))
                yield Next(Part("burn", Burn(u.id, points)), text, about)

    def _depots(self) -> Iterator[Next[Part[Any]]]:
        """Yield each depot, for garrison points or for its constituents as units of their own."""
        for u in units(self.game, self.player):
            if u.type != "depot":
                continue
            parts = tuple(Piece(p["type"], p["sp"], p.get("state")) for p in u.constituents)
            for back in [(), parts] if parts else [()]:
                text = Message("wbts.cleanup.destroy-depot", depot=u.id, constituents=bool(back))
                yield Next(Part("depots", BreakUp(u.id, back)), text, Points((u.id,)))

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        check = {"burn": burn_faults, "depots": break_faults, "militia": deploy_faults}[element.section]
        return list(check(self.game, self.player, element.value))  # type: ignore[operator]

    def do(self, element: Part[Any]) -> None:
        match element.value:
            case Burn() as order:
                burn(self.game, order)
            case BreakUp() as order:
                break_up(self.game, self.player, order)
            case Deploy() as order:
                deploy(self.game, self.player, order)


@decision("cleanup", rule="4.9", answer=Cleanup, secrecy="sealed", standing=("militia", Standing))
class CleanupSegment(InWeek[Cleanup], Growing[Cleanup]):
    """Which supply and depots are destroyed, and where does militia gather?"""

    player: str
    drafts = CleanupDraft

    def from_standing(self, game: Game, orders: list[Standing]) -> Cleanup | None:
        """Return the answer of the first order: each state's point to its hex, as far as legal."""
        if not orders:
            return None
        wanted = tuple(Deploy(state, hex) for state, hex in sorted(orders[0].items()))
        return self.repair(game, Cleanup(militia=wanted))

    def waits(self, game: Game) -> bool:
        """Return True if the player has supply, depots, or a place for militia."""
        stocks = any(u.supply or u.type == "depot" for u in carriers(game, self.player))
        return stocks or next(places(game, self.player), None) is not None


@procedure("cleanup", rule="4.9")
async def cleanup(game: Game, phasing: str) -> None:
    """4.9: Carry out supply, depots and militia by one answer.

    Orders that became illegal are skipped.
    """
    order = Cleanup()

    async def destroy_supply() -> None:
        nonlocal order
        merge(game, phasing, over=("moved", "attacked"))
        await lodge_secrets(game, phasing)
        order = await ask(CleanupSegment(phasing))
        for part in order.burn:
            if not skipped(
                game,
                phasing,
                Message("wbts.cleanup.supply", unit=part.unit),
                burn_faults(game, phasing, part),
            ):
                left = burn(game, part)
                game.emit(SupplyDestroyed(phasing, part.unit, unit(game, part.unit).hex, part.points, left))

    async def destroy_depots() -> None:
        for part in order.depots:
            if not skipped(game, phasing, f"depot {part.depot}", break_faults(game, phasing, part)):
                hex, lost = unit(game, part.depot).hex, unit(game, part.depot).supply
                back = break_up(game, phasing, part)
                game.emit(DepotDestroyed(phasing, part.depot, hex, lost, back))

    async def deploy_militia() -> None:
        for part in order.militia:
            if not skipped(
                game,
                phasing,
                Message("wbts.cleanup.militia", state=part.state),
                deploy_faults(game, phasing, part),
            ):
                id = deploy(game, phasing, part)
                left = T.of(game).militia_ready[phasing][part.state]
                game.emit(MilitiaDeployed(phasing, part.state, part.hex, id, unit(game, id).sp, left))
        T.of(game).militia_placed = {}

    await steps(game, [("1", destroy_supply), ("2", destroy_depots), ("3", deploy_militia)])
