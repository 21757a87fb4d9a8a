"""Writing a book: its reader, its folder, and the removal of an older book."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import History, Private
    from pbem.report.structure import Report
    from pbem.report.whole.book import Book
    from pbem.report.wording import Wording

LIMIT = 16 << 20
"""Bytes of a manifest that we read."""
_OURS = re.compile(
    r"stages/[0-9]{4,10}\.html|maps/(losses|[0-9]{4,10}(-[a-z][a-z0-9_-]{0,40})?)\.svg|[a-z]+\.(html|css|js)|\.gitignore"
)
IGNORE = b"# a book that not everybody may read\n*\n"


def root_of() -> Path:
    """Return the game folder of the command."""
    from pbem.cli.shell.options import open_folder

    return open_folder().root


def private_side(root: Path) -> Private | None:
    """Return the private side of an archive, or None: with one it is the user's own folder.

    The folder may be a stranger's, so the files are read like those of one.
    """
    from pbem.archive import Private, layout, private_side
    from pbem.cli.shell.keys import passphrase

    here = [layout.read(root, name, layout.PLAYER_LIMIT) for name in (private_side.ME, private_side.SEAL)]
    return None if None in here else Private(root, passphrase)


def make(history: History, reader: str | None, words: Wording, evidence: Mapping[str, Any]) -> Book:
    """Return the book of a game for a reader; `evidence` is its public archive."""
    from pbem.cli.games.history import figures, told_to
    from pbem.cli.games.telling import chapter_report
    from pbem.report.whole.book import Book

    reports = tuple(chapter_report(history, chapter, reader, words=words) for chapter in history.chapters)
    head = history.chapters[-1].record.head
    whose, game = told_to(history, reader, words), history.roster.game
    title = reports[-1].title
    eyes = _eyes(history, reader, words)
    apart = tuple(chapter.stage for chapter in history.chapters if chapter.record.readers)
    return Book(title, whose, game, head, reports, figures(history, reader, words), evidence, eyes, apart)


def _eyes(history: History, reader: str | None, words: Wording) -> dict[str, tuple[Report, ...]]:
    """Return each player's reports, for a reader who may know all.

    After the unseal everybody may, before it the GM.
    """
    from pbem.cli.games.telling import chapter_report

    everything = history.depth == "everything" and history.system.hidden is True
    if not everything or reader is None or reader != history.roster.terms.arbiter:
        return {}
    return {
        player: tuple(chapter_report(history, chapter, player, words=words) for chapter in history.chapters)
        for player in history.roster.players
    }


def write(
    out: Path, archive: Path, history: History, reader: str | None, words: Wording
) -> tuple[list[Path], bool]:
    """Write the book of an archive into a folder. Return its files, and True if it holds secrets.

    Refused if the folder holds anything that is no book. Files of an older book that are no more go away.
    """
    from pbem.archive import public_evidence
    from pbem.cli.shell.console import progress
    from pbem.report.whole import book as books
    from pbem.text.writing import write_all

    old = _old_files(out)
    made = make(history, reader, words, public_evidence(archive))
    secret = is_secret(history, reader)
    content: dict[str, bytes] = {}
    with progress(Message("cli.book.writing-book")) as step:
        for name, data in books.files(made):
            content[name] = data
            step(len(content), 2 * len(made.reports))
    content[books.MANIFEST] = books.manifest(made, [*content, *([".gitignore"] if secret else [])])
    if secret:
        content[".gitignore"] = IGNORE
    root = out.absolute()
    files = {root / name: data for name, data in content.items()}
    if not secret and ".gitignore" in old:
        _make_way(root, old)
    write_all(files, private=list(files) if secret else ())
    for name in sorted(old - set(content)):
        (root / name).unlink(missing_ok=True)
    return sorted(files), secret


def _make_way(root: Path, old: set[str]) -> None:
    """Take away a book that only its owner could read, so that the new one gets the usual permissions."""
    for name in sorted(old):
        (root / name).unlink(missing_ok=True)
    for folder in ("stages", "maps"):
        with suppress(OSError):
            (root / folder).rmdir()
    root.chmod(root.parent.stat().st_mode & 0o777)


def is_secret(history: History, reader: str | None) -> bool:
    """Return True if a book for this reader has something that not everybody may know."""
    return reader is not None and history.system.hidden is True and not history.unsealed


def _old_files(out: Path) -> set[str]:
    """Return the files of the book already there; Refused if the folder is neither empty nor a book."""
    from pbem.archive import layout
    from pbem.report.whole.book import FORMAT, MANIFEST

    if not out.exists() or not any(layout.entries(out)):
        return set()
    data = layout.read(out, MANIFEST, LIMIT)
    try:
        manifest = json.loads(data or b"null")
    except (ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        help_ = (Message("cli.book.name-a-new-or-empty-folder"),)
        raise Refused(Diagnostic("not-empty", Message("cli.book.folder-is-not-empty", out=out), help=help_))
    names = manifest.get("files")
    listed = names if isinstance(names, list) else []
    return {name for name in listed if isinstance(name, str) and is_ours(name)}


def is_ours(name: str) -> bool:
    """Return True if a name in a manifest is one that a book may have: an old one must not lead elsewhere."""
    return _OURS.fullmatch(name) is not None
