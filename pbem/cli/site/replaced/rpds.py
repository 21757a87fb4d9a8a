"""Persistent collections, as far as `referencing` and `jsonschema` use them.

The library of this name is compiled, and there is none for the browser. Its shared trees are copies here: the
registries that pbem makes hold a few dozen entries.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from typing import Any, Generic, TypeVar, cast

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class HashTrieMap(Mapping[K, V], Generic[K, V]):
    """A mapping that is never changed; changes give another one."""

    def __init__(self, value: Any = (), /, **more: Any) -> None:
        self._held: dict[K, V] = dict(value, **more)

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap[K, V]:
        """Return the value itself if it is such a mapping, else one with its entries."""
        return value if isinstance(value, cls) else cls(value)

    def __getitem__(self, key: K) -> V:
        return self._held[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __hash__(self) -> int:
        return hash(frozenset(self._held.items()))

    def __repr__(self) -> str:
        return f"HashTrieMap({self._held!r})"

    def insert(self, key: K, value: V) -> HashTrieMap[K, V]:
        """Return a mapping with one more entry, or another value."""
        return HashTrieMap({**self._held, key: value})

    def remove(self, key: K) -> HashTrieMap[K, V]:
        """Return a mapping without a key; KeyError if it has none."""
        held = dict(self._held)
        del held[key]
        return HashTrieMap(held)

    def update(self, *values: Any, **more: Any) -> HashTrieMap[K, V]:
        """Return a mapping with all entries of others as well."""
        held = dict(self._held)
        for value in values:
            held.update(value)
        held.update(cast("dict[K, V]", more))
        return HashTrieMap(held)


class HashTrieSet(Set[K], Generic[K]):
    """A set that is never changed; changes give another one."""

    def __init__(self, value: Iterable[K] = ()) -> None:
        self._held = frozenset(value)

    def __contains__(self, value: object) -> bool:
        return value in self._held

    def __iter__(self) -> Iterator[K]:
        return iter(sorted(self._held, key=repr))

    def __len__(self) -> int:
        return len(self._held)

    def __hash__(self) -> int:
        return hash(self._held)

    def __repr__(self) -> str:
        return f"HashTrieSet({set(self._held)!r})"

    def insert(self, value: K) -> HashTrieSet[K]:
        """Return a set with one more member."""
        return HashTrieSet(self._held | {value})

    def update(self, *values: Iterable[K]) -> HashTrieSet[K]:
        """Return a set with the members of others as well."""
        return HashTrieSet(self._held.union(*values))


class List(Generic[V]):
    """A list that is never changed; changes give another one."""

    def __init__(self, *values: Any) -> None:
        items = values[0] if len(values) == 1 and not isinstance(values[0], str) else values
        self._held: tuple[V, ...] = tuple(items)

    def __iter__(self) -> Iterator[V]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, List) and self._held == other._held

    def __hash__(self) -> int:
        return hash(self._held)

    def __repr__(self) -> str:
        return f"List({list(self._held)!r})"

    def push_front(self, value: V) -> List[V]:
        """Return a list with one more at its head."""
        return List((value, *self._held))
