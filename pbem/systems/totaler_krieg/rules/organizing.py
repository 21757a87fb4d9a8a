"""Organization: combination, conversion, elimination, breakdown, detachments (4.7)."""

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
    """Return a ground unit of the faction on the map."""
    one = maybe_piece(board, id)
    good = one is not None and one.owner == faction and one.role == "ground" and one.spot == "map"
    return one if good else None


def _no_unit(id: str) -> list[Diagnostic]:
    """Return the fault of an order to a unit that the faction does not have on the map."""
    message = Message("totaler-krieg.organizing.no-unit-of-yours-on-map", unit=id)
    return [illegal("E-GEN-01", RULE, message, "unit")]


def _composed(steps: int, output: Print, parts: Sequence[tuple[Print, int]], *, broken: bool = False) -> str:
    """R-16: Return the reason why these parts do not make this output; empty if all is well.

    It also has the reason why the output does not yield the parts.
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


# 2.3.1


def combine_faults(
    board: Board, faction: str, given: Combine, supply: Supply | None = None
) -> list[Diagnostic]:
    """4.7: Return the faults of a combination; `supply` as it is now, if that was worked out before."""
    units = [mine(board, faction, id) for id in given.units]
    if len(given.units) < 2 or len({*given.units}) < len(given.units) or None in units:
        return [
            illegal(
                "E-GEN-01",
                RULE,
                Message("totaler-krieg.organizing.two-or-more-different-units-of-yours"),
                "units",
            )
        ]
    parts = [one for one in units if one is not None]
    found = list(_together(supply or Supply(board), parts))
    steps = sum(one.steps for one in parts)
    output = maybe_piece(board, given.into)
    chart = world_of(board).limits["combined"]
    if output is None or output.owner != faction:
        return [
            *found,
            illegal(
                "E-ORG-04",
                RULE,
                Message("totaler-krieg.organizing.no-counter-of-yours", into=given.into),
                "into",
            ),
        ]
    if output.id not in given.units and output.spot != "pool":
        found.append(
            illegal(
                "E-ORG-04",
                RULE,
                Message("totaler-krieg.organizing.not-in-force-pool", output=output.id),
                "into",
            )
        )
    if output.country != parts[0].country:
        found.append(
            illegal(
                "E-ORG-01",
                RULE,
                Message("totaler-krieg.organizing.another-country", output=output.id),
                "into",
            )
        )
    wrong = _composed(steps, output.print, [(one.print, one.steps) for one in parts])
    if not int(chart["least"]) <= steps <= int(chart["most"]) or steps not in output.print.faces:
        wrong = Message("totaler-krieg.organizing.has-no-face-of-steps", output=output.id, steps=steps)
    if wrong:
        found.append(illegal("E-ORG-03", RULE, wrong, "into"))
    return found


def _together(supply: Supply, parts: Sequence[Piece]) -> Iterator[Diagnostic]:
    if len({one.hex for one in parts}) > 1 or len({one.country for one in parts}) > 1:
        yield illegal("E-ORG-01", RULE, Message("totaler-krieg.organizing.units-not-in-one-hex"), "units")
    for n, one in enumerate(parts):
        if one.type in EXCLUDED:
            yield illegal(
                "E-ORG-03",
                RULE,
                Message("totaler-krieg.organizing.is-not-combined", one=one.id, type=one.type),
                "units",
                n,
            )
        if not supply.supplied(one):
            yield illegal(
                "E-ORG-02", RULE, Message("totaler-krieg.organizing.unsupplied", one=one.id), "units", n
            )


def combine(board: Board, given: Combine) -> None:
    """Combine counters: the output is in the hex, not moved; the other inputs leave the map."""
    parts = [piece(board, id) for id in given.units]
    hex, steps = parts[0].hex or "", sum(one.steps for one in parts)
    for one in parts:
        if one.id != given.into:
            take_off(one)
    put(piece(board, given.into), hex, steps)


def combinations_of(
    board: Board, faction: str, begins: Callable[[str], bool] = lambda id: True
) -> Iterator[Combine]:
    """Yield every combination that is legal now and whose first unit `begins` one that is wanted."""
    stacks: dict[str, list[Piece]] = {}
    supply = Supply(board)
    for id in board.position.ids():
        one = mine(board, faction, id)
        if one is not None and one.type not in EXCLUDED:
            stacks.setdefault(one.hex or "", []).append(one)
    for _, there in sorted(stacks.items()):
        for size in range(2, len(there) + 1):
            for parts in combinations(there, size):
                ids = tuple(one.id for one in parts)
                if not begins(ids[0]):
                    continue
                outputs = {*ids, *(one.id for one in pool(board, faction) if one.print.ground)}
                for into in sorted(outputs):
                    if not combine_faults(board, faction, Combine(ids, into), supply):
                        yield Combine(ids, into)


# 2.3.2


def convert_faults(
    board: Board, faction: str, given: Convert, supply: Supply | None = None
) -> list[Diagnostic]:
    """R-17: Return the faults of a conversion: a supplied one-step infantry in a city of its own country.

    It becomes a fortress or garrison. `supply` is as it is now, if that was worked out before.
    """
    one, other, world = mine(board, faction, given.unit), maybe_piece(board, given.into), world_of(board)
    if one is None:
        return _no_unit(given.unit)
    if other is None or other.owner != faction or other.spot != "pool":
        return [
            illegal(
                "E-ORG-04",
                RULE,
                Message("totaler-krieg.organizing.is-not-in-your-force-pool", into=given.into),
                "into",
            )
        ]
    kinds = {one.type, other.type}
    found = []
    if "infantry" not in kinds or not kinds & {*FIXED} or one.steps != 1 or 1 not in other.print.faces:
        message = Message("totaler-krieg.organizing.one-step-infantry-converted-into-fortress")
        found.append(illegal("E-ORG-03", RULE, message, "into"))
    if one.country != other.country or world.country_of(one.hex or "") != one.country:
        found.append(
            illegal("E-ORG-01", RULE, Message("totaler-krieg.organizing.hex-of-country-of-both"), "unit")
        )
    if not world.city(one.hex or ""):
        found.append(
            illegal("E-ORG-03", RULE, Message("totaler-krieg.organizing.no-city", hex=one.hex), "unit")
        )
    if not (supply or Supply(board)).supplied(one):
        found.append(
            illegal("E-ORG-02", RULE, Message("totaler-krieg.organizing.unsupplied", one=one.id), "unit")
        )
    return found


def convert(board: Board, given: Convert) -> None:
    """R-208: Convert a unit; what is exchanged leaves the map as any counter does (2.6)."""
    one = piece(board, given.unit)
    hex = one.hex or ""
    take_off(one)
    put(piece(board, given.into), hex, 1)


# 2.3.3


def eliminate_faults(board: Board, faction: str, given: Eliminate) -> list[Diagnostic]:
    one = mine(board, faction, given.unit)
    if one is None:
        return _no_unit(given.unit)
    if given.steps > one.steps:
        return [
            illegal(
                "E-ORG-03",
                RULE,
                Message(
                    "totaler-krieg.organizing.has-steps", one=one.id, steps=one.steps, wanted=given.steps
                ),
                "steps",
            )
        ]
    there = {other.id for other in pool(board, faction) if other.country == one.country}
    return [
        illegal(
            "E-ORG-04",
            "4.25",
            Message("totaler-krieg.organizing.not-in-your-force-pool", id=id),
            "instead",
            n,
        )
        for n, id in enumerate(given.instead)
        if id not in there
    ]


def eliminate(board: Board, given: Eliminate) -> list[Lost]:
    """4.25 Step by step; a counter that stands in goes on losing."""
    found: list[Lost] = []
    id = given.unit
    for _ in range(given.steps):
        one = piece(board, id)
        able = {other.id for other in choices(board, one)}
        lost = lose_step(board, one, next((other for other in given.instead if other in able), None))
        found.append(lost)
        id = lost.instead or id
        if not lost.left:
            break
    return found


# 2.3.4


def breakdown_faults(board: Board, faction: str, given: Breakdown) -> list[Diagnostic]:
    """4.7: Return the faults of a breakdown, which needs no supply."""
    one = mine(board, faction, given.unit)
    if one is None:
        return _no_unit(given.unit)
    found = []
    if one.type == "hq" or one.steps < 2:
        found.append(
            illegal(
                "E-ORG-03",
                RULE,
                Message("totaler-krieg.organizing.cannot-be-broken-down", one=one.id),
                "unit",
            )
        )
    if sum(given.into.values()) != one.steps or (len(given.into) < 2):
        message = Message("totaler-krieg.organizing.two-or-more-counters-of-steps-together", steps=one.steps)
        found.append(illegal("E-ORG-03", RULE, message, "into"))
    parts = []
    for id, steps in sorted(given.into.items()):
        other = maybe_piece(board, id)
        at_hand = other is not None and other.owner == faction and (id == one.id or other.spot == "pool")
        if other is None or not at_hand:
            message = Message("totaler-krieg.organizing.is-not-in-your-force-pool", into=id)
            found.append(illegal("E-ORG-04", RULE, message, "into", id))
            continue
        if other.country != one.country:
            message = Message("totaler-krieg.organizing.another-country", output=id)
            found.append(illegal("E-ORG-01", RULE, message, "into", id))
        if steps not in other.print.faces:
            message = Message("totaler-krieg.organizing.has-no-face-of-steps", output=id, steps=steps)
            found.append(illegal("E-ORG-03", RULE, message, "into", id))
        parts.append((other.print, steps))
    if not found and (wrong := _composed(one.steps, one.print, parts, broken=True)):
        found.append(illegal("E-ORG-03", RULE, wrong, "into"))
    return found


def break_down(board: Board, given: Breakdown) -> None:
    one = piece(board, given.unit)
    hex = one.hex or ""
    if one.id not in given.into:
        take_off(one)
    for id, steps in sorted(given.into.items()):
        put(piece(board, id), hex, steps)


def breakdowns_of(board: Board, faction: str) -> Iterator[Breakdown]:
    """Yield the breakdowns into the counter itself and one-step counters, and into two counters.

    The counter itself is on a lower face.
    """
    for id in board.position.ids():
        one = mine(board, faction, id)
        if one is None or one.steps < 2 or one.type == "hq":
            continue
        others = [
            other for other in pool(board, faction) if other.print.ground and other.country == one.country
        ]
        for other in others:
            for steps in sorted(other.print.faces):
                left = one.steps - steps
                given = Breakdown(id, {id: left, other.id: steps})
                if left >= 1 and not breakdown_faults(board, faction, given):
                    yield given


# 2.3.5


def detach_faults(board: Board, faction: str, given: Detach) -> list[Diagnostic]:
    one = maybe_piece(board, given.unit)
    if one is None or one.owner != faction or one.spot != "map":
        return [
            illegal(
                "E-GEN-01",
                RULE,
                Message("totaler-krieg.organizing.no-counter-of-yours-on-map", unit=given.unit),
                "unit",
            )
        ]
    if one.back == "detachment":
        return []
    if one.role != "ground" or one.steps != 1 or not one.print.detachment_side:
        return [
            illegal(
                "E-ORG-03",
                RULE,
                Message("totaler-krieg.organizing.has-no-detachment-side-to-turn", one=one.id),
                "unit",
            )
        ]
    return []


def detach(board: Board, given: Detach) -> str:
    """Turn a unit into its marker, or send a marker to the Force Pool; return what was done."""
    one = piece(board, given.unit)
    if one.back == "detachment":
        send(one, "pool")
        return "removed"
    one.back = "detachment"
    return "detached"
