"""The whole suite uses every core; a part of it, asked for by name, runs in one process as one is used to."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests import from_behind, luck, slow

# no test hangs on how quick or how busy a machine is
settings.register_profile("untimed", settings.default, deadline=None, max_examples=50)
settings.load_profile("untimed")

# Where Python is told to keep no compiled files, each of the some hundred programs that tests start would
# compile all of pbem anew, and each worker all tests: `__pycache__` is in nobody's way here.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


MEMORY, PLENTY = Path("/dev/shm"), 8 << 30
PLACE = "PYTEST_DEBUG_TEMPROOT"
"""pytest's own variable for where folders of tests lie."""


def _place_in_memory() -> str | None:
    """Where there is plenty of memory, folders of tests lie there: they write small files, many of them."""
    try:
        told = Path("/proc/meminfo").read_text("ascii")
        available = int(told.partition("MemAvailable:")[2].split()[0]) << 10
        free = min(available, shutil.disk_usage(MEMORY).free)
    except (OSError, ValueError, IndexError):
        return None
    return str(MEMORY) if free >= PLENTY and os.access(MEMORY, os.W_OK) else None


if PLACE not in os.environ and (place := _place_in_memory()):
    os.environ[PLACE] = place


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Memory is given back; what a failed test leaves stays to be looked at."""
    made = getattr(session.config, "_tmp_path_factory", None)
    ours = os.environ.get(PLACE) == str(MEMORY) and not hasattr(session.config, "workerinput")
    if made is not None and ours and exitstatus == 0 and not session.config.option.basetemp:
        shutil.rmtree(made.getbasetemp(), ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Workers for `-n auto`, which pyproject.toml always gives; none for a part of the suite."""
    whole = config.args == config.getini("testpaths") and not config.option.keyword
    return (os.cpu_count() or 1) if whole and not config.option.usepdb else 0


gc.disable()  # until all tests are there: eleven thousand of them, and the package, are no garbage


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Pass over files without a slower test where CI asks for those alone: reading all takes ten seconds."""
    asked = config.option.markexpr == slow.SLOWER and config.args == config.getini("testpaths")
    if not asked or collection_path.suffix != ".py":
        return None
    return None if slow.may_hold_slower(collection_path, config.rootpath) else True


def pytest_configure(config: pytest.Config) -> None:
    """Have the second worker read all tests from behind."""
    second = getattr(config, "workerinput", {}).get("workerid") == "gw1"
    if second and config.args == config.getini("testpaths"):
        config.pluginmanager.register(from_behind)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow tests of the whole suite, before pytest leaves out what is marked."""
    if config.args == config.getini("testpaths"):
        slow.mark(items)
        if config.option.markexpr != slow.SLOWER:
            config.stash[slow.FAULTS] = slow.faults(items)


TOGETHER = ("tests/architecture/", "tests/golden/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """As `--dist loadfile`; what reads the same syntax trees or sample games is run by one worker, once."""
    if config.option.dist != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return next((folder for folder in TOGETHER if file.startswith(folder)), file)

    return Together(config, log)


def pytest_collection_finish() -> None:
    """Nobody looks through all tests again and again for garbage, nor often through what tests keep: syntax
    trees, rules, games."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    which = getattr(request, "param_index", 0)
    with luck.drawn_for(f"{fixturedef.baseid}::{fixturedef.argname}[{which}]"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    with luck.drawn_for(item.nodeid):
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def _nobodys_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The games that tests open are in nobody's list of games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _in_english() -> Iterator[None]:
    """Whatever the computer speaks with whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_ALL", "C.UTF-8")
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_power_fails() -> Iterator[None]:
    """The disk is not waited for: no test pulls the plug; those that stop a process run one of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _same_luck() -> Iterator[None]:
    """Keys and dice are the same in every run (`tests/luck.py`)."""
    with luck.patched():
        yield
