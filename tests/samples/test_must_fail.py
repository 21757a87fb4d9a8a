"""The published archives that must fail do fail, where and as is written beside each (docs/auditing.md)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.folder.private_side import Private
from pbem.archive.verifying.findings import Notes
from pbem.archive.verifying.results import check_results
from pbem.archive.verifying.results_note import Verified
from pbem.archive.verifying.verification import Verification
from pbem.archive.verifying.verify import read_evidence, verify
from pbem.cli.games.telling import renderers
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message
from tests.nightly import in_ci
from tests.tools import make_must_fail

HERE = make_must_fail.HERE
unpack = make_must_fail.unpack
CASES: list[dict[str, Any]] = unpack.cases()


@pytest.fixture(autouse=True)
def _rules() -> Iterator[None]:
    with make_must_fail.installed():
        yield


@pytest.mark.parametrize("name", ["open", "fog", "pair", "locked", "notes"])
def test_the_games_themselves_are_sound(name: str, tmp_path: Path) -> None:
    root = tmp_path / name
    unpack.put(root, unpack.base(name))
    found = verify(root, renderers=renderers)
    assert found.ok, found.of("false")
    assert {one.code for one in found.of("proved")} >= {"roster", "statements", "dice", "results"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['base']}-{case['name'].replace(' ', '-')}")
def test_an_archive_that_must_fail_fails_where_and_as_expected(case: dict[str, Any], tmp_path: Path) -> None:
    root, expect = tmp_path / "archive", case["expect"]
    unpack.put(root, unpack.base(case["base"]))
    unpack.put(root, case["changes"])
    own = None
    if "needs_reader" in expect:
        assert verify(root, renderers=renderers).ok, "nobody else can see it"
        unpack.put(root, unpack.reader())
        own = Private(root)
    _fails_as_expected(verify(root, own=own, renderers=renderers), expect)


def _fails_as_expected(found: Verification, expect: dict[str, Any]) -> None:
    first = found.first_bad
    assert not expect["sound"] and first is not None, "it was called sound"
    stages = [None] if expect["stage"] is None else [expect["stage"], expect["stage"] + 1]
    assert first.stage in stages, first
    there = [one for one in found.of("false") if one.stage == first.stage and one.code == expect["code"]]
    assert there, [str(one) for one in found.of("false")]
    assert all(isinstance(one.text, Message) for one in found.findings), "a text that JSON has no id for"
    assert expect["party"] is None or expect["party"] in {one.party for one in there}


@cache
def _note_of(name: str) -> Verified:
    """What whoever verified the sound game has noted."""
    with tempfile.TemporaryDirectory() as scratch:
        unpack.put(Path(scratch), unpack.base(name))
        found = verify(Path(scratch))
    assert found.note is not None and len(found.note.sealed) == found.stage + 1
    return found.note


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if not case["expect"]["needs_rules"]],
    ids=lambda case: f"{case['base']}-{case['name'].replace(' ', '-')}",
)
def test_the_note_of_an_earlier_verify_hides_no_forgery(case: dict[str, Any], tmp_path: Path) -> None:
    root = tmp_path / "archive"
    unpack.put(root, unpack.base(case["base"]))
    unpack.put(root, case["changes"])
    try:
        found = verify(root, since=_note_of(case["base"]))
    except Refused as refused:
        assert refused.diagnostics[0].code == "other-history"
    else:
        _fails_as_expected(found, case["expect"])


@pytest.mark.parametrize("name", ["open", "fog", "pair", "locked", "notes"])
def test_whatever_part_of_a_note_is_taken_over_the_game_stays_what_it_is(name: str, tmp_path: Path) -> None:
    """Later stages open what earlier ones committed to; statements of those are read when they are needed."""
    unpack.put(tmp_path, unpack.base(name))
    note = _note_of(name)
    whole = read_evidence(tmp_path, None, Notes())
    assert whole is not None
    commits = [whole[0].commits(stage) for stage in whole[0].reports]
    for taken in range(0, len(note.sealed) + 1, 3):
        notes = Notes()
        found = read_evidence(tmp_path, None, notes, since=replace(note, sealed=note.sealed[:taken]))
        assert found is not None and not notes.any_false(), notes.findings
        archive, progress = found
        assert len(archive.sealed) == taken and progress == whole[1]
        assert [archive.commits(stage) for stage in archive.reports] == commits
        check_results(archive, None, lambda done: None)
        assert "results" in {one.code for one in notes.findings if one.kind == "proved"}, notes.findings


@in_ci
def test_they_are_what_the_tool_makes() -> None:
    """`python -m tests.tools.make_must_fail` writes them; the same bytes come out every time."""
    made = make_must_fail.made()
    assert {name: (HERE / name).read_text("utf-8") for name in made} == made


def test_there_are_many_and_of_many_kinds() -> None:
    assert len(CASES) >= 60 and len({case["expect"]["code"] for case in CASES}) >= 25
    assert {case["base"] for case in CASES} == {"open", "fog", "pair", "locked", "notes"}


def test_they_can_be_unpacked_without_pbem(tmp_path: Path) -> None:
    unpack.main(tmp_path)
    assert len(list((tmp_path / "fail").glob("*.json"))) == len(CASES)
    assert (tmp_path / "sound/fog/roster.json").is_file()
