"""Modules that a site finds as bytecode, and rules systems that are brought when they are first imported."""

from __future__ import annotations

import importlib
import py_compile
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.site.finding import Found


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    import pbem

    home = tmp_path / "pbem" / "systems"
    home.mkdir(parents=True)
    monkeypatch.setattr(pbem, "__path__", [*pbem.__path__, str(tmp_path / "pbem")])
    monkeypatch.delitem(sys.modules, "pbem.systems", raising=False)
    before = set(sys.modules)
    yield home
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_a_system_is_brought_once_and_then_found(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    brought: list[str] = []

    def bring(name: str) -> list[str]:
        brought.append(name)
        if name == "lost":
            raise OSError("no network")
        (home / name).mkdir()
        (home / name / "__init__.py").write_text("FAR = True\n")
        return []

    finder = Found(str(home.parents[1]), ("faraway", "lost"), bring, lambda name: b"")
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    for _ in range(2):
        assert importlib.import_module("pbem.systems.faraway").FAR
    for _ in range(2):
        with pytest.raises(ImportError, match="no network") as fault:
            importlib.import_module("pbem.systems.lost")
        assert fault.value.name == "pbem.systems.lost"
    with pytest.raises(ImportError):
        importlib.import_module("pbem.systems.never")
    assert brought == ["faraway", "lost", "lost"], "what failed is tried again"


def test_a_module_is_found_by_its_bytecode_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its place, and the files beside it: only the source is not there."""
    code: dict[str, bytes] = {}
    for name, text in (("__init__", "HERE = __file__"), ("deep/__init__", ""), ("deep/one", "ONE = 1")):
        source = home / f"{name}.py"
        source.parent.mkdir(exist_ok=True)
        source.write_text(text + "\n")
        made = py_compile.compile(str(source), doraise=True)
        code["/".join(("pbem", "systems", "near", f"{name}.py"))] = Path(str(made)).read_bytes()
        source.unlink()
    (home / "near").mkdir()
    (home / "near" / "table.txt").write_text("data")
    finder = Found(str(home.parents[1]), ("near",), lambda name: list(code), code.__getitem__)
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    near = importlib.import_module("pbem.systems.near")
    assert Path(near.HERE).with_name("table.txt").read_text() == "data"
    assert importlib.import_module("pbem.systems.near.deep.one").ONE == 1
    with pytest.raises(ImportError):
        importlib.import_module("pbem.systems.near.two")
