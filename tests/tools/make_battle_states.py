"""Makes games of `wbts` that wait inside a battle: `python -m tests.tools.make_battle_states FILE`.

Done once for each shape of the sequence of play whose games are kept in `tests/fixtures`; that file is not
made anew. It holds, for each choice of a battle, states as they were saved while that was asked, and the
answers that came next; what the rules of that day made of them is beside it. With `--answers` the
states of a file stay, and only what becomes of them is computed anew.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from pbem.bot.answers import answer, clever
from pbem.bot.games import Stage, play
from pbem.engine.adjudicate import Outcome, adjudicate, facts
from pbem.engine.answers import Inputs, Reply
from pbem.engine.system import find
from pbem.model.state import GameState, from_json

WBTS = find("wbts")
SEEDS = [f"mid-battle-{n}" for n in range(12)]
OF_EACH = 2  # states for each choice, with everything open and with limited intelligence


def outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    """Return the visible part of an outcome: events, questions, facts; not the layout of the state."""
    return {
        "told": [[list(told.audience), told.event] for told in outcome.told],
        "asked": [question.to_json() for question in outcome.pending],
        "facts": {fact.key: fact.value for fact in facts(WBTS, outcome)},
        "refused": [[party, why.code] for party, why in outcome.diagnostics],
    }


def inputs_as_json(inputs: Inputs) -> dict[str, Any]:
    assert inputs.seed and inputs.hidden_seed
    replies = {
        party: {key: one.value for key, one in given.items()} for party, given in inputs.replies.items()
    }
    return {
        "stage": inputs.stage,
        "replies": replies,
        "seed": inputs.seed.hex(),
        "hidden_seed": inputs.hidden_seed.hex(),
    }


def inputs_of(data: dict[str, Any]) -> Inputs:
    replies = {
        party: {key: Reply(value) for key, value in given.items()} for party, given in data["replies"].items()
    }
    return Inputs(
        data["stage"],
        replies,
        seed=bytes.fromhex(data["seed"]),
        hidden_seed=bytes.fromhex(data["hidden_seed"]),
    )


def in_battles(stages: tuple[Stage, ...]) -> Iterator[tuple[str, GameState, Inputs]]:
    """Return each state with a battle question, by that question, and what came next."""
    for before, after in pairwise(stages):
        kinds = " and ".join(sorted({q.kind for q in before.outcome.pending}))
        state, inputs = before.outcome.state, after.inputs
        if kinds == "battles" or before.outcome.position.tracks["battle"] is not None:
            yield kinds, state, inputs
            if len(inputs.replies) > 1:
                first = min(inputs.replies)
                half = adjudicate(WBTS, state, replace(inputs, replies={first: inputs.replies[first]}))
                rest = {party: given for party, given in inputs.replies.items() if party != first}
                if half.pending:
                    yield (
                        f"{kinds}, half answered",
                        half.state,
                        replace(inputs, stage=inputs.stage + 1, replies=rest),
                    )


def main(file: Path) -> None:
    kept: dict[str, list[dict[str, Any]]] = {}
    for seed in SEEDS:
        for hidden in (False, True):
            for brain in (clever, answer):
                options = {"limited_intelligence": True} if hidden else {}
                played = play(WBTS, "marl_crossings", options, seed, brain)
                for kinds, state, inputs in in_battles(played.stages):
                    name = f"{kinds}{' (limited intelligence)' if hidden else ''}"
                    if len(kept.setdefault(name, [])) < OF_EACH:
                        kept[name].append({"state": state.to_json(), "inputs": inputs_as_json(inputs)})
    write(file, kept)


def answers_anew(file: Path) -> None:
    write(file, read(file))


def read(file: Path) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(lzma.decompress(file.read_bytes()))
    return found


def write(file: Path, kept: dict[str, list[dict[str, Any]]]) -> None:
    for one in (each for listed in kept.values() for each in listed):
        outcome = adjudicate(WBTS, from_json(one["state"]), inputs_of(one["inputs"]))
        one["then"] = outcome_as_json(outcome)
    text = json.dumps(kept, sort_keys=True, ensure_ascii=False)
    file.write_bytes(lzma.compress(text.encode(), preset=9))
    for name, listed in sorted(kept.items()):
        print(len(listed), name)


if __name__ == "__main__":
    if "--answers" in sys.argv:
        answers_anew(Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]))
