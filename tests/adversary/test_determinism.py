"""The same statements give the same bytes: in every folder, process and order of things."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.archive.adjudicating.unsealing import unseal
from pbem.cli.games.table import Table as DemoTable
from pbem.stages import running
from tests.adversary.play import Game
from tests.nightly import in_ci
from tests.unit.archive.table import Seat

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from pathlib import Path
from pbem.archive.adjudicating import gm_stage as stage
from pbem.archive.folder.game_folder import Folder
from pbem.engine import system as systems
from pbem.model.state import dump
from pbem.text.canonical import dumps
from pbem.trust.keys import FileSigner
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import signer_of
usual = systems.find
systems.find = lambda name: {one.name: one for one in (SYSTEM, FOG)}.get(name) or usual(name)
root = Path(sys.argv[1])
key = root / "private/id_ed25519"
signer = FileSigner.load(key.read_bytes()) if key.exists() else signer_of("gm")
run = stage.adjudicate(Folder.open(root), signer, dry_run=True).run
sys.stdout.buffer.write(dumps(run.record.data) + b"\\n" + dumps(run.events) + b"\\n")
sys.stdout.buffer.write(dump(run.state.to_json()).encode())
for fact in run.facts:
    sys.stdout.buffer.write(dumps([fact.key, fact.value, list(fact.audience)]) + b"\\n")
"""


def _in_fresh_process(root: Path, seed: str) -> bytes:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", SCRIPT, str(root)]
    done = subprocess.run(command, capture_output=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_hash_seeds_do_not_change_a_stage(game: Game) -> None:
    game.play(2)
    game.answer()
    assert len({_in_fresh_process(game.gm.root, seed) for seed in ("0", "1")}) == 1


@in_ci
def test_hash_seeds_do_not_change_a_stage_of_victory(battle: DemoTable) -> None:
    root, stage = battle.gm.root, battle.gm.folder.progress.open_stage
    found = {_in_fresh_process(root, seed) for seed in ("0", "1", "20261120")}
    assert len(found) == 1
    assert f'"stage":{stage}'.encode() in found.pop().split(b"\n")[0]


def test_every_folder_holds_the_same_stages_to_the_last_byte(game: Game) -> None:
    """Reports for people too: no order of members that is lost on the way may show in them."""
    game.play(4)
    trees = [_stages(game.seat(name).root) for name in ("gm", "north", "south")]
    assert trees[0] == trees[1] == trees[2]


def test_every_folder_of_a_battle_holds_the_same_stages(battle: DemoTable) -> None:
    last = battle.gm.folder.stage
    trees = [
        {name: data for name, data in _stages(seat.root).items() if int(name.split("/")[1]) <= last}
        for seat in battle.seats.values()
    ]
    assert all(tree == trees[0] for tree in trees)


def _stages(root: Path) -> dict[str, bytes]:
    files = (path for path in sorted((root / "stages").rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def test_the_state_in_memory_is_the_state_in_the_file(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """`verify` goes on in memory where the GM reads a file: members must stand in one order in both."""
    from pbem.model.state import dump, from_json
    from pbem.text.json_first import read_state_text

    seen = []
    real = running.run

    def run(*args: object) -> running.Run:
        seen.append(real(*args))  # type: ignore[arg-type]
        return seen[-1]

    monkeypatch.setattr(running, "run", run)
    game.play(3)
    assert seen
    for one in seen:
        again = from_json(read_state_text(dump(one.state.to_json()).encode(), "state").data)
        assert repr(again) == repr(one.state)


def test_the_unseal_is_the_same_however_often_it_is_made(fog: Game, tmp_path: Path) -> None:
    fog.give("gm", fog.south.later([{"decision": "bid", "answer": 2}], hidden=True), fog.south.order())
    fog.answer("north")
    fog.adjudicate()
    copy = Seat(shutil.copytree(fog.gm.root, tmp_path / "copy"), "gm")
    made = [
        next(path for path in unseal(seat.folder, seat.signer, early=True) if path.suffix == ".json")
        for seat in (fog.seat("gm"), copy)
    ]
    assert made[0].name == made[1].name
    assert "standing/later" in made[0].read_text()
