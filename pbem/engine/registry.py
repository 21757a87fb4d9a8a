"""The registrations of a rules system's modules: functions for its outline, decisions, events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from pbem.engine.decisions import Decision
from pbem.model.events import Event
from pbem.text.dataclass import dataclass

Procedure = Callable[..., Any]


def procedure(name: str, *, rule: str) -> Callable[[Procedure], Procedure]:
    """Register an `async def (game, phasing)` as the leaf of that name."""
    return _mark("leaf", name, rule)


def condition(name: str) -> Callable[[Procedure], Procedure]:
    """Register a `def (game, phasing) -> bool` for `when` and `repeat_while`."""
    return _mark("condition", name, "")


def player_order(name: str) -> Callable[[Procedure], Procedure]:
    """Register a `def (game) -> Sequence[player]` for `each_player`."""
    return _mark("order", name, "")


def power_order(name: str) -> Callable[[Procedure], Procedure]:
    """Register a `def (game) -> Sequence[power]` for `each_power`."""
    return _mark("power_order", name, "")


def _mark(role: str, name: str, rule: str) -> Callable[[Procedure], Procedure]:
    def marked(function: Procedure) -> Procedure:
        function.__pbem__ = (role, name, rule)  # type: ignore[attr-defined]
        return function

    return marked


@dataclass(frozen=True)
class Registry:
    """The registrations of all modules of a system."""

    leaf: dict[str, Procedure] = field(default_factory=dict)
    condition: dict[str, Procedure] = field(default_factory=dict)
    order: dict[str, Procedure] = field(default_factory=dict)
    decisions: dict[str, type[Decision[Any]]] = field(default_factory=dict)
    events: dict[str, type[Event]] = field(default_factory=dict)
    power_order: dict[str, Procedure] = field(default_factory=dict)

    def add(self, item: Any) -> None:
        """Take in an item of a module, if it is something that is registered."""
        mark = getattr(item, "__pbem__", None)
        if isinstance(mark, tuple):
            role, name, _rule = mark
            known = getattr(self, role).setdefault(name, item)
            assert known is item, f"two functions are registered as {role} '{name}'"
        elif isinstance(item, type) and issubclass(item, Decision) and "kind" in vars(item):
            known = self.decisions.setdefault(item.kind, item)
            assert known is item, f"two decisions are called '{item.kind}'"
        elif isinstance(item, type) and issubclass(item, Event) and "kind" in vars(item):
            known_event = self.events.setdefault(item.kind, item)
            assert known_event is item, f"two events are called '{item.kind}'"
