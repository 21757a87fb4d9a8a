"""4.8: One battle from its selection to the advance."""

from __future__ import annotations

from pbem.rules import Game, procedure, steps

from .advance import advance
from .defence import cavalry_may_go, command_defence, retreat_before_combat, reveal_defenders
from .fight import combat_die, combat_supply, commit_leaders, intensity
from .losses import apply_losses
from .record import Battle
from .retreats import may_withdraw, required_retreats, retreat_is_required, withdraw
from .selection import reveal_attackers, select


@procedure("battle", rule="4.8")
async def fight_battle(game: Game, phasing: str) -> None:
    """4.8: Select a battle (or pass the segment), fight it step by step, and clear it.

    On land the chits choose the table. Table 0 is contact, without leaders, die and losses. Ships
    fight a fort on table 1 (4.8.15). There is no fight for a target that was emptied in c.3 or
    overrun in c.5.
    """
    battle = Battle.of(game)

    def begun() -> bool:
        return Battle.begun(game)

    def goes_on() -> bool:
        return begun() and not battle.over

    def on_land() -> bool:
        return goes_on() and not battle.naval

    def dice_decide() -> bool:
        return goes_on() and battle.table > 0

    def defender_may() -> bool:
        return begun() and may_withdraw(battle, battle.defender)

    def attacker_may() -> bool:
        return begun() and may_withdraw(battle, battle.attacker)

    await steps(
        game,
        [
            ("1", lambda: select(game, phasing)),
            ("2", lambda: reveal_attackers(game, battle), begun),
            ("3", lambda: retreat_before_combat(game, battle), lambda: begun() and cavalry_may_go(battle)),
            ("4", lambda: command_defence(game, battle), on_land),
            ("5", lambda: reveal_defenders(game, battle), goes_on),
            ("6", lambda: intensity(game, battle), on_land),
            ("7", lambda: combat_supply(game, battle, phasing), goes_on),
            ("8", lambda: commit_leaders(game, battle), dice_decide),
            ("9", lambda: combat_die(game, battle, phasing), dice_decide),
            ("10", lambda: apply_losses(game, battle), dice_decide),
            ("11", lambda: required_retreats(game, battle), lambda: begun() and retreat_is_required(battle)),
            ("12", lambda: withdraw(game, battle, battle.defender), defender_may),
            ("13", lambda: withdraw(game, battle, battle.attacker), attacker_may),
            ("14", lambda: advance(game, battle), begun),
        ],
    )
