"""The printed values of counters (2.3 to 2.6) for drawings and lists: ratings, movement, steps, modes."""

from __future__ import annotations

from pbem.rules import Game, Json

from ..rules.pieces import Extender, Facing, Plane, Points, Ship, Unit, world_of

MARKERS = ("reserve", "dg", "exploit", "strat")


def faces(game: Game) -> dict[str, dict[str, Json]]:
    """Return figures and modes of every counter whose type the reader knows."""
    faces_: dict[str, dict[str, Json]] = {}
    world = world_of(game)
    for id, fields in game.position.counters.items():
        known = "printed" in fields or str(fields.get("type") or id) in {**world.units, **world.planes}
        kind = fields.get("kind")
        if kind == "craft":
            size = fields["points"] if "points" in fields and not id.startswith("?") else None
            faces_[id] = {"figures": f"{size}P", "size": size} if size is not None else {}
        elif kind in ("transport", "extender"):
            faces_[id] = _points(game, id)
        elif kind == "ship":
            faces_[id] = _ship(Ship(game, id)) if known or id in world.ships else {}
        elif known:
            faces_[id] = _plane(Plane(game, id)) if kind == "aircraft" else _unit(Unit(game, id))
    return faces_


def _unit(u: Unit) -> dict[str, Json]:
    """Return both sides, range, steps and states of a unit.

    An enemy who cannot see losses (7.1) sees it as whole.
    """
    marks: dict[str, Json] = {name: u.marker == name for name in MARKERS}
    move = u.facing == "move" and not u.kind.startswith("repl")
    other: Facing = "combat" if u.facing == "move" else "move"
    shows, turned = side_figures(u, u.facing), side_figures(u, other)
    alike = shows == turned and u.side.mobility == u.print.side(other).mobility
    return {
        "figures": shows,
        "walks": u.side.mobility,
        "turned": None if alike else turned,
        "turned_walks": u.print.side(other).mobility,
        "reach": u.print.range,
        "formation": u.formation,
        "steps": u.steps,
        "full": u.print.steps,
        "worn": bool(u.lost),
        "echelon": u.print.size,
        "move": move and u.marker not in ("reserve", "strat"),
        "low": u.internal == "low",
        "exhausted": u.internal == "exhausted",
        **marks,
    }


def side_figures(u: Unit, facing: Facing) -> str:
    """2.3: Return the figures of one side of a unit.

    Strength (in parentheses if it only defends), b barrage or t throw, then action rating and movement.
    """
    side = u.print.side(facing)
    if side.barrage is not None:
        first = f"b{side.barrage}"
    elif side.throw is not None:
        first = f"t{side.throw}"
    elif side.strength is not None:
        first = str(side.strength)
    else:
        first = f"({u.print.combat.strength or 0})"
    return f"{first}-{u.print.ar}-{side.ma}"


def _points(game: Game, id: str) -> dict[str, Json]:
    """7.1: Return points and their supply; {} for an unknown stand-in."""
    if id.startswith("?"):
        return {}
    if game.position.counters[id]["kind"] == "extender":
        extender = Extender(game, id)
        return {"figures": f"{extender.range} MP", "walks": extender.mobility, "ma": extender.ma}
    p = Points(game, id)
    return {
        "figures": f"{p.points}P {p.load}T" if p.load else f"{p.points}P",
        "size": p.points,
        "reserve": p.marker == "reserve",
    }


def _plane(p: Plane) -> dict[str, Json]:
    """Return rating (in parentheses if it only defends) and barrage; steps left of two."""
    rating = f"({p.wing.rating})" if p.wing.paren else str(p.wing.rating)
    return {
        "figures": f"{rating}-{p.wing.barrage}",
        "types": "/".join(p.print.types),
        "reach": p.print.range,
        "cargo": str(p.capacity) if p.capacity else None,
        "steps": p.steps,
        "full": 2,
        "worn": bool(p.lost),
        "inactive": not p.active,
    }


def _ship(s: Ship) -> dict[str, Json]:
    return {
        "figures": f"{s.hull.barrage}-{s.hull.range}",
        "flak": s.hull.flak,
        "protection": s.hull.protection,
        "dg": s.dg,
    }
