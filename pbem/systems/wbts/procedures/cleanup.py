"""Node B.2.d: supply and depots destroyed, militia deployed (4.9)."""

from __future__ import annotations

from typing import cast

from pbem.rules import Game, ask, from_json, procedure, to_json

from ..cleaning import Cleanup, break_faults, break_up, burn, burn_faults, deploy, deploy_faults, ready
from ..decisions.cleanup import CleanupSegment
from ..events.cleanup import DepotDestroyed, MilitiaDeployed, SupplyDestroyed
from ..handling import merge
from ..pieces import unit
from ..telling import skipped
from .battle_secrets import lodge_secrets


def plan_of(game: Game, phasing: str) -> Cleanup:
    """What was ordered for this segment."""
    return cast(Cleanup, from_json(Cleanup, game.tracks["plan"].get(phasing, {})))


@procedure("destroy_supply", rule="4.9.1")
async def destroy_supply(game: Game, phasing: str) -> None:
    """4.9.1 Any number of points in own stocks. The answer is for the whole segment."""
    merge(game, phasing, over=("moved", "attacked"))
    await lodge_secrets(game, phasing)
    order = await ask(CleanupSegment(phasing))
    game.tracks["plan"][phasing] = to_json(order)
    for one in order.burn:
        faults = burn_faults(game, phasing, one)
        skipped(game, phasing, f"supply of {one.unit}", faults)
        if not faults:
            left = burn(game, one)
            game.emit(SupplyDestroyed(phasing, one.unit, unit(game, one.unit).hex, one.points, left))


@procedure("destroy_depots", rule="4.9.2")
async def destroy_depots(game: Game, phasing: str) -> None:
    """4.9.2 A depot goes with its supply; its constituents or garrison points take its place."""
    for one in plan_of(game, phasing).depots:
        faults = break_faults(game, phasing, one)
        skipped(game, phasing, f"depot {one.depot}", faults)
        if not faults:
            hex = unit(game, one.depot).hex
            lost, back = break_up(game, phasing, one)
            game.emit(DepotDestroyed(phasing, one.depot, hex, lost, back))


@procedure("deploy_militia", rule="4.9.3")
async def deploy_militia(game: Game, phasing: str) -> None:
    """4.9.3 At most one point per state, and eight of a state on the map (R-27)."""
    for one in plan_of(game, phasing).militia:
        faults = deploy_faults(game, phasing, one)
        skipped(game, phasing, f"militia of {one.state}", faults)
        if not faults:
            id = deploy(game, phasing, one)
            left = ready(game, phasing)[one.state]
            game.emit(MilitiaDeployed(phasing, one.state, one.hex, id, unit(game, id).sp, left))
    game.tracks["plan"].pop(phasing, None)
    game.tracks["militia_placed"] = {}
