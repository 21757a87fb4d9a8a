"""Node B.2.c before its battles are built: nobody attacks (4.8)."""

from __future__ import annotations

from typing import Any

from pbem.rules import Game, condition, procedure

STEPS = (
    "select_battle", "reveal_attackers", "retreat_before_combat", "defending_leader", "reveal_defenders",
    "intensity", "combat_supply", "commit_leaders", "combat_die", "apply_losses",
    "required_retreats", "defender_retreats",
    "attacker_retreats", "advance",
)  # fmt: skip


@condition("battles_go_on")
def battles_go_on(game: Game, phasing: str | None) -> bool:
    """4.8 There are no battles yet."""
    return False


@condition("battle_begun")
def battle_begun(game: Game, phasing: str | None) -> bool:
    """A battle is under way."""
    return game.tracks["battle"] is not None


def _step(name: str, rule: str) -> Any:
    async def step(game: Game, phasing: str) -> None:
        """A step of a battle, not built yet."""
        raise AssertionError(f"{name} is not built")

    return procedure(name, rule=rule)(step)


LEAVES = [_step(name, f"4.8.{n}") for n, name in enumerate(STEPS, 1)]
select_battle, reveal_attackers, retreat_before_combat, defending_leader, reveal_defenders = LEAVES[:5]
intensity, combat_supply, commit_leaders, combat_die, apply_losses = LEAVES[5:10]
required_retreats, defender_retreats, attacker_retreats, advance = LEAVES[10:]
