"""The game folders that this computer knows, and how far each was read.

A list in the user's own configuration, which commands and the table write and read alike; forgetting a game
leaves its folder as it is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pbem.text.dataclass import dataclass

MOST = 200
"""Games that are remembered; the ones opened longest ago go."""


def usual() -> Path:
    """Return the file with the list of this user."""
    from platformdirs import user_config_path

    return user_config_path("pbem", appauthor=False) / "games.json"


def opened(root: Path) -> None:
    """Remember the game in a folder, because a command was called for it.

    Of a game against the computer only the folders of people are noted. A list that cannot be
    written stops nothing.
    """
    from pbem.cli.games.practice import table_in

    table = table_in(root.parent) if (root.parent / "table.json").is_file() else None
    if (root / "private" / "me.json").is_file() and (table is None or root in table.folders):
        Memory(usual()).note(root)


@dataclass(frozen=True)
class Memory:
    """The list in a file; without one nothing is remembered."""

    path: Path | None = None

    def games(self) -> list[Path]:
        """Return the folders that still exist, the one opened last first."""
        folders = [Path(str(entry["folder"])) for entry in reversed(self._entries())]
        return [root for root in folders if (root / "private" / "me.json").is_file()]

    def remember(self, root: Path, **notes: Any) -> None:
        """Put a folder at the head of the list, with its notes; an unwritable list stops nothing."""
        entries = self._entries()
        name = str(root.absolute())
        old: dict[str, Any] = next((entry for entry in entries if entry["folder"] == name), {"folder": name})
        if entries and entries[-1] == old | notes:
            return
        self._write([*(entry for entry in entries if entry is not old), old | notes])

    def note(self, root: Path) -> None:
        """Put a folder that is not in the list at its head; one that is stays where it is."""
        name = str(root.absolute())
        entries = self._entries()
        if all(entry["folder"] != name for entry in entries):
            there = [entry for entry in entries if Path(entry["folder"]).is_dir()]
            self._write([*there, {"folder": name}])

    def keep(self, root: Path, **notes: Any) -> None:
        """Write notes about a folder that is in the list; it stays where it is."""
        name = str(root.absolute())
        entries = self._entries()
        after = [entry | notes if entry["folder"] == name else entry for entry in entries]
        if after != entries:
            self._write(after)

    def forget(self, root: Path) -> None:
        """Take a folder off the list."""
        name = str(root.absolute())
        self._write([entry for entry in self._entries() if entry["folder"] != name])

    def noted(self, root: Path, what: str) -> Any:
        """Return what was noted about a folder, or None."""
        name = str(root.absolute())
        return next((entry.get(what) for entry in self._entries() if entry["folder"] == name), None)

    def _entries(self) -> list[dict[str, Any]]:
        try:
            data = json.loads(self.path.read_bytes()) if self.path is not None else []
        except (OSError, ValueError):
            return []
        listed = data.get("games") if isinstance(data, dict) else None
        return [
            entry
            for entry in listed or []
            if isinstance(entry, dict) and isinstance(entry.get("folder"), str)
        ]

    def _write(self, entries: list[dict[str, Any]]) -> None:
        from pbem.text.writing import NotWritten, write_all

        if self.path is None:
            return
        text = json.dumps({"games": entries[-MOST:]}, indent=1)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_all({self.path: f"{text}\n".encode()}, private=[self.path])
        except (OSError, NotWritten):  # a convenience only: go on without it
            return
