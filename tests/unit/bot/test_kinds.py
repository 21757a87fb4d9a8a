"""The computer uses the kinds of actions that its systems have; `docs/computer.md` names the others."""

from __future__ import annotations

import pytest

from pbem.engine.system import find
from tests.tools.compare_bots import Mind, played

GAMES = {"totaler-krieg": 8, "wbts": 8}
"""Games of a system that orders some things rarely; of others two are enough."""
KINDS = {
    (
        "victory",
        "sarn_strait",
    ): "bid turn-order.moves turn-order.reveal turn-order.su_moves turn-order.doctrine "
    "production.spend production.deliver air-response",
    (
        "wbts",
        "marl_crossings",
    ): "command.loads command.spans free-initiative.activations cleanup.militia cleanup.burn "
    "leader-initiative.leaders battles.battles intensity commit-leader advance",
    ("ocs", "reed_coast"): "embark naval assault fire air attack build fuel haul move rail stand",
    (
        "totaler-krieg",
        "lodestar",
    ): "administration.place administration.blitz administration.combine movement "
    "combat.airdrops combat.blitz combat.regular final.reserve season.replacements next-card",
    ("wif", "narrow_sea_1943"): "a b c d f g i j k n atr reorganize final production",
    ("wif", "two_fronts_1943"): "c l g i n reorganize",
}
"""What is ordered in a few games that follow from their seeds; without a search, so that they are quick."""


@pytest.mark.parametrize(("system", "scenario"), KINDS, ids=lambda name: name)
def test_what_a_system_has_is_ordered(system: str, scenario: str) -> None:
    found = find(system)
    assert found.play_well_hook is not None
    mind = Mind(found.play_well_hook)
    for n in range(GAMES.get(system, 2)):
        played(found, scenario, f"s{n}", dict.fromkeys(found.players(found.scenario(scenario)), mind))
    ordered = {name for kind in mind.used for name in (kind, kind.rpartition(".")[2])}
    assert set(KINDS[system, scenario].split()) <= ordered
