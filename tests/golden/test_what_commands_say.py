"""What commands say and do in a game by mail: players at their terminals, a postmaster for the game master.

Each scene is a list of commands with their output and exit code, and the files that they wrote. The clock is
set. Ids have names here, so that no key or digest decides how it reads.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pbem.cli.club.postmaster import Postmaster
from pbem.cli.club.settings import PostmasterSettings
from pbem.cli.games import clock
from pbem.cli.main import cli
from pbem.mail.envelope import envelope
from pbem.stages.agreements import Agreement
from pbem.stages.deadlines import Deadlines
from pbem.trust import keys
from tests import luck
from tests.cli.conftest import _here  # noqa: F401
from tests.golden.a_game_by_mail import Names
from tests.primer import FOG
from tests.unit.archive.table import Seat, begun
from tests.unit.mail.damage import mail

_STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}")
"""What hangs on the zone of this computer."""
_LISTED = (["accepted"], ["already"], ["old"], ["ready"], ["rejected"], ["sent"])
BEGIN = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Session:
    """Three people at their terminals, and a box for the emails of all."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.root, self.names, self.lines = root, Names(_STAMP), list[str]()
        self.now, self._journal = BEGIN, 0
        patch.setattr(clock, "now", lambda: self.now)
        for name in ("config", "data"):
            patch.setenv(f"XDG_{name.upper()}_HOME", str(root / name))
        agreed = Agreement(Deadlines(3, 1, "default"))
        table = begun(root, FOG, agreed=agreed, absent="skip")
        self.seats = {seat.name: seat for seat in table.everybody}
        (root / "club").mkdir()
        table.gm.root.rename(root / "club" / "gm")
        table.gm.root = root / "club" / "gm"
        self.box = root / "box"
        self.box.mkdir()
        for seat in table.everybody:
            self._at_home(seat)
        for path in (root / "club").rglob("*"):
            os.utime(path, (BEGIN.timestamp(), BEGIN.timestamp()))
        self._here = self._files()

    def _at_home(self, seat: Seat) -> None:
        """Give somebody a key in a file, and a way to send and to fetch."""
        private = seat.root / "private"
        (private / "key").write_bytes(keys.key_file(seat.signer.seed, None))
        me = json.loads((private / "me.json").read_bytes())
        (private / "me.json").write_text(json.dumps({**me, "key_file": str(private / "key")}))
        ways = f"in: {{way: files, paths: [{self.box}]}}\nout: {{way: folder, folder: {self.box}}}\n"
        (private / "mail.yaml").write_text(ways)
        (private / "mail.yaml").chmod(0o600)

    def says(self, name: str, *words: str, **env: str) -> str:
        """Run a command in somebody's folder, and tell what it says; what is printed."""
        place = ["-C", str(self.seats[name].root)] if name else []
        ran = CliRunner().invoke(cli, [*place, *words], prog_name="pbem", env=env)
        shown = self._named(" ".join(word if " " not in word else f'"{word}"' for word in words))
        self.lines += [
            "",
            f"{name or 'club'}$ pbem {shown}" + (f"  -> {ran.exit_code}" if ran.exit_code else ""),
        ]
        assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
        now = self._files()
        self.names.learn(path.read_bytes() for path in now if path.suffix == ".json" and len(path.stem) == 64)
        self.lines += _runs_sorted(f"  {self._named(line)}".rstrip() for line in ran.stdout.splitlines())
        self.lines += [f"  ! {self._named(line)}".rstrip() for line in ran.stderr.splitlines()]
        self.lines += sorted(line for path in {*now, *self._here} for line in self._changed(path, now))
        self._here = now
        return ran.stdout

    def rounds(self, postmaster: Postmaster) -> None:
        """Run a postmaster that has been running, and tell what changed."""
        good = postmaster.round()
        self.lines += ["", f"club$ (the postmaster goes on: {'all is well' if good else 'trouble'})"]
        now = self._files()
        self.lines += sorted(line for path in {*now, *self._here} for line in self._changed(path, now))
        self.lines += [f"  {line}" for line in postmaster.page()]
        self._here = now

    def _changed(self, path: Path, now: dict[Path, tuple[int, int]]) -> Iterator[str]:
        if now.get(path) == self._here.get(path) or path.name == "mail.log":
            return
        mark = "-" if path not in now else "+" if path not in self._here else "~"
        mode = f" {now[path][0] & 0o777:o}" if path in now else ""
        to = f" to {', '.join(envelope(path.read_bytes()).everybody)}" if path.parent == self.box else ""
        yield f"  {mark}{mode} {self._named(str(path))}{to if mark == '+' else ''}"
        if path.name == "journal.log":
            written = path.read_text("utf-8").splitlines()
            yield from (f"  journal {self._named(line)}" for line in written[self._journal :])
            self._journal = len(written)

    def later(self, **by: int) -> None:
        self.now += timedelta(**by)
        self.lines += ["", f"({self.now:%Y-%m-%d %H:%M})"]

    def writes(self, name: str, file: str, text: str) -> None:
        (self.seats[name].root / file).write_text(text)

    def _files(self) -> dict[Path, tuple[int, int]]:
        here = [path for path in self.root.rglob("*") if path.is_file() and path.name != "lock"]
        self.names.learn(
            path.read_bytes() for path in here if path.suffix == ".json" and len(path.stem) == 64
        )
        return {path: ((one := path.stat()).st_mode, one.st_mtime_ns) for path in here}

    def _named(self, text: str) -> str:
        return self.names.named(text.replace(str(self.root), ""))


def _runs_sorted(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines; lists of emails or statements, which may be in the order of ids, by their names."""
    for listed, run in groupby(lines, lambda line: line.split(" ")[2:3] in _LISTED):
        told = list(run)
        yield from sorted(told) if listed else told


def letters_are_written(at: Session) -> None:
    at.says("north", "status")
    at.says("north", "letter", "--to", "south", "--text", "Leave 0103.")
    at.says("north", "letter", "--to", "nobody", "--text", "Who are you?")
    at.says("north", "undo", "--yes")
    at.says("north", "mail", "list")
    at.says("north", "mail", "out")
    at.says("north", "mail", "list", "--json")
    at.says("south", "mail", "in")
    at.says("south", "status")


def letters_are_read(at: Session) -> None:
    at.says("north", "letter", "--public", "--text", "Hello to all.", "--json")
    at.says("north", "mail", "out", "--json")
    at.says("south", "mail", "in", "--json")
    at.says("south", "letters")
    at.says("south", "letters", "--json")
    at.says("south", "letter", "--to", "north,gm", "--text", "Never.", "--yes")
    at.says("south", "mail", "out")
    at.says("north", "mail", "in")
    at.says("north", "letters")
    at.says("north", "letters", "--with", "south")


def orders_are_signed(at: Session) -> None:
    at.says("north", "next")
    at.says("north", "next", "--yes")
    (option, *_) = json.loads(at.says("north", "orders", "legal", "--json"))
    game = json.loads(at.says("north", "status", "--json"))["game"][:12]
    for wrong in ({"card": "hail"}, {option["decision"]: "calm"}):
        text = json.dumps({"game": game, "stage": 1, "answers": wrong})
        at.writes("north", "private/orders-0001.yaml", text)
        at.says("north", "next")
    at.says("north", "next", "--yes")
    at.says("north", "undo", "--yes")
    at.says("north", "undo", "--yes")
    at.says("north", "orders", "sign")
    at.says("south", "orders", "new")
    at.says("south", "orders", "sign", "--json")
    at.says("south", "undo", "--yes")
    at.says("south", "next", "--yes")
    at.says("north", "mail", "out")


def the_postmaster_runs_a_stage(at: Session) -> None:
    """Among the emails are some of no use; what counts for another game is named."""
    (at.box / "lunch.eml").write_bytes(mail(b"shall we have lunch?"))
    (at.box / "unsigned.eml").write_bytes(mail(b"stage: 1\nanswers:\n  card: calm\n"))
    at.says("", "postmaster", "--once", "--in", str(at.root / "club"))
    at.says("", "postmaster", "--once", "--in", str(at.root / "club"), "--json")
    at.says("north", "next")
    at.says("south", "mail", "in")


def somebody_is_late(at: Session) -> None:
    """A reminder on the last day, then the game goes on without south."""
    club = ("--in", str(at.root / "club"))
    at.says("north", "bid", "7")
    at.says("north", "bid", "2")
    at.says("north", "mail", "out")
    at.says("", "postmaster", "--once", *club)
    at.says("gm", "adjudicate", "--forfeit", "south")
    at.later(days=2, hours=13)
    at.says("", "postmaster", "--once", *club)
    at.says("gm", "status")
    at.later(days=1)
    at.says("", "postmaster", "--once", *club)
    at.says("south", "status")
    at.later(days=1)
    at.says("", "postmaster", "--once", *club)
    at.says("", "postmaster", "--state", *club)
    at.says("south", "bid", "1")
    at.says("south", "next")
    at.says("south", "mail", "list")


def a_game_is_broken(at: Session) -> None:
    """A damaged file is told once, and that it is mended; what came meanwhile counts. Then it is gone."""
    gm = at.seats["gm"].root
    record, roots = gm / "stages/0001/record.json", [gm]
    whole = record.read_bytes()
    settings = PostmasterSettings()
    with click.Context(cli), Postmaster(lambda: roots, str(at.root / "club"), settings) as postmaster:
        record.write_bytes(b"{")
        at.rounds(postmaster)
        at.rounds(postmaster)
        record.write_bytes(whole)
        at.rounds(postmaster)
        roots.clear()
        at.rounds(postmaster)


def a_seat_moves(at: Session) -> None:
    backup = str(at.root / "north.backup")
    at.says("north", "key", "backup", backup)
    at.says("north", "key", "backup", backup, PBEM_PASSPHRASE="pst")
    at.says("north", "key", "restore", backup, "--force", PBEM_PASSPHRASE="pst")
    at.says("north", "receive", str(at.box / "lunch.eml"))
    at.says("north", "receive", "--filter", str(at.box / "lunch.eml"))
    at.says("north", "verify")


SCENES = [
    letters_are_written,
    letters_are_read,
    orders_are_signed,
    the_postmaster_runs_a_stage,
    somebody_is_late,
    a_game_is_broken,
    a_seat_moves,
]
"""One after the other, in one game."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[int], str]]:
    """Gives what is told of a scene; the scenes before are played first, each once."""
    with pytest.MonkeyPatch.context() as patch:
        session = Session(tmp_path_factory.mktemp("session"), patch)
        texts: list[str] = []

        def of(number: int) -> str:
            while len(texts) <= number:
                with luck.drawn_for(f"session {len(texts)}"):
                    SCENES[len(texts)](session)
                texts.append("\n".join(session.lines).lstrip() + "\n")
                session.lines.clear()
            return texts[number]

        yield of


@pytest.mark.parametrize("number", range(len(SCENES)), ids=[scene.__name__ for scene in SCENES])
def test_what_commands_say(
    told: Callable[[int], str], number: int, golden: Callable[[str, str], None]
) -> None:
    golden(f"session-{number + 1}.txt", told(number))
