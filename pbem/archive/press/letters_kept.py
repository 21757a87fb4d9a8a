"""The letters of a game folder: those to all in `letters/`, private ones in `private/press/`.

Neither git nor an archive takes anything from `private/`. A log beside the private letters has the
order of arrival, which were read, and which wait for a signature.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.parts import Readable
from pbem.stages.letters import Came, Doubt, content_of, doubts
from pbem.text.canonical import Json, NotCanonical
from pbem.text.dataclass import dataclass
from pbem.trust import sshsig, statements
from pbem.trust.armour import Signed
from pbem.trust.errors import BadOpening, BadSignature, BadStatement
from pbem.trust.letters import Content
from pbem.trust.records import Shown
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement

BOOK = f"{layout.PRESS}/book.json"
DRAFT = f"{layout.PRESS}/draft.txt"
WAITING = f"{layout.PRESS}/waiting.json"


@dataclass(frozen=True)
class Noted:
    """An entry of the book: order of arrival, whether the letter was read, its day and sender.

    `grey`: the GM is to send it on. With the book alone a command says who wrote, without reading letters.
    """

    order: int
    read: bool = False
    day: str = ""
    sender: str = ""
    grey: bool = False


def letters(folder: Readable) -> list[Came]:
    """Return the letters that are here, in the order in which they came or were written.

    Their signatures were checked when they came. A file that cannot be read is no letter.
    """
    noted, gm = book(folder), folder.need_roster().terms.arbiter
    public = _in(folder.root / layout.LETTERS, lambda sid: _opened_by_all(folder, sid), noted, gm)
    all_letters = [*public, *_in(_side(folder), lambda sid: _shown(_side(folder), sid), noted, gm)]
    by_sid = {letter.statement.sid: letter for letter in reversed(all_letters)}
    for letter in all_letters:  # published at the end: the private file has its opening
        if letter.content is not None:
            by_sid[letter.statement.sid] = letter
    return sorted(by_sid.values(), key=lambda came: (came.order, came.statement.stage, came.statement.sid))


def doubts_of(folder: Readable, listed: Sequence[Came]) -> dict[str, tuple[Doubt, ...]]:
    """Return what is odd about letters, by sid, as this folder knows the game."""

    def head_at(stage: int) -> str | None:
        return folder.head(stage) if 0 <= stage <= folder.stage else None

    return doubts(listed, folder.need_roster(), folder.me, head_at)


def published(folder: Readable, sid: str) -> Statement | None:
    """Return a letter that everybody may read, by its sid."""
    data = _read(folder.root / layout.LETTERS, f"{sid}.json", layout.PLAYER_LIMIT)
    return None if data is None else _parsed(data, sid)


def signed(folder: Readable, sid: str) -> Signed | None:
    """Return a letter that is here with its signature, by its sid."""
    for place in (folder.root / layout.LETTERS, _side(folder)):
        data, sig = _read(place, f"{sid}.json", layout.PLAYER_LIMIT), _read(place, f"{sid}.sig", 4096)
        if data is not None and sig is not None:
            return Signed(data, (layout.as_written(sig).decode("ascii", "replace"),))
    return None


def opening(folder: Readable, sid: str) -> Shown | None:
    """Return nonce and content of a private letter, if they are here."""
    return _shown(_side(folder), sid)


def roster_at(folder: Readable, stage: int) -> Roster:
    """Return the roster in force in a stage; of one that is not open yet, the newest."""
    return folder.need_roster() if stage > folder.stage else folder.progress_at(stage - 1).roster


# --- keeping --------------------------------------------------------------------------------------------


def keep(letter: Statement, by: Signed, shown: Shown | None) -> Changes:
    """Return the files of a letter, without its entry in the book."""
    changes = public(letter, by, layout.LETTERS if letter.letter.to is None else layout.PRESS)
    if shown is not None and letter.letter.to is not None:
        changes.write(f"{layout.PRESS}/{letter.sid}.opening", private_side.to_text(shown.data()))
    return changes


def public(letter: Statement, by: Signed, place: str = layout.LETTERS) -> Changes:
    """Return the two files of a letter, in the folder that everybody may read or in another one."""
    changes = Changes()
    changes.write(f"{place}/{letter.sid}.json", letter.bytes)
    changes.write(f"{place}/{letter.sid}.sig", by.signatures[0])
    return changes


def entered(
    folder: Readable, new: Sequence[tuple[Statement, Content | None]], *, read: bool, day: str = ""
) -> Changes:
    """Return the book with entries for new letters; a copy without a private side has no book."""
    changes = Changes()
    if folder.me is None or not new:
        return changes
    noted = book(folder)
    last = max((note.order for note in noted.values()), default=0)
    for order, (letter, content) in enumerate(new, last + 1):
        grey = content is not None and content.grey is not None
        noted[letter.sid] = Noted(order, read, day, letter.sender, grey)
    changes.write(BOOK, _book_text(noted))
    return changes


def mark_read(folder: Readable, sids: Iterable[str]) -> Changes:
    """Return the book with these letters marked as read."""
    noted, changes = book(folder), Changes()
    new = {sid for sid in sids if not noted.get(sid, Noted(0)).read}
    if new and folder.me is not None:
        noted |= {sid: replace(noted.get(sid, Noted(0)), read=True) for sid in new}
        changes.write(BOOK, _book_text(noted))
    return changes


def book(folder: Readable) -> dict[str, Noted]:
    """Return the notes about letters, by sid; nothing if there is no readable note file."""
    data = _json(folder, BOOK)
    listed = data.get("letters") if isinstance(data, dict) else None
    notes: dict[str, Noted] = {}
    for sid, noted in listed.items() if isinstance(listed, dict) else ():
        if isinstance(noted, dict) and type(noted.get("order")) is int:
            day, sender, grey = (
                str(noted.get("day", "")),
                str(noted.get("from", "")),
                noted.get("grey") is True,
            )
            notes[sid] = Noted(noted["order"], noted.get("read") is True, day, sender, grey)
    return notes


def _book_text(noted: Mapping[str, Noted]) -> str:
    entries: dict[str, Json] = {}
    for sid, note in noted.items():
        entry: dict[str, Json] = {"order": note.order, "read": note.read, "from": note.sender}
        entry |= {"day": note.day} if note.day else {}
        entries[sid] = entry | ({"grey": True} if note.grey else {})
    return private_side.to_text({"letters": entries})


# --- what waits to be signed ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Unsent:
    """A letter that goes with the next email and is not signed yet; `to` is None for all."""

    to: tuple[str, ...] | None
    text: str


def unsent(folder: Readable) -> list[Unsent]:
    """Return the letters that wait for the next signature, in order."""
    data = _json(folder, WAITING)
    listed = data.get("waiting") if isinstance(data, dict) else None
    letters = []
    for letter in listed if isinstance(listed, list) else ():
        if isinstance(letter, dict) and isinstance(letter.get("text"), str):
            to = letter.get("to")
            letters.append(Unsent(tuple(map(str, to)) if isinstance(to, list) else None, letter["text"]))
    return letters


def waiting(listed: Sequence[Unsent]) -> Changes:
    """Return the file of the letters that wait for the next signature."""
    changes = Changes()
    if not listed:
        changes.remove(WAITING)
        return changes
    entries: list[Json] = [
        {"to": None if letter.to is None else [*letter.to], "text": letter.text} for letter in listed
    ]
    changes.write(WAITING, private_side.to_text({"waiting": entries}))
    return changes


# --- files ----------------------------------------------------------------------------------------------


def _side(folder: Readable) -> Path:
    return folder.private.side / layout.PRESS.removeprefix(f"{layout.PRIVATE}/")


def _json(folder: Readable, name: str) -> Any:
    path = _side(folder) / name.rpartition("/")[2]
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _opened_by_all(folder: Readable, sid: str) -> Shown | None:
    """Return what opens a letter that was published at the end (protocol-letters 2.6)."""
    for unseal in folder.of(folder.progress.open_stage, "unseal"):
        for shown in unseal.unseal.opened.get(sid, {}).values():
            return shown
    return None


def _in(
    place: Path, opening_of: Callable[[str], Shown | None], noted: Mapping[str, Noted], gm: str | None
) -> list[Came]:
    letters = []
    for entry in list(layout.entries(place))[: 3 * layout.MOST_LETTERS]:
        sid = entry.name.removesuffix(".json")
        if sid == entry.name or not layout.is_sid(sid):
            continue
        data, sig = _read(place, f"{sid}.json", layout.PLAYER_LIMIT), _read(place, f"{sid}.sig", 4096)
        parsed = _parsed(data or b"", sid)
        if parsed is None or sig is None:
            continue
        try:
            key, _ = sshsig.decode(layout.as_written(sig).decode("ascii", "replace"))
            shown = opening_of(sid) if parsed.letter.to is not None else None
            content = content_of(parsed, shown, gm)
        except (BadSignature, BadOpening):
            continue
        note = noted.get(sid, Noted(0, read=not noted))
        letters.append(Came(parsed, key, content, note.order, note.read, note.day))
    return letters


def _shown(side: Path, sid: str) -> Shown | None:
    data = _read(side, f"{sid}.opening", layout.PLAYER_LIMIT)
    try:
        return None if data is None else Shown.of(json.loads(data))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _read(place: Path, name: str, limit: int) -> bytes | None:
    """Return a regular file of bounded size, or None."""
    path = place / name
    if path.is_symlink() or not path.is_file() or path.stat().st_size > limit:
        return None
    return path.read_bytes()


def _parsed(data: bytes, sid: str) -> Statement | None:
    try:
        letter = statements.parse(data)
    except (NotCanonical, BadStatement):
        return None
    return letter if letter.type == "letter" and letter.sid == sid else None
