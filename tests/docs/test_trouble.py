"""What people see when something went wrong is what the program says."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "trouble.md"
BY_OTHERS = {"is not recognized", "no space left on device"}
"""What a shell or the system says."""


def quoted() -> list[str]:
    """What stands in quotes under "you see"."""
    rows = [line.split("|")[1] for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    return [words for row in rows for words in re.findall(r'"([^"]+)"', row)]


@pytest.fixture(scope="module")
def said() -> str:
    """All that stands in code and catalogues, sentences of several lines joined, fields as stars."""
    files = [*sorted((ROOT / "pbem").rglob("*.py")), *sorted((ROOT / "pbem").rglob("words/en/**/*.yaml"))]
    texts = [path.read_text("utf-8").replace('\\"', '"') for path in files]
    joined = re.sub(r'"\s*\n\s*f?"', "", "\n".join(texts))
    return re.sub(r"\{[^{}]*\}", "*", joined)


def test_what_one_is_told_to_look_for_is_what_the_program_says(said: str) -> None:
    assert len(quoted()) > 20
    assert [words for words in quoted() if words not in BY_OTHERS and words not in said] == []
