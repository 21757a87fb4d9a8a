"""What stands on counters (2.3 to 2.6), for drawings: strength, action rating, movement, steps, modes."""

from __future__ import annotations

from pbem.rules import Game, Json

from ..rules.pieces import Extender, Plane, Points, Ship, Unit, world_of

MARKERS = ("reserve", "dg", "exploit", "strat")


def faces(game: Game) -> dict[str, dict[str, Json]]:
    """Figures and modes of every counter of which the reader knows what it is."""
    found: dict[str, dict[str, Json]] = {}
    world = world_of(game)
    for id, fields in game.position.counters.items():
        known = "printed" in fields or str(fields.get("type") or id) in {**world.units, **world.planes}
        kind = fields.get("kind")
        if kind == "craft":
            found[id] = {"figures": f"{fields['points']}P"} if "points" in fields else {}
        elif kind in ("transport", "extender"):
            found[id] = _points(game, id)
        elif kind == "ship":
            found[id] = _ship(Ship(game, id)) if known or id in world.ships else {}
        elif known:
            found[id] = _plane(Plane(game, id)) if kind == "aircraft" else _unit(Unit(game, id))
    return found


def _unit(u: Unit) -> dict[str, Json]:
    """Strength (in parentheses where it only defends), barrage or throw, then action rating and movement."""
    side = u.side
    if side.barrage is not None:
        first = f"b{side.barrage}"
    elif side.throw is not None:
        first = f"t{side.throw}"
    elif side.strength is not None:
        first = str(side.strength)
    else:
        first = f"({u.print.combat.strength or 0})"
    marks: dict[str, Json] = {name: u.marker == name for name in MARKERS}
    move = u.facing == "move" and not u.kind.startswith("repl")
    return {
        "figures": f"{first}-{u.print.ar}-{side.ma}",
        "steps": u.steps,
        "full": u.print.steps,
        "echelon": u.print.size,
        "move": move and u.marker not in ("reserve", "strat"),
        **marks,
    }


def _points(game: Game, id: str) -> dict[str, Json]:
    """Points, and the supply on them."""
    if game.position.counters[id]["kind"] == "extender":
        return {"figures": f"{Extender(game, id).range} MP"}
    p = Points(game, id)
    if "points" not in game.position.counters[id]:
        return {}
    return {
        "figures": f"{p.points}P {p.load}T" if p.load else f"{p.points}P",
        "reserve": p.marker == "reserve",
    }


def _plane(p: Plane) -> dict[str, Json]:
    """Rating (in parentheses where it only defends) and barrage; steps left of two."""
    rating = f"({p.wing.rating})" if p.wing.paren else str(p.wing.rating)
    return {"figures": f"{rating}-{p.wing.barrage}", "steps": 1 if p.lost else 2, "full": 2}


def _ship(s: Ship) -> dict[str, Json]:
    return {"figures": f"{s.hull.barrage}-{s.hull.range}", "dg": s.dg}
