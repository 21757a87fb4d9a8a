"""Which files of a game folder go into its archive (protocol 12.2)."""

from __future__ import annotations

from pbem.archive.folder import layout
from pbem.archive.git.commits import published
from tests.unit.archive.table import Table, chooser


def test_nothing_of_the_open_stage_is_published_before_its_record(started: Table) -> None:
    seat = started.asked()[0]
    seat.answer_all(chooser(1))
    folder = seat.folder
    open_ = layout.stage_name(folder.progress.open_stage)
    assert list((seat.root / open_).iterdir()), "his own order lies there"
    assert not [name for name in published(folder) if name.startswith(open_)]
    started.play_stage(chooser(1))
    assert [name for name in published(seat.folder) if name.startswith(open_)]


def test_nothing_of_the_private_side_the_outbox_or_a_stranger_is_published(started: Table) -> None:
    started.play_stage(chooser(1))
    for seat in started.everybody:
        (seat.root / "notes.txt").write_text("attack at dawn")
        (seat.root / "stages/mine.txt").write_text("attack at dawn")
        found = published(seat.folder)
        assert found and not [name for name in found if name.startswith(("private/", "outbox/"))]
        assert not {"notes.txt", "stages/mine.txt"} & found
