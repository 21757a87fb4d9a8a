"""Messages: everything the program says, as an id with fields, worded in a catalogue per language.

A `Message` is its English sentence, so code that stores, compares, logs or prints texts needs no change. It
also carries the id and the fields, from which `in_language` makes the sentence of the reader's language.
`docs/languages.md` says how to write one, and where the catalogues are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, cast

from pbem.text.plurals import rule
from pbem.text.sentences import ENGLISH, English, Field, fill, parse, used

Voice: TypeAlias = Callable[[str], str]
"""A function that returns a message, or a line of text, in the words of a language. `str` is English."""
Value: TypeAlias = "str | int | Message | tuple[Value, ...] | None"
FOLDER = Path(__file__).parents[1] / "words"
"""The catalogues of the rooms: `words/<language>/<room>/*.yaml`."""
_HOMES: dict[str, Callable[[], Path]] = {}
_READING: list[Path] = []
_ENTRY = re.compile(r'([a-z][a-z0-9.-]*): ("[^"\\]*(?:\\["\\/bfnrtu][^"\\]*)*")')


class UnknownMessage(LookupError):
    """An unknown id, or fields that its sentence lacks: a mistake in the program."""


class Message(str):
    """A sentence with its fields filled in.

    As a text it is English.

    `id` begins with the room or the system: `text.yaml.unknown-key`. A field is a text, a number, yes or no,
    another message, or a list of these; anything else counts as the text it is printed as.
    """

    __slots__ = ("fields", "id")
    id: str
    fields: Mapping[str, Value]

    def __new__(cls, id: str, /, **fields: Any) -> Message:
        sentence, needed, simple = _KNOWN.get(id) or _look_up(id)
        if fields.keys() != needed:
            raise UnknownMessage(f"{id} has the fields {sorted(needed)}, not {sorted(fields)}")
        for name, value in fields.items():
            if value.__class__ not in _PLAIN:
                fields[name] = value = value_of(value)
                simple = simple if value.__class__ is not tuple else None
        if simple is not None:
            text = simple[0] % tuple([fields[name] for name in simple[1]])
        else:
            text = fill(sentence, fields, _as_text)
        self = super().__new__(cls, text)
        self.id = id
        self.fields = fields
        return self

    def __str__(self) -> Message:
        return self  # str() of a message keeps its id, for exceptions and defaults

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.id, dict(self.fields))


_PLAIN = frozenset((str, Message, int, bool, type(None)))
_Known: TypeAlias = tuple[str, frozenset[str], tuple[str, tuple[str, ...]] | None]
_KNOWN: dict[str, _Known] = {}
"""English sentences, the fields they need, and those with nothing but plain fields as a form for `%`."""


def _again(id: str, fields: Mapping[str, Value]) -> Message:
    return Message(id, **fields)


def value_of(value: Any) -> Value:
    """Return a value as a message keeps it."""
    if value.__class__ in _PLAIN or isinstance(value, str):
        return cast(Value, value)
    if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
        return tuple([value_of(item) for item in value])
    return str(value)  # an exception gives its message


def _as_text(value: Value) -> str:
    return ", ".join(map(_as_text, value)) if isinstance(value, tuple) else str(value)


class Worded(str):
    """A text that stays as it is in every language: data, or a sentence that is in the reader's already."""

    __slots__ = ()


def in_turn(parts: Iterable[str], id: str = "text.messages.one-and-another") -> str:
    """Return several sentences as one, joined by the message (default: semicolons); "" for none."""
    listed = list(parts)
    joined = listed[0] if listed else ""
    for part in listed[1:]:
        joined = Message(id, first=joined, then=part)
    return joined


def in_language(message: Message, language: str, word: Callable[[str], str] = str) -> str:
    """Return the sentence in a language, marked as `English` if that language lacks it.

    `word` translates a field that is a text. Fields that are messages are translated like the message.
    """
    return message if language == ENGLISH else worded(message, language, word)


def worded(message: Message, language: str, word: Callable[[str], str]) -> str:
    """Return the sentence in a language, English too, with each field that is a text as `word` says it."""
    sentence = catalogue(message.id.partition(".")[0], language).get(message.id)
    if sentence is None:
        return English(message)

    def shown(value: Value) -> str:
        if isinstance(value, Message):
            return worded(value, language, word)
        if isinstance(value, tuple):
            return ", ".join(map(shown, value))
        return word(value) if isinstance(value, str) else str(value)

    return fill(sentence, message.fields, shown, rule(language))


def as_data(message: Message) -> dict[str, Any]:
    """Return id and fields as plain data for JSON."""

    def plain(value: Value) -> Any:
        if isinstance(value, Message):
            return as_data(value)
        return [plain(item) for item in value] if isinstance(value, tuple) else value

    return {"id": message.id, "fields": {name: plain(value) for name, value in message.fields.items()}}


# ---- catalogues ----------------------------------------------------------------------------------------


def add_home(name: str, words: Callable[[], Path]) -> None:
    """Make known where the messages of a rules system are: `<language>/messages/*.yaml` in that folder."""
    _HOMES[name] = words


def home(name: str, language: str) -> Path:
    """Return the folder with the messages of a room or a system in a language."""
    return _HOMES[name]() / language / "messages" if name in _HOMES else FOLDER / language / name


def compiled(name: str, language: str) -> Path:
    """Return where the wheel has the compiled catalogue.

    Those of systems are outside their packages, so that the digest of words is the same in a checkout and a
    wheel.
    """
    return (
        FOLDER / language / "_systems" / f"{name}.json"
        if name in _HOMES
        else FOLDER / language / f"{name}.json"
    )


def languages() -> list[str]:
    """Return the codes of the languages of the program, English first."""
    found = {path.name for path in FOLDER.iterdir() if path.is_dir()}
    return [ENGLISH, *sorted(found - {ENGLISH})]


def rooms() -> list[str]:
    """Return the rooms that have messages, sorted."""
    return sorted({path.stem for path in (FOLDER / ENGLISH).iterdir() if path.stem[:1] not in "._"})


@cache
def catalogue(name: str, language: str) -> Mapping[str, str]:
    """Return the sentences of a room or a system in a language by id; empty if there are none.

    In an installed package they are one file of JSON, elsewhere YAML files.
    """
    folder = home(name, language)
    whole = compiled(name, language)
    if whole.is_file():
        texts: Mapping[str, str] = json.loads(whole.read_bytes())
        return texts
    sentences: dict[str, str] = {}
    for path in sorted(folder.glob("*.yaml")):
        sentences |= _read(path, f"words/{language}/{name}/{path.name}")
    return sentences


def _read(path: Path, name: str) -> Mapping[str, str]:
    """Return the sentences of a file. With a line for each it is almost JSON, and read as that."""
    lines = [line for line in path.read_text("utf-8").split("\n") if line and not line.startswith("#")]
    entries = [entry for line in lines if (entry := _ENTRY.fullmatch(line))]
    if len(entries) == len(lines):
        sentences: dict[str, str] = json.loads(
            "{" + ",".join([f'"{match[1]}":{match[2]}' for match in entries]) + "}"
        )
        if len(sentences) == len(lines):
            return sentences
    from pbem.text.loading import (
        load_file,
    )  # imported late: the YAML reader reports its own faults as messages

    if path in _READING:
        raise UnknownMessage(f"there is a fault in {path}, which holds the words to say so")
    _READING.append(path)
    texts: Mapping[str, str] = load_file(path, name).data
    _READING.remove(path)
    return texts


def _look_up(id: str) -> _Known:
    """Return what is known of a message, from its catalogue, and keep it."""
    sentence = catalogue(id.partition(".")[0], ENGLISH).get(id)
    if sentence is None:
        raise UnknownMessage(f"there is no message {id}")
    parts = parse(sentence)
    simple = None
    if all(isinstance(part, str) or (isinstance(part, Field) and not part.how) for part in parts):
        form = "".join([part.replace("%", "%%") if isinstance(part, str) else "%s" for part in parts])
        simple = form, used(sentence)
    _KNOWN[id] = known = sentence, frozenset(used(sentence)), simple
    return known
