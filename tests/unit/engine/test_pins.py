"""A game pins rules alone: words, examples, bots, looks and documentation change beside it (protocol
17.33)."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import pytest

from pbem.engine import pins
from pbem.engine import system as systems
from pbem.engine.installed import EntryPoint, entry_points
from pbem.engine.system import System, find
from tests.imported import forget

SYSTEMS = sorted(entry_points("pbem.systems"))
LANDED = Path(__file__).parents[2] / "data/rules.txt"
"""The rules of this branch: system, revision and digest of each landing."""


@pytest.fixture
def copied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """The package of an installed system, to be changed."""
    folder = tmp_path / f"copied_{request.param.replace('-', '_')}"
    shutil.copytree(find(request.param).folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    sys.path.insert(0, str(tmp_path))
    yield folder
    sys.path.remove(str(tmp_path))
    forget(folder.name)


def read(folder: Path) -> System:
    """Import the package as it now is."""
    forget(folder.name)
    importlib.invalidate_caches()
    system = importlib.import_module(folder.name).SYSTEM
    assert isinstance(system, System) and system.folder == folder
    return system


def mark(system: System, language: str) -> str:
    return pins.words_mark(system, language, (), 1)


@pytest.mark.parametrize("copied", SYSTEMS, indirect=True)
def test_a_word_an_example_a_bot_a_look_and_a_readme_change_no_game(copied: Path) -> None:
    """One word in a README stopped every running game."""
    before = find(read(copied).name)
    assert read(copied).digest == before.files_digest
    for pattern in ("words/en/*.yaml", "words/de/*.yaml", "examples/*.yaml", "look/*.yaml", "*.yaml"):
        for path in sorted(copied.glob(pattern)):
            path.write_text(path.read_text("utf-8") + "# a remark\n", "utf-8")
    for pattern in ("bot/*.py", "examples/*.py", "look/*.py"):
        for path in sorted(copied.glob(pattern)):
            path.write_text(path.read_text("utf-8") + "\n\ndef more() -> None: ...\n", "utf-8")
    (copied / "README.md").write_text("# Reworded\n", "utf-8")
    (copied / "words" / "nl").mkdir()
    (copied / "words" / "nl" / "some.yaml").write_text("values: {red: Rood}\n", "utf-8")
    assert read(copied).digest == before.files_digest


@pytest.mark.parametrize("copied", SYSTEMS, indirect=True)
def test_every_file_of_the_rules_counts(copied: Path) -> None:
    seen = {read(copied).digest}
    every = [path for path in sorted((copied / "rules").rglob("*")) if path.suffix in (".py", ".yaml")]
    files = [path for path in every if path.parent.name != pins.SCENARIOS]
    assert len(files) > 10
    for path in files:
        path.write_text(path.read_text("utf-8") + "# a remark\n", "utf-8")
        seen.add(pins.digest_of(pins.hashes(copied, copied / "rules")))
    assert len(seen) == len(files) + 1


@pytest.mark.parametrize("copied", ["victory"], indirect=True)
def test_scenarios_are_pinned_by_each_game_and_not_with_the_rules(copied: Path) -> None:
    """Protocol 17.34: whoever adds a scenario to a package changes no game of another one."""
    before = read(copied).digest
    (copied / "rules" / "scenarios" / "sarn_strait.yaml").write_text("title: Another\n", "utf-8")
    assert read(copied).digest == before


@pytest.mark.parametrize("copied", ["ocs"], indirect=True)
def test_the_mark_of_a_text_says_which_words_it_was_made_with(copied: Path) -> None:
    english, german = mark(read(copied), "en"), mark(read(copied), "de")
    assert english.startswith("en-") and german.startswith("de-") and pins.WORDS.fullmatch(english)
    some = copied / "words" / "de" / "report.yaml"
    some.write_text(some.read_text("utf-8") + "# mended\n", "utf-8")
    assert mark(read(copied), "en") == english, "German words are in no English report"
    assert mark(read(copied), "de") != german
    look = copied / "look" / "look.yaml"
    look.write_text(look.read_text("utf-8") + "# mended\n", "utf-8")
    assert mark(read(copied), "en") != english, "the map in a report is drawn by the look"


def test_the_mark_of_a_text_counts_words_of_the_program_and_the_layout() -> None:
    files = [("report.yaml", b"a"), ("table.yaml", b"b")]
    first = pins.words_mark(systems.find("ocs"), "en", files, 4)
    assert pins.words_mark(systems.find("ocs"), "en", files[::-1], 4) == first, "in any order"
    others = [
        (files, 5),
        (files[:1], 4),
        ([("report.yaml", b"c"), files[1]], 4),
        ([("reports.yaml", b"a"), files[1]], 4),
        ([("report.yaml", b"b"), ("table.yaml", b"a")], 4),
    ]
    marks = {pins.words_mark(systems.find("ocs"), "en", more, layout) for more, layout in others}
    assert len(marks | {first}) == 6


@pytest.mark.parametrize("name", SYSTEMS)
def test_rules_import_nothing_that_lies_beside_them(name: str) -> None:
    """What no game pins must not decide anything."""
    system = find(name)
    for path in sorted(system.rules_folder.rglob("*.py")):
        package = ".".join((system.rules_package, *path.relative_to(system.rules_folder).parts[:-1]))
        beside = [f"{system.package}.{part}" for part in ("bot", "look", "examples", "words")]
        for line in path.read_text("utf-8").splitlines():
            words = line.split()
            if words[:1] in (["from"], ["import"]) and len(words) > 1:
                dots = words[1]
                full = importlib.util.resolve_name(dots, package) if dots.startswith(".") else dots
                assert not full.startswith(tuple(beside)), f"{path.name}: {line}"


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_changelog_has_a_line_for_each_revision_down_to_the_first(name: str) -> None:
    system = find(name)
    listed = pins.revisions(system)
    assert [entry["revision"] for entry in listed] == list(range(system.revision, 0, -1))
    for entry in listed:
        assert entry["changes"] and all(isinstance(line, str) and line.strip() for line in entry["changes"])
        assert all(len(digest) == 64 for digest in entry.get("digests", ()))


def test_the_engine_s_changelog_goes_up_to_the_engine() -> None:
    assert pins.engine_revisions()[0]["revision"] == int(systems.ENGINE_VERSION)


def revised(system: System, revision: int, *, same: str | None = None) -> System:
    """The system as another revision of its rules, which may name another digest as its own."""
    made = copy(system)
    for name in ("file_hashes", "files_digest", "digest"):
        made.__dict__.pop(name, None)
    made.revision = revision
    made.__dict__["file_hashes"] = [["rules/some.py", f"{revision:064x}"]]
    made._data = dict(system._data)
    entry = {"revision": revision, "changes": ["4.1: units move farther"], "digests": [same] if same else []}
    made._data["changelog.yaml"] = {"revisions": [entry, {"revision": 1, "changes": []}]}
    return made


def test_a_game_goes_on_with_other_files_that_the_changelog_calls_the_same_rules() -> None:
    old = "ab" * 32
    now = find("wif").revision
    system = revised(find("wif"), now + 1, same=old)
    version = f"11.18-r{now + 1}+engine{systems.ENGINE_VERSION}"
    assert pins.plays(system, old, version) and system.as_pinned(old).digest == old
    assert system.as_pinned(old).files_digest == system.files_digest, "a new game pins what is installed"
    assert not pins.plays(system, "cd" * 32, version)
    assert pins.changes_since(system, f"11.18-r{now}+engine{systems.ENGINE_VERSION}") == [
        "4.1: units move farther"
    ]
    assert pins.changes_since(system, version) == []
    entries = system._data["changelog.yaml"]["revisions"]
    entries.insert(0, {"revision": now + 2, "changes": ["4.2: units move less far"]})
    assert pins.changes_since(system, f"11.18-r{now}+engine{systems.ENGINE_VERSION}") == [
        "4.1: units move farther",
        "4.2: units move less far",
    ], "the oldest first"


def test_an_author_is_reminded_of_the_revision_once_released_rules_change() -> None:
    system = revised(find("wif"), 7)
    newest = system._data["changelog.yaml"]["revisions"][0]
    assert not pins.changed_since_release(system), "a revision that was never released is still written"
    newest["released"] = system.files_digest
    assert not pins.changed_since_release(system)
    newest["released"] = "ab" * 32
    assert pins.changed_since_release(system)
    assert system.as_pinned("ab" * 32).digest == "ab" * 32, "games of the release go on"


def test_a_revision_of_the_engine_stops_a_game_only_if_it_decides_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = find("victory")
    now = int(systems.ENGINE_VERSION)
    later = [{"revision": now + 1, "changes": ["dice are thrown by hand"]}, *pins.engine_revisions()]
    as_now, as_later = (f"{system.edition}-r{system.revision}+engine{one}" for one in (now, now + 1))
    monkeypatch.setattr(pins, "engine_revisions", lambda: later)
    assert not pins.plays(system, system.digest, as_now)
    assert pins.plays(system, system.digest, as_later)
    assert pins.changes_since(system, as_now) == ["dice are thrown by hand"]
    later[0]["decides"] = False
    assert pins.plays(system, system.digest, as_now)


def test_a_game_is_played_with_its_own_revision_where_that_is_packaged_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    same = "ab" * 32
    newest, earlier = revised(find("wif"), 2), revised(find("wif"), 1, same=same)
    points = {"wif": newest, "wif@1": earlier}
    monkeypatch.setattr(systems, "_entry_points", lambda: {n: EntryPoint(n, "m", "a") for n in points})
    monkeypatch.setattr(EntryPoint, "load", lambda self: points[self.name])
    assert [one for one in systems.installed() if "wif" in one] == ["wif"], (
        "an earlier revision is no system of its own"
    )
    assert systems.find("wif") is newest
    assert systems.find_pinned("wif", earlier.digest) is earlier
    assert systems.find_pinned("wif", newest.digest) is newest
    assert systems.find_pinned("wif", "00" * 32) is newest
    pinned = systems.find_pinned("wif", same)
    assert (pinned.revision, pinned.digest) == (1, same), "as its changelog calls it"


@pytest.mark.parametrize("name", SYSTEMS)
def test_games_of_every_landing_go_on_or_are_told_of_a_revision(name: str) -> None:
    """A file of `rules/` changed and the changelog did not: games that ran would have stopped."""
    lines = [line.split() for line in LANDED.read_text("ascii").splitlines() if line[0] != "#"]
    landed = [(int(revision), digest) for system, revision, digest in lines if system == name]
    system = find(name)
    assert landed[-1] == (system.revision, system.digest), (
        f"add '{name} {system.revision} {system.digest}' to {LANDED.name}"
    )
    same = [digest for revision, digest in landed if revision == system.revision]
    lost = [digest for digest in same if system.as_pinned(digest).digest != digest]
    assert not lost, f"add these to the digests of revision {system.revision}, or begin a new one: {lost}"
