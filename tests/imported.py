"""Packages that a test imports from a folder of its own."""

from __future__ import annotations

import sys

from pbem.text import dataclass


def forget(package: str) -> None:
    """Forget a package and its modules, with the dataclasses of theirs that nobody has used yet."""
    waiting = dataclass._waiting or {}
    for owner in [owner for owner in waiting if owner.__module__.partition(".")[0] == package]:
        del waiting[owner]
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
