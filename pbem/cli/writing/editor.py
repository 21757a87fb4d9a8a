"""Opening an order file in an editor: the one that VISUAL or EDITOR names, else one that is easy."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import click

from pbem.cli.shell.console import note
from pbem.text.messages import Message

_EASY = ("nano", "pico", "micro", "gnome-text-editor", "gedit", "kate", "mousepad")
"""Editors that say themselves how to save and how to leave."""
_HARD = ("vim", "vi", "nvim")


def open_in_editor(path: Path) -> bool:
    """Wait until the user has closed the file. Say so and return False if no editor could be opened."""
    name = _editor()
    note(Message("cli.editor.opening-your-editor", path=path.name))
    if name is not None and Path(name.split()[0]).stem in _HARD:
        note(Message("cli.editor.how-to-use-vi"))
    try:
        click.edit(editor=name, filename=str(path))
    except click.ClickException:
        note(Message("cli.editor.no-editor-could-be-opened", path=path))
        return False
    return True


def _editor() -> str | None:
    """Return the name of the editor, or None for the system's usual one (Notepad on Windows)."""
    for variable in ("VISUAL", "EDITOR"):
        if os.environ.get(variable):
            return os.environ[variable]
    if os.name == "nt":
        return None
    return next((program for program in (*_EASY, *_HARD) if shutil.which(program)), None)
