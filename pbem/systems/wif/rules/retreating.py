"""4.7.1, 4.7.7: Places for units: stacking, retreats, flight from a hex that is taken."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.rules import Board, Message

from .ground import Ground
from .pieces import T, Unit, controller, held_by, port_damaged, side, side_units, turn_down, units
from .plans import Refusal
from .printed import Print
from .world import World, world_of


def stack_class(print: Print) -> str:
    """Return the stacking class of a counter: corps, division, support, air, or '' for ships."""
    return "air" if print.arm == "air" else "" if print.arm == "sea" else print.size


def stacked(board: Board, own: str, hex: str, kind: str) -> list[Unit]:
    """Return the units of a side in a hex that stack as one class, without those aboard ships."""
    stack = side_units(board, own, hex)
    return [u for u in stack if u.aboard is None and stack_class(u.print) == kind]


def has_room(board: Board, u: Unit, hex: str) -> bool:
    """4.7.1: Return True if the stack would be legal with this unit in it."""
    return not in_the_way(board, u, hex)


def in_the_way(board: Board, u: Unit, hex: str) -> tuple[str, ...]:
    """4.7.1: Return the units that fill a hex, so that this one has no room. Empty if it has."""
    kind = stack_class(u.print)
    if not kind:
        return ()
    others = tuple(o.id for o in stacked(board, side(board, u), hex, kind) if o.id != u.id)
    return others if len(others) >= int(world_of(board).units["stacking"][kind]) else ()


def no_room(board: Board, u: Unit, hex: str) -> Refusal | None:
    """4.7.1: Return the refusal of a full hex, which names the units there, or None."""
    others = in_the_way(board, u, hex)
    if not others:
        return None
    return Refusal(
        "E-MOVE", Message("wif.crowding.no-room", u=u.id, hex=hex, others=tuple(others)), crowds=True
    )


def room_for_all(board: Board, arriving: Iterable[Unit], hex: str) -> bool:
    """4.7.1: Return True if the stack would be legal with all of these in it."""
    counts: dict[str, int] = {}
    for u in arriving:
        kind = stack_class(u.print)
        counts[kind] = counts.get(kind, 0) + (u.hex != hex or u.aboard is not None)
    world = world_of(board)
    for kind, extra in counts.items():
        stack = [o for o in units(board, at=hex) if o.aboard is None and stack_class(o.print) == kind]
        if kind and len(stack) + extra > int(world.units["stacking"][kind]):
            return False
    return True


def retreat_hexes(board: Board, u: Unit, origin: str) -> list[str]:
    """4.7.7: Return the hexes to which a unit may retreat.

    The nearest to a primary source comes first, then by id.
    """
    world, own = world_of(board), side(board, u)
    ground = Ground(board, own)
    hexes = []
    for hex in world.beside(origin):
        if not world.land(hex) or not world.open_side(origin, hex) or controller(board, hex) is None:
            continue
        if side_units(board, world.enemy(own), hex) or (hex in ground.zoc and hex not in ground.ours):
            continue
        if has_room(board, u, hex):
            hexes.append(hex)
    homes = primary_cities(board, u)
    return sorted(hexes, key=lambda h: (world.nearest(h, homes), h))


def primary_cities(board: Board, u: Unit) -> list[str]:
    """Return the primary cities that a unit's side holds, on the unit's own map sheet (S-7).

    They are in its own country, or home countries of its power and of partners.
    """
    world = world_of(board)
    names = {
        u.home,
        *(
            h
            for power in world.sides[side(board, u)]
            if world.cooperate(power, u.owner)
            for h in world.homes.get(power, ())
        ),
    }
    start = u.hex if u.hex in world.index else None
    return [
        h
        for h, s in sorted(world.sites.items())
        if s.city
        and world.area("country", h) in names
        and held_by(board, h, side(board, u))
        and (start is None or world.hexes_between(start, h) is not None)
    ]


def nearest(world: World, start: str, hexes: Iterable[str]) -> list[str]:
    """Return the hexes by distance from a place, then id. Those that cannot be counted come last."""
    return sorted(hexes, key=lambda h: (d if (d := world.hexes_between(start, h)) is not None else 999, h))


def friendly_ports(board: Board, own: str) -> list[str]:
    """Return the coastal ports that a side holds, damaged or not."""
    world = world_of(board)
    return [
        h for h, s in sorted(world.sites.items()) if s.port and h in world.coasts and held_by(board, h, own)
    ]


def overrun(board: Board, hex: str, taker: str) -> list[tuple[Unit, str | None]]:
    """4.7.7: Return the refuge of each unit driven out of a taken hex, or None if it is destroyed.

    Land units are destroyed. Aircraft and ships flee. The caller moves them.
    """
    world, own = world_of(board), world_of(board).enemy(taker)
    refuges: list[tuple[Unit, str | None]] = []
    for u in side_units(board, own, hex):
        if u.print.arm == "land":
            refuges.append((u, None))
        elif u.print.arm == "air":
            cities = [h for h, s in world.sites.items() if s.city and h != hex and held_by(board, h, own)]
            near = [
                h
                for h in nearest(world, hex, cities)
                if (world.hexes_between(hex, h) or 999) <= u.print.range
            ]
            refuges.append((u, near[0] if near else None))
        elif u.aboard is None:
            ports = [p for p in friendly_ports(board, own) if p != hex]
            refuges.append((u, nearest(world, hex, ports)[0] if ports else None))
    return refuges


def flee(board: Board, u: Unit, to: str) -> None:
    """Move a unit driven out of a hex to its refuge, face-down."""
    u.hex = to
    turn_down(u)
    for cargo in units(board):
        if cargo.aboard == u.id:
            cargo.hex = to


def left_hex(board: Board, u: Unit, origin: str) -> list[Unit]:
    """4.6.13: Turn down and return the supply units that end with a unit's departure.

    They are an active supply unit that leaves, and that of a headquarters that leaves.
    """
    turned = []
    if u.type == "SUPPLY" and u.active is not None:
        turned.append(u)
    if u.print.headquarters:
        turned += [o for o in units(board, at=origin) if o.active == u.id]
    for supply in turned:
        turn_down(supply)
    return turned


def damage_port(board: Board, hex: str) -> bool:
    """Damage a port taken from the enemy. Return True if it was whole."""
    port = world_of(board).sites.get(hex)
    if port is None or port.port is None or port_damaged(board, hex):
        return False
    t = T.of(board)
    t.damaged = tuple(sorted({*t.damaged, hex}))
    return True
