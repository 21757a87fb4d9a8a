"""Worked examples played on with other dice and other answers: whatever the rules do differently shows.

`files/wandered-<system>.txt` says which examples, and how: those that run most of the rules in little time.
CI goes on with `wandered-more-<system>.txt`. A new line needs only ` | <way> <title>`, and `make_recorded`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pbem.engine.system import find, installed
from pbem.testing.examples import examples
from tests.golden.recorded import differences, lines, named
from tests.golden.wanderer import told_of
from tests.nightly import in_ci

TOGETHER = 8
"""Examples that a test of CI goes through."""


@cache
def listed(system: str) -> dict[str, dict[str, Any]]:
    return {str(example["example"]): example for _, example in examples(find(system))}


def faults_in(system: str, kind: str, name: str) -> list[str]:
    way, title = name.split(" ", 1)
    told = named(told_of(find(system), listed(system).get(title, {}), way))
    return differences(name, lines(kind, system)[name], told)


def together(names: list[str]) -> list[list[str]]:
    return [names[n : n + TOGETHER] for n in range(0, len(names), TOGETHER)]


QUICK = [(system, name) for system in sorted(installed()) for name in lines("wandered", system)]
MORE = [
    pytest.param(system, names, id=f"{system}-{n}")
    for system in sorted(installed())
    for n, names in enumerate(together(list(lines("wandered-more", system))))
]


@pytest.mark.parametrize(("system", "name"), QUICK)
def test_an_example_goes_on_as_it_did(system: str, name: str) -> None:
    faults = faults_in(system, "wandered", name)
    assert not faults, "\n".join(faults)


@in_ci
@pytest.mark.parametrize(("system", "names"), MORE)
def test_more_examples_go_on_as_they_did(system: str, names: list[str]) -> None:
    faults = [fault for name in names for fault in faults_in(system, "wandered-more", name)]
    assert not faults, "\n".join(faults)
