"""A command changes all its files or none, whatever happens meanwhile."""

from __future__ import annotations

import base64
import json
import os
import shutil
from pathlib import Path

import pytest

from pbem.archive.adjudicating import gm_stage
from pbem.archive.folder import changes as changing
from pbem.archive.folder.changes import REDO, Changes, commit, recover
from pbem.archive.folder.game_folder import Folder
from pbem.text.diagnostics import Refused
from pbem.text.writing import NotWritten
from tests.unit.archive.mailing import tree
from tests.unit.archive.table import Table, chooser


def some(text: str) -> Changes:
    made = Changes()
    made.write("stages/0001/a.json", text)
    made.write("private/secret", text)
    made.write("state.yaml", text)
    made.remove("inbox/early/x")
    return made


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("at", range(5))
def test_a_kill_between_two_renames_is_made_good_by_the_next_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    commit(tmp_path, some("old"))
    (tmp_path / "inbox/early").mkdir(parents=True)
    (tmp_path / "inbox/early/x").write_text("x")
    old = tree(tmp_path)
    real, count = os.replace, [0]

    def replace(source: object, target: object) -> None:
        if count[0] == at:
            raise Killed
        count[0] += 1
        real(source, target)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "replace", replace)
    try:
        commit(tmp_path, some("new"))
        finished = True
    except Killed:
        finished = False
    monkeypatch.undo()
    recovered = recover(tmp_path)
    found = tree(tmp_path)
    if finished or recovered:
        assert all(data == b"new" for name, data in found.items()) and "inbox/early/x" not in found
    else:
        assert found == old
    assert not (tmp_path / REDO).exists()


def test_notes_of_finished_changes_that_come_back_after_a_power_cut_undo_nothing(tmp_path: Path) -> None:
    """Where a mark says that none of them counts, they go unread, and the mark with them."""
    commit(tmp_path, some("new"))
    before = tree(tmp_path)
    for number, text in enumerate(("older", "old"), 1):
        note = {
            "files": {"state.yaml": base64.b64encode(text.encode()).decode()},
            "removed": ["private/secret"],
        }
        (tmp_path / f"private/redo-{number:05d}.json").write_text(json.dumps(note))
    (tmp_path / "private/redo-done.json").write_text("{}")
    assert recover(tmp_path)
    assert tree(tmp_path) == before
    assert not recover(tmp_path)


def test_a_failed_write_leaves_everything_as_it_was(tmp_path: Path) -> None:
    commit(tmp_path, some("old"))
    before = tree(tmp_path)
    bad = some("new")
    (tmp_path / "blocked").mkdir()
    bad.write("blocked", "x")
    with pytest.raises(NotWritten):
        commit(tmp_path, bad)
    shutil.rmtree(tmp_path / "blocked")
    assert tree(tmp_path) == before


def test_a_redo_file_from_a_stranger_cannot_write_elsewhere(tmp_path: Path) -> None:
    root = tmp_path / "game"
    (root / "private").mkdir(parents=True)
    for name in ("../evil", "/tmp/evil", "a/../../evil", "a//b", ""):
        (root / REDO).write_text(f'{{"files": {{"{name}": "eA=="}}, "removed": []}}')
        with pytest.raises(Refused) as error:
            recover(root)
        assert error.value.diagnostics[0].code == "damaged-redo"
    (root / REDO).write_text('{"files": {}, "removed": ["../x"]}')
    with pytest.raises(Refused):
        recover(root)
    assert not (tmp_path / "evil").exists()


def test_what_is_the_same_already_is_not_written_again(tmp_path: Path) -> None:
    commit(tmp_path, some("old"))
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    commit(tmp_path, some("old"))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == times


def test_adjudicating_after_a_kill_gives_the_new_stage_or_the_old_one(
    started: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seat in started.asked():
        seat.answer_all(chooser(1))
    started.post()
    backup = started.gm.root.parent / "backup"
    shutil.copytree(started.gm.root, backup)
    for at in (0, 1, 2, 5, 9):
        shutil.rmtree(started.gm.root)
        shutil.copytree(backup, started.gm.root)
        real, count = os.replace, [0]

        def replace(source: object, target: object) -> None:
            if count[0] == at:  # noqa: B023
                raise Killed
            count[0] += 1  # noqa: B023
            real(source, target)  # type: ignore[call-overload]  # noqa: B023

        monkeypatch.setattr(os, "replace", replace)
        with pytest.raises(Killed):
            gm_stage.adjudicate(started.gm.folder, started.gm.signer)
        monkeypatch.undo()
        folder = Folder.open(started.gm.root)
        assert folder.stage == (0 if at == 0 else 1), at
        assert folder.view().stage == folder.stage
        assert not (started.gm.root / REDO).exists()
        if not folder.system.hidden:
            assert folder.state().game["stage"] == folder.stage
    assert changing.REDO == REDO
