"""The book of sent emails, so that none is sent twice unasked, whatever happens in between.

A line is written and forced to the disk before an email leaves and another one after. If the second
is missing, nobody knows whether it left. Then it goes again, byte for byte: the line has what it
was dressed with. After MOST_TRIES the owner is asked. A line that a crash cut short is ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

from pbem.text.dataclass import dataclass
from pbem.text.writing import sync_folder

MOST_TRIES = 3
"""Tries that were cut short, after which an email is not sent again unless its owner says so."""
What = Literal["begun", "sent", "failed", "settled", "again", "returned", "told"]
"""Leaving now; away; did not leave; the owner says it is away; the owner wants it sent once more; a delivery
report says that it did not arrive; the owner was told that it has no address."""


@dataclass
class Sent:
    """The entry of one email.

    `open`: it may have reached these after so many `tries`, the last one with this `dress`; `refused`:
    addresses that rejected it, with the reason.
    """

    done: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    at: str = ""
    why: str = ""
    settled: bool = False
    told: bool = False
    tries: int = 0
    dress: dict[str, Any] = field(default_factory=dict)

    def close(self) -> None:
        """Note that it is known what became of the last try."""
        self.open.clear()
        self.tries, self.dress = 0, {}


class Ledger:
    """The book at `path`, read and appended to.

    An email is known by the hash of its bytes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_new = not path.exists()
        self._mails: dict[str, Sent] = {}
        for line in self._lines():
            self._take(line)

    def of(self, digest: str) -> Sent:
        """Return the entry of an email; an empty one if nothing is known."""
        return self._mails.get(digest, Sent())

    def write(
        self,
        what: What,
        name: str,
        digest: str,
        at: str,
        to: Sequence[str] = (),
        refused: Mapping[str, str] | None = None,
        why: str = "",
        dress: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a line and force it to the disk."""
        line: dict[str, Any] = {"at": at, "what": what, "name": name, "digest": digest, "to": sorted(set(to))}
        if refused:
            line["refused"] = dict(sorted(refused.items()))
        if why:
            line["why"] = why
        if dress:
            line["dress"] = dict(dress)
        self._append(line)
        self._take(line)

    def _lines(self) -> list[dict[str, Any]]:
        if self.is_new:
            return []
        entries = []
        for text in self.path.read_bytes().split(b"\n"):
            try:
                line = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(line, dict) and isinstance(line.get("digest"), str) and _plain(line.get("to")):
                entries.append(line)
        return entries

    def _take(self, line: Mapping[str, Any]) -> None:
        mail = self._mails.setdefault(line["digest"], Sent())
        to, what = set(line["to"]), line.get("what")
        if what == "told":
            mail.told = True
            return
        refused = {str(k): str(v) for k, v in dict(line.get("refused") or {}).items()}
        if what == "returned":
            mail.done -= set(refused)
            mail.refused |= refused
            return
        mail.at, mail.why = str(line.get("at", "")), str(line.get("why", ""))
        if what == "begun":
            mail.open |= to
            mail.tries += 1
            mail.dress = dict(line.get("dress") or {})
        elif what == "sent":
            mail.done |= to
            mail.close()
            mail.refused = {who: why for who, why in mail.refused.items() if who not in to} | refused
        elif what == "failed":
            mail.close()
        elif what == "settled":
            mail.done |= mail.open | to
            mail.close()
            mail.settled = True
            if mail.why:  # because the owner said so
                mail.refused.clear()
        elif what == "again":
            mail.done.clear()
            mail.close()
            mail.refused.clear()
            mail.settled = False

    def _append(self, line: Mapping[str, Any]) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        flags |= getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(self.path, flags, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            torn = size > 0 and _last_byte(self.path) != b"\n"
            text = ("\n" if torn else "") + json.dumps(line, sort_keys=True) + "\n"
            os.write(descriptor, text.encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if size == 0:
            sync_folder(self.path.parent)


def _plain(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _last_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1)
