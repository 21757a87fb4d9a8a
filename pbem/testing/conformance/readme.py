"""The coverage table of a README tells the truth: it has every rule that code names, and no other."""

from __future__ import annotations

import re
from typing import NamedTuple

from pbem.engine.system import System
from pbem.testing.conformance.over import needs
from pbem.testing.examples import examples

HEADS = ("rule", "what")
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)*")


class Row(NamedTuple):
    """One line of the table; examples name their rule themselves."""

    rule: str
    what: str


def table(system: System) -> list[Row]:
    """Return the table under the heading `Coverage`."""
    part = (system.folder / "README.md").read_text("utf-8").partition("## Coverage")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    assert cells and tuple(cells[0][:2]) == HEADS, f"the README of {system.name} has no table with {HEADS}"
    return [Row(*line[:2]) for line in cells[2:]]


def covers(rules: str, rule: str) -> bool:
    """Return True if rules such as `2.1-2.3, 2.6` cover 2.2, one of its sections, or what it is in."""
    return any(_covers(part, rule.split(".")) for part in rules.split(","))


def _covers(part: str, rule: list[str]) -> bool:
    part = re.sub(r"\(.*?\)|\bR-[0-9]+", "", part)  # a ruling beside the rule is no rule
    numbers: list[list[str]] = [number.split(".") for number in NUMBER.findall(part)]
    if len(numbers) == 2 and "-" in part:
        first, last = numbers
        at = len(first) - 1
        if len(rule) <= at:
            return first[: len(rule)] == rule
        return first[:at] == rule[:at] and int(first[at]) <= int(rule[at]) <= int(last[at])
    return any(number[: len(rule)] == rule[: len(number)] for number in numbers)


def rules_of(system: System) -> dict[str, str]:
    """Return rule -> what names it, for all that the system registers."""
    registry = system.registry
    named = {str(f.__pbem__[2]): f"leaf {name}" for name, f in registry.leaf.items()}  # type: ignore[attr-defined]
    named |= {cls.rule: f"decision {kind}" for kind, cls in registry.decisions.items()}
    return named | {cls.rule: f"event {kind}" for kind, cls in registry.events.items()}


def numbers_in(system: System) -> frozenset[str]:
    """Return every number with points in code and data of `rules/`, such as 4.12.3."""
    files = [path for path in sorted((system.folder / "rules").rglob("*")) if path.suffix in (".py", ".yaml")]
    return frozenset(
        re.findall(r"(?<![\w.])[0-9]+(?:\.[0-9]+)+", " ".join(path.read_text("utf-8") for path in files))
    )


@needs("README.md")
def test_a_search_of_the_rules_finds_what_the_table_names(system: System) -> None:
    named = numbers_in(system)
    for row in table(system):
        named_there = "." not in row.rule or any(covers(row.rule, number) for number in named)
        assert row.what and named_there, f"rules/ never names {row.rule}"


@needs("README.md")
def test_every_rule_that_code_names_is_in_the_table(system: System) -> None:
    rows = table(system)
    missing = {
        rule: what
        for rule, what in rules_of(system).items()
        if not any(covers(row.rule, rule) for row in rows)
    }
    assert not missing, f"not in the table: {missing}"


def test_rules_of_examples_are_numbers(system: System) -> None:
    for name, example in examples(system):
        assert NUMBER.match(str(example["rule"])), name


def test_no_two_examples_have_one_name(system: System) -> None:
    names = [name for name, _ in examples(system)]
    assert sorted(names) == sorted(set(names))
