"""Typed counters and tracks: live views of a position, so that rules use fields, not JSON.

    class Block(Counter):
        owner: str
        hex: str | None
        steps: int = 1
        aboard: str | None = None

    class Turn(Tracks):
        turn: int
        vp: dict[str, int]
        battle: Battle | None = None

    block = game.counter(Block, "R-IN1")         t = Turn.of(game)
    block.steps -= 1                             t.vp["red"] += block.steps

A view stores nothing: it shows the position as it is now, and writes into it at once. Types of
fields are those of answers and events (`model.codec`); frozen dataclasses, tuples and mappings are
made from JSON when they are read. A trailing underscore of a name is not in the JSON (`from_`).

A counter leaves out of its JSON what equals the default; a field without a default is always there. Tracks
keep whatever is written, and give the default where nothing is; `del t.battle` takes a track away. A mapping
in a track is live: `t.vp["red"] += 1` is kept, also when the track was not there before. All other values are
replaced as a whole: the dataclass, tuple or mapping of a counter that was read does not change the position.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, Protocol, Self, TypeVar

from pbem.board.position import Fields, Position, label_of
from pbem.model.codec import to_json
from pbem.model.fields import (
    NOTHING,
    Field,
    Live,
    Slotted,
    field_faults,
    listed_fields,
    make_fields,
    member_type,
    plain_dict,
    value_maker,
)
from pbem.text.canonical import Json
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.suggest import did_you_mean

C = TypeVar("C", bound="Counter")


class Board(Protocol):
    """A position with its world: the part of a game that functions of the rules need."""

    @property
    def position(self) -> Position: ...
    @property
    def world(self) -> Any: ...


class _CounterField(Field):
    __slots__ = ()

    def __get__(self, view: Counter | None, owner: type) -> Any:
        if view is None:
            return self
        try:
            fields = view.position.counters[view.id]
        except KeyError:
            raise LookupError(f"there is no counter {view.id} ({owner.__name__})") from None
        value = fields.get(self.key, NOTHING)
        if value is NOTHING:
            if self.default is NOTHING:
                raise self.missing(f"counter {view.id}", fields)
            return self.default.copy() if isinstance(self.default, dict) else self.default
        return value if self.read is None else self.read(value)

    def __set__(self, view: Counter, value: Any) -> None:
        if self.default is not NOTHING and value == self.default and type(value) is type(self.default):
            view.position.drop(view.id, self.key)
        else:
            view.position.set(view.id, **{self.key: value if self.write is None else self.write(value)})


class _TrackField(Field):
    __slots__ = ()

    def __get__(self, view: Tracks | None, owner: type) -> Any:
        if view is None:
            return self
        tracks = view.position.tracks
        value = tracks.get(self.key, NOTHING)
        if value is NOTHING:
            if self.default is NOTHING:
                raise self.missing("the position", tracks)
            if isinstance(self.default, dict):
                raw = plain_dict(self.default)
                return Live(member_type(self.kind), raw, lambda: tracks.__setitem__(self.key, raw))
            return self.default
        return value if self.read is None else self.read(value)

    def _first_read(self, value: Any) -> Any:
        self.read = value_maker(self.kind)
        return value if self.read is None else self.read(value)

    def __set__(self, view: Tracks, value: Any) -> None:
        view.position.tracks[self.key] = to_json(value)

    def __delete__(self, view: Tracks) -> None:
        view.position.tracks.pop(self.key, None)


class Counter(metaclass=Slotted):
    """Base of typed counters: `id`, the `board` it is on, and the fields of the class."""

    __slots__ = ("board", "id", "position")
    told_by: ClassVar[tuple[str, ...] | None] = ()
    """The fields that `is_one` looks at, so that a class is not told anew when others change; None: any."""

    def __init__(self, board: Board, id: str) -> None:
        self.board, self.position, self.id = board, board.position, id

    def __init_subclass__(cls) -> None:
        if "is_one" in vars(cls) and "told_by" not in vars(cls):
            cls.told_by = None
        make_fields(cls, _CounterField)

    def __repr__(self) -> str:
        fields = self.position.counters.get(self.id)
        shown = "gone" if fields is None else " ".join(f"{k}={v}" for k, v in fields.items())
        return f"<{type(self).__name__} {self.id} {shown}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counter) and other.id == self.id and other.position is self.position

    def __hash__(self) -> int:
        return hash(self.id)

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        """Return True if a counter with these fields is one of this class.

        Override it where there are several kinds.
        """
        return True

    @classmethod
    def add(cls, board: Board, id: str, **values: Any) -> Self:
        """Put a new counter into play; what equals a default is left out."""
        listed = listed_fields(cls)
        for name in values:
            if name not in listed:
                near = did_you_mean(name, list(listed))
                raise TypeError(
                    f"{cls.__name__} has no field {name!r}" + (f", did you mean {near!r}?" if near else "")
                )
        if lacking := [n for n, field in listed.items() if field.default is NOTHING and n not in values]:
            raise TypeError(f"{cls.__name__} {id} needs {', '.join(lacking)}")
        kept = {
            listed[name].key: to_json(value)
            for name, value in values.items()
            if listed[name].default is NOTHING or value != listed[name].default
        }
        board.position.add(id, kept)
        return cls(board, id)

    def remove(self) -> None:
        """Take the counter out of play."""
        self.position.remove(self.id)

    @property
    def there(self) -> bool:
        """Return True if the counter is still in play."""
        return self.id in self.position.counters

    @classmethod
    def kept(cls, fields: Fields) -> dict[str, Json]:
        """Return fields in JSON as a position keeps them: without those that equal their default."""
        defaults = {
            field.key: to_json(field.default)
            for field in listed_fields(cls).values()
            if field.default is not NOTHING
        }
        return {name: value for name, value in fields.items() if defaults.get(name, NOTHING) != value}

    @classmethod
    def faults(cls, fields: Fields, path: DataPath = ()) -> list[Diagnostic]:
        """Return every missing, unknown or mistyped field of a counter in JSON."""
        return field_faults(cls, fields, path)


class Tracks(metaclass=Slotted):
    """Base of typed tracks: `T.of(game)` shows the tracks of the game's position."""

    __slots__ = ("position",)

    def __init__(self, position: Position) -> None:
        self.position = position

    def __init_subclass__(cls) -> None:
        make_fields(cls, _TrackField)

    @classmethod
    def of(cls, board: Board) -> Self:
        """Return the tracks of a board."""
        return cls(board.position)

    @classmethod
    def faults(cls, tracks: Fields, path: DataPath = ()) -> list[Diagnostic]:
        """Return every missing, unknown or mistyped track."""
        return field_faults(cls, tracks, path)


class _RecordField(Field):
    __slots__ = ()

    def __get__(self, view: Record | None, owner: type) -> Any:
        if view is None:
            return self
        data = view.data
        value = data.get(self.key, NOTHING)
        if value is NOTHING:
            if self.default is NOTHING:
                raise self.missing(f"track {view.track}", data)
            return self.default.copy() if isinstance(self.default, dict) else self.default
        return value if self.read is None else self.read(value)

    def __set__(self, view: Record, value: Any) -> None:
        if self.default is not NOTHING and value == self.default and type(value) is type(self.default):
            view.data.pop(self.key, None)
        else:
            view.data[self.key] = to_json(value)


class Record(metaclass=Slotted):
    """Base of the content of a temporary track (a battle, a siege): live, and null when it is over.

        class Battle(Record):
            track = "battle"
            target: str
            code: str = ""

        battle = Battle.begin(game, target="0505")      battle.code = "D"
        if Battle.begun(game): Battle.of(game).target   battle.end()

    As with counters, what equals its default is left out of the JSON; mappings are replaced as a whole.
    """

    __slots__ = ("board",)
    track: ClassVar[str]

    def __init__(self, board: Board) -> None:
        self.board = board

    def __init_subclass__(cls) -> None:
        make_fields(cls, _RecordField)

    @property
    def data(self) -> dict[str, Json]:
        """Return the JSON in the track."""
        value = self.board.position.tracks[self.track]
        assert isinstance(value, dict), f"track {self.track} holds nothing"
        return value

    @classmethod
    def of(cls, board: Board) -> Self:
        """Return the record of a board."""
        return cls(board)

    @classmethod
    def begun(cls, board: Board) -> bool:
        """Return True if the track holds a record."""
        return board.position.tracks.get(cls.track) is not None

    @classmethod
    def begin(cls, board: Board, **values: Any) -> Self:
        """Put a new record into the track, in place of any other."""
        listed = listed_fields(cls)
        board.position.tracks[cls.track] = {}
        record = cls(board)
        for name, value in values.items():
            if name not in listed:
                raise TypeError(f"{cls.__name__} has no field {name!r}")
            setattr(record, name, value)
        return record

    def end(self) -> None:
        """Clear the track."""
        self.board.position.tracks[self.track] = None


# finding counters


def counter(board: Board, kind: type[C], id: str) -> C:
    """Return one counter in play.

    Raises `LookupError` if there is none of this id and class.
    """
    fields = board.position.counters.get(id)
    if fields is None:
        raise LookupError(f"there is no counter {id} ({kind.__name__})")
    if not kind.is_one(fields):
        raise LookupError(f"counter {id} is no {kind.__name__}")
    return kind(board, id)


def maybe(board: Board, kind: type[C], id: str | None) -> C | None:
    """Return the counter of this id if it is in play and of this class, else None."""
    fields = board.position.counters.get(id) if id is not None else None
    return kind(board, id) if id is not None and fields is not None and kind.is_one(fields) else None


def counters(board: Board, kind: type[C], at: str | None = None, **wanted: Json) -> list[C]:
    """Return all counters of a class, by id.

    They can be limited to one location and to given field values.

    A missing field counts as its default.
    """
    position = board.position
    if at is None and not any(isinstance(value, list | dict) for value in wanted.values()):
        return [kind(board, id) for id in _group(position, kind, wanted)]
    every, tests = position.counters, _tests(kind, wanted)
    return [
        kind(board, id)
        for id in (position.ids() if at is None else position.at(at))
        if kind.is_one(every[id]) and all(every[id].get(key, default) == v for key, default, v in tests)
    ]


def where_any(board: Board, kind: type[C], test: Callable[[C], bool], **wanted: Json) -> frozenset[str]:
    """Return the locations where a counter of a class, with these values of fields, passes a test.

    The test is a function of a module (not one made for each call) that uses the fields of that counter
    alone. Its results are kept until the counter changes.
    """
    position = board.position

    def holds(ids: tuple[str, ...]) -> bool:
        every = position.counters
        return any(
            kind.is_one(every[id])
            and all(every[id].get(key, default) == value for key, default, value in tests)
            and test(kind(board, id))
            for id in ids
        )

    tests = _tests(kind, wanted)
    return position.where_any((kind, test, tuple(wanted.items())), holds)


def _group(position: Position, kind: type[Counter], wanted: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the ids of the counters of a class that have these values of fields, sorted."""
    tests, is_one = _tests(kind, wanted), kind.is_one

    def label(fields: Fields) -> Hashable:
        return label_of([fields.get(key, default) for key, default, _ in tests]) if is_one(fields) else None

    reads = None if kind.told_by is None else (*kind.told_by, *(key for key, _, _ in tests))
    return position.group((kind, *wanted), label, tuple(wanted.values()), reads)


def _tests(kind: type[Counter], wanted: Mapping[str, Json]) -> list[tuple[str, Json, Json]]:
    """Return key, default and wanted value of each field."""
    listed = listed_fields(kind)
    tests = []
    for name, value in wanted.items():
        if name not in listed:
            raise TypeError(f"{kind.__name__} has no field {name!r}")
        default = listed[name].default
        tests.append((listed[name].key, None if default is NOTHING else default, value))
    return tests
