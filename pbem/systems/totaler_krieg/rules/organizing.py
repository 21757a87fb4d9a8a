"""4.7: Organization: combination, conversion, elimination, breakdown, detachments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Message

from .losing import Lost, choices, lose_step
from .orders import Breakdown, Combine, Convert, Detach, Eliminate
from .pieces import Piece, maybe_piece, piece, pool, put, send, take_off, world_of
from .printed import FIXED, Print
from .supply import Supply

RULE = "4.7"
EXCLUDED = ("hq", *FIXED)


def mine(board: Board, faction: str, id: str) -> Piece | None:
    """Return a ground unit of the faction on the map, or None."""
    unit = maybe_piece(board, id)
    good = unit is not None and unit.owner == faction and unit.role == "ground" and unit.spot == "map"
    return unit if good else None


def _no_unit(id: str) -> list[Diagnostic]:
    """Return the fault of an order to a unit that the faction does not have on the map."""
    message = Message("totaler-krieg.organizing.no-unit-of-yours-on-map", unit=id)
    return [illegal("E-GEN-01", RULE, message, "unit")]


def _composed(steps: int, output: Print, parts: Sequence[tuple[Print, int]], *, broken: bool = False) -> str:
    """R-16: Return the reason why these parts do not make this output, empty if they do.

    With `broken` the output is broken down into the parts.
    """
    if output.type in EXCLUDED and not broken:
        return Message("totaler-krieg.organizing.not-combined", type=output.type)
    armor = sum(n for part, n in parts if part.armor_type)
    if output.infantry_type:
        return (
            ""
            if all(part.infantry_type for part, _ in parts)
            else Message("totaler-krieg.organizing.infantry-made-of-infantry")
        )
    if output.armor_type:
        if any(not (part.armor_type or part.infantry_type) for part, _ in parts):
            return Message("totaler-krieg.organizing.only-armor-and-infantry-go-together")
        if armor < steps - 1:
            return Message(
                "totaler-krieg.organizing.armor-of-steps-needs-armor-steps", steps=steps, needed=steps - 1
            )
        if "ss" in output.traits and any(part.armor_type and "ss" not in part.traits for part, _ in parts):
            return Message("totaler-krieg.organizing.ss-unit-needs-ss-armor")
        return ""
    return Message("totaler-krieg.organizing.neither-combined-nor-broken-down", type=output.type)


def combine_faults(
    board: Board, faction: str, order: Combine, supply: Supply | None = None
) -> list[Diagnostic]:
    """4.7: Return the faults of a combination. `supply` spares a second search if it is known."""
    units = [mine(board, faction, id) for id in order.units]
    if len(order.units) < 2 or len({*order.units}) < len(order.units) or None in units:
        return [
            illegal(
                "E-GEN-01",
                RULE,
                Message("totaler-krieg.organizing.two-or-more-different-units-of-yours"),
                "units",
            )
        ]
    parts = [unit for unit in units if unit is not None]
    faults = list(_together(supply or Supply(board), parts))
    steps = sum(part.steps for part in parts)
    output = maybe_piece(board, order.into)
    chart = world_of(board).limits["combined"]
    if output is None or output.owner != faction:
        return [
            *faults,
            illegal(
                "E-ORG-04",
                RULE,
                Message("totaler-krieg.organizing.no-counter-of-yours", into=order.into),
                "into",
            ),
        ]
    if output.id not in order.units and output.spot != "pool":
        faults.append(
            illegal(
                "E-ORG-04",
                RULE,
                Message("totaler-krieg.organizing.not-in-force-pool", output=output.id),
                "into",
            )
        )
    if output.country != parts[0].country:
        faults.append(
            illegal(
                "E-ORG-01",
                RULE,
                Message("totaler-krieg.organizing.another-country", output=output.id),
                "into",
            )
        )
    wrong = _composed(steps, output.print, [(part.print, part.steps) for part in parts])
    if not int(chart["least"]) <= steps <= int(chart["most"]) or steps not in output.print.faces:
        wrong = Message("totaler-krieg.organizing.has-no-face-of-steps", output=output.id, steps=steps)
    if wrong:
        faults.append(illegal("E-ORG-03", RULE, wrong, "into"))
    return faults


def _together(supply: Supply, parts: Sequence[Piece]) -> Iterator[Diagnostic]:
    if len({part.hex for part in parts}) > 1 or len({part.country for part in parts}) > 1:
        yield illegal("E-ORG-01", RULE, Message("totaler-krieg.organizing.units-not-in-one-hex"), "units")
    for n, part in enumerate(parts):
        if part.type in EXCLUDED:
            yield illegal(
                "E-ORG-03",
                RULE,
                Message("totaler-krieg.organizing.is-not-combined", one=part.id, type=part.type),
                "units",
                n,
            )
        if not supply.supplied(part):
            yield illegal(
                "E-ORG-02", RULE, Message("totaler-krieg.organizing.unsupplied", one=part.id), "units", n
            )


def combine(board: Board, order: Combine) -> None:
    """Combine counters: put the output into the hex, not moved, and remove the other inputs."""
    parts = [piece(board, id) for id in order.units]
    hex, steps = parts[0].hex or "", sum(part.steps for part in parts)
    for part in parts:
        if part.id != order.into:
            take_off(part)
    put(piece(board, order.into), hex, steps)


def combinations_of(
    board: Board, faction: str, begins: Callable[[str], bool] = lambda id: True
) -> Iterator[Combine]:
    """Yield every combination that is legal now, if its first unit passes the test `begins`."""
    stacks: dict[str, list[Piece]] = {}
    supply = Supply(board)
    for id in board.position.ids():
        unit = mine(board, faction, id)
        if unit is not None and unit.type not in EXCLUDED:
            stacks.setdefault(unit.hex or "", []).append(unit)
    for _, stack in sorted(stacks.items()):
        for size in range(2, len(stack) + 1):
            for parts in combinations(stack, size):
                ids = tuple(part.id for part in parts)
                if not begins(ids[0]):
                    continue
                outputs = {*ids, *(counter.id for counter in pool(board, faction) if counter.print.ground)}
                for into in sorted(outputs):
                    if not combine_faults(board, faction, Combine(ids, into), supply):
                        yield Combine(ids, into)


def convert_faults(
    board: Board, faction: str, order: Convert, supply: Supply | None = None
) -> list[Diagnostic]:
    """R-17: Return the faults of a conversion into a fortress or garrison, or back.

    The unit must be supplied, have one step and be in a city of its own country. `supply` spares a
    second search if it is known.
    """
    unit, other, world = mine(board, faction, order.unit), maybe_piece(board, order.into), world_of(board)
    if unit is None:
        return _no_unit(order.unit)
    if other is None or other.owner != faction or other.spot != "pool":
        return [
            illegal(
                "E-ORG-04",
                RULE,
                Message("totaler-krieg.organizing.is-not-in-your-force-pool", into=order.into),
                "into",
            )
        ]
    kinds = {unit.type, other.type}
    faults = []
    if "infantry" not in kinds or not kinds & {*FIXED} or unit.steps != 1 or 1 not in other.print.faces:
        message = Message("totaler-krieg.organizing.one-step-infantry-converted-into-fortress")
        faults.append(illegal("E-ORG-03", RULE, message, "into"))
    if unit.country != other.country or world.country_of(unit.hex or "") != unit.country:
        faults.append(
            illegal("E-ORG-01", RULE, Message("totaler-krieg.organizing.hex-of-country-of-both"), "unit")
        )
    if not world.city(unit.hex or ""):
        faults.append(
            illegal("E-ORG-03", RULE, Message("totaler-krieg.organizing.no-city", hex=unit.hex), "unit")
        )
    if not (supply or Supply(board)).supplied(unit):
        faults.append(
            illegal("E-ORG-02", RULE, Message("totaler-krieg.organizing.unsupplied", one=unit.id), "unit")
        )
    return faults


def convert(board: Board, order: Convert) -> None:
    """R-208: Convert a unit. The exchanged counter leaves the map like any other (2.6)."""
    unit = piece(board, order.unit)
    hex = unit.hex or ""
    take_off(unit)
    put(piece(board, order.into), hex, 1)


def eliminate_faults(board: Board, faction: str, order: Eliminate) -> list[Diagnostic]:
    unit = mine(board, faction, order.unit)
    if unit is None:
        return _no_unit(order.unit)
    if order.steps > unit.steps:
        return [
            illegal(
                "E-ORG-03",
                RULE,
                Message(
                    "totaler-krieg.organizing.has-steps", one=unit.id, steps=unit.steps, wanted=order.steps
                ),
                "steps",
            )
        ]
    pooled = {other.id for other in pool(board, faction) if other.country == unit.country}
    return [
        illegal(
            "E-ORG-04",
            "4.25",
            Message("totaler-krieg.organizing.not-in-your-force-pool", id=id),
            "instead",
            n,
        )
        for n, id in enumerate(order.instead)
        if id not in pooled
    ]


def eliminate(board: Board, order: Eliminate) -> list[Lost]:
    """4.25: Give up steps one by one, and return the losses. A stand-in loses the next step."""
    losses: list[Lost] = []
    id = order.unit
    for _ in range(order.steps):
        unit = piece(board, id)
        able = {other.id for other in choices(board, unit)}
        lost = lose_step(board, unit, next((other for other in order.instead if other in able), None))
        losses.append(lost)
        id = lost.instead or id
        if not lost.left:
            break
    return losses


def breakdown_faults(board: Board, faction: str, order: Breakdown) -> list[Diagnostic]:
    """4.7: Return the faults of a breakdown, which needs no supply."""
    unit = mine(board, faction, order.unit)
    if unit is None:
        return _no_unit(order.unit)
    faults = []
    if unit.type == "hq" or unit.steps < 2:
        faults.append(
            illegal(
                "E-ORG-03",
                RULE,
                Message("totaler-krieg.organizing.cannot-be-broken-down", one=unit.id),
                "unit",
            )
        )
    if sum(order.into.values()) != unit.steps or (len(order.into) < 2):
        message = Message("totaler-krieg.organizing.two-or-more-counters-of-steps-together", steps=unit.steps)
        faults.append(illegal("E-ORG-03", RULE, message, "into"))
    parts = []
    for id, steps in sorted(order.into.items()):
        other = maybe_piece(board, id)
        at_hand = other is not None and other.owner == faction and (id == unit.id or other.spot == "pool")
        if other is None or not at_hand:
            message = Message("totaler-krieg.organizing.is-not-in-your-force-pool", into=id)
            faults.append(illegal("E-ORG-04", RULE, message, "into", id))
            continue
        if other.country != unit.country:
            message = Message("totaler-krieg.organizing.another-country", output=id)
            faults.append(illegal("E-ORG-01", RULE, message, "into", id))
        if steps not in other.print.faces:
            message = Message("totaler-krieg.organizing.has-no-face-of-steps", output=id, steps=steps)
            faults.append(illegal("E-ORG-03", RULE, message, "into", id))
        parts.append((other.print, steps))
    if not faults and (wrong := _composed(unit.steps, unit.print, parts, broken=True)):
        faults.append(illegal("E-ORG-03", RULE, wrong, "into"))
    return faults


def break_down(board: Board, order: Breakdown) -> None:
    unit = piece(board, order.unit)
    hex = unit.hex or ""
    if unit.id not in order.into:
        take_off(unit)
    for id, steps in sorted(order.into.items()):
        put(piece(board, id), hex, steps)


def breakdowns_of(board: Board, faction: str) -> Iterator[Breakdown]:
    """Yield the legal breakdowns of units into themselves on a lower face and another counter."""
    for id in board.position.ids():
        unit = mine(board, faction, id)
        if unit is None or unit.steps < 2 or unit.type == "hq":
            continue
        others = [
            other for other in pool(board, faction) if other.print.ground and other.country == unit.country
        ]
        for other in others:
            for steps in sorted(other.print.faces):
                left = unit.steps - steps
                order = Breakdown(id, {id: left, other.id: steps})
                if left >= 1 and not breakdown_faults(board, faction, order):
                    yield order


def detach_faults(board: Board, faction: str, order: Detach) -> list[Diagnostic]:
    unit = maybe_piece(board, order.unit)
    if unit is None or unit.owner != faction or unit.spot != "map":
        return [
            illegal(
                "E-GEN-01",
                RULE,
                Message("totaler-krieg.organizing.no-counter-of-yours-on-map", unit=order.unit),
                "unit",
            )
        ]
    if unit.back == "detachment":
        return []
    if unit.role != "ground" or unit.steps != 1 or not unit.print.detachment_side:
        return [
            illegal(
                "E-ORG-03",
                RULE,
                Message("totaler-krieg.organizing.has-no-detachment-side-to-turn", one=unit.id),
                "unit",
            )
        ]
    return []


def detach(board: Board, order: Detach) -> str:
    """Turn a unit into its marker, or send a marker to the Force Pool.

    Returns the verb for the report.
    """
    unit = piece(board, order.unit)
    if unit.back == "detachment":
        send(unit, "pool")
        return "removed"
    unit.back = "detachment"
    return "detached"
