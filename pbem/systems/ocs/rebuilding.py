"""4.3.4 Rebuilding reduced and destroyed units with replacements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Game

from .events.turn import Rebuilt
from .pieces import Plane, T, Unit, maybe_unit, units, world_of
from .zones import Ground

if TYPE_CHECKING:
    from .decisions.turn import RebuildOne

NEVER = ("breakdown",)


def cost_of(board: Board, kind: str, category: str) -> dict[str, int] | None:
    """The replacements a step (or unit) of a kind takes; None: never."""
    chart = world_of(board).tables["turn"]["rebuild"]
    if kind in chart["not_rebuildable"]:
        return None
    row = {
        "infantry_type": "infantry_type_step",
        "recon": "cavalry_motorized_or_recon",
        "engineer": "engineer_or_rail_repair",
        "rail_repair": "engineer_or_rail_repair",
        "aircraft": "aircraft_two_steps",
        "transport": "truck_point",
    }.get(kind, kind)
    found: dict[str, int] | None = chart.get(row) or chart.get(
        {"armor": "armor", "mech": "mech"}.get(category, "")
    )
    return found


def rebuild_faults(board: Board, side: str, one: RebuildOne, n: int) -> list[Diagnostic]:
    """Everything against a rebuild."""
    world, found = world_of(board), []
    repls = [u for id in one.repls if (u := maybe_unit(board, id)) is not None and u.owner == side]
    if len(repls) != len(one.repls) or not repls or any(not u.kind.startswith("repl") for u in repls):
        return [illegal("E-REB-COST", "4.3.4", "name replacements of yours", n, "repls")]
    hex = repls[0].hex or ""
    if any(u.hex != hex or u.facing != "move" or u.marker != "none" for u in repls):
        found.append(
            illegal("E-REB-COST", "4.3.4", "replacements stand together in plain Move Mode", n, "repls")
        )
    far = int(world.numbers["rebuild_range"])
    hqs = [h for h in units(board, side) if h.is_hq and h.facing == "combat" and h.marker in ("none", "dg")]
    if not any(h.hex in world.terrains and world.distance(h.hex or "", hex) <= far for h in hqs):
        found.append(illegal("E-REB-HQ", "4.3.4", f"no HQ at work within {far} hexes of {hex}", n, "repls"))
    if hex in Ground(board, side).zoc:
        found.append(illegal("E-REB-ZOC", "4.3.4", f"{hex} is in an enemy zone", n, "repls"))
    target = maybe_unit(board, one.target)
    cost = _cost(board, side, one, target)
    if cost is None:
        return [*found, illegal("E-REB-NEVER", "4.3.4", f"{one.target} cannot be rebuilt", n, "target")]
    if target is not None and (target.hex != hex or target.lost < one.steps):
        found.append(
            illegal(
                "E-REB-COST", "4.3.4", f"{one.target} is not in {hex} with steps to give back", n, "target"
            )
        )
    wanted = sorted(kind for kind in ("pax", "eq") for _ in range(cost.get(kind, 0) * one.steps))
    if sorted(u.kind.removeprefix("repl_") for u in repls) != wanted:
        found.append(illegal("E-REB-COST", "4.3.4", f"wanted {', '.join(wanted)}", n, "repls"))
    return found


def _cost(board: Board, side: str, one: RebuildOne, target: Unit | None) -> dict[str, int] | None:
    if target is not None:
        return cost_of(board, target.kind, target.print.category) if target.owner == side else None
    dead = T.of(board).dead.get(one.target)
    if dead is None or dead["owner"] != side:
        return None
    printed = world_of(board).units.get(dead.get("type") or one.target)
    if printed is not None and "no_rebuild" in printed.flags:
        return None
    return cost_of(board, dead["kind"], printed.category if printed else "")


def possible(board: Board, side: str) -> Iterator[RebuildOne]:
    """Rebuilds of one step that can be made now."""
    from .decisions.turn import RebuildOne

    repls = [u for u in units(board, side) if u.kind.startswith("repl")]
    dead = [id for id, fields in sorted(T.of(board).dead.items()) if fields["owner"] == side]
    for hex in sorted({u.hex or "" for u in repls}):
        here = [u for u in repls if u.hex == hex]
        hurt = [u.id for u in units(board, side, hex) if u.lost]
        for target in [*hurt, *dead]:
            for size in (1, 2):
                for start in range(len(here) - size + 1):
                    one = RebuildOne(tuple(u.id for u in here[start : start + size]), target)
                    if not rebuild_faults(board, side, one, 0):
                        yield one


def rebuild(game: Game, side: str, one: RebuildOne) -> None:
    """4.3.4 Replacements vanish; the unit gets steps, or stands up again where they stood."""
    hex = Unit(game, one.repls[0]).hex or ""
    for id in one.repls:
        Unit(game, id).remove()
    target = maybe_unit(game, one.target)
    if target is not None:
        target.lost -= one.steps
    else:
        t = T.of(game)
        fields: dict[str, Any] = t.dead.pop(one.target)
        if fields["kind"] == "aircraft":
            game.position.add(one.target, {**fields, "hex": hex, "active": True})
            assert Plane(game, one.target).there
        else:
            game.position.add(one.target, {**fields, "hex": hex, "facing": "move"})
            made = Unit(game, one.target)
            made.lost = max(0, made.print.steps - one.steps)
    game.emit(Rebuilt(side, one.target, hex, one.repls))
