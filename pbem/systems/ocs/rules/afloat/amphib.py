"""4.12.7 (module amphib): Landing Craft that load in ports, sail, and are lost.

Cargo is kept in the craft (`cargo`) and is in no hex: it exerts no zone, sees nothing and needs no trace.
`landings` puts it ashore, `beaches` attacks from the craft. R-133 to R-136 fill gaps in the rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Game, Message, Refused

from ..actions import Embark, Naval
from ..events.moving import CraftLost, Embarked, Sailed
from ..fighting.losses import drown
from ..moving import stop
from ..pieces import Craft, Points, T, Unit, craft, points, ships, units, world_of
from ..supply.stores import take_from_ground
from ..supply.trace import port_capacity
from ..walk import own_units
from ..zones import Ground
from .transport import check_tokens, weight

PHASE_FIELDS = (
    "done", "committed", "spent", "start", "fuel_single", "fuel_hex", "released", "attacked", "barraged",
    "moved", "converted", "entrained", "air_landed", "top",
)  # fmt: skip


def own_craft(game: Game, side: str, ids: Sequence[str]) -> list[Craft]:
    """Return the Landing Craft that an order names; they must be in one hex."""
    own = {c.id: c for c in craft(game, side)}
    if not ids or any(id not in own for id in ids):
        raise stop("E-MOVE-ELIGIBLE", "4.12.7", Message("ocs.amphib.name-landing-craft-of-yours"), "craft")
    listed = [own[id] for id in ids]
    if len({c.hex for c in listed}) != 1:
        raise stop(
            "E-MOVE-ELIGIBLE", "4.12.7", Message("ocs.amphib.craft-that-act-together-in-one-hex"), "craft"
        )
    return listed


def aboard(game: Game, listed: Sequence[Craft]) -> dict[str, Craft]:
    """Return the craft that carries each piece of cargo, by its id."""
    return {id: c for c in listed for id in c.cargo}


def load_of(game: Game, c: Craft) -> Fraction:
    """4.4.9: Return the weight of a craft's cargo, in T."""
    return weight_of(game, c.cargo) + c.load


def weight_of(game: Game, cargo: Mapping[str, Any]) -> Fraction:
    """Return the weight of cargo in T, as on a train."""
    board = game.copy()
    for id, fields in cargo.items():
        if id in board.position.counters:
            board.position.remove(id)
        board.position.add(id, {**fields, "hex": None})
    listed = [Unit(board, id) for id, fields in cargo.items() if fields["kind"] != "transport"]
    return weight(
        board, listed, [Points(board, id) for id, f in cargo.items() if f["kind"] == "transport"], 0
    )


def embark(game: Game, side: str, order: Embark) -> None:
    """Load plain units that have not moved, points and T, in a box or a port within its capacity."""
    if T.of(game).simulcast:
        raise stop("E-SIMUL", "4.15", Message("ocs.amphib.no-landing-craft-load-in-simulcast-turn"), "craft")
    listed = own_craft(game, side, order.craft)
    hex, t = listed[0].hex or "", T.of(game)
    if any(c.done for c in listed):
        raise stop(
            "E-MOVE-DONE", "4.12.7", Message("ocs.amphib.craft-that-have-landed-or-moved-load"), "craft"
        )
    units_, points_ = _boarding(game, side, hex, order)
    cost = weight(game, units_, points_, order.tokens)
    if not cost:
        raise stop("E-SEA-MODE", "4.12.7", Message("ocs.amphib.nothing-loaded"), "units")
    port = t.ports.get(hex)
    box = hex in world_of(game).boxes
    if port is None or port.owner != side or (not box and hex in Ground(game, side).zoc):
        raise stop("E-PORT-CAP", "4.12.7", Message("ocs.amphib.no-port-of-yours", hex=hex), "craft")
    if not box and cost + port.used > port_capacity(game, hex):
        raise stop(
            "E-PORT-CAP",
            "4.12.7",
            Message("ocs.amphib.handles-t-in-phase", hex=hex, capacity=port_capacity(game, hex)),
            "units",
        )
    if cost > sum((c.capacity - load_of(game, c) for c in listed), Fraction(0)):
        raise stop("E-TP-CAP", "4.12.7", Message("ocs.amphib.more-than-craft-can-carry"), "craft")
    if order.tokens and world_of(game).boxes.get(hex, {}).get("supplies") != "infinite":
        check_tokens(game, side, hex, order.tokens)
    _stow(game, listed, units_, points_)
    _stow_tokens(game, hex, listed, order.tokens)
    t.ports[hex] = replace(port, used=port.used + cost)
    for c in listed:
        c.embarked = True
    ids = (*order.units, *order.points)
    game.emit(Embarked(side, order.craft, ids, order.tokens, hex))


def _boarding(game: Game, side: str, hex: str, order: Embark) -> tuple[list[Unit], list[Points]]:
    listed = own_units(game, side, order.units) if order.units else []
    own = {p.id: p for p in points(game, side)}
    faults: list[Diagnostic] = []
    for n, u in enumerate(listed):
        if u.done or u.committed or u.spent:
            faults.append(
                illegal("E-MOVE-DONE", "4.12.7", Message("ocs.amphib.has-moved-in-phase", u=u.id), "units", n)
            )
        elif u.marker != "none" or u.hex != hex:
            faults.append(
                illegal(
                    "E-SEA-MODE",
                    "4.12.7",
                    Message("ocs.amphib.goes-aboard-in-plain-mode", u=u.id, hex=hex),
                    "units",
                    n,
                )
            )
    for n, id in enumerate(order.points):
        p = own.get(id)
        if p is None or p.hex != hex or p.done or p.spent or p.rode:
            faults.append(
                illegal(
                    "E-SEA-MODE",
                    "4.12.7",
                    Message("ocs.amphib.cannot-go-aboard", id=id, hex=hex),
                    "points",
                    n,
                )
            )
    if faults:
        raise Refused(faults)
    return listed, [own[id] for id in order.points]


def _stow(game: Game, listed: Sequence[Craft], units_: Sequence[Unit], points_: Sequence[Points]) -> None:
    """Put each counter into the first craft with room, or else into the one with most room.

    A large unit needs several craft; it is kept in one of them.
    """
    for counter in [*units_, *points_]:
        fields: dict[str, Any] = {
            k: v for k, v in counter.position.counters[counter.id].items() if k not in PHASE_FIELDS
        }
        fields.pop("hex", None)
        need = weight_of(game, {counter.id: fields})
        room = [c for c in listed if c.capacity - load_of(game, c) >= need]
        best = room[0] if room else max(listed, key=lambda c: (c.capacity - load_of(game, c), c.id))
        best.cargo = {**best.cargo, counter.id: fields}
        counter.remove()


def _stow_tokens(game: Game, hex: str, listed: Sequence[Craft], tokens: int) -> None:
    if tokens and world_of(game).boxes.get(hex, {}).get("supplies") != "infinite":
        take_from_ground(game, hex, tokens)
    for c in listed:
        put = min(tokens, max(0, int(c.capacity - load_of(game, c))))
        c.load, tokens = c.load + put, tokens - put
    listed[0].load += tokens


def sail_craft(game: Game, side: str, order: Naval) -> None:
    """4.12.1: Sail Landing Craft like ships, but only before any of them lands in this phase."""
    world, t = world_of(game), T.of(game)
    listed = own_craft(game, side, order.ships)
    if t.landed == side:
        raise stop(
            "E-MOVE-DONE", "4.12.7", Message("ocs.amphib.craft-sail-before-any-of-them-lands"), "ships"
        )
    if t.simulcast:
        raise stop("E-SIMUL", "4.15", Message("ocs.amphib.no-landing-craft-sail-in-simulcast-turn"), "ships")
    here, enemy = listed[0].hex or "", world.enemy(side)
    start = here
    for n, to in enumerate(order.path):
        port = t.ports.get(to)
        wet = world.sea(to) or (port is not None and port.owner == side)
        next_to = to in world.shore if here in world.boxes else to in world.beside(here)
        if not next_to or not wet:
            raise stop(
                "E-MOVE-PROHIBITED",
                "4.12.1",
                Message("ocs.amphib.craft-cannot-go", here=here, to=to),
                "path",
                n,
            )
        if ships(game, enemy, to) or units(game, enemy, to):
            raise stop("E-MOVE-ENEMY", "4.12.1", Message("ocs.amphib.holds-enemies", to=to), "path", n)
        here = to
    most = int(world.tables["ships"]["movement"]["move_per_phase"])
    for c in listed:
        if c.spent + len(order.path) > most:
            raise stop("E-MOVE-MP", "4.12.1", Message("ocs.amphib.cannot-sail-so-far", c=c.id), "path")
    for c in listed:
        c.spent += len(order.path)
        c.hex = here
    game.emit(Sailed(side, order.ships, start, order.path))


def lose_craft(game: Game, listed: Sequence[Craft], count: int) -> None:
    """Remove `count` lost points of craft, the emptiest first, with the cargo that the rest cannot carry."""
    for c in sorted((c for c in listed if c.there), key=lambda c: (load_of(game, c), c.id)):
        gone = min(count, c.points)
        count -= gone
        if gone:
            _shrink(game, c, gone)


def _shrink(game: Game, c: Craft, gone: int) -> None:
    owner, id, hex = c.owner, c.id, c.hex or ""
    c.points -= gone
    c.load = min(c.load, c.capacity)
    over = sorted(c.cargo)
    while over and load_of(game, c) > c.capacity:
        drown(game, c, over.pop())
    if not c.points:
        c.remove()
    game.emit(CraftLost(owner, id, hex, gone))
