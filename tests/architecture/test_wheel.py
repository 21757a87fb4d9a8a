"""What people install: the whole package with its data and schemas, and nothing else."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.architecture.code import PACKAGE, ROOT
from tests.nightly import IN_CI

_MESSAGES = re.compile(r"pbem/words/\w+/\w+/.*")
_OF_SYSTEMS = re.compile(r"pbem/systems/(\w+)/words/(\w+)/messages/.*")

pytestmark = list(IN_CI)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel of this checkout, made as pip makes it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "--quiet", "-w", str(folder)]
    if importlib.util.find_spec("hatchling"):
        command.append("--no-build-isolation")  # then no index is needed
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode and "No matching distribution found for hatchling" in done.stderr:
        pytest.skip("hatchling is not installed here and no package index can be reached")
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("pbem-*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def unpacked(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as it lies in a `site-packages`."""
    folder = tmp_path_factory.mktemp("site")
    wheel.extractall(folder)
    return folder


def on_disk(folder: Path, prefix: str) -> set[str]:
    return {
        f"{prefix}/{path.relative_to(folder).as_posix()}"
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_the_package_and_the_schemas_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    inside = {name for name in wheel.namelist() if ".dist-info/" not in name}
    files = on_disk(PACKAGE, "pbem") | on_disk(ROOT / "schemas", "pbem/_schemas")
    messages = {name for name in files if _MESSAGES.fullmatch(name)}
    compiled = {f"{name.rpartition('/')[0]}.json" for name in messages}
    for found in filter(None, map(_OF_SYSTEMS.fullmatch, files)):
        compiled.add(f"pbem/words/{found[2]}/_systems/{found[1].replace('_', '-')}.json")
    assert messages and inside == files - messages | compiled


@pytest.mark.parametrize(
    "name",
    [
        "pbem/py.typed",
        "pbem/_schemas/state.schema.json",
        "pbem/_schemas/victory/orders.schema.json",
        "pbem/systems/victory/rules/sequence.yaml",
        "pbem/systems/victory/rules/scenarios/sarn_strait.yaml",
        "pbem/systems/victory/README.md",
    ],
)
def test_what_is_no_code_comes_along(wheel: zipfile.ZipFile, name: str) -> None:
    assert wheel.read(name) is not None


def test_the_wheel_says_what_it_is(wheel: zipfile.ZipFile) -> None:
    texts = {Path(n).name: wheel.read(n).decode() for n in wheel.namelist() if ".dist-info/" in n}
    assert "pbem = pbem.cli.main:main" in texts["entry_points.txt"]
    assert "victory = pbem.systems.victory:SYSTEM" in texts["entry_points.txt"]
    assert "MIT" in texts["LICENSE"]
    for extra in ("pytest", "hypothesis", "ruff", "mypy"):
        needed = [line for line in texts["METADATA"].splitlines() if f"Requires-Dist: {extra}" in line]
        assert all("extra ==" in line for line in needed), f"{extra} would be installed at every player's"


PROGRAM = """
import json, pbem
from pbem.engine.adjudicate import start
from pbem.systems.victory import SYSTEM
from pbem.text.schema import find
state = start(SYSTEM, SYSTEM.scenarios()[0])
from pbem.text.messages import Message, in_language
said = Message("text.source.too-big", length=3, size=2)
print(json.dumps([pbem.__file__, find("victory/orders")["$id"], len(state.position.counters), SYSTEM.digest,
                  said, in_language(said, "de")]))
"""


def test_an_installed_package_finds_its_data_and_its_schemas(unpacked: Path, tmp_path: Path) -> None:
    from pbem.engine.system import find

    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    file, schema, counters, digest, english, german = json.loads(done.stdout)
    assert english == "the file has 3 bytes; at most 2 are read" and german.startswith(
        "die Datei hat 3 Bytes"
    )
    assert Path(file).is_relative_to(unpacked), "the checkout was imported, not the wheel"
    assert schema.endswith("/victory/orders.schema.json") and counters > 10
    assert digest == find("victory").digest, "the same rules have another digest when they are installed"
