"""The whole suite uses every core; a part of it, asked for by name, runs in one process as one is used to."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Workers for `-n auto`, which pyproject.toml always gives; none for a part of the suite."""
    whole = config.args == config.getini("testpaths") and not config.option.keyword
    return (os.cpu_count() or 1) if whole and not config.option.usepdb else 0


@pytest.fixture(scope="session", autouse=True)
def _no_power_fails() -> Iterator[None]:
    """The disk is not waited for: no test pulls the plug; those that stop a process run one of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield
