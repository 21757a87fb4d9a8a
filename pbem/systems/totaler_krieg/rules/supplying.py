"""4.3, 4.4: Logistics markers, partisan bases, replacements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Message

from .dropping import not_yours
from .ground import Ground
from .orders import Logistics, Partisan, Replacement
from .pieces import Piece, T, maybe_piece, pieces, pool, world_of
from .supply import Supply

Step = tuple[str, str, int]
ANY = "any"
KINDS = ("infantry", "armor", ANY)


def logistics_faults(board: Board, faction: str, order: Logistics) -> list[Diagnostic]:
    """R-10: Return the faults of a logistics marker.

    It is placed with a supplied friendly unit on a city, port, road or rail, one marker a hex.
    """
    rule = "4.3"
    marker = maybe_piece(board, order.marker)
    if marker is None or marker.owner != faction:
        return not_yours(rule, order.marker, "marker")
    if marker.type != "logistics" or marker.spot not in ("pool", "map"):
        return [
            illegal(
                "E-LOG-01",
                rule,
                Message("totaler-krieg.supplying.no-logistics-marker-hand", one=marker.id),
                "marker",
            )
        ]
    if order.hex is None:
        wrong = marker.spot != "map"
        return (
            [
                illegal(
                    "E-LOG-01", rule, Message("totaler-krieg.supplying.not-on-map", one=marker.id), "marker"
                )
            ]
            if wrong
            else []
        )
    supply = Supply(board)
    ground, world, hex = supply.ground, supply.world, order.hex
    reasons = []
    if not any(supply.supplied(unit) for unit in ground.units(hex, faction)):
        reasons.append(Message("totaler-krieg.supplying.no-supplied-unit-of-yours", hex=hex))
    if not (world.city(hex) or hex in world.ports or world.on_link(hex)):
        reasons.append(Message("totaler-krieg.supplying.has-no-city", hex=hex))
    if any(other.id != marker.id for other in ground.of("logistics", hex)):
        reasons.append(Message("totaler-krieg.supplying.holds-logistics-marker", hex=hex))
    return [illegal("E-LOG-01", rule, message, "hex") for message in reasons]


def partisan_faults(board: Board, faction: str, order: Partisan, used: Sequence[str]) -> list[Diagnostic]:
    """4.3: Return the faults of a partisan base.

    It is placed in a rough or city hex of a conquered Minor Country of the faction, without an
    enemy unit.
    """
    rule = "4.3"
    marker = maybe_piece(board, order.marker)
    if marker is None or marker.owner != faction:
        return not_yours(rule, order.marker, "marker")
    if marker.type != "partisan_base" or marker.spot != ("map" if order.hex is None else "pool"):
        return [
            illegal(
                "E-LOG-01",
                rule,
                Message("totaler-krieg.supplying.no-partisan-base-hand", one=marker.id),
                "marker",
            )
        ]
    if order.hex is None:
        return []
    ground, world, hex = Ground(board), world_of(board), order.hex
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
    reasons = []
    if state is None or not minor or state.status != "conquered" or state.alignment != faction:
        reasons.append(Message("totaler-krieg.supplying.no-conquered-minor-country-of-yours", hex=hex))
    if not (world.city(hex) or world.terrain[hex] == "rough"):
        reasons.append(Message("totaler-krieg.supplying.neither-rough-nor-city", hex=hex))
    if ground.enemies(hex, faction):
        reasons.append(Message("totaler-krieg.supplying.holds-enemy-units", hex=hex))
    if country in used:
        reasons.append(Message("totaler-krieg.supplying.partisan-base-placed-in-already", country=country))
    return [illegal("E-LOG-01", rule, message, "hex") for message in reasons]


def due_steps(board: Board, faction: str) -> tuple[Step, ...]:
    """4.4: Return the steps due: those of the current card, and those that effects added."""
    t, world = T.of(board), world_of(board)
    card = world.cards.get(t.current.get(faction, ""))
    steps = [(due.country, due.kind, due.n) for due in (card.replacements if card else ())]
    steps += list(t.added_steps.get(faction, ()))
    return tuple(steps)


def seasonal_steps(board: Board, faction: str) -> tuple[Step, ...]:
    """4.4 (1): Return the scenario's additional steps whose condition holds."""
    return tuple(
        (step.country, step.kind, step.n)
        for season in world_of(board).seasons
        if season.faction == faction and season.when.holds(board)  # type: ignore[arg-type]
        for step in season.steps
    )


def step_for(counter: Piece, left: Sequence[Step], wanted: str | None) -> int | None:
    """Return the index of the step that a counter takes from `left`, its own kind before any."""
    if counter.type == "hq":
        kinds: tuple[str, ...] = KINDS
    elif counter.print.armor_type:
        kinds = ("armor", ANY)
    elif counter.print.infantry_type:
        kinds = ("infantry", ANY)
    else:
        return None
    for kind in kinds if wanted is None else [kind for kind in kinds if kind == wanted]:
        for n, (country, step_kind, count) in enumerate(left):
            if country == counter.country and step_kind == kind and count > 0:
                return n
    return None


def spend(left: Sequence[Step], n: int) -> tuple[Step, ...]:
    """Return the steps with one fewer of the n-th kind."""
    return tuple((c, k, count - (i == n)) for i, (c, k, count) in enumerate(left))


def locations(board: Board, faction: str, counter: Piece) -> list[str]:
    """4.4 (3): Return the Replacement Locations for a counter."""
    supply = Supply(board)
    ground, world = supply.ground, supply.world
    hexes = {
        hex
        for hex, units in ground.by_role.get("ground", {}).items()
        for hq in units
        if hq.type == "hq"
        and hq.owner == faction
        and hq.country == counter.country
        and world.country_of(hex) == counter.country
        and supply.supplied(hq)
    }
    by_land = bool(world.scenario["factions"][faction].get("logistics_by_land"))
    net = Supply(board, ground, by_sea=False) if by_land else supply
    for hex, markers in ground.by_role.get("logistics", {}).items():
        if any(marker.owner == faction and net.supplied(marker) for marker in markers):
            hexes.add(hex)
    if counter.type == "hq":
        cities = world.countries[world.parent(counter.country)].home_cities
        hexes |= {hex for hex in cities if ground.control(hex) == faction}
    return sorted(hex for hex in hexes if not ground.enemies(hex, faction))


def replacement_faults(
    board: Board, faction: str, order: Replacement, left: Sequence[Step]
) -> list[Diagnostic]:
    """4.4: Return the faults of a replacement."""
    rule = "4.4"
    counter = maybe_piece(board, order.counter)
    if counter is None or counter.owner != faction:
        return not_yours(rule, order.counter, "counter")
    if (
        counter.spot != "pool"
        or not counter.print.ground
        or 1 not in counter.print.faces
        or counter.type == "fortress"
    ):
        return [
            illegal(
                "E-REP-01",
                rule,
                Message("totaler-krieg.supplying.no-one-step-unit-in-your-force", one=counter.id),
                "counter",
            )
        ]
    faults = []
    if step_for(counter, left, order.kind) is None:
        message = Message(
            "totaler-krieg.supplying.no-step-of-that-left-fits",
            country=counter.country,
            one=counter.id,
            type=counter.type,
        )
        faults.append(illegal("E-REP-01", rule, message, "counter"))
    if order.hex not in (able := locations(board, faction, counter)):
        wanted = Message(
            "totaler-krieg.supplying.no-replacement-location", hex=order.hex, able=", ".join(able) or "none"
        )
        faults.append(illegal("E-REP-02", rule, wanted, "hex"))
    return faults


def replacements_of(board: Board, faction: str, left: Sequence[Step]) -> Iterator[Replacement]:
    """Yield every legal replacement."""
    for counter in pool(board, faction):
        fits = counter.print.ground and 1 in counter.print.faces and counter.type != "fortress"
        if fits and step_for(counter, left, None) is not None:
            for hex in locations(board, faction, counter):
                yield Replacement(counter.id, hex)


def markers_of(board: Board, faction: str, kind: str) -> list[Piece]:
    """Return the markers of a kind that a faction has in its pool or on the map."""
    return [
        marker for marker in pieces(board, faction) if marker.type == kind and marker.spot in ("pool", "map")
    ]
