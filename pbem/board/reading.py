"""A reader of plain data that collects every fault, shared by the readers of maps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from pbem.board.places import Path
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean


class Reader:
    """A collector of faults.

    Faulty data is left out, so that the rest can be checked.

    `path` leads to the data in its document.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults: list[Diagnostic] = []

    def mapping(self, value: Json, path: Path) -> Iterator[tuple[str, Json]]:
        """Yield the entries of a mapping, if it is one."""
        if isinstance(value, dict):
            yield from value.items()
        elif value is not None:
            self.fault("wrong-type", Message("board.reading.names-values", value=repr(value)), path)

    def items(self, value: Json, path: Path) -> list[Json]:
        """Return the items of a list, or [] if the value is no list."""
        if isinstance(value, list):
            return value
        if value is not None:
            self.fault("wrong-type", Message("board.reading.list", value=repr(value)), path)
        return []

    def texts(self, value: Json, path: Path) -> list[tuple[int, str]]:
        """Return the texts of a list with their places; anything else in it is a fault."""
        listed: list[tuple[int, str]] = []
        for n, item in enumerate(self.items(value, path)):
            if isinstance(item, str):
                listed.append((n, item))
            else:
                help = [f'in quotes: "{item}"']
                self.fault("wrong-type", Message("board.mapdata.text", chain=repr(item)), (*path, n), help)
        return listed

    def check_keys(self, keys: Iterable[str], known: Collection[str], path: Path) -> None:
        """Check that every key is known, except those that begin with x-."""
        self.check_names("key", [key for key in keys if not key.startswith("x-")], known, path)

    def check_names(self, what: str, names: Iterable[str], known: Collection[str] | None, path: Path) -> None:
        """Check that every name is known (None: any will do)."""
        for name in names:
            if known is not None and name not in known:
                self.unknown(what, name, known, (*path, name), on_key=True)

    def unknown(self, what: str, name: str, known: Collection[str], path: Path, on_key: bool = False) -> None:
        """Add the fault of an unknown name, with the one that was meant or all there are."""
        near = did_you_mean(name, sorted(known))
        help = (
            Message("text.suggest.did-you-mean-bare", near=near)
            if near
            else Message("board.reading.known", names=", ".join(sorted(known)))
        )
        message = Message("board.reading.unknown", what=what, name=repr(name))
        self.fault(f"unknown-{what}", message, path, [help], on_key)

    def take(self, refused: Refused, path: Path) -> None:
        """Add the faults of a refusal, here."""
        self.faults.extend(replace(fault, path=self.path + path) for fault in refused.diagnostics)

    def fault(
        self, code: str, message: Message, path: Path, help: Iterable[str] = (), on_key: bool = False
    ) -> None:
        self.faults.append(Diagnostic(code, message, path=self.path + path, help=tuple(help), on_key=on_key))
