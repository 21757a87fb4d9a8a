"""Advance after combat and exploitation (4.13.8)."""

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


def may_advance(board: Board, one: Piece, target: str, supply: Supply) -> list[str]:
    """Return the reasons why a unit may not advance into the target hex; empty if it may."""
    ground, world = supply.ground, supply.world
    found: list[str] = []
    if not world.adjacent(one.hex or "", target):
        found.append(Message("totaler-krieg.advancing.is-in-not-adjacent-to", hex=one.hex, target=target))
    else:
        side = ground.side(one.hex or "", target)
        if side == "lake" or (side == SEA and one.type != "marine"):
            found.append(Message("totaler-krieg.advancing.cannot-cross", hexside=side.replace("_", " ")))
    if not supply.supplied(one):
        found.append(Message("totaler-krieg.advancing.unsupplied"))
    if one.face.movement < 1:
        found.append(Message("totaler-krieg.advancing.has-no-movement-allowance"))
    if ground.enemies(target, one.owner):
        found.append(Message("totaler-krieg.advancing.finds-occupied", target=target))
    if world.sea(target):
        found.append(Message("totaler-krieg.advancing.cannot-advance-onto-sea"))
    return found


def going_faults(
    board: Board, faction: str, going: Going, able: Collection[str], target: str, further: int
) -> list[Diagnostic]:
    """Return the faults of an advance (one hex) or an exploitation (up to `further` more), now."""
    one = maybe_piece(board, going.unit)
    if one is None or one.id not in able or not going.path or going.path[0] != target:
        message = Message("totaler-krieg.advancing.did-not-attack", unit=going.unit, target=target)
        return [illegal("E-ADV-01", RULE, message, "unit")]
    supply = Supply(board)
    if reasons := may_advance(board, one, target, supply):
        return [
            illegal(
                "E-ADV-01",
                RULE,
                Message("totaler-krieg.advancing.unit-reason", unit=one.id, reason=tuple(reasons)),
                "unit",
            )
        ]
    if len(going.path) == 1:
        return []
    if not one.print.armor_type:
        return [
            illegal(
                "E-ADV-02",
                RULE,
                Message("totaler-krieg.advancing.not-armor-and-cannot-exploit", one=one.id),
                "path",
            )
        ]
    if len(going.path) - 1 > further:
        message = Message(
            "totaler-krieg.advancing.may-go-hexes-beyond",
            one=one.id,
            further=further,
            target=target,
            count=len(going.path) - 1,
        )
        return [illegal("E-ADV-02", RULE, message, "path")]
    return _way_faults(supply.ground, one, going.path)


def _way_faults(ground: Ground, one: Piece, path: Sequence[str]) -> list[Diagnostic]:
    """Return the faults of the hexes beyond the target: legal ground, mud, zones, snow and storms."""
    stopped = ""
    for here, to in pairwise(path):
        reason = stopped or _step_fault(ground, one, here, to)
        if reason:
            return [
                illegal(
                    "E-ADV-02",
                    RULE,
                    Message("totaler-krieg.advancing.from", one=one.id, here=here, to=to, reason=reason),
                    "path",
                )
            ]
        stopped = _stops(ground, one, here, to)
    return []


def _step_fault(ground: Ground, one: Piece, here: str, to: str) -> str:
    world = ground.world
    if not world.adjacent(here, to):
        return Message("totaler-krieg.advancing.not-adjacent")
    side = ground.side(here, to)
    if side in ("lake", SEA):
        return Message("totaler-krieg.advancing.cannot-be-crossed", hexside=side.replace("_", " "))
    if world.sea(to) and ground.beachhead(to, one.owner) is None:
        return Message("totaler-krieg.advancing.sea")
    if ground.enemies(to, one.owner):
        return Message("totaler-krieg.advancing.holds-enemy-units")
    if ground.closed(to, one.owner) or ground.pre_war_bars(one, to):
        return Message("totaler-krieg.advancing.posture-forbids")
    return "mud" if "mud" in (ground.weather(here), ground.weather(to)) else ""


def _stops(ground: Ground, one: Piece, here: str, to: str) -> str:
    """Return the reason why the unit stops after this step; empty if it may go on."""
    zone = ground.ezoc(one.owner)
    for hex in (here, to):
        if hex in zone and ground.weather(hex) in ("snow", "storms"):
            return Message("totaler-krieg.advancing.stopped-zone-of-control", weather=ground.weather(hex))
    others = [unit for unit in ground.units(to, one.owner) if unit.id != one.id]
    if to in zone and not others and not ground.own("airdrop", to, one.owner):
        return Message("totaler-krieg.advancing.stopped-in-enemy-zone-of-control")
    return ""


def default_advance(board: Board, faction: str, units: Sequence[Piece], target: str) -> tuple[Going, ...]:
    """5.15: Return the advance by default: the unit with the highest defence that may advance goes alone."""
    supply = Supply(board)
    able = [one for one in units if not may_advance(board, one, target, supply)]
    if not able:
        return ()
    best = min(able, key=lambda one: (-one.face.defence, one.id))
    return (Going(best.id, (target,)),)
