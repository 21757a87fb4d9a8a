"""The journal of a postmaster (its actions, with reasons) and its state page (each game in a line)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.cli.post.mail import now, stamp
from pbem.cli.shell.language import spoken
from pbem.cli.shell.words import safe

_LIMIT = 1 << 20
"""Bytes after which the journal begins anew; one old journal is kept."""


class Journal:
    """The journal and the state page of one postmaster, in a folder of the user's data."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._page = ""

    @property
    def page(self) -> Path:
        """Return the file for people."""
        return self.place / "state.txt"

    def say(self, text: str, game: str = "") -> None:
        """Add a line; a journal that cannot be written stops nothing."""
        path = self.place / "journal.log"
        line = f"{stamp(now())} {f'{game}: ' if game else ''}{safe(spoken(text), 600)}\n"
        try:
            self.place.mkdir(mode=0o700, parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size > _LIMIT:
                path.replace(path.with_suffix(".log.1"))
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            descriptor = os.open(path, flags, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(line.encode())
        except OSError:
            return

    def state(self) -> dict[str, Any]:
        """Return the state as last written; empty if there is none."""
        try:
            data = json.loads((self.place / "state.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    def write(self, data: Mapping[str, Any], lines: list[str]) -> None:
        """Write the state page, for programs and for people, if it has changed."""
        from pbem.text.writing import write_all

        text = "\n".join(lines) + "\n"
        data_text = json.dumps(data, indent=1, sort_keys=True) + "\n"
        if text + data_text == self._page:
            return
        files = {self.place / "state.json": data_text.encode(), self.page: text.encode()}
        write_all(files, private=list(files))
        self._page = text + data_text
