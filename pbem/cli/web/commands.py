"""A command of `pbem`, run for a page: the same words in the reader's language, no questions."""

from __future__ import annotations

import threading
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from pbem.text.dataclass import dataclass

_ONE = threading.Lock()  # one command at a time, because its output is captured


@dataclass(frozen=True)
class Said:
    """The output of a command, its results and everything else, and whether it succeeded."""

    code: int
    results: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Return True if it succeeded."""
        return self.code == 0

    @property
    def lines(self) -> tuple[str, ...]:
        """Return all lines, as on a terminal."""
        return (*self.results, *self.notes)


def run(root: Path, *words: str, passphrase: str | None = None) -> Said:
    """Run a command with its words in a folder.

    Typed text must come after `=` or `--`, where it is no option. A passphrase opens keys for as
    long as this takes, and is kept nowhere.
    """
    from pbem.cli.main import cli
    from pbem.cli.shell import language
    from pbem.cli.shell.failures import guarded
    from pbem.cli.shell.keys import passphrase_is

    heard, beside = StringIO(), StringIO()
    spoken_here = ["--lang", language.code()]
    with _ONE, redirect_stdout(heard), redirect_stderr(beside), passphrase_is(passphrase or ""):
        code = guarded(
            lambda: cli.main(["-C", str(root), *spoken_here, *words], "pbem", standalone_mode=False)
        )
    return Said(code, _lines(heard, root), _lines(beside, root))


def _lines(heard: StringIO, root: Path) -> tuple[str, ...]:
    """Return lines with the names of files in the folder."""
    text = heard.getvalue().replace(f"{root}/", "").replace(str(root), ".")
    return tuple(line for line in text.splitlines() if line.strip())
