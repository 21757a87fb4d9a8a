"""A year of a club: 160 seats in forty games, 25,000 emails through one mailbox and one postmaster.

The postmaster is a process of its own that is told when to look into a Maildir. Players and strangers are
here. Printed are the seconds from the last order of a stage to its report, of a look at a pile of emails, of
a look with nothing new, the most memory, and which files a look writes.

With `--imap` the mailbox is an account of a real Dovecot, reports leave by a real Postfix, and nobody tells
the postmaster when to look: it waits for the server's word (IDLE). A fifth of the emails comes then. Of the
seconds, `queued` are those in which it could have worked but other programs had the processors.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from pbem.bot.answers import clever
from pbem.engine.resolve import Question
from pbem.engine.system import System, find
from pbem.text.writing import thrown_away
from pbem.workshop.folders import read_folder
from pbem.workshop.writing import files_of
from tests.benchmarks.bench_long_game import letters
from tests.mail_servers.servers import PASSWORD, Servers, missing, running
from tests.unit.archive.table import Seat, Table, statements_in

GAMES, EMAILS, STAGES, SEATS = 40, 25_000, 4, ("aldar", "brenn", "corva", "dorne")
_SCRIPT = """
import json, re, sys, time
import click
from pathlib import Path
from pbem.cli.club.games import all_games
from pbem.cli.club.postmaster import Postmaster
from pbem.cli.club.settings import PostmasterSettings
inside = sys.argv[1]
with (
    click.Context(click.Command("postmaster"), obj={}),
    Postmaster(lambda: all_games(inside), inside, PostmasterSettings((), 5)) as postmaster,
):
    by_itself = sys.argv[2:] == ["waits"]
    for _ in iter(int, 1) if by_itself else sys.stdin:
        real, processor = time.perf_counter(), time.process_time()
        good = postmaster.round()
        real, processor = time.perf_counter() - real, time.process_time() - processor
        status = Path("/proc/self/status")
        peak = re.search(r"VmHWM:\\s+(\\d+)", status.read_text()) if status.exists() else None
        why = "" if good else str(postmaster.data())
        peak = int(peak[1]) / 1000 if peak else 0
        found = {"why": why, "real": real, "processor": processor, "peak": peak, "ended": time.time()}
        print(json.dumps(found), flush=True)
        if by_itself:
            postmaster.wait()
"""


def four_shores() -> System:
    """Diplomacy with a scenario of our own: Three Shores, and a fourth power on its islands."""
    system = find("diplomacy")
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in files_of(system, "three_shores").items():
            for place in ("SPI", "TER"):
                text = text.replace(f"hex: {place}, home: null", f"hex: {place}, home: dorne")
            text = text.replace("corva]", "corva, dorne]")
            units = "DO1,dorne,fleet,TER,\nDO2,dorne,army,SPI,\n" if name == "counters.csv" else ""
            (Path(scratch) / name).write_text(text + units, "utf-8")
        found = read_folder(Path(scratch))
    assert found.whole is not None and not found.errors, found.errors
    return system.with_scenario(found.whole)


@dataclass
class Club:
    """The games of a club, its mailbox, and the way of its postmaster to the players."""

    root: Path
    servers: Servers | None = None
    tables: list[Table] = field(default_factory=list)
    count: int = 0

    @property
    def games(self) -> Path:
        return self.root / "games"

    @property
    def box(self) -> Path:
        home = self.root if self.servers is None else self.servers.root / "mail" / "gm"
        return home / "Maildir"

    @property
    def out(self) -> Path:
        return self.root / "out"

    @property
    def home(self) -> dict[str, str]:
        places = {"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "HOME": "home"}
        return {name: str(self.root / place) for name, place in places.items()}

    def found(self, games: int) -> None:
        """Begin the games, put the GM's folders in one place, and write the settings."""
        for part in ("cur", "new", "tmp"):
            (self.box / part).mkdir(parents=True)
        for place in (self.out, self.games, self.root / "config" / "pbem", self.root / "keys"):
            place.mkdir(parents=True)
        settings = f"in: {{way: files, paths: [{self.box}]}}\nout: {{way: folder, folder: {self.out}}}\n"
        if self.servers is not None:
            settings = self.servers.settings("gm")
            for place in (self.box.parent, self.box, *self.box.iterdir()):
                shutil.chown(place, "nobody", "nogroup")
        (self.root / "config" / "pbem" / "mail.yaml").write_text(settings)
        key = self.root / "keys" / "gm"
        system = four_shores()
        for number in range(games):
            place = self.root / "players" / str(number)
            table = Table(place, system, "three_shores", SEATS, chain_length=64)
            table.start()
            home = self.games / f"game-{number:02d}"
            table.gm.root.rename(home)
            table.gm.root = home
            for folder in (home / "outbox").glob("*"):
                if folder.is_file():
                    folder.unlink()  # it went out before the year began
            if not key.exists():
                key.write_bytes(key_file("gm"))
            path = home / "private" / "me.json"
            path.write_text(json.dumps({**json.loads(path.read_text()), "key_file": str(key)}))
            self.tables.append(table)

    def mail(self, data: bytes) -> None:
        """Put an email into the mailbox."""
        self.count += 1
        (self.box / "new" / f"{1_790_000_000 + self.count}.M{self.count}.host").write_bytes(data)


def key_file(name: str) -> bytes:
    """The key of `signer_of` as a file."""
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"pbem test {name}".encode()).digest())
    return key.private_bytes(s.Encoding.PEM, s.PrivateFormat.OpenSSH, s.NoEncryption())


class Postmaster:
    """The process: told when to look, or waiting by itself where there is a server."""

    def __init__(self, club: Club) -> None:
        place = Path(__file__).parents[2]
        environment = {**os.environ, **club.home, "PYTHONPATH": str(place), "PBEM_TEST_MAIL": PASSWORD}
        self.waits = club.servers is not None
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SCRIPT, str(club.games), *(["waits"] if self.waits else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )

    def look(self) -> dict[str, Any]:
        """Let it do a round; gives how long that took."""
        assert self.process.stdin is not None
        if not self.waits:
            self.process.stdin.write("look\n")
            self.process.stdin.flush()
        return self._round()

    def until(self, done: Callable[[], bool]) -> dict[str, Any]:
        """Let it work until something is done; gives the seconds from now, and those of its processor."""
        if not self.waits:
            found = self.look()
            assert done()
            return found
        began, before = time.time(), self._scheduled()
        while True:
            found = self._round()
            if found["ended"] >= began and done():
                now = zip(("processor", "queued"), before, self._scheduled(), strict=True)
                return {**found, "real": found["ended"] - began} | {name: b - a for name, a, b in now}

    def _scheduled(self) -> tuple[float, float]:
        """Return the seconds that the process had a processor, and that it waited for one."""
        run, queued, _ = Path(f"/proc/{self.process.pid}/schedstat").read_text().split()
        return int(run) / 1e9, int(queued) / 1e9

    def _round(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        done: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert not done["why"], done["why"]
        return done

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        if self.waits:
            self.process.terminate()
        self.process.wait(60)


def strangers() -> Iterator[bytes]:
    """Emails that are for no game: talk, newsletters, statements of other games."""
    while True:
        yield from (one.encode() for one in letters(300))


def orders(table: Table, seed: int) -> list[bytes]:
    """The emails with the orders of everyone who is asked; they have read the newest report before."""
    found = []
    for seat in table.players.values():
        _read_reports(table, seat)
        folder = seat.folder
        if seat.name in folder.progress.asked:
            seat.mails()
            seat.answer_all(_thinking(random.Random(f"{seed} {seat.name}")))
            found += [
                path.with_name(path.name.replace(".pbem.txt", ".eml")).read_bytes() for path in seat.mails()
            ]
    return found


def _thinking(rng: random.Random) -> Callable[[Seat, Question], Any]:
    def think(seat: Seat, question: Question) -> Any:
        view = seat.folder.view()
        view.game.asked, view.game.budget = question.key, 0
        return clever(view.game, view.system.decision(question.kind, question.party, question.fields), rng)

    return think


def _read_reports(table: Table, seat: Seat) -> None:
    known = seat.folder.stage
    stages = sorted((table.gm.root / "outbox").glob("stage-*-report.pbem.txt"))
    for path in stages:
        if int(path.name.split("-")[1]) > known:
            seat.receive_signed(*statements_in(path))


def written(roots: Sequence[Path], before: dict[Path, tuple[int, int]]) -> dict[Path, int]:
    """The files that have changed since, with their sizes."""
    now = stamps(roots)
    return {path: one[1] for path, one in now.items() if before.get(path) != one}


def stamps(roots: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """When each file was written, and how large it is."""
    files = (path for root in roots for path in root.rglob("*") if path.is_file())
    return {path: (found.st_mtime_ns, found.st_size) for path in files for found in (path.stat(),)}


def year(club: Club, emails: int, stages: int, before: int = 0) -> None:
    """Play all games, with so many emails in all, and print what the postmaster took.

    `before` of the emails are there when it begins.
    """
    noise, postmaster = strangers(), Postmaster(club)
    rounds = stages * len(club.tables)
    try:
        if postmaster.waits:
            postmaster.look()  # all that was there before
        pile, out, idle = [], [], []
        for number in range(rounds):
            table = club.tables[number % len(club.tables)]
            *first, last = orders(table, number)
            for data in first:
                club.mail(data)
            while club.count < before + (emails - before) * (number + 1) // rounds - 1:
                club.mail(next(noise))
            if not postmaster.waits:
                pile.append(postmaster.look())
            club.mail(last)
            stage = table.gm.folder.stage
            out.append(postmaster.until(lambda table=table, stage=stage: table.gm.folder.stage > stage))
            if number % 10 == 9 and not postmaster.waits:
                postmaster.look()
                time.sleep(2.1)  # a folder that was changed just now is looked into once more
                postmaster.look()
                idle.append(postmaster.look())
            if number % 40 == 39 or number + 1 == rounds:
                _tell(club, pile[-40:], out[-40:], idle[-4:] or pile[-1:])
        if not postmaster.waits:
            _files(club, postmaster, next(noise))
    finally:
        postmaster.end()


def _files(club: Club, postmaster: Postmaster, stranger: bytes) -> None:
    """Print which files a look writes: after one email more, and with nothing new."""
    places = [Path(club.home["XDG_DATA_HOME"])]
    before = stamps(places)
    club.mail(stranger)
    postmaster.look()
    for path, size in sorted(written(places, before).items()):
        print(f"  one email more writes {path.relative_to(club.root)}, which has {size:,} bytes")
    before = stamps([*places, club.games])
    postmaster.look()
    print(f"  a look with nothing new writes {len(written([*places, club.games], before))} files")


def _tell(club: Club, *looks: Sequence[dict[str, Any]]) -> None:
    """Print the median and the most of each kind of look, as seconds and as seconds of processor."""
    print(f"  {club.count:>6} emails, {max(one['peak'] for one in looks[1]):.0f} MB")
    for name, found in zip(("a pile", "a stage is out", "nothing new"), looks, strict=True):
        if not found:
            continue
        for what in ("real", "processor", "queued"):
            times = [one[what] for one in found if what in one]
            if not times:
                continue
            print(
                f"    {name:>15} {what:>9}: median {median(times):6.3f}, most {max(times):6.3f}", flush=True
            )


def main(smoke: bool = False, imap: bool = False) -> None:
    if imap and missing():
        print(missing())
        return
    with (
        tempfile.TemporaryDirectory(prefix="pbem-year-") as scratch,
        tempfile.TemporaryDirectory(prefix="pbem-mail-") as at_servers,
        running(Path(at_servers)) if imap else nullcontext() as servers,
        thrown_away(),
    ):
        club = Club(Path(scratch), servers)
        club.found(2 if smoke else GAMES)
        emails, noise = 40 if smoke else EMAILS, strangers()
        before = emails * 4 // 5 if imap else 0
        for _ in range(before):
            club.mail(next(noise))
        year(club, emails, 1 if smoke else STAGES, before)


if __name__ == "__main__":
    main("--smoke" in sys.argv[1:], "--imap" in sys.argv[1:])
