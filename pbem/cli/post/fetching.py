"""Fetching mail from where the settings say, what was seen before left alone."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import field
from datetime import UTC, datetime, timedelta
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.post.intake import TakenIn, take_in
from pbem.cli.post.mail import log, now, password
from pbem.cli.shell.console import note, progress
from pbem.mail.imap import Broken, Imap
from pbem.text import narrow
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, Receipt
    from pbem.mail.read import Reading
    from pbem.mail.settings import In

_BATCH = 200  # messages handled per batch
MOST_TRIES = 3  # runs after which an email that cannot be fetched is given up
_MOST_BREAKS = 5  # broken connections allowed per run


def fetch(folder: Folder, where: In, taken: TakenIn, *, everything: bool) -> None:
    """Fetch from a server, or from files and folders; with `everything` also what was seen before."""
    if where.server is not None:
        _from_server(folder, where, taken, everything)
    else:
        _from_files(folder, where.paths, taken, everything)


def _mine(folder: Folder, reading: Reading) -> Reading:
    """Return a reading without the statements of other games, which may share the mailbox."""
    from pbem.archive import of_another_game

    return reading.only(lambda data: not of_another_game(folder, data))


# --- a server -------------------------------------------------------------------------------------------


def _from_server(folder: Folder, where: In, taken: TakenIn, everything: bool) -> None:
    assert where.server is not None
    secret = password(where.server) or ""
    left: list[int] = []
    seen: _HowFar | None = None
    for again in range(_MOST_BREAKS + 1):
        with (
            Imap(where.server, secret, where.folder) as box,
            progress(Message("cli.fetching.fetching")) as bar,
        ):
            if seen is None:
                seen = _HowFar.read(folder, box, everything)
                left = _wanted(folder, where, box, seen, everything)
            try:
                _batches_of(folder, where, box, left, seen, taken, bar)
                return
            except Broken as broken:
                if broken.uid is None or again == _MOST_BREAKS:
                    raise
                note(Message("cli.fetching.going-on-behind-a-mail", broken=broken, uid=broken.uid))
                left = left[left.index(broken.uid) + 1 :]


def _wanted(folder: Folder, where: In, box: Imap, seen: _HowFar, everything: bool) -> list[int]:
    """Return the mails to fetch: those that failed before and may be tried again, and all new ones."""
    since = ""
    if not (seen.last or everything):
        since = _since(folder, where)
        note(Message("cli.fetching.first-fetch-from-here", since=since))
    uids = sorted({*seen.again(), *box.new(seen.last, since)})
    log(folder, Message("cli.fetching.new-mail-in-box", count=len(uids), box=box.name))
    return uids


def _since(folder: Folder, where: In) -> str:
    """Return the first day to look for mail: from the settings, or two days before the invitation came.

    Two days, as clocks and servers differ.
    """
    if where.since:
        return where.since
    from pbem.archive import layout, private_side

    stamps = [
        datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
        for name in (private_side.INVITATION, layout.ROSTER)
        if (path := folder.root / name).is_file()
    ]
    return (min(stamps, default=now().date()) - timedelta(days=2)).isoformat()


def _batches_of(
    folder: Folder, where: In, box: Imap, uids: Sequence[int], seen: _HowFar, taken: TakenIn, bar: Any
) -> None:
    for start in range(0, len(uids), _BATCH):
        batch = uids[start : start + _BATCH]
        failed: set[int] = set()
        try:
            _one_batch(folder, where, box, batch, taken, failed)
        except Broken as broken:
            if broken.uid is not None:
                seen.fetched(batch[: batch.index(broken.uid)], failed)
                seen.fetched([broken.uid], [broken.uid])
                _remember(folder, box, seen)
                _tell_given_up(box, seen)
            raise
        seen.fetched(batch, failed)
        _remember(folder, box, seen)
        bar(start + len(batch), len(uids))
    _tell_given_up(box, seen)


def _tell_given_up(box: Imap, seen: _HowFar) -> None:
    for uid in seen.given_up():
        seen.told.add(uid)
        note(Message("cli.fetching.mail-is-left-out-from-now-on", uid=uid, box=box.name, tries=MOST_TRIES))


@dataclass
class _HowFar:
    """The progress in a mailbox: its `last` number, and how often each mail could not be fetched."""

    last: int = 0
    failed: dict[int, int] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)

    @classmethod
    def read(cls, folder: Folder, box: Imap, everything: bool) -> _HowFar:
        """Return the progress in the book; empty if the server has new numbers, or all is to be read."""
        from pbem.archive import arrivals

        boxes: dict[str, Any] = narrow.mapping(arrivals.noted(folder).get("boxes") or {})
        entry = boxes.get(box.name) or {}
        if everything or entry.get("validity") != box.validity:
            return cls()
        failed = {int(uid): int(tries) for uid, tries in dict(entry.get("failed") or {}).items()}
        return cls(
            int(entry.get("last", 0)), failed, {u for u, tries in failed.items() if tries >= MOST_TRIES}
        )

    def again(self) -> list[int]:
        """Return mails to try once more."""
        return [uid for uid, tries in self.failed.items() if tries < MOST_TRIES]

    def fetched(self, uids: Sequence[int], failed: Collection[int]) -> None:
        """Note a batch of which some could not be fetched."""
        self.last = max([self.last, *uids])
        for uid in uids:
            if uid in failed:
                self.failed[uid] = self.failed.get(uid, 0) + 1
            else:
                self.failed.pop(uid, None)

    def given_up(self) -> list[int]:
        """Return mails that have failed for the last time in this run."""
        return [uid for uid, tries in self.failed.items() if tries >= MOST_TRIES and uid not in self.told]


def _one_batch(
    folder: Folder, where: In, box: Imap, uids: Sequence[int], taken: TakenIn, failed: set[int]
) -> None:
    """Read some mails and judge their content; failed ones are added to `failed`.

    If the connection breaks, what was read before is judged all the same.
    """
    from pbem.mail.read import Reading as Empty

    reading, held = Empty(), {}
    broken: Broken | None = None
    try:
        for uid, message in box.messages(uids):
            if message.fault:
                failed.add(uid)
            held[uid] = {signed.data for signed in reading.take(message)}
    except Broken as fault:
        broken = fault
    mine = _mine(folder, reading)
    receipts = take_in(folder, mine, taken)
    if broken is not None:
        raise broken
    good = _kept(mine, receipts)
    marked = [uid for uid, data in held.items() if data & good]
    if marked:
        box.mark(marked)
    if marked and where.move_to:
        why = box.move(marked, where.move_to)
        if why:
            note(why)


def _kept(reading: Reading, receipts: Sequence[Receipt]) -> set[bytes]:
    """Return the statements that this game can use: all that a party of it signed."""
    # receipts for statements that waited come after those just read
    pairs = zip(reading.signed, receipts, strict=False)
    return {signed.data for signed, receipt in pairs if receipt.outcome != "unsigned"}


def _remember(folder: Folder, box: Imap, seen: _HowFar) -> None:
    failed = {str(uid): tries for uid, tries in sorted(seen.failed.items())}
    entry: dict[str, Any] = {"validity": box.validity, "last": seen.last}
    _write(folder, "boxes", box.name, entry | ({"failed": failed} if failed else {}))


# --- files ----------------------------------------------------------------------------------------------


def _from_files(folder: Folder, paths: Sequence[str], taken: TakenIn, everything: bool) -> None:
    from pbem.mail import boxes
    from pbem.mail.read import Reading as Empty

    seen = {} if everything else _seen(folder)
    places = [folder.root / Path(name).expanduser() for name in paths]
    for place in places:
        if not place.exists():
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(place))
    files = [one for place in places for one in boxes.files(place)]
    new = [
        (one, stamp) for one in files if (stamp := _stamp(one)) and seen.get(str(one), [])[:2] != stamp[:2]
    ]
    log(folder, Message("cli.fetching.new-files", count=len(new)))
    with progress(Message("cli.fetching.reading")) as bar:
        for done, batch in _batches(new):
            reading = Empty()
            for path, _ in batch:
                for message in boxes.messages(path, _read_to(path, seen.get(str(path), []))):
                    reading.take(message)
            take_in(folder, _mine(folder, reading), taken)
            seen |= {str(path): stamp for path, stamp in batch}
            here = {str(one) for one in files}
            _write(folder, "files", "", {name: stamp for name, stamp in seen.items() if name in here})
            bar(done, len(new))


def _batches(files: list[tuple[Path, Stamp]]) -> Iterator[tuple[int, list[tuple[Path, Stamp]]]]:
    for start in range(0, len(files), _BATCH):
        yield min(start + _BATCH, len(files)), files[start : start + _BATCH]


Stamp = list[int | str]
"""Size, time of the last change, and of an mbox what it ended with: tells whether a file is as it was."""


def _stamp(path: Path) -> Stamp | None:
    """Return the stamp of a file, or None if it is gone."""
    from pbem.mail import boxes

    try:
        found = path.stat()
        return [found.st_size, found.st_mtime_ns, boxes.ending(path, found.st_size)]
    except OSError:
        return None


def _read_to(path: Path, seen: Stamp) -> int:
    """Return how much of an mbox was read before and is unchanged; only the new end is read."""
    from pbem.mail import boxes

    if len(seen) < 3 or not seen[2] or boxes.size(path) <= int(seen[0]):
        return 0
    try:
        return int(seen[0]) if boxes.ending(path, int(seen[0])) == seen[2] else 0
    except OSError:
        return 0


def _seen(folder: Folder) -> dict[str, Stamp]:
    from pbem.archive import arrivals

    seen: dict[str, Any] = narrow.mapping(arrivals.noted(folder).get("files") or {})
    return seen


def _write(folder: Folder, what: str, name: str, value: Any) -> None:
    """Note how far a mailbox was read; if this is lost, it is read once more, which does no harm."""
    from pbem.archive import Changes, arrivals

    with folder.working():
        entries, changes = arrivals.noted(folder), Changes()
        entries[what] = {**narrow.mapping(entries.get(what) or {}), name: value} if name else value
        arrivals.book(changes, entries)
        folder.commit(changes)
