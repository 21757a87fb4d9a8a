"""Orders ahead over one's own dice: "if he has initiative" as a condition of the position."""

from __future__ import annotations

from typing import Any

from pbem.engine.adjudicate import Outcome, adjudicate, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.system import find
from pbem.testing import examples, run

SYSTEM = find("wbts")
SIDES = ("north", "south")
QUIET: list[Any] = [{"decision": kind, "answer": {}} for kind in ("free-initiative", "leader-initiative")]


def to_the_combat_phase(seed: bytes) -> Outcome:
    """Both sides have standing orders for all but battles, and have sent two answers for those."""
    standing: dict[str, list[Any]] = {}
    for side in SIDES:
        who = {"north": "U-CRANE", "south": "C-BECK"}[side]
        standing[side] = [
            {"chit": "parenthesised"},
            {"span": {}},
            *QUIET,
            _battles("if-active", {f"counter/{who}/active": True}),
            _battles("if-not", {f"counter/{who}/active": {"at_most": 0}}),
        ]
    outcome = adjudicate(SYSTEM, start(SYSTEM, "marl_crossings"), Inputs(0, standing=standing))
    given: dict[str, dict[str, Reply]] = {}
    for question in outcome.pending:
        given.setdefault(question.party, {})[question.key] = Reply("parenthesised")
    return adjudicate(SYSTEM, outcome.state, Inputs(1, given, standing, seed=seed))


def _battles(name: str, when: dict[str, Any]) -> dict[str, Any]:
    return {"decision": "battles", "once": name, "when": when, "answer": {}}


def test_of_two_answers_the_one_counts_whose_leader_has_fallen_so() -> None:
    met = set()
    for number in range(12):
        outcome = to_the_combat_phase(bytes([number]) * 32)
        active = {
            str(told.event["player"]): told.event["active"]
            for told in outcome.told
            if told.event["event"] == "leaders-activated"
        }
        for entry in outcome.ahead:
            if entry.decision != "battles" or entry.result != "used":
                continue
            who = {"north": "U-CRANE", "south": "C-BECK"}[entry.party]
            is_active = who in active[entry.party]  # type: ignore[operator]
            assert entry.name == ("if-active" if is_active else "if-not")
            met.add(entry.name)
    assert met == {"if-active", "if-not"}


def test_a_sealed_intensity_for_the_seventh_battle_ahead_is_not_taken_in() -> None:
    """The example BW-10 has one for the sixth, which is."""
    example = next(each for name, each in examples(SYSTEM) if "BW-10 " in name)
    later = {"north": {"battles": {}, "sealed-intensity/attack/7": [{"chit": 1}]}}
    assert run(SYSTEM, example) == []
    assert "never asked: north: sealed-intensity/attack/7" in run(SYSTEM, {**example, "orders": later})
