"""Five games of five systems behind a real Postfix and Dovecot, and a postmaster that is often killed.

Computers play. Two weeks pass on the postmaster's clock. At the end every order counts once, no email has two
contents, and our own auditor finds nothing in any archive.
"""

from __future__ import annotations

import email
import json
import os
import random
import select
import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import Folder, verify
from pbem.archive.ordering import order_file
from pbem.archive.setting_up import before_the_game
from pbem.bot.answers import clever
from pbem.engine.resolve import Question
from pbem.engine.system import find
from pbem.mail.read import read
from pbem.stages.agreements import Agreement
from pbem.stages.deadlines import Deadlines
from tests.benchmarks.bench_club_year import key_file
from tests.mail_servers.servers import DOMAIN, Servers
from tests.unit.archive.table import Seat, Table

ROOT = Path(__file__).parents[2]
PLAYED = (
    ("diplomacy", "three_shores"),
    ("victory", "sarn_strait_two"),
    ("totaler-krieg", "lodestar_two"),
    ("wbts", "marl_crossings"),
    ("wif", "narrow_sea_1943"),
)
GM = f"gm@{DOMAIN}"
WEEKS = 14 * 24
SCRIPT = """
import sys
from datetime import timedelta
from pathlib import Path
from pbem.cli.games import clock
really, hours = clock.now, float(sys.argv[1])
clock.now = lambda: really() + timedelta(hours=hours)
from pbem.mail import carriers
real = carriers.Smtp.hand_over
def hand_over(self, *args):
    print("handing", flush=True)
    return real(self, *args)
carriers.Smtp.hand_over = hand_over
from pbem.cli.main import cli
print("begin", flush=True)
cli(sys.argv[2:])
"""


class Playing(Table):
    """A game of computers whose emails go through the servers once it has begun."""

    def __init__(self, root: Path, system: str, scenario: str) -> None:
        self.system = find(system)
        self.gm, self.sent = Seat(root / "gm", "gm"), []
        agreed = Agreement(Deadlines(answer_days=2))
        terms: dict[str, Any] = {"title": root.name, "chain_length": 256, "agreed": agreed}
        before_the_game.new_game(self.gm.root, self.system, scenario, self.gm.person, **terms)
        (invitation,) = (self.gm.root / "outbox").glob("*.pbem-invitation")
        found = before_the_game.read_invitation(invitation.read_bytes())
        self.players = {name: Seat(root / name, name) for name in found.seats}
        for name, seat in self.players.items():
            before_the_game.join(seat.root, found, name, seat.person)
        self.start()

    def order(self, seat: Seat, rng: random.Random) -> list[bytes]:
        """Send what the computer in a seat answers; nothing if it is not asked, or has sent it."""
        folder = seat.folder
        sent = {one.sender for one in folder.of(folder.progress.open_stage, "order")}
        if seat.name not in folder.progress.asked or seat.name in sent:
            return []
        seat.mails()

        def think(_: Seat, question: Question) -> Any:
            view = folder.view()
            view.game.asked, view.game.budget = question.key, 0
            decision = view.system.decision(question.kind, question.party, question.fields)
            return clever(view.game, decision, rng)

        seat.order({one.key: think(seat, one) for one in order_file.questions(folder)})
        return [path.with_name(path.name.replace(".pbem.txt", ".eml")).read_bytes() for path in seat.mails()]


class Club:
    """The games, the settings of their postmaster, and what went through the servers."""

    def __init__(self, root: Path, servers: Servers, games: int) -> None:
        self.root, self.servers, self.games = root, servers, root / "games"
        self.seen: dict[str, int] = {}
        self.orders = 0
        self.tables = [self._begun(number) for number in range(games)]
        (root / "config" / "pbem").mkdir(parents=True)
        (root / "config" / "pbem" / "mail.yaml").write_text(servers.settings("gm"))
        (root / "config" / "pbem" / "postmaster.yaml").write_text("every: 1\n")

    def _begun(self, number: int) -> Playing:
        system, scenario = PLAYED[number % len(PLAYED)]
        table = Playing(self.root / "players" / f"{system} {number}", system, scenario)
        home = self.games / f"{number}-{system}"
        home.parent.mkdir(exist_ok=True)
        table.gm.root.rename(home)
        table.gm.root = home
        for path in (home / "outbox").iterdir():
            if path.is_file():
                path.unlink()  # everybody has it
        key = self.root / "gm.key"
        key.write_bytes(key_file("gm"))
        me = home / "private" / "me.json"
        me.write_text(json.dumps({**json.loads(me.read_text()), "key_file": str(key)}))
        return table

    @property
    def home(self) -> dict[str, str]:
        places = {"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "HOME": "home"}
        return {name: str(self.root / place) for name, place in places.items()} | {"PYTHONPATH": str(ROOT)}

    def postmaster(self, hours: float, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", SCRIPT, str(hours), "postmaster", "--in", str(self.games), *words]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        return subprocess.Popen(command, env={**os.environ, **self.home}, bufsize=1, **pipes)

    def follow(self, rng: random.Random) -> None:
        """Everybody reads their mailbox, and everyone who is asked orders."""
        new = {name: self._new(name) for name in {name for one in self.tables for name in one.players}}
        for table in self.tables:
            game = table.gm.folder.need_roster().game.encode()
            for name, seat in table.players.items():
                found = [one for data in new[name] for one in read(data).signed if game in one.data]
                if found:
                    seat.receive_signed(*found)
                for data in table.order(seat, rng):
                    self.orders += 1
                    with smtplib.LMTP("127.0.0.1", self.servers.lmtp) as line:
                        line.sendmail(f"{name}@{DOMAIN}", [GM], data)

    def _new(self, account: str) -> list[bytes]:
        box, before = self.servers.box(account), self.seen.get(account, 0)
        try:
            box.select("INBOX", readonly=True)
            _, (found,) = box.search(None, "ALL")
            numbers = found.split()
            self.seen[account] = len(numbers)
            return [box.fetch(one.decode(), "(BODY.PEEK[])")[1][0][1] for one in numbers[before:]]  # type: ignore[index]
        finally:
            box.logout()


def _until(process: subprocess.Popen[str], word: str, seconds: float) -> bool:
    """Wait until the process says a word, at most so long."""
    assert process.stdout is not None
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and select.select([process.stdout], [], [], left)[0]:
        line = process.stdout.readline()
        if not line or line.strip() == word:
            return bool(line)
    return False


def _killed(club: Club, hours: float, rng: random.Random, *, handing: bool) -> bool:
    process = club.postmaster(hours)
    try:
        assert _until(process, "begin", 120)
        if handing:
            return _until(process, "handing", 20)
        time.sleep(rng.random() * 4)
        return False
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()


def _whole(club: Club, hours: float) -> str:
    process = club.postmaster(hours, "--once")
    said, _ = process.communicate(timeout=600)
    return said


def _contents(club: Club) -> Iterator[tuple[str, bytes]]:
    """Every email that came to a player, by Message-ID, without what servers wrote on top."""
    for name in sorted({name for one in club.tables for name in one.players}):
        club.seen.pop(name, None)
        for data in club._new(name):
            found = email.message_from_bytes(data)
            yield f"{name} {found['Message-ID']}", data[data.index(b"\r\n\r\n") :]


def through(root: Path, servers: Servers, games: int, kills: int, while_handing: int) -> Club:
    rng, handed = random.Random(f"{games} {kills}"), 0
    club = Club(root, servers, games)
    for number in range(kills):
        club.follow(rng)
        wanted = handed < while_handing and number % 3 != 2
        handed += _killed(club, WEEKS * number / kills, rng, handing=wanted)
    assert handed >= while_handing, "too few were killed while handing over"
    for _ in range(3):
        said = _whole(club, WEEKS)
        club.follow(rng)
    _whole(club, WEEKS)
    contents: dict[str, set[bytes]] = {}
    for one, data in _contents(club):
        contents.setdefault(one, set()).add(data)
    assert contents and all(len(each) == 1 for each in contents.values()), "one email, two contents"
    counted = 0
    for table in club.tables:
        folder = Folder.open(table.gm.root)
        assert folder.stage >= 1, (table.system.name, said)
        assert folder.fork() is None
        for stage in range(1, folder.stage + 2):
            counted += len(folder.of(stage, "order"))
        found = verify(table.gm.root)
        assert not found.of("false"), (table.system.name, found.of("false"))
        for seat in table.players.values():
            ours = seat.folder
            assert ours.head(ours.stage) == folder.head(ours.stage)
    assert counted == club.orders, "an order is lost, or counts twice"
    return club


@pytest.mark.long
@pytest.mark.parametrize(("games", "kills", "handing"), [(5, 6, 2)])
def test_killed_again_and_again_behind_real_servers_it_loses_nothing(
    servers: Servers, tmp_path: Path, games: int, kills: int, handing: int
) -> None:
    through(tmp_path, servers, games, kills, handing)
