"""A rules system with one scenario more, an invented war: what the benchmarks of large games play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.system import System


class BigSystem(System):
    """The system with the scenario "big", which is in no file."""

    big: dict[str, Any]

    def scenarios(self) -> list[str]:
        return [*super().scenarios(), "big"]

    def scenario(self, name: str) -> dict[str, Any]:
        return self.big if name == "big" else super().scenario(name)


def with_war(system: System, war: Mapping[str, Any]) -> BigSystem:
    """The rules of a system with this war as one scenario more."""
    known = {name: getattr(system, name) for name in System.__dataclass_fields__ if not name.startswith("_")}
    found = BigSystem(**known)
    found.big = dict(war)
    return found
