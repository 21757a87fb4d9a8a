"""Facts of a decision: what `when:` of a standing order may test, declared with names and types.

A fact is a field of the question that `@decision(facts=("hex", ...))` names, or a method under `@fact` whose
return type says what it is. The wording's section `facts` has words for each.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin, overload

from pbem.text.dataclass import dataclass

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Known:
    """A fact: its name, the type of its value, and where it comes from: a field, or a method of the game."""

    name: str
    type: Any
    attribute: str
    computed: bool

    def value(self, asked: Any, game: Any) -> str | int | bool:
        """Return the value of the fact for a question now."""
        value_ = getattr(asked, self.attribute)
        made: str | int | bool = value_(game) if self.computed else value_
        return made

    @property
    def is_number(self) -> bool:
        """Return True if the fact may be tested with bounds."""
        values = get_args(self.type) if get_origin(self.type) is Literal else ()
        return _plain(self.type) is int or (bool(values) and all(type(value) is int for value in values))


@overload
def fact(named: F) -> F: ...
@overload
def fact(named: str) -> Callable[[F], F]: ...
def fact(named: Any) -> Any:
    """Make a method `(self, game) -> int | str | bool` of a decision a fact.

    `@fact` uses the method's name, `@fact("ratio")` another. The method may use only what the owner may see.
    """
    if isinstance(named, str):
        return lambda method: _marked(method, named)
    return _marked(named, named.__name__)


def _marked(method: Any, name: str) -> Any:
    method.__pbem_fact__ = name
    return method


def known_facts(asked: type) -> dict[str, Known]:
    """Return the facts of a decision by name: fields in the order named, then methods as written."""
    kinds: Mapping[str, Any] = {}
    facts: dict[str, Known] = {}
    for name in getattr(asked, "fact_fields", ()):
        kinds = kinds or typing.get_type_hints(asked, include_extras=True)
        facts[name] = Known(name, kinds[name], name, False)
    for cls in reversed(asked.__mro__):
        for attribute, method in vars(cls).items():
            name = getattr(method, "__pbem_fact__", None)
            if isinstance(name, str):
                facts[name] = Known(name, _returned(method), attribute, True)
    return facts


def testable(asked: type) -> dict[str, Known]:
    """Return all that `when:` may test of a decision: the fields of its question, and its facts."""
    kinds = typing.get_type_hints(asked, include_extras=True)
    names = [name for name in getattr(asked, "__dataclass_fields__", {}) if name != "player"]
    return {name: Known(name, kinds[name], name, False) for name in names} | known_facts(asked)


def refuse_shadows(cls: type) -> None:
    """Raise TypeError for a decision with a fact named like one of its fields: it would be its default."""
    for name in vars(cls).get("__annotations__", {}):
        if hasattr(vars(cls).get(name), "__pbem_fact__"):
            wanted = f'@fact("{name}") over a method of another name'
            raise TypeError(f"decision {cls.__name__}: the fact '{name}' hides the field: wanted {wanted}")


def _returned(method: Any) -> Any:
    """Return the return type of a method.

    Other annotations may exist for type checkers only.
    """
    alone = types.SimpleNamespace(__annotations__={"return": method.__annotations__.get("return")})
    return typing.get_type_hints(alone, method.__globals__, include_extras=True)["return"]


def _plain(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is typing.Annotated else kind


def is_simple(kind: Any) -> bool:
    """Return True if a fact may have this type: text, whole number, yes or no, or some values of these."""
    plain = _plain(kind)
    if get_origin(plain) is Literal:
        return all(isinstance(value, str | int) for value in get_args(plain))
    return plain in (str, int, bool)
