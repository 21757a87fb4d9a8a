"""Whole answers for a player of wif to begin with, made by rules of thumb.

They move towards what counts, strike and attack where the odds are good, keep places occupied, and
turn up units near the enemy first. The search improves them and takes the best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.rules import Decision, Drafting, Entry, Game, Json, Part, to_json

from ..rules.battle import column, strengths
from ..rules.decisions.impulse_letter import ImpulseLetter, Writing
from ..rules.decisions.turn_letter import Between, TurnLetters
from ..rules.entries import AirSupplies, Attacks, Final, Moves, Spending, Strikes, Wish
from ..rules.pieces import T, Unit, grounded, held_by, powers_of, side, side_units, units, weather_at
from ..rules.plans import Plan
from ..rules.production import buyable, find_entry, income, price, type_and_print
from ..rules.world import world_of
from . import afloat

ACTIONS = ("land", "combined", "naval", "air")
"""The actions of which the best is taken."""
GOOD = {"allied": 2, "axis": 3}
"""From which column of the chart on an attack is worth it, by side; others as the axis."""
STRIKE = 3
"""Factors that make a ground strike worth its fuel."""
SEVERAL = 4
"""How many times the points of a power the wishes of a final list may come to: some cannot be served."""
SPEND = 2
"""Of how many build points one goes into reorganization, at most."""


def plans(game: Game, decision: Decision[Any]) -> Iterator[Json]:
    """Yield whole answers to begin with: an impulse letter for each action, a letter between the turns."""
    match decision:
        case ImpulseLetter():
            first = _actions(game, decision)
            yield _impulse(game, decision, first)
            for action in ACTIONS:
                if set(first.values()) != {action}:
                    yield _impulse(game, decision, dict.fromkeys(first, action))
        case TurnLetters():
            yield _between(game, decision)


# the impulse letter


def _impulse(game: Game, decision: ImpulseLetter, actions: dict[str, str]) -> Json:
    drafting: Drafting[Any] = Drafting(decision, game)
    draft: Any = drafting.draft
    assert isinstance(draft, Writing)
    for power, action in actions.items():
        drafting.offer(Part("action", Entry(power, action)))
    wanted = goals(game, draft.side)
    afloat.at_sea(drafting, draft, wanted)
    _strike(drafting, draft)
    _march(drafting, draft)
    afloat.ashore(drafting, draft, wanted)
    _attack(drafting, draft)
    _fly_supplies(drafting, draft)
    for power in draft.powers:
        wishes = _wishes(draft, power)
        if wishes:
            drafting.offer(Part("reorganize", Entry(power, wishes)))
    return drafting.json() if drafting.complete else to_json(decision.default(game))


def _actions(game: Game, decision: ImpulseLetter) -> dict[str, str]:
    """Land while the weather lets anybody fight, combined with transports to use; else wait for better."""
    world, own = world_of(game), T.of(game).phasing or ""
    powers = powers_of(game, decision.player, own)
    homes = [world.countries[world.home[p]].capital if p in world.home else None for p in powers]
    if all(weather_at(game, capital) == "blizzard" for capital in homes):
        return dict.fromkeys(powers, "pass")
    wanted = goals(game, own)
    return {power: "combined" if afloat.useful(game, power, wanted) else "land" for power in powers}


def _enemies(game: Game, own: str) -> dict[str, int]:
    """Return enemy land strength by hex."""
    strengths: dict[str, int] = {}
    for u in side_units(game, world_of(game).enemy(own)):
        if u.print.arm == "land" and u.hex is not None and not u.at_sea:
            strengths[u.hex] = strengths.get(u.hex, 0) + u.print.strength
    return strengths


def _strike(drafting: Drafting[Any], draft: Writing) -> None:
    """Send bombers against the strongest stack beside own troops."""
    game, world = draft.game, world_of(draft.game)
    near = {
        n
        for u in side_units(game, draft.side)
        if u.print.arm == "land" and not u.at_sea
        for n in world.beside(u.place)
    }
    targets = sorted(_enemies(game, draft.side).items(), key=lambda item: (-item[1], item[0]))
    for power in draft.powers:
        for u in units(game, power):
            if u.type != "LND" or u.down or u.print.tac < STRIKE:
                continue
            for hex, _ in targets:
                if hex in near and not drafting.offer(Part("g", Strikes((u.id,), hex))):
                    break


def goals(game: Game, own: str) -> list[str]:
    """Return the goals of this side: places of worth in enemy hands."""
    return [h for h, s in sorted(world_of(game).sites.items()) if s.vp and not held_by(game, h, own)]


def _march(drafting: Drafting[Any], draft: Writing) -> None:
    """Move units nearer to a goal, if they end beside own troops and leave nothing worth holding."""
    for power in draft.powers:
        for id in [u.id for u in units(draft.game, power)]:
            u = Unit(draft.game, id)
            if u.print.arm != "land" or u.at_sea or u.print.headquarters or u.print.support or u.type == "AA":
                continue
            if _stays(draft.game, u):
                continue
            best = _best_way(draft, u)
            if best is not None:
                drafting.offer(Part("i", Moves(u.id, best)))


def _stays(game: Game, u: Unit) -> bool:
    """Return True if somebody needs it where it is: an enemy is near, or it is alone in a place of worth."""
    world, own = world_of(game), side(game, u)
    enemies = _enemies(game, own)
    if any(n in enemies for n in world.beside(u.place)):
        return True
    alone = (
        sum(1 for o in side_units(game, own, u.place) if o.print.arm == "land" and not o.print.support) <= 1
    )
    here = world.sites.get(u.place)
    return alone and here is not None and here.vp > 0


def _best_way(draft: Writing, u: Unit) -> tuple[str, ...] | None:
    game, world = draft.game, world_of(draft.game)
    wanted = [g for g in goals(game, draft.side) if world.hexes_between(u.place, g) is not None]
    if not wanted:
        return None
    now = world.nearest(u.place, wanted)
    supply = draft.steps.impulse.supply
    ways = []
    for path, cost in draft.steps.impulse.land.ways(u):
        far = world.nearest(path[-1], wanted)
        if far < now:
            ways.append((far, cost, path))
    for _, _, path in sorted(ways)[:3]:
        before, u.hex = u.hex, path[-1]
        fed = supply.in_supply(u)
        u.hex = before
        if fed:
            return path
    return None


def _attack(drafting: Drafting[Any], draft: Writing) -> None:
    """Attack at good odds, the best first; headquarters stay out of it."""
    game, world = draft.game, world_of(draft.game)
    worth = GOOD.get(draft.side, GOOD["axis"])
    attacks = []
    for hex in sorted(_enemies(game, draft.side)):
        able = [
            u.id
            for n in world.beside(hex)
            for u in units(game, at=n)
            if u.owner in draft.powers and u.print.arm == "land" and not u.down and not u.print.support
        ]
        able = [
            id
            for id in able
            if not Unit(game, id).print.headquarters and world.open_side(Unit(game, id).place, hex)
        ]
        landed = [id for id, to in T.of(game).invading.items() if to == hex]
        able += landed
        if landed:  # they are lost if nobody attacks
            attacks.append((-99, hex, tuple(able)))
        elif able:
            strong, weak = strengths(game, hex, tuple(able))
            at = column(world, strong, weak) if not weak or strong * 2 >= weak else -1
            attacks.append((-at, hex, tuple(able)))
    for at, hex, ids in sorted(attacks):
        left = tuple(id for id in ids if id not in T.of(game).fought)
        if -at >= worth and left == ids:
            best = max(ids, key=lambda id: (Unit(game, id).print.strength, id))
            drafting.offer(Part("n", Attacks(hex, ids, best)))


def _fly_supplies(drafting: Drafting[Any], draft: Writing) -> None:
    """Fly air transports to the troops nearest to the enemy, where the weather allows."""
    game, world = draft.game, world_of(draft.game)
    front = sorted(_enemies(game, draft.side))
    needy = [(h, ids) for h, ids in draft.steps.needy(draft.side) if not grounded(game, h)]
    needy = [(h, tuple(i for i in ids if Unit(game, i).print.arm == "land")) for h, ids in needy]
    needy = sorted(
        ((h, ids) for h, ids in needy if ids), key=lambda pair: (world.nearest(pair[0], front), pair[0])
    )
    for power in draft.powers:
        for u in units(game, power):
            if u.type != "ATR" or u.down:
                continue
            for n, (hex, ids) in enumerate(needy):
                if not drafting.offer(Part("atr", AirSupplies(u.id, hex, ids))):
                    needy.pop(n)
                    break


def worth(game: Game, u: Unit, front: Sequence[str]) -> tuple[int, int, str]:
    """Return the rank for turning up: first who is near the enemy, then who is strong."""
    world = world_of(game)
    far = world.nearest(u.place, front) if u.hex in world.index and world.land(u.place) and front else 9
    strong = u.print.strength or u.print.ata + u.print.tac or u.print.attack
    return (0 if u.print.headquarters else min(far, 9), -strong, u.id)


def _wishes(draft: Writing, power: str) -> tuple[Wish, ...]:
    """Return own face-down units that can be served, as the program sees fit; the best first."""
    game = draft.game
    front = sorted(_enemies(game, draft.side))
    r = draft.books()
    wishes: list[Wish] = []
    left = T.of(game).pool.get(power, 0)
    for u in sorted((u for u in units(game, power) if u.down), key=lambda u: worth(game, u, front)):
        plan = r.judge(power, Wish(u.id, oos=True))
        if isinstance(plan, Plan) and plan.cost <= left:
            wishes.append(Wish(u.id, oos=True))
            left -= plan.cost
    return tuple(wishes)


# between the turns


def _between(game: Game, decision: TurnLetters) -> Json:
    drafting: Drafting[Any] = Drafting(decision, game)
    draft: Any = drafting.draft
    assert isinstance(draft, Between)
    if decision.point == "opening":
        return drafting.json()
    lists: dict[str, tuple[Wish, ...]] = {}
    for power in draft.powers:
        front = sorted(_enemies(game, world_of(game).side_of[power]))
        down = sorted((u for u in units(game, power) if u.down), key=lambda u: worth(game, u, front))
        wishes = [Wish(u.id, if_=f"face({u.id}) = down") for u in _affordable(game, power, down)]
        if wishes:
            lists[power] = tuple(wishes)
    drafting.offer(Part("final", Final(reorganize=lists)))
    for power in draft.powers:
        drafting.offer(Part("production", Entry(power, _spending(game, power))))
    return drafting.json()


def _affordable(game: Game, power: str, listed: Sequence[Unit]) -> Iterator[Unit]:
    """Yield the first of these units, up to several times the power's points, so letters stay short."""
    most = SEVERAL * T.of(game).rate.get(power, 0)
    for u in listed:
        most -= u.print.cost
        if most < 0:
            return
        yield u


def _spending(game: Game, power: str) -> Spending:
    """Return purchases: units while gearing and money last, the dearest first; a part into points."""
    world, last = world_of(game), T.of(game).gearing.get(power, {})
    bp = income(game, power).bp
    points = min(last.get("RP", 0) + 1, bp // SPEND)
    left = bp - points
    bought: dict[str, int] = {}
    build: list[str] = []
    for entry in sorted(buyable(game, power), key=lambda e: (-price(game, e), e.unit)):
        type, printed = type_and_print(entry.unit)
        kind = world.print(type, printed).gearing
        name = entry.id or entry.unit
        for _ in range(entry.count):
            if (
                bought.get(kind, 0) > last.get(kind, 0)
                or price(game, entry) > left
                or find_entry(game, power, name) is None
            ):
                break
            build.append(name)
            bought[kind] = bought.get(kind, 0) + 1
            left -= price(game, entry)
    return Spending(tuple(build), points)
