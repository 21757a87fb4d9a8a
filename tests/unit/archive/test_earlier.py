"""What a folder knows of the stages since its owner's last signed answer."""

from __future__ import annotations

from pathlib import Path

from pbem.archive.adjudicating import gm_stage
from pbem.archive.folder.earlier import earlier, since_answer
from pbem.cli._telling import renderer, stage_report
from pbem.engine.system import System
from pbem.trust.records import read
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
        done = gm_stage.adjudicate(table.gm.folder, table.gm.signer, render=renderer(table.gm.folder))
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
            told = earlier(folder)(name, folder.record(folder.stage))
            answered = folder.record(folder.stage).accepted
            assert bool(told) <= (not answered.get(name))
            report = stage_report(folder, folder.stage, name)
            assert (report.since is not None) == bool(told)
            found |= {name} if told else set()
    assert found, "nobody ever waited, so this shows nothing"
