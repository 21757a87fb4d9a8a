"""The elements of answers that are lists of actions: splitting an answer and joining it again.

An answer is a list (`tuple[E, ...]`: its items are the elements), a mapping (`dict[str, V]`: its elements
are `Entry`), or a frozen dataclass whose fields are its *sections*: then an element is a `Part`. A section is
a list, a mapping, or one value (`choice: turn`). Sections are called as in the order file, and stand in the
order of the fields. A field `| None` whose dataclass says `grouped: ClassVar[bool] = True` holds sections
under one heading that may stand without it.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pbem.model.codec import from_json, to_json
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath
from pbem.text.flow import flow

E = TypeVar("E")
V = TypeVar("V")


@dataclass(frozen=True)
class Entry(Generic[V]):
    """An entry of an answer, or section, that is a mapping."""

    key: str
    value: V


class _Nothing:
    """See `NOTHING`."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = _Nothing()
"""As the value of a `Part`: the section is there and empty, where that means something else than no section
(`withhold: []` withholds nothing, without `withhold` there is a rule for what is withheld)."""


@dataclass(frozen=True)
class Part(Generic[V]):
    """An element of an answer with sections: an item of a list, an `Entry` of a mapping, or the one value."""

    section: str
    value: V


@dataclass(frozen=True)
class Written:
    """An element as written in an order file.

    `under` is its section (None: the answer has none). `value` is an item of the list there if `listed`; else
    the entry `key` of the mapping there; else, without a key, all of the section.
    """

    under: str | None
    value: Json
    listed: bool = True
    key: str | None = None

    @property
    def item(self) -> str:
        """Return the element without its section, as it is written on one line."""
        return flow(self.value) if self.key is None else flow({self.key: self.value})[1:-1]

    def __str__(self) -> str:
        return self.item if self.under is None else f"{self.under}: {self.item}"


SectionForm = Literal["list", "mapping", "value", "group"]


@dataclass(frozen=True)
class Section:
    """One field of an answer: `name` in the order file, `field` in Python.

    `empty` is its value without elements (`MISSING`: one must be given). With `optional`, None differs from
    an empty list. A group has sections `within`, called like other fields of the answer: `steps: {i: [...]}`
    says the same as `i: [...]`, and its elements are those of `i`.
    """

    name: str
    field: str
    form: SectionForm
    empty: Any
    optional: bool = False
    within: tuple[Section, ...] = ()


@dataclass(frozen=True)
class Form:
    """The parts of the answers of a type: a list, a mapping, or sections."""

    kind: Any
    form: Literal["list", "mapping", "sections"]
    sections: tuple[Section, ...] = ()

    def section(self, name: str) -> Section:
        """Return the section of that name.

        Raises `KeyError` for an unknown one, a mistake of the rules system.
        """
        return self.sections[self.number(name)]

    def number(self, name: str) -> int:
        """Return the number of a section, from 0."""
        for number, section in enumerate(self.sections):
            if section.name == name:
                return number
        raise KeyError(f"{self.kind.__name__} has no section {name!r}")

    def elements(self, answer: Any) -> Iterator[tuple[DataPath, Any]]:
        """Yield the elements of an answer in order, each with its path in the order file."""
        if self.form == "list":
            yield from (((i,), item) for i, item in enumerate(answer))
        elif self.form == "mapping":
            yield from (((key,), Entry(key, item)) for key, item in answer.items())
        else:
            for section in self.sections:
                yield from _parts(section, getattr(answer, section.field))

    def whole(self, elements: Iterable[Any]) -> Any:
        """Return the answer of these elements.

        Raises `KeyError` if a required section is missing.
        """
        if self.form == "list":
            return tuple(elements)
        if self.form == "mapping":
            return {element.key: element.value for element in elements}
        values = {section.field: section.empty for section in self.sections}
        lists: dict[str, list[Any]] = {}
        for part in elements:
            section = self.section(part.section)
            if section.form == "value":
                values[section.field] = part.value
            else:
                items = lists.setdefault(section.field, [])
                items.extend(() if part.value is NOTHING else (part.value,))
        for section in self.sections:
            items = lists.get(section.field, [])
            if section.field in lists and section.form == "mapping":
                values[section.field] = {item.key: item.value for item in items}
            elif section.field in lists:
                values[section.field] = tuple(items)
            if values[section.field] is dataclasses.MISSING:
                raise KeyError(section.name)
        return self.kind(**values)

    def missing(self, elements: Iterable[Any]) -> list[str]:
        """Return the required sections that are missing."""
        given = {element.section for element in elements} if self.sections else set()
        return [s.name for s in self.sections if s.empty is dataclasses.MISSING and s.name not in given]

    def nothing(self) -> Json:
        """Return the JSON of an answer without elements."""
        return [] if self.form == "list" else {}

    def written(self, element: Any) -> Written:
        """Return an element as written in an order file."""
        if self.form == "list":
            return Written(None, to_json(element))
        if self.form == "mapping":
            return Written(None, to_json(element.value), False, element.key)
        name, value = element.section, element.value
        form = self.section(name).form
        if value is NOTHING:
            return Written(name, [] if form == "list" else {}, listed=False)
        if form == "mapping":
            return Written(name, to_json(value.value), False, value.key)
        return Written(name, to_json(value), listed=form == "list")

    def add(self, answer: Json, written: Written, *, instead: bool = False) -> Json:
        """Return the JSON of an answer with one more (or another last) element; it shares what it can."""
        if written.under is None:
            return _add(answer, written, instead)
        assert isinstance(answer, dict)
        return {**answer, written.under: _add(answer.get(written.under), written, instead)}

    def together(self, elements: Iterable[Written]) -> Json:
        """Return the JSON of an answer of these elements."""
        answer: dict[str | None, Json] = {}
        for written in elements:
            if written.listed:
                items = answer.setdefault(written.under, [])
                assert isinstance(items, list)
                items.append(written.value)
            elif written.key is not None:
                entries = answer.setdefault(written.under, {})
                assert isinstance(entries, dict)
                entries[written.key] = written.value
            else:
                answer[written.under] = _begun(written.value)
        if self.form != "sections":
            return answer.get(None, self.nothing())
        return {name: value for name, value in answer.items() if name is not None}

    def lines(self, answer: Any) -> list[str]:
        """Return an answer as written, a line for each element."""
        return [str(self.written(element)) for _, element in self.elements(answer)]


def _begun(value: Json) -> Json:
    """Return a value that can grow: a new one for a section that was begun empty."""
    return value if value else [] if isinstance(value, list) else {} if isinstance(value, dict) else value


def _add(section: Json, written: Written, instead: bool) -> Json:
    if written.listed:
        assert isinstance(section, list | None)
        items = section or []
        return [*(items[:-1] if instead else items), written.value]
    if written.key is None:
        return written.value
    assert isinstance(section, dict | None)
    return {**(section or {}), written.key: written.value}


def spelled(element: Any) -> str:
    """Return an element on one line, as written in an order file."""
    if isinstance(element, Part) and element.value is NOTHING:
        return f"{element.section}: []"
    if isinstance(element, Part):
        return f"{element.section}: {spelled(element.value)}"
    if isinstance(element, Entry):
        return f"{element.key}: {flow(to_json(element.value))}"
    return flow(to_json(element))


def _parts(section: Section, value: Any) -> Iterator[tuple[DataPath, Any]]:
    name = section.name
    if section.form == "group":
        for inner in section.within if value is not None else ():
            yield from (((name, *path), part) for path, part in _parts(inner, getattr(value, inner.field)))
    elif section.form == "value":
        if section.empty is dataclasses.MISSING or value != section.empty:
            yield (name,), Part(name, value)
    elif not value:
        if section.optional and value is not None:
            yield (name,), Part(name, NOTHING)
    elif section.form == "list":
        yield from (((name, i), Part(name, item)) for i, item in enumerate(value))
    else:
        yield from (((name, key), Part(name, Entry(key, item))) for key, item in value.items())


def lines_of(kind: Any, answer: Json) -> list[str]:
    """Return an answer of a type as written: a line for each element, or one line without elements."""
    try:
        form = form_of(kind)
    except TypeError:
        return [flow(answer)]
    return form.lines(from_json(kind, answer)) or [flow(answer)]


@functools.cache
def form_of(kind: Any) -> Form:
    """Return how to split the answers of a type.

    Raises `TypeError` for a type without elements.
    """
    kind, _ = _bare(kind)
    plain = _form(kind)
    if plain != "value":
        return Form(kind, plain)
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        raise TypeError(f"{kind!r} has no elements: wanted tuple[X, ...], dict[str, X] or a dataclass")
    hints = typing.get_type_hints(kind, include_extras=True)
    return Form(kind, "sections", tuple(_section(f, hints[f.name]) for f in dataclasses.fields(kind)))


def _section(field: dataclasses.Field[Any], kind: Any) -> Section:
    kind, optional = _bare(kind)
    if getattr(kind, "grouped", False):
        return Section(field.name.rstrip("_"), field.name, "group", None, within=form_of(kind).sections)
    form = _form(kind)
    empty = field.default
    if field.default_factory is not dataclasses.MISSING:
        empty = field.default_factory()
    if form != "value" and empty is dataclasses.MISSING:
        empty = () if form == "list" else {}
    if form != "value" and empty:
        form = "value"  # the default is no list: the section is given as a whole
    return Section(field.name.rstrip("_"), field.name, form, empty, optional and form != "value")


def _form(kind: Any) -> Literal["list", "mapping", "value"]:
    if get_origin(kind) is tuple and get_args(kind)[1:] == (Ellipsis,):
        return "list"
    return "mapping" if get_origin(kind) is dict else "value"


def _bare(kind: Any) -> tuple[Any, bool]:
    """Return a type without annotations and `| None`, and whether it had the latter."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) in (Union, types.UnionType):
        members = [member for member in get_args(kind) if member is not type(None)]
        if len(members) == 1:
            return _bare(members[0])[0], len(members) < len(get_args(kind))
    return kind, False
