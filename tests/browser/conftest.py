"""A browser for tests: Chromium, and Node with the packages of package.json.

They are skipped, saying so, where one of these is missing:

    apt-get install chromium; npm ci --prefix tests/browser --ignore-scripts

`pytest tests/browser --shots DIR` keeps pictures of the pages, to be looked at.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
Visit = Callable[[dict[str, dict[str, Any]]], dict[str, dict[str, Any]]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shots", metavar="DIR", help="keep pictures of the pages that tests open")


def browser() -> str:
    """Where Chromium is; skips the test that asks where something is missing."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    if shutil.which("node") is None:
        pytest.skip("no Node.js here, which drives the browser")
    for package in ("playwright-core", "axe-core"):
        if not (HERE / "node_modules" / package).is_dir():
            pytest.skip(f"no {package} here: npm ci --prefix tests/browser --ignore-scripts")
    return found


@pytest.fixture(scope="session")
def visit(request: pytest.FixtureRequest) -> Visit:
    """Open pages by name, all in one browser; what came of each, by the same names."""
    chromium = browser()
    shots = request.config.getoption("--shots", default=None)

    def run(pages: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        jobs = [dict(page) for page in pages.values()]
        if shots:
            Path(shots).mkdir(parents=True, exist_ok=True)
            for name, job in zip(pages, jobs, strict=True):
                job.setdefault("shot", str(Path(shots).absolute() / f"{name}.png"))
        done = subprocess.run(
            ["node", str(HERE / "visit.mjs")],
            input=json.dumps({"chromium": chromium, "pages": jobs}),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return dict(zip(pages, json.loads(done.stdout), strict=True))

    return run


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The figures that tests measured are told at the end; nothing depends on them."""
    found = [
        value
        for report in terminalreporter.stats.get("passed", ())
        for name, value in getattr(report, "user_properties", ())
        if name == "figure" and report.when == "call"
    ]
    if found:
        terminalreporter.section("figures")
        for line in found:
            terminalreporter.write_line(line)
