"""4.8.3: Production: build points, units for sale, gearing, the points of the next turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.rules import Game, Message, dataclass

from .entries import Buys, Spending
from .paths import Flood, Paths
from .pieces import Due, PoolEntry, T, controller, operating, round_half_up
from .plans import Refusal
from .sources import Supply
from .steps import first_way
from .world import Industry, World, world_of


@dataclass(frozen=True)
class Income:
    """The sources of a power's build points."""

    factories: int
    resources: int
    bp: int
    borrowed: int = 0
    lent: int = 0


def industry(game: Game, power: str) -> Industry:
    return world_of(game).industry.get(power, Industry())


def factories(game: Game, power: str) -> int:
    """Return the operating factories of a power that can trace a path to its capital."""
    world = world_of(game)
    own = [h for h in world.sites if operating(game, h) and controller(game, h) == power]
    if not own or power not in world.home:
        return 0
    capital = world.countries[world.home[power]].capital
    paths: Paths = Supply(game, world.side_of[power]).paths
    connected = paths.flood(Flood((capital,), power, None, rail=False))
    return sum(operating(game, h) for h in own if h in connected)


def income(game: Game, power: str, oil_to_fuel: int = 0) -> Income:
    """E.3.1: Return the sources of a power's build points.

    Its points are the lesser of factories and resources, times the multiple, then off-map and saved
    ones.
    """
    own, working = industry(game, power), factories(game, power)
    resources = own.resources - (oil_to_fuel if world_of(game).options.get("fuel") else 0)
    points = min(working, resources)
    bp = round_half_up(points * own.multiple) + own.offmap_bp + T.of(game).saved.get(power, 0)
    return Income(working, resources, bp)


def incomes(game: Game, oil_to_fuel: Mapping[str, int]) -> dict[str, Income]:
    """E.3.1: Return the sources of each power's build points after the loans that can be paid."""
    t, world = T.of(game), world_of(game)
    own = {power: income(game, power, oil_to_fuel.get(power, 0)) for power in world.power_order}
    left = {power: sources.bp for power, sources in own.items()}
    given: dict[str, int] = dict.fromkeys(world.power_order, 0)
    taken: dict[str, int] = dict.fromkeys(world.power_order, 0)
    for power in world.power_order:
        for to, promised in dict(t.lent.get(power, {})).items():
            paid = min(promised, left[power])
            left[power] -= paid
            given[power] += paid
            taken[to] += paid
    return {
        power: replace(sources, bp=left[power] + taken[power], borrowed=taken[power], lent=given[power])
        for power, sources in own.items()
    }


def with_oil(game: Game, power: str, wish: Spending) -> Spending:
    """4.8.4: Return an order with no more oil for fuel than the power has."""
    return replace(wish, oil_to_fuel=min(industry(game, power).oil, wish.oil_to_fuel))


def gearing_limit(game: Game, power: str, kind: str) -> int:
    """4.8.3: Return the limit of a gearing class: last turn's number and one more."""
    return T.of(game).gearing.get(power, {}).get(kind, 0) + int(world_of(game).turn["gearing_more"])


def fuel_gained(game: Game, power: str, oil_to_fuel: int) -> int:
    """4.8.4: Return the fuel gained: some for oil used as a resource, more for oil used as fuel."""
    own, chart = industry(game, power), world_of(game).turn["oil"]
    kept = round_half_up((own.oil - oil_to_fuel) * own.multiple * int(chart["per_resource"]))
    return kept + int(chart["per_fuel"]) * oil_to_fuel


def type_and_print(entry: str) -> tuple[str, str]:
    """Return the type and the printed text of a kind in the force pool."""
    type, _, printed = entry.partition(" ")
    return type, printed


def price(game: Game, entry: PoolEntry) -> int:
    """Return the price in build points.

    It is the whole cost on land, the frame in the air, a cycle for a ship.
    """
    printed = world_of(game).print(*type_and_print(entry.unit))
    return printed.cost2 if entry.hull else printed.cost


def buyable(game: Game, power: str) -> list[PoolEntry]:
    """Return the units that a power may buy: its force pool, ships in repair, hulls."""
    t = T.of(game)
    ships = [
        PoolEntry(f"{d.type} {d.printed}".strip(), id=d.id, hull=d.hull)
        for d in (*t.repairs, *t.hulls)
        if d.owner == power
    ]
    return [*t.force_pool.get(power, ()), *ships]


def find_entry(game: Game, power: str, text: str) -> PoolEntry | None:
    """Return an entry by its id, its kind, or the first words of its kind."""
    entries = buyable(game, power)
    by_id = [e for e in entries if e.id == text]
    by_kind = [e for e in entries if e.unit == text] or [e for e in entries if e.unit.startswith(f"{text} ")]
    return next(iter(by_id or by_kind), None)


@dataclass
class Purchase:
    """The result of an order: bought kinds, refusals, sums."""

    built: list[str]
    due: list[tuple[int, Due]]
    refused: list[tuple[int, Refusal]]
    other: int
    rp: int
    saved: int
    gearing: dict[str, int]


def buy(game: Game, power: str, order: Spending, bp: int) -> Purchase:
    """E.3.3: Buy units in list order, then points. Refused purchases leave their cost saved."""
    done = Purchase([], [], [], 0, 0, bp, {})
    entries = [*order.buy, *(Buys(text) for text in order.build)]
    for n, entry in enumerate(entries, 1):
        way, refused = first_way(
            game, game.seat(power), entry, lambda w: _refused(game, power, w.unit or "", done)
        )
        if way is not None:
            _bought(game, power, way.unit or "", done)
        elif refused is not None:
            done.refused.append((n, refused))
    _points(game, order, done, gearing_limit(game, power, "RP"))
    return done


def _refused(game: Game, power: str, text: str, done: Purchase) -> Refusal | None:
    """Return the reason why one more unit cannot be bought: the pool, gearing or the budget."""
    world = world_of(game)
    entry = find_entry(game, power, text)
    if entry is None:
        return Refusal("E-UNIT", Message("wif.turn-letter.not-in-force-pool", text=text, power=power))
    kind = world.print(*type_and_print(entry.unit)).gearing
    limit = gearing_limit(game, power, kind)
    if not _repair(game, entry) and done.gearing.get(kind, 0) + 1 > limit:
        return Refusal("E-GEAR", Message("wif.production.gearing-limit", kind=kind, most=limit))
    if price(game, entry) > done.saved:
        return Refusal("E-BP", Message("wif.production.only-build-points-available", saved=done.saved))
    return None


def _repair(game: Game, entry: PoolEntry) -> bool:
    return any(d.id == entry.id for d in T.of(game).repairs)


def _bought(game: Game, power: str, text: str, done: Purchase) -> None:
    world, t = world_of(game), T.of(game)
    entry = find_entry(game, power, text)
    assert entry is not None
    type, printed = type_and_print(entry.unit)
    repair, kind = _repair(game, entry), world.print(type, printed).gearing
    cost = price(game, entry)
    done.saved -= cost
    done.other += cost
    done.built.append(entry.id or entry.unit)
    if repair:
        t.repairs = tuple(d for d in t.repairs if d.id != entry.id)
        done.due.append((1, Due(entry.id or "", power, type, printed)))
        return
    done.gearing[kind] = done.gearing.get(kind, 0) + 1
    turns = world.print(type, printed).turns
    if entry.hull:
        t.hulls = tuple(d for d in t.hulls if d.id != entry.id)
        done.due.append((turns, Due(entry.id or "", power, type, printed)))
        return
    left = [*t.force_pool.get(power, ())]
    at = left.index(entry)
    left[at] = replace(entry, count=entry.count - 1)
    t.force_pool[power] = tuple(e for e in left if e.count > 0)
    id = entry.id or _new_id(game, power, type)
    two_cycles = world.print(type, printed).cost2 > 0
    done.due.append((turns, Due(id, power, type, printed, entry.country, hull=two_cycles)))


def _new_id(game: Game, power: str, type: str) -> str:
    """R-113: Return a new id, `<power>-<type><n>`, counted from 1."""
    t = T.of(game)
    counts = dict(t.made.get(power, {}))
    counts[type] = counts.get(type, 0) + 1
    t.made[power] = counts
    return f"{power}-{type}{counts[type]}"


def _points(game: Game, order: Spending, done: Purchase, limit: int) -> None:
    """Buy reorganization points, one build point each, within their own gearing."""
    cost = int(world_of(game).turn["rp_cost"])
    rp = order.rp
    if rp > limit:
        done.refused.append(
            (0, Refusal("E-GEAR", Message("wif.production.gearing-limit-for-rp", most=limit)))
        )
        rp = limit
    if rp * cost > done.saved:
        done.refused.append(
            (0, Refusal("E-BP", Message("wif.production.only-build-points-available", saved=done.saved)))
        )
        rp = done.saved // cost
    done.rp = rp
    done.saved -= rp * cost
    if rp:
        done.gearing["RP"] = rp


def rate(world: World, other: int, rp: int) -> int:
    """4.6.1: Return the points of a turn: those spent on units, and twice those spent on points."""
    return other + int(world.supply["rp_worth"]) * rp
