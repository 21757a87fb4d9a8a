"""Only the command line touches clock, environment and terminal; who else must is listed with why."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from tests.architecture.code import Module, modules
from tests.tools.syntax import nodes

# libraries of the outside world and of chance
LIBRARIES = {
    "asyncio", "datetime", "getpass", "locale", "multiprocessing", "platform", "random", "secrets", "select",
    "signal", "socket", "subprocess", "threading", "time", "urllib", "uuid", "zoneinfo",
}  # fmt: skip
# names that reach the environment, the terminal or the process
NAMES = {
    "os.environ", "os.getenv", "os.getcwd", "os.getlogin", "os.urandom", "sys.argv", "sys.exit", "sys.stdin",
    "sys.stdout", "sys.stderr", "Path.cwd", "Path.home",
}  # fmt: skip
LAST = {name.partition(".")[2] for name in NAMES}
CALLS = {"print", "input", "exit", "quit", "breakpoint"}

EXCUSED = {
    ("pbem/trust/agent.py", "socket"): "an SSH agent is spoken to through a socket",
    ("pbem/trust/keys.py", "subprocess"): "ssh-keygen reads keys that the library refuses",
    ("pbem/trust/commit.py", "secrets"): "nonces of commitments",
    ("pbem/trust/chain.py", "secrets"): "the secret a chain begins with",
    ("pbem/trust/backup.py", "secrets"): "salt of an encrypted backup",
    ("pbem/trust/keys.py", "secrets"): "new keys",
    ("pbem/trust/noble.py", "secrets"): "the sender's key of a seal, and the number to check in a key file",
    ("pbem/trust/roster.py", "secrets"): "salt of a roster and the GM's secret",
    ("pbem/archive/folder/private_side.py", "secrets"): "keys and secrets of a folder",
    ("pbem/mail/carriers.py", "subprocess"): "mail is handed to a program like sendmail",
    ("pbem/mail/envelope.py", "urllib"): "quotes what stands in a mailto: link; opens nothing",
    ("pbem/bot/answers.py", "random"): "bots choose by a generator that is handed in",
    ("pbem/bot/games.py", "random"): "every generator is made from a seed",
    ("pbem/testing/conformance/growing.py", "random"): "every generator is made from the name of a decision",
    ("pbem/testing/conformance/options.py", "subprocess"): "asks other processes for the same order",
    ("pbem/testing/conformance/options.py", "os.environ"): "asks other processes for the same order",
    ("pbem/testing/__main__.py", "sys.argv"): "a program of its own, for authors",
    ("pbem/testing/__main__.py", "sys.exit"): "a program of its own, for authors",
    ("pbem/testing/__main__.py", "print()"): "a program of its own, for authors",
    ("pbem/testing/growing.py", "random"): "tests choose by a generator that is handed in",
}


@cache
def outside(module: Module) -> tuple[tuple[str, int], ...]:
    """Everything in a module that reaches outside: (name, line)."""
    return tuple(_outside(module))


def _outside(module: Module) -> Iterator[tuple[str, int]]:
    for one in module.imports():
        if one.module.split(".")[0] in LIBRARIES:
            yield one.module.split(".")[0], one.line
    for node in nodes(module.tree):
        if isinstance(node, ast.Attribute) and node.attr in LAST and ast.unparse(node) in NAMES:
            yield ast.unparse(node), node.lineno
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            yield f"{node.func.id}()", node.lineno


BELOW = [module for module in modules() if module.room not in ("cli", "pbem")]


def test_nothing_below_the_command_line_touches_the_outside() -> None:
    found = [
        f"{module.file}:{line}: {name}"
        for module in BELOW
        for name, line in outside(module)
        if (module.file, name) not in EXCUSED
    ]
    assert not found, "\n".join(found)


def test_every_excuse_is_still_needed() -> None:
    used = {(module.file, name) for module in BELOW for name, _ in outside(module)}
    assert set(EXCUSED) <= used, f"no longer needed: {set(EXCUSED) - used}"


@pytest.mark.parametrize("file", sorted({file for file, name in EXCUSED if name == "random"}))
def test_bots_make_no_generator_without_a_seed(file: str) -> None:
    (module,) = [module for module in BELOW if module.file == file]
    for node in nodes(module.tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "random":
            assert node.attr == "Random", f"{file}:{node.lineno}: random.{node.attr} has a hidden seed"
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "random.Random":
            assert node.args, f"{file}:{node.lineno}: a generator without a seed"
