"""Two archives of one game become one; the other one is a stranger's (protocol 12.2, 12.3)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.two_reports import _ENDED, FORK
from pbem.archive.git.merging import merge
from pbem.archive.verifying.verify import verify
from pbem.text.diagnostics import Refused
from tests.adversary.conftest import Start
from tests.adversary.forge import bytes_of, sid_of
from tests.adversary.play import Game
from tests.primer import FOG, SYSTEM


def put(root: Path, name: str, data: bytes) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(data)


def behind(game: Game, tmp_path: Path) -> Path:
    """North's folder as it is now, before the others go on."""
    return Path(shutil.copytree(game.seat("north").root, tmp_path / "north-before"))


def test_whoever_missed_stages_of_an_open_game_gets_them(clear: Game, tmp_path: Path) -> None:
    old = behind(clear, tmp_path)
    clear.play(2)
    done = merge(Folder.open(old), clear.gm.root)
    assert done.stages == [1, 2] and not done.forks
    assert Folder.open(old).head(2) == clear.seat("gm").folder.head(2)
    assert verify(old).ok


def test_statements_and_views_that_one_archive_lacks_are_taken(fog: Game) -> None:
    fog.play(2)
    gm, north = fog.seat("gm"), fog.seat("north")
    lost = sorted((north.root / "stages/0001").glob("*.json"))[:2]
    lost = [path for path in lost if len(path.stem) == 64]
    for path in [*lost, *(path.with_suffix(".sig") for path in lost)]:
        path.unlink()
    (north.root / "stages/0001/views/south.bin").unlink()
    assert not verify(north.root).ok
    done = merge(north.folder, gm.root)
    assert "stages/0001/views/south.bin" in done.taken and len(done.taken) == 2 * len(lost) + 1
    assert verify(north.root).ok
    assert merge(north.folder, gm.root).taken == []


def test_two_reports_of_one_stage_are_a_fork_and_shown(start: Start, tmp_path: Path) -> None:
    game = start(SYSTEM)
    game.answer()
    report = game.report()
    game.give("north", *report.mail())
    other = {**report.data["body"], "record": {**report.record, "state": "00" * 32}}
    second = game.gm.says("report", other, stage=1, prev=report.data["prev"])
    put(game.seat("south").root, f"stages/0001/{sid_of(second)}.json", second.data)
    put(game.seat("south").root, f"stages/0001/{sid_of(second)}.sig", second.signatures[0].encode())
    ended = Path(shutil.copytree(game.seat("north").root, tmp_path / "ended"))
    put(ended, f"inbox/{_ENDED}{FORK}0001.txt", b"all have agreed on one of them")
    assert merge(Folder.open(ended), game.seat("south").root).forks == []
    done = merge(game.seat("north").folder, game.seat("south").root)
    assert done.forks == ["gm has signed two different reports of stage 1, revision 1"]
    with pytest.raises(Refused):
        game.seat("north").folder.check_no_fork()
    assert [str(finding) for finding in verify(game.seat("north").root).of("false")]


def test_a_report_that_is_here_in_other_seals_is_not_taken_twice(start: Start) -> None:
    game = start(FOG)
    game.answer()
    report = game.report()
    game.give("north", *report.mail())
    body = report.data["body"]
    again = {**body, "views": {**body["views"], "south": "00" * 32}}
    second = game.gm.says("report", again, stage=1, prev=report.data["prev"])
    other = game.seat("south").root
    put(other, f"stages/0001/{sid_of(second)}.json", second.data)
    put(other, f"stages/0001/{sid_of(second)}.sig", second.signatures[0].encode())
    done = merge(game.seat("north").folder, other)
    assert done.taken == done.forks == [] and sid_of(second) in "".join(done.passed_over)


def test_a_statement_in_the_folder_of_another_stage_is_not_taken(clear: Game, tmp_path: Path) -> None:
    clear.play(2)
    other = Path(shutil.copytree(clear.gm.root, tmp_path / "other"))
    for file in (other / "stages/0001").glob("*.json"):
        if len(file.stem) == 64:
            put(other, f"stages/0002/{file.name}", file.read_bytes())
            put(other, f"stages/0002/{file.stem}.sig", file.with_suffix(".sig").read_bytes())
    assert merge(clear.seat("north").folder, other).taken == []


def test_where_a_report_between_is_missing_the_later_stages_need_the_gms_mail(
    clear: Game, tmp_path: Path
) -> None:
    old = behind(clear, tmp_path)
    clear.play(2)
    other = Path(shutil.copytree(clear.gm.root, tmp_path / "other"))
    for file in (other / "stages/0001").glob("*.json"):
        if len(file.stem) == 64 and json.loads(file.read_bytes())["type"] == "report":
            file.unlink()
    done = merge(Folder.open(old), other)
    assert done.stages == [] and "the GM's email" in done.passed_over[-1]


def test_nothing_that_nobody_signed_is_taken(fog: Game, tmp_path: Path) -> None:
    fog.play(1)
    other = Path(shutil.copytree(fog.gm.root, tmp_path / "other"))
    forged = fog.south.order(stage=1, prev=fog.gm.record(1)["prev"], by="stranger")
    put(other, f"stages/0001/{sid_of(forged)}.json", forged.data)
    put(other, f"stages/0001/{sid_of(forged)}.sig", forged.signatures[0].encode())
    put(other, "stages/0001/views/north.bin", b"nonsense")
    put(other, "stages/0001/views/south.bin", b"nonsense too")
    put(other, "stages/0001/evil.sh", b"rm -rf /")
    (other / "stages/0001/record.json").write_text("[" * 100_000)
    (other / "stages/0001" / ("0" * 64 + ".json")).symlink_to("/etc/passwd")
    north = fog.seat("north")
    (north.root / "stages/0001/views/south.bin").unlink()
    before = bytes_of(north.root)
    done = merge(north.folder, other)
    assert done.taken == [] and bytes_of(north.root) == before
    told = "\n".join(done.passed_over)
    assert "not a key of this game" in told and "is a link" in told and "is not a record" in told


def test_a_record_that_differs_is_shown(fog: Game, tmp_path: Path) -> None:
    fog.play(1)
    other = Path(shutil.copytree(fog.gm.root, tmp_path / "other"))
    record = json.loads((other / "stages/0001/record.json").read_text())
    (other / "stages/0001/record.json").write_text(json.dumps({**record, "asked": {}}))
    (fork,) = merge(fog.seat("north").folder, other).forks
    assert fork.startswith("the records of stage 1 differ in asked")


def test_another_game_is_refused(start: Start, tmp_path: Path) -> None:
    game = start(FOG)
    game.play(1)
    for other in (tmp_path, game.seat("north").root):
        with pytest.raises(Refused):
            merge(game.seat("north").folder, other)
