"""Logistics markers, partisan bases, replacements: where and which (4.3, 4.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Message

from .ground import Ground
from .orders import Logistics, Partisan, Replacement
from .pieces import Piece, T, maybe_piece, pieces, pool, world_of
from .supply import Supply

Step = tuple[str, str, int]
ANY = "any"
KINDS = ("infantry", "armor", ANY)


# 4.3


def logistics_faults(board: Board, faction: str, given: Logistics) -> list[Diagnostic]:
    """R-10: Return faults of a logistics marker.

    With a supplied friendly unit, on a city, port, road or rail; one marker a hex.
    """
    rule = "4.3"
    one = maybe_piece(board, given.marker)
    if one is None or one.owner != faction:
        return [
            illegal(
                "E-GEN-01",
                rule,
                Message("totaler-krieg.dropping.no-counter-of-yours", unit=given.marker),
                "marker",
            )
        ]
    if one.type != "logistics" or one.spot not in ("pool", "map"):
        return [
            illegal(
                "E-LOG-01",
                rule,
                Message("totaler-krieg.supplying.no-logistics-marker-hand", one=one.id),
                "marker",
            )
        ]
    if given.hex is None:
        wrong = one.spot != "map"
        return (
            [illegal("E-LOG-01", rule, Message("totaler-krieg.supplying.not-on-map", one=one.id), "marker")]
            if wrong
            else []
        )
    supply = Supply(board)
    ground, world, hex = supply.ground, supply.world, given.hex
    found = []
    if not any(supply.supplied(unit) for unit in ground.units(hex, faction)):
        found.append(Message("totaler-krieg.supplying.no-supplied-unit-of-yours", hex=hex))
    if not (world.city(hex) or hex in world.ports or world.on_link(hex)):
        found.append(Message("totaler-krieg.supplying.has-no-city", hex=hex))
    if any(other.id != one.id for other in ground.of("logistics", hex)):
        found.append(Message("totaler-krieg.supplying.holds-logistics-marker", hex=hex))
    return [illegal("E-LOG-01", rule, message, "hex") for message in found]


def partisan_faults(board: Board, faction: str, given: Partisan, used: Sequence[str]) -> list[Diagnostic]:
    """4.3: Return the faults of a partisan base.

    A rough or city hex of a conquered Minor Country of the faction, without an enemy unit.
    """
    rule = "4.3"
    one = maybe_piece(board, given.marker)
    if one is None or one.owner != faction:
        return [
            illegal(
                "E-GEN-01",
                rule,
                Message("totaler-krieg.dropping.no-counter-of-yours", unit=given.marker),
                "marker",
            )
        ]
    if one.type != "partisan_base" or one.spot != ("map" if given.hex is None else "pool"):
        return [
            illegal(
                "E-LOG-01",
                rule,
                Message("totaler-krieg.supplying.no-partisan-base-hand", one=one.id),
                "marker",
            )
        ]
    if given.hex is None:
        return []
    ground, world, hex = Ground(board), world_of(board), given.hex
    if faction == world.factions[0]:
        return [
            illegal(
                "E-LOG-01",
                rule,
                Message("totaler-krieg.supplying.only-allied-factions-place-partisan-bases"),
                "marker",
            )
        ]
    country = world.country_of(hex)
    state = ground.states.get(country or "")
    minor = country is not None and world.countries[country].kind == "minor"
    found = []
    if state is None or not minor or state.status != "conquered" or state.alignment != faction:
        found.append(Message("totaler-krieg.supplying.no-conquered-minor-country-of-yours", hex=hex))
    if not (world.city(hex) or world.terrain[hex] == "rough"):
        found.append(Message("totaler-krieg.supplying.neither-rough-nor-city", hex=hex))
    if ground.enemies(hex, faction):
        found.append(Message("totaler-krieg.supplying.holds-enemy-units", hex=hex))
    if country in used:
        found.append(Message("totaler-krieg.supplying.partisan-base-placed-in-already", country=country))
    return [illegal("E-LOG-01", rule, message, "hex") for message in found]


# 4.4


def due_steps(board: Board, faction: str) -> tuple[Step, ...]:
    """4.4: Return the steps due.

    Those of the current card, what was added, and seasonal ones whose condition holds.
    """
    t, world = T.of(board), world_of(board)
    card = world.cards.get(t.current.get(faction, ""))
    found = [(one.country, one.kind, one.n) for one in (card.replacements if card else ())]
    found += list(t.added_steps.get(faction, ()))
    return tuple(found)


def seasonal_steps(board: Board, faction: str) -> tuple[Step, ...]:
    """4.4: Return (1) Additional steps of the scenario."""
    return tuple(
        (step.country, step.kind, step.n)
        for one in world_of(board).seasons
        if one.faction == faction and one.when.holds(board)  # type: ignore[arg-type]
        for step in one.steps
    )


def step_for(one: Piece, left: Sequence[Step], wanted: str | None) -> int | None:
    """Return the index of the step that a counter takes from those left: its own kind before any."""
    if one.type == "hq":
        kinds: tuple[str, ...] = KINDS
    elif one.print.armor_type:
        kinds = ("armor", ANY)
    elif one.print.infantry_type:
        kinds = ("infantry", ANY)
    else:
        return None
    for kind in kinds if wanted is None else [kind for kind in kinds if kind == wanted]:
        for n, (country, given, count) in enumerate(left):
            if country == one.country and given == kind and count > 0:
                return n
    return None


def spend(left: Sequence[Step], n: int) -> tuple[Step, ...]:
    """Return the steps with one less of the n-th kind."""
    return tuple((c, k, count - (i == n)) for i, (c, k, count) in enumerate(left))


def locations(board: Board, faction: str, one: Piece) -> list[str]:
    """4.4: Return (3) The Replacement Locations for a counter."""
    supply = Supply(board)
    ground, world = supply.ground, supply.world
    found = {
        hex
        for hex, units in ground.by_role.get("ground", {}).items()
        for hq in units
        if hq.type == "hq"
        and hq.owner == faction
        and hq.country == one.country
        and world.country_of(hex) == one.country
        and supply.supplied(hq)
    }
    by_land = bool(world.scenario["factions"][faction].get("logistics_by_land"))
    net = Supply(board, ground, by_sea=False) if by_land else supply
    for hex, markers in ground.by_role.get("logistics", {}).items():
        if any(marker.owner == faction and net.supplied(marker) for marker in markers):
            found.add(hex)
    if one.type == "hq":
        cities = world.countries[world.parent(one.country)].home_cities
        found |= {hex for hex in cities if ground.control(hex) == faction}
    return sorted(hex for hex in found if not ground.enemies(hex, faction))


def replacement_faults(
    board: Board, faction: str, given: Replacement, left: Sequence[Step]
) -> list[Diagnostic]:
    """4.4: Return the faults of a replacement."""
    rule = "4.4"
    one = maybe_piece(board, given.counter)
    if one is None or one.owner != faction:
        return [
            illegal(
                "E-GEN-01",
                rule,
                Message("totaler-krieg.dropping.no-counter-of-yours", unit=given.counter),
                "counter",
            )
        ]
    if one.spot != "pool" or not one.print.ground or 1 not in one.print.faces or one.type == "fortress":
        return [
            illegal(
                "E-REP-01",
                rule,
                Message("totaler-krieg.supplying.no-one-step-unit-in-your-force", one=one.id),
                "counter",
            )
        ]
    found = []
    if step_for(one, left, given.kind) is None:
        message = Message(
            "totaler-krieg.supplying.no-step-of-that-left-fits",
            country=one.country,
            one=one.id,
            type=one.type,
        )
        found.append(illegal("E-REP-01", rule, message, "counter"))
    if given.hex not in (able := locations(board, faction, one)):
        wanted = Message(
            "totaler-krieg.supplying.no-replacement-location", hex=given.hex, able=", ".join(able) or "none"
        )
        found.append(illegal("E-REP-02", rule, wanted, "hex"))
    return found


def replacements_of(board: Board, faction: str, left: Sequence[Step]) -> Iterator[Replacement]:
    """Yield every legal replacement."""
    for one in pool(board, faction):
        fits = one.print.ground and 1 in one.print.faces and one.type != "fortress"
        if fits and step_for(one, left, None) is not None:
            for hex in locations(board, faction, one):
                yield Replacement(one.id, hex)


def markers_of(board: Board, faction: str, kind: str) -> list[Piece]:
    """Return the markers of a kind that a faction has at hand or on the map."""
    return [one for one in pieces(board, faction) if one.type == kind and one.spot in ("pool", "map")]
