"""Strength comes and goes only by what is told: losses, production, supply units spent, resources grown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from pbem.bot.answers import answer, clever
from pbem.bot.games import play
from pbem.engine.adjudicate import Outcome
from pbem.engine.system import find
from pbem.model.events import Told
from tests.nightly import IN_CI

VICTORY = find("victory")


def strength(outcome: Outcome) -> Counter[str]:
    """The sum of CV on the map, by owner."""
    total: Counter[str] = Counter()
    for fields in outcome.position.counters.values():
        total[str(fields["owner"])] += int(str(fields["cv"]))
    return total


class Account:
    """Adds up what events say of strength gained and lost."""

    def __init__(self) -> None:
        self.change: Counter[str] = Counter()
        self.in_battle: dict[str, int] = {}

    def read(self, events: Iterable[Told]) -> Counter[str]:
        for told in events:
            self._one(told.event)
        return self.change

    def _one(self, e: Any) -> None:
        match e["event"]:
            case "battle-began":
                shown = [text.rpartition(" CV ") for text in (*e["attacking"], *e["defending"])]
                self.in_battle = {name: int(cv) for name, _, cv in shown}
            case "block-lost-step":
                self._in_battle(e["block"], e["before"], e["after"])
            case "block-eliminated":
                self._in_battle(e["block"], e["before"], 0)
            case "block-overrun" | "block-trapped":
                self._in_battle(e["block"], self.in_battle[e["block"]], 0)
            case "unit-starved" | "unit-fed" | "unit-reinforced":
                self.change[e["owner"]] += e["after"] - e["before"]
            case "supply-unit-reduced":
                self.change[e["player"]] += e["now"] - e["before"]
            case "unit-built":
                self.change[e["owner"]] += e["cv"]
            case "resource-delivered":
                self.change[e["owner"]] -= e["cv"]
            case "resource-grew" | "resource-appeared":
                self.change[e["owner"]] += 1

    def _in_battle(self, block: str, before: int, after: int) -> None:
        assert self.in_battle[block] == before, f"{block} had {self.in_battle[block]}, told of {before}"
        self.in_battle[block] = after
        self.change[block.split()[0]] += after - before


def check(seed: str, options: dict[str, Any], brain: Any) -> Counter[str]:
    played = play(VICTORY, "sarn_strait", options, seed, brain)
    account, before = Account(), strength(played.stages[0].outcome)
    kinds: Counter[str] = Counter()
    for stage in played.stages[1:]:
        account.change = Counter()
        told = account.read(stage.outcome.told)
        now = strength(stage.outcome)
        for player in VICTORY.players(VICTORY.scenario("sarn_strait")):
            assert now[player] - before[player] == told[player], f"stage {stage.number}, {player}"
        kinds.update(str(t.event["event"]) for t in stage.outcome.told)
        before = now
    return kinds


@pytest.mark.parametrize(
    "options",
    [pytest.param({}, marks=IN_CI), {"pursuit": True, "loss_rule": "owner"}],
    ids=["defaults", "pursuit"],
)
def test_every_step_gained_or_lost_is_told(options: dict[str, Any]) -> None:
    kinds = check("hazel", options, clever)
    assert kinds["block-lost-step"] and kinds["unit-reinforced"] and kinds["supply-unit-reduced"]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_every_step_is_told_in_many_games(seed: int) -> None:
    check(
        f"steps-{seed}",
        {"battle_mode": "interactive"} if seed % 3 == 0 else {},
        answer if seed % 2 else clever,
    )
