"""Advance after combat and exploitation (4.13.8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic

from .ground import Ground
from .orders import Going
from .pieces import Piece, maybe_piece
from .supply import Supply
from .world import SEA

RULE = "4.13.8"


def may_advance(board: Board, one: Piece, target: str, supply: Supply) -> list[str]:
    """Why a unit may not advance into the target hex; empty if it may."""
    ground, world = supply.ground, supply.world
    found = []
    if not world.adjacent(one.hex or "", target):
        found.append(f"is in {one.hex}, not adjacent to {target}")
    else:
        side = ground.side(one.hex or "", target)
        if side == "lake" or (side == SEA and one.type != "marine"):
            found.append(f"cannot cross {side.replace('_', ' ')}")
    if not supply.supplied(one):
        found.append("is unsupplied")
    if one.face.movement < 1:
        found.append("has no movement allowance")
    if ground.enemies(target, one.owner):
        found.append(f"finds {target} occupied")
    if world.sea(target):
        found.append("cannot advance onto the sea")
    return found


def going_faults(
    board: Board, faction: str, going: Going, able: Collection[str], target: str, further: int
) -> list[Diagnostic]:
    """Everything wrong with an advance (one hex) or an exploitation (up to `further` more), now."""
    one = maybe_piece(board, going.unit)
    if one is None or one.id not in able or not going.path or going.path[0] != target:
        message = f"{going.unit} did not attack {target}, or its way does not begin there"
        return [illegal("E-ADV-01", RULE, message, "unit")]
    supply = Supply(board)
    if reasons := may_advance(board, one, target, supply):
        return [illegal("E-ADV-01", RULE, f"{one.id} {', '.join(reasons)}", "unit")]
    if len(going.path) == 1:
        return []
    if not one.print.armor_type:
        return [illegal("E-ADV-02", RULE, f"{one.id} is not armor and cannot exploit", "path")]
    if len(going.path) - 1 > further:
        message = f"{one.id} may go {further} hexes beyond {target}, not {len(going.path) - 1}"
        return [illegal("E-ADV-02", RULE, message, "path")]
    return _way_faults(supply.ground, one, going.path)


def _way_faults(ground: Ground, one: Piece, path: Sequence[str]) -> list[Diagnostic]:
    """The hexes beyond the target: legal ground, mud, zones, snow and storms."""
    stopped = ""
    for n, (here, to) in enumerate(pairwise(path), 1):
        reason = stopped or _step_fault(ground, one, here, to)
        if reason:
            return [illegal("E-ADV-02", RULE, f"{one.id} from {here} to {to}: {reason}", "path", n)]
        stopped = _stops(ground, one, here, to)
    return []


def _step_fault(ground: Ground, one: Piece, here: str, to: str) -> str:
    world = ground.world
    if not world.adjacent(here, to):
        return "not adjacent"
    side = ground.side(here, to)
    if side == "lake" or (side == SEA and one.type != "marine"):
        return f"{side.replace('_', ' ')} cannot be crossed"
    if world.sea(to) and ground.beachhead(to, one.owner) is None:
        return "it is the sea"
    if ground.enemies(to, one.owner):
        return "it holds enemy units"
    if ground.closed(to, one.owner) or ground.pre_war_bars(one, to):
        return "posture forbids it"
    return "mud" if "mud" in (ground.weather(here), ground.weather(to)) else ""


def _stops(ground: Ground, one: Piece, here: str, to: str) -> str:
    """Why the unit stops after this step; empty if it may go on."""
    zone = ground.ezoc(one.owner)
    for hex in (here, to):
        if hex in zone and ground.weather(hex) in ("snow", "storms"):
            return f"it stopped at a zone of control in {ground.weather(hex)}"
    others = [unit for unit in ground.units(to, one.owner) if unit.id != one.id]
    if to in zone and not others and not ground.own("airdrop", to, one.owner):
        return "it stopped in an enemy zone of control"
    return ""


def default_advance(board: Board, faction: str, units: Sequence[Piece], target: str) -> tuple[Going, ...]:
    """5.15 The unit with the highest defence that may advance goes alone."""
    supply = Supply(board)
    able = [one for one in units if not may_advance(board, one, target, supply)]
    if not able:
        return ()
    best = min(able, key=lambda one: (-one.face.defence, one.id))
    return (Going(best.id, (target,)),)
