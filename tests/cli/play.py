"""Calling commands, and a table of people who play by nothing but commands and mails."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from click.testing import CliRunner

from pbem.cli.main import cli
from tests.copying import copied

Tree = dict[str, bytes]


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


def pbem(*args: str | Path, code: int | None = 0, stdin: bytes | None = None, **env: str) -> Ran:
    """Run a command in this process. Fails unless it exits with `code` (None: whatever it does)."""
    done = CliRunner().invoke(cli, [str(arg) for arg in args], input=stdin, env=env, prog_name="pbem")
    ran = Ran(done.exit_code, done.stdout, done.stderr)
    assert code is None or ran.code == code, (args, ran)
    assert "Traceback" not in ran.err and "has a bug" not in ran.err, ran.err
    return ran


def tree(root: Path) -> Tree:
    """Every file below a folder with its bytes."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def carried(home: Path, to: Path) -> Path:
    """A copy of a place with games elsewhere, as it stands: where keys and games lie is written in it."""
    copied(home, to)
    for path in (*to.rglob("private/me.json"), *to.rglob("games.json")):
        path.write_text(path.read_text("utf-8").replace(str(home), str(to)), "utf-8")
    return to


class Seat:
    """One person: his folder and the mails he has sent already."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sent: set[Path] = set()

    def pbem(self, *args: str | Path, **options: Any) -> Ran:
        return pbem("-C", self.root, *args, **options)

    def mails(self) -> list[Path]:
        """The mails in the outbox since the last call."""
        found = sorted(set((self.root / "outbox").glob("*.eml")) - self.sent)
        self.sent.update(found)
        return found

    @property
    def owes(self) -> bool:
        me = self.status["me"]
        return any(party["id"] == me and party["awaited"] for party in self.status["parties"])

    @property
    def status(self) -> Any:
        return self.pbem("status", "--json").json


class Table:
    """A GM and players who share nothing but mails."""

    def __init__(self, root: Path, system: str, seats: tuple[str, ...], *options: str) -> None:
        self.root = root
        self.system = system
        self.gm = Seat(root / "gm")
        self.players = {name: Seat(root / name) for name in seats}
        for name in ("gm", *seats):
            pbem("key", "new", "--no-passphrase", "--file", root / "keys" / name)
        who = ("--name", "Gm", "--mail", "gm@example.org", "--key", root / "keys" / "gm")
        scenario = system if "/" in system else f"{system}/ford"
        pbem("new", scenario, self.gm.root, "--title", "At dawn", *who, *options)
        (self.invitation,) = (self.gm.root / "outbox").glob("*.pbem-invitation")

    @property
    def everybody(self) -> list[Seat]:
        return [self.gm, *self.players.values()]

    def join(self) -> None:
        for name, seat in self.players.items():
            who = ("--name", name.title(), "--mail", f"{name}@example.org")
            key = ("--key", self.root / "keys" / name)
            pbem("join", self.invitation, seat.root, "--as", name, *who, *key)

    def post(self) -> None:
        """Everybody mails what is new to all others, who receive it; a join goes to the GM alone."""
        for sender in self.everybody:
            mails = sender.mails()
            for reader in self.everybody:
                fit = [mail for mail in mails if reader is self.gm or not mail.name.startswith("join-")]
                if reader is not sender and fit:
                    reader.pbem("receive", *fit)

    def start(self) -> None:
        """From the invitation to the first question."""
        self.join()
        self.post()
        for seat in self.everybody:
            seat.pbem("sign", "--yes")
            self.post()
        self.run()

    def run(self) -> Ran:
        ran = self.gm.pbem("adjudicate", "--by", "Sunday")
        self.post()
        return ran

    def copy(self, root: Path) -> Self:
        """The same table in other folders, as it stands now; keys stay where they are."""
        twin = object.__new__(type(self))
        twin.root, twin.system = root, self.system
        twin.gm, twin.players = Seat(root / "gm"), {name: Seat(root / name) for name in self.players}
        for old, new in zip(self.everybody, twin.everybody, strict=True):
            copied(old.root, new.root)
            new.mails()
        (twin.invitation,) = (twin.gm.root / "outbox").glob("*.pbem-invitation")
        return twin

    def answer(self, seat: Seat) -> None:
        """An order file with the first legal answer to each question, checked and signed."""
        options = seat.pbem("orders", "legal", "--json").json
        answers: dict[str, Any] = {}
        for option in options:
            if option["complete"]:
                answers.setdefault(option["decision"], option["answer"])
        file = seat.root / "private" / "answers.yaml"
        file.write_text(order_file(seat, answers))
        seat.pbem("orders", "check", file)
        seat.pbem("orders", "sign", file)

    def play_stage(self) -> Ran:
        for seat in self.players.values():
            if seat.owes:
                self.answer(seat)
        self.post()
        return self.run()


def order_file(seat: Seat, answers: dict[str, Any], **more: Any) -> str:
    """An order file for the open stage."""
    status = seat.status
    data = {"game": status["game"][:12], "stage": status["stage"] + 1, "answers": answers}
    return json.dumps(data | more, indent=1) + "\n"
