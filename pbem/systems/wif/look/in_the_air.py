"""4.6.4: Forecast of air-to-air combat over a hex, to its end, and of the fire from below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from pbem.kit.fights import average, share
from pbem.kit.odds import sums_of
from pbem.rules import Forecast, Game, Message

from ..rules.flying import fighter_fault, fighters_of, flak, result_of, strength
from ..rules.missions import AirCombat, Sky
from ..rules.pieces import Unit, maybe_unit, players_of, side, side_units
from ..rules.world import world_of
from .absent import known

FACES = 10
Aircraft = tuple[str, ...]
Line = tuple[Aircraft, Aircraft, Aircraft]
"""Fighters and bombers of those who fly the mission, and fighters that meet them."""
Brings = tuple[Fraction, Fraction, Fraction]
"""Averages: bombers that get through, and aircraft that each side loses."""


def met_in_the_air(game: Game, hex: str, planes: Sequence[Unit]) -> Forecast | None:
    """4.6.4: Return what the best enemy fighter that reaches the hex does to these; None without one."""
    own, kinds = side(game, planes[0]), world_of(game).units["fighters"]
    able = [
        u
        for player in players_of(game, world_of(game).enemy(own))
        for u in fighters_of(game, player)
        if fighter_fault(game, u, hex) is None
    ]
    if not able:
        return None
    best = min(able, key=lambda u: (-u.print.ata, u.id))
    escorts = [u for u in planes if u.type in kinds]
    bombers = [u.id for u in planes if u not in escorts]
    if not bombers:
        escorts, bombers = [], [u.id for u in planes]
    escorts.sort(key=lambda u: (-u.print.ata, u.id))
    return _forecast(game, hex, (tuple(u.id for u in escorts), tuple(bombers), (best.id,)), met=False)


def fired_at(game: Game, hex: str, planes: Sequence[Unit]) -> Forecast | None:
    """p.1.6: Return what enemy anti-aircraft units do to those that get through; None without any."""
    world, own = world_of(game), side(game, planes[0])
    factors = flak(game, hex, own) if world.options.get("aa_units", True) else 0
    if not factors:
        return None
    rows = world.combat["anti_aircraft"]["results"]
    results = [str(result_of(rows, die + factors)) for die in range(1, FACES + 1)]
    shot = results.count("destroyed")
    turned = FACES - shot - results.count("NE")
    sentence = Message(
        "wif.forecast.flak",
        factors=factors,
        turned=share(Fraction(turned, FACES)),
        shot=share(Fraction(shot, FACES)),
    )
    enemy = next(u.owner for u in side_units(game, world.enemy(own)) if u.type == "AA" and not u.down)
    return Forecast(hex, ((planes[0].owner, str(len(planes))), (enemy, str(factors))), sentence)


def fought_in_the_air(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """4.6.4: Return what could come of air combat, by the line-up of its first round."""
    line_up = {own: tuple(map(str, ids)) for own, ids in event["fighters"].items()}
    bombers, copy = tuple(map(str, event["bombers"])), game.copy()
    for id in (*bombers, *(id for ids in line_up.values() for id in ids)):
        if maybe_unit(copy, id) is None:
            gone = known(copy).get(id)
            if gone is None:
                return None
            Unit.add(copy, id, hex=None, **gone)
    own = side(copy, Unit(copy, bombers[0]))
    enemies = line_up[world_of(game).enemy(own)]
    return _forecast(copy, str(event["hex"]), (line_up[own], bombers, enemies), met=True)


def _forecast(game: Game, hex: str, line: Line, *, met: bool) -> Forecast:
    fighters, bombers, enemies = line
    own = side(game, Unit(game, bombers[0]))
    through, mine, theirs = brought(game, hex, own, line, {})
    sentence = Message(
        "wif.forecast.air",
        met=met,
        enemies=enemies,
        count=len(bombers),
        alone=share(through) if len(bombers) == 1 else "",
        through=average(through),
        a=average(mine),
        d=average(theirs),
    )
    sides = tuple(
        (Unit(game, (fly or shot)[0]).owner, str(strength(game, fly, shot)))
        for fly, shot in ((fighters, bombers), (enemies, ()))
    )
    return Forecast(hex, sides, sentence)


def brought(game: Game, hex: str, own: str, line: Line, seen: dict[Line, Brings]) -> Brings:
    """4.6.4: Return the results of a line-up, round by round, if nobody breaks off.

    `seen` are line-ups that were fought. A round that changes nothing is fought again.
    """
    if not line[1] or not line[2]:
        return Fraction(0), Fraction(0), Fraction(0)
    if line not in seen:
        again, total = Fraction(0), [Fraction(0)] * 3
        for chance, after, gain in _round(game, hex, own, line):
            if after == line:
                again += chance
                continue
            later = brought(game, hex, own, after, seen)
            total = [
                so_far + chance * (now + then) for so_far, now, then in zip(total, gain, later, strict=True)
            ]
        often = Fraction(1) / (1 - again)
        one, two, three = (part * often for part in total)
        seen[line] = one, two, three
    return seen[line]


def _round(game: Game, hex: str, own: str, line: Line) -> list[tuple[Fraction, Line, tuple[int, int, int]]]:
    """p.1.5 (3) to (5): Return each pair of results of a round: its chance, who is left, and the losses."""
    enemy, rows = world_of(game).enemy(own), world_of(game).combat["air_to_air"]["results"]
    ends = []
    first = _combat(game, hex, own, line)
    chances: dict[str, dict[str, Fraction]] = {}
    for flying_side in (enemy, own):
        chances[flying_side] = {}
        for total, chance in sums_of("2d10"):
            result = str(result_of(rows, total + first.difference_for(flying_side)))
            chances[flying_side][result] = chances[flying_side].get(result, Fraction(0)) + chance
    for theirs, mine in product(chances[enemy], chances[own]):
        combat, results = _combat(game, hex, own, line), {enemy: theirs, own: mine}
        aborted, destroyed = combat.hits(results)
        for groups in (combat.fighters, combat.bombers):
            for who, ids in groups.items():
                groups[who] = [id for id in ids if id not in (*aborted, *destroyed)]
        through = combat.cleared(results)
        after = tuple(combat.fighters[own]), tuple(combat.bombers[own]), tuple(combat.fighters[enemy])
        lost = sum(1 for id in destroyed if id not in line[2])
        gain = len(through), lost, len(destroyed) - lost
        ends.append((chances[enemy][theirs] * chances[own][mine], after, gain))
    return ends


def _combat(game: Game, hex: str, own: str, line: Line) -> AirCombat:
    combat = AirCombat(game, Sky("", own), hex, [*line[2]])
    combat.fighters[own], combat.bombers[own] = [*line[0]], [*line[1]]
    return combat
