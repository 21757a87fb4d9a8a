"""Promises in docs/security.md name tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (ROOT / "docs/security.md").read_text("utf-8"))


def test_promises_name_tests() -> None:
    assert len(NAMED) > 30


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_the_tests_that_promises_name_are_there(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert (name in tests) if name else any(one.startswith("test_") for one in tests)


def test_every_promise_names_a_test() -> None:
    page = (ROOT / "docs/security.md").read_text("utf-8")
    promises = page.split("## What is promised")[1].split("## Ed25519")[0].split("\n**")[1:]
    assert len(promises) >= 10
    assert [one.split(".")[0] for one in promises if "`tests/" not in one] == []
