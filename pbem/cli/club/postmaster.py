"""The postmaster: one process that looks after all games until it is stopped.

A round receives, serves each game in which something changed or is due, and sends. Each step is whole before
the next begins, so that a round that is killed goes on with the next call: what may have been sent is sent
again, byte for byte.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.cli.club.fixed_hours import Hours
from pbem.cli.club.games import Index, Known
from pbem.cli.club.journal import Journal
from pbem.cli.club.notices import Notices
from pbem.cli.club.receiving import (
    Mailbox,
    Reader,
    Round,
    is_busy,
    mailboxes,
    open_folder,
    read_one,
    reason_of,
)
from pbem.cli.club.records import data_place
from pbem.cli.club.sending import send_all
from pbem.cli.club.serving import Served, fingerprint, serve
from pbem.cli.club.settings import PostmasterSettings
from pbem.cli.games import clock
from pbem.cli.post.mail import password, settings_at
from pbem.cli.shell.language import spoken
from pbem.cli.shell.words import safe
from pbem.mail.imap import Imap, NoWay
from pbem.mail.imap import wait as wait_for_word
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import PbemError, Refused
from pbem.text.messages import Message

_TRY_AGAIN = timedelta(minutes=10)
"""When a broken game is looked at again though nothing in it has changed."""
OFTEN, SELDOM = 2, 60
"""Seconds between two looks: into folders, and at a server."""


@dataclass
class Game:
    """A game as a postmaster remembers it between two rounds."""

    known: Known | None = None
    print: str = ""
    wake: datetime | None = None
    shelved: int = -2
    kept: str = ""
    title: str = ""
    place: str = ""
    due: str = ""
    awaited: list[str] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    broken: str = ""
    unsent: bool = False


class Postmaster:
    """Looks after all games. Use it with `with`: it holds their mailboxes alone."""

    def __init__(self, roots: Callable[[], list[Path]], inside: str | None, ask: PostmasterSettings) -> None:
        self._roots, self.settings = roots, ask
        self.place = place_of(inside)
        self.journal, self.notices = Journal(self.place), Notices(self.place)
        self.games: dict[Path, Game] = {}
        self.unreachable: dict[str, str] = {}
        self._held = ExitStack()
        self._boxes: dict[str, Mailbox] = {}
        self._lines: dict[str, Imap] = {}
        self._asked: dict[str, float] = {}
        self._told: set[str] = set()
        self._without: set[Path] = set()

    def __enter__(self) -> Postmaster:
        from pbem.archive import one_command

        self.place.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            self._held.enter_context(one_command.hold(self.place))
            self._take_boxes(Index.of(self._roots()), Round(), first=True)
        except Refused as fault:
            self._held.close()
            if fault.diagnostics[0].code == "folder-busy":
                raise Refused(_second(str(self.place))) from None
            raise
        old = self.journal.state().get("games")
        for name, data in old.items() if isinstance(old, dict) else ():
            self.games[Path(name)] = Game(
                shelved=int(data.get("shelved", -2)), kept=str(data.get("kept", ""))
            )
        self.journal.say(Message("cli.club.postmaster-begins"))
        return self

    def __exit__(self, *_: object) -> None:
        for line in self._lines.values():
            line.__exit__()
        self._held.close()

    @property
    def every(self) -> int:
        """Return the seconds between two looks."""
        if self.settings.every:
            return self.settings.every
        servers = all(box.where.server is not None for box in self._boxes.values())
        return SELDOM if servers and self._boxes else OFTEN

    # ---- one round ----------------------------------------------------------------------------------------

    def round(self) -> bool:
        """Receive, serve and send once; True if every game and mailbox did its part."""
        index, done = Index.of(self._roots()), Round()
        done.broken |= index.broken
        self._take_boxes(index, done)
        self._without = set(done.without_settings)
        self._receive(index, done)
        self._send(self._serve(index, done))
        self._notify()
        self._write()
        return not (self.unreachable or any(game.broken for game in self.games.values()))

    def _take_boxes(self, index: Index, done: Round, *, first: bool = False) -> None:
        """Hold the mailbox of each game; Refused the first time if another process reads one."""
        listed = {box.book.name: box for box in mailboxes(index, None, done)}
        for name, box in listed.items():
            old = self._boxes.get(name)
            if old is None:
                try:
                    self._held.enter_context(box.book.alone())
                except Refused as fault:
                    if first:
                        raise Refused(_second(name)) from None
                    done.unreachable[name] = reason_of(fault)
                    continue
                self._boxes[name] = box
            else:
                self._boxes[name] = Mailbox(box.where, old.book, box.roots)

    def _receive(self, index: Index, done: Round) -> None:
        reader = Reader(index, done)
        reader.what_waits()
        for name, box in self._boxes.items():
            if box.where.server is not None and self._asked_lately(name):
                continue
            try:
                read_one(box, reader, line=self._line(name, box))
                self._asked[name] = time.monotonic()
            except (PbemError, OSError) as fault:
                self._drop_line(name)
                done.unreachable[name] = reason_of(fault)
        self._tell(done)

    def _asked_lately(self, name: str) -> bool:
        """Return True if a server was asked lately, and has announced nothing since."""
        last = self._asked.get(name)
        return last is not None and time.monotonic() - last < (self.settings.every or SELDOM)

    def _line(self, name: str, box: Mailbox) -> Imap | None:
        """Return the open line to a server, made anew if it broke."""
        server = box.where.server
        if server is None:
            return None
        if name in self._lines:
            try:
                self._lines[name].look()
            except NoWay:
                self._drop_line(name)
        if name not in self._lines:
            self._lines[name] = Imap(server, password(server) or "", box.where.folder).__enter__()
        return self._lines[name]

    def _drop_line(self, name: str) -> None:
        line = self._lines.pop(name, None)
        if line is not None:
            line.__exit__()

    def _tell(self, done: Round) -> None:
        for root, taken in done.taken.items():
            for receipt in taken.receipts:
                if receipt.outcome != "duplicate":
                    words = Message(
                        "cli.club.received", outcome=receipt.shown, words=receipt.words, why=receipt.reason
                    )
                    self.journal.say(words, self._name(root))
            for line in taken.plain:
                self.journal.say(line, self._name(root))
        for where, game in done.foreign:
            self.journal.say(Message("cli.club.for-no-game-here", where=safe(where), game=game[:12]))
        for name, why in done.unreachable.items():
            if self.unreachable.get(name) != why:
                self.journal.say(Message("cli.club.mailbox-not-read", mailbox=safe(name), why=why))
        self.unreachable = dict(done.unreachable)

    def _serve(self, index: Index, done: Round) -> Iterator[Path]:
        """Serve each game that changed or is due, and return each that may have something to send."""
        moment = clock.now()
        for known in index.games:
            self.games.setdefault(known.root, Game()).known = known
        for root, why in done.broken.items():
            if root not in done.busy:
                self._broken(root, why)
        for known in index.games:
            if known.root in done.broken:
                continue
            game = self.games[known.root]
            due = game.wake is not None and moment >= game.wake
            print_ = fingerprint(
                known.root
            )  # before anything is done: what comes meanwhile is seen next time
            if game.print == print_ and not due:
                if game.unsent:
                    yield known.root
                continue
            try:
                hours = Hours(self.settings.send_on, game.kept)
                self._served(game, serve(open_folder(known.root), self.settings.ask, game.shelved, hours))
                game.print = print_
            except Exception as fault:  # one broken game must not stop the others
                if not is_busy(fault):
                    self._broken(known.root, reason_of(fault))
                    game.print = print_
            yield known.root
        here = {*(known.root for known in index.games), *index.broken}
        self.games = {root: game for root, game in self.games.items() if root in here}

    def _served(self, game: Game, done: Served) -> None:
        assert done.entry is not None
        standing, root = done.entry.standing, done.entry.root
        game.title, game.place, game.due = standing.title, standing.place, standing.due
        game.awaited, game.wake, game.shelved = done.entry.awaited, done.wake, done.shelved
        game.kept = done.kept
        if game.broken:
            self.journal.say(Message("cli.club.works-again"), self._name(root))
        if root in self._without:
            done.asks.append(Message("cli.club.no-mailbox"))
        game.asks, game.broken = done.asks, ""
        for text in done.did:
            self.journal.say(text, self._name(root))
        for text in done.asks:
            self._ask(root, game, text)

    def _broken(self, root: Path, why: str) -> None:
        game = self.games.setdefault(root, Game())
        game.wake = clock.now() + _TRY_AGAIN
        self._ask(root, game, Message("cli.club.game-stopped", why=why))
        game.broken = why

    def _ask(self, root: Path, game: Game, text: str) -> None:
        """Tell the game master once, in the journal and by email."""
        key = f"{root}\0{text}"
        if key in self._told:
            return
        self._told.add(key)
        known = game.known
        stage = game.place
        title = game.title or (known.title if known is not None else root.name)
        lines: list[str] = [text, "", Message("cli.club.in-folder", folder=str(root))]
        try:
            new = self.notices.put(self._owner(known), title, f"{root} {stage}", lines)
        except (PbemError, OSError) as fault:  # a full disk, most likely: it is written later
            self._told.discard(key)
            self.journal.say(reason_of(fault), self._name(root))
            return
        if new:
            self.journal.say(Message("cli.club.told-the-gm", why=text), self._name(root))
        else:
            self.journal.say(text, self._name(root))

    def _owner(self, known: Known | None) -> str:
        """Return the address of who looks after a game; of one that can't be read, that of the others."""
        all_ = (known, *(game.known for game in self.games.values()))
        return next((to for game in all_ if game is not None if (to := game.mails.get(game.me, ""))), "")

    # ---- sending ------------------------------------------------------------------------------------------

    def _send(self, served: Iterable[Path]) -> None:
        """Send for each game as soon as it was served, so that none waits for the stages of others."""
        done = send_all(served)
        for root, handed in done.handed.items():
            for letter in handed:
                words = Message(
                    "cli.handing.mail-out",
                    letter=letter.letter.name,
                    count=len(letter.letter.missing),
                    outcome=letter.outcome,
                    reason=letter.why,
                )
                self.journal.say(words, self._name(root))
        for root in done.roots:
            game = self.games.get(root)
            if game is None:
                continue
            game.unsent = any(not letter.good for letter in done.handed.get(root, ())) or root in done.waits
            if root in done.waits:
                self._ask(root, game, Message("cli.club.no-way-to-send", game=self._name(root)))
            for left in done.left.get(root, ()):
                unsure = Message("cli.club.unsure", game=self._name(root), letter=left.name, words=left.words)
                self._ask(root, game, unsure)
            if root in done.busy:
                game.print = ""
            elif root in done.broken:
                self._broken(root, done.broken[root])

    def _notify(self) -> None:
        """Send the postmaster's own emails, in the first way that a game has."""
        for root in self.games:
            try:
                out = settings_at(root, None).out
                if out is not None:
                    self.notices.send(out)
                    return
            except (PbemError, OSError):
                continue

    # ---- telling ------------------------------------------------------------------------------------------

    def _name(self, root: Path) -> str:
        return safe(root.name if root.name != "gm" else f"{root.parent.name}/{root.name}")

    def _write(self) -> None:
        """Write the state page; one that cannot be written stops nothing."""
        try:
            self.journal.write(self.data(), self.page())
        except (PbemError, OSError) as fault:
            self.journal.say(reason_of(fault))

    def data(self) -> dict[str, Any]:
        """Return the state page for programs."""
        games = {
            str(root): {
                "title": game.title,
                "place": game.place,
                "due": game.due or None,
                "awaited": game.awaited,
                "asks": [str(text) for text in game.asks],
                "broken": game.broken or None,
                "unsent": game.unsent,
                "shelved": game.shelved,
                "kept": game.kept,
            }
            for root, game in sorted(self.games.items())
        }
        return {"games": games, "unreachable": self.unreachable}

    def page(self) -> list[str]:
        """Return the state page for people, in their language."""
        return [spoken(line) for line in self._lines_of_page()]

    def _lines_of_page(self) -> list[str]:
        lines: list[str] = []
        for name, why in self.unreachable.items():
            lines.append(Message("cli.club.mailbox-not-read", mailbox=safe(name), why=why))
        for root, game in sorted(self.games.items()):
            name = self._name(root)
            if game.broken:
                lines.append(Message("cli.club.page-broken", game=name, why=game.broken))
                continue
            words = Message(
                "cli.club.page-game", game=name, place=game.place, parties=tuple(game.awaited), due=game.due
            )
            lines.append(words)
            lines += [Message("cli.club.page-asks", text=text) for text in game.asks]
        return lines or [Message("cli.club.page-empty")]

    # ---- waiting ------------------------------------------------------------------------------------------

    def wait(self) -> None:
        """Wait until a server announces email, or for some seconds."""
        seconds, lines = float(self.every), self._lines.values()
        try:
            if lines and all(line.announces for line in lines):
                if wait_for_word(lines, seconds):
                    self._asked.clear()
                return
        except NoWay:  # the next round makes a new line
            self._asked.clear()
            seconds = min(seconds, OFTEN)
        time.sleep(seconds)


def place_of(inside: str | None) -> Path:
    """Return the place of a postmaster's state page and journal: for all games, or those below DIR."""
    if inside is None:
        return data_place() / "postmaster"
    name = hashlib.sha256(str(Path(inside).absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return data_place() / f"postmaster-{name}"


def _second(what: str) -> Any:
    from pbem.text.diagnostics import Diagnostic

    message = Message("cli.club.second-postmaster", what=what)
    return Diagnostic("mailbox-busy", message, help=(Message("cli.club.only-one-reads-a-mailbox"),))
