"""The program for authors that writes down in which order options come."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.testing.__main__ import main
from pbem.testing.listing import system_of

SNAPSHOTS = Path(__file__).parents[2] / "conformance" / "snapshots"


def test_systems_that_are_named_are_written_with_all_that_the_conformance_suite_has_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "snapshots"
    assert main(["tests.primer:SYSTEM", "tests.primer:FOG", str(folder)]) == 0
    names = ["primer-options.json", "primer-fog-options.json"]
    assert capsys.readouterr().out == "".join(f"written: {folder / name}\n" for name in names)
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    for name in names:
        written, kept = (json.loads((where / name).read_bytes()) for where in (folder, SNAPSHOTS))
        assert written["at the start"] == kept["at the start"]
        assert kept["in examples"].items() <= written["in examples"].items()


@pytest.mark.parametrize("words", [[], ["tests.primer:SYSTEM"]])
def test_without_a_system_and_a_folder_it_says_what_it_wants(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert "SYSTEM... FOLDER" in capsys.readouterr().out


def test_a_system_is_named_as_it_is_installed_or_by_its_place() -> None:
    assert system_of("diplomacy").name == "diplomacy"
    assert system_of("tests.primer:SYSTEM").name == "primer"
    with pytest.raises(AssertionError, match="no System"):
        system_of("tests.primer:__name__")
