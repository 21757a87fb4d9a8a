"""What only a terminal shows: completion in a real bash, progress bars, colours."""

from __future__ import annotations

import io
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pbem.cli.main import cli
from pbem.cli.shell import console
from tests.cli.play import Table

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals on this system")
ROOT = Path(__file__).parents[2]
PATIENCE = 120  # seconds; a machine that is busy is no fault
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment in which `pbem` is this program."""
    tools = tmp_path / "bin"
    tools.mkdir()
    program = tools / "pbem"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pbem.cli.main "$@"\n')
    program.chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "TERM": "dumb", "PS1": "$ "}


# ---- completion ----------------------------------------------------------------------------------------


@needs_bash
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("pbem or", ["orders"]),
        ("pbem orders ", ["new", "legal", "facts", "ahead", "check", "withdraw", "again", "sign"]),
        ("pbem orders c", ["check"]),
        ("pbem key re", ["restore"]),
        ("pbem status --ex", ["--exit-code"]),
        ("pbem new --dice sw", ["swift"]),
        ("pbem report --format ", ["text", "html", "json"]),
        ("pbem rules s", ["show"]),
    ],
)
def test_bash_completes(typed: str, offered: list[str], env: dict[str, str]) -> None:
    assert _completed(typed, env) == (offered, "")


@needs_bash
def test_a_line_with_a_mistake_is_left_in_peace(env: dict[str, str]) -> None:
    for typed in ("pbem nonsense st", "pbem orders nonsense ", "pbem -C /nowhere orders si"):
        assert _completed(typed, env)[1] == ""


def _completed(typed: str, env: dict[str, str]) -> tuple[list[str], str]:
    """What bash offers where a line is typed so far, and what disturbs it."""
    words = typed.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    script = (
        'eval "$(pbem completion bash)" || exit 9\n'
        f"COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}\n"
        "$(complete -p pbem | sed 's/.*-F \\([^ ]*\\).*/\\1/') pbem\n"
        "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )
    done = subprocess.run(
        ["bash", "--norc", "--noprofile", "-c", script],
        env=env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE,
    )
    return done.stdout.split(), done.stderr


class Terminal:
    """A program on a pseudo-terminal: what is typed, what is shown."""

    def __init__(self, *command: str, env: dict[str, str]) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], list(command), env)
        self.shown = ""

    def type(self, text: str, until: str) -> None:
        """Type something and wait until something new is shown."""
        self.shown = ""
        os.write(self.fd, text.encode())
        self.wait_for(until)

    def wait_for(self, text: str) -> None:
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < end, f"waited for {text!r}, shown is {self.shown!r}"
            if select.select([self.fd], [], [], 0.5)[0]:
                self.shown += os.read(self.fd, 4096).decode("utf-8", "replace")

    def close(self) -> None:
        os.close(self.fd)
        os.waitpid(self.pid, 0)


@pytest.fixture
def bash(env: dict[str, str]) -> Iterator[Terminal]:
    terminal = Terminal("bash", "--norc", "--noprofile", "-i", env=env)
    yield terminal
    terminal.close()


@needs_bash
def test_the_tab_key_completes_a_command(bash: Terminal) -> None:
    bash.wait_for("$ ")
    bash.type('eval "$(pbem completion bash)"; echo do""ne\n', until="done\r\n")
    bash.type("pbem or\t", until="pbem orders ")
    bash.type("ch\t", until="check ")


@needs_bash
def test_completing_a_line_asks_nobody_anything(bash: Terminal) -> None:
    """`new` and `join` ask for a name on a terminal; not while a line is completed."""
    bash.wait_for("$ ")
    bash.type('eval "$(pbem completion bash)"; echo do""ne\n', until="done\r\n")
    bash.type("pbem new --dice sw\t", until="swift ")
    assert "your name" not in bash.shown


# ---- colours -------------------------------------------------------------------------------------------


def _on_terminal(command: list[str], env: dict[str, str]) -> str:
    """What a command shows on a terminal."""
    terminal = Terminal(*command, env={**env, "TERM": "xterm"})
    shown = b""
    try:
        while chunk := os.read(terminal.fd, 4096):
            shown += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    terminal.close()
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("args", [("status",), ("report", "99")], ids=" ".join)
def test_colours_are_for_terminals_and_carry_no_fact(
    args: tuple[str, ...], table: Table, env: dict[str, str]
) -> None:
    command = ["pbem", "-C", str(table.gm.root), *args]
    colourful = _on_terminal(command, env)
    plain = _on_terminal(command, {**env, "NO_COLOR": "1"})
    piped = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert "\x1b[" in colourful
    assert "\x1b" not in plain + piped.stdout + piped.stderr
    assert click.unstyle(colourful) == plain == piped.stdout + piped.stderr


def test_no_color_holds_for_every_line_of_a_refusal(table: Table) -> None:
    args = ["-C", str(table.gm.root), "report", "99"]
    loud = CliRunner().invoke(cli, args, color=True, prog_name="pbem").stderr
    quiet = CliRunner().invoke(cli, args, color=True, env={"NO_COLOR": "1"}, prog_name="pbem").stderr
    assert "\x1b[" in loud and "\x1b" not in quiet


# ---- a page at a time ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("lines", "pages"), [("8", True), ("500", False)])
def test_what_is_longer_than_the_terminal_is_shown_by_the_pager(
    lines: str, pages: bool, table: Table, env: dict[str, str], tmp_path: Path
) -> None:
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\nsed 's/^/paged: /'\n")
    pager.chmod(0o755)
    command = ["pbem", "-C", str(table.players["north"].root), "report"]
    shown = _on_terminal(command, {**env, "PAGER": str(pager), "LINES": lines, "NO_COLOR": "1"})
    plain = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE).stdout
    assert ("paged: " in shown) == pages
    assert click.unstyle(shown).replace("paged: ", "").split() == plain.split()


# ---- progress ------------------------------------------------------------------------------------------


class Screen(io.StringIO):
    """Standard error, on a terminal or not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def _progress(monkeypatch: pytest.MonkeyPatch, terminal: bool, patience: float) -> str:
    screen = Screen(terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(console, "_PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    with console.progress("verifying") as step:
        for done in range(1, 4):
            step(done, 3)
    return screen.getvalue()


def test_a_bar_is_drawn_on_a_terminal_when_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "verifying" in _progress(monkeypatch, terminal=True, patience=-1)


def test_no_bar_is_drawn_for_what_is_quick_or_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _progress(monkeypatch, terminal=True, patience=1000) == ""
    assert _progress(monkeypatch, terminal=False, patience=-1) == ""


def test_a_bar_has_no_colours_where_none_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    loud = _progress(monkeypatch, terminal=True, patience=-1)
    monkeypatch.setenv("NO_COLOR", "1")
    quiet = _progress(monkeypatch, terminal=True, patience=-1)
    assert "\x1b[3" in loud and "\x1b[3" not in quiet
