"""Games of five systems behind a real Postfix and Dovecot, and a postmaster that is often killed.

Computers play. Two weeks pass on the postmaster's clock. At the end every order counts once, no email has two
contents, and our own auditor finds nothing in any archive.
"""

from __future__ import annotations

import email
import json
import os
import random
import smtplib
import subprocess
import sys
from collections import Counter
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
from tests.tools.independent_audit import Audit
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
HANDING = ("handing", "handed")
ELSEWHERE = (("writing", 60), ("reading", 2), ("writing", 25), ("noted", 1), ("writing", 90), ("waiting", 1))
"""Where it is killed, and at most at which passage; `writing` forces a file to the disk."""
SCRIPT = """
import os, signal, sys
from datetime import timedelta
hours, point, left = float(sys.argv[1]), sys.argv[2], int(sys.argv[3])
from pbem.cli.club import postmaster, receiving, records
from pbem.cli.games import clock
from pbem.mail import carriers
from pbem.report import mail_page
really = clock.now
clock.now = lambda: really() + timedelta(hours=hours)
mail_page.picture = lambda report: b""  # half of the time, and nothing here looks at it
def reached(name):
    global left
    left -= name == point
    if not left or name == "waiting":
        print("killed", name, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
def at(name, owner, what, after):
    real = getattr(owner, what)
    def passing(*args, **more):
        if not after:
            reached(name)
        done = real(*args, **more)
        if after:
            reached(name)
        return done
    setattr(owner, what, passing)
at("reading", receiving.Reader, "take", True)
at("noted", records.OfMailbox, "note_box", True)
at("writing", os, "fsync", True)
at("handed", carriers.Smtp, "hand_over", True)
at("handing", carriers.Smtp, "hand_over", False)
at("waiting", postmaster.Postmaster, "wait", False)
from pbem.cli.main import cli
cli(sys.argv[4:])
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
        self.begun: set[Path] = set()
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

    def postmaster(self, hours: float, point: str = "", passage: int = 1, *words: str) -> str:
        """Run one until it is killed at a point, or when it would wait; with `--once` to its end."""
        place = ["postmaster", "--in", str(self.games), *words]
        command = [sys.executable, "-c", SCRIPT, str(hours), point, str(passage), *place]
        environment = {**os.environ, **self.home}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=900, check=False
        )
        return done.stdout + done.stderr

    def follow(self, rng: random.Random) -> None:
        """Everybody reads their mailbox, and everyone who is asked orders."""
        new = {name: self._new(name) for name in {name for one in self.tables for name in one.players}}
        for table in self.tables:
            game = table.gm.folder.need_roster().game.encode()
            for name, seat in table.players.items():
                found = [one for data in new[name] for one in read(data).signed if game in one.data]
                if found:
                    seat.receive_signed(*found)
                elif seat.root in self.begun:
                    continue
                self.begun.add(seat.root)
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


def _contents(club: Club) -> Iterator[tuple[str, bytes]]:
    """Every email that came to a player, by Message-ID, without what servers wrote on top."""
    for name in sorted({name for one in club.tables for name in one.players}):
        club.seen.pop(name, None)
        for data in club._new(name):
            found = email.message_from_bytes(data)
            yield f"{name} {found['Message-ID']}", data[data.index(b"\r\n\r\n") :]


def through(root: Path, servers: Servers, games: int, kills: int, while_handing: int) -> Club:
    rng, killed = random.Random(f"{games} {kills}"), Counter[str]()
    club = Club(root, servers, games)
    for number in range(kills):
        club.follow(rng)
        point, most = ELSEWHERE[number % len(ELSEWHERE)]
        if number % 3 != 2 and sum(killed[one] for one in HANDING) < while_handing:
            point, most = HANDING[number % 2], 2 * games
        said = club.postmaster(WEEKS * number / kills, point, rng.randint(1, most))
        assert "killed" in said, said
        killed[said.rsplit("killed ", 1)[1].split()[0]] += 1
    assert sum(killed[one] for one in HANDING) >= while_handing, killed
    for _ in range(3):
        said = club.postmaster(WEEKS, "", 1, "--once")
        club.follow(rng)
    club.postmaster(WEEKS, "", 1, "--once")
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
        audit = Audit(table.gm.root)  # a second program, without a line of ours
        audit.run()
        assert audit.faults == [], (table.system.name, audit.faults)
        for seat in table.players.values():
            ours = seat.folder
            assert ours.head(ours.stage) == folder.head(ours.stage)
    assert counted == club.orders, "an order is lost, or counts twice"
    print(killed, club.orders, [table.gm.folder.stage for table in club.tables])
    return club


@pytest.mark.long
@pytest.mark.parametrize(("games", "kills", "handing"), [(5, 6, 2), (10, 50, 10)])
def test_killed_again_and_again_behind_real_servers_it_loses_nothing(
    servers: Servers, tmp_path: Path, games: int, kills: int, handing: int
) -> None:
    through(tmp_path, servers, games, kills, handing)
