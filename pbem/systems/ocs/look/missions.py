"""4.11: Forecast of an air mission to its end: air combat, interception, flak, and the bombs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.kit.odds import sums_of
from pbem.rules import Forecast, Game, dataclass

from ..rules.actions import Mission
from ..rules.bases import lose_plane_step
from ..rules.fighting.air import air_shot, flak_sum
from ..rules.pieces import Plane, maybe_plane, planes, world_of
from .barrages import Aim, Effect, Flown, aims, effect, forecast
from .dogfights import Flier, Group, courses_of, there_and_coming


@dataclass(frozen=True)
class Way:
    """Aircraft on their way: how likely it is, the board, who flies on, and the steps lost so far."""

    chance: Fraction
    board: Game
    team: tuple[str, ...]
    lost: int = 0


def bombed(
    game: Game, hex: str, ids: Collection[str], target: str | None = None, ship: str | None = None
) -> Iterator[Forecast]:
    """4.11.1, 4.11.6: Yield what a mission of these aircraft brings to each target in a hex, or to one.

    Nobody intercepts; the sentence says what the best fighter that may would change.
    """
    named = list(dict.fromkeys(ids))
    team = [p for id in named if (p := maybe_plane(game, id)) is not None and _reaches(p, hex)]
    if not team or len(team) != len(named) or not any(p.wing.barrage for p in team):
        return
    enemy, shot = world_of(game).enemy(team[0].owner), air_shot(game, team[0].owner, hex, team)
    there, best = there_and_coming(game, enemy, hex)
    for aim in aims(game, enemy, hex, target, ship):
        mission = Mission("trainbusting", tuple(named), hex)
        if aim.what != "trainbusting":
            mission = Mission("barrage", tuple(named), hex, aim.what, aim.ship or None)
        free, lost = arrived(game, mission, aim)
        less = arrived(game, mission, aim, best.id)[0].some if best is not None else Fraction(0)
        way = Flown(lost, there[0].id if there else "", best.id if best is not None else "", less)
        yield forecast(game, shot, aim, free, way)


def arrived(game: Game, mission: Mission, aim: Aim, fighter: str = "") -> tuple[Effect, Fraction]:
    """4.11.1: Return what a mission does to its target, and the steps of aircraft that it costs.

    First the enemy's active aircraft in the hex are met, then a `fighter` that intercepts, then flak.
    """
    side = Plane(game, mission.aircraft[0]).owner
    there, _ = there_and_coming(game, world_of(game).enemy(side), mission.hex)
    ways = [Way(Fraction(1), game, mission.aircraft)]
    for ids, attacked in (([p.id for p in there], False), ([fighter] if fighter else [], True)):
        ways = [after for way in ways for after in _met(way, ids, attacked)]
    return _at_the_target(ways, side, mission, aim)


def _reaches(p: Plane, hex: str) -> bool:
    return p.hex is not None and world_of(p.board).distance(p.hex, hex) <= p.print.range


def _met(way: Way, ids: list[str], attacked: bool) -> Iterator[Way]:
    """4.11.2, 4.11.3: Yield how aircraft fly on after air combat; `attacked`: these attack them."""
    ours = tuple(Flier.of(Plane(way.board, id)) for id in way.team)
    theirs = tuple(Flier.of(Plane(way.board, id)) for id in ids)
    if not ours or not theirs:
        yield way
        return
    first, second = (theirs, ours) if attacked else (ours, theirs)
    courses: dict[tuple[Group, Group, int], Fraction] = {}
    for (a, d, lost_a, lost_d), chance in courses_of(way.board, first, second).items():
        end = (d, a, lost_d) if attacked else (a, d, lost_a)
        courses[end] = courses.get(end, Fraction(0)) + chance
    for (mine, others, lost), chance in courses.items():
        board, flying = way.board.copy(), {flier.id for flier in others}
        for p in [p for p in planes(board) if p.id in ids and p.id not in flying]:
            p.active = False
        team = tuple(flier.id for flier in mine)
        yield Way(way.chance * chance, board, team, way.lost + lost)


def _at_the_target(ways: list[Way], side: str, mission: Mission, aim: Aim) -> tuple[Effect, Fraction]:
    """4.11.4, 4.11.6: Return what bombs do behind the flak, and the steps that all of it costs."""
    any_chance, costs, mean, lost = Fraction(0), Fraction(0), Fraction(0), Fraction(0)
    codes: dict[str, Fraction] = {}
    for way in [behind for flown in ways for behind in _shot_at(flown, side, mission)]:
        team = [Plane(way.board, id) for id in way.team]
        brings = effect(way.board, air_shot(way.board, side, aim.hex, team), aim) if team else Effect()
        any_chance, costs, mean = (
            old + way.chance * new
            for old, new in zip(
                (any_chance, costs, mean), (brings.some, brings.costs, brings.mean), strict=True
            )
        )
        lost += way.chance * way.lost
        for code, chance in brings.codes.items():
            codes[code] = codes.get(code, Fraction(0)) + way.chance * chance
        if aim.what == "units" and not brings.codes:
            codes["-"] = codes.get("-", Fraction(0)) + way.chance
    return Effect(any_chance, costs, mean, codes), lost


def _shot_at(way: Way, side: str, mission: Mission) -> Iterator[Way]:
    """4.11.4: Yield how aircraft come through the flak: one of them loses a step, or none."""
    team = [Plane(way.board, id) for id in way.team]
    added = flak_sum(way.board, side, mission, team) if team else None
    if added is None:
        yield way
        return
    chart: Mapping[str, Any] = world_of(way.board).tables["air"]
    least = int(chart["flak"]["loss_at_least"])
    struck = sum((chance for thrown, chance in sums_of("2d6") if thrown + added >= least), Fraction(0))
    if struck < 1:
        yield replace(way, chance=way.chance * (1 - struck))
    if not struck:
        return
    hits: dict[str, Fraction] = {}
    for row in chart["mission_loss"][str(len(team))]:
        id = _extreme(team, row) if isinstance(row, str) else team[row - 1].id
        hits[id] = hits.get(id, Fraction(0)) + Fraction(1, 6)
    for id, chance in hits.items():
        board = way.board.copy()
        gone = lose_plane_step(Plane(board, id))
        left = tuple(id_ for id_ in way.team if id_ != id or not gone)
        yield Way(way.chance * struck * chance, board, left, way.lost + 1)


def _extreme(team: list[Plane], which: str) -> str:
    """T-MISSION-LOSS: Return the weakest or the strongest, of equals the lowest id."""
    sign = 1 if which == "weakest" else -1
    return min(team, key=lambda p: (sign * p.wing.barrage, p.id)).id
