"""4.3.4: Reduced and destroyed units, trucks and aircraft rebuilt with replacements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Annotated, Any, Literal

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Game, LocationId, Message, Name, Range, dataclass

from .bases import bases_of, settle_plane
from .events.turn import Rebuilt
from .pieces import Plane, Points, T, Unit, maybe_plane, maybe_unit, planes, serial, units, world_of
from .printed import unit_type
from .zones import Ground


@dataclass(frozen=True)
class RebuildOne:
    """4.3.4: Replacements and the counter that they rebuild.

    `second`: the other of two companies, or of two aircraft with a step each. `target: truck`: a truck point
    lost to the enemy. `base`: where an aircraft appears.
    """

    repls: tuple[Name, ...]
    target: Name
    steps: Annotated[int, Range(1, 9)] = 1
    second: Name | None = None
    base: LocationId | None = None
    facing: Literal["combat", "move"] = "move"
    mode: Literal["plain", "reserve", "strat"] = "plain"


@dataclass(frozen=True)
class Target:
    """A unit to rebuild: kind, category, missing steps, and its hex (None: in the dead pile)."""

    id: str
    kind: str
    category: str
    size: str
    missing: int
    hex: str | None
    flags: tuple[str, ...] = ()


def target_of(board: Board, side: str, id: str) -> Target | None:
    """Return a unit or an aircraft of a side as a target, if it is on the map or in the dead pile."""
    u, plane, dead = maybe_unit(board, id), maybe_plane(board, id), T.of(board).dead.get(id)
    if u is not None and u.owner == side:
        shown = u.print
        return Target(id, u.kind, shown.category, shown.size, u.lost, u.hex, shown.flags)
    if plane is not None and plane.owner == side:
        return Target(id, "aircraft", "", "", plane.lost, plane.hex)
    if dead is None or dead["owner"] != side or dead["kind"] == "transport":
        return None
    if dead["kind"] == "aircraft":
        return Target(id, "aircraft", "", "", 2, None)
    shown = shown_of(board, id, dead)
    return Target(id, dead["kind"], shown.category, shown.size, shown.steps, None, shown.flags)


def shown_of(board: Board, id: str, dead: Any) -> Any:
    """Return the values printed on a unit of the dead pile."""
    world = world_of(board)
    if dead.get("printed") is not None:
        return unit_type(dead["printed"], dead["owner"], world.sizes)
    return world.units[dead.get("type") or id]


def cost_of(board: Board, target: Target) -> dict[str, int] | None:
    """Return the replacements for each step (or unit) of a target, or None if it cannot be rebuilt."""
    chart = world_of(board).tables["turn"]["rebuild"]
    if target.kind in chart["not_rebuildable"] or "no_rebuild" in target.flags:
        return None
    row = {
        "infantry_type": "infantry_type_step",
        "recon": "cavalry_motorized_or_recon",
        "engineer": "engineer_or_rail_repair",
        "rail_repair": "engineer_or_rail_repair",
        "aircraft": "aircraft_two_steps",
    }.get(target.kind, target.kind)
    if target.size == "co" and not target.kind.startswith("repl"):
        row = "company_size_pair"
    cost: dict[str, int] | None = chart.get(row) or chart.get(target.category)
    return cost


def rebuild_faults(board: Board, side: str, order: RebuildOne) -> list[Diagnostic]:
    """Return the faults of a rebuild."""
    world, faults = world_of(board), []
    repls = [u for id in order.repls if (u := maybe_unit(board, id)) is not None and u.owner == side]
    named = len(set(order.repls)) == len(repls) == len(order.repls)
    if not named or not repls or any(not u.kind.startswith("repl") for u in repls):
        return [illegal("E-REB-COST", "4.3.4", Message("ocs.rebuilding.name-replacements-of-yours"), "repls")]
    hex = repls[0].hex or ""
    if any(u.hex != hex or u.facing != "move" or u.marker != "none" for u in repls):
        faults.append(
            illegal(
                "E-REB-COST",
                "4.3.4",
                Message("ocs.rebuilding.replacements-stand-together-in-plain-move-mode"),
                "repls",
            )
        )
    far = int(world.numbers["rebuild_range"])
    hqs = [h for h in units(board, side) if h.is_hq and h.facing == "combat" and h.marker in ("none", "dg")]
    if not any(h.hex in world.terrains and world.distance(h.hex or "", hex) <= far for h in hqs):
        faults.append(
            illegal(
                "E-REB-HQ",
                "4.3.4",
                Message("ocs.rebuilding.no-hq-work-within-hexes", far=far, hex=hex),
                "repls",
            )
        )
    if Ground(board, side).in_zoc(hex):
        faults.append(illegal("E-REB-ZOC", "4.3.4", Message("ocs.hauling.in-enemy-zone", p=hex), "repls"))
    if order.target == "truck":
        return [*faults, *_truck_faults(board, side, repls)]
    targets = [target_of(board, side, id) for id in (order.target, order.second) if id is not None]
    for key, target in zip(("target", "second"), targets, strict=False):
        if target is None or cost_of(board, target) is None:
            id = order.target if key == "target" else order.second
            faults.append(
                illegal("E-REB-NEVER", "4.3.4", Message("ocs.rebuilding.cannot-be-rebuilt", id=id), key)
            )
    if any(target is None or cost_of(board, target) is None for target in targets):
        return faults
    known = [target for target in targets if target is not None]
    if known[0].kind == "aircraft":
        return [*faults, *_plane_faults(board, side, order, known, hex, repls)]
    return [*faults, *_unit_faults(board, order, known, hex, repls)]


def _paid(repls: Sequence[Unit], cost: dict[str, int], times: int = 1) -> list[Diagnostic]:
    wanted = sorted(kind for kind in ("pax", "eq") for _ in range(cost.get(kind, 0) * times))
    if sorted(u.kind.removeprefix("repl_") for u in repls) != wanted:
        return [
            illegal("E-REB-COST", "4.3.4", Message("ocs.rebuilding.wanted", wanted=tuple(wanted)), "repls")
        ]
    return []


def _unit_faults(
    board: Board, order: RebuildOne, targets: list[Target], hex: str, repls: Sequence[Unit]
) -> list[Diagnostic]:
    faults = []
    for key, target in zip(("target", "second"), targets, strict=False):
        if (target.hex is not None and target.hex != hex) or target.missing < order.steps:
            message = Message(
                "ocs.rebuilding.not-in-with-steps-to-give-back", target=target.id, hex=hex, steps=order.steps
            )
            faults.append(illegal("E-REB-COST", "4.3.4", message, key))
    if len(targets) == 2 and (targets[0].id == targets[1].id or {t.size for t in targets} != {"co"}):
        faults.append(
            illegal(
                "E-REB-COST", "4.3.4", Message("ocs.rebuilding.only-two-companies-rebuilt-with-one"), "second"
            )
        )
    if order.facing == "combat" and (order.mode == "strat" or targets[0].kind.startswith("repl")):
        faults.append(
            illegal("E-MODE", "4.3.4", Message("ocs.rebuilding.that-mode-has-no-combat-side"), "facing")
        )
    return faults + _paid(repls, cost_of(board, targets[0]) or {}, order.steps)


def _plane_faults(
    board: Board, side: str, order: RebuildOne, targets: list[Target], hex: str, repls: Sequence[Unit]
) -> list[Diagnostic]:
    """Return the faults of rebuilding aircraft: 1 Eq at an HQ restores two steps, of one or two aircraft."""
    faults = _paid(repls, cost_of(board, targets[0]) or {})
    if not any(h.is_hq for h in units(board, side, hex)):
        faults.append(
            illegal("E-REB-HQ", "4.3.4", Message("ocs.rebuilding.no-hq-in-to-spend", hex=hex), "repls")
        )
    if len(targets) == 2 and targets[1].kind != "aircraft":
        faults.append(illegal("E-REB-COST", "4.3.4", Message("ocs.rebuilding.second-no-aircraft"), "second"))
    bases = bases_of(board, side)
    if any(t.hex is None for t in targets) and (
        not bases or (order.base is not None and order.base not in bases)
    ):
        faults.append(illegal("E-ARRIVE", "4.3.4", Message("ocs.rebuilding.no-base-of-yours"), "base"))
    return faults


def _truck_faults(board: Board, side: str, repls: Sequence[Unit]) -> list[Diagnostic]:
    chart = world_of(board).tables["turn"]["rebuild"]
    if not T.of(board).points_lost.get(f"{side}/truck"):
        return [
            illegal("E-REB-NEVER", "4.3.4", Message("ocs.rebuilding.no-truck-point-lost-to-enemy"), "target")
        ]
    return _paid(repls, chart["truck_point"])


def possible(board: Board, side: str) -> Iterator[RebuildOne]:
    """Yield the legal rebuilds of one step."""
    repls = [u for u in units(board, side) if u.kind.startswith("repl")]
    if not repls:
        return
    dead = [id for id, fields in sorted(T.of(board).dead.items()) if fields["owner"] == side]
    wings = [p.id for p in planes(board, side) if p.lost]
    trucks = ["truck"] if T.of(board).points_lost.get(f"{side}/truck") else []
    for hex in sorted({u.hex or "" for u in repls}):
        here = [u.id for u in repls if u.hex == hex]
        hurt = [u.id for u in units(board, side, hex) if u.lost]
        for target in [*hurt, *dead, *wings, *trucks]:
            for size in (1, 2):
                for ids in combinations(here, size):
                    order = RebuildOne(ids, target)
                    if not rebuild_faults(board, side, order):
                        yield order


def rebuild(game: Game, side: str, order: RebuildOne) -> None:
    """4.3.4: Spend replacements to restore steps of a unit, or to place it in their hex."""
    hex = Unit(game, order.repls[0]).hex or ""
    for id in order.repls:
        Unit(game, id).remove()
    for id in [id for id in (order.target, order.second) if id is not None]:
        if id == "truck":
            hex = _truck(game, side, hex)
        elif (target := target_of(game, side, id)) is not None and target.kind == "aircraft":
            _plane(game, side, order, id, 2 if order.second is None else 1)
        else:
            _unit(game, order, id, hex)
        game.emit(Rebuilt(side, id, hex, order.repls))


def _unit(game: Game, order: RebuildOne, id: str, hex: str) -> None:
    target = maybe_unit(game, id)
    if target is not None:
        target.lost -= order.steps
        return
    fields: dict[str, Any] = T.of(game).dead.pop(id)
    game.position.add(id, {**fields, "hex": hex, "facing": order.facing})
    made = Unit(game, id)
    made.lost = max(0, made.print.steps - order.steps)
    if order.mode != "plain":
        made.marker = order.mode


def _plane(game: Game, side: str, order: RebuildOne, id: str, steps: int) -> None:
    plane = maybe_plane(game, id)
    if plane is not None:
        plane.lost = 0
        return
    fields: dict[str, Any] = T.of(game).dead.pop(id)
    base = order.base or next(iter(bases_of(game, side)))
    game.position.add(id, {**fields, "hex": base, **({"lost": 1} if steps == 1 else {})})
    settle_plane(game, Plane(game, id), base, active=True)


def _truck(game: Game, side: str, hex: str) -> str:
    lost = T.of(game).points_lost
    lost[f"{side}/truck"] -= 1
    like = next(row for row in world_of(game).oob[side]["transport"] if row["type"] == "truck")
    Points.add(
        game, f"{side[0].upper()}-TP{serial(game, side)}", owner=side, kind="transport", hex=hex,
        type="truck", points=1, ma=like["ma"], mobility=like["mobility"],
    )  # fmt: skip
    return hex
