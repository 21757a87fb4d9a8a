"""The games of this computer, and which of them a statement belongs to.

Only three small files of each folder are read: whose it is, its roster or invitation. No folder is opened.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.options import here
from pbem.cli.shell.words import safe
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.mail.read import Carried, Plain, Reading
    from pbem.mail.replies import Reply

_DEEPEST = 4
"""Levels below a folder in which games are looked for."""
_MOST_FOLDERS = 20_000
"""Folders that are looked at, so that a whole disk does not take for ever."""


@dataclass(frozen=True)
class Known:
    """A game folder: its game, and whose folder it is.

    `game` is "" before there is a roster. `mails` are the addresses of its parties.
    """

    root: Path
    salt: str
    game: str
    title: str
    me: str
    role: str
    mails: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_gm(self) -> bool:
        """Return True if this is the GM's folder."""
        return self.role == "gm"


def name_of(root: Path) -> str:
    """Return a folder's path for a command: relative if it is below here, else whole."""
    try:
        return safe(str(root.relative_to(Path.cwd())))
    except (ValueError, OSError):
        return safe(str(root))


@dataclass
class Index:
    """The games by game id and by salt, and the folders that cannot be read, with the reason."""

    games: list[Known] = field(default_factory=list)
    broken: dict[Path, str] = field(default_factory=dict)
    _by_id: dict[str, list[Known]] = field(default_factory=dict)

    @classmethod
    def of(cls, roots: Iterable[Path]) -> Index:
        """Return the index of these folders."""
        index = cls()
        for root in roots:
            try:
                index.add(_known(root))
            except OSError as fault:
                index.broken[root] = f"{fault.filename}: {fault.strerror}"
            except ValueError as fault:
                index.broken[root] = str(fault)
        return index

    def add(self, known: Known) -> None:
        """Add a game."""
        self.games.append(known)
        for id_ in filter(None, (known.salt, known.game)):
            self._by_id.setdefault(id_, []).append(known)

    def of_statement(self, data: bytes) -> list[Known]:
        """Return the folders of the game that a statement is of."""
        salt, game = ids_in(data)
        return self._by_id.get(salt, []) or self._by_id.get(game, [])

    def of_sender(self, address: str) -> list[Known]:
        """Return the folders, those of the GM first, of games in which somebody has this address."""
        there = [game for game in self.games if address in game.mails.values()]
        return sorted(there, key=lambda game: not game.is_gm)


def ids_in(data: bytes) -> tuple[str, str]:
    """Return the salt and the game id that a statement names; "" for none."""
    try:
        claims = json.loads(data)
        ids = claims.get("salt"), claims.get("game")
    except (ValueError, RecursionError, AttributeError):
        return "", ""
    salt, game = (id if isinstance(id, str) else "" for id in ids)
    return salt, game


@dataclass
class Sorted:
    """Statements by the folder that they are for, and those for no game here."""

    games: dict[Path, Reading] = field(default_factory=dict)
    foreign: list[Carried] = field(default_factory=list)


def sort(index: Index, reading: Reading) -> Sorted:
    """Return the results by folder, in any order.

    Unsigned and damaged emails of a player go to one game of theirs, so that they get one reply.
    """
    from pbem.mail.read import Reading as Empty

    done = Sorted()

    def part(root: Path) -> Reading:
        return done.games.setdefault(root, Empty())

    for statement in reading.statements:
        folders = index.of_statement(statement.signed.data)
        for known in folders:
            part(known.root).add(statement.where, statement.signed, statement.beside)
        if not folders:
            done.foreign.append(statement)
    for plain in reading.plain:
        for known in _first(index, plain):
            part(known.root).plain.append(plain)
    for plain in reading.damaged:
        for known in _first(index, plain):
            part(known.root).damaged.append(plain)
    for reply in reading.replies:
        for root in _answered(index, reply):
            part(root).replies.append(reply)
    if reading.returned:  # each game looks for its own letters among them
        for known in index.games:
            part(known.root).returned += reading.returned
    return done


def _first(index: Index, plain: Plain) -> Sequence[Known]:
    return index.of_sender(plain.sender)[:1] if plain.sender else []


def _answered(index: Index, reply: Reply) -> Sequence[Path]:
    """Return the game that a reply names by its code; without one the first that has asked its writer."""
    from pbem.cli.post.plain_lists import lists

    folders = [game.root for game in index.of_sender(reply.sender) if game.is_gm]
    sent = {
        root: [questions for questions in lists(root).values() if questions.mail == reply.sender]
        for root in folders
    }
    asked = [root for root in folders if sent[root]]
    coded = [
        root for root in asked if any(reply.names(questions.code) is not None for questions in sent[root])
    ]
    return (coded or asked)[:1]


def _known(root: Path) -> Known:
    from pbem.archive import layout, private_side
    from pbem.trust.hashing import H

    begun = (root / layout.ROSTER).exists()
    file = root / private_side.ME
    try:
        me = json.loads(file.read_bytes())
        party, role = str(me["party"]), str(me["role"])
        file = root / (layout.ROSTER if begun else private_side.INVITATION)
        data = file.read_bytes()
        terms = json.loads(data)
        mails = {str(entry["id"]): str(entry["mail"]).lower() for entry in terms["parties"]} if begun else {}
        game = H("game", data).hex() if begun else ""
        return Known(root, str(terms["salt"]), game, str(terms["title"]), party, role, mails)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(Message("cli.club.damaged-file", file=safe(str(file)))) from None


# --- where they are -----------------------------------------------------------------------------------------


def below(start: Path) -> list[Path]:
    """Return every game folder of a person in or below a folder, in order of name."""
    return sorted(_below(start.absolute(), _DEEPEST, [_MOST_FOLDERS]))


def _below(start: Path, deepest: int, left: list[int]) -> Iterator[Path]:
    from pbem.archive import private_side

    left[0] -= 1
    if left[0] < 0:
        return
    if (start / private_side.ME).is_file():
        yield start
        return
    if not deepest:
        return
    try:
        with os.scandir(start) as entries:
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for name in names:
        if not name.startswith("."):
            yield from _below(start / name, deepest - 1, left)


def all_games(inside: str | None) -> list[Path]:
    """Return the games in or below DIR; else those below here; else all that this computer knows."""
    from pbem.cli.games.home import games
    from pbem.cli.games.memory import Memory, usual

    start = Path(inside) if inside is not None else here()
    if not start.is_dir():
        raise click.UsageError(Message("cli.options.no-such-folder", start=start))
    if inside is not None:
        return below(start)
    return games(start) or sorted(Memory(usual()).games())


def no_games(inside: str | None) -> Any:
    """Return the error for a place without games."""
    from pbem.text.diagnostics import Diagnostic, Refused

    start = Path(inside).absolute() if inside is not None else here().absolute()
    message = Message("cli.club.no-games", start=start)
    help_ = (Message("cli.club.name-a-folder-with-in"), Message("archive.folder.pbem-new-starts-game"))
    return Refused(Diagnostic("no-game", message, help=help_))
