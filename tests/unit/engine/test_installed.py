"""What installed packages offer is found as the standard library finds it."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from pbem.engine.installed import entry_points


@pytest.mark.parametrize("group", ["pbem.systems", "console_scripts", "pytest11", "no.such.group"])
def test_the_same_as_the_standard_library_finds(group: str) -> None:
    wanted = {one.name: (one.module, one.attr) for one in metadata.entry_points(group=group) if one.attr}
    assert {name: (one.module, one.attribute) for name, one in entry_points(group).items()} == wanted


def _package(place: Path, name: str, text: str) -> None:
    folder = place / f"{name}-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(text)


def test_the_package_found_first_offers_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _package(tmp_path / "a", "one", "[other]\nx = no:no\n\n[pbem.systems]\nchess = os.path:join\n# no\n")
    _package(tmp_path / "b", "one", "[pbem.systems]\nold = no:no\n")
    _package(
        tmp_path / "b",
        "two",
        "[pbem.systems]\nchess = no:no\ngo= os.path : sep [extra]\n[later]\ny = no:no\n",
    )
    monkeypatch.setattr("sys.path", [str(tmp_path / "a"), str(tmp_path / "missing"), str(tmp_path / "b")])
    found = entry_points("pbem.systems")
    assert found.keys() == {"chess", "go"}
    import os

    assert found["chess"].load() is os.path.join and found["go"].load() == os.sep


def test_of_two_packages_in_one_place_the_first_by_name_offers_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whatever order the computer lists them."""
    for name in ("two", "one", "three"):
        _package(tmp_path, name, f"[pbem.systems]\nchess = {name}:no\n")
    listed = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    for order in (listed, listed[::-1]):
        monkeypatch.setattr("os.listdir", lambda place, order=order: order)
        assert entry_points("pbem.systems")["chess"].module == "one"
