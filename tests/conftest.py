"""The whole suite uses every core; a part of it, asked for by name, runs in one process as one is used to."""

from __future__ import annotations

import gc
import os
import re
import shutil
import sys
from bisect import bisect_left
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests import luck

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


SLOW = Path(__file__).parent / "slow.txt"
SLOWER = "dozens"
"""The mark of what CI runs beside the README's suite."""
MARKS_IT = re.compile(r"\b(dozens|in_ci|IN_CI|by_the_hundred)\b")


@cache
def _of(when: str) -> tuple[str, ...]:
    """Return how the names of the tests begin that `slow.txt` moves to the night, or to CI."""
    lines = (line.split(" ", 1) for line in SLOW.read_text("utf-8").splitlines() if line[:1] != "#")
    return tuple(name for moved, name in lines if moved == when)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Pass over files without a slower test where CI asks for those alone: reading all takes ten seconds."""
    asked = config.option.markexpr == SLOWER and config.args == config.getini("testpaths")
    if not asked or collection_path.suffix != ".py":
        return None
    return None if _may_hold_slower(collection_path, config.rootpath) else True


@cache
def _may_hold_slower(path: Path, root: Path) -> bool:
    """Return whether `slow.txt` names something of the file, or it or a `conftest.py` above sets the mark."""
    name = path.relative_to(root).as_posix()
    if any(one.startswith(name) or name.startswith(one) for one in _of("ci")):
        return True
    above = [folder / "conftest.py" for folder in path.parents if SLOW.parent in folder.parents]
    return any(MARKS_IT.search(one.read_text("utf-8")) for one in (path, *above) if one.is_file())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow tests of the whole suite, before pytest leaves out what is marked."""
    if config.args != config.getini("testpaths"):
        return
    night, ci = _of("night"), _of("ci")
    for item in items:
        if item.nodeid.startswith(night):
            item.own_markers[:] = [mark for mark in item.own_markers if mark.name != SLOWER]
            item.add_marker("long")
        elif item.nodeid.startswith(ci) and not item.get_closest_marker("long"):
            item.add_marker("long")
            item.add_marker(SLOWER)
    if config.option.markexpr != SLOWER:
        _check_names(items, (*night, *ci))


def _check_names(items: list[pytest.Item], listed: tuple[str, ...]) -> None:
    """Refuse names in `slow.txt` that no test has, and slower tests in files that CI would pass over."""
    names = sorted(item.nodeid for item in items)
    if gone := [name for name in listed if not _begun_by(names, name)]:
        raise pytest.UsageError(f"{SLOW.name}: no such tests: {', '.join(gone)}")
    marked = {item.path for item in items if item.get_closest_marker(SLOWER)}
    if unseen := [
        path.name for path in sorted(marked) if not _may_hold_slower(path, items[0].config.rootpath)
    ]:
        raise pytest.UsageError(f"CI would not see that these hold slower tests: {', '.join(unseen)}")


def _begun_by(names: list[str], start: str) -> bool:
    """Return whether a name begins so; `names` are sorted."""
    place = bisect_left(names, start)
    return place < len(names) and names[place].startswith(start)


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
