"""The conformance suite over all systems: those that are installed, and the primer."""

from pathlib import Path

import pytest

from pbem.engine.package import LOOK
from pbem.engine.system import System
from pbem.report.language import languages
from pbem.testing.conformance import *  # noqa: F403
from pbem.testing.listing import file_of
from tests.conformance.systems import ALL, INSTALLED

SYSTEMS = ALL
SNAPSHOTS = Path(__file__).parent / "snapshots"
del test_worked_example  # noqa: F821  tests/examples runs them


def test_every_snapshot_belongs_to_a_system() -> None:
    assert set(SNAPSHOTS.iterdir()) == {file_of(system, SNAPSHOTS) for system in ALL}


@pytest.mark.parametrize("installed", INSTALLED, ids=lambda system: system.name)
def test_an_installed_system_has_all_that_is_looked_at(installed: System) -> None:
    for file in ("README.md", "rulings.yaml", LOOK, "examples/*.yaml", "words/en/*.yaml", "changelog.yaml"):
        assert installed.files(file), file


@pytest.mark.parametrize("installed", INSTALLED, ids=lambda system: system.name)
def test_an_installed_system_speaks_every_language_that_reports_speak(installed: System) -> None:
    assert {"en", *installed.languages()} == set(languages())
