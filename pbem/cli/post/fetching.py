"""Fetching new email from where the settings say.

One game keeps in its folder how far it has read a mailbox. All games together keep that in one place
(`pbem.cli.club`). Both do it by a `Book`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime, timedelta
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

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

Stamp = list[int | str]
"""Size, time of the last change, and of an mbox what it ended with: tells whether a file is as it was."""
Take = Callable[["Reading"], Collection[bytes]]
"""Takes in what some emails held; gives the statements that counted, whose emails are marked."""
_BATCH = 200  # messages handled per batch
MOST_TRIES = 3  # runs after which an email that cannot be fetched is given up
_MOST_BREAKS = 5  # broken connections allowed per run


class Book(Protocol):
    """A note of how far mailboxes were read, and a log."""

    root: Path
    """The folder in which relative paths begin."""

    def log(self, text: str) -> None:
        """Add a line to the log."""

    def first_day(self) -> str:
        """Return the first day of interest, if the settings say none."""

    def how_far(self, box: str) -> Mapping[str, Any]:
        """Return what was noted about a mailbox on a server."""

    def note_box(self, box: str, entry: Mapping[str, Any]) -> None:
        """Note how far it was read."""

    def quiet(self, places: Sequence[Path]) -> bool:
        """Return True if nothing can have changed in these places since they were read last."""

    def unread(self, files: Sequence[str], everything: bool) -> list[tuple[Path, int]]:
        """Return the files to read, each with the number of bytes of it that were read before."""

    def note_files(self, read: Sequence[Path], files: Sequence[str]) -> None:
        """Note files as read; `files` are all that there are."""


def fetch(folder: Folder, where: In, taken: TakenIn, *, everything: bool) -> None:
    """Fetch for one game from a server, or from files and folders.

    With `everything` also what was read before.
    """
    from pbem.archive import of_another_game

    def take(reading: Reading) -> Collection[bytes]:
        # other games may share the mailbox
        mine = reading.only(lambda data: not of_another_game(folder, data))
        return counted(mine, take_in(folder, mine, taken))

    fetch_by(OfGame(folder), where, take, everything=everything)


def fetch_by(book: Book, where: In, take: Take, *, everything: bool, line: Imap | None = None) -> None:
    """Fetch what a book does not know as read, in batches; by an open `line`, if there is one."""
    if line is not None:
        seen = _HowFar.read(book, line, everything)
        left = _wanted(book, where, line, seen, everything, quiet=True)
        _batches_of(book, where, line, left, seen, take, lambda done, total: None)
    elif where.server is not None:
        _from_server(book, where, take, everything)
    else:
        _from_files(book, where.paths, take, everything)


def counted(reading: Reading, receipts: Sequence[Receipt]) -> set[bytes]:
    """Return the statements that a game can use: all that a party of it signed."""
    # receipts for statements that waited come after those just read
    pairs = zip(reading.signed, receipts, strict=False)
    return {signed.data for signed, receipt in pairs if receipt.outcome != "unsigned"}


class OfGame:
    """The book of one game, in its private side."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.root = folder, folder.root
        self._stamps: dict[str, Stamp] = {}

    def log(self, text: str) -> None:
        """Add a line to the game's mail log."""
        log(self.folder, text)

    def first_day(self) -> str:
        """Return the day two days before the invitation came, as clocks and servers differ."""
        return began(self.root)

    def how_far(self, box: str) -> Mapping[str, Any]:
        """Return what was noted about a mailbox on a server."""
        from pbem.archive import arrivals

        boxes: dict[str, Any] = narrow.mapping(arrivals.noted(self.folder).get("boxes") or {})
        entry: Mapping[str, Any] = boxes.get(box) or {}
        return entry

    def note_box(self, box: str, entry: Mapping[str, Any]) -> None:
        """Note how far it was read."""
        self._write("boxes", box, entry)

    def quiet(self, places: Sequence[Path]) -> bool:
        """Return False: a command looks once."""
        return False

    def unread(self, files: Sequence[str], everything: bool) -> list[tuple[Path, int]]:
        """Return the files that have changed, each with how much of it is as it was."""
        seen = {} if everything else self._seen()
        self._stamps = {name: stamp for name in files if (stamp := stamp_of(Path(name)))}
        return [
            (path := Path(name), read_to(path, seen.get(name, [])))
            for name in files
            if (stamp := self._stamps.get(name)) and seen.get(name, [])[:2] != stamp[:2]
        ]

    def note_files(self, read: Sequence[Path], files: Sequence[str]) -> None:
        """Note files as read, and forget those that are gone."""
        seen = self._seen() | {str(path): self._stamps[str(path)] for path in read}
        here = set(files)
        self._write("files", "", {name: stamp for name, stamp in seen.items() if name in here})

    def _seen(self) -> dict[str, Stamp]:
        from pbem.archive import arrivals

        seen: dict[str, Any] = narrow.mapping(arrivals.noted(self.folder).get("files") or {})
        return seen

    def _write(self, mailbox: str, name: str, value: Any) -> None:
        """Write the note; if this is lost, the email is read once more, which does no harm."""
        from pbem.archive import Changes, arrivals

        with self.folder.working():
            entries, changes = arrivals.noted(self.folder), Changes()
            entries[mailbox] = {**narrow.mapping(entries.get(mailbox) or {}), name: value} if name else value
            arrivals.book(changes, entries)
            self.folder.commit(changes)


def began(root: Path) -> str:
    """Return the day two days before the invitation of a game came, as clocks and servers differ."""
    from pbem.archive import layout, private_side

    stamps = [
        datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
        for name in (private_side.INVITATION, layout.ROSTER)
        if (path := root / name).is_file()
    ]
    return (min(stamps, default=now().date()) - timedelta(days=2)).isoformat()


# --- a server -------------------------------------------------------------------------------------------


def _from_server(book: Book, where: In, take: Take, everything: bool) -> None:
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
                seen = _HowFar.read(book, box, everything)
                left = _wanted(book, where, box, seen, everything)
            try:
                _batches_of(book, where, box, left, seen, take, bar)
                return
            except Broken as broken:
                if broken.uid is None or again == _MOST_BREAKS:
                    raise
                note(Message("cli.fetching.going-on-behind-a-mail", broken=broken, uid=broken.uid))
                left = left[left.index(broken.uid) + 1 :]


def _wanted(
    book: Book, where: In, box: Imap, seen: _HowFar, everything: bool, *, quiet: bool = False
) -> list[int]:
    """Return the emails to fetch: those that failed before and may be tried again, and all new ones."""
    since = ""
    if not (seen.last or everything):
        since = where.since or book.first_day()
    if since and not quiet:
        note(Message("cli.fetching.first-fetch-from-here", since=since))
    uids = sorted({*seen.again(), *box.new(seen.last, since)})
    book.log(Message("cli.fetching.new-mail-in-box", count=len(uids), box=box.name))
    return uids


def _batches_of(
    book: Book, where: In, box: Imap, uids: Sequence[int], seen: _HowFar, take: Take, bar: Any
) -> None:
    for start in range(0, len(uids), _BATCH):
        batch = uids[start : start + _BATCH]
        failed: set[int] = set()
        try:
            _one_batch(where, box, batch, take, failed)
        except Broken as broken:
            if broken.uid is not None:
                seen.fetched(batch[: batch.index(broken.uid)], failed)
                seen.fetched([broken.uid], [broken.uid])
                _remember(book, box, seen)
                _tell_given_up(box, seen)
            raise
        seen.fetched(batch, failed)
        _remember(book, box, seen)
        bar(start + len(batch), len(uids))
    _tell_given_up(box, seen)


def _tell_given_up(box: Imap, seen: _HowFar) -> None:
    for uid in seen.given_up():
        seen.told.add(uid)
        note(Message("cli.fetching.mail-is-left-out-from-now-on", uid=uid, box=box.name, tries=MOST_TRIES))


@dataclass
class _HowFar:
    """The progress in a mailbox: its `last` number, and how often each email could not be fetched."""

    last: int = 0
    failed: dict[int, int] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)

    @classmethod
    def read(cls, book: Book, box: Imap, everything: bool) -> _HowFar:
        """Return the progress in the book; empty if the server has new numbers, or all is to be read."""
        entry = book.how_far(box.name)
        if everything or entry.get("validity") != box.validity:
            return cls()
        failed = {int(uid): int(tries) for uid, tries in dict(entry.get("failed") or {}).items()}
        return cls(
            int(entry.get("last", 0)), failed, {u for u, tries in failed.items() if tries >= MOST_TRIES}
        )

    def again(self) -> list[int]:
        """Return emails to try once more."""
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
        """Return emails that have failed for the last time in this run."""
        return [uid for uid, tries in self.failed.items() if tries >= MOST_TRIES and uid not in self.told]


def _one_batch(where: In, box: Imap, uids: Sequence[int], take: Take, failed: set[int]) -> None:
    """Read some emails and judge their content; failed ones are added to `failed`.

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
    good = take(reading)
    if broken is not None:
        raise broken
    marked = [uid for uid, data in held.items() if not data.isdisjoint(good)]
    if marked:
        box.mark(marked)
    if marked and where.move_to:
        why = box.move(marked, where.move_to)
        if why:
            note(why)


def _remember(book: Book, box: Imap, seen: _HowFar) -> None:
    failed = {str(uid): tries for uid, tries in sorted(seen.failed.items())}
    entry: dict[str, Any] = {"validity": box.validity, "last": seen.last}
    book.note_box(box.name, entry | ({"failed": failed} if failed else {}))


# --- files ----------------------------------------------------------------------------------------------


def _from_files(book: Book, paths: Sequence[str], take: Take, everything: bool) -> None:
    from pbem.mail import boxes
    from pbem.mail.read import Reading as Empty

    places = [book.root / Path(name).expanduser() for name in paths]
    for place in places:
        if not place.exists():
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(place))
    if not everything and book.quiet(places):
        return
    files = [name for place in places for name in boxes.file_names(place)]
    new = book.unread(files, everything)
    book.log(Message("cli.fetching.new-files", count=len(new)))
    with progress(Message("cli.fetching.reading")) as bar:
        for done, batch in _batches(new):
            reading = Empty()
            for path, after in batch:
                for message in boxes.messages(path, after):
                    reading.take(message)
            take(reading)
            book.note_files([path for path, _ in batch], files)
            bar(done, len(new))


def _batches(files: list[tuple[Path, int]]) -> Iterator[tuple[int, list[tuple[Path, int]]]]:
    for start in range(0, len(files), _BATCH):
        yield min(start + _BATCH, len(files)), files[start : start + _BATCH]


def stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of a file, or None if it is gone."""
    from pbem.mail import boxes

    try:
        stat = path.stat()
        return [stat.st_size, stat.st_mtime_ns, boxes.ending(path, stat.st_size)]
    except OSError:
        return None


def read_to(path: Path, seen: Stamp) -> int:
    """Return how much of an mbox was read before and is unchanged; only the new end is read."""
    from pbem.mail import boxes

    if len(seen) < 3 or not seen[2] or boxes.size(path) <= int(seen[0]):
        return 0
    try:
        return int(seen[0]) if boxes.ending(path, int(seen[0])) == seen[2] else 0
    except OSError:
        return 0
