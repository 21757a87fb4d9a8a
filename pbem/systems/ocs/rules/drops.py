"""4.2.2, 7.2: Sealed plans of air drops, accepted at every question of the side, opened at the drop."""

from __future__ import annotations

from pbem.rules import Game, Sealed, lodge, opened

from .actions import Mission
from .decisions.turn import SealedDrop, filing_turn
from .events.turn import DropOpened, DropSealed
from .pieces import Filed, Plan, T, maybe_unit, units
from .views import hides


def plan_of(game: Game, unit: str) -> Plan | None:
    """Return the planned drop of a unit if the viewer knows it; players know their own sealed plans."""
    t = T.of(game)
    if unit in t.plans:
        return t.plans[unit]
    sealed = game.laid_down(f"{SealedDrop.kind}/{unit}") if unit in t.sealed_plans else None
    if not isinstance(sealed, dict):
        return None
    plan = Plan(str(sealed["hex"]), int(str(sealed["turn"])))
    return plan if plan.turn >= t.sealed_plans[unit].turn + 2 else None


async def lodge_plans(game: Game, side: str) -> None:
    """Accept sealed plans, in games without fog, where all players can read answers.

    A later plan replaces an earlier one. A plan sent after the Refit Phase counts as filed in the next turn.
    """
    t = T.of(game)
    for id in [id for id in t.sealed_plans if maybe_unit(game, id) is None]:
        del t.sealed_plans[id]
    for u in units(game, side):
        if hides(game) or "para" not in u.print.flags or u.id in t.plans:
            continue
        sealed = await lodge(SealedDrop(side, u.id))
        if sealed is not None:
            t.sealed_plans[u.id] = Filed(sealed.key, filing_turn(game, side))
            game.emit(DropSealed(side, u.id))


async def open_plans(game: Game, side: str, m: Mission) -> bool:
    """Open the sealed plans of the units that drop; return True if there were any.

    A plan filed too late has no effect.
    """
    t, opened_ = T.of(game), False
    for id in list(m.units):
        if m.kind == "drop" and id in t.sealed_plans and id not in t.plans:
            opened_, filed = True, t.sealed_plans[id]
            plan = await opened(Sealed(filed.key, SealedDrop(side, id)))
            del t.sealed_plans[id]
            game.emit(DropOpened(side, id, plan.hex, plan.turn, max(filed.turn, 0)))
            if plan.turn >= filed.turn + 2:
                t.plans[id] = plan
    return opened_
