"""Places on a map: bases, cities, resource sites. Plain data, read with the type that is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath, Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

Path = DataPath


@dataclass(frozen=True, slots=True)
class Place:
    """One entry of the map's list of places of a `kind`, standing in `hex` (its `number` as printed).

    `text`, `integer`, `flag`, `texts` read a field of `data`; a missing field is refused unless a default is
    given, and a field of another type always. The refusal points at the entry (`path` into the scenario's
    data).
    """

    kind: str
    hex: int
    number: str
    data: Mapping[str, Json]
    path: Path = field(default=(), compare=False)

    def text(self, key: str, default: str | None = None) -> str:
        """Return a field that holds text."""
        value = self._value(key, default)
        if not isinstance(value, str):
            raise self._wrong(key, "text", value)
        return value

    def integer(self, key: str, default: int | None = None) -> int:
        """Return a field that holds an integer."""
        value = self._value(key, default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(key, "an integer", value)
        return value

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Return a field that holds true or false."""
        value = self._value(key, default)
        if not isinstance(value, bool):
            raise self._wrong(key, Message("text.schema-faults.true-or-false"), value)
        return value

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a field that holds a list of texts."""
        if key not in self.data and default is not None:
            return default
        value = self._value(key, None)
        if not isinstance(value, list):
            raise self._wrong(key, Message("board.places.list-texts"), value)
        items = [item for item in value if isinstance(item, str)]
        if len(items) != len(value):
            raise self._wrong(key, Message("board.places.list-texts"), value)
        return tuple(items)

    def _value(self, key: str, default: Json) -> Json:
        if key in self.data:
            return self.data[key]
        if default is None:
            near = did_you_mean(key, list(self.data))
            help = (Message("board.places.meant", near=near, key=key),) if near else ()
            message = Message("board.places.missing-key", kind=self.kind, number=self.number, key=key)
            raise Refused([Diagnostic("missing-key", message, path=self.path, help=help)])
        return default

    def _wrong(self, key: str, wanted: str, value: Json) -> Refused:
        message = Message(
            "board.places.wrong-type",
            key=key,
            kind=self.kind,
            number=self.number,
            found=repr(value),
            wanted=wanted,
        )
        return Refused([Diagnostic("wrong-type", message, path=(*self.path, key))])
