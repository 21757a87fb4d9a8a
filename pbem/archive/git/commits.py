"""git as the store of an archive: its files, a commit for each stage, a tag for each game turn.

Protocol 12.2.

git is run in the owner's folder only, never in one that somebody handed over (12.3): there must be a private
side. Nothing here is a proof; what counts is reached from heads that the players signed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Protocol

from pbem.archive.folder import layout, statement_words
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.game_over import ended, unsealed
from pbem.archive.folder.game_yaml import ATTRIBUTES, FORMER_ATTRIBUTES, FORMER_GITIGNORE, GITIGNORE
from pbem.archive.folder.parts import Readable
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message


class Repository(Protocol):
    """The git commands that `shelve` needs; the command line implements them."""

    def open(self, root: Path, name: str, mail: str, notes: list[str]) -> None:
        """Open or create the repository of a folder; `name` and `mail` serve if git has no
        author.
        """

    def tracked(self) -> set[str]:
        """Return the files below the folder that git has."""

    def pending(self, names: Collection[str]) -> set[str]:
        """Return those of these files that git lacks or has with other content."""

    def commit(self, names: Sequence[str], message: str) -> str | None:
        """Commit these files and nothing else; None if nothing has changed."""

    def tag(self, name: str) -> list[str]:
        """Tag HEAD, and return the tags made."""


Telling = Callable[[int], "Words"]
"""What to say of a stage."""
_SETUP = re.compile(
    r"game\.yaml|roster\.json|roster\.[a-z0-9-]+\.sig|allowed_signers|module\.lock|scenario\.json"
    r"|\.gitattributes|\.gitignore|inbox/joins/[A-Za-z0-9_.-]+"
)
_STAGE = re.compile(r"stages/([0-9]{4,10})/(?:views/)?[A-Za-z0-9][A-Za-z0-9_.-]*")
_REST = re.compile(
    r"state\.yaml|letters/[0-9a-f]{64}\.(?:json|sig)|inbox/(?:early/)?[A-Za-z0-9][A-Za-z0-9_.-]*"
)


@dataclass(frozen=True)
class Words:
    """A commit's message in two parts, and the game turn of its stage (its last, if it ends one).

    `ended` is the game turn that came to its end in the stage; None if none did.
    """

    subject: str
    body: str = ""
    ended: int | None = None


@dataclass
class Shelved:
    """The result: (stage or None, commit, subject) for each commit, tags made, notes."""

    commits: list[tuple[int | None, str, str]] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def is_published(name: str) -> bool:
    """Return True if a file of a game folder, by its name below it, belongs in the archive."""
    return any(pattern.fullmatch(name) for pattern in (_SETUP, _STAGE, _REST))


def shelve(folder: Folder, git: Repository, message: Telling) -> Shelved:
    """Commit what is new: the roster, then a commit for each stage that has a record, then the rest.

    Makes a repository if the folder is in none. Other content of the repository, staged or not, stays as it
    is. Refused if git is missing or fails, changes bytes, or already knows secrets; files are as before then.
    """
    done, say = Shelved(), folder.say
    with folder.working():
        me = folder.need_me()
        roster = folder.need_roster()
        entry = roster.by_id[me]
        git.open(folder.root, entry.name, entry.mail, done.notes)
        _no_secrets(git)
        folder.commit(_prepared(folder))
        there = published(folder)
        known = git.tracked()
        label = roster.game[:12]
        names = sorted(git.pending(there | {name for name in known if is_published(name)}))
        setup = [name for name in names if _SETUP.fullmatch(name)]
        by_stage: dict[int | None, list[str]] = {}
        for name in names:
            if (of := _stage_of(name)) is not None or _REST.fullmatch(name):
                by_stage.setdefault(of, []).append(name)
        subject = Message(
            "archive.git.roster-signed", title=roster.terms.title, parties=tuple(p.id for p in roster.parties)
        )
        _commit(
            git, done, None, setup, Words(say(subject), say(Message("archive.git.game", game=roster.game)))
        )
        for stage in range(folder.stage + 1):
            mine = by_stage.get(stage, [])
            if stage == folder.stage:
                mine = mine + by_stage.get(None, [])
            if not mine:
                continue
            new = f"{layout.stage_name(stage)}/record.json" not in known
            words = (
                message(stage)
                if new
                else Words(
                    say(Message("archive.git.what-came-in-since-stage", stage=stage)),
                    say(Message("archive.git.game", game=label)),
                )
            )
            _commit(git, done, stage, mine, words)
            if new and words.ended is not None:
                done.tags += git.tag(f"pbem/{label}/gt-{words.ended:02d}")
        if folder.stage >= 0 and unsealed(folder):
            end = by_stage.get(folder.stage + 1, [])
            over = say(Message("archive.git.game-is-over-and-everything-is-opened"))
            _commit(git, done, None, end, Words(over, say(Message("archive.git.game", game=label))))
    return done


def published(folder: Readable) -> set[str]:
    """Return the files of the archive in a folder: regular files of the names of protocol 12.2.

    The folder of the current stage is left out until its record is there, or the game is over.
    """
    last = folder.stage + (1 if folder.stage >= 0 and ended(folder) else 0)
    names = {entry.name for entry in layout.entries(folder.root) if entry.is_file(follow_symlinks=False)}
    for sub in (layout.INBOX, layout.EARLY, layout.JOINS, layout.LETTERS):
        names |= _files(folder, sub)
    for stage in layout.stage_numbers(folder.root):
        if stage <= last:
            names |= _files(folder, layout.stage_name(stage)) | _files(
                folder, f"{layout.stage_name(stage)}/views"
            )
    return {name for name in names if is_published(name)}


def _files(folder: Readable, sub: str) -> set[str]:
    return {
        f"{sub}/{entry.name}"
        for entry in layout.entries(folder.root / sub)
        if entry.is_file(follow_symlinks=False)
    }


def _stage_of(name: str) -> int | None:
    match = _STAGE.fullmatch(name)
    return int(match[1]) if match else None


def _prepared(folder: Readable) -> Changes:
    """Return readable renderings, and the files that keep git from doing harm."""
    changes = Changes()
    for stage in range(folder.stage + 2):
        changes.update(statement_words.missing(folder, stage))
    for name, wanted, former in (
        (".gitattributes", ATTRIBUTES, FORMER_ATTRIBUTES),
        (".gitignore", GITIGNORE, FORMER_GITIGNORE),
    ):
        data = layout.read(folder.root, name, layout.PLAYER_LIMIT)
        if data is None or data.decode("utf-8", "replace") in former:
            changes.write(name, wanted)
    return changes


def _no_secrets(git: Repository) -> None:
    known = [name for name in git.tracked() if name.startswith((f"{layout.PRIVATE}/", f"{layout.OUTBOX}/"))]
    if known:
        message = Message("archive.git.secrets-in-git", known=known[0], count=len(known) - 1)
        help_ = (
            Message("archive.git.take-them-out", private=layout.PRIVATE, outbox=layout.OUTBOX),
            Message("archive.git.if-that-repository-was-ever-pushed"),
        )
        raise Refused(Diagnostic("secrets-in-git", message, help=help_))


def _commit(git: Repository, done: Shelved, stage: int | None, names: Sequence[str], words: Words) -> None:
    made = git.commit(names, _message(words))
    if made is not None:
        done.commits.append((stage, made, words.subject))


def _message(words: Words) -> str:
    return f"{words.subject}\n" + (f"\n{words.body}\n" if words.body else "")


def only_ours(names: Iterable[str]) -> bool:
    """Return True if a list of files has only files of an archive."""
    return all(is_published(name) for name in names)
