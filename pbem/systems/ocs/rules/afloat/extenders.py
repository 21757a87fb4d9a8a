"""Extenders: five transport points that do nothing but carry trace on (4.4.11, 4.4.12, 4.5.2)."""

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
    """4.4.11 Form an Extender, turn one back into points, or let one collapse in place of moving (R-119)."""
    if order.revert is not None:
        _revert(game, _own(game, side, order.revert))
    elif order.collapse is not None:
        one = _own(game, side, order.collapse)
        if one.done:
            raise stop(
                "E-EXT", "4.4.11", Message("ocs.extenders.has-done-part-in-phase", one=one.id), "collapse"
            )
        if not collapse(game, one, order.to):
            raise stop(
                "E-EXT", "4.4.11", Message("ocs.extenders.finds-no-place-in-trace", one=one.id), "collapse"
            )
    else:
        _form(game, side, order)


def _own(game: Game, side: str, id: str) -> Extender:
    found = next((one for one in extenders(game, side) if one.id == id), None)
    if found is None:
        raise stop("E-EXT", "4.4.11", Message("ocs.extenders.no-extender-of-yours", id=id))
    return found


def kinds(game: Game, side: str) -> dict[str, Any]:
    """Return the Extenders of a side's counter mix, by type of points."""
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


def _revert(game: Game, one: Extender) -> None:
    """Turn an Extender into points with half their allowance, which may separate."""
    if one.done:
        raise stop("E-EXT", "4.4.11", Message("ocs.extenders.formed-or-moved-in-phase", one=one.id), "revert")
    made = to_points(game, one)
    made.spent = Fraction(made.ma, 2)


def to_points(game: Game, one: Extender, hex: str | None = None) -> Points:
    """4.4.12: Return the points of an Extender in its hex, or elsewhere."""
    owner, id, hex = one.owner, one.id, hex or one.hex or ""
    size = int(world_of(game).numbers["extender_points"])
    fields = {"type": one.type, "ma": one.ma, "mobility": one.point_mobility}
    one.remove()
    made = Points.add(
        game, f"{owner[0].upper()}-TP{serial(game, owner)}", owner=owner, kind="transport", hex=hex,
        points=size, **fields,
    )  # fmt: skip
    game.emit(ExtenderChanged(owner, id, hex, Message("ocs.extenders.becomes", made=made.id)))
    return made


def places(game: Game, one: Extender) -> list[str]:
    """4.4.12: Return where an Extender may collapse to: in its range, free of enemies, in trace."""
    world = world_of(game)

    def cost(a: str, b: str) -> int | None:
        step = world.step(a, b, one.mobility) if world.land(b) else None
        return None if step == ALL else step

    found = ways(world, one.hex or "", cost, one.range * world.scale)
    tracing = Tracing(game, one.owner)
    foes = {u.hex for u in units(game, world.enemy(one.owner))}
    free = [h for h in found if h not in foes and not holds_enemy_things(game, one.owner, h)]
    return sorted((h for h in free if tracing.direct(h) is not None), key=lambda h: (found.cost(h), h))


def collapse(game: Game, one: Extender, to: str | None = None) -> bool:
    """4.4.12: Collapse to a hex in trace, as points; False if there is none."""
    able = places(game, one)
    if not able or (to is not None and to not in able):
        return False
    to_points(game, one, to or able[0]).done = T.of(game).acting == one.owner
    return True
