"""What bots answer in a short game, and what they send ahead: by the seed and what each may see alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import Stage, stages
from pbem.engine.system import System, find, installed
from tests.primer import FOG, SYSTEM


def told(stage: Stage) -> Iterator[str]:
    """Yield the answers of a stage, and the lists that are filed with them where they change."""
    given = stage.inputs
    for party, replies in sorted(given.replies.items()):
        for key, reply in sorted(replies.items()):
            secret = " (secret)" if reply.committed else ""
            yield f"{stage.number} {party} {key}: {json.dumps(reply.value)}{secret}"
    for party, orders in sorted(given.standing.items()):
        yield from (f"{stage.number} {party} ahead: {json.dumps(order, sort_keys=True)}" for order in orders)
    for party, fault in stage.outcome.diagnostics:
        yield f"{stage.number} {party} is refused: {fault.message}"


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["open", "fog"])
def test_bots_answer_as_they_did(system: System, golden: Callable[[str, str], None]) -> None:
    lasting = {"south": [{"reaction": {"retreat_at_most": 1}}]}
    game = stages(system, "ford", {"turns": 2}, "oak", standing=lasting, ahead=True)
    golden(f"bots-{system.name}.txt", "".join(f"{line}\n" for stage in game for line in told(stage)))


@pytest.mark.parametrize("name", sorted(installed()))
def test_the_computer_plays_as_it_did(name: str, golden: Callable[[str, str], None]) -> None:
    """A line for each stage, so that a difference names the first one that was played in another way."""
    system, lines = find(name), []
    for stage in islice(stages(system, system.scenarios()[0], None, "oak", clever), 1, 13):
        answers = list(told(stage))
        digest = sha256("\n".join(answers).encode()).hexdigest()[:16]
        lines.append(f"{stage.number}: {len(answers)} answers, {digest}\n")
    golden(f"bots-{name}.txt", "".join(lines))
