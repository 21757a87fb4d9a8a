"""Rolls in the events of a record: what the seeds give, under labels that name one each (protocol 9.2)."""

from __future__ import annotations

from typing import Any

from pbem.stages.record_checks import roll_faults
from pbem.trust.dice import roll

SEEDS = {1: b"\1" * 32, 2: b"\2" * 32, 3: b"\3" * 32}


def thrown(of: int, /, *label: Any, **more: Any) -> dict[str, Any]:
    return {"dice": "2d6", "label": [*label], "result": roll("2d6", SEEDS[of], [*label]), **more}


def codes(*rolls: dict[str, Any], hidden: dict[int, bytes] | None = None) -> list[str]:
    """The faults of these rolls in the events of stage 3, where stage 2 threw no dice."""
    known = {stage: seed for stage, seed in SEEDS.items() if stage != 2}
    events = [{"event": "rolled", "roll": roll} for roll in rolls]
    return [fault.code for fault in roll_faults(known, hidden or {}, 3, events)]


def test_what_the_seed_gives_is_right_and_nothing_else() -> None:
    right = thrown(3, "attack", 1)
    assert codes(right) == []
    other = [7 - right["result"][0], right["result"][1]]
    assert codes({**right, "result": other}) == ["roll"]
    assert codes(thrown(1, "attack", 1)) == ["roll"], "the dice of another stage"


def test_a_label_names_one_roll_of_a_stage() -> None:
    assert codes(thrown(3, "attack", 1), thrown(3, "attack", 2)) == []
    assert codes(thrown(3, "attack", 1), thrown(3, "attack", 1)) == ["roll"]


def test_a_roll_that_is_shown_later_says_an_earlier_stage_with_dice() -> None:
    early = thrown(1, "attack", 1, stage=1)
    assert codes(early) == []
    assert codes(early, thrown(3, "attack", 1)) == [], "the label of another stage is another"
    for stage in (0, 3, 4):
        assert codes({**early, "stage": stage}) == ["roll"]
    assert codes(thrown(3, "attack", 1, stage=3)) == ["roll"], "else two of a stage could have one label"
    assert codes(thrown(2, "attack", 1, stage=2)) == ["roll"], "a stage without dice"


def test_a_hidden_roll_is_checked_once_its_seed_is_known() -> None:
    hidden = thrown(2, "attack", 1, hidden=True)
    assert codes(hidden) == []
    assert codes(hidden, hidden={3: SEEDS[2]}) == []
    assert codes(hidden, hidden={3: SEEDS[1]}) == ["roll"]
