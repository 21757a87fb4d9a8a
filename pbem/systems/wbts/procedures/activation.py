"""Node B.2.b: every leader rolls for the combat phase (4.7)."""

from __future__ import annotations

from pbem.rules import Game, procedure, roll

from ..chain import chain
from ..command import able, modified
from ..events.activation import Activation, LeadersActivated
from ..naming import label
from ..pieces import mark, world_of


@procedure("leader_activation", rule="4.7")
async def leader_activation(game: Game, phasing: str) -> None:
    """4.7 Land leaders on the map in order of id; active with a die up to the modified initiative."""
    reached = chain(game, phasing)
    table: list[Activation] = []
    for who in able(game, phasing):
        initiative = modified(game, who.id, reached).initiative
        die = await roll(
            world_of(game).tables.dice["activation"], *label(game, phasing, "2.b", "activation", who.id)
        )
        active = die.total <= initiative
        mark(game, who.id, active=active)
        table.append(Activation(who.id, initiative, die, active))
    game.emit(LeadersActivated(phasing, tuple(one.leader for one in table if one.active), tuple(table)))
