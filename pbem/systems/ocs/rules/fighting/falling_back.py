"""4.9.9: Retreats: units of a hex retreat together or by mobility; those that cannot are lost."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Game, Message

from ..breakdowns import fault_of, split
from ..capture import enter_hex
from ..decisions.fight import Course, RetreatCourse
from ..events.fighting import AnswerReplaced, BecameDisorganized, Retreated
from ..pieces import Unit, points, units
from ..sealing import ask
from ..views import shown
from ..zones import Ground
from .casualties import loss_order, strike, strike_all
from .losses import Retreat, Way, loss_key, make_dg


async def fall_back(
    game: Game, group: list[Unit], n: int, barred: Sequence[str], planned: Course | None = None
) -> None:
    """Retreat a group `n` hexes, together or by mobility; eliminate units that cannot.

    `planned`: the course from the stance for the hex.
    """
    side, hex = group[0].owner, group[0].hex or ""
    for u in group:
        if u.is_hq or u.side.ma == 0:
            u.facing = "move"
        if u.side.ma == 0:
            strike_all(game, u, Message("ocs.falling-back.cannot-retreat"))
    group = [u for u in group if u.there]
    if not group:
        return
    course = planned if planned not in (None, Course()) else await ask(game, RetreatCourse(side, hex, n))
    assert course is not None
    for id in course.detach:
        parent = next((u for u in group if u.id == id), None)
        if parent is None or fault_of(game, side, id) is not None:
            game.emit(AnswerReplaced(side, "E-BRKD", Message("ocs.falling-back.leaves-no-step", id=id)))
        else:
            group.append(split(game, parent))
    together = Retreat(game, group, n, frozenset(barred))
    parts: list[tuple[list[Unit], Way | None]] = []
    for party in course.parties:
        apart = [u for u in group if u.id in party.units]
        if apart:
            group = [u for u in group if u not in apart]
            parts.append((apart, _walked(game, apart, n, barred, party.path)))
    paths = Retreat(game, group, n, frozenset(barred)) if group else together
    for part, best in paths.groups() if group else ():
        parts.append((part, _wished(game, paths, part, course) or best))
    for part, way in parts:
        if way is None:
            for u in part:
                strike_all(game, u, Message("ocs.falling-back.no-way-to-retreat"))
        else:
            await _walk_back(game, part, way)


def _wished(game: Game, paths: Retreat, part: list[Unit], course: Course) -> Way | None:
    """4.0.12: Return the path that the owner wants if it is legal; else report it and return None."""
    if course.path:
        if paths.is_legal(course.path, part):
            return paths.judged(tuple(course.path), part)
        game.emit(
            AnswerReplaced(
                paths.side, "E-RETREAT", Message("ocs.falling-back.no-retreat", path=tuple(course.path))
            )
        )
    if not (course.towards or course.avoid):
        return None
    legal = list(paths.paths(part))
    kept = [way for way in legal if not set(way) & set(course.avoid)] or legal
    if not kept:
        return None

    def merit(way: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
        return paths.judged(way, part).lost, paths.world.nearest(way[-1], course.towards, 0), way

    return paths.judged(min(kept, key=merit), part)


def _walked(game: Game, part: list[Unit], n: int, barred: Sequence[str], path: Sequence[str]) -> Way | None:
    """Return the path of units that retreat apart: the one given, or the default."""
    paths = Retreat(game, part, n, frozenset(barred))
    return _wished(game, paths, part, Course(path=tuple(path))) or paths.default()


async def _walk_back(game: Game, part: list[Unit], way: Way) -> None:
    """4.9.9: Retreat along a path, with captures.

    In enemy zones Strat units are eliminated, DG units lose a step, and others become DG, as in the second
    hex.
    """
    side, origin = part[0].owner, part[0].hex or ""
    zone = Ground(game, side).zoc
    entered: list[str] = []
    for n, hex in enumerate(list(way.path), 1):
        part = [u for u in part if u.there]
        if not part:
            break
        before = [u.id for u in part if u.marker == "dg"]
        for u in part:
            u.start = u.start or u.hex
            u.hex = hex
        entered.append(hex)
        await enter_hex(game, side, hex)
        if hex in zone:
            for u in [u for u in part if u.marker == "strat"]:
                strike_all(game, u, "retreat")
            able = [u for u in part if u.id in before]
            if able:
                wanted = await loss_order(game, side, hex, able, 1)
                strike(game, min(able, key=lambda u: loss_key(u, wanted)), "retreat")
        if hex in zone or n == 2:
            fresh = make_dg(game, side, hex)
            if fresh:
                game.emit(BecameDisorganized(side, shown(game, fresh), hex))
    left = [u for u in part if u.there]
    for p in points(game, side, origin):
        if p.organic_of is not None and left and not units(game, side, origin):
            p.hex = left[0].hex
    if entered:
        game.emit(Retreated(side, shown(game, (u.id for u in left)), origin, tuple(entered)))
