"""Events: what happened, as data with its rule number, told to an audience (architecture, `model`).

An event is emitted where the change is made and holds all a reader needs: a report shows it and computes
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, ClassVar, Literal, TypeVar, dataclass_transform, get_args

from pbem.model.codec import to_json
from pbem.model.facts import PUBLIC, Audience
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

E = TypeVar("E", bound="Event")
To = Literal["public", "owner", "gm"]
# `approach`: forces come to where they may fight; a `round` goes on with the battle that was there before,
# `fire` is one that makes a fight only if it hits or something else comes of it
Tells = Literal[
    "turn",
    "move",
    "retreat",
    "approach",
    "prelude",
    "battle",
    "forces",
    "left",
    "round",
    "fire",
    "result",
    "outcome",
    "loss",
    "capture",
    "arrival",
    "score",
    "end",
]


class Event:
    """Base of all events.

    `kind` is the class name in kebab-case, `to` the audience unless the procedure names another.

    With `to="owner"` the event must have a field `owner` (a player), or the one that `owned_by` names. What
    its fields stand for, their types say (`model/meaning.py`); `tells` says what sort of thing happened, and
    `costs` what it always costs the player it befalls: quantity (as the wording calls it) to number.
    """

    kind: ClassVar[str]
    rule: ClassVar[str]
    to: ClassVar[To | None]
    owned_by: ClassVar[str] = "owner"
    tells: ClassVar[tuple[Tells, ...]] = ()
    costs: ClassVar[Mapping[str, int]] = {}

    def as_json(self) -> dict[str, Json]:
        fields = {name.rstrip("_"): to_json(value) for name, value in vars(self).items() if value is not None}
        return {"event": self.kind, "rule": self.rule, **fields}


def kebab(name: str) -> str:
    """Return the name in kebab-case: `MovedByRoad` -> `moved-by-road`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


RESERVED = frozenset({"event", "rule", "at", "to", "kind", "tells", "costs", "as_json", "owned_by"})
"""Names that no field of an event may have: the JSON of an event and its class use them."""


@dataclass_transform(frozen_default=True)
def event(
    *,
    rule: str,
    to: To | None = None,
    tells: Tells | tuple[Tells, ...] = (),
    costs: Mapping[str, int] | None = None,
    owned_by: str = "owner",
) -> Callable[[type[E]], type[E]]:
    """Make a class an event: a frozen dataclass with its rule number and its usual audience.

    Raises TypeError for a field with a reserved name, or an audience that there is not.
    """

    def made(cls: type[E]) -> type[E]:
        refuse_reserved("event", cls, RESERVED)
        if to is not None and to not in get_args(To):
            raise TypeError(f"event {cls.__name__}: to={to!r} is nobody; write public, owner or gm")
        made_class = dataclass(frozen=True)(cls)
        made_class.kind, made_class.rule, made_class.to = kebab(cls.__name__), rule, to
        made_class.tells = (tells,) if isinstance(tells, str) else tells
        made_class.costs = dict(costs or {})
        made_class.owned_by = owned_by
        return made_class

    return made


def refuse_reserved(what: str, cls: type, reserved: frozenset[str]) -> None:
    """Raise TypeError for a class with fields whose names are reserved, listing them all.

    A trailing underscore does not make another name.
    """
    taken = [name for name in vars(cls).get("__annotations__", {}) if name.rstrip("_") in reserved]
    if taken:
        names = ", ".join(f"'{name}'" for name in taken)
        raise TypeError(
            f"{what} {cls.__name__}: no field may be called {names}; pbem uses these names itself:"
            f" {', '.join(sorted(reserved))}"
        )


@dataclass(frozen=True)
class Roll:
    """A roll of the dice as the protocol writes it (9.2).

    `stage` is set if the roll was made in an earlier one.
    """

    label: tuple[str | int, ...]
    dice: str
    result: tuple[int, ...]
    stage: int | None = None
    hidden: bool = False

    @property
    def total(self) -> int:
        """Return the sum of the dice."""
        return sum(self.result)

    def as_json(self) -> dict[str, Json]:
        entry: dict[str, Json] = {"label": list(self.label), "dice": self.dice, "result": list(self.result)}
        return _marked(entry, self.stage, self.hidden)


def results_of(dice: str) -> Iterator[tuple[int, ...]]:
    """Yield every result of a throw such as `2d6` or `d66`, each as likely as any other."""
    number, _, faces = dice.partition("d")
    count, most = (2, 6) if dice == "d66" else (int(number or 1), int(faces))
    yield from product(range(1, most + 1), repeat=count)


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


def numbered(told: Sequence[Told], earlier: Sequence[Told]) -> list[Told]:
    """Return the events of one leaf, with `after` counted over all earlier ones, not over the leaf."""
    public = sum(1 for told_event in earlier if told_event.audience == PUBLIC)
    events: list[Told] = []
    for told_event in told:
        events.append(replace(told_event, after=public))
        public += told_event.audience == PUBLIC
    return events


def rolls_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every roll, shuffle and draw inside an event, at any depth (protocol 9.2)."""
    if isinstance(value, dict):
        if "label" in value and "result" in value:
            yield value
            return
        for item in value.values():
            yield from rolls_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from rolls_in(item)
