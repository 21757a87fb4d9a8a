"""What the rules make of worked examples, kept as a line of digests for each: files that notice any change.

An example says what it is about; its line in `files/recorded-<system>.txt` holds all of its result, part by
part, and one in `files/wandered-<system>.txt` what comes of it with other dice and answers (`wanderer.py`).
`python -m tests.tools.make_recorded` writes both anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.engine.game import Game
from pbem.engine.system import System
from pbem.testing import runner
from tests.golden.wanderer import Part, fault, judged, listing, result

FILES = Path(__file__).parent / "files"
SHOWN = 4000
"""Characters of a part of today that a failing test prints."""


@cache
def lines(kind: str, system: str) -> dict[str, str]:
    """Return the digests of each example by its title; nothing for a system without a file."""
    path = FILES / f"{kind}-{system}.txt"
    text = path.read_text("utf-8") if path.exists() else ""
    return dict(reversed(line.split(" | ", 1)) for line in text.splitlines())


def write(kind: str, system: str, told: Mapping[str, str]) -> None:
    """Write the digests of examples, one a line."""
    text = "".join(f"{digests} | {title}\n" for title, digests in told.items())
    (FILES / f"{kind}-{system}.txt").write_text(text, "utf-8")


def named(parts: Iterable[Part]) -> dict[str, str]:
    """Return each part that says something as a text, by its name and, if it comes again, its number."""
    told: dict[str, str] = {}
    seen: dict[str, int] = {}
    for name, data in parts:
        if data in ([], {}, None):
            continue
        seen[name] = seen.get(name, 0) + 1
        told[f"{name}{seen[name] if seen[name] > 1 else ''}"] = json.dumps(
            data, ensure_ascii=False, sort_keys=True
        )
    return told


def digests(told: Mapping[str, str]) -> str:
    """Return the names of the parts, each with the beginning of its digest."""
    return " ".join(f"{name}:{sha256(text.encode()).hexdigest()[:6]}" for name, text in told.items())


def differences(title: str, line: str, told: Mapping[str, str]) -> list[str]:
    """Return how what is told today differs from a line, part by part; [] if it does not."""
    now = digests(told)
    if now == line:
        return []
    before = dict(part.split(":") for part in line.split())
    today = dict(part.split(":") for part in now.split())
    faults = [f"{title}: {name} is told no more" for name in before if name not in today]
    for name, digest in today.items():
        if before.get(name) != digest:
            how = "differs, and is now" if name in before else "is told now"
            faults.append(f"{title}: {name} {how} {told[name][:SHOWN]}")
    faults.append("If this is what the rules are to do now: python -m tests.tools.make_recorded")
    return faults


# ---- an example as it is run


@contextmanager
def watched() -> Iterator[list[Part]]:
    """Note what the runner of examples plays, checks and lists meanwhile."""
    parts: list[Part] = []
    names = ("play", "faults_of", "_listed")
    before: dict[str, Callable[..., Any]] = {name: getattr(runner, name) for name in names}

    def play(game: Game, *rest: Any) -> Any:
        played = before["play"](game, *rest)
        parts.extend(result(game, played))
        return played

    def faults_of(game: Game, decision: Any, answer: Any) -> Any:
        faults = before["faults_of"](game, decision, answer)
        parts.append(("refused", [fault(one) for one in faults]))
        if not faults:
            parts.append(("judged", judged(game, decision, answer, faults)))
        return faults

    def _listed(*given: Any) -> Any:
        listed = list(before["_listed"](*given))
        parts.append(("options", listing(listed)))
        return listed

    for name, watching in zip(names, (play, faults_of, _listed), strict=True):
        setattr(runner, name, watching)
    try:
        yield parts
    finally:
        for name, old in before.items():
            setattr(runner, name, old)


def run(system: System, example: Mapping[str, Any]) -> tuple[list[str], dict[str, str]]:
    """Return what `runner.run` finds, and all that it came to."""
    with watched() as parts:
        faults = runner.run(system, example)
    return faults, named(parts)


def faults_in(system: System, title: str, example: Mapping[str, Any]) -> list[str]:
    """Return every difference between the rules, the example, and its line, if it has one."""
    faults, told = run(system, example)
    line = lines("recorded", system.name).get(title)
    return faults if faults or line is None else differences(title, line, told)
