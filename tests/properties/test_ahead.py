"""Answers sent ahead in random games: none is used twice, none is lost, and a saved game goes on as the one
in hand."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.ahead import name_of
from pbem.engine.answers import Inputs, Reply
from pbem.engine.system import System
from pbem.model.state import dump, from_json
from pbem.stages.standing_orders import replaced, usable
from tests.primer import FOG, SYSTEM

SEEDS = ("ash", "elm", "fir", "oak")
UNTIL = (None, None, "T", "P", "movement")


def entries(rng: random.Random, stage: int) -> list[Any]:
    """What somebody might send ahead, sensible or not."""
    moves: list[Any] = [{}, *({"unit": u, "to": h} for u in ("n1", "s2") for h in ("0102", "0103", "0202"))]
    answers = {"next-move": moves, "bid": [0, 3], "reaction": ["stand", "retreat"], "card": ["calm"]}
    found = []
    for number in range(rng.randrange(4)):
        kind = rng.choice(sorted(answers))
        entry: dict[str, Any] = {"decision": kind, "answer": rng.choice(answers[kind])}
        until = rng.choice(UNTIL)
        word = "name" if until and rng.random() < 0.3 else "once"
        found.append(entry | {word: f"{stage}.{number}"} | ({"until": until} if until else {}))
    return found


def replies(outcome: Outcome, system: System, rng: random.Random) -> dict[str, dict[str, Reply]]:
    given: dict[str, dict[str, Reply]] = {}
    game = game_of(system, outcome.state, outcome.position)
    for question in outcome.pending:
        decision = system.decision(question.kind, question.party, question.fields)
        answer = rng.choice(list(decision.options(game))).answer
        given.setdefault(question.party, {})[question.key] = Reply(answer)
    return given


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["public", "fog"])
@pytest.mark.parametrize("seed", SEEDS)
def test_each_answer_sent_ahead_is_used_once_or_waits_or_expires(system: System, seed: str) -> None:
    rng = random.Random(seed)
    outcome = adjudicate(system, start(system, "ford"), Inputs(0))
    sent: Counter[tuple[str, str]] = Counter()
    ended: Counter[tuple[str, str]] = Counter()
    for stage in range(1, 300):
        if outcome.finished:
            break
        state = from_json(json.loads(dump(outcome.state.to_json())))
        assert state.to_json() == outcome.state.to_json()
        for party in ("north", "south"):
            more = usable(system, entries(rng, stage))
            sent.update((party, str(name_of(entry))) for entry in more if "once" in entry)
            before = state.standing.get(party, [])
            standing, spent = replaced(system, state, {party: [*before, *more]})
            state = replace(state, standing=standing, spent=spent)
        given = replies(outcome, system, rng)
        inputs = Inputs(stage, given, state.standing, seed=bytes([stage % 256]) * 32, hidden_seed=b"h" * 32)
        twin = adjudicate(system, from_json(json.loads(dump(state.to_json()))), inputs)
        outcome = adjudicate(system, state, inputs)
        assert twin.state.to_json() == outcome.state.to_json() and twin.ahead == outcome.ahead
        ended.update((one.party, one.name) for one in outcome.ahead if one.result in ("used", "expired"))
        waiting = Counter(
            (party, str(name_of(entry)))
            for party, listed in outcome.state.standing.items()
            for entry in listed
            if isinstance(entry, dict) and "once" in entry
        )
        once = Counter({pair: n for pair, n in ended.items() if pair in sent})
        assert once + waiting == sent, "none is lost, and none is there twice"
    assert outcome.finished and ended
