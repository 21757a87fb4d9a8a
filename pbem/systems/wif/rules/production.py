"""4.8.3 Production: build points, what may be bought, gearing, the points of the next turn."""

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
    """Return the operating factories of a power that trace a path of any length to its capital."""
    world = world_of(game)
    own = [h for h in world.sites if operating(game, h) and controller(game, h) == power]
    if not own or power not in world.home:
        return 0
    capital = world.countries[world.home[power]].capital
    paths: Paths = Supply(game, world.side_of[power]).paths
    joined = paths.flood(Flood((capital,), power, None, rail=False))
    return sum(operating(game, h) for h in own if h in joined)


def income(game: Game, power: str, oil_to_fuel: int = 0) -> Income:
    """E.3.1 Build points: the lesser of factories and resources, times the multiple, and the rest."""
    found, made = industry(game, power), factories(game, power)
    resources = found.resources - (oil_to_fuel if world_of(game).options.get("fuel") else 0)
    points = min(made, resources)
    bp = round_half_up(points * found.multiple) + found.offmap_bp + T.of(game).saved.get(power, 0)
    return Income(made, resources, bp)


def incomes(game: Game, oil_to_fuel: Mapping[str, int]) -> dict[str, Income]:
    """E.3.1: Return the build points of each power after the loans that can be paid."""
    t, world = T.of(game), world_of(game)
    own = {power: income(game, power, oil_to_fuel.get(power, 0)) for power in world.power_order}
    left = {power: one.bp for power, one in own.items()}
    given: dict[str, int] = dict.fromkeys(world.power_order, 0)
    taken: dict[str, int] = dict.fromkeys(world.power_order, 0)
    for power in world.power_order:
        for to, promised in dict(t.lent.get(power, {})).items():
            paid = min(promised, left[power])
            left[power] -= paid
            given[power] += paid
            taken[to] += paid
    return {
        power: replace(one, bp=left[power] + taken[power], borrowed=taken[power], lent=given[power])
        for power, one in own.items()
    }


def with_oil(game: Game, power: str, wish: Spending) -> Spending:
    """4.8.4: Return a wish with no more oil for fuel than the power has."""
    return replace(wish, oil_to_fuel=min(industry(game, power).oil, wish.oil_to_fuel))


def gearing_limit(game: Game, power: str, kind: str) -> int:
    """4.8.3: Return how many of a gearing class a power may buy: last turn's number and one more."""
    return T.of(game).gearing.get(power, {}).get(kind, 0) + int(world_of(game).turn["gearing_more"])


def fuel_gained(game: Game, power: str, oil_to_fuel: int) -> int:
    """4.8.4: Return the fuel gained: oil as a resource gives some, oil as fuel more."""
    found, chart = industry(game, power), world_of(game).turn["oil"]
    kept = round_half_up((found.oil - oil_to_fuel) * found.multiple * int(chart["per_resource"]))
    return kept + int(chart["per_fuel"]) * oil_to_fuel


def type_and_print(entry: str) -> tuple[str, str]:
    """Return a kind of the force pool: its type and what is printed."""
    type, _, printed = entry.partition(" ")
    return type, printed


def price(game: Game, entry: PoolEntry) -> int:
    """Build points: the whole cost on land, the frame in the air, the cycle of a ship."""
    printed = world_of(game).print(*type_and_print(entry.unit))
    return printed.cost2 if entry.hull else printed.cost


def buyable(game: Game, power: str) -> list[PoolEntry]:
    """Return what a power may buy: its force pool, ships in repair, hulls."""
    t = T.of(game)
    ships = [
        PoolEntry(f"{d.type} {d.printed}".strip(), id=d.id, hull=d.hull)
        for d in (*t.repairs, *t.hulls)
        if d.owner == power
    ]
    return [*t.force_pool.get(power, ()), *ships]


def find_entry(game: Game, power: str, text: str) -> PoolEntry | None:
    """Return an entry by its id, or by the words of its kind (as many as are given)."""
    listed = buyable(game, power)
    by_id = [e for e in listed if e.id == text]
    by_kind = [e for e in listed if e.unit == text] or [e for e in listed if e.unit.startswith(f"{text} ")]
    return next(iter(by_id or by_kind), None)


@dataclass
class Purchase:
    """The outcome of an order: bought kinds, refusals, sums."""

    built: list[str]
    due: list[tuple[int, Due]]
    refused: list[tuple[int, Refusal]]
    other: int
    rp: int
    saved: int
    gearing: dict[str, int]


def buy(game: Game, power: str, order: Spending, bp: int) -> Purchase:
    """E.3.3: Buy units in list order, then points; what gearing or the budget refuses is saved."""
    done = Purchase([], [], [], 0, 0, bp, {})
    listed = [*order.buy, *(Buys(text) for text in order.build)]
    for n, one in enumerate(listed, 1):
        way, refused = first_way(
            game, game.seat(power), one, lambda w: _refused(game, power, w.unit or "", done)
        )
        if way is not None:
            _bought(game, power, way.unit or "", done)
        elif refused is not None:
            done.refused.append((n, refused))
    _points(game, order, done, gearing_limit(game, power, "RP"))
    return done


def _refused(game: Game, power: str, text: str, done: Purchase) -> Refusal | None:
    """Return the reason why a unit cannot be bought as well: not there, gearing, budget."""
    world = world_of(game)
    entry = find_entry(game, power, text)
    if entry is None:
        return Refusal("E-UNIT", Message("wif.turn-letter.not-in-force-pool", text=text, power=power))
    kind = world.print(*type_and_print(entry.unit)).gearing
    most = gearing_limit(game, power, kind)
    if not _repair(game, entry) and done.gearing.get(kind, 0) + 1 > most:
        return Refusal("E-GEAR", Message("wif.production.gearing-limit", kind=kind, most=most))
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
    made = dict(t.made.get(power, {}))
    made[type] = made.get(type, 0) + 1
    t.made[power] = made
    return f"{power}-{type}{made[type]}"


def _points(game: Game, order: Spending, done: Purchase, most: int) -> None:
    """Buy points: a build point each, within their own gearing."""
    cost = int(world_of(game).turn["rp_cost"])
    rp = order.rp
    if rp > most:
        done.refused.append((0, Refusal("E-GEAR", Message("wif.production.gearing-limit-for-rp", most=most))))
        rp = most
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
    """4.6.1: Return the points of a turn: those spent on everything else, and twice those spent on points."""
    return other + int(world.supply["rp_worth"]) * rp
