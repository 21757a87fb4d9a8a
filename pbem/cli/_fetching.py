"""Fetching mail from where the settings say, what was seen before left alone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pbem.cli._console import note, progress
from pbem.cli._intake import Taken, take_in
from pbem.cli._mail import log, password

if TYPE_CHECKING:
    from pbem.archive.folder import Folder
    from pbem.archive.receive import Receipt
    from pbem.mail.imap import Imap
    from pbem.mail.read import Reading
    from pbem.mail.settings import In

_BATCH = 200  # messages that are judged together


def fetch(folder: Folder, where: In, taken: Taken, *, everything: bool) -> None:
    """From a server, or from files and folders; with `everything` also what was seen before."""
    if where.server is not None:
        _from_server(folder, where, taken, everything)
    else:
        _from_files(folder, where.paths, taken, everything)


def _mine(folder: Folder, reading: Reading) -> Reading:
    """Without the statements of other games, which may share the mailbox."""
    from pbem.archive.intake import of_another_game
    from pbem.mail.read import Reading as Empty

    mine = Empty(notes=reading.notes, messages=reading.messages, plain=reading.plain)
    for one in reading.statements:
        if not of_another_game(folder, one.signed.data):
            mine.add(one.where, one.signed, one.beside)
    return mine


# --- a server -------------------------------------------------------------------------------------------


def _from_server(folder: Folder, where: In, taken: Taken, everything: bool) -> None:
    from pbem.mail.imap import Imap

    assert where.server is not None
    secret = password(where.server) or ""
    with Imap(where.server, secret, where.folder) as box, progress("fetching") as bar:
        last = 0 if everything else _last(folder, box)
        uids = box.new(last)
        log(folder, f"mail in: {len(uids)} new in {box.name}")
        for start in range(0, len(uids), _BATCH):
            batch = uids[start : start + _BATCH]
            _one_batch(folder, where, box, batch, taken)
            _remember(folder, box, max(batch))
            bar(start + len(batch), len(uids))


def _one_batch(folder: Folder, where: In, box: Imap, uids: Sequence[int], taken: Taken) -> None:
    from pbem.mail.read import Reading as Empty

    reading, held = Empty(), {}
    for uid, message in box.messages(uids):
        held[uid] = {signed.data for signed in reading.take(message)}
    mine = _mine(folder, reading)
    receipts = take_in(folder, mine, taken)
    good = _kept(mine, receipts)
    marked = [uid for uid, data in held.items() if data & good]
    if marked:
        box.mark(marked)
    if marked and where.move_to:
        why = box.move(marked, where.move_to)
        if why:
            note(why)


def _kept(reading: Reading, receipts: Sequence[Receipt]) -> set[bytes]:
    """The statements that this game has a use for: all that somebody of it signed."""
    # a receipt for what waited from before comes after those for what was read
    pairs = zip(reading.signed, receipts, strict=False)
    return {signed.data for signed, receipt in pairs if receipt.outcome != "unsigned"}


def _last(folder: Folder, box: Imap) -> int:
    from pbem.archive.taken import noted

    boxes = cast(dict[str, Any], noted(folder).get("boxes") or {})
    seen = boxes.get(box.name) or {}
    return int(seen.get("last", 0)) if seen.get("validity") == box.validity else 0


def _remember(folder: Folder, box: Imap, last: int) -> None:
    _write(folder, "boxes", box.name, {"validity": box.validity, "last": last})


# --- files ----------------------------------------------------------------------------------------------


def _from_files(folder: Folder, paths: Sequence[str], taken: Taken, everything: bool) -> None:
    from pbem.mail import boxes
    from pbem.mail.read import Reading as Empty

    seen = {} if everything else _seen(folder)
    places = [folder.root / Path(name).expanduser() for name in paths]
    for place in places:
        if not place.exists():
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(place))
    files = [one for place in places for one in boxes.files(place)]
    new = [(one, stamp) for one in files if (stamp := _stamp(one)) and seen.get(str(one)) != stamp]
    log(folder, f"mail in: {len(new)} new files")
    with progress("reading") as bar:
        for done, batch in _batches(new):
            reading = Empty()
            for path, _ in batch:
                for message in boxes.messages(path):
                    reading.take(message)
            take_in(folder, _mine(folder, reading), taken)
            seen |= {str(path): stamp for path, stamp in batch}
            here = {str(one) for one in files}
            _write(folder, "files", "", {name: stamp for name, stamp in seen.items() if name in here})
            bar(done, len(new))


def _batches(files: list[tuple[Path, list[int]]]) -> Iterator[tuple[int, list[tuple[Path, list[int]]]]]:
    for start in range(0, len(files), _BATCH):
        yield min(start + _BATCH, len(files)), files[start : start + _BATCH]


def _stamp(path: Path) -> list[int] | None:
    """Size and time of the last change, which tell whether a file is as it was; None if it is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns]


def _seen(folder: Folder) -> dict[str, list[int]]:
    from pbem.archive.taken import noted

    return cast(dict[str, list[int]], dict(cast(Any, noted(folder).get("files") or {})))


def _write(folder: Folder, what: str, name: str, value: Any) -> None:
    """Note how far a mailbox was read; if this is lost, it is read once more, which does no harm."""
    from pbem.archive.changes import Changes
    from pbem.archive.taken import book, noted

    with folder.working():
        entries, changes = noted(folder), Changes()
        entries[what] = {**cast(Any, entries.get(what) or {}), name: value} if name else value
        book(changes, entries)
        folder.commit(changes)
