"""What several tests of this room share."""

from collections.abc import Iterator

import pytest


@pytest.fixture(params=[False, True], ids=["scanner in C", "scanner in Python"])
def pure(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Which of the two scanners of the YAML library reads the file: they must agree."""
    yield request.param
