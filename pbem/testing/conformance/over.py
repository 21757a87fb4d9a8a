"""The parameters of the tests: the systems of the author's module, their scenarios, decisions,
tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pbem.engine.system import System
from pbem.rules import Growing
from pbem.testing.examples import examples

T = TypeVar("T", bound=Callable[..., None])

# argument of a test beside `system` -> what it takes
EACH: Mapping[str, Callable[[System], Iterable[Any]]] = {
    "scenario": lambda system: system.scenarios(),
    "kind": lambda system: sorted(system.registry.decisions),
    "growing": lambda system: sorted(
        kind for kind, cls in system.registry.decisions.items() if issubclass(cls, Growing)
    ),
    "table": lambda system: system.files("tables/*.yaml"),
    "language": lambda system: system.languages(),
    "example": lambda system: [pytest.param(data, id=name) for name, data in examples(system)],
}


def needs(file: str) -> Callable[[T], T]:
    """Mark a test of a file that a system may lack."""

    def marked(test: T) -> T:
        test.needs = file  # type: ignore[attr-defined]
        return test

    return marked


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test over `SYSTEMS` of its module, and over the other parameters that it asks
    for.
    """
    if "system" not in metafunc.fixturenames:
        return
    file = getattr(metafunc.function, "needs", None)
    systems = [system for system in metafunc.module.SYSTEMS if file is None or system.files(file)]
    names = [name for name in EACH if name in metafunc.fixturenames]
    if not names:
        metafunc.parametrize("system", systems, ids=[system.name for system in systems])
        return
    (name,) = names
    cases = [_case(system, value) for system in systems for value in EACH[name](system)]
    metafunc.parametrize(("system", name), cases)


def _case(system: System, value: Any) -> Any:
    if isinstance(value, str):
        return pytest.param(system, value, id=f"{system.name}/{value}")
    return pytest.param(system, *value.values, id=value.id)


def snapshots_of(request: pytest.FixtureRequest) -> Path:
    """Return the folder where the module of a test keeps the order of options."""
    beside = Path(str(request.module.__file__)).parent / "snapshots"
    folder: Path = getattr(request.module, "SNAPSHOTS", beside)
    return folder
