"""A site for tests, built once in a run, and Python as it runs there.

What it is made of comes from the folder that PBEM_SITE_FROM names; pbem/cli/site/pinned.yaml says what lies
there. Without it the tests that ask are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zlib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from pbem.cli.site.build import build, put
from pbem.cli.site.compiling import node
from pbem.cli.site.packing import END
from tests.browser.conftest import HERE, browser


def site() -> Path:
    """A web space with a site in `games/pbem`; skips the test that asks where something is missing."""
    if not os.environ.get("PBEM_SITE_FROM"):
        pytest.skip("no runtime here: PBEM_SITE_FROM names a folder with the files of pinned.yaml")
    browser()
    return Path(_web().name)


@cache
def _web() -> TemporaryDirectory[str]:
    made = TemporaryDirectory(prefix="pbem-web-")
    built = build(Path(os.environ["PBEM_SITE_FROM"]), node(), level=1)
    put(built, Path(made.name) / "games" / "pbem")
    return made


def in_wasm(tmp_path: Path, program: str) -> Any:
    """Return what a program gives as JSON in the Python of the site, in Node."""
    there = tmp_path / "site"
    tmp_path.mkdir(exist_ok=True)
    shutil.copytree(site() / "games" / "pbem", there)
    for sent in there.rglob(f"*{END}"):
        sent.with_suffix("").write_bytes(zlib.decompress(sent.read_bytes()))
    (there / "package.json").write_text('{"type": "module"}')
    (tmp_path / "program.py").write_text(program)
    command = ["node", str(HERE / "wasm.mjs"), str(there), str(tmp_path / "program.py")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)
