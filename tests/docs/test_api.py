"""The API pages say what the docstrings say."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.tools import make_verdicts
from tests.tools.make_api import FOLDER, Found, find, modules, pages, public


@pytest.mark.parametrize(("path", "text"), pages().items(), ids=[path.name for path in pages()])
def test_a_page_is_as_its_docstrings_are(path: Path, text: str) -> None:
    assert path.read_text("utf-8") == text, "run `python -m tests.tools.make_api`"


def test_every_page_of_the_folder_is_made() -> None:
    assert set(FOLDER.glob("*.md")) == {*pages(), make_verdicts.PAGE}


@pytest.mark.parametrize("name", public("pbem.rules"))
def test_each_name_is_found_where_it_is_defined(name: str) -> None:
    found = find("pbem.rules", name)
    assert isinstance(found, Found)
    if isinstance(found.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        assert ast.get_docstring(found.node), f"{name} has no docstring for its page"


def test_the_modules_of_a_room_are_listed_with_what_they_are_for() -> None:
    lines = modules("engine")
    assert all(line.startswith("engine/") and line.endswith(".") for line in lines)
    assert any(line.startswith("engine/leaf.py: ") for line in lines)
