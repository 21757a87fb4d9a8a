"""4.13.8: Advance after combat and exploitation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Message

from .ground import Ground
from .orders import Going
from .pieces import Piece, maybe_piece
from .supply import Supply
from .world import SEA

RULE = "4.13.8"


def may_advance(board: Board, unit: Piece, target: str, supply: Supply) -> list[str]:
    """Return the reasons why a unit may not advance into the target hex, empty if it may."""
    ground, world = supply.ground, supply.world
    reasons: list[str] = []
    if not world.adjacent(unit.hex or "", target):
        reasons.append(Message("totaler-krieg.advancing.is-in-not-adjacent-to", hex=unit.hex, target=target))
    else:
        side = ground.side(unit.hex or "", target)
        if side == "lake" or (side == SEA and unit.type != "marine"):
            reasons.append(Message("totaler-krieg.advancing.cannot-cross", hexside=side.replace("_", " ")))
    if not supply.supplied(unit):
        reasons.append(Message("totaler-krieg.advancing.unsupplied"))
    if unit.face.movement < 1:
        reasons.append(Message("totaler-krieg.advancing.has-no-movement-allowance"))
    if ground.enemies(target, unit.owner):
        reasons.append(Message("totaler-krieg.advancing.finds-occupied", target=target))
    if world.sea(target):
        reasons.append(Message("totaler-krieg.advancing.cannot-advance-onto-sea"))
    return reasons


def going_faults(
    board: Board, faction: str, going: Going, able: Collection[str], target: str, further: int
) -> list[Diagnostic]:
    """Return the faults of an advance into the target and up to `further` hexes of exploitation."""
    unit = maybe_piece(board, going.unit)
    if unit is None or unit.id not in able or not going.path or going.path[0] != target:
        message = Message("totaler-krieg.advancing.did-not-attack", unit=going.unit, target=target)
        return [illegal("E-ADV-01", RULE, message, "unit")]
    supply = Supply(board)
    if reasons := may_advance(board, unit, target, supply):
        return [
            illegal(
                "E-ADV-01",
                RULE,
                Message("totaler-krieg.advancing.unit-reason", unit=unit.id, reason=tuple(reasons)),
                "unit",
            )
        ]
    if len(going.path) == 1:
        return []
    if not unit.print.armor_type:
        return [
            illegal(
                "E-ADV-02",
                RULE,
                Message("totaler-krieg.advancing.not-armor-and-cannot-exploit", one=unit.id),
                "path",
            )
        ]
    if len(going.path) - 1 > further:
        message = Message(
            "totaler-krieg.advancing.may-go-hexes-beyond",
            one=unit.id,
            further=further,
            target=target,
            count=len(going.path) - 1,
        )
        return [illegal("E-ADV-02", RULE, message, "path")]
    return _way_faults(supply.ground, unit, going.path)


def _way_faults(ground: Ground, unit: Piece, path: Sequence[str]) -> list[Diagnostic]:
    """Return the fault of the hexes beyond the target: ground, mud, zones, snow and storms."""
    stopped = ""
    for here, to in pairwise(path):
        reason = stopped or _step_fault(ground, unit, here, to)
        if reason:
            return [
                illegal(
                    "E-ADV-02",
                    RULE,
                    Message("totaler-krieg.advancing.from", one=unit.id, here=here, to=to, reason=reason),
                    "path",
                )
            ]
        stopped = _stops(ground, unit, here, to)
    return []


def _step_fault(ground: Ground, unit: Piece, here: str, to: str) -> str:
    world = ground.world
    if not world.adjacent(here, to):
        return Message("totaler-krieg.advancing.not-adjacent")
    side = ground.side(here, to)
    if side in ("lake", SEA):
        return Message("totaler-krieg.advancing.cannot-be-crossed", hexside=side.replace("_", " "))
    if world.sea(to) and ground.beachhead(to, unit.owner) is None:
        return Message("totaler-krieg.advancing.sea")
    if ground.enemies(to, unit.owner):
        return Message("totaler-krieg.advancing.holds-enemy-units")
    if ground.closed(to, unit.owner) or ground.pre_war_bars(unit, to):
        return Message("totaler-krieg.advancing.posture-forbids")
    return "mud" if "mud" in (ground.weather(here), ground.weather(to)) else ""


def _stops(ground: Ground, unit: Piece, here: str, to: str) -> str:
    """Return the reason why the unit must stop after this step, empty if it may go on."""
    zone = ground.ezoc(unit.owner)
    for hex in (here, to):
        if hex in zone and ground.weather(hex) in ("snow", "storms"):
            return Message("totaler-krieg.advancing.stopped-zone-of-control", weather=ground.weather(hex))
    others = [other for other in ground.units(to, unit.owner) if other.id != unit.id]
    if to in zone and not others and not ground.own("airdrop", to, unit.owner):
        return Message("totaler-krieg.advancing.stopped-in-enemy-zone-of-control")
    return ""


def default_advance(board: Board, faction: str, units: Sequence[Piece], target: str) -> tuple[Going, ...]:
    """5.15: Return the default advance.

    The unit with the highest defence that may advance goes alone.
    """
    supply = Supply(board)
    able = [unit for unit in units if not may_advance(board, unit, target, supply)]
    if not able:
        return ()
    best = min(able, key=lambda unit: (-unit.face.defence, unit.id))
    return (Going(best.id, (target,)),)
