"""A position: every counter with its fields, and the tracks, in the shape of JSON.

Counters change only through the methods, which keep the index of hexes true. The value of a field is
replaced, never changed inside: copies share lists and mappings that stand in fields, and the fields of a
counter until one of the two changes it. So the mapping of a counter's fields is what it was when it was asked
for, or what it is now: who writes and reads on asks again. Tracks may be changed freely.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping
from hashlib import sha256
from typing import Any, TypeVar

from pbem.text.canonical import Json
from pbem.text.diagnostics import DataPath, Diagnostic, Refused

Fields = Mapping[str, Json]
T = TypeVar("T")
HEX = "hex"


class Position:
    """Counters by id and tracks by name. A counter stands where its field `hex` says, if that is text.

    Our own mistakes raise `KeyError` (no such counter) and `ValueError` (counter twice, value that JSON has
    not).
    """

    __slots__ = ("_by_hex", "_counters", "_own", "counters", "known", "tracks")

    def __init__(
        self, counters: Mapping[str, Fields] | None = None, tracks: Mapping[str, Json] | None = None
    ) -> None:
        self._counters: dict[str, dict[str, Json]] = {}
        self._by_hex: dict[str, tuple[str, ...]] | None = None
        self._own: set[str] = set()  # the counters whose fields no copy shares
        self.known: dict[Hashable, Any] = {}
        """What rules have worked out from counters alone; all is forgotten when a counter changes. Copies
        share it, so it refers to no position."""
        self.counters: Mapping[str, Fields] = self._counters
        self.tracks: dict[str, Json] = {}
        for id, fields in (counters or {}).items():
            self.add(id, fields)
        for name, value in (tracks or {}).items():
            self.tracks[name] = value if value.__class__ in _PLAIN else _deep(value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._counters == other._counters and self.tracks == other.tracks

    def __repr__(self) -> str:
        return f"Position({len(self._counters)} counters, tracks {sorted(self.tracks)})"

    # Reading

    def at(self, hex: str) -> tuple[str, ...]:
        """The ids of the counters in a hex (or box), sorted."""
        return self._index().get(hex, ())

    def hex(self, id: str) -> str | None:
        """Where a counter stands; None when it stands nowhere."""
        return _where(self._counters[id])

    def ids(self) -> tuple[str, ...]:
        """All ids, sorted."""
        return tuple(sorted(self._counters))

    def find(self, **wanted: Json) -> tuple[str, ...]:
        """The ids of the counters with these fields, sorted. A field that is not there is as good as null."""
        conditions = tuple(wanted.items())

        def found() -> tuple[str, ...]:
            return tuple(
                id
                for id, fields in sorted(self._counters.items())
                if all(fields.get(name) == value for name, value in conditions)
            )

        return self.once((Position.find, conditions), found)

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """What `work` gives, worked out once until a counter changes: it looks at counters alone, and what it
        gives refers to no position and is not changed."""
        try:
            known: T | None = self.known.get(key)
        except TypeError:  # a value that is no key: worked out each time
            return work()
        if known is None:
            known = self.known[key] = work()
        return known

    def occupied(self) -> tuple[str, ...]:
        """The hexes (and boxes) where counters stand, sorted."""
        return tuple(sorted(self._index()))

    # Changing

    def add(self, id: str, fields: Fields) -> None:
        """Put a new counter into play."""
        if id in self._counters:
            raise ValueError(f"counter {id} is in play already")
        for name, value in fields.items():
            if value.__class__ not in _PLAIN:
                _check(name, value)
        self._counters[id] = dict(fields)
        self._own.add(id)
        if self.known:
            self.known = {}
        self._reindex(id, None, _where(fields))

    def remove(self, id: str) -> Fields:
        """Take a counter out of play; gives back what it was."""
        fields = self._counters.pop(id)
        self._own.discard(id)
        if self.known:
            self.known = {}
        self._reindex(id, _where(fields), None)
        return fields

    def move(self, id: str, hex: str | None) -> None:
        """Put a counter into a hex (or box), or nowhere."""
        self.set(id, hex=hex)

    def set(self, id: str, /, **fields: Json) -> None:
        """Give fields of a counter new values."""
        counter = self._counters[id]
        for name, value in fields.items():
            if value.__class__ not in _PLAIN:
                _check(name, value)
        old = _where(counter)
        counter = self._changes(id)
        counter.update(fields)
        self._reindex(id, old, _where(counter))

    def drop(self, id: str, /, *names: str) -> None:
        """Take fields away from a counter; those it has not are ignored."""
        counter = self._counters[id]
        if not any(name in counter for name in names):
            return
        old = _where(counter)
        counter = self._changes(id)
        for name in names:
            counter.pop(name, None)
        self._reindex(id, old, _where(counter))

    def copy(self) -> Position:
        """An independent position. Fields of a counter are copied when one of the two first changes it."""
        twin = Position.__new__(Position)
        twin._counters = self._counters.copy()
        self._own, twin._own = set(), set()
        twin.known = self.known.copy()
        twin.counters = twin._counters
        twin.tracks = {
            name: value if value.__class__ in _PLAIN else _deep(value) for name, value in self.tracks.items()
        }
        twin._by_hex = None if self._by_hex is None else self._by_hex.copy()
        return twin

    # Saving

    def to_json(self) -> dict[str, Json]:
        """Counters and tracks as plain data, which is the position's own no longer."""
        counters: dict[str, Json] = {id: _deep(fields) for id, fields in self._counters.items()}
        return {"counters": counters, "tracks": _deep(self.tracks)}

    @classmethod
    def from_json(cls, data: Json, path: DataPath = ()) -> Position:
        """The position of plain data. Raises `Refused` with every fault of its shape; `path` leads to it."""
        faults: list[Diagnostic] = []
        parts: dict[str, dict[str, Json]] = {"counters": {}, "tracks": {}}
        if not isinstance(data, dict):
            raise Refused([_wrong("position", data, path)])
        for key, value in data.items():
            if key not in parts:
                help = ("a position has counters and tracks",)
                faults.append(Diagnostic("unknown-key", f"unknown key {key!r}", path=(*path, key), help=help))
            elif not isinstance(value, dict):
                faults.append(_wrong(key, value, (*path, key)))
            else:
                parts[key] = value
        counters: dict[str, Fields] = {}
        for id, fields in parts["counters"].items():
            if isinstance(fields, dict):
                counters[id] = fields
                faults += _unsavable(fields, (*path, "counters", id))
            else:
                faults.append(_wrong(f"counter {id}", fields, (*path, "counters", id)))
        faults += _unsavable(parts["tracks"], (*path, "tracks"))
        if faults:
            raise Refused(faults)
        return cls(counters, parts["tracks"])

    def digest(self) -> str:
        """SHA-256, in hex, of the canonical bytes: JSON with sorted keys, without blanks, in UTF-8."""
        return sha256(self.canonical()).hexdigest()

    def canonical(self) -> bytes:
        """The bytes that the digest is made from. The order in which counters were added does not show."""
        parts = {"counters": self._counters, "tracks": self.tracks}
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return text.encode()

    def check(self) -> None:
        """Assert that the index of hexes agrees with the counters: for tests, and where a run is in doubt."""
        assert self._by_hex is None or self._by_hex == self._indexed(), "index of hexes is out of step"

    # Inside

    def _changes(self, id: str) -> dict[str, Json]:
        """The fields of a counter that is about to change, shared with no copy."""
        if self.known:
            self.known = {}
        if id not in self._own:
            self._counters[id] = self._counters[id].copy()
            self._own.add(id)
        return self._counters[id]

    def _index(self) -> dict[str, tuple[str, ...]]:
        if self._by_hex is None:
            self._by_hex = self._indexed()
        return self._by_hex

    def _indexed(self) -> dict[str, tuple[str, ...]]:
        stacks: dict[str, list[str]] = {}
        for id in sorted(self._counters):
            if (hex := _where(self._counters[id])) is not None:
                stacks.setdefault(hex, []).append(id)
        return {hex: tuple(stack) for hex, stack in stacks.items()}

    def _reindex(self, id: str, old: str | None, new: str | None) -> None:
        index = self._by_hex
        if index is None or old == new:
            return
        if old is not None:
            left = tuple(other for other in index[old] if other != id)
            if left:
                index[old] = left
            else:
                del index[old]
        if new is not None:
            index[new] = tuple(sorted((*index.get(new, ()), id)))


def _where(fields: Fields) -> str | None:
    hex = fields.get(HEX)
    return hex if isinstance(hex, str) else None


_PLAIN = frozenset((str, int, bool, type(None)))


def _deep(value: Json) -> Json:
    if isinstance(value, dict):
        if _PLAIN.issuperset(map(type, value.values())):  # a track of thousands of hexes is one of these
            return value.copy()
        return {key: item if item.__class__ in _PLAIN else _deep(item) for key, item in value.items()}
    if isinstance(value, list):
        if _PLAIN.issuperset(map(type, value)):
            return value.copy()
        return [_deep(item) for item in value]
    return value


def _check(name: str, value: object) -> None:
    """Only what JSON has, and no fractions: those are integers of a smaller unit, or text such as "1/2"."""
    if value is None or isinstance(value, str | int):
        return
    if isinstance(value, list):
        for item in value:
            if item.__class__ not in _PLAIN:
                _check(name, item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if item.__class__ not in _PLAIN:
                _check(f"{name}.{key}", item)
    else:
        raise ValueError(f"field {name}: {value!r} cannot be saved")


def _unsavable(fields: Fields, path: DataPath) -> Iterator[Diagnostic]:
    for name, value in fields.items():
        if value.__class__ in _PLAIN:
            continue
        try:
            _check(name, value)
        except ValueError as fault:
            yield Diagnostic("wrong-type", str(fault), path=(*path, name))


def _wrong(what: str, found: object, path: DataPath) -> Diagnostic:
    return Diagnostic("wrong-type", f"{what}: found {found!r}, wanted a mapping", path=path)
