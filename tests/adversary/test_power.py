"""The power goes at any moment: what was not forced onto the disk may be lost, in part and in any order. The
folder has the old stage or the new one, and the command given again ends where it would have ended.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.archive.adjudicating import gm_stage
from pbem.archive.folder import changes
from pbem.archive.folder.changes import REDO, Changes, commit, recover
from pbem.archive.folder.game_folder import Folder
from pbem.archive.receiving.receive import receive
from pbem.archive.verifying.verify import verify
from pbem.engine import system as systems
from tests.adversary.conftest import Start
from tests.adversary.forge import bytes_of
from tests.adversary.power import Disk, cuts, lay, recorded
from tests.nightly import in_ci
from tests.primer import FOG
from tests.unit.archive.table import Seat, Table, chooser
from tests.unit.engine.duel import BY_STEPS as DUEL


def survives(seat: Seat, scratch: Path, act: Callable[[], object], again: Callable[[], object]) -> int:
    """Cut the power at every operation of `act`, then give the command once more; gives the trees tried."""
    before = scratch / "before"
    shutil.copytree(seat.root, before)
    stage = seat.folder.stage
    with recorded(seat.root) as log:
        act()
    whole = bytes_of(seat.root)
    assert any(op[0] == "sync" for op in log.ops) and any(op[0] == "settle" for op in log.ops)
    tried = 0
    for number, tree in cuts(before, log):
        lay(tree, seat.root)
        folder = Folder.open(seat.root)
        assert folder.stage in (stage, stage + 1), log.ops[:number][-3:]
        verified = verify(seat.root)
        assert verified.ok, (log.ops[:number][-3:], verified.of("false"))
        again()
        after = {name: data for name, data in bytes_of(seat.root).items() if "/.pbem-" not in f"/{name}"}
        assert same(after, whole), (
            number,
            sorted({n for n in {*after, *whole} if after.get(n) != whole.get(n)}),
        )
        tried += 1
    return tried


def same(after: dict[str, bytes], whole: dict[str, bytes]) -> bool:
    """Equal but for what is sealed anew each time."""
    return after.keys() == whole.keys() and all(after[name] == whole[name] for name in whole)


@in_ci
def test_receiving_a_report(start: Start, tmp_path: Path) -> None:
    game = start(FOG)
    game.answer("north")
    game.give("gm", game.south.order())
    mail = game.report().mail()
    seat = game.seat("north")
    tried = survives(
        seat, tmp_path, lambda: receive(seat.folder, mail), lambda: receive(Folder.open(seat.root), mail)
    )
    assert tried > 30


def test_adjudicating(start: Start, tmp_path: Path) -> None:
    """Seals differ at every run, so what must be equal is the head, and which files there are."""
    game = start(FOG)
    game.answer()
    gm = game.seat("gm")
    before = tmp_path / "before"
    shutil.copytree(gm.root, before)
    with recorded(gm.root) as log:
        game.adjudicate()
    head = gm.folder.head(1)
    count = 0
    for number, tree in cuts(before, log):
        lay(tree, gm.root)
        folder = Folder.open(gm.root)
        if folder.stage == 0:
            assert game.adjudicate().done
        assert gm.folder.head(1) == head and verify(gm.root).ok, log.ops[:number][-3:]
        (report,) = gm.folder.of(1, "report")
        assert report
        count += 1
    assert count > 30


def test_signing_orders(start: Start, tmp_path: Path) -> None:
    """Links and openings are never lost where an order that promises them is in the outbox."""
    game = start(FOG)
    seat = game.seat("north")
    before = tmp_path / "before"
    shutil.copytree(seat.root, before)
    with recorded(seat.root) as log:
        seat.answer_all(chooser(1))
    for _, tree in cuts(before, log):
        lay(tree, seat.root)
        folder = Folder.open(seat.root)
        sent = list((seat.root / "outbox").glob("stage-0001-*"))
        if sent:
            from pbem.archive.ordering.order_body import openings_of

            (order,) = folder.of(1, "order")
            assert set(openings_of(folder, order)) == set(order.body.get("commits", {}))  # type: ignore[arg-type]
        elif not folder.of(1, "order"):
            seat.answer_all(chooser(1))
        assert verify(seat.root).ok


def test_a_change_that_was_carried_out_does_not_come_back(tmp_path: Path) -> None:
    """Its file was removed and the removal not forced onto the disk: after a cut it undid a later change."""
    root = tmp_path / "game"
    (root / "private").mkdir(parents=True)
    (root / "state.yaml").write_text("old")
    before = tmp_path / "before"
    shutil.copytree(root, before)
    first = Changes()
    first.write("state.yaml", "first")
    first.write("inbox/a.txt", "a")
    second = Changes()
    second.write("state.yaml", "second")
    with recorded(root) as log:
        commit(root, first)
        commit(root, second)
    disk = Disk(before)
    for number, op in enumerate(log.ops):
        disk.do(op, log.data.get(number))
    import random

    for keep in (0.0, 0.5, 1.0):
        lay(disk.cut(random.Random(1), keep), root)
        recover(root)
        assert (root / "state.yaml").read_text() == "second"


def test_the_test_sees_what_is_not_forced_onto_the_disk(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that forgets to settle a folder, or to sync a file, is found out."""
    from pbem.text import writing

    monkeypatch.setattr(writing, "sync_folder", lambda folder: None)
    monkeypatch.setattr(changes, "sync_folder", lambda folder: None)
    root = tmp_path / "game"
    (root / "private").mkdir(parents=True)
    (root / "state.yaml").write_text("old")
    before = tmp_path / "before"
    shutil.copytree(root, before)
    change = Changes()
    for name in ("state.yaml", "inbox/a.txt", "inbox/b.txt"):
        change.write(name, "new")
    with recorded(root) as log:
        commit(root, change)
    results = set()
    for _, tree in cuts(before, log):
        lay(tree, root)
        if (root / REDO).exists() and not (root / REDO).read_bytes().startswith(b"{"):
            results.add("damaged")
            continue
        recover(root)
        results.add(json.dumps({n: d.decode() for n, d in bytes_of(root).items() if "pbem-" not in n}))
    assert len(results) > 2  # neither the old files nor the new ones


def test_a_stop_within_a_battle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run passed two steps of a leaf and waits in the third: after a cut it waits there, with the same
    dice behind it, and goes on to the same end; nobody's program comes to another record."""
    usual = systems.find
    monkeypatch.setattr(systems, "find", lambda name: DUEL if name == DUEL.name else usual(name))
    table = Table(tmp_path / "table", DUEL, "yard", ["red", "blue"], chain_length=64)
    table.start()
    everybody_answers(table)
    before = tmp_path / "before"
    shutil.copytree(table.gm.root, before)
    with recorded(table.gm.root) as log:
        gm_stage.adjudicate(table.gm.folder, table.gm.signer)
    state = table.gm.folder.state()
    head, asked = table.gm.folder.head(1), table.gm.folder.progress.asked
    (keys,) = asked.values()
    assert list(keys) == ["A1/A.3/guard"], "the battle has stopped at a step of its own"
    tried = 0
    for number, tree in list(cuts(before, log))[::3]:
        lay(tree, table.gm.root)
        if table.gm.folder.stage == 0:
            assert gm_stage.adjudicate(table.gm.folder, table.gm.signer).done
        folder = table.gm.folder
        assert (folder.head(1), folder.progress.asked) == (head, asked), log.ops[:number][-3:]
        assert folder.state().to_json() == state.to_json(), log.ops[:number][-3:]
        tried += 1
    assert tried > 20
    table.post()
    table.play(chooser(1))
    assert table.gm.folder.progress.over and verify(table.gm.root).ok


def everybody_answers(table: Table) -> None:
    for seat in table.asked():
        seat.answer_all(chooser(1))
    table.post()


def test_of_many_changes_each_is_whole_and_none_undoes_a_later_one(tmp_path: Path) -> None:
    """A journal: after a cut the folder stands where some change had ended, and at the last once all are."""
    root = tmp_path / "game"
    (root / "private").mkdir(parents=True)
    before = tmp_path / "before"
    shutil.copytree(root, before)
    states = [{}] + [
        {"state.yaml": str(n), f"inbox/{n}.txt": "here"} | ({f"inbox/{n - 1}.txt": "here"} if n == 3 else {})
        for n in range(1, 6)
    ]
    with recorded(root) as log:
        with changes.journal(root) as kept:
            for number in range(1, 6):
                change = Changes()
                change.write("state.yaml", str(number))
                change.write(f"inbox/{number}.txt", "here")
                if number != 3:
                    change.remove(f"inbox/{number - 1}.txt")
                if number == 4:
                    change.remove("inbox/2.txt")
                commit(root, change, kept)
        log.note("settle", ".")
    assert not changes.unfinished(root)
    reached = set()
    for number, tree in cuts(before, log):
        lay(tree, root)
        (root / "private").mkdir(exist_ok=True)
        recover(root)
        found = {n: d.decode() for n, d in bytes_of(root).items() if ".pbem-" not in n}
        assert found in states, log.ops[:number][-3:]
        reached.add(found.get("state.yaml"))
    assert reached == {None, "1", "2", "3", "4", "5"} and found == states[-1]
