"""The text of a letter as somebody writes it, and the letter that it answers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import is_terminal
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder

MOST_TYPED = 1 << 20


def answered(folder: Folder, word: str | None) -> str | None:
    """Return the sid of the letter that begins with these digits."""
    from pbem.archive import letters_kept

    if word is None:
        return None
    listed = [letter.statement.sid for letter in letters_kept.letters(folder)]
    sids = [sid for sid in listed if len(word) >= 4 and sid.startswith(word.lower())]
    if len(sids) != 1:
        raise click.UsageError(Message("cli.letter.no-such-letter", word=word))
    return sids[0]


def typed(draft: Path) -> str:
    """Return the text from standard input, or from an editor, which keeps it if it cannot be sent."""
    from pbem.cli.writing.editor import open_in_editor
    from pbem.text.writing import write_all

    if not sys.stdin.isatty():
        return sys.stdin.read(MOST_TYPED)
    if not is_terminal():
        raise click.UsageError(Message("cli.letter.no-text"))
    if not draft.exists():
        draft.parent.mkdir(parents=True, exist_ok=True)
        write_all({draft: b""}, private=[draft])
    if not open_in_editor(draft):
        raise click.UsageError(Message("cli.letter.no-text"))
    return draft.read_text("utf-8", "replace")
