"""4.17: whatever is refused in a file is refused with its place in it."""

from __future__ import annotations

import json
from typing import Any

from pbem.engine.resolve import faults_of
from pbem.systems.ocs import SYSTEM
from pbem.testing.examples import examples
from pbem.testing.runner import prepare
from pbem.text.yaml import load


def leads_into(value: Any, path: tuple[str | int, ...]) -> bool:
    """Return True if each step of a path is there; only the last may name what is missing."""
    for step in path[:-1]:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def test_every_fault_of_an_example_has_its_line_and_column() -> None:
    shown: set[str] = set()
    for name, example in examples(SYSTEM):
        if "check" not in example or "as" in example["check"]:
            continue
        check: dict[str, Any] = example["check"]
        game = prepare(SYSTEM, example.get("given", {}))
        decision = SYSTEM.decision(check["decision"], check["player"], check.get("fields", {}))
        document = load(json.dumps({"answer": check["answer"]}, indent=1), "orders.yaml")
        whole = document.span(("answer",))
        for fault in faults_of(game, decision, check["answer"]):
            span = document.span(("answer", *fault.path))
            assert fault.path and span != whole, (name, fault.code, fault.path)
            assert leads_into(check["answer"], fault.path), (name, fault.code, fault.path)
            shown.add(fault.code)
    assert len([code for code in shown if code.startswith("E-")]) > 50, len(shown)
