"""The orders that the pages give as examples are legal, and the standing orders are such."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.archive.ordering import answers_ahead
from pbem.engine.system import find
from pbem.stages import standing_orders
from pbem.testing import run
from pbem.text.yaml import load
from tests.docs.pages import ROOT, Step, blocks, pages, steps

PAGE = ROOT / "docs" / "playing.md"
STEPS = steps(PAGE)
CHECKS = [step for step in STEPS if step.name == "check"]
AHEAD = [step for step in STEPS if step.name == "ahead"]
STANDING = [step for step in STEPS if step.name == "standing"]
_CHECK = re.compile(r"(?P<player>\w+) (?P<asked>.+?)(?: given (?P<given>\{.*\}))?")


def yaml(text: str, where: str) -> Any:
    """What a piece of YAML says, by the loader that reads order files."""
    return load(text, where).data


@pytest.mark.parametrize("step", CHECKS, ids=[step.where for step in CHECKS])
def test_an_order_in_a_page_is_legal(step: Step) -> None:
    found = _CHECK.fullmatch(step.rest)
    assert found, f"{step.where}: wanted PLAYER DECISION {{FIELDS}}; ... given {{POSITION}}"
    asked = dict(one.strip().split(" ", 1) for one in found["asked"].split(";"))
    answers = yaml(step.block, step.where)["answers"]
    assert sorted(answers) == sorted(asked), step.where
    for decision, fields in asked.items():
        check = {
            "player": found["player"],
            "decision": decision,
            "fields": yaml(fields, step.where),
            "answer": answers[decision],
            "as": found["player"],
        }
        given = yaml(found["given"] or "{}", step.where)
        example = {"given": given, "check": check, "expect": {"refused": []}}
        faults = run(find("victory"), example)
        assert not faults, f"{step.where}: {faults}"


@pytest.mark.parametrize("step", STANDING, ids=[step.where for step in STANDING])
def test_standing_orders_in_a_page_have_no_fault(step: Step) -> None:
    orders = yaml(step.block, step.where)["standing"]
    assert orders
    faults = standing_orders.faults(find("victory"), orders)
    assert not faults, [(fault.message, fault.path) for fault in faults]


@pytest.mark.parametrize("step", AHEAD, ids=[step.where for step in AHEAD])
def test_answers_ahead_in_a_page_have_no_fault(step: Step) -> None:
    faults = answers_ahead.added_faults(find("victory"), yaml(step.block, step.where)["ahead"], ("ahead",))
    assert not faults, [(fault.message, fault.path) for fault in faults]


def test_every_answer_in_yaml_of_the_players_page_is_checked() -> None:
    shown = [block for block in blocks(PAGE.read_text("utf-8")) if block.language == "yaml"]
    assert len(shown) == len(CHECKS) + len(STANDING) + len(AHEAD)


def test_the_pages_are_there() -> None:
    names = {page.relative_to(ROOT).as_posix() for page in pages()}
    wanted = {
        "README.md",
        "docs/playing.md",
        "docs/game-master.md",
        "docs/auditing.md",
        "docs/systems/victory.md",
    }
    assert wanted <= names
