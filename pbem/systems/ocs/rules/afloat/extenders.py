"""Extenders: five transport points that only extend trace (4.4.11, 4.4.12, 4.5.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pbem.kit.ways import ways
from pbem.rules import Game, Message

from ..actions import Extend
from ..events.moving import ExtenderChanged
from ..moving import holds_enemy_things, own_points, stop
from ..pieces import Extender, Points, T, extenders, serial, units, world_of
from ..supply.trace import Tracing
from ..world import ALL


def extend(game: Game, side: str, order: Extend) -> None:
    """4.4.11: Form an Extender, turn one back into points, or collapse one instead of moving it (R-119)."""
    if order.revert is not None:
        _revert(game, _own(game, side, order.revert))
    elif order.collapse is not None:
        extender = _own(game, side, order.collapse)
        if extender.done:
            raise stop(
                "E-EXT",
                "4.4.11",
                Message("ocs.extenders.has-done-part-in-phase", one=extender.id),
                "collapse",
            )
        if not collapse(game, extender, order.to):
            raise stop(
                "E-EXT",
                "4.4.11",
                Message("ocs.extenders.finds-no-place-in-trace", one=extender.id),
                "collapse",
            )
    else:
        _form(game, side, order)


def _own(game: Game, side: str, id: str) -> Extender:
    extender = next((e for e in extenders(game, side) if e.id == id), None)
    if extender is None:
        raise stop("E-EXT", "4.4.11", Message("ocs.extenders.no-extender-of-yours", id=id))
    return extender


def kinds(game: Game, side: str) -> dict[str, Any]:
    """Return the Extenders in a side's counter mix, by type of points."""
    mix: dict[str, Any] = world_of(game).oob[side].get("extenders", {})
    return mix


def _form(game: Game, side: str, order: Extend) -> None:
    listed = own_points(game, side, order.form)
    hex, type = order.hex or listed[0].hex or "", listed[0].type
    row, size = kinds(game, side).get(type), int(world_of(game).numbers["extender_points"])
    if row is None or len([e for e in extenders(game, side) if e.type == type]) >= int(row["count"]):
        raise stop("E-EXT", "4.4.11", Message("ocs.extenders.no-extender-counter-of-left", type=type), "form")
    if sum(p.points for p in listed) != size or any(
        p.type != type or p.organic_of or p.tokens for p in listed
    ):
        raise stop(
            "E-EXT", "4.4.11", Message("ocs.extenders.extender-takes-points-of-one-type", size=size), "form"
        )
    for p in listed:
        if p.load or p.hex != hex or 2 * p.spent > p.ma:
            raise stop(
                "E-EXT",
                "4.4.11",
                Message("ocs.extenders.unloaded-in-with-half-allowance-left", p=p.id, hex=hex),
                "form",
            )
    if not Tracing(game, side).connects(hex, int(row["range"]), row["mobility"]):
        raise stop(
            "E-EXT", "4.4.11", Message("ocs.extenders.extender-in-would-not-be-linked", hex=hex), "hex"
        )
    first = listed[0]
    id = f"{side[0].upper()}-EXT{serial(game, side)}"
    made = Extender.add(
        game, id, owner=side, kind="extender", hex=hex, type=type, range=int(row["range"]),
        mobility=row["mobility"], ma=first.ma, point_mobility=first.mobility, done=True,
    )  # fmt: skip
    for p in listed:
        p.remove()
    game.emit(ExtenderChanged(side, made.id, hex, Message("ocs.extenders.formed-of", form=tuple(order.form))))


def _revert(game: Game, extender: Extender) -> None:
    """Turn an Extender into points, which have half their allowance left and may separate."""
    if extender.done:
        raise stop(
            "E-EXT", "4.4.11", Message("ocs.extenders.formed-or-moved-in-phase", one=extender.id), "revert"
        )
    made = to_points(game, extender)
    made.spent = Fraction(made.ma, 2)


def to_points(game: Game, extender: Extender, hex: str | None = None) -> Points:
    """4.4.12: Replace an Extender by its points, in its hex or elsewhere; return them."""
    owner, id, hex = extender.owner, extender.id, hex or extender.hex or ""
    size = int(world_of(game).numbers["extender_points"])
    fields = {"type": extender.type, "ma": extender.ma, "mobility": extender.point_mobility}
    extender.remove()
    made = Points.add(
        game, f"{owner[0].upper()}-TP{serial(game, owner)}", owner=owner, kind="transport", hex=hex,
        points=size, **fields,
    )  # fmt: skip
    game.emit(ExtenderChanged(owner, id, hex, Message("ocs.extenders.becomes", made=made.id)))
    return made


def places(game: Game, extender: Extender) -> list[str]:
    """4.4.12: Return the hexes to which an Extender may collapse: in range, in trace, without enemies."""
    world = world_of(game)

    def cost(a: str, b: str) -> int | None:
        step = world.step(a, b, extender.mobility) if world.land(b) else None
        return None if step == ALL else step

    reached = ways(world, extender.hex or "", cost, extender.range * world.scale)
    tracing = Tracing(game, extender.owner)
    foes = {u.hex for u in units(game, world.enemy(extender.owner))}
    free = [h for h in reached if h not in foes and not holds_enemy_things(game, extender.owner, h)]
    return sorted((h for h in free if tracing.direct(h) is not None), key=lambda h: (reached.cost(h), h))


def collapse(game: Game, extender: Extender, to: str | None = None) -> bool:
    """4.4.12: Collapse an Extender to a hex in trace, as points; return False if there is none."""
    able = places(game, extender)
    if not able or (to is not None and to not in able):
        return False
    to_points(game, extender, to or able[0]).done = T.of(game).acting == extender.owner
    return True
