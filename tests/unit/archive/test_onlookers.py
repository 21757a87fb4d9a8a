"""Observers and dropped players: they follow the game, and are told no untruth about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner

from pbem.archive.adjudicating import gm_stage
from pbem.archive.setting_up import before_the_game
from pbem.archive.verifying.verify import verify
from pbem.cli.games.telling import renderer, renderers
from pbem.cli.main import cli
from pbem.engine.system import System
from tests.primer import FOG
from tests.unit.archive.table import Seat, Table, begun, chooser
from tests.unit.archive.test_amendments import co_sign, propose
from tests.unit.archive.test_setup import invitation_of


def take(reader: Seat, mails: Sequence[Path]) -> None:
    """Receive mails by the command; every one is genuine, and it must not say otherwise."""
    ran = CliRunner().invoke(cli, ["-C", str(reader.root), "receive", *map(str, mails)])
    assert ran.exit_code == 0 and "differs from it" not in ran.output, (reader.name, ran.output)


def played(table: Table, readers: Sequence[Seat], without: Sequence[str] = ()) -> None:
    """One stage, in which everything is mailed to everybody and reports are in words."""
    for seat in table.asked():
        if seat.name not in without:
            seat.answer_all(chooser(3))
    sent = [(seat, seat.mails()) for seat in readers]
    for sender, mails in sent:
        for reader in readers:
            if reader is not sender and mails:
                take(reader, mails)
    folder = table.gm.folder
    assert gm_stage.adjudicate(folder, table.gm.signer, render=renderer()).done
    mails = table.gm.mails()
    for reader in readers:
        if reader is not table.gm:
            take(reader, mails)


def place(seat: Seat) -> str:
    ran = CliRunner().invoke(cli, ["-C", str(seat.root), "status"])
    return next(line for line in ran.output.splitlines() if line.startswith("now: "))


def test_an_observer(tmp_path: Path, system: System) -> None:
    """Each genuine report was said to have another text beside it, and `status` had a blank place."""
    table = Table(tmp_path, system, "ford", ["north", "south"], chain_length=64)
    watcher = Seat(tmp_path / "press", "press")
    before_the_game.join(watcher.root, invitation_of(table), "press", watcher.person, role="observer")
    table.players["press"] = watcher
    table.start()
    del table.players["press"]
    for _ in range(2):
        played(table, [*table.everybody, watcher])
    assert watcher.folder.head(2) == table.gm.folder.head(2)
    told = "now: stage 3; only the players see what happens in it"
    assert place(watcher) == (told if system is FOG else place(table.gm))
    assert verify(watcher.root, renderers=renderers).ok
    # in a game with hidden units nobody tells him what is public of the position: no file of his says it
    for name in ("state.yaml", "stages/0002/report.txt"):
        assert (watcher.root / name).exists() is (system is not FOG)


def test_a_dropped_player(tmp_path: Path, system: System) -> None:
    table = begun(tmp_path, system)
    everybody = table.everybody
    south = table.players["south"]
    made = propose(table.gm, {"op": "drop", "party": "south"})
    table.post()
    co_sign(table.players["north"], made)
    table.post()
    table.run()
    for _ in range(2):
        played(table, everybody)
    assert south.folder.head(3) == table.gm.folder.head(3)
    assert place(south) != "now: "
    assert verify(south.root, renderers=renderers).ok
    assert verify(table.gm.root, renderers=renderers).ok
