"""The repository as it is handed on: what lies at its top, and whether texts name things that are there."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests import slow
from tests.architecture.code import ROOT
from tests.architecture.commands import paths

TOP = {
    "pyproject.toml", "hatch_build.py", "pbem", "schemas", "tests", "sample_games", "docs", "README.md",
    "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
}  # fmt: skip
# files of the project, by their way from the root; `*` may stand for part of a name. Names of hashes begin
# with pbem/v1, and pbem/_schemas is there in wheels only.
NAMED = re.compile(
    r"(?<![\w/.~-])(?!pbem/v1|pbem/_schemas)((?:pbem|tests|docs|schemas|sample_games)/[\w./*-]*[\w*])"
)
# code in a page: a file by its way from a room, or from the folder of the page
CODE = re.compile(r"`([\w./*-]+\.(?:py|yaml|md|json|toml))(?::[\w.]+)?`")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
TYPED = re.compile(r"`pbem((?: -C \S+)?(?: [a-z]+)+)")
# what pages call a file of, without saying where: data files of systems, and files of games
OF_SYSTEMS = {
    "system.yaml", "sequence.yaml", "wording.yaml", "look.yaml", "look/look.yaml", "rulings.yaml",
    "terrain.yaml", "changelog.yaml", "words/de/counters.yaml",
    "scenario.yaml", "map.yaml", "counters.yaml", "words.yaml", "charts/NAME.yaml", "charts/numbers.yaml",
    "results.yaml", "imported-map.yaml", "decisions.py", "events.py", "__init__.py",
}  # fmt: skip
OF_GAMES = re.compile(
    r"(game|state|orders?|mail|postmaster)\.yaml|(roster|record|state|events|facts|private|kept|in-force|scenario|board(-[a-z]+)?)\.json|(stages|private|inbox|outbox)/.*"
)


@cache
def tracked() -> tuple[str, ...]:
    """Files that git knows, by their way from the root."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout, so there is no list of tracked files")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return tuple(name for name in listed.stdout.decode().split("\0") if name)


def texts(*endings: str) -> Iterator[tuple[str, str]]:
    """Tracked text files with these endings, as (file, text)."""
    for name in tracked():
        if name.endswith(endings) and (ROOT / name).is_file():
            yield name, (ROOT / name).read_text("utf-8")


def test_at_the_top_lies_what_belongs_there_and_nothing_else() -> None:
    top = {name.split("/")[0] for name in tracked()}
    assert {name for name in top if not name.startswith(".")} == TOP


def exists(name: str, *folders: Path) -> bool:
    """Is there such a file or folder, seen from one of these folders?"""
    return any(any(folder.glob(name)) if "*" in name else (folder / name).exists() for folder in folders)


def test_files_that_texts_name_exist() -> None:
    missing = [
        f"{file}: {name}"
        for file, text in texts(".md", ".py", ".toml", ".yaml")
        for name in NAMED.findall(text)
        if not file.startswith("tests/architecture/") and not exists(name.rstrip("/"), ROOT)
    ]
    assert not missing, "\n".join(missing)


def test_files_that_pages_name_in_code_and_links_exist() -> None:
    missing = []
    for file, text in texts(".md"):
        here = (ROOT / file).parent
        made = file.startswith("docs/api/")  # of docstrings, which name files of any package
        for name in CODE.findall(text) if not made else ():
            if name in OF_SYSTEMS or OF_GAMES.fullmatch(name):
                continue
            if not exists(name, ROOT, ROOT / "pbem", here):
                missing.append(f"{file}: {name}")
        missing += [f"{file}: link to {name}" for name in LINK.findall(text) if not exists(name, here)]
    assert not missing, "\n".join(missing)


def test_commands_that_texts_tell_to_type_exist() -> None:
    known = set(paths())
    missing = []
    for file, text in texts(".md", ".py"):
        if file.startswith("tests/"):
            continue
        for typed in TYPED.findall(text):
            words = tuple(re.sub(r"-C \S+", "", typed).split())
            if words and words[:1] not in known:
                missing.append(f"{file}: pbem {' '.join(words)}")
            elif len(words) > 1 and any(path[:1] == words[:1] and len(path) > 1 for path in known):
                missing += [f"{file}: pbem {' '.join(words)}"] if words[:2] not in known else []
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see docs/architecture.md, section 2", ["docs/architecture.md"]),
        ("`tests/examples/`: one runner", ["tests/examples"]),
        ("schemas/*.schema.json.", ["schemas/*.schema.json"]),
        ("https://example.org/docs/a.md and ../docs/b.md", []),
    ],
)
def test_names_of_files_are_found_in_prose(text: str, names: list[str]) -> None:
    assert NAMED.findall(text) == names


def test_the_list_of_slow_tests_names_tests_and_files_that_ci_reads(request: pytest.FixtureRequest) -> None:
    found = request.config.stash.get(slow.FAULTS, None)
    if found is None:
        pytest.skip("only who collects the whole suite knows all names")
    assert found == []
