"""Reading each mailbox once for all games: each statement goes to its game, the rest is listed once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.club.games import Index, ids_in, name_of, sort
from pbem.cli.club.records import OfMailbox, Waiting
from pbem.cli.post.fetching import began, counted, fetch_by
from pbem.cli.post.intake import TakenIn, data_of, show, take_in
from pbem.cli.post.mail import settings_at
from pbem.cli.shell.console import bad, note, print_json, ready, result, strong
from pbem.cli.shell.language import of_game, spoken
from pbem.cli.shell.words import safe
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import PbemError, Refused
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.mail.imap import Imap
    from pbem.mail.read import Note, Reading
    from pbem.mail.settings import In

_FEW = 10
"""Foreign statements and empty emails that are named one by one."""


@dataclass
class Round:
    """The result of reading all mailboxes once.

    `foreign` are (email, game id) of statements for no game here. `broken` are games, and `unreachable`
    mailboxes, with the reason; in a `busy` game only another command is at work.
    """

    taken: dict[Path, TakenIn] = field(default_factory=dict)
    before: dict[Path, int] = field(default_factory=dict)
    broken: dict[Path, str] = field(default_factory=dict)
    busy: set[Path] = field(default_factory=set)
    unreachable: dict[str, str] = field(default_factory=dict)
    foreign: list[tuple[str, str]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    messages: int = 0
    telling: int = 0
    empty: int = 0
    without_settings: list[Path] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Return True if every game and every mailbox did its part."""
        return not self.broken and not self.unreachable


def reason_of(fault: Exception) -> str:
    """Return what stopped a game, in one line."""
    if isinstance(fault, Refused):
        return fault.diagnostics[0].message
    if isinstance(fault, OSError):
        where = f"{fault.filename}: " if fault.filename is not None else ""
        return f"{where}{(fault.strerror or str(fault)).lower()}"
    return str(fault) if isinstance(fault, PbemError) else f"{type(fault).__name__}: {fault}"


def is_busy(fault: Exception) -> bool:
    """Return True if only another command is at work in a folder."""
    return isinstance(fault, Refused) and fault.diagnostics[0].code == "folder-busy"


def open_folder(root: Path, *, wait: bool = False) -> Folder:
    """Return the game folder at a place, and speak its words from now on."""
    from pbem.archive import Folder
    from pbem.cli.shell.keys import known_passphrase

    folder = Folder.open(root, known_passphrase, wait=wait)
    of_game(folder)
    return folder


# --- which mailboxes ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mailbox:
    """A mailbox, its book, and how to read it."""

    where: In
    book: OfMailbox
    roots: tuple[Path, ...]


def mailboxes(index: Index, named: str | None, done: Round) -> list[Mailbox]:
    """Return each mailbox of these games once; settings with faults are noted as broken games."""
    ways: dict[str, tuple[In, list[Path]]] = {}
    for game in index.games:
        try:
            where = settings_at(game.root, named).in_
        except (PbemError, OSError) as fault:
            done.broken[game.root] = reason_of(fault)
            continue
        if where is None:
            done.without_settings.append(game.root)
            continue
        ways.setdefault(_name(where, game.root), (where, []))[1].append(game.root)
    listed = []
    for name, (where, roots) in ways.items():
        book = OfMailbox(name, roots[0], min(began(root) for root in roots))
        listed.append(Mailbox(where, book, tuple(roots)))
    return listed


def _name(where: In, root: Path) -> str:
    """Return the name of a mailbox, the same for every game that shares it."""
    if where.server is not None:
        return f"{where.server.user}@{where.server.host}:{where.server.port}/{where.folder}"
    return "\n".join(str((root / Path(path).expanduser()).resolve()) for path in where.paths)


# --- one reading --------------------------------------------------------------------------------------------


def receive_all(index: Index, named: str | None = None, *, everything: bool = False) -> Round:
    """Read every mailbox of these games once and let each game take what is for it."""
    done = Round(broken=dict(index.broken))
    reader = Reader(index, done)
    reader.what_waits()
    for mailbox in mailboxes(index, named, done):
        try:
            with mailbox.book.alone():
                read_one(mailbox, reader, everything=everything)
        except (PbemError, OSError) as fault:
            done.unreachable[mailbox.book.name] = reason_of(fault)
    return done


def read_one(mailbox: Mailbox, reader: Reader, *, everything: bool = False, line: Imap | None = None) -> None:
    """Read what is new in a mailbox; for a game that is new here also what came since it began."""
    book = mailbox.book
    salts = {game.salt: game.root for game in reader.index.games if game.root in mailbox.roots}
    known = book.games()
    new = [root for salt, root in salts.items() if known is not None and salt not in known]
    book.again_since = min(began(root) for root in new) if new else ""
    fetch_by(book, mailbox.where, reader.take, everything=everything, line=line)
    book.again_since = ""
    book.note_games(list(salts))


class Reader:
    """Delivery of the statements to their games, which are opened only if something is for them."""

    def __init__(self, index: Index, done: Round) -> None:
        self.index, self.found, self.waiting = index, done, Waiting()

    def take(self, reading: Reading) -> Collection[bytes]:
        """Let each game take its part, and return the statements that games could use."""
        done, sorted_ = self.found, sort(self.index, reading)
        done.notes += reading.notes
        done.messages += reading.messages
        done.telling += reading.telling
        done.empty += reading.empty
        foreign: dict[str, str] = {}  # each email once: it may hold many statements, and some name no game
        for foreign_part in sorted_.foreign:
            foreign[foreign_part.where] = (
                foreign.get(foreign_part.where) or ids_in(foreign_part.signed.data)[1]
            )
        done.foreign += foreign.items()
        good: set[bytes] = set()
        for root, part in sorted_.games.items():
            try:
                good |= self._into(root, part)
            except Exception as fault:  # one broken game must not stop the others
                self._failed(root, fault)
                self.waiting.keep(root, part.signed)
                good.update(item.data for item in part.signed)
        return good

    def what_waits(self) -> None:
        """Deliver statements that games could not take before."""
        from pbem.mail.read import read_path, together

        for game in self.index.games:
            files = self.waiting.files(game.root)
            if not files:
                continue
            try:
                self._into(game.root, together(read_path(path) for path in files))
            except Exception as fault:  # as above; the files stay
                self._failed(game.root, fault)
                continue
            for path in files:
                path.unlink(missing_ok=True)

    def _failed(self, root: Path, fault: Exception) -> None:
        self.found.broken[root] = reason_of(fault)
        if is_busy(fault):
            self.found.busy.add(root)

    def _into(self, root: Path, part: Reading) -> set[bytes]:
        folder = open_folder(root)
        self.found.before.setdefault(root, folder.stage)
        taken = self.found.taken.setdefault(root, TakenIn())
        return counted(part, take_in(folder, part, taken))


# --- telling ------------------------------------------------------------------------------------------------


def tell(done: Round, as_json: bool) -> None:
    """Print what arrived, by game, and what belongs to none."""
    if as_json:
        print_json(_data(done))
        return
    for root, taken in done.taken.items():
        if _is_news(taken):
            ready(strong(Worded(f"-- {name_of(root)}")))
            fresh = [
                receipt for receipt in taken.receipts if receipt.outcome != "duplicate"
            ]  # the rest was told before
            show(open_folder(root), replace(taken, receipts=fresh), done.before[root], False)
    for where, text in _notes_to_print(done):
        note(text, before=f"{safe(where)}: ")
    for where, game in done.foreign[:_FEW]:
        result(Message("cli.club.for-no-game-here", where=safe(where), game=game[:12]))
    if len(done.foreign) > _FEW:
        result(Message("cli.club.more-for-no-game-here", count=len(done.foreign) - _FEW))
    if done.empty > _FEW:
        note(Message("cli.intake.messages-without-statements", empty=done.empty, messages=done.messages))
    tell_broken(done.broken, done.unreachable)
    if not any(_is_news(taken) for taken in done.taken.values()):
        note(Message("cli.club.nothing-for-any-game", messages=done.messages))


def tell_broken(broken: Mapping[Path, str], unreachable: Mapping[str, str]) -> None:
    """Name games and mailboxes that did not do their part."""
    for root, why in broken.items():
        result(bad(Message("cli.club.game-is-broken", game=name_of(root), why=safe(spoken(why), 400))))
    for name, why in unreachable.items():
        result(bad(Message("cli.club.mailbox-not-read", mailbox=safe(name), why=safe(spoken(why), 400))))


def _is_news(taken: TakenIn) -> bool:
    fresh = any(receipt.outcome != "duplicate" for receipt in taken.receipts)
    others = (taken.drafts, taken.links, taken.plain, taken.returned, taken.warnings, taken.before)
    return fresh or any(others)


def _notes_to_print(done: Round) -> Iterable[tuple[str, str]]:
    for entry in done.notes:
        if entry.kind != "nothing" or done.empty <= _FEW:
            yield entry.where, entry.text


def _data(done: Round) -> dict[str, Any]:
    games = []
    for root, taken in done.taken.items():
        games.append({"folder": str(root), **data_of(open_folder(root), taken)})
    return {
        "games": games,
        "foreign": [{"where": where, "game": game or None} for where, game in done.foreign],
        "notes": [{"where": where, "text": text} for where, text in _notes_to_print(done)],
        "messages": done.messages,
        "without": done.empty,
        **broken_data(done.broken, done.unreachable),
    }


def broken_data(broken: Mapping[Path, str], unreachable: Mapping[str, str]) -> dict[str, Any]:
    """Return games and mailboxes that did not do their part, for programs."""
    return {
        "broken": [{"folder": str(root), "why": why} for root, why in broken.items()],
        "unreachable": [{"mailbox": name, "why": why} for name, why in unreachable.items()],
    }
