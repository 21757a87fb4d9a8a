"""Rules systems that are brought when they are first imported."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from pbem.cli.site.later import Later


def test_a_system_is_brought_once_and_then_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pbem

    home = tmp_path / "pbem" / "systems"
    home.mkdir(parents=True)
    monkeypatch.setattr(pbem, "__path__", [*pbem.__path__, str(tmp_path / "pbem")])
    monkeypatch.delitem(sys.modules, "pbem.systems", raising=False)
    brought: list[str] = []

    def bring(name: str) -> None:
        brought.append(name)
        if name == "lost":
            raise OSError("no network")
        (home / name).mkdir()
        (home / name / "__init__.py").write_text("FAR = True\n")

    monkeypatch.setattr(sys, "meta_path", [Later(("faraway", "lost"), bring), *sys.meta_path])
    for _ in range(2):
        assert importlib.import_module("pbem.systems.faraway").FAR
    with pytest.raises(ImportError, match="no network"):
        importlib.import_module("pbem.systems.lost")
    with pytest.raises(ImportError):
        importlib.import_module("pbem.systems.never")
    assert brought == ["faraway", "lost"]
    sys.modules.pop("pbem.systems.faraway")
