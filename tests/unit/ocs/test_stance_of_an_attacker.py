"""Standing orders of an attacker for the option of a result (4.9.8, R-109)."""

from __future__ import annotations

import pytest

from pbem.systems.ocs.rules.decisions.fight import AttackerOption, AttackStance
from pbem.systems.ocs.rules.pieces import Unit
from tests.unit.ocs.test_any_order import board

NOBODY_STOPS: tuple[str, ...] = ()


@pytest.mark.parametrize(
    "order, free, shut",
    [
        (AttackStance(losses_up_to=0), 0, 2),
        (AttackStance(losses_up_to=1), 1, 2),
        (AttackStance(losses_up_to=2), 2, 2),
        (AttackStance(losses_up_to=9), 2, 2),
        (AttackStance("losses"), 2, 2),
        (AttackStance("retreat"), 0, 0),
        (AttackStance(), None, None),
    ],
)
def test_who_cannot_go_back_takes_the_option_as_losses(
    order: AttackStance, free: int | None, shut: int | None
) -> None:
    game = board("crossing_the_tol", "F", "aster")
    unit = Unit(game, "A-21")
    for barred, answer in ((NOBODY_STOPS, free), (tuple(game.world.index), shut)):
        asked = AttackerOption("aster", str(unit.hex), 2, (unit.id,), barred)
        assert asked.from_order(game, order) == answer
