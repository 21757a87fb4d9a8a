"""4.9: Attacks and overruns that random games of ocs offer, fought by the real segments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.game import Game
from pbem.engine.play import Played
from pbem.model.forecasts import End
from pbem.systems.ocs.rules.phases import enter_phase
from pbem.systems.ocs.rules.pieces import Dump, T, Unit, maybe_unit, units, world_of
from pbem.systems.ocs.rules.views import top_unit
from pbem.systems.ocs.rules.walk import overrun_faults
from pbem.systems.ocs.rules.works import attack_faults
from pbem.testing.fights import Staged


def fights(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield hexes with enemy units, each with the units beside it that may attack, and with the first."""
    board, world = game.copy(), world_of(game)
    for side in world.seats:
        enter_phase(board, "F", side)
        for hex in sorted({u.hex or "" for u in units(board, world.enemy(side))} & {*world.terrains}):
            able = tuple(u.id for u in units(board, side) if not attack_faults(board, side, [u], hex))
            if able:
                yield hex, able
            if len(able) > 1:
                yield hex, able[:1]


def supplied(game: Game, ids: tuple[str, ...]) -> Game:
    """The game with enough supply beside the attackers: what a forecast takes for granted otherwise."""
    copy = game.copy()
    for id in ids:
        u = Unit(copy, id)
        T.of(copy).dumps[u.hex or ""] = Dump(u.owner, 200)
    return copy


def tops_alone(game: Game, hex: str, ids: tuple[str, ...]) -> Game:
    """The game in which each stack of the defender is the unit on top, whole, and the hex has supply."""
    copy = game.copy()
    enemy = world_of(copy).enemy(Unit(copy, ids[0]).owner)
    for place in sorted({u.hex or "" for u in units(copy, enemy)} & {*world_of(copy).terrains}):
        best = top_unit(units(copy, enemy, place))
        for u in units(copy, enemy, place):
            if best is None or u.id != best.id:
                u.remove()
            else:
                u.lost, u.internal = 0, "full"
    T.of(copy).dumps[hex] = Dump(enemy, 200)
    return copy


def staged(game: Game, hex: str, ids: tuple[str, ...]) -> Staged:
    """The attack as the first action of a combat segment; who may advance does."""
    copy = game.copy()
    side, t = Unit(copy, ids[0]).owner, T.of(copy)
    t.phase, t.acting, t.sealed_orders = "E", world_of(copy).enemy(side), {}
    t.attacked = ()
    attack = {"hex": hex, "units": list(ids), "advance": "all"}
    return Staged(copy, "T.2.F.2", side, {side: {"actions/combat": {"actions": [{"attack": attack}]}}})


def barrages(game: Game) -> Iterator[tuple[Game, str, str]]:
    """Yield barrages: the fed board, a hex with enemy units, and a gun that reaches it."""
    world = world_of(game)
    for side in world.seats:
        for gun in [u for u in units(game, side) if u.side.barrage and u.marker not in ("strat", "reserve")]:
            for hex in sorted({u.hex or "" for u in units(game, world.enemy(side))} & {*world.terrains}):
                if gun.hex in world.terrains and 1 <= world.distance(gun.hex or "", hex) <= gun.print.range:
                    yield supplied(game, (gun.id,)), hex, gun.id


def fire(game: Game, hex: str, gun: str) -> Staged:
    """The barrage as the only action of the artillery segment."""
    copy = game.copy()
    side, t = Unit(copy, gun).owner, T.of(copy)
    t.phase, t.acting, t.sealed_orders, t.barraged = "E", world_of(copy).enemy(side), {}, ()
    orders = {"actions/artillery": {"actions": [{"fire": {"hex": hex, "units": [gun]}}]}}
    return Staged(copy, "T.2.F.1", side, {side: orders})


def overruns(game: Game) -> Iterator[tuple[Game, str, tuple[str, ...]]]:
    """Yield overruns: the board in the Movement Phase of a side, fed and fuelled, a hex, and the stack."""
    world = world_of(game)
    for side in world.seats:
        board = game.copy()
        enter_phase(board, "C", side)
        T.of(board).sealed_orders = {}
        for u in units(board, side):
            u.fuel_single = True
        for here in sorted({u.hex or "" for u in units(board, side)} & {*world.terrains}):
            stack = units(board, side, here)
            fed = supplied(board, tuple(u.id for u in stack))
            for hex in sorted(world.beside(here)):
                able = [u for u in stack if units(board, world.enemy(side), hex)]
                able = [u for u in able if not overrun_faults(board, side, [u], hex)]
                if able and not overrun_faults(board, side, able, hex):
                    yield fed, hex, tuple(u.id for u in able)


def overrun(game: Game, hex: str, ids: tuple[str, ...]) -> Staged:
    """The overrun as the whole move of a stack, the first action of a movement segment."""
    side = Unit(game, ids[0]).owner
    move = {"units": list(ids), "steps": [{"overrun": {"hex": hex}}]}
    return Staged(game.copy(), "T.2.C.2.m", side, {side: {"actions/movement": {"actions": [{"move": move}]}}})


def judge(hex: str, ids: tuple[str, ...]) -> Any:
    """Who is in the hex, and how many steps each side has on the map."""

    def judged(before: Game, after: Game, played: Played) -> tuple[End, tuple[int, int]] | None:
        if not any(event_told.event["event"] == "combat-declared" for event_told in played.told):
            return None
        side = Unit(before, ids[0]).owner
        enemy = world_of(before).enemy(side)
        lost = _steps(before, side) - _steps(after, side), _steps(before, enemy) - _steps(after, enemy)
        left = [u for id in ids if (u := maybe_unit(after, id)) is not None]
        if not units(after, enemy, hex):
            return ("taken" if any(u.hex == hex for u in left) else "cleared"), lost
        starts = {Unit(before, id).hex for id in ids}
        moved = any(u.hex not in starts for u in left)
        return ("eliminated" if not left else "repelled" if moved else "held"), lost

    return judged


def _steps(game: Game, side: str) -> int:
    return sum(u.steps for u in units(game, side))
