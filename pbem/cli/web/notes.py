"""Private notes of a player on places and turns, in `private/`: sent to nobody."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pbem.model.whereabouts import Whereabouts
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder

NAME = "private/notes.json"
MOST, LONGEST = 500, 4000
"""Notes of a game, and characters of one."""
Note = dict[str, Any]


def notes(folder: Folder) -> list[Note]:
    """Return the notes, in the order in which they were begun; a file that cannot be read has none."""
    try:
        data = json.loads((folder.root / NAME).read_bytes())
    except (OSError, ValueError):
        return []
    listed = data.get("notes") if isinstance(data, dict) else None
    return [note for note in listed or [] if isinstance(note, dict) and isinstance(note.get("text"), str)]


def turn(folder: Folder) -> str:
    """Return the game turn, as notes on it name it."""
    place = folder.view().place if folder.stage >= 0 else ""
    return place.stops[0].text if isinstance(place, Whereabouts) and place.stops else place


def note(folder: Folder, at: str, text: str) -> list[Note]:
    """Replace the note on a place, or on the game turn (no place); an empty text removes it.

    Refused if there are too many, or it is too long.
    """
    from pbem.text.writing import write_all

    place = "" if at else turn(folder)
    kept = [note for note in notes(folder) if (note.get("at", ""), note.get("turn", "")) != (at, place)]
    if text.strip():
        kept.append({"at": at, "turn": place, "text": text})
    if len(kept) > MOST or len(text) > LONGEST:
        raise Refused(Diagnostic("too-long", Message("cli.web.note-too-long", most=MOST, longest=LONGEST)))
    path = folder.root / NAME
    write_all({path: (json.dumps({"notes": kept}, indent=1) + "\n").encode()}, private=[path])
    return kept
