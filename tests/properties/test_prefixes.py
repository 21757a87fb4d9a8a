"""A leaf may be cut short anywhere: from every prefix of its journal it comes to the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import play, stages
from pbem.engine.adjudicate import Outcome, run
from pbem.engine.answers import Reply
from pbem.engine.system import System, find
from pbem.model.state import GameState, Open
from tests.primer import FOG, SYSTEM

VICTORY = find("victory")


class OneEntry:
    """Gives the answer or the dice of one entry of a journal, and nothing else."""

    def __init__(self, entry: dict[str, Any] | None, stage: int) -> None:
        self.entry = entry or {}
        self.stage = stage

    def _holds(self, **wanted: Any) -> bool:
        return bool(self.entry) and all(self.entry.get(name) == value for name, value in wanted.items())

    def reply(self, party: str, key: str, kind: str) -> tuple[str, Reply] | None:
        if self._holds(ask=key, party=party):
            return key, Reply(
                self.entry["answer"], committed=self.entry["by"] in ("sealed", "together", "kept")
            )
        if self._holds(seal=key, party=party):
            return key, Reply(self.entry["value"], committed=True)
        return None

    def standing(self, party: str) -> Sequence[Any]:
        if not self._holds(party=party) or "consult" not in self.entry:
            return []
        return [{self.entry["consult"]: order} for order in self.entry["orders"]]

    def forfeits(self, party: str, key: str) -> bool:
        return False

    def opening(self, party: str, key: str) -> Reply | None:
        return Reply(self.entry["value"]) if self._holds(open=key, party=party) else None

    def roll(self, dice: str, label: list[str | int], hidden: bool) -> list[int] | None:
        return list(self.entry["result"]) if self._holds(dice=dice) else None

    def shuffle(self, items: list[str | int], label: list[str | int], hidden: bool) -> list[Any] | None:
        return list(self.entry["result"]) if self._holds(shuffle=items) else None


def same(system: System, before: Outcome) -> int:
    """Cut the open leaf of a stage at every entry, let it run again, compare. Gives how often it was cut."""
    opened = before.state.open
    if opened is None:
        return 0
    for cut in range(len(opened.journal)):
        left = Open(journal=list(opened.journal[:cut]))
        again = run_rest(system, replace(before.state, open=left), opened.journal[cut:])
        assert again.state.open is not None
        assert plain(again.state.open.journal) == plain(opened.journal)
        assert again.position == before.position
        assert [q.to_json() for q in again.pending] == [q.to_json() for q in before.pending]
    return len(opened.journal)


def run_rest(system: System, state: GameState, rest: Sequence[dict[str, Any]]) -> Outcome:
    """Run on, handing over one recorded entry at a time, the run stopping after each."""
    for entry in rest:
        state = run(system, state, OneEntry(entry, int(entry["stage"]))).state
    return run(system, state, OneEntry(None, int(rest[-1]["stage"])))


def plain(journal: Sequence[Any]) -> list[Any]:
    """A journal without what counts within a run: labels' occurrence numbers, and the hashes over them."""
    return [{k: v for k, v in entry.items() if k not in ("h", "label", "by", "as")} for entry in journal]


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["public", "fog"])
@pytest.mark.parametrize("seed", ["oak", "elm"])
def test_a_leaf_of_the_primer_comes_to_the_same_from_every_prefix(system: System, seed: str) -> None:
    played = play(system, "ford", {"turns": 3}, seed)
    assert sum(same(system, stage.outcome) for stage in played.stages) > 10


def test_an_interactive_battle_comes_to_the_same_from_every_prefix() -> None:
    cut = 0
    for stage in stages(VICTORY, "sarn_strait", {"battle_mode": "interactive"}, "oak", clever):
        cut += same(VICTORY, stage.outcome)
        if cut > 80:
            break
    assert cut > 20
