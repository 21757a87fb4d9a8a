"""4.5.3: Eating: untraced units eat half a T for each RE, rounded up for each dump."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Game, LocationId, Message, Name, dataclass

from ..events.turn import UnitsAte
from ..pieces import Unit, total_re, world_of
from .reach import Net
from .stores import take


@dataclass(frozen=True)
class Fed:
    """A unit that eats, and the dump; by default the first dump in reach with enough."""

    unit: Name
    dump: LocationId | None = None


def price(board: Board, eaters: Sequence[Unit]) -> int:
    """4.5.3: Return the T that these units eat from one dump."""
    per = 2 * int(world_of(board).supply["costs"]["eat_per_2_re"])
    return int(-(-total_re(list(eaters)) // per))


def eaten(board: Board, side: str, u: Unit) -> list[str]:
    """Return the dumps that a unit can eat from, organic trucks last; none for a Strat unit."""
    if u.marker == "strat":
        return []
    return [s.hex for s in Net(board, side).usable(u.hex or "", u, organic=True)]


def tables(board: Board, side: str, meals: Sequence[Fed]) -> dict[str, list[Unit]]:
    """Return the units that each dump feeds; a unit that names no dump uses the first in reach."""
    eaters: dict[str, list[Unit]] = {}
    for meal in meals:
        u = Unit(board, meal.unit)
        hex = meal.dump or next(iter(eaten(board, side, u)), "")
        eaters.setdefault(hex, []).append(u)
    return eaters


def eat_faults(board: Board, side: str, meals: Sequence[Fed]) -> list[Diagnostic]:
    """Return the faults of the last of these meals."""
    last = meals[-1]
    u = Unit(board, last.unit)
    if u.marker == "strat":
        return [illegal("E-MODE", "4.5.3", Message("ocs.meals.strat-mode-and-may-not-eat", u=u.id), "unit")]
    able = eaten(board, side, u)
    if not able or (last.dump is not None and last.dump not in able):
        return [
            illegal("E-SUP-PATH", "4.5.3", Message("ocs.meals.no-supply-path-from-to-dump", u=u.id), "dump")
        ]
    hex = last.dump or able[0]
    if price(board, tables(board, side, meals)[hex]) > _there(board, side, hex, u.formation):
        return [illegal("E-SUP-SHORT", "4.5.3", Message("ocs.meals.not-enough", hex=hex, u=u.id), "dump")]
    return []


def _there(board: Board, side: str, hex: str, formation: str | None) -> int:
    store = next((s for s in Net(board, side).stores() if s.hex == hex), None)
    return 0 if store is None else store.free + (store.organic.get(formation, 0) if formation else 0)


def cheapest(board: Board, side: str, ids: Sequence[str], keep: int) -> tuple[Fed, ...]:
    """D-EAT (R-202): Return meals for all units that can eat, keeping some supply.

    Independent units come first. Each eats from the first dump with enough, in the order of payment.
    """
    hungry = sorted((Unit(board, id) for id in ids), key=lambda u: (u.formation is not None, u.id))
    hungry = [u for u in hungry if u.marker != "strat"]
    net = Net(board, side)
    free = {store.hex: store.free for store in net.stores()}
    left = sum(free.values()) - keep
    eaters: dict[str, list[Unit]] = {hex: [] for hex in free}
    meals: list[Fed] = []
    for u in hungry:
        for supply in net.usable(u.hex or "", u):
            hex = supply.hex
            now, more = price(board, eaters[hex]), price(board, [*eaters[hex], u])
            if more <= free[hex] and more - now <= left:
                left -= more - now
                eaters[hex].append(u)
                meals.append(Fed(u.id, hex))
                break
    return tuple(meals)


def feed(game: Game, side: str, meals: tuple[Fed, ...]) -> list[str]:
    """4.5.3: Feed units from dumps; return their ids. Each dump is paid from once."""
    fed: list[str] = []
    for hex, eaters in sorted(tables(game, side, meals).items()):
        if not hex:
            continue
        cost = price(game, eaters)
        formation = next((u.formation for u in eaters if u.formation), None)
        take(game, side, hex, cost, formation)
        for u in eaters:
            u.last_trace, u.oos = "ate", False
        fed += [u.id for u in eaters]
        game.emit(UnitsAte(side, tuple(u.id for u in eaters), hex, cost))
    return fed
