"""A postmaster is a process: killed at random moments, some of them while it hands an email over.

Nothing is lost and nothing is doubled: every order counts in a record, and no email has two contents.
"""

from __future__ import annotations

import email
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.archive import Folder
from pbem.archive.verifying.verify import verify
from tests.cli.play import Seat, Table, pbem
from tests.cli.test_club import Club, made

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from pbem.engine import system as systems
from tests.primer import FOG, SYSTEM
known, usual, here = {one.name: one for one in (SYSTEM, FOG)}, systems.find, systems.installed
systems.find = lambda name: known.get(name) or usual(name)
systems.installed = lambda: here() | dict.fromkeys(known)
from pbem.mail import carriers
real = carriers.IntoFolder.hand_over
def hand_over(self, *args):
    print("handing", flush=True)
    done = real(self, *args)
    print("handed", flush=True)
    return done
carriers.IntoFolder.hand_over = hand_over
from pbem.cli.main import cli
print("begin", flush=True)
cli(sys.argv[1:])
"""


@pytest.fixture
def club(started_open: Table, started_fog: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A club of two games, one with hidden units; the postmaster looks every second."""
    found = made([started_open, started_fog], tmp_path, monkeypatch)
    (found.settings / "postmaster.yaml").write_text("every: 1\n")
    return found


def _begun(club: Club) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCRIPT, "postmaster", "--in", str(club.games)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True, bufsize=1
    )


def _until(process: subprocess.Popen[str], word: str, seconds: float) -> bool:
    """Wait until the process says a word, at most so long."""
    assert process.stdout is not None
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ready, _, _ = select.select([process.stdout], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return False
        line = process.stdout.readline()
        if not line:
            return False
        if line.strip() == word:
            return True
    return False


def _killed(club: Club, rng: random.Random, *, handing: bool) -> bool:
    """Run a postmaster and kill it; True if that was while it handed an email over."""
    process = _begun(club)
    try:
        assert _until(process, "begin", 60)
        if handing:
            return _until(process, "handing", 4)
        time.sleep(rng.random() * 1.5)
        return False
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()


def _games(club: Club) -> Iterator[tuple[Table, Seat]]:
    for table in club.tables:
        for seat in table.players.values():
            yield table, seat


def _follow(club: Club, seen: set[Path], sent: list[bytes]) -> None:
    """The players receive what is out, and everyone who is asked orders, once a stage."""
    new = sorted(set(club.out.glob("*.eml")) - seen)
    seen.update(new)
    for table, seat in _games(club):
        if new:
            seat.pbem("receive", *new, code=None)
        if seat.owes:
            table.answer(seat)
            for path in seat.mails():
                sent.append(path.read_bytes())
                club.into_the_box(path.read_bytes())


def _contents(club: Club) -> dict[str, set[bytes]]:
    """The emails that went out, by Message-ID."""
    found: dict[str, set[bytes]] = {}
    for path in club.out.glob("*.eml"):
        data = path.read_bytes()
        found.setdefault(str(email.message_from_bytes(data)["Message-ID"]), set()).add(data)
    return found


def _sound(club: Club, sent: list[bytes]) -> None:
    for code in (None, None, 0):
        pbem("postmaster", "--in", club.games, "--once", code=code)
    assert all(len(each) == 1 for each in _contents(club).values()), "one email, two contents"
    accepted = 0
    for table in club.tables:
        folder = Folder.open(table.gm.root)
        for stage in range(folder.stage + 1):
            assert len(folder.of(stage, "report")) == 1, (table.system, stage)
            accepted += sum(sid is not None for sid in folder.record(stage).accepted.values())
        accepted += len(folder.of(folder.progress.open_stage, "order"))
        assert not (table.gm.root / "inbox").exists() or not list((table.gm.root / "inbox").glob("fork-*"))
        found = verify(table.gm.root)
        assert not found.of("false"), found.of("false")
    assert accepted == len(sent), "an order is lost, or counts twice"


def _through(club: Club, kills: int, while_handing: int, seed: int) -> None:
    rng, seen, sent = random.Random(seed), set[Path](), list[bytes]()
    handing = 0
    for number in range(kills):
        _follow(club, seen, sent)
        wanted = handing < while_handing and number % 3 != 2
        handing += _killed(club, rng, handing=wanted)
    for _ in range(3):
        pbem("postmaster", "--in", club.games, "--once", code=None)
        _follow(club, seen, sent)
    _sound(club, sent)
    assert handing >= while_handing, "too few were killed while handing over"
    assert min(table.gm.status["stage"] for table in club.tables) >= 1
    for table, seat in _games(club):
        ours = Folder.open(seat.root)
        assert ours.head(ours.stage) == Folder.open(table.gm.root).head(ours.stage)
        assert not verify(seat.root).of("false")


def test_killed_a_few_times_it_loses_and_doubles_nothing(club: Club) -> None:
    _through(club, 4, 1, 11)


@pytest.mark.long
def test_killed_fifty_times_it_loses_and_doubles_nothing(club: Club) -> None:
    _through(club, 50, 10, 12)


def test_a_second_process_on_the_same_games_says_so_and_ends(club: Club) -> None:
    first = _begun(club)
    try:
        journal = next(iter(_journal_of(club, 60)))
        said = pbem("postmaster", "--in", club.games, "--once", code=1)
        assert "another postmaster is working here" in said.out + said.err
        assert first.poll() is None and journal.exists()
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate()
    pbem("postmaster", "--in", club.games, "--once")  # what a killed one held is free again


def _journal_of(club: Club, seconds: float) -> Iterator[Path]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield from (club.root / "data" / "pbem").glob("postmaster-*/journal.log")
        time.sleep(0.05)
