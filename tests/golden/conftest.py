"""Golden files: what reports looked like when somebody last read them.

The mark of the words is zeros in them: each new word changes it.

`pytest tests/golden --update-golden` rewrites them; then read the diff.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.engine.pins import WORDS

FILES = Path(__file__).parent / "files"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the golden files; then read the diff"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the golden file of that name, or write it with `--update-golden`."""
    update = bool(request.config.getoption("--update-golden", default=False))

    def compare(name: str, text: str) -> None:
        path, text = FILES / name, WORDS.sub(lambda found: f"{found[0][:2]}-" + "0" * 64, text)
        if update:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
            return
        assert path.exists(), f"no golden file {name}: run `pytest tests/golden --update-golden` and read it"
        wanted = path.read_text("utf-8")
        if wanted != text:
            diff = difflib.unified_diff(wanted.splitlines(), text.splitlines(), name, "now", lineterm="", n=1)
            pytest.fail("\n".join(diff), pytrace=False)

    return compare
