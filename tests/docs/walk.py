"""Does what a page tells people to do: real folders and files, commands in a shell."""

from __future__ import annotations

import os
import re
import select
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from pbem.cli.games.game_id import grouped
from tests.docs.pages import ROOT, Step

_HEX = re.compile(r"[0-9a-f]{8,}")
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
_KEY = re.compile(r"AAAA[A-Za-z0-9+/]{40,}")
_GROUPS = r"((?:[0-9a-f]{4} +){7}[0-9a-f]{4})"
_GAME = re.compile(rf"game id +{_GROUPS}\n +{_GROUPS}")
TIME_LIMIT = 120


@dataclass
class Walk:
    """Some people, each with a home of his own, and what was printed last."""

    root: Path
    sample_game: str = ""
    printed: str = ""
    where: dict[str, Path] = field(default_factory=dict)
    real_game: str = ""

    def __post_init__(self) -> None:
        tools = self.root / "bin"
        tools.mkdir(parents=True)
        program = tools / "pbem"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pbem.cli.main "$@"\n')
        program.chmod(0o755)

    def take(self, step: Step) -> None:
        """Do one step of a page."""
        match step.name:
            case "walk":
                self._walk(step)
            case "prints":
                self._prints(step)
            case "screen":
                self._screen(step)
            case "file":
                person, _, name = step.rest.partition(" ")
                (self._at(person) / name).write_text(self._mine(step.block))
            case "mail":
                self._mail(step)
            case "save":
                self._copy(self.root / "homes", self.root / f"saved-{step.rest}")
            case "begin":
                shutil.rmtree(self.root / "homes")
                self._copy(self.root / f"saved-{step.rest}", self.root / "homes")
                self.where.clear()
            case "game":
                self.sample_game = step.rest
            case _:
                raise AssertionError(f"{step.where}: this page cannot say '{step.name}' to a walk")

    def home(self, person: str) -> Path:
        """Where a person lives: with a folder `mail` where his mails lie, and the source in `pbem`."""
        home = self.root / "homes" / person
        if not home.exists():
            (home / "mail").mkdir(parents=True)
            (home / "pbem").symlink_to(ROOT, target_is_directory=True)
        return home

    def _at(self, person: str) -> Path:
        return self.where.setdefault(person, self.home(person))

    def _walk(self, step: Step) -> None:
        person, _, wanted = step.rest.partition(", exits ")
        here = self.root / "here"
        script = f"{self._mine(step.block)}\npwd > '{here}'\n"
        done = subprocess.run(
            ["sh", "-e", "-c", script],
            cwd=self._at(person),
            env=self._environment(person),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIME_LIMIT,
        )
        self.printed = done.stdout
        assert done.returncode == int(wanted or 0), f"{step.where}: exit {done.returncode}\n{done.stdout}"
        if not wanted:
            self.where[person] = Path(here.read_text().strip())
        self._know_game()

    def _know_game(self) -> None:
        """The id of the game that is played, from where it is printed."""
        game = _GAME.search(self.printed)
        if game:
            self.real_game = (game[1] + game[2]).replace(" ", "")

    def _screen(self, step: Step) -> None:
        """A session on a terminal: lines that begin with `$ ` are commands, and what is typed at a question
        stands behind it; the directive names that (`screen: bob, types 2 + s`)."""
        person, _, typed = step.rest.partition(", types ")
        answers = [one.strip() for one in typed.split(" + ")] if typed else []
        commands = [line[2:] for line in step.block.splitlines() if line.startswith("$ ")]
        script = "\n".join(f"printf '%s\\n' {shlex.quote(f'$ {one}')}\n{one}" for one in commands)
        self.printed = self._on_terminal(person, self._mine(script), answers, step.where)
        self._know_game()
        wanted = step.block
        for answer in answers:
            wanted = _without(wanted, answer, step.where)
        self._prints(Step("prints", "", wanted, step.where))

    def _on_terminal(self, person: str, script: str, answers: list[str], where: str) -> str:
        """What a person's terminal shows. What he types lies ready from the beginning and is not echoed."""
        import pty
        import termios

        ours, theirs = pty.openpty()
        look = termios.tcgetattr(theirs)
        look[1] &= ~termios.OPOST
        look[3] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, look)
        here = self.root / "here"
        process = subprocess.Popen(
            ["sh", "-e", "-c", f"{script}\npwd > '{here}'\n"],
            cwd=self._at(person),
            env={**self._environment(person), "PBEM_PASSPHRASE": "", "PAGER": "cat", "COLUMNS": "100"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        os.write(ours, "".join(f"{one}\n" for one in answers).encode())
        shown = b""
        while True:
            ready, _, _ = select.select([ours], [], [], TIME_LIMIT)
            assert ready, f"{where}: it waits for more to be typed\n{shown.decode()}"
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        os.close(ours)
        text = shown.decode()
        assert process.wait(TIME_LIMIT) == 0, f"{where}: exit {process.returncode}\n{text}"
        self.where[person] = Path(here.read_text().strip())
        return text

    def _environment(self, person: str) -> dict[str, str]:
        home = self.home(person)
        kept = {k: v for k, v in os.environ.items() if k in ("LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")}
        path = f"{self.root / 'bin'}{os.pathsep}{os.environ['PATH']}"
        git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        names = ("AUTHOR", "COMMITTER")
        git |= {f"GIT_{name}_{what}": f"{person}@example.org" for name in names for what in ("NAME", "EMAIL")}
        return kept | git | {"HOME": str(home), "PATH": path, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}

    def _mine(self, text: str) -> str:
        """The text with the id of the page's sample game replaced by that of the game that is played."""
        if not (self.sample_game and self.real_game):
            return text
        sample = re.compile(re.escape(self.sample_game[:12]) + "[0-9a-f]*")
        text = sample.sub(lambda found: self.real_game[: len(found[0])], text)
        for half in (slice(32), slice(32, None)):
            text = text.replace(grouped(self.sample_game[half]), grouped(self.real_game[half]))
        return text

    def _mail(self, step: Step) -> None:
        sender, name, _, *readers = step.rest.replace(",", " ").split()
        found = sorted(self._at(sender).glob(name))
        assert found, f"{step.where}: {sender} has no {name}"
        for reader in readers:
            for path in found:
                shutil.copy(path, self.home(reader) / "mail" / path.name)

    def _prints(self, step: Step) -> None:
        said = _same(self.printed.replace(str(self.root / "homes"), "/home").rstrip())
        pattern = ".*".join(re.escape(part) for part in _same(step.block.rstrip()).split("..."))
        assert re.fullmatch(pattern, said, re.DOTALL), f"{step.where}: it printed\n{said}"

    @staticmethod
    def _copy(source: Path, to: Path) -> None:
        shutil.copytree(source, to, symlinks=True)


def _without(text: str, answer: str, where: str) -> str:
    """A session without the first of the answers typed in it, and the end of its line."""
    found = re.search(rf"^(.*[>:] ){re.escape(answer)}\n", text, re.MULTILINE)
    assert found is not None, f"{where}: nobody types {answer!r} there"
    return text[: found.end(1)] + text[found.end() :]


def _same(text: str) -> str:
    """Text without what differs from game to game (ids, keys, fingerprints) and blanks at line ends."""
    for pattern in (_FINGERPRINT, _KEY, re.compile(_GROUPS), _HEX):
        text = pattern.sub("#", text)
    return "\n".join(line.rstrip() for line in text.split("\n"))
