"""4.9.8: Lost steps and units, reported to both sides, and the order of losses."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Game, Message

from ..decisions.fight import LossChoice
from ..events.fighting import AnswerReplaced, StepLost, UnitEliminated
from ..pieces import Unit, units, world_of
from ..sealing import ask
from ..views import secret
from .losses import bury, lose_step


def strike(game: Game, u: Unit, why: str) -> bool:
    """Remove one step of a unit and report it; return True if that was the last."""
    hex, owner = u.hex or "", u.owner
    gone = lose_step(u)
    if gone:
        game.emit(UnitEliminated(owner, u.id, hex, 1, why))
    else:
        game.emit(StepLost(owner, u.id, hex, secret(game, u.steps, None), 1, why))
    return gone


def strike_all(game: Game, u: Unit, why: str) -> None:
    """Eliminate a whole unit and report it."""
    owner, id, hex, steps = u.owner, u.id, u.hex or "", u.steps
    bury(u)
    game.emit(UnitEliminated(owner, id, hex, steps, why))


async def loss_order(game: Game, side: str, hex: str, pool: Sequence[Unit], n: int) -> tuple[str, ...]:
    """D-LOSS: Ask a side for the order in which its units lose steps."""
    if not pool or n <= 0:
        return ()
    wanted = (await ask(game, LossChoice(side, hex))).order
    kinds = {u.kind for u in pool} | set(world_of(game).numbers["loss_kinds"])
    known = {u.id for u in units(game, side)} | kinds
    for name in wanted:
        if name not in known:
            game.emit(
                AnswerReplaced(
                    side, "E-LOSS", Message("ocs.casualties.has-no-part-in-losses", name=name, hex=hex)
                )
            )
    return wanted
