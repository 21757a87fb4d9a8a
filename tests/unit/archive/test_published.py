"""Which files of a game folder go into its archive (protocol 12.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from pbem.archive.folder import layout
from pbem.archive.git.commits import Words, published, shelve
from pbem.text.diagnostics import Refused
from tests.primer import FOG
from tests.unit.archive.table import Table, begun, chooser


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


class Memory:
    """A repository that keeps the names of files alone."""

    def __init__(self) -> None:
        self.have: set[str] = set()
        self.commits: list[tuple[str, list[str]]] = []
        self.tags: list[str] = []

    def open(self, root: Path, name: str, mail: str, notes: list[str]) -> None:
        self.who = name, mail

    def tracked(self) -> set[str]:
        return set(self.have)

    def pending(self, names: Collection[str]) -> set[str]:
        return set(names) - self.have

    def commit(self, names: Sequence[str], message: str) -> str | None:
        if not names:
            return None
        self.have |= set(names)
        self.commits.append((message.splitlines()[0], list(names)))
        return str(len(self.commits))

    def tag(self, name: str) -> list[str]:
        self.tags.append(name)
        return [name]


def test_each_stage_is_a_commit_and_what_belongs_to_none_goes_with_the_newest(tmp_path: Path) -> None:
    gm, git = begun(tmp_path, FOG, by=(2,)).gm, Memory()

    def words(stage: int) -> Words:
        return Words(f"stage {stage}", ended=1 if stage == 1 else None)

    shelve(gm.folder, git, words)
    assert [subject for subject, _ in git.commits][1:] == ["stage 0", "stage 1"]
    first, start, newest = (set(names) for _, names in git.commits)
    assert "roster.json" in first and not any(name.startswith("stages/") for name in first)
    assert all(name.startswith("stages/0000/") for name in start)
    assert "state.yaml" in newest and "stages/0001/record.json" in newest
    assert len(git.tags) == 1 and git.tags[0].endswith("/gt-01") and git.who == ("Gm", "gm@example.org")
    assert shelve(gm.folder, git, words).commits == [] and len(git.tags) == 1


@pytest.mark.parametrize("secret", ["private/me.json", "outbox/stage-0001-gm-report.eml"])
def test_a_repository_that_knows_secrets_gets_nothing(tmp_path: Path, secret: str) -> None:
    git = Memory()
    git.have.add(secret)
    with pytest.raises(Refused) as refused:
        shelve(begun(tmp_path, FOG, by=(2,)).gm.folder, git, lambda stage: Words(""))
    assert refused.value.diagnostics[0].code == "secrets-in-git" and git.commits == []
