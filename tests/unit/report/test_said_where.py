"""Where a report says of what stage a die is, where a fight is, and how a roll is indented in the ledger."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.plain import WIDTH
from pbem.report.reader import Meta, View
from pbem.report.structure import Report
from pbem.report.text import fight_words, render
from pbem.report.whole.ledger import entries, ledger
from tests.unit.report.test_text import event, fight, parts


def made(view: View, meta: Meta, **roll: object) -> Report:
    first = fight("south", "0101", 1)
    first["roll"] = {**first["roll"], **roll}
    return compose("north", [Told(PUBLIC, first, 0)], view, meta)


@pytest.mark.parametrize(("stage", "said"), [(4, False), (2, True)])
def test_a_die_of_another_stage_says_of_which(view: View, meta: Meta, stage: int, said: bool) -> None:
    dice = parts(render(made(view, meta, stage=stage)))["Dice"]
    assert ("(stage 2)" in dice) is said and "(stage 4)" not in dice


def test_a_fight_without_a_place_has_a_dash_in_its_title(view: View, meta: Meta) -> None:
    report = made(view, meta)
    (card,) = report.fights
    assert "0101" in fight_words(card, report)[0] and "–" not in fight_words(card, report)[0]
    assert "–" in fight_words(replace(card, where=""), report)[0]


def test_a_long_roll_goes_on_below_its_beginning(view: View) -> None:
    """With a longer indent than its first line: rolls can be told apart."""
    many = {"label": ["combat", "0101", 1], "dice": "30d6", "result": [6] * 30}
    lines = ledger(entries([event("fought", attacker="north", hex="0101", roll=many)], 4))
    first, second, *_ = lines
    assert first.startswith("stage 4") and len(first) <= WIDTH
    assert second.startswith("    ") and "6" in second
