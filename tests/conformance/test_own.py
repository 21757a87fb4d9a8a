"""What the conformance suite itself builds on."""

from __future__ import annotations

import re

import pytest

from pbem.engine.outline import WORDS
from pbem.model.codec import schema_of
from pbem.model.events import Roll, Shuffle
from pbem.testing.conformance.readme import covers
from tests.architecture.code import ROOT


def test_the_page_for_authors_has_every_word_of_an_outline() -> None:
    guide = (ROOT / "docs" / "adding-a-rules-system.md").read_text("utf-8")
    part = guide.partition("\n## 2. ")[2].partition("\n## 3. ")[0]
    assert set(WORDS) <= set(re.findall(r"[a-z_]+", part))


def test_a_roll_is_known_by_its_label_and_result() -> None:
    assert {"label", "result"} <= set(schema_of(Roll)["properties"]) & set(schema_of(Shuffle)["properties"])


@pytest.mark.parametrize(
    ("said", "rule", "yes"),
    [
        ("2.1-2.3, 2.6", "2.2", True),
        ("2.1-2.3, 2.6", "2.2.4", True),
        ("2.1-2.3, 2.6", "2.4", False),
        ("2.1-2.3, 2.6", "2.6", True),
        ("2.1-2.3, 2.6", "2", True),
        ("4.6.2-4.6.9", "4.6", True),
        ("4.6.2-4.6.9", "4.6.10", False),
        ("4.5", "4.50", False),
        ("-", "4", False),
        ("4.6.10 (R-101)", "4.6.10", True),
        ("4.6.10 (R-101)", "4.6.11", False),
    ],
)
def test_numbers_of_rules_are_compared_by_their_parts(said: str, rule: str, yes: bool) -> None:
    assert covers(said, rule) is yes
