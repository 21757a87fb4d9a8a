"""What Windows and macOS want of code that is written on Linux, as far as it can be seen by reading it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from pbem.archive import outbox
from tests.architecture.code import modules
from tests.tools.syntax import nodes

ONE_SYSTEM = {"crypt", "fcntl", "grp", "msvcrt", "posix", "pty", "pwd", "readline", "resource", "syslog"}
ONE_SYSTEM |= {"termios", "tty", "winreg"}
OF_POSIX = {"chown", "chroot", "fchmod", "fchown", "fork", "getegid", "geteuid", "getgid", "getuid", "killpg"}
OF_POSIX |= {"mkfifo", "sync", "umask", "uname", "wait"}
FLAGS = {"O_BINARY", "O_CLOEXEC", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK"}
SIGNALS = {"SIGALRM", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGUSR1", "SIGUSR2", "alarm", "setitimer"}


def strange(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """What in a module would not do on every system: (what, line)."""
    guarded = _guarded(tree)
    for node in nodes(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import | ast.ImportFrom) and line not in guarded:
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            yield from ((f"import {name}", line) for name in names if name in ONE_SYSTEM)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and line not in guarded:
            of = {"os": OF_POSIX | FLAGS, "signal": SIGNALS}.get(node.value.id, set())
            if node.attr in of:
                yield f"{node.value.id}.{node.attr}", line
        if isinstance(node, ast.Call):
            yield from ((what, line) for what in _called(node))


def _guarded(tree: ast.AST) -> set[int]:
    """The lines of functions and branches that ask which system this is, or whether it has a name."""
    found: set[int] = set()
    if not any(_asks(node) for node in nodes(tree)):
        return found
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.If):
            if any(_asks(one) for one in nodes(node.test if isinstance(node, ast.If) else node)):
                found |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def _asks(node: ast.AST) -> bool:
    """`sys.platform`, `os.name`, `hasattr(os, ...)`"""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "hasattr" and ast.unparse(node.args[0]) == "os"
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    return (node.value.id, node.attr) in {("sys", "platform"), ("os", "name")}


def _called(node: ast.Call) -> Iterator[str]:
    if not isinstance(node.func, ast.Name | ast.Attribute):
        return
    last = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
    if last not in ("write_text", "open", "read_text", "strftime"):
        return
    name = ast.unparse(node.func)
    words = {one.arg for one in node.keywords}
    if last == "write_text" and len(node.args) > 1 and "newline" not in words:
        yield "write_text() without newline: Windows writes other ends of lines"
    if name == "open" and "encoding" not in words and "b" not in _mode(node):
        yield "open() without encoding"
    if last == "read_text" and not node.args and "encoding" not in words and name != "self.read_text":
        yield "read_text() without encoding"
    if name == "os.open" and "O_CREAT" in ast.unparse(node) and "O_BINARY" not in ast.unparse(node):
        if any(flag in ast.unparse(node) for flag in ("O_APPEND", "O_TRUNC", "O_EXCL")):
            yield "os.open() without O_BINARY"
    if last == "strftime" and node.args and "%-" in ast.unparse(node.args[0]):
        yield "strftime() with %-"


def _mode(node: ast.Call) -> str:
    modes = [*node.args[1:2], *(one.value for one in node.keywords if one.arg == "mode")]
    return ast.unparse(modes[0]) if modes else ""


def test_no_module_needs_one_operating_system() -> None:
    found = [f"{module.file}:{line}: {what}" for module in modules() for what, line in strange(module.tree)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "import fcntl",
        "from pwd import getpwnam",
        "import os\nos.getuid()",
        "import os\nflags = os.O_NOFOLLOW",
        "import signal\nsignal.alarm(3)",
        "path.write_text('a', 'utf-8')",
        "open('a')",
        "path.read_text()",
        "import os\nos.open('a', os.O_WRONLY | os.O_CREAT | os.O_APPEND)",
        "now.strftime('%-d')",
    ],
)
def test_what_one_system_alone_has_is_seen(source: str) -> None:
    assert list(strange(ast.parse(source)))


@pytest.mark.parametrize("title", ["Con", "nul", "COM1", "LPT9", "a/b: c?", "  ", "..", "Über*"])
def test_the_names_of_letters_are_names_everywhere(title: str) -> None:
    name = outbox.slug(title)
    assert name.strip(". ") == name and not set(name) & set('<>:"/\\|?*')
    assert name.upper() not in {"CON", "PRN", "AUX", "NUL", "COM1", "LPT9"}
