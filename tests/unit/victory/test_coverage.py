"""The worked examples are all played; rulings are numbered and cited."""

from __future__ import annotations

import re

from pbem.systems.victory import SYSTEM


def test_all_twenty_five_worked_examples_are_played() -> None:
    names = " ".join(e["example"] for file in SYSTEM.files("examples/*.yaml") for e in SYSTEM.data(file))
    missing = [n for n in range(1, 26) if not re.search(rf"EX-{n}(?!\d)", names)]
    assert missing == []


def test_rulings_are_numbered_without_gaps_and_say_where_they_come_from() -> None:
    rulings = SYSTEM.data("rulings.yaml")["rulings"]
    numbers = [int(r["id"].removeprefix("R-")) for r in rulings]
    own = [n for n in numbers if n <= 100]  # from 101 on: numbers of the specification
    assert own == list(range(1, len(own) + 1)) and numbers == sorted({*numbers})
    for ruling in rulings:
        assert set(ruling) == {"id", "rule", "question", "ruling", "source"}, ruling["id"]
        assert ruling["source"] in ("seed", "base", "spec", "here"), ruling["id"]


def test_no_leaf_decision_or_event_lies_in_a_module_that_is_not_registered() -> None:
    marks = re.compile(r"^@(procedure|condition|player_order|decision|event)\(", re.M)
    for file in sorted(SYSTEM.folder.rglob("*.py")):
        name = file.relative_to(SYSTEM.folder).with_suffix("").as_posix().replace("/", ".")
        if marks.search(file.read_text(encoding="utf-8")):
            assert f"{SYSTEM.package}.{name}" in SYSTEM.module_names, name
