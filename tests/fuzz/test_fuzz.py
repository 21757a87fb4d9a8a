"""A short look at every reader of foreign bytes; `python -m tests.fuzz` looks longer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.engine import system as systems
from tests.fuzz.targets import TARGETS, finds

SHORT, LONG = 40, 4000
FOUND = [path for name in TARGETS for path in finds(name)]
SLOW = {"archive": 8, "mail": 2, "orders": 2}


@pytest.fixture(autouse=True, scope="module")
def _usual() -> Iterator[None]:
    """The rules that a target looks up are its own."""
    usual = systems.find
    yield
    systems.find = usual


@st.composite
def spoilt(draw: st.DrawFn, name: str) -> bytes:
    """A seed with some places changed."""
    target = TARGETS[name]
    data = bytearray(draw(st.sampled_from(list(target.seeds()))))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        length = draw(st.integers(0, 8))
        words = st.sampled_from(target.dictionary) if target.dictionary else st.nothing()
        data[at : at + length] = draw(st.one_of(st.binary(max_size=6), words))
    return bytes(data)


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_well_formed_is_read(name: str) -> None:
    seeds = TARGETS[name].seeds()
    assert seeds
    for seed in seeds:
        TARGETS[name].run(seed)


@pytest.mark.parametrize(
    "path", [p for name in TARGETS for p in finds(name)], ids=lambda p: f"{p.parent.name}-{p.name}"
)
def test_what_was_found_once_is_mended(path: Path) -> None:
    TARGETS[path.parent.name].run(path.read_bytes())


def look(name: str, examples: int) -> None:
    @settings(
        max_examples=max(examples // SLOW.get(name, 1), 5), deadline=None, database=None, derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.one_of(spoilt(name), st.binary(max_size=200)))
    def run(data: bytes) -> None:
        TARGETS[name].run(data)

    run()


@pytest.mark.parametrize("name", TARGETS)
def test_bytes_that_nobody_wrote_are_read_or_refused(name: str) -> None:
    look(name, SHORT)


@pytest.mark.long
@pytest.mark.parametrize("name", TARGETS)
def test_many_bytes_that_nobody_wrote(name: str) -> None:
    look(name, LONG)
