"""Between impulses: placement of reinforcements, return to base, the end of the turn (4.2, 4.8, 4.9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.rules import Game, Message

from .entries import Lend, Place, Return
from .flying import legal_bases
from .ground import Ground
from .naval import cargo_fault, ports_in_range
from .pieces import Due, State, T, Unit, controller, country, held_by, maybe_unit, powers_of, side
from .plans import Refusal
from .retreating import stack_class
from .world import world_of

STAY = "stay"
"""E.1: The order of a ship that does not come home."""


def due_home(game: Game, due: Due) -> str:
    """Return the country in whose cities an arriving unit may be placed."""
    return due.country or world_of(game).home[due.owner]


def placement_hexes(game: Game, due: Due) -> list[str]:
    """4.2: Return the hexes where a unit may be placed, the capital first, then by id.

    They are friendly cities of its home country outside enemy zones of control, for ships its
    ports.
    """
    world = world_of(game)
    home, own = due_home(game, due), world.side_of[due.owner]
    printed = world.print(due.type, due.printed)
    ground = Ground(game, own)
    hexes = []
    for hex, site in sorted(world.sites.items()):
        if world.area("country", hex) != home or not held_by(game, hex, own):
            continue
        fits = site.port is not None if printed.arm == "sea" else site.city and hex not in ground.zoc
        if fits and _room(game, due, hex):
            hexes.append(hex)
    capital = world.countries[home].capital
    return sorted(hexes, key=lambda h: (h != capital, h))


def place_fault(game: Game, left: Mapping[str, Due], order: Place) -> Refusal | None:
    """A.3: Return the fault of an entry in the list of places."""
    due = left.get(order.unit or "")
    if due is None:
        return Refusal("E-UNIT", Message("wif.turning.nothing-that-you-place-now", unit=order.unit))
    if order.to not in placement_hexes(game, due):
        return Refusal("E-MOVE", Message("wif.turning.cannot-be-placed", unit=order.unit, to=order.to))
    return None


def _room(game: Game, due: Due, hex: str) -> bool:
    world = world_of(game)
    kind = stack_class(world.print(due.type, due.printed))
    if not kind:
        return True
    present = [Unit(game, id) for id in game.position.at(hex)]
    own = world.side_of[due.owner]
    return sum(1 for u in present if stack_class(u.print) == kind and side(game, u) == own) < int(
        world.units["stacking"][kind]
    )


def return_ports(game: Game, u: Unit) -> list[str]:
    """4.8.2: Return the ports or bases where a unit at sea may return, nearest first, then id."""
    if u.area is None:
        return []
    return legal_bases(game, u, u.area) if u.print.arm == "air" else ports_in_range(game, u)


def return_fault(game: Game, player: str, order: Return) -> Refusal | None:
    """E.1: Return the fault of an order to come home."""
    id = who_returns(order)
    u = maybe_unit(game, id)
    if u is None or game.seat(u.owner) != player:
        return Refusal("E-UNIT", Message("wif.battle.no-such-unit-of-yours", id=id))
    if u.area is None or u.print.arm == "land":
        return Refusal("E-MOVE", Message("wif.turning.not-sea", id=id))
    if order.to == STAY and u.print.arm == "sea":
        return None
    if order.to not in return_ports(game, u):
        return Refusal("E-MOVE", Message("wif.turning.cannot-return", id=id, to=order.to))
    return cargo_fault(game, [u], order.to or "")


def who_returns(order: Return) -> str:
    """E.1: Return the ship or aircraft that an entry names."""
    return order.unit or order.ship or ""


def lender_of(game: Game, player: str, loan: Lend) -> str:
    """B.1: Return the lender: the power named, else the player's first that cooperates."""
    world = world_of(game)
    mine = [p for p in powers_of(game, player) if p != loan.to and world.cooperate(p, loan.to or "")]
    return loan.from_ or next(iter(mine), "nobody")


def move_marker(game: Game, loser: str) -> bool:
    """4.4, 4.8.1: Move the marker one box against a side.

    Returns False at the end of the track.
    """
    t, world = T.of(game), world_of(game)
    most = int(world.turn["initiative_most"])
    first = next(iter(world.sides))
    step = -1 if loser == first else 1
    if not -most <= t.initiative + step <= most:
        return False
    t.initiative += step
    return True


def pass_bonus(game: Game, own: str) -> int:
    """4.8.1: Return the bonus for the powers of a side that passed."""
    t, world = T.of(game), world_of(game)
    bonus = world.activity["pass_bonus"]
    return sum(int(bonus.get(p, 0)) for p in world.sides[own] if t.action.get(p, "pass") == "pass")


def fallen(game: Game) -> list[tuple[str, str]]:
    """4.9: Return the aligned minors that hold none of their cities, and the powers that take them."""
    world, conquests = world_of(game), []
    for name, printed in world.countries.items():
        state = country(game, name)
        if printed.kind != "minor" or state.status != "aligned" or state.power is None:
            continue
        own = world.side_of[state.power]
        cities = [h for h, s in world.sites.items() if s.city and world.area("country", h) == name]
        cities = [*dict.fromkeys([printed.capital, *cities])]
        holders = {h: controller(game, h) for h in cities}
        if all(p is not None and world.side_of[p] != own for p in holders.values()):
            conquests.append((name, str(holders[printed.capital])))
    return conquests


def conquer(game: Game, name: str, power: str) -> tuple[str, ...]:
    """4.9: Conquer a country, remove its units, and return their ids."""
    t = T.of(game)
    for hex in world_of(game).inside("country", name):
        holder = controller(game, hex)
        if holder is not None:
            t.control[hex] = holder
    t.countries[name] = State("conquered", power)
    gone = tuple(id for id, f in sorted(game.position.counters.items()) if f.get("country") == name)
    for id in gone:
        Unit(game, id).remove()
    return gone


def score(game: Game) -> tuple[int, dict[str, int]]:
    """10.4: Return the points of the side that is counted, in total and by hex."""
    world = world_of(game)
    own = str(world.scenario["victory"]["side"])
    held = {h: s.vp for h, s in sorted(world.sites.items()) if s.vp and held_by(game, h, own)}
    return sum(held.values()), held


def capitals_lost(game: Game) -> list[str]:
    """10.4: Return the sides that have lost all their capital cities."""
    world = world_of(game)
    capitals: dict[str, Any] = world.scenario["victory"].get("capitals", {})
    return [own for own, hexes in capitals.items() if not any(held_by(game, h, own) for h in hexes)]
