"""The cleanup segment: supply and depots destroyed, militia deployed (4.9; D-19)."""

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
    """What comes back from a depot: points of a type; `into` a unit there that takes them in."""

    type: Name
    sp: Count
    state: Name | None = None
    into: Name | None = None


@dataclass(frozen=True)
class BreakUp:
    """A depot destroyed; without `constituents` garrison points take its place."""

    depot: Name
    constituents: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class Deploy:
    """A militia point of a state for a hex; `new`: a unit of its own even where it could join one."""

    state: Name
    hex: HexNumber
    new: bool = False


@dataclass(frozen=True)
class Cleanup:
    """Supply points destroyed, then depots, then militia deployed."""

    burn: tuple[Burn, ...] = ()
    depots: tuple[BreakUp, ...] = ()
    militia: tuple[Deploy, ...] = ()


# 4.9.1


def burn_faults(board: Board, side: str, one: Burn) -> Iterator[Diagnostic]:
    """Yield faults of a burn: only own stocks that exist can be destroyed."""
    held = own_unit(board, side, one.unit)
    if held is None or not held.carries:
        message = Message("wbts.cleanup.no-depot-supply-train-or-army-hq", unit=one.unit, side=side)
        yield illegal("E-LOAD-2", "4.9.1", message, "unit")
    elif one.points > held.supply:
        message = Message("wbts.cleanup.holds-points", unit=one.unit, supply=held.supply, points=one.points)
        yield illegal("E-LOAD-2", "4.9.1", message, "points")


def burn(board: Board, one: Burn) -> int:
    """Destroy supply points; gives what is left."""
    unit(board, one.unit).supply -= one.points
    return unit(board, one.unit).supply


# 4.9.2


def break_faults(board: Board, side: str, one: BreakUp) -> Iterator[Diagnostic]:
    """E-CLN-1: Yield faults of constituents: they are in the depot's record, and fit into the units named."""
    depot = own_unit(board, side, one.depot)
    if depot is None or depot.type != "depot":
        yield illegal(
            "E-CLN-1", "4.9.2", Message("wbts.cleanup.no-depot", depot=one.depot, side=side), "depot"
        )
        return
    named = sorted((p.type, p.state or "", p.sp) for p in one.constituents)
    recorded = sorted((p["type"], p.get("state", ""), p["sp"]) for p in depot.constituents)
    if named and named != recorded:
        record = ", ".join(f"{sp} {type}" for type, _, sp in recorded) or "nothing"
        yield illegal(
            "E-CLN-1", "4.9.2", Message("wbts.cleanup.made", depot=one.depot, record=record), "constituents"
        )
    for n, part in enumerate(one.constituents):
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


def break_up(board: Board, side: str, one: BreakUp) -> dict[str, int]:
    """Destroy a depot with its supply; gives what took its place: points by unit (R-69)."""
    depot = unit(board, one.depot)
    hex = depot.hex
    remove(depot)
    if not one.constituents:
        sp = world_of(board).tables.numbers["depot_garrison"]
        return {add_garrison(board, side, hex, sp).id: sp}
    back: dict[str, int] = {}
    for number, part in enumerate(one.constituents, 1):
        id = f"{one.depot}-R{number}"
        if part.type == "garrison":
            new = add_garrison(board, side, hex, part.sp)
        elif part.into is not None:
            new = join(unit(board, part.into), id, part.sp)
        else:
            new = Unit.add(board, id, side=side, type=part.type, sp=part.sp, hex=hex, state=part.state)
        back[new.id] = part.sp
    return back


# 4.9.3


def deploy_faults(board: Board, side: str, one: Deploy) -> Iterator[Diagnostic]:
    """E-MIL-1 to E-MIL-4: Yield faults of a militia point.

    Also E-MIL-5 for a state without one (R-27, R-64).
    """
    numbers, tracks = world_of(board).tables.numbers, T.of(board)
    if tracks.militia_placed.get(one.state, 0) >= numbers["militia_per_state_per_cleanup"]:
        message = Message("wbts.cleanup.has-had-militia-point-of-cleanup", state=one.state)
        yield illegal("E-MIL-1", "4.9.3", message, "state")
    most = numbers["militia_per_state_on_map"]
    militia = [u for u in units(board, side) if u.type == "militia" and u.state == one.state]
    if sum(each.sp for each in militia) >= most:
        yield illegal(
            "E-MIL-2",
            "4.9.3",
            Message("wbts.cleanup.has-militia-points-on-map", state=one.state, most=most),
            "state",
        )
    if tracks.militia_ready[side].get(one.state, 0) < 1:
        yield illegal(
            "E-MIL-5", "4.9.3", Message("wbts.cleanup.has-no-militia-point-ready", state=one.state), "state"
        )
    if (why := _place_fault(board, side, one)) is not None:
        yield illegal(why[0], "4.9.3", why[1], "hex")


def _place_fault(board: Board, side: str, one: Deploy) -> tuple[str, str] | None:
    """Return why a place is no owned town or unbesieged fort of the state without enemies."""
    world, hex = world_of(board), one.hex
    if hex not in world.terrain or world.state(hex) != one.state:
        return "E-MIL-3", Message("wbts.cleanup.not-in-state", hex=hex, state=one.state)
    if hex not in world.settlements or owner(board, hex) != side:
        if fort_of(board, hex, side) is None:
            return "E-MIL-3", Message("wbts.cleanup.no-settlement-or-fort", hex=hex, side=side)
        if besieged(board, side, hex):
            return "E-MIL-3", Message("wbts.cleanup.fort-in-besieged", hex=hex)
    if enemy_occupied(board, hex, side):
        return "E-MIL-4", Message("wbts.cleanup.enemy-occupied", hex=hex)
    return None


def besieged(board: Board, side: str, hex: str) -> bool:
    """4.9: Return True if an enemy unit with a zone is adjacent, and the fort has no chain of supply."""
    world = world_of(board)
    enemy = world.enemy(side)
    near = any(u.is_zoc for there in world.neighbours(hex) for u in units(board, enemy, there))
    return near and hex not in chain(board, side)


def deploy(board: Board, side: str, one: Deploy) -> str:
    """Place a militia point: with militia of its state in the hex, or as a unit of its own (R-102)."""
    tracks, most = T.of(board), world_of(board).tables.types["militia"].max
    tracks.militia_ready[side][one.state] -= 1
    tracks.militia_placed[one.state] = tracks.militia_placed.get(one.state, 0) + 1
    there = [u for u in units(board, side, one.hex) if u.type == "militia" and u.state == one.state]
    able = sorted((u for u in there if u.sp < most and not one.new), key=lambda u: (bool(u.marks), u.id))
    id = "" if able and not able[0].marks else numbered(board, side, "MIL")
    if able:
        return join(able[0], id, 1).id
    return Unit.add(board, id, side=side, type="militia", sp=1, hex=one.hex, state=one.state).id


def places(board: Board, side: str) -> Iterator[Deploy]:
    """Yield every place where a militia point can be put now."""
    world = world_of(board)
    for state in sorted(T.of(board).militia_ready[side]):
        for hex in sorted({**world.settlements, **world.forts}):
            one = Deploy(state, hex)
            if not any(True for _ in deploy_faults(board, side, one)):
                yield one


# the answer

Standing = dict[str, HexNumber]


class CleanupDraft(Draft[Part[Any]]):
    """Supply, then depots, then militia, each on what those before have left."""

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        board, side = self.game, self.player
        last = self.elements[-1].section if self.elements else "burn"
        for place in places(board, side):
            text = Message("wbts.cleanup.militia-point", state=place.state, hex=place.hex)
            yield Next(Part("militia", place), text, Points(end=place.hex))
        if last != "militia":
            yield from self._depots()
        for each in carriers(board, side) if last == "burn" else ():
            for points in sorted({each.supply, 1}, reverse=True) if each.supply else ():
                text = Message("wbts.cleanup.destroy-supply-points", points=points, each=each.id)
                about = Points((each.id,), cost=(("supply", points),))
                yield Next(Part("burn", Burn(each.id, points)), text, about)

    def _depots(self) -> Iterator[Next[Part[Any]]]:
        """Yield each depot, for garrison points or for its constituents as units of their own."""
        for each in units(self.game, self.player):
            if each.type != "depot":
                continue
            parts = tuple(Piece(p["type"], p["sp"], p.get("state")) for p in each.constituents)
            for back in [(), parts] if parts else [()]:
                text = Message("wbts.cleanup.destroy-depot", depot=each.id, constituents=bool(back))
                yield Next(Part("depots", BreakUp(each.id, back)), text, Points((each.id,)))

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        check = {"burn": burn_faults, "depots": break_faults, "militia": deploy_faults}[element.section]
        return list(check(self.game, self.player, element.value))  # type: ignore[operator]

    def do(self, element: Part[Any]) -> None:
        match element.value:
            case Burn() as one:
                burn(self.game, one)
            case BreakUp() as one:
                break_up(self.game, self.player, one)
            case Deploy() as one:
                deploy(self.game, self.player, one)


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
        stocks = any(each.supply or each.type == "depot" for each in carriers(game, self.player))
        return stocks or next(places(game, self.player), None) is not None


@procedure("cleanup", rule="4.9")
async def cleanup(game: Game, phasing: str) -> None:
    """4.9 Supply, depots and militia by one answer; what has become illegal is skipped."""
    order = Cleanup()

    async def destroy_supply() -> None:
        nonlocal order
        merge(game, phasing, over=("moved", "attacked"))
        await lodge_secrets(game, phasing)
        order = await ask(CleanupSegment(phasing))
        for one in order.burn:
            if not skipped(
                game, phasing, Message("wbts.cleanup.supply", unit=one.unit), burn_faults(game, phasing, one)
            ):
                left = burn(game, one)
                game.emit(SupplyDestroyed(phasing, one.unit, unit(game, one.unit).hex, one.points, left))

    async def destroy_depots() -> None:
        for one in order.depots:
            if not skipped(game, phasing, f"depot {one.depot}", break_faults(game, phasing, one)):
                hex, lost = unit(game, one.depot).hex, unit(game, one.depot).supply
                back = break_up(game, phasing, one)
                game.emit(DepotDestroyed(phasing, one.depot, hex, lost, back))

    async def deploy_militia() -> None:
        for one in order.militia:
            if not skipped(
                game,
                phasing,
                Message("wbts.cleanup.militia", state=one.state),
                deploy_faults(game, phasing, one),
            ):
                id = deploy(game, phasing, one)
                left = T.of(game).militia_ready[phasing][one.state]
                game.emit(MilitiaDeployed(phasing, one.state, one.hex, id, unit(game, id).sp, left))
        T.of(game).militia_placed = {}

    await steps(game, [("1", destroy_supply), ("2", destroy_depots), ("3", deploy_militia)])
