"""Tests for pytest of what every rules system must have and keep.

In a test file of the author's:

    from my_system import SYSTEM
    from pbem.testing.conformance import *  # noqa: F403
    SYSTEMS = [SYSTEM]

`SNAPSHOTS`, a folder, says where the order of options is kept (`snapshots` beside the test file if it is not
there); `python -m pbem.testing my-system snapshots` writes it.
"""

import importlib

import pytest

from pbem.testing.conformance.over import pytest_generate_tests

MODULES = (
    "worked", "data", "decisions", "event_schemas", "events", "facts", "fights", "growing", "look", "options",
    "outline", "readers", "readme", "schemas", "translations",
)  # fmt: skip
pytest.register_assert_rewrite(*(f"{__name__}.{name}" for name in MODULES))

__all__ = ["pytest_generate_tests"]
for _name in MODULES:
    for _key, _item in vars(importlib.import_module(f"{__name__}.{_name}")).items():
        if _key.startswith("test_"):
            assert _key not in globals(), f"two tests are called {_key}"
            globals()[_key] = _item
            __all__ += [_key]
