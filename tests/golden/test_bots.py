"""What bots answer in a short game, and what they send ahead: by the seed and what each may see alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from pbem.bot.games import Stage, stages
from pbem.engine.system import System
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
