"""Commands as somebody types them, told with what they print, their exit code and the files they write.

Ids have names here, so that no key or digest decides how it reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import pytest
from click import testing
from click.testing import CliRunner

from pbem.cli.main import cli
from pbem.cli.shell import console
from tests.golden.a_game_by_mail import Names

_TIMES = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?( UTC|Z| [+-]\d{4})?")
_KEYS = re.compile(
    r"SHA256:[\w+/]{43}|(?<=ssh-ed25519 )[\w+/=]{68}|(?<=subject=).*|(?<=objects/)../<hex>"
    r"|\b(?:[0-9a-f]{4} {1,2}){7}[0-9a-f]{4}\b"
)
"""What hangs on keys and is no id."""
_ENDLESS = 1e9
_LISTED = (["accepted"], ["already"], ["email:"], ["E-Mail:"])
_PASSED_OVER = ("lock", "mail.log")


def runs_sorted(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines; lists of statements and emails, which may be in the order of ids, sorted."""
    for listed, run in groupby(lines, lambda line: line.split(" ")[2:3] in _LISTED):
        told = list(run)
        yield from sorted(told) if listed else told


class Terminal:
    """A place with files, at which somebody types commands and answers."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch, *watched: str) -> None:
        self.root, self.names, self.lines = root, Names(_TIMES), list[str]()
        self._watched, self._here = [root / name for name in watched], dict[Path, tuple[int, int, int]]()
        root.mkdir(parents=True, exist_ok=True)
        patch.chdir(root)
        patch.setattr(console, "_PATIENCE", _ENDLESS)
        for name in ("config", "data"):
            patch.setenv(f"XDG_{name.upper()}_HOME", str(root / name))

    def forget(self) -> None:
        """Tell nothing of what was done so far."""
        self._here = self._files()
        self.lines.clear()

    def quietly(self, *words: str | Path) -> str:
        """Run a command of which nothing is told; what it prints."""
        ran = CliRunner().invoke(cli, [*map(str, words)], prog_name="pbem", catch_exceptions=False)
        assert ran.exit_code == 0, ran.output
        return ran.stdout

    def says(
        self, place: str, *words: str | Path, typed: str | None = None, files: bool = True, **env: str
    ) -> str:
        """Run a command in a folder, and tell what it says; `typed` is what is typed on a terminal."""
        given = [*(["-C", str(self.root / place)] if place else []), *map(str, words)]
        with pytest.MonkeyPatch.context() as patch:
            if typed is not None:
                patch.setattr(testing._NamedTextIOWrapper, "isatty", lambda self: self.name != "<stdout>")
            ran = CliRunner().invoke(cli, given, input=typed, prog_name="pbem", env=env)
        assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
        code = f"  -> {ran.exit_code}" if ran.exit_code else ""
        now = self._files()
        self.lines += ["", f"{place}$ pbem {' '.join(map(self._shown, words))}{code}"]
        streams = [("  ", ran.stdout), ("  ! ", ran.stderr)]
        for mark, text in streams if typed is None else [("  ", ran.output)]:
            self.lines += runs_sorted(f"{mark}{self.named(line)}".rstrip() for line in text.splitlines())
        changed = {line for path in {*now, *self._here} for line in self._changed(path, now)}
        self.lines += sorted(changed) if files else []
        self._here = now
        return ran.stdout

    def shows(self, name: str, only: str = "") -> None:
        """Tell what is in a file; `only`: the lines in which this is."""
        lines = (line for line in (self.root / name).read_text("utf-8").splitlines() if re.search(only, line))
        self.lines += ["", f"({name})", *(f"  | {self.named(line)}".rstrip() for line in lines)]

    def named(self, text: str) -> str:
        """Return a text with names for ids, and without the place on this computer."""
        return _KEYS.sub("<key>", self.names.named(text.replace(str(self.root), "")))

    def _shown(self, word: str | Path) -> str:
        shown = self.named(str(word))
        return shown if re.fullmatch(r"[^\s'\"]+", shown) else f"«{shown}»"

    def _changed(self, path: Path, now: dict[Path, tuple[int, int, int]]) -> Iterator[str]:
        if now.get(path) == self._here.get(path):
            return
        mark = "-" if path not in now else "+" if path not in self._here else "~"
        mode = f" {now[path][0] & 0o777:o}" if path in now else ""
        name = path.relative_to(self.root).as_posix().partition("/.git/")
        yield f"  {mark}{mode} {self.named(name[0])}{name[1]}"

    def _files(self) -> dict[Path, tuple[int, int, int]]:
        found = [path for place in self._watched for path in place.rglob("*")]
        here = [path for path in found if path.is_file() and path.name not in _PASSED_OVER]
        self.names.learn(
            path.read_bytes() for path in here if path.suffix == ".json" and len(path.stem) == 64
        )
        return {path: ((one := path.stat()).st_mode, one.st_mtime_ns, one.st_size) for path in here}
