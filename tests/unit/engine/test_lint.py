"""The determinism lint names each breach of D1 to D8 by line, and leaves sound rules code alone."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from pbem.engine.linting.lint import lint, lint_folder

# name -> (rule, the line that is wrong, source)
BREACHES: dict[str, tuple[str, int, str]] = {
    "clock": ("D1", 1, "import time"),
    "clock by name": ("D1", 1, "from datetime import datetime"),
    "environment": ("D1", 1, "import os.path as p"),
    "chance of its own": ("D1", 2, "def f():\n    import random"),
    "a file": ("D1", 2, "def f(name):\n    return open(name)"),
    "hash of an object": ("D1", 2, "def f(x):\n    return hash(x)"),
    "identity of an object": ("D1", 2, "def f(x):\n    return sorted(x, key=lambda a: id(a))"),
    "a print": ("D1", 2, "def f(x):\n    print(x)"),
    "loop over a set": ("D2", 2, "def f():\n    for x in {1, 2}:\n        pass"),
    "loop over set()": ("D2", 2, "def f(xs):\n    for x in set(xs):\n        pass"),
    "loop over a named set": (
        "D2",
        3,
        "def f(xs):\n    seen = {x for x in xs}\n    for x in seen:\n        pass",
    ),
    "loop over an argument": ("D2", 2, "def f(xs: frozenset[str]):\n    for x in xs:\n        pass"),
    "loop over an optional set": ("D2", 2, "def f(xs: set[str] | None):\n    for x in xs:\n        pass"),
    "loop over a quoted type": ("D2", 2, 'def f(xs: "set[str]"):\n    return [x for x in xs]'),
    "loop over a difference": ("D2", 2, "def f(a: set[int], b):\n    return [x for x in a - b]"),
    "loop over a union": ("D2", 2, "def f(a: set[int], b):\n    return [x for x in a.union(b)]"),
    "loop over keys in common": ("D2", 2, "def f(a, b):\n    return [x for x in a.keys() & b]"),
    "list of a set": ("D2", 2, "def f(a: set[int]):\n    return list(a)"),
    "dict over a set": ("D2", 2, "def f(a: set[int]):\n    return {x: 1 for x in a}"),
    "spread out": ("D2", 2, "def f(a: set[int]):\n    return [*a]"),
    "joined": ("D2", 2, 'def f(a: set[str]):\n    return ", ".join(a)'),
    "popped": ("D2", 2, "def f(a: set[str]):\n    return a.pop()"),
    "first of a set": ("D2", 2, "def f(a: set[str]):\n    return next(iter(a))"),
    "unpacked": ("D2", 2, "def f(a: set[str]):\n    (one,) = a"),
    "generator that keeps order": ("D2", 2, "def f(a: set[str]):\n    return tuple(x for x in a)"),
    "function that returns a set": (
        "D2",
        5,
        "def hexes() -> set[str]:\n    return set()\n\ndef f():\n    for h in hexes():\n        pass",
    ),
    "method that returns a set": (
        "D2",
        6,
        "class M:\n    def hexes(self) -> frozenset[str]:\n        return frozenset()\n\n"
        "def f(m):\n    return [h for h in m.hexes()]",
    ),
    "field that is a set": (
        "D2",
        5,
        "class M:\n    hexes: frozenset[str]\n\ndef f(m):\n    return tuple(m.hexes)",
    ),
    "field of an inner class that is a set": (
        "D2",
        6,
        "def f():\n    class M:\n        of: frozenset[str]\n\n    def g(m):\n        return tuple(m.of)",
    ),
    "a fraction": ("D3", 1, "HALF = 0.5"),
    "division": ("D3", 2, "def f(a, b):\n    return a / b"),
    "division in place": ("D3", 2, "def f(a, b):\n    a /= b"),
    "float()": ("D3", 2, "def f(a):\n    return float(a)"),
    "square root": ("D3", 4, "import math\n\ndef f(a):\n    return math.sqrt(a)"),
    "square root by name": ("D3", 1, "from math import sqrt"),
    "decimal": ("D3", 1, "from decimal import Decimal"),
    "module dict that grows": ("D4", 4, "SEEN = {}\n\ndef f(x):\n    SEEN[x] = 1"),
    "module list that grows": ("D4", 4, "SEEN: list[int] = []\n\ndef f(x):\n    SEEN.append(x)"),
    "global": ("D4", 4, "N = 0\n\ndef f():\n    global N\n    N += 1"),
    "cache": ("D4", 3, "import functools\n\n@functools.lru_cache(maxsize=None)\ndef f(x):\n    return x"),
    "default that can be changed": ("D4", 1, "def f(x, seen=[]):\n    return seen"),
    "input": ("D5", 2, "def f():\n    return input()"),
    "finally around await": (
        "D6",
        2,
        "async def f(g):\n    try:\n        await g\n    finally:\n        pass",
    ),
    "broad except around await": (
        "D6",
        4,
        "async def f(g):\n    try:\n        await g\n    except Exception:\n        pass",
    ),
    "bare except around await": (
        "D6",
        5,
        "async def f(g):\n    try:\n        if g:\n            await g\n    except:\n        pass",
    ),
    "with around await": ("D6", 2, "async def f(g, lock):\n    with lock:\n        await g"),
    "await over live items": (
        "D7",
        2,
        "async def f(game):\n    for i, c in game.position.counters.items():\n        await i",
    ),
    "await over a live attribute": (
        "D7",
        2,
        "async def f(game):\n    for x in game.players:\n        await x",
    ),
    "await over an alias": (
        "D7",
        3,
        "async def f(game):\n    units = game.units\n    for x in units:\n        await x",
    ),
    "await over enumerate of a live one": (
        "D7",
        2,
        "async def f(game):\n    for n, x in enumerate(game.units):\n        await x",
    ),
    "change of a module": ("D8", 4, "from pbem.rules import tables\n\ndef f():\n    tables.crt = None"),
    "change of a class": ("D8", 5, "class A:\n    n = 1\n\ndef f():\n    A.n = 2"),
    "setattr": ("D8", 2, 'def f(x):\n    setattr(x, "n", 2)'),
    "frozen object thawed": ("D8", 2, 'def f(x):\n    object.__setattr__(x, "n", 2)'),
    "change of the world": ("D8", 2, "def f(game):\n    game.world.map.hexes[3] = 1"),
    "change of an option": ("D8", 2, 'def f(game):\n    game.options["x"] = True'),
}

SOUND = {
    "sorted set": "def f(a: set[str]):\n    for x in sorted(a):\n        pass",
    "set of a set": "def f(a: set[str]):\n    return {x for x in a} | {*a}",
    "questions to a set": (
        "def f(a: set[int]):\n    return len(a), 3 in a, any(x > 2 for x in a), sum(a), max(a)"
    ),
    "function with the name of a method": (
        "class M:\n    def under(self) -> frozenset[str]:\n        return frozenset()\n\n"
        "def under(faults):\n    return list(faults)\n\ndef f(faults):\n    return [*under(faults)]"
    ),
    "sorted generator": "def f(a: set[str]):\n    return sorted(x for x in a if x)",
    "loop over a list": "def f(a: list[str]):\n    for x in a:\n        pass",
    "whole numbers": "import math\n\ndef f(a, b):\n    return a // b, math.gcd(a, b), -(-a // b)",
    "fractions": (
        "from fractions import Fraction\n\ndef f(a: Fraction, b: int):\n    r = a / b\n    return 1 / r"
    ),
    "table of constants": "COST = {1: 2}\n\ndef f(x):\n    return COST[x]",
    "local list of the same name": (
        "SEEN = []\n\ndef f(x):\n    SEEN = []\n    SEEN.append(x)\n    return SEEN"
    ),
    "table filled while it loads": "TABLE = {}\nTABLE['a'] = 1\nfor n in (1, 2):\n    TABLE[n] = n",
    "argument called id": "def f(id, hash):\n    return id(3), hash(4)",
    "narrow except around await": (
        "async def f(g):\n    try:\n        await g\n    except KeyError:\n        pass"
    ),
    "finally without await": (
        "async def f(g):\n    try:\n        g()\n    finally:\n        pass\n    await g"
    ),
    "await in an inner function": (
        "def f(lock):\n    with lock:\n        async def g(x):\n            await x"
    ),
    "await over a copy": "async def f(game):\n    for x in list(game.units.values()):\n        await x",
    "await over a slice": "async def f(game):\n    for x in game.units[:]:\n        await x",
    "await over what was sorted": (
        "async def f(g):\n    us = sorted(g.units)\n    for x in us:\n        await x"
    ),
    "game changed": (
        "def f(game):\n    game.position.counters['a']['hex'] = '0101'\n    game.tracks['turn'] += 1"
    ),
    "frozen object filled": (
        "class A:\n    def __post_init__(self):\n        object.__setattr__(self, 'n', 2)"
    ),
    "allowed with a reason": "import os  # lint: D1 names its own modules, before any game",
}


@pytest.mark.parametrize("name", BREACHES)
def test_a_breach_is_named_with_its_line(name: str) -> None:
    rule, line, source = BREACHES[name]
    faults = lint(source, "x.py")
    assert [(one.rule, one.span.line) for one in faults if one.span] == [(rule, line)], faults


@pytest.mark.parametrize("name", SOUND)
def test_sound_code_is_left_alone(name: str) -> None:
    assert lint(SOUND[name], "x.py") == []


def test_an_allowance_needs_the_right_rule_and_a_reason() -> None:
    assert lint("import os  # lint: D2 names its own modules", "x.py")
    assert lint("import os  # lint: D1", "x.py")


def test_all_breaches_of_a_file_are_named_in_order() -> None:
    source = "import time\nHALF = 0.5\n\n\ndef f(a: set[int]):\n    return list(a)\n"
    assert [fault.rule for fault in lint(source, "x.py")] == ["D1", "D3", "D2"]


@pytest.mark.parametrize(
    ("use", "words"),
    [
        ("list(a)", "goes through list()"),
        ("','.join(a)", "goes through join()"),
        ("a.pop()", "is popped from"),
    ],
)
def test_the_message_says_what_goes_through_a_set(use: str, words: str) -> None:
    (fault,) = lint(f"def f(a: set[str]):\n    return {use}\n", "x.py")
    assert words in fault.message


def test_what_is_no_python_is_said() -> None:
    for source in ("def f(:\n", "\0", "(" * 5000):
        (fault,) = lint(source, "x.py")
        assert fault.code == "not-python"


def test_sets_are_known_across_the_modules_of_a_package(tmp_path: Path) -> None:
    package = tmp_path / "system"
    package.mkdir()
    (package / "blocks.py").write_text("def enemies(game) -> frozenset[str]:\n    return frozenset()\n")
    body = """
        from .blocks import enemies

        def f(game):
            return [e for e in enemies(game)]
    """
    (package / "battle.py").write_text(textwrap.dedent(body))
    (fault,) = lint_folder(package)
    assert fault.span is not None
    assert (fault.rule, fault.span.file, fault.span.line) == ("D2", "system/battle.py", 5)
