"""Cached lines of the list of games: rules are not loaded while a game's files are unchanged.

In a browser each visit begins anew, and loading the rules of a game takes longer than all the rest of it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem import __version__
from pbem.cli.club.listing import Entry, entry
from pbem.cli.games.standing import PartyState, Standing
from pbem.cli.shell.language import code, spoken
from pbem.cli.web.pages import environment
from pbem.engine.system import ENGINE_VERSION
from pbem.text.dataclass import dataclass
from pbem.text.messages import Worded
from pbem.text.sentences import English

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.games.memory import Memory

_NAME = "stood"
_OWN = ("orders", "notes")
"""Name prefixes of files in `private/` that are left out: drafts of orders change nothing in the list."""


@dataclass(frozen=True)
class Seen:
    """A game on the page of games, and the name of its system."""

    entry: Entry
    system: str


def seen(memory: Memory, root: Path) -> Seen | None:
    """Return a game as it was kept, or None if its folder, the language or the program has
    changed.
    """
    kept = memory.noted(root, _NAME)
    try:
        return _read(root, kept) if kept["mark"] == _mark(root) else None
    except (KeyError, TypeError, ValueError, OSError):  # nothing kept, or not by this program
        return None


def _read(root: Path, kept: Any) -> Seen:
    standing = Standing(
        English(kept["title"]) if kept["english"] else kept["title"],
        "",
        "",
        kept["me"],
        kept["stage"],
        Worded(kept["place"]),
        [PartyState(party, "", "", True, since) for party, since in kept["awaited"]],
        warnings=[Worded(line) for line in kept["warnings"]],
        mine=[Worded(line) for line in kept["mine"]],
        finished=kept["finished"],
        letters=kept["letters"],
    )
    return Seen(Entry(root, standing, None, kept["waits"]), kept["system"])


def look(memory: Memory, folder: Folder) -> Seen:
    """Return a game as its folder says, and keep it. With a deadline it is not kept: time passes."""
    found = Seen(entry(folder), folder.terms.module.name)
    standing = found.entry.standing
    if not standing.due:
        kept: dict[str, Any] = {
            "mark": _mark(folder.root),
            "title": standing.title,
            "english": isinstance(standing.title, English),
            "me": standing.me,
            "stage": standing.stage,
            "place": spoken(standing.place),
            "awaited": [(party.id, party.since) for party in standing.parties if party.awaited],
            "warnings": [spoken(line) for line in standing.warnings],
            "mine": [spoken(line) for line in standing.mine],
            "finished": standing.finished,
            "letters": [spoken(line) for line in standing.letters],
            "waits": found.entry.mine,
            "system": found.system,
        }
        memory.keep(folder.root, **{_NAME: kept})
    return found


def _mark(root: Path) -> str:
    """Return a hash of what the words depend on: the program, the language, and the files of the game."""
    program = environment().globals["fingerprint"] or __version__
    mark = hashlib.sha256(f"{program} {ENGINE_VERSION} {code()}".encode())
    for path in sorted(_files(root)):
        data = path.read_bytes()
        mark.update(f"\n{path.relative_to(root)} {len(data)}\n".encode() + data)
    return mark.hexdigest()


def _files(root: Path) -> list[Path]:
    """Return the files of a game that say where it stands."""
    private = root / "private"
    found: list[Path] = []
    for path in root.iterdir():
        if path != private and path.name != ".git":
            found += [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return [*found, *(one for one in private.glob("*") if one.is_file() and not one.name.startswith(_OWN))]
