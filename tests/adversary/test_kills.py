"""The process ends or the disk is full at any moment: each command leaves the old state or the new one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.archive.folder.changes import REDO
from pbem.archive.folder.game_folder import Folder
from pbem.archive.receiving.receive import receive
from pbem.archive.verifying.verify import verify
from pbem.text.diagnostics import Refused
from tests.adversary.conftest import Start
from tests.adversary.forge import bytes_of, parsed, signed
from tests.adversary.play import Game
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, chooser, statements_in

ROOT = Path(__file__).parents[2]


class Killed(BaseException):
    """The process ends here."""


class Full(OSError):
    """The disk is full."""

    def __init__(self) -> None:
        super().__init__(28, "No space left on device")


@contextmanager
def stop_at(call: str, number: int, fault: type[BaseException]) -> Iterator[list[int]]:
    """The `number`-th call of `os.<call>`, counted from 0, fails; gives the count of calls so far."""
    real, count = getattr(os, call), [0]

    def stopping(*args: object, **options: object) -> object:
        if count[0] == number:
            count[0] += 1
            raise fault
        count[0] += 1
        return real(*args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, call, stopping)
        yield count


Act = Callable[[], object]


def moments(act: Callable[[], Act], call: str, step: int = 1) -> Iterator[int]:
    """Every moment, or every `step`-th, at which a command calls the system; `act` sets it up anew."""
    run = act()
    with stop_at(call, -1, Killed) as count:
        run()
    assert count[0] > 0, f"the command never calls os.{call}"
    yield from range(0, count[0], step)


class Bench:
    """A folder that is put back as it was before each try."""

    def __init__(self, seat: Seat, scratch: Path) -> None:
        self.seat = seat
        self.backup = scratch / f"backup-{seat.name}"
        shutil.copytree(seat.root, self.backup)
        self.old = bytes_of(seat.root)

    def again(self) -> None:
        shutil.rmtree(self.seat.root)
        shutil.copytree(self.backup, self.seat.root)

    def after(self) -> tuple[Folder, dict[str, bytes]]:
        """The folder as the next command finds it, and what is in it; leftovers of a write do not count."""
        folder = Folder.open(self.seat.root)
        assert not (self.seat.root / REDO).exists()
        found = {n: data for n, data in bytes_of(self.seat.root).items() if "/.pbem-" not in f"/{n}"}
        return folder, found


CALLS = [("replace", 1, Killed), ("replace", 3, Full), ("fsync", 4, Killed), ("unlink", 1, Killed)]


@pytest.mark.parametrize("call, step, fault", CALLS)
def test_receiving_a_report_is_all_or_nothing(
    start: Start, tmp_path: Path, call: str, step: int, fault: type[BaseException]
) -> None:
    """Whatever was cut short, receiving the mail again gives what one uninterrupted command gives."""
    game = start(FOG)
    game.answer("north")
    game.give("gm", game.south.order())
    mail = game.report().mail()
    early = signed("south", parsed(game.south.order(stage=2, prev="00" * 32)))
    bench = Bench(game.seat("north"), tmp_path)
    seat = bench.seat

    def act() -> Act:
        bench.again()
        receive(seat.folder, [early])
        return lambda: receive(seat.folder, mail)

    tried = list(moments(act, call, step))
    new = bytes_of(seat.root)
    for number in tried:
        run = act()
        with stop_at(call, number, fault):
            with pytest.raises((Killed, Exception)):
                run()
        folder, _ = bench.after()
        assert folder.stage in (0, 1)
        assert folder.view().stage == folder.stage
        receive(folder, mail)
        assert bench.after()[1] == new, (call, number)


@pytest.mark.parametrize("call, step, fault", CALLS[:3])
def test_adjudicating_is_all_or_nothing(
    start: Start, tmp_path: Path, call: str, step: int, fault: type[BaseException]
) -> None:
    game = start(FOG)
    game.answer()
    bench = Bench(game.seat("gm"), tmp_path)

    def act() -> Act:
        bench.again()
        return lambda: game.adjudicate()

    tried = list(moments(act, call, step))
    head = bench.seat.folder.head(1)
    names = set(bytes_of(bench.seat.root))
    for number in tried:
        run = act()
        with stop_at(call, number, fault):
            with pytest.raises((Killed, Exception)):
                run()
        folder, found = bench.after()
        if folder.stage == 0:
            assert found == bench.old, (call, number)
            game.adjudicate()
            folder, found = bench.after()
        assert folder.head(1) == head
        assert len(found) == len(names)
        (mail,) = (bench.seat.root / "outbox").glob("stage-0001-gm-report.pbem.txt")
        reader = shutil.copytree(game.seat("north").root, tmp_path / f"{call}-{number}-{fault.__name__}")
        receive(Folder.open(reader), statements_in(mail))
        assert Folder.open(reader).head(1) == head
    assert verify(bench.seat.root).ok


@pytest.mark.parametrize("call, step, fault", CALLS[:3])
def test_signing_is_all_or_nothing(
    start: Start, tmp_path: Path, call: str, step: int, fault: type[BaseException]
) -> None:
    """A statement without what opens it, or a mail without its statement, would be the end of the game."""
    game = start(FOG)
    bench = Bench(game.seat("north"), tmp_path)
    seat = bench.seat

    def act() -> Act:
        bench.again()
        return lambda: seat.answer_all(chooser(1))

    for number in moments(act, call, step):
        run = act()
        with stop_at(call, number, fault):
            with pytest.raises((Killed, Exception)):
                run()
        folder, found = bench.after()
        orders = [one for one, _ in folder.statements(1) if one.type == "order"]
        openings = [name for name in found if name.startswith("private/openings/0001")]
        mails = [name for name in found if name.startswith("outbox/stage-0001")]
        assert len(orders) == len(openings) == len(mails) / 2, (call, number)
        if not orders:
            assert found == bench.old
        mail = seat.answer_all(chooser(1))
        (again,) = statements_in(mail)
        assert parsed(again)["rev"] == 1 + len(orders)


SCRIPT = """
import os, signal, sys
from pathlib import Path
from pbem.archive.adjudicating import gm_stage as stage
from pbem.engine import system as systems
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat
systems.find = {one.name: one for one in (SYSTEM, FOG)}.__getitem__
real, left = os.replace, [int(sys.argv[2])]
def replace(*args):
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    real(*args)
os.replace = replace
seat = Seat(Path(sys.argv[1]), "gm")
stage.adjudicate(seat.folder, seat.signer)
print("done")
"""


def _process(root: Path, number: int) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCRIPT, str(root), str(number)]
    return subprocess.run(command, capture_output=True, env=environment, timeout=120)


def test_a_process_that_is_killed_leaves_no_lock_and_no_half_stage(game: Game, tmp_path: Path) -> None:
    game.answer()
    bench = Bench(game.seat("gm"), tmp_path)
    for number, stage in ((0, 0), (1, 1), (7, 1)):
        bench.again()
        done = _process(bench.seat.root, number)
        assert done.returncode == -signal.SIGKILL, done.stderr
        folder, found = bench.after()
        assert folder.stage == stage
        if stage == 0:
            assert found == bench.old
            assert game.adjudicate().done
        assert verify(bench.seat.root).ok


def test_a_full_disk_is_one_clear_refusal(start: Start) -> None:
    game = start(SYSTEM)
    game.answer()
    with stop_at("replace", 2, Full), pytest.raises(Exception, match="no space left on device"):
        game.adjudicate()
    assert game.seat("gm").folder.stage == 1
    assert game.verify() == []


def test_a_second_command_at_once_meets_the_lock_and_changes_nothing(game: Game) -> None:
    from pbem.archive.adjudicating.unsealing import unseal
    from pbem.archive.folder import one_command
    from pbem.archive.ordering import signing
    from pbem.archive.ordering.order_file import Checked

    game.answer("north")
    order = game.south.order()
    gm, north = game.seat("gm"), game.seat("north")
    before = [bytes_of(seat.root) for seat in (gm, north)]
    commands: list[Act] = [
        lambda: receive(gm.folder, [order]),
        lambda: game.adjudicate(),
        lambda: unseal(gm.folder, gm.signer, early=True),
        lambda: receive(north.folder, [order]),
        lambda: signing.sign_orders(north.folder, Checked({}), north.signer),
    ]
    with one_command.hold(gm.root), one_command.hold(north.root):
        for command in commands:
            with pytest.raises(Refused) as error:
                command()
            assert error.value.diagnostics[0].code == "folder-busy"
    assert [bytes_of(seat.root) for seat in (gm, north)] == before
    assert receive(gm.folder, [order])[0].outcome == "taken"


def test_beginning_a_game_is_all_or_nothing(tmp_path: Path) -> None:
    from pbem.archive.setting_up import before_the_game

    seat = Seat(tmp_path / "gm", "gm")

    def act() -> Act:
        shutil.rmtree(seat.root, ignore_errors=True)
        return lambda: before_the_game.new_game(seat.root, SYSTEM, "ford", seat.person, chain_length=64)

    for number in moments(act, "replace"):
        run = act()
        with stop_at("replace", number, Killed), pytest.raises(Killed):
            run()
        try:
            folder = seat.folder
        except Refused as refused:
            assert refused.diagnostics[0].code == "no-game"
            run()
            folder = seat.folder
        assert not (seat.root / REDO).exists()
        assert folder.need_me("gm") == "gm" and folder.private.gm_secret
        assert len(list((seat.root / "outbox").glob("*.pbem-invitation"))) == 1
