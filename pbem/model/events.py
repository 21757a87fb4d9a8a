"""Events: what happened, as data with its rule number, told to an audience (architecture, `model`).

An event is emitted where the change is made and holds all a reader needs: a report shows it and computes
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar, dataclass_transform

from pbem.model.codec import to_json
from pbem.model.facts import Audience
from pbem.text.canonical import Json

E = TypeVar("E", bound="Event")
To = Literal["public", "owner", "gm"]


class Event:
    """Base of all events. `kind` is the class name in kebab-case, `to` who is told if the procedure says
    nothing else.

    With `to="owner"` the event must have a field `owner` (a player).
    """

    kind: ClassVar[str]
    rule: ClassVar[str]
    to: ClassVar[To | None]

    def as_json(self) -> dict[str, Json]:
        fields = {name: to_json(value) for name, value in vars(self).items() if value is not None}
        return {"event": self.kind, "rule": self.rule, **fields}


def kebab(name: str) -> str:
    """`MovedByRoad` -> `moved-by-road`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


@dataclass_transform(frozen_default=True)
def event(*, rule: str, to: To | None = None) -> Callable[[type[E]], type[E]]:
    """Make a class an event: a frozen dataclass with its rule number and its usual audience."""

    def made(cls: type[E]) -> type[E]:
        made_class = dataclass(frozen=True)(cls)
        made_class.kind, made_class.rule, made_class.to = kebab(cls.__name__), rule, to
        return made_class

    return made


@dataclass(frozen=True)
class Roll:
    """A roll of the dice as the protocol writes it (9.2). `stage` is set where the roll was made in an
    earlier one."""

    label: tuple[str | int, ...]
    dice: str
    result: tuple[int, ...]
    stage: int | None = None
    hidden: bool = False

    @property
    def total(self) -> int:
        """The sum of the dice."""
        return sum(self.result)

    def as_json(self) -> dict[str, Json]:
        entry: dict[str, Json] = {"label": list(self.label), "dice": self.dice, "result": list(self.result)}
        return _marked(entry, self.stage, self.hidden)


@dataclass(frozen=True)
class Shuffle:
    """A shuffled list (protocol 9.2): `before` as it was, `result` as it is now."""

    label: tuple[str | int, ...]
    before: tuple[str | int, ...]
    result: tuple[str | int, ...]
    stage: int | None = None
    hidden: bool = False

    def as_json(self) -> dict[str, Json]:
        entry: dict[str, Json] = {
            "label": list(self.label),
            "shuffle": list(self.before),
            "result": list(self.result),
        }
        return _marked(entry, self.stage, self.hidden)


def _marked(entry: dict[str, Json], stage: int | None, hidden: bool) -> dict[str, Json]:
    if stage is not None:
        entry["stage"] = stage
    if hidden:
        entry["hidden"] = True
    return entry


@dataclass(frozen=True)
class Told:
    """An event as JSON, who is told, and after how many public events of the stage it came."""

    audience: Audience
    event: dict[str, Json]
    after: int


def rolls_in(value: Any) -> Iterator[dict[str, Any]]:
    """Every roll, shuffle and draw inside an event, at whatever depth (protocol 9.2)."""
    if isinstance(value, dict):
        if "label" in value and "result" in value:
            yield value
            return
        for item in value.values():
            yield from rolls_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from rolls_in(item)
