"""What a folder knows of the stages since its owner's last signed answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.archive.adjudicating import gm_stage
from pbem.archive.folder.earlier import earlier, since_answer, view_at
from pbem.archive.verifying.history import history
from pbem.cli.games.telling import chapter_report, renderer, report_of, stage_report
from pbem.engine.system import System
from pbem.report.text import render
from pbem.trust.records import read
from tests.unit.archive.conftest import Played
from tests.unit.archive.table import Table, chooser


def test_the_stages_count_from_the_one_that_took_in_the_last_answer() -> None:
    taken = {1: {"north": "x", "south": "y"}, 2: {"north": None}, 3: {}, 4: {"south": "z"}}
    records = {n: read({"stage": n, "prev": "", "accepted": answers}) for n, answers in taken.items()}
    assert since_answer("north", records[4], records.__getitem__) == [1, 2, 3]
    assert since_answer("south", records[4], records.__getitem__) == []
    assert since_answer("nobody", records[4], records.__getitem__) == []


def test_a_folder_s_own_report_begins_with_them(tmp_path: Path, system: System) -> None:
    """Played over mails: whoever was not asked for a while reads of the stages since he was."""
    table = Table(tmp_path / "table", system, "ford", ["north", "south"], chain_length=64)

    def run(**options: object) -> object:
        done = gm_stage.adjudicate(table.gm.folder, table.gm.signer, render=renderer())
        table.post()
        return done

    table.run = run  # type: ignore[method-assign,assignment]
    table.start()
    found: set[str] = set()
    for _ in range(6):
        if table.gm.folder.progress.over or found:
            break
        table.play_stage(chooser(3))
        for name, seat in table.players.items():
            folder = seat.folder
            told = earlier(folder).since(name, folder.record(folder.stage))
            answered = folder.record(folder.stage).accepted
            assert bool(told) <= (not answered.get(name))
            report = stage_report(folder, folder.stage, name)
            assert (report.since is not None) == bool(told)
            found |= {name} if told else set()
    assert found, "nobody ever waited, so this shows nothing"


def test_an_earlier_stage_as_a_folder_has_kept_it_is_told_as_the_whole_history_tells_it(
    played: Played, system: System
) -> None:
    """In each stage, to everybody who may read it there; whoever may not is not told from what was kept."""
    table = played(system)
    past = history(table.gm.root)
    for seat in table.everybody:
        folder, whole = seat.folder, seat is table.gm or not system.hidden
        for stage in range(folder.stage):
            for reader in (None, "gm", "north", "south"):
                if reader in (None, seat.name) or whole:
                    told = chapter_report(past, past.chapters[stage], reader, since=True)
                    view = view_at(folder, stage, reader)
                    assert view is not None
                    assert render(report_of(folder, reader, view)) == render(told), (seat.name, stage, reader)
                else:
                    assert view_at(folder, stage, reader) is None


def test_to_tell_an_earlier_stage_nothing_of_the_others_is_read(
    played: Played, system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played(system).gm.folder
    monkeypatch.setattr("pbem.cli.games.history.read", None)
    assert stage_report(folder, 1, None).place
