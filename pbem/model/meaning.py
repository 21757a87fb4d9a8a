"""The meaning of events: the types of their fields mark players, places, units and losses.

Reports, figures and maps read these declarations; none of them reads a sentence or guesses by names. The
JSON of an event stays what it is.

    @event(rule="7.4", to="public", tells="retreat")
    class FellBack(Event):
        player: PlayerName          # whom it concerns, and who bears its losses
        units: UnitIds
        origin: Origin              # an arrow of the map begins here
        path: Way                   # and goes on through these
        lost: Annotated[int, Lost("step")]    # so many of the quantity `step` of the wording

| type | JSON | stands for |
|---|---|---|
| `PlayerName`, `Loser`, `Thrower` | text | a player; the one who bears the losses; who rolled |
| `ThrowingAttacker` | text | a player who attacks and rolls |
| `Attacker`, `Defender` | text | a player; who attacks, who defends in an event that tells a battle |
| `Before`, `After` | text | who held a place before, who holds it now (a capture, an outcome) |
| `Place`, `Origin`, `Destination` | text | a location of the map: where, whence, whither |
| `Places`, `Way` | list | several locations; those entered one after another |
| `UnitId`, `UnitIds` | text, list | counters by their ids |
| `MaybeUnit` | text | a counter by its id, or nothing |
| `AttackingUnits`, `DefendingUnits` | list | counters that attacked or defended in a battle |
| `AttackingUnit`, `DefendingUnit` | text | the same of one counter; empty is none |
| `Title`, `Titles` | text, list | ids that sentences say by their titles (cards) |
| `Prose`, `Proses` | text, list | a text in which ids of places and titles are said by their names |
| `Count` | number | how many counters, where their ids are not told |
| `Annotated[int, Lost("step")]` | number | so many of a quantity are lost |
| `Losses` | mapping | quantity to number lost |
| `Annotated[bool, STOPPED]` | truth or text | a move was stopped, and why |
| `Capture` | mapping | a place that changed hands |
| `Flow` | mapping | an amount that went from one place to another by way of a third: supply |

Keys of a mapping mean what their type says (`dict[PlayerName, int]`). A text that is put together of several
is declared with its form: `Annotated[str, Phrase("{unit} to {place}")]`.
"""

from __future__ import annotations

import functools
import re
import types
import typing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, is_dataclass
from typing import Annotated, Any, Union, get_args, get_origin

from pbem.model.codec import Means, Name
from pbem.model.events import Event, Tells
from pbem.text.dataclass import dataclass

PlayerName = Annotated[str, Means("player")]
Loser = Annotated[str, Means("player", "loser")]
Thrower = Annotated[str, Means("player", "thrower")]
Attacker = Annotated[str, Means("player", "attacker")]
ThrowingAttacker = Annotated[str, Means("player", "attacker"), Means("player", "thrower")]
Defender = Annotated[str, Means("player", "defender")]
Before = Annotated[str, Means("player", "before")]
After = Annotated[str, Means("player", "after")]
Place = Annotated[str, Means("place")]
Origin = Annotated[str, Means("place", "from")]
Destination = Annotated[str, Means("place", "to")]
Places = tuple[Place, ...]
Way = tuple[Annotated[str, Means("place", "way")], ...]
UnitId = Annotated[Name, Means("unit")]
UnitIds = tuple[UnitId, ...]
MaybeUnit = Annotated[str, Means("unit")]
AttackingUnit = Annotated[str, Means("unit", "came")]
AttackingUnits = tuple[Annotated[Name, Means("unit", "came")], ...]
DefendingUnit = Annotated[str, Means("unit", "stood")]
DefendingUnits = tuple[DefendingUnit, ...]
Title = Annotated[str, Means("title")]
Titles = tuple[Title, ...]
Prose = Annotated[str, Means("prose")]
Proses = tuple[Prose, ...]
Count = Annotated[int, Means("count")]
Losses = Annotated[dict[str, int], Means("losses")]


STOPPED = Means("stopped")
"""The mark of a field that says why or that a move was stopped: `Annotated[bool, STOPPED]`."""


def Lost(quantity: str) -> Means:
    """Return the mark of a number that is lost of a quantity: `Annotated[int, Lost("step")]`."""
    return Means("lost", quantity)


@dataclass(frozen=True)
class Phrase:
    """The form of a composed text.

    `{player}` (or `{thrower}`), `{place}` (or `{from}`, `{to}`) and `{unit}` become names. Other fields are
    words without a meaning; the last takes all that is left.
    """

    form: str


@dataclass(frozen=True)
class Capture:
    """A place that changed hands; nobody is empty."""

    place: Place
    before: PlayerName
    after: PlayerName


@dataclass(frozen=True)
class Flow:
    """So much of something (supply) that went from one place to another; `via` is where it was handed on."""

    origin: Place
    goal: Place
    amount: int
    via: Place = ""


@dataclass(frozen=True)
class Meaning:
    """The meaning of one event, everything in the order of its fields.

    `places` has all locations, `origins`, `way` and `goals` those with a part of their own, `here` the
    others. `came` and `stood` are the `units` that attacked and that defended.
    """

    tells: tuple[Tells, ...] = ()
    players: tuple[str, ...] = ()
    losers: tuple[str, ...] = ()
    throwers: tuple[str, ...] = ()
    attackers: tuple[str, ...] = ()
    defenders: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
    stood: tuple[str, ...] = ()
    count: int | None = None
    places: tuple[str, ...] = ()
    here: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    way: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    losses: Mapping[str, int] = field(default_factory=dict)
    captures: tuple[Capture, ...] = ()
    flows: tuple[Flow, ...] = ()
    stopped: bool = False


Found = tuple[str, str, Any]  # what, how, value


def meaning(cls: type[Event] | None, event: Mapping[str, Any]) -> Meaning:
    """Return the meaning of an event (as JSON) by its class; empty if the class is unknown.

    Foreign data is taken as it comes: what is not of its declared type means nothing.
    """
    if cls is None:
        return Meaning()
    meanings = [
        meant for name, kind in _meant(typing.cast(Any, cls)) for meant in _found(kind, event.get(name))
    ]
    texts: dict[tuple[str, str], list[str]] = {}
    for what, how, value in meanings:
        if isinstance(value, str):
            texts.setdefault((what, how), []).append(value)
    players = _each(value for what, _, value in meanings if what == "player")
    named = _each(texts.get(("player", "loser"), ()))
    losses: Counter[str] = Counter(cls.costs)
    here = _each(texts.get(("place", ""), ()))
    captures = [value for what, _, value in meanings if what == "capture"]
    if "capture" in cls.tells and not captures and here:
        befores, afters = (texts.get(("player", how), ()) for how in ("before", "after"))
        captures.append(Capture(here[0], next(iter(befores), ""), next(iter(afters or players), "")))
    for what, how, value in meanings:
        if what == "lost":
            losses[how] += value
        elif what == "losses":
            losses.update(value)
    return Meaning(
        tells=cls.tells,
        players=players,
        losers=named or _each(texts.get(("player", ""), ())) or players,
        throwers=_each(texts.get(("player", "thrower"), ())),
        attackers=_each(texts.get(("player", "attacker"), ())),
        defenders=_each(texts.get(("player", "defender"), ())),
        holders=_each(texts.get(("player", "after"), ())),
        units=_each(value for what, _, value in meanings if what == "unit"),
        came=_each(texts.get(("unit", "came"), ())),
        stood=_each(texts.get(("unit", "stood"), ())),
        count=next((value for what, _, value in meanings if what == "count"), None),
        places=_each(value for what, _, value in meanings if what == "place"),
        here=here,
        origins=_each(texts.get(("place", "from"), ())),
        way=tuple(texts.get(("place", "way"), ())),
        goals=tuple(texts.get(("place", "to"), ())),
        losses={name: amount for name, amount in losses.items() if amount},
        captures=tuple(captures),
        flows=tuple(value for what, _, value in meanings if what == "flow"),
        stopped=any(value for what, _, value in meanings if what == "stopped"),
    )


def _each(values: Any) -> tuple[str, ...]:
    """Return each value once, in the order of first occurrence, without empty names."""
    return tuple(dict.fromkeys(value for value in values if isinstance(value, str) and value))


# ---- reading declarations ----------------------------------------------------------------------------


@functools.cache
def _meant(cls: type) -> tuple[tuple[str, Any], ...]:
    """Return the members of a class that mean something, by their names in JSON, with their types."""
    hints = typing.get_type_hints(cls, include_extras=True)
    names = getattr(cls, "__dataclass_fields__", {})
    return tuple((name.rstrip("_"), hints[name]) for name in names if means(hints[name]))


@functools.cache
def means(kind: Any) -> bool:
    """Return True if a type, or any part of it, has a meaning."""
    if get_origin(kind) is Annotated:
        base, *marks = get_args(kind)
        return any(isinstance(mark, Means | Phrase) for mark in marks) or means(base)
    if is_dataclass(kind) and isinstance(kind, type):
        return kind is Capture or bool(_meant(kind))
    return any(means(part) for part in get_args(kind) if part is not Ellipsis and not isinstance(part, str))


def _found(kind: Any, data: Any) -> Iterator[Found]:
    """Yield everything that a value of this type means."""
    origin, parts = get_origin(kind), get_args(kind)
    if data is None:
        return
    if origin is Annotated:
        yield from _marked(parts, data)
    elif origin in (Union, types.UnionType):
        for part in parts:
            yield from _found(part, data)
    elif origin is tuple and isinstance(data, list | tuple):
        kinds = [parts[0]] * len(data) if len(parts) == 2 and parts[1] is Ellipsis else parts
        for part, item in zip(kinds, data, strict=False):
            yield from _found(part, item)
    elif origin is dict and isinstance(data, Mapping):
        for key, item in data.items():
            yield from _found(parts[0], key)
            yield from _found(parts[1], item)
    elif is_dataclass(kind) and isinstance(kind, type) and isinstance(data, Mapping):
        if kind is Flow:  # its places say nothing of what happened there
            yield from _flow(data)
            return
        if kind is Capture:
            yield from _capture(data)
        for name, part in _meant(kind):
            yield from _found(part, data.get(name))


def _capture(data: Mapping[str, Any]) -> Iterator[Found]:
    values = [data.get(name, "") for name in ("place", "before", "after")]
    if all(isinstance(value, str) for value in values):
        yield "capture", "", Capture(*values)


def _flow(data: Mapping[str, Any]) -> Iterator[Found]:
    origin, goal, via = (data.get(name, "") for name in ("origin", "goal", "via"))
    if all(isinstance(value, str) for value in (origin, goal, via)) and _is_number(data.get("amount")):
        yield "flow", "", Flow(origin, goal, data["amount"], via)


def _marked(parts: tuple[Any, ...], data: Any) -> Iterator[Found]:
    """Yield the meaning of a value of an annotated type.

    Of several marks the last is the narrowest. A player may have several parts at once.
    """
    base, *marks = parts
    for mark in marks:
        if isinstance(mark, Phrase) and isinstance(data, str):
            yield from _phrased(mark.form, data)
    meant = [mark for mark in marks if isinstance(mark, Means)]
    if not meant:
        yield from _found(base, data)
        return
    what, how = meant[-1].what, meant[-1].how
    if what in ("player", "place", "unit") and isinstance(data, str):
        parts_of = {mark.how for mark in meant if mark.what == what == "player" and mark.how}
        for part in sorted(parts_of) or [how]:
            yield what, part, data
    elif what in ("lost", "count") and _is_number(data):
        yield what, how, data
    elif what == "stopped" and isinstance(data, bool | str):
        yield what, how, bool(data)
    elif what == "losses" and isinstance(data, Mapping):
        yield what, how, {str(name): n for name, n in data.items() if _is_number(n)}


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_ROLES = {
    "player": ("player", ""),
    "thrower": ("player", "thrower"),
    "unit": ("unit", ""),
    "place": ("place", ""),
    "from": ("place", "from"),
    "to": ("place", "to"),
}


def _phrased(form: str, text: str) -> Iterator[Found]:
    match = phrase_pattern(form).fullmatch(text)
    for name, value in match.groupdict().items() if match else ():
        if name in _ROLES:
            yield *_ROLES[name], value


@functools.cache
def phrase_pattern(form: str) -> re.Pattern[str]:
    """Return the pattern of a text of this form: each name is one word, the last all that is left."""
    pieces = re.split(r"\{([a-z]+)\}", form)
    last = len(pieces) - 2
    return re.compile(
        "".join(
            re.escape(piece) if n % 2 == 0 else f"(?P<{piece}>{'.+' if n == last else '[^ ]+'})"
            for n, piece in enumerate(pieces)
        )
    )


# ---- the same with names -----------------------------------------------------------------------------

Naming = Callable[[str, str], str]
"""A function that names something by its kind (`place`, `unit`, `title` or `prose`) and its id, or the
text; `form`: the form of a text as its reader has it."""


def with_names(cls: type[Event] | None, event: Mapping[str, Any], name: Naming) -> dict[str, Any]:
    """Return an event (as JSON) with names for its places and units, for sentences."""
    fields = _meant(typing.cast(Any, cls)) if cls is not None else ()
    return {**event, **{key: _named(kind, event[key], name) for key, kind in fields if key in event}}


def _named(kind: Any, data: Any, name: Naming) -> Any:
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _named_mark(parts, data, name)
    if origin in (Union, types.UnionType):
        for part in parts:
            data = _named(part, data, name) if data is not None and means(part) else data
        return data
    if origin is tuple and isinstance(data, list | tuple):
        kinds = [parts[0]] * len(data) if len(parts) == 2 and parts[1] is Ellipsis else parts
        return [_named(part, item, name) for part, item in zip(kinds, data, strict=False)]
    if origin is dict and isinstance(data, Mapping):
        return {_named(parts[0], key, name): _named(parts[1], item, name) for key, item in data.items()}
    if is_dataclass(kind) and isinstance(kind, type) and isinstance(data, Mapping):
        named = {key: _named(part, data[key], name) for key, part in _meant(kind) if key in data}
        return {**data, **named}
    return data


def _named_mark(parts: tuple[Any, ...], data: Any, name: Naming) -> Any:
    base, *marks = parts
    meant = [mark for mark in marks if isinstance(mark, Means)]
    if meant and meant[-1].what in ("place", "unit", "title", "prose") and isinstance(data, str):
        return name(meant[-1].what, data)
    for mark in marks:
        if isinstance(mark, Phrase) and isinstance(data, str) and phrase_pattern(mark.form).fullmatch(data):
            return _named_phrase(mark.form, data, name)
    return data if meant else _named(base, data, name)


def _named_phrase(form: str, text: str, name: Naming) -> str:
    """Return a text with names filled into its form.

    The form is as its reader has it; a text that does not match stays.
    """
    match = phrase_pattern(form).fullmatch(text)
    if match is None:
        return text
    known = match.groupdict()

    def shown(role: re.Match[str]) -> str:
        what, value = _ROLES.get(role[1], ("", ""))[0], known[role[1]]
        return name(what, value) if what in ("place", "unit") else value

    return re.sub(r"\{([a-z]+)\}", shown, name("form", form))


def ways(cls: type[Event]) -> tuple[str, ...]:
    """Return the fields of an event that are ways: locations entered one after another."""
    return _ways(typing.cast(Any, cls))


def start(cls: type[Event]) -> str | None:
    """Return the field with the start of an event's way; None without one, or with several."""
    return _start(typing.cast(Any, cls))


@functools.cache
def _start(cls: type) -> str | None:
    names = [name for name, kind in _meant(cls) if kind == Origin]
    return names[0] if len(names) == 1 else None


@functools.cache
def _ways(cls: type) -> tuple[str, ...]:
    return tuple(name for name, kind in _meant(cls) if kind == Way)
