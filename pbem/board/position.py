"""A position: every counter with its fields, and the tracks, in the shape of JSON.

Counters change only through the methods, which keep true what is looked up often: who is in a hex, who
has which values (`find`, `group`), where something holds (`where_any`). The value of a field is replaced,
never changed inside, and so are the fields of a counter as a whole: copies share them, and the mapping of a
counter's fields stays what it was when it was asked for. Tracks may be changed freely.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, TypeVar

from pbem.text.canonical import Json
from pbem.text.diagnostics import DataPath, Diagnostic, Refused
from pbem.text.messages import Message

Fields = Mapping[str, Json]
Label = Callable[[Fields], Hashable]
Reads = Collection[str] | None
T = TypeVar("T")
HEX = "hex"


class _Index:
    """Counters by a label of their fields: the ids of each label, sorted.

    `reads` are the fields that the label uses, None for all. A counter without a label is in no group.
    """

    __slots__ = ("groups", "label", "reads")

    def __init__(self, label: Label, reads: Reads, groups: dict[Hashable, tuple[str, ...]]) -> None:
        self.label, self.reads, self.groups = label, reads, groups

    @classmethod
    def of(cls, counters: Mapping[str, Fields], label: Label, reads: Reads = None) -> _Index:
        groups: dict[Hashable, list[str]] = {}
        for id in sorted(counters):
            if (name := label(counters[id])) is not None:
                groups.setdefault(name, []).append(id)
        return cls(label, reads, {name: tuple(group) for name, group in groups.items()})

    def copy(self) -> _Index:
        return _Index(self.label, self.reads, self.groups.copy())

    def hangs_on(self, names: Iterable[str]) -> bool:
        return self.reads is None or any(name in self.reads for name in names)

    def put(self, id: str, old: Hashable, new: Hashable) -> None:
        """Move a counter from label `old` to `new`; None is no label."""
        if old == new:
            return
        if old is not None:
            left = tuple([other for other in self.groups[old] if other != id])
            if left:
                self.groups[old] = left
            else:
                del self.groups[old]
        if new is not None:
            self.groups[new] = tuple(sorted((*self.groups.get(new, ()), id)))


class _Places:
    """The places whose counters pass a test, and those to be tested again."""

    __slots__ = ("again", "found")

    def __init__(self, ids: frozenset[str], again: set[str]) -> None:
        self.found, self.again = ids, again


class Position:
    """Counters by id and tracks by name.

    The field `hex` of a counter is its location, if it is text.

    Our own mistakes raise `KeyError` (no such counter) and `ValueError` (counter twice, value that
    JSON lacks).
    """

    __slots__ = ("_counters", "_indexes", "_places", "counters", "known", "tracks")

    def __init__(
        self, counters: Mapping[str, Fields] | None = None, tracks: Mapping[str, Json] | None = None
    ) -> None:
        self._counters: dict[str, dict[str, Json]] = {}
        self._indexes: dict[Hashable, _Index] = {}
        self._places: dict[Hashable, _Places] = {}
        self.known: dict[Hashable, Any] = {}
        """Results that rules worked out from counters alone; a changed counter clears them. Copies share
        them, so they refer to no position."""
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
        """Return the ids of the counters in a hex (or box), sorted."""
        return self._by_hex().get(hex, ())

    def hex(self, id: str) -> str | None:
        """Return the location of a counter, or None."""
        return _where(self._counters[id])

    def ids(self) -> tuple[str, ...]:
        """Return all ids, sorted."""
        return tuple(sorted(self._counters))

    def find(self, **wanted: Json) -> tuple[str, ...]:
        """Return the ids of the counters with these fields, sorted; a missing field equals null."""
        names, values = tuple(wanted), tuple(wanted.values())
        if any(isinstance(value, list | dict) for value in values):
            return tuple(
                id
                for id, fields in sorted(self._counters.items())
                if all(fields.get(name) == value for name, value in wanted.items())
            )

        def label(fields: Fields) -> Hashable:
            return label_of([fields.get(name) for name in names])

        return self.group((Position.find, names), label, values, names)

    def group(self, key: Hashable, label: Label, wanted: Hashable, reads: Reads = None) -> tuple[str, ...]:
        """Return the ids of the counters with this label, sorted.

        They are found once for all labels of a key, and updated as counters change. A label uses the fields
        of one counter, and only those in `reads` if given. None is no label.
        """
        index = self._indexes.get(key)
        if index is None:
            index = self._indexes[key] = _Index.of(self._counters, label, reads)
        return index.groups.get(wanted, ())

    def where_any(self, key: Hashable, test: Callable[[tuple[str, ...]], bool]) -> frozenset[str]:
        """Return the hexes (and boxes) where a test of the ids of the counters there holds.

        The test uses the fields of these counters alone, and is repeated only where one changed, came or
        went.
        """
        stacks, known = self._by_hex(), self._places.get(key)
        if known is None:
            hexes = frozenset([hex for hex, ids in stacks.items() if test(ids)])
            self._places[key] = _Places(hexes, set())
            return hexes
        if known.again:
            hexes = known.found.difference(known.again).union(
                [hex for hex in known.again if hex in stacks and test(stacks[hex])]
            )
            known.again.clear()
            if hexes != known.found:
                known.found = hexes
        return known.found

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return the result of `work`, computed once until a counter changes.

        It uses counters alone, and its result refers to no position and is not changed.
        """
        try:
            known: T | None = self.known.get(key)
        except TypeError:  # an unhashable value: compute it each time
            return work()
        if known is None:
            known = self.known[key] = work()
        return known

    def occupied(self) -> tuple[str, ...]:
        """Return the hexes (and boxes) with counters, sorted."""
        return tuple(sorted(self._by_hex()))

    # Changing

    def add(self, id: str, fields: Fields) -> None:
        """Put a new counter into play."""
        if id in self._counters:
            raise ValueError(Message("board.position.counter-in-play-already", id=id))
        for name, value in fields.items():
            if value.__class__ not in _PLAIN:
                _check(name, value)
        self._forget(None, fields)
        self._counters[id] = dict(fields)
        for index in self._indexes.values():
            index.put(id, None, index.label(fields))

    def remove(self, id: str) -> Fields:
        """Take a counter out of play, and return what it was."""
        fields = self._counters.pop(id)
        self._forget(fields, None)
        for index in self._indexes.values():
            index.put(id, index.label(fields), None)
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
        self._replace(id, counter, {**counter, **fields}, fields)

    def drop(self, id: str, /, *names: str) -> None:
        """Remove fields of a counter; missing ones are ignored."""
        counter = self._counters[id]
        if not any(name in counter for name in names):
            return
        self._replace(id, counter, {n: value for n, value in counter.items() if n not in names}, names)

    def copy(self) -> Position:
        """Return an independent position."""
        twin = Position.__new__(Position)
        twin._counters = self._counters.copy()
        twin.known = self.known.copy()
        twin.counters = twin._counters
        twin.tracks = {
            name: value if value.__class__ in _PLAIN else _deep(value) for name, value in self.tracks.items()
        }
        twin._indexes = {key: index.copy() for key, index in self._indexes.items()}
        twin._places = {key: _Places(place.found, place.again.copy()) for key, place in self._places.items()}
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self.copy()

    # Saving

    def to_json(self) -> dict[str, Json]:
        """Return counters and tracks as plain data, independent of the position."""
        counters: dict[str, Json] = {id: _deep(fields) for id, fields in self._counters.items()}
        return {"counters": counters, "tracks": _deep(self.tracks)}

    @classmethod
    def from_json(cls, data: Json, path: DataPath = ()) -> Position:
        """Return the position of plain data.

        Raises `Refused` with every fault of its shape; `path` leads to it.
        """
        faults: list[Diagnostic] = []
        parts: dict[str, dict[str, Json]] = {"counters": {}, "tracks": {}}
        if not isinstance(data, dict):
            raise Refused([_wrong("position", data, path)])
        for key, value in data.items():
            if key not in parts:
                help = (Message("board.position.position-counters-tracks"),)
                faults.append(
                    Diagnostic(
                        "unknown-key",
                        Message("board.axisdata.unknown-key", key=repr(key)),
                        path=(*path, key),
                        help=help,
                    )
                )
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
        """Return the SHA-256, in hex, of the canonical bytes: JSON, keys sorted, no blanks, UTF-8."""
        return sha256(self.canonical()).hexdigest()

    def canonical(self) -> bytes:
        """Return the bytes of the digest.

        They do not show the order in which counters were added.
        """
        parts = {"counters": self._counters, "tracks": self.tracks}
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return text.encode()

    def check(self) -> None:
        """Assert that the indexes of the counters agree with them; for tests."""
        for key, index in self._indexes.items():
            true = _Index.of(self._counters, index.label)
            assert index.groups == true.groups, f"the index {key} is out of step"

    # Inside

    def _replace(self, id: str, old: Fields, new: dict[str, Json], names: Iterable[str]) -> None:
        """Replace the fields of a counter. Only those with these names may differ."""
        self._forget(old, new)
        self._counters[id] = new
        for index in self._indexes.values():
            if index.hangs_on(names):
                index.put(id, index.label(old), index.label(new))

    def _forget(self, old: Fields | None, new: Fields | None) -> None:
        """Forget results about counters, and about the old and new place of one."""
        if self.known:
            self.known = {}
        if self._places:
            touched = {hex for fields in (old, new) if fields and (hex := _where(fields)) is not None}
            for place in self._places.values():
                place.again |= touched

    def _by_hex(self) -> dict[str, tuple[str, ...]]:
        index = self._indexes.get(HEX)
        if index is None:
            index = self._indexes[HEX] = _Index.of(self._counters, _where, (HEX,))
        return index.groups  # type: ignore[return-value]


def label_of(values: list[Json]) -> Hashable:
    """Return a label of several values, or None if one is a list or a mapping."""
    return None if any(isinstance(value, list | dict) for value in values) else tuple(values)


def _where(fields: Fields) -> str | None:
    hex = fields.get(HEX)
    return hex if isinstance(hex, str) else None


_PLAIN = frozenset((str, int, bool, type(None)))


def _deep(value: Json) -> Json:
    if isinstance(value, dict):
        if _PLAIN.issuperset(map(type, value.values())):  # fast path: a track may hold thousands of hexes
            return value.copy()
        return {key: item if item.__class__ in _PLAIN else _deep(item) for key, item in value.items()}
    if isinstance(value, list):
        if _PLAIN.issuperset(map(type, value)):
            return value.copy()
        return [_deep(item) for item in value]
    return value


def _check(name: str, value: object) -> None:
    """Check that a value is JSON without fractions.

    Fractions are integers of a smaller unit, or text such as "1/2".
    """
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
        raise ValueError(Message("board.position.field-cannot-saved", name=name, value=repr(value)))


def _unsavable(fields: Fields, path: DataPath) -> Iterator[Diagnostic]:
    for name, value in fields.items():
        if value.__class__ in _PLAIN:
            continue
        try:
            _check(name, value)
        except ValueError as fault:
            yield Diagnostic("wrong-type", str(fault), path=(*path, name))


def _wrong(what: str, value: object, path: DataPath) -> Diagnostic:
    return Diagnostic(
        "wrong-type", Message("board.position.mapping", what=what, found=repr(value)), path=path
    )
