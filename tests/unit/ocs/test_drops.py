"""T-AIR-DROP: what a scenario adds to the dice of air drops."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from pbem.engine.scenarios.scenario_check import faults_of
from pbem.engine.scenarios.whole_scenario import pack
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.fighting.air import drop_needs
from pbem.testing.examples import examples
from pbem.testing.runner import prepare, run

NAME = "crossing_the_tol"
LANDS_WITH_SIX = "ocs: EX-28c with a 6 it lands"


def scenario(*names: str) -> dict[str, Any]:
    found: dict[str, Any] = deepcopy(SYSTEM.scenario(NAME))
    found["oob"]["aster"]["drop_drm"] = list(names)
    found["terrains"] = {"11.03": ["major_city", "mountain"]}
    return found


def system(*names: str) -> Any:
    return SYSTEM.with_scenario(pack(SYSTEM, NAME, scenario(*names)))


@pytest.mark.parametrize(
    ("names", "hex", "needed"),
    [
        ((), "11.07", 6),
        (("soviet_drop",), "11.07", 7),
        (("soviet_drop", "allied_eto_1944_08_or_before"), "11.07", 8),
        (("option_very_close", "option_extremely_close"), "11.07", 6),
        (("option_extremely_close",), "10.04", 7),
        (("option_very_close", "option_extremely_close"), "10.04", 8),
        (("option_very_close",), "11.03", 8),
        (("option_very_close", "option_extremely_close"), "11.03", 9),
    ],
)
def test_dice_for_a_drop_need_more_by_what_the_scenario_names(
    names: tuple[str, ...], hex: str, needed: int
) -> None:
    """11.07 is open, 10.04 a swamp (very close), 11.03 mountains and a major city (extremely close)."""
    assert drop_needs(prepare(system(*names), {}), "aster", hex) == needed


def test_a_six_lands_and_with_a_modifier_it_does_not() -> None:
    example = dict(examples(SYSTEM))[LANDS_WITH_SIX]
    assert run(SYSTEM, example) == []
    assert run(system("soviet_drop"), example) != []


def test_what_the_other_side_names_does_not_count() -> None:
    assert drop_needs(prepare(system("soviet_drop"), {}), "bren", "03.06") == 6


def test_another_modifier_is_refused_with_its_place() -> None:
    (fault,) = faults_of(SYSTEM, pack(SYSTEM, NAME, scenario("lucky")))
    assert fault.path[-2:] == ("drop_drm", 0)
