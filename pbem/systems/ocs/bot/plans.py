"""Whole answers for a player of ocs to begin with, made by rules of thumb.

They bring supply forward, fuel troops, close on what counts, keep reserves, bomb and attack where the
odds are good. The search takes the better one and improves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pbem.rules import Decision, Drafting, Game, Json, Part, to_json

from ..rules.actions import Action, Attack, Fire, Fuel, Mission, Move, Stand
from ..rules.decisions.loop import Actions
from ..rules.decisions.reinforcing import Rebuild
from ..rules.fighting.air import faults_of as mission_faults
from ..rules.fighting.barrage import artillery
from ..rules.fighting.strength import column, fight
from ..rules.moving import can_move, fuelled, unit_ways
from ..rules.pieces import Plane, T, Unit, maybe_unit, planes, total_re, units, world_of
from ..rules.rebuilding import possible
from ..rules.supply.trace import Tracing
from ..rules.views import hides
from . import afloat, defence, supply

GOOD_COLUMN = 5  # lowest column at which an attack is worth its supply
SPARE_T = 12  # supply (T) that must remain before a formation is fuelled
KEEP_T = 6  # supply (T) kept for the defence
NEAR = 6  # distance to a goal within which tanks stay in Reserve
SURE_COLUMN = 7  # lowest column at which the defence strikes back
STRIKE = 3  # distance within which reserves look for an overrun
UNSEEN = Fraction(3, 2)  # assumed strength of an enemy stack under fog, relative to its top unit
BOMBERS = 2  # bombers per mission; one fighter escorts, one stays at base


def plans(game: Game, decision: Decision[Any]) -> Iterator[Json]:
    """Yield whole answers to begin with: those of an attacker and a defender, its own way first."""
    match decision:
        case Actions():
            own = attacker(game, decision.player) or beaten(game, decision.player)
            yield _act(game, decision, own)
            yield _act(game, decision, not own)
        case Rebuild():
            plan = next(iter(possible(game, decision.player)), None)
            yield [] if plan is None else [to_json(plan)]


def _act(game: Game, decision: Actions, bold: bool) -> Json:
    drafting = Drafting(decision, game)
    side = decision.player
    if decision.segment == "movement":
        _bring(drafting, side)
        afloat.combine(drafting, side)
        if bold:
            afloat.by_sea(drafting, side, goals(drafting.draft.game, side, bold))
            _fuel(drafting, side)
            _hold_back(drafting, side)
            _march(drafting, side, bold)
        else:
            _defend(drafting, side)
            _reserves(drafting, side)
    elif decision.segment == "air_naval":
        _bomb(drafting, side)
        afloat.bombard(drafting, side)
    elif decision.segment in ("reaction", "exploitation"):
        if bold:
            _march(drafting, side, bold)
        else:
            _strike_back(drafting, side, decision.segment)
    elif decision.segment == "artillery":
        _shell(drafting, side)
    elif decision.segment == "combat":
        _assault(drafting, side, bold)
        if bold:
            afloat.from_boats(drafting, side)
    drafting.offer(Part("on_illegal", "skip"))
    return drafting.json() if drafting.complete else to_json(decision.default(game))


def _offer(drafting: Drafting[Any], action: Action) -> bool:
    return not drafting.offer(Part("actions", action))


def stock(game: Any, side: str) -> int:
    """Return all T on the ground of a side."""
    return sum(d.t for d in T.of(game).dumps.values() if d.owner == side)


def attacker(game: Any, side: str) -> bool:
    """Return True if the scenario's victory is counted for this side."""
    return bool(world_of(game).victory["sides"][0] == side)


def beaten(game: Any, side: str) -> bool:
    """Return True if the enemy has most of what scores, so that only an attack helps."""
    control = T.of(game).control
    worth = world_of(game).victory["held_for"]
    own = sum(n for hex, n in worth.items() if control.get(hex) == side)
    return bool(2 * own < sum(worth.values()))


def goals(game: Any, side: str, bold: bool) -> list[str]:
    """Return what this side wants: scoring places not its own; else enemies on its ground."""
    world, t = world_of(game), T.of(game)
    if bold:
        return [hex for hex in world.victory["held_for"] if t.control.get(hex) != side]
    return [u.hex or "" for u in units(game, world.enemy(side)) if t.control.get(u.hex or "") == side]


# movement


def _bring(drafting: Drafting[Any], side: str) -> None:
    """Bring supply forward by rail, then by truck."""
    for train in supply.trains(drafting.draft.game, side):
        if _offer(drafting, Action(rail=train)):
            break
    for haul in list(supply.trucks(drafting.draft.game, side)):
        _offer(drafting, Action(haul=haul))


def _hold_back(drafting: Drafting[Any], side: str) -> None:
    """Put one of an attacker's tanks near a goal that touches no enemy into Reserve for the Exploitation."""
    game = drafting.draft.game
    world, wanted = world_of(game), goals(game, side, True)
    if not wanted:
        return
    tanks = [u for u in units(game, side) if u.there and u.kind == "armor" and not u.done]
    near = [u for u in tanks if world.nearest(u.hex or "", wanted) <= NEAR and u.marker == "none"]
    if len(tanks) > 1:
        for u in sorted(near, key=lambda u: (u.side.strength or 0, u.id)):
            if _offer(drafting, Action(stand=Stand((u.id,), None, "reserve"))):
                return


def _fuel(drafting: Drafting[Any], side: str) -> None:
    game = drafting.draft.game
    for name, members in sorted(world_of(game).formations.items()):
        mine = [u for id in members if (u := maybe_unit(game, id)) is not None and u.owner == side]
        if mine and stock(game, side) >= SPARE_T:
            _offer(drafting, Action(fuel=Fuel(formation=name)))


def _march(drafting: Drafting[Any], side: str, bold: bool) -> None:
    """Move each fighting unit towards its goal, if it stays in trace; holders of scoring places stay."""
    game = drafting.draft.game
    for u in list(units(game, side)):
        if not u.there or u.is_hq or u.kind.startswith("repl") or _stays(game, u, bold):
            continue
        move = best_move(drafting.draft.game, u, bold)
        if move is not None:
            _offer(drafting, Action(move=move))


def _stays(game: Any, u: Unit, bold: bool) -> bool:
    world, t = world_of(game), T.of(game)
    free = t.phase in ("E", "G") and u.marker == "reserve"
    if u.hex not in world.terrains or (not free and can_move(game, u)):
        return True
    if u.hex in world.victory["held_for"] and total_re(units(game, u.owner, u.hex)) <= 3:
        return True
    near = [f for n in world.beside(u.hex) for f in units(game, world.enemy(u.owner), n)]
    return bool(near) and not bold


def best_move(game: Any, u: Unit, bold: bool) -> Move | None:
    """Return the way nearest to a goal, on the fighting side, in trace, not into a crowd."""
    world = world_of(game)
    wanted = goals(game, u.owner, bold)
    here = u.hex or ""
    free = u.marker == "reserve" and T.of(game).phase != "C"
    if not wanted or (u.marker == "reserve" and not free):
        return None
    fuel = None if fuelled(game, u) else "single"
    if fuel and stock(game, u.owner) <= KEEP_T:
        return None
    now = world.nearest(here, wanted)
    moves = []
    for path, cost in unit_ways(game, u, released=free):
        end = path[-1]
        crowd = total_re(units(game, u.owner, end)) + u.re > int(world.numbers["stacking_re"])
        gun = u.kind == "artillery" and world.nearest(end, wanted) < 2
        if not crowd and not gun and world.nearest(end, wanted) < now:
            moves.append((world.nearest(end, wanted), cost, end, path))
    for _, _, end, path in sorted(moves)[:4]:
        if in_trace_at(game, u, end):
            return Move((u.id,), path, fuel=fuel, release=free)  # type: ignore[arg-type]
    return None


def in_trace_at(game: Any, u: Unit, hex: str) -> bool:
    """Return True if the unit would be in trace there."""
    before = u.hex
    u.hex = hex
    traced = Tracing(game, u.owner).traced(u)
    u.hex = before
    return traced


def _reserves(drafting: Drafting[Any], side: str) -> None:
    """Put fast units of the defence that have not moved and touch no enemy into Reserve."""
    game = drafting.draft.game
    for u in list(units(game, side)):
        if u.there and not u.done and u.marker == "none" and u.side.mobility == "track":
            _offer(drafting, Action(stand=Stand((u.id,), "combat", "reserve")))


def _defend(drafting: Drafting[Any], side: str) -> None:
    """Defend scoring places: units at their post fight, others come, worn divisions withdraw."""
    posts = defence.posts(drafting.draft.game, side)
    mine = [u.id for u in units(drafting.draft.game, side) if not u.kind.startswith("repl")]
    for id in sorted(mine, key=lambda id: defence.serves(Unit(drafting.draft.game, id))):
        u = maybe_unit(drafting.draft.game, id)
        if u is None or not u.there or u.done:
            continue
        if defence.serves(u):
            for action in defence.kept_back(drafting.draft.game, u):
                _offer(drafting, action)
            continue
        game, post = drafting.draft.game, posts.get(u.id)
        if post == u.hex:
            waits = u.side.mobility == "track" and not defence.pressed(game, side, post or "")
            stand = None if waits else defence.stands(game, u)
            if stand is not None:
                _offer(drafting, Action(stand=stand))
        else:
            move = defence.gives_ground(game, u) if post is None else defence.to_post(game, u, post)
            if move is not None:
                _offer(drafting, Action(move=move))


def _strike_back(drafting: Drafting[Any], side: str, segment: str) -> None:
    """Let reserves overrun the weakest enemy in reach, or wait."""
    from ..rules.decisions.loop import ReleaseWhen
    from ..rules.reserves import released

    game = drafting.draft.game
    waiting = [u for u in units(game, side) if u.marker == "reserve"]
    for hex in sorted({u.hex or "" for u in waiting}):
        ids = tuple(u.id for u in waiting if u.hex == hex)
        order = ReleaseWhen(ids, within=STRIKE, then="overrun")
        for action in released(drafting.draft.game, side, segment, [order]):
            struck = [step.overrun.hex for step in action.move.steps if step.overrun] if action.move else []
            if struck and _beaten(game, ids, struck[0]):
                _offer(drafting, action)


def _beaten(game: Any, ids: tuple[str, ...], hex: str) -> bool:
    """Return True if a counter-stroke has good odds, and its ratings are not much worse."""
    own = [Unit(game, id) for id in ids]
    foes = units(game, world_of(game).enemy(own[0].owner), hex)
    best = max(u.ar for u in own) - max((u.ar for u in foes), default=0)
    return _likely(game, hex, own, foes) >= SURE_COLUMN and best >= -1


# fire and combat


def _bomb(drafting: Drafting[Any], side: str) -> None:
    """Send escorted bombers to the densest hex beside own units."""
    game = drafting.draft.game
    world, enemy = world_of(game), world_of(game).enemy(side)
    able = [p for p in planes(game, side) if p.active and not p.flew]
    fighters = [p for p in able if p.is_type("F")]
    bombers = sorted((p for p in able if p not in fighters and p.wing.barrage), key=_heaviest)[:BOMBERS]
    hexes = sorted({u.hex or "" for u in units(game, enemy) if u.hex in world.terrains})
    beside = [hex for hex in hexes if any(units(game, side, n) for n in world.beside(hex))]
    escort = fighters[: max(0, len(fighters) - 1)][:1]
    for hex in sorted(beside, key=lambda hex: (-total_re(units(game, enemy, hex)), hex)):
        team = tuple(p.id for p in (*bombers, *escort))
        order = Mission("barrage", team, hex)
        if bombers and not mission_faults(game, side, "air_naval", order):
            _offer(drafting, Action(air=order))
            return


def _heaviest(p: Plane) -> tuple[int, str]:
    return -p.wing.barrage, p.id


def _shell(drafting: Drafting[Any], side: str) -> None:
    """Fire every gun at the densest hex in range beside an own unit."""
    game = drafting.draft.game
    world = world_of(game)
    for gun in artillery(game, side, "artillery"):
        hexes = {f.hex or "" for f in units(game, world.enemy(side))}
        near = sorted(
            (-total_re(units(game, world.enemy(side), hex)), hex)
            for hex in hexes
            if hex in world.terrains
            and world.distance(gun.hex or "", hex) <= gun.print.range
            and any(units(game, side, n) for n in world.beside(hex))
        )
        if near and stock(game, side) > KEEP_T:
            _offer(drafting, Action(fire=Fire((gun.id,), near[0][1])))


def _assault(drafting: Drafting[Any], side: str, bold: bool) -> None:
    """Attack where the column is good enough and the supply allows, the best first."""
    game = drafting.draft.game
    world, enemy = world_of(game), world_of(game).enemy(side)
    assaults = []
    for hex in sorted({u.hex or "" for u in units(game, enemy)}):
        near = [u for n in world.beside(hex) for u in units(game, side, n)] if hex in world.terrains else []
        able = [u for u in near if u.attack_capable and not u.attacked and Fraction(u.side.strength or 0) > 0]
        if able:
            likely = _likely(game, hex, able, units(game, enemy, hex))
            assaults.append((-likely, hex, tuple(u.id for u in able)))
    dear = world.victory["held_for"]
    used: set[str] = set()
    for likely, hex, ids in sorted(assaults):
        need = sum(Unit(game, id).steps for id in ids)
        worth = GOOD_COLUMN - 1 if bold else GOOD_COLUMN if hex in dear else SURE_COLUMN
        if -likely >= worth and stock(game, side) - need >= KEEP_T and used.isdisjoint(ids):
            used.update(ids)
            best = max(ids, key=lambda id: (Unit(game, id).ar, id))
            going = _as_many_as_fit(game, ids) if bold or hex in dear else ()
            _offer(drafting, Action(attack=Attack(hex, ids, ar=best, drop_if_short=ids, advance=going)))


def _likely(game: Any, hex: str, attackers: list[Unit], foes: list[Unit]) -> int:
    """Return the column before surprise; with fog more enemies are assumed than seen."""
    s = fight(game, hex, attackers, foes, {})
    unseen = UNSEEN if hides(game) and s.d else Fraction(1)
    return column(world_of(game), s.row, s.a, s.d * unseen)[0]


def _as_many_as_fit(game: Any, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return who advances: the strongest first, no more than may stack in a hex."""
    room, going = Fraction(world_of(game).numbers["stacking_re"]), []
    for u in sorted((Unit(game, id) for id in ids), key=lambda u: (-(u.side.strength or 0), u.id)):
        if u.re <= room:
            room -= u.re
            going.append(u.id)
    return tuple(going)
