"""Runs the check of a book's page over archives, in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.report.html import PAGES

HERE = Path(__file__).parent
SCRIPTS = ("proof.js", "audit.js")


def audited(archives: Sequence[Any], where: Path) -> list[dict[str, Any]]:
    """Return what the page's program says of each archive, as `public_evidence` gives it."""
    if shutil.which("node") is None:
        pytest.skip("no Node.js here")
    files = [where / f"evidence-{n}.json" for n in range(len(archives))]
    for file, data in zip(files, archives, strict=True):
        file.write_text(json.dumps(data), "utf-8")
    done = subprocess.run(
        ["node", str(HERE / "audit.mjs"), *(str(PAGES / name) for name in SCRIPTS)],
        input=json.dumps([str(file) for file in files]),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
