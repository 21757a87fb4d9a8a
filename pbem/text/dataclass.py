"""`dataclass` of the standard library, applied to a class when somebody first uses it.

The decorator compiles six functions for each class while a module is imported. A command imports some hundred
classes and uses a part of them (docs/decisions/0032-dataclasses-made-late.md). Here the class
waits, with a placeholder for each name that the decorator would add. The first access to one makes
the standard library build the class.

The result is an ordinary dataclass, with two differences: a faulty declaration (a mutable default,
say) fails at first use, and a program with threads calls `no_waiting` before it starts them.
"""

from __future__ import annotations

import dataclasses
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

_GIVEN = tuple(
    "__init__ __repr__ __eq__ __hash__ __match_args__ __dataclass_fields__ __dataclass_params__".split()
)
_GIVEN_TO_FROZEN = (*_GIVEN, "__setattr__", "__delattr__")
_waiting: dict[type, dict[str, Any]] | None = {}


class _Waiting:
    """The stand-in for names of a class until the class is made."""

    def __init__(self, owner: type, name: str) -> None:
        self.owner, self.name = owner, name

    def __get__(self, instance: object, kind: type | None = None) -> Any:
        _make(self.owner)
        made = vars(self.owner)[self.name]
        return made.__get__(instance, kind) if hasattr(type(made), "__get__") else made


def _make(owner: type) -> None:
    """Have the standard library make a class that waits.

    Meanwhile the class has none of its methods.
    """
    assert _waiting is not None
    options = _waiting.pop(owner)
    for name in [name for name, value in vars(owner).items() if type(value) is _Waiting]:
        delattr(owner, name)
    # What the library would write is a signature; that takes long, so that its beginning must do.
    owner.__doc__ = owner.__doc__ or f"{owner.__name__}()"
    if "__repr__" not in vars(owner):
        setattr(owner, "__repr__", _shown)  # noqa: B010
    dataclasses.dataclass(owner, repr=False, **options)


def is_dataclass_type(kind: object) -> bool:
    """Return True if this class is or will be a dataclass, without making it one."""
    return isinstance(kind, type) and any("__dataclass_fields__" in vars(base) for base in kind.__mro__)


@recursive_repr()
def _shown(self: Any) -> str:
    """Return the `repr` that the standard library compiles for each class anew."""
    fields = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({fields})"


def no_waiting() -> None:
    """Make what waits, and from here on each class where it is declared."""
    global _waiting
    while _waiting:
        _make(next(iter(_waiting)))
    _waiting = None


def made_late(cls: type | None = None, /, **options: Any) -> Any:
    """Make a dataclass when it is first used; unusual arguments make it at once."""
    if cls is None:
        return lambda made: made_late(made, **options)
    if _waiting is None or options.keys() - {"frozen"}:
        return dataclasses.dataclass(cls, **options)
    _waiting[cls] = options
    for name in _GIVEN_TO_FROZEN if options.get("frozen") else _GIVEN:
        if name not in vars(cls):
            setattr(cls, name, _Waiting(cls, name))
    return cls


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = made_late
