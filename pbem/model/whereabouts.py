"""The place of an event in the sequence of play: recorded as data, shown in words.

Events and the fact `game/place` hold `{"node": "B.2.c", "passes": {"GT": 3, "B": "red"}}`: the leaf or step,
and for each loop around it its count or its player. The labels of the outline make words of it. Games begun
with an engine before revision 8 have the finished words instead ("Game turn 3, red player turn, Movement");
they are taken apart here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.model.meaning import phrase_pattern
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

ENDED: Json = {"ended": True}
"""The place of a game that is over."""
BETWEEN = ", "


@dataclass(frozen=True)
class Label:
    """A node of the outline with its label, which may be empty; `more` is added to the count."""

    node: str
    text: str
    more: int = 0


Labels = Mapping[str, Sequence[Label]]
"""By the id of a leaf or step: the nodes around it, outermost first, and itself."""


@dataclass(frozen=True)
class Stop:
    """One part of a place: a label with the count and the player that fill it."""

    label: str
    n: int | None = None
    player: str | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """Return what fills the label."""
        counted = {} if self.n is None else {"n": self.n}
        return counted if self.player is None else {**counted, "player": self.player, "power": self.player}

    @property
    def text(self) -> str:
        """Return the label in the rulebook's English."""
        text = self.label
        for name, value in self.fields.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text


class Whereabouts(str):
    """A place in the rulebook's English that knows its parts."""

    stops: tuple[Stop, ...]

    def __new__(cls, stops: Sequence[Stop] = ()) -> Whereabouts:
        made = super().__new__(cls, BETWEEN.join(stop.text for stop in stops))
        made.stops = tuple(stops)
        return made

    @property
    def turn(self) -> int | None:
        """Return the count of the outermost loop: the game turn."""
        return next((stop.n for stop in self.stops if stop.n is not None), None)

    @property
    def players(self) -> set[str]:
        """Return the players that its labels name."""
        return {stop.player for stop in self.stops if stop.player is not None}


def stop_at(label: Label, count: int | None, phasing: str | None) -> Stop:
    """Return the part of a place that a label makes; fields that it does not name stay empty."""
    named = "{player}" in label.text or "{power}" in label.text
    n = count + label.more if count is not None and "{n}" in label.text else None
    return Stop(label.text, n, (phasing or "") if named else None)


def whereabouts(at: object, labels: Labels) -> Whereabouts:
    """Return where a place of a record is, in either form; no parts if it is no place."""
    if isinstance(at, str):
        return Whereabouts(_read(at, labels))
    if not is_place(at) or not isinstance(at, dict) or "node" not in at:
        return Whereabouts()
    around, passes = labels.get(at["node"]), at["passes"]
    if around is None:
        return Whereabouts([Stop(at["node"])])  # a node of other rules than the installed ones
    phasing = next(
        (power for label in reversed(around) if isinstance(power := passes.get(label.node), str)), None
    )
    stops, count = [], None
    for label in around:
        passed = passes.get(label.node)
        count = passed if isinstance(passed, int) else count
        if label.text and (count is not None or "{n}" not in label.text):
            stops.append(stop_at(label, count, phasing))
    return Whereabouts(stops)


def is_place(value: object) -> bool:
    """Return True if this is a place as records hold it: data, or the words of earlier engines."""
    if not isinstance(value, dict) or value == ENDED:
        return isinstance(value, str | dict)
    passes = value.get("passes")
    return (
        set(value) == {"node", "passes"}
        and isinstance(value["node"], str)
        and isinstance(passes, dict)
        and all(type(passing) in (int, str) for passing in passes.values())
    )


def _read(text: str, labels: Labels) -> list[Stop]:
    """Return the parts of a place in words; a label may have a comma itself."""
    known = list(dict.fromkeys(label.text for around in labels.values() for label in around if label.text))
    widest = 1 + max((label.count(BETWEEN) for label in known), default=0)
    parts, stops = text.split(BETWEEN), list[Stop]()
    while parts:
        joined = ((BETWEEN.join(parts[:n]), n) for n in range(min(widest, len(parts)), 0, -1))
        last = next(((stop, n) for label, n in joined if (stop := _stop(label, known)) is not None), None)
        stop, many = last or (Stop(parts[0]), 1)
        if stop.text:
            stops.append(stop)
        parts = parts[many:]
    return stops


def _stop(text: str, known: Sequence[str]) -> Stop | None:
    """Return the part that these words are by the first label that fits, or None."""
    if text in known:
        return Stop(text)
    for label in known:
        match = phrase_pattern(label).fullmatch(text) if "{" in label else None
        fields = match.groupdict() if match else {}
        player = fields.get("player", fields.get("power"))
        if match and fields.get("n", "0").isdecimal() and BETWEEN not in (player or ""):
            n = int(fields["n"]) if "n" in fields else None
            return Stop(label, n, player)
    return None
