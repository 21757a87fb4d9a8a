"""The digest that a game pins of a rules system, and the changelog's equivalents (protocol 17.33).

A package keeps `changelog.yaml` beside its rules: a list `revisions`, newest first, each with `revision`,
`changes` (a line for each rule that was mended), `released` (the digest of its first release) and `digests`:
other sets of files that decide every result as that revision does. The engine has one too; `decides: false`
in it says that no result changed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.text.canonical import dumps

if TYPE_CHECKING:
    from pbem.engine.system import System

CHANGELOG = "changelog.yaml"
SCENARIOS = "scenarios"
_VERSION = re.compile(r".*-r([0-9]+)\+engine([0-9]+)")

WORDS = re.compile(r"\b[a-z]{2,3}-[0-9a-f]{64}\b")
"""The mark of the words that a text was made with, as `words_mark` makes it."""


def hashes(package: Path, rules: Path, *, scenarios: bool = False) -> list[list[str]]:
    """Return [[path in the package, SHA-256], …] of the files below `rules`, sorted.

    Files that Python or an editor keeps there are left out, and so are scenarios: each game pins its own
    (protocol 17.34). Older games pinned them with the rules (`scenarios`).
    """
    listed: list[list[str]] = []
    for path in rules.rglob("*"):
        name = path.relative_to(package).as_posix()
        made_here = any(part.startswith(".") or part == "__pycache__" for part in name.split("/"))
        if path.parent == rules.joinpath(SCENARIOS) and not scenarios:
            continue
        if path.is_file() and not made_here and not name.endswith((".pyc", ".pyo")):
            listed.append([name, sha256(path.read_bytes()).hexdigest()])
    return sorted(listed)


def digest_of(listed: Sequence[Sequence[str]]) -> str:
    """Return the digest that a roster pins of such a list."""
    return sha256(dumps([list(pair) for pair in listed])).hexdigest()


def revisions(system: System) -> list[dict[str, Any]]:
    """Return the entries of the system's changelog, newest first; none for a system without one."""
    entries: list[dict[str, Any]] = system.data(CHANGELOG)["revisions"] if system.files(CHANGELOG) else []
    return entries


def of_files(system: System) -> set[str]:
    """Return the digests of the installed files: without the scenarios, and with them as in older
    games.
    """
    return {system.files_digest, system.older_digest}


def same_rules(system: System) -> Collection[str]:
    """Return the digests of other files that decide every result as the installed revision does.

    One of them is that of the installed files with the scenarios, as older games pinned them.
    """
    entries = _installed(system)
    released = {entry["released"] for entry in entries if "released" in entry}
    released |= of_files(system) - {system.files_digest}
    return released.union(*(entry.get("digests", ()) for entry in entries))


def changed_since_release(system: System) -> bool:
    """Return True if this revision was released with other rules files than the installed ones."""
    now = system.files_digest
    return any(entry.get("released", now) != now for entry in _installed(system))


def _installed(system: System) -> list[dict[str, Any]]:
    return [entry for entry in revisions(system) if entry["revision"] == system.revision]


def words_mark(system: System, language: str, more: Iterable[tuple[str, bytes]], layout: int) -> str:
    """Return the mark of everything that words a report and that no game pins: `en-` and a digest.

    That is the system's words in English and in the language, its `look`, what `more` names (words of `pbem`
    itself) and the number of the layout. Programs with the same mark make the same text of the same stage
    (protocol 17.33).
    """
    codes = sorted({"en", language})
    folders = [*map(system.words_folder.joinpath, codes), system.folder.joinpath("look")]
    listed = [[name, sha256(data).hexdigest()] for name, data in more]
    for folder in folders:
        listed += system.hashes_of(folder)
    return f"{language}-{digest_of([*sorted(listed), ['layout', str(layout)]])}"


@cache
def engine_revisions() -> list[dict[str, Any]]:
    """Return the entries of the engine's changelog, newest first."""
    from pbem.text.loading import load_file

    entries: list[dict[str, Any]] = load_file(Path(__file__).with_name(CHANGELOG), CHANGELOG).data[
        "revisions"
    ]
    return entries


def engine_of(version: str | None) -> int | None:
    """Return the engine's revision in the version that a game pins, or None."""
    numbers = _VERSION.fullmatch(version or "")
    return int(numbers[2]) if numbers is not None else None


def plays(system: System, digest: str, version: str | None) -> bool:
    """Return True if the installed rules and engine decide a game with these pins like the original ones."""
    return system.as_pinned(digest).digest == digest and not _engine_changes(version)


def changes_since(system: System, version: str | None) -> list[str]:
    """Return what was mended in the rules and the engine since the version that a game pins, oldest first."""
    numbers = _VERSION.fullmatch(version or "")
    if numbers is None:
        return []
    later = [entry for entry in revisions(system) if entry["revision"] > int(numbers[1])]
    lines = [line for entry in reversed(later) for line in entry["changes"]]
    return lines + [line for entry in _engine_changes(version) for line in entry["changes"]]


def _engine_changes(version: str | None) -> list[dict[str, Any]]:
    """Return the later revisions of the engine that decide something otherwise, oldest first."""
    numbers = _VERSION.fullmatch(version or "")
    if numbers is None:
        return []
    later = [
        revision
        for revision in engine_revisions()
        if revision["revision"] > int(numbers[2]) and revision.get("decides", True)
    ]
    return later[::-1]
