"""Letters through a real Postfix and a real Dovecot, composed by real mail programs and by us."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from pbem.archive.folder.game_folder import Folder
from pbem.archive.ordering import order_file as orders
from pbem.bot.answers import clever
from pbem.mail.imap import KEYWORD
from pbem.mail.read import read
from pbem.trust import armour
from tests.cli.play import Seat, order_file, pbem
from tests.mail_servers.clients import neomutt, s_nail
from tests.mail_servers.servers import DOMAIN, Servers
from tests.unit.mail.conftest import signed

SEATS = ("red", "green", "blue")
EVERYBODY = ("gm", *SEATS)
LETTER = armour.write(
    'Sarn Strait, stage 12\n  - {unit: R-AR1, path: ["0305", "0306"]}   Züge: „A1“\nFrom here on =2E\n'
    + "x" * 1200,
    [signed()],
)


def test_neomutt_with_text_flowed(servers: Servers, tmp_path: Path) -> None:
    neomutt(servers, tmp_path, "ann", ["flowed"], LETTER)
    (data,) = servers.wait_for("flowed", 1)
    assert b"format=flowed" in data
    assert read(data).signed == (signed(),)


def test_neomutt_with_an_attachment(servers: Servers, tmp_path: Path) -> None:
    file = tmp_path / "orders.pbem.txt"
    file.write_text(LETTER, "utf-8")
    neomutt(servers, tmp_path, "ann", ["attached"], "see below\n", file)
    (data,) = servers.wait_for("attached", 1)
    assert read(data).signed == (signed(),)


def test_s_nail_with_quoted_printable(servers: Servers, tmp_path: Path) -> None:
    s_nail(servers, tmp_path, "ann", ["printable"], LETTER)
    (data,) = servers.wait_for("printable", 1)
    assert b"quoted-printable" in data
    assert read(data).signed == (signed(),)


# ---- a game -----------------------------------------------------------------------------------------------


class Player(Seat):
    """A seat whose owner writes and reads mail, and shares nothing else with the others."""

    def __init__(self, root: Path, name: str, account: str, servers: Servers) -> None:
        super().__init__(root)
        self.name = name
        self.account = account
        self.servers = servers
        self.rng = random.Random(name)

    def settle(self, move_to: str = "") -> None:
        """Write mail.yaml."""
        text = self.servers.settings(self.account, move_to=move_to)
        (self.root / "private" / "mail.yaml").write_text(text)

    def answer(self) -> None:
        """What a sensible player answers, checked and signed."""
        folder = Folder.open(self.root)
        view, answers = folder.view(), {}
        for one in orders.questions(folder):
            decision = view.system.decision(one.kind, one.party, one.fields)
            answers[one.key] = clever(view.game, decision, self.rng)
        file = self.root / "private" / "answers.yaml"
        file.write_text(order_file(self, answers))
        self.pbem("orders", "sign", file)

    def newest(self) -> str:
        """The name of the order that was signed last."""
        return f"stage-{self.status['stage'] + 1:04d}-{self.name}-orders-rev1"

    def text(self) -> str:
        """What stands in it."""
        return (self.root / "outbox" / f"{self.newest()}.pbem.txt").read_text("utf-8")


Table = dict[str, Player]
_numbers = itertools.count()


@pytest.fixture
def table(servers: Servers, tmp_path: Path) -> Table:
    """A game of `victory` that three have joined and all have signed, by mail alone; accounts of its own."""
    number = next(_numbers)
    made = {name: Player(tmp_path / name, name, f"{name}{number}", servers) for name in EVERYBODY}
    for name in EVERYBODY:
        pbem("key", "new", "--no-passphrase", "--file", tmp_path / f"{name}.key")

    def who(name: str) -> tuple[str | Path, ...]:
        mail = f"{made[name].account}@{DOMAIN}"
        return ("--name", name.title(), "--mail", mail, "--key", tmp_path / f"{name}.key")

    gm = made["gm"]
    pbem("new", "victory/sarn_strait", gm.root, "--title", "By mail", *who("gm"))
    gm.settle("Games/taken")
    to = [word for name in SEATS for word in ("--to", f"{made[name].account}@{DOMAIN}")]
    gm.pbem("mail", "out", *to, "by-mail")
    for name in SEATS:
        invitation = tmp_path / f"{name}.eml"
        invitation.write_bytes(servers.wait_for(made[name].account, 1)[0])
        pbem("join", invitation, made[name].root, "--as", name, *who(name))
        made[name].settle()
        made[name].pbem("mail", "out")
    servers.wait_for(gm.account, len(SEATS))
    gm.pbem("mail", "in")
    for number, name in enumerate(EVERYBODY):
        _until(partial(_in, made[name], "roster of" if number else ""))
        made[name].pbem("sign", "--yes")
        made[name].pbem("mail", "out")
        for other in EVERYBODY:
            if other != name:
                _until(partial(_in, made[other], "roster of"))
    return made


def _in(player: Player, words: str) -> bool:
    """Fetch; has what is looked for come?"""
    return words in player.pbem("mail", "in").out or (words == "roster of" and _signed_already(player))


def _signed_already(player: Player) -> bool:
    return (player.root / "roster.json").exists() and not player.status["warnings"]


def _until(done: Callable[[], bool]) -> None:
    for _ in range(100):
        if done():
            return
        time.sleep(0.1)
    raise AssertionError("the mail did not come")


def _has_order(gm: Player, name: str) -> bool:
    gm.pbem("mail", "in")
    return any(one["id"] == name and not one["awaited"] for one in gm.status["parties"])


def _has_stage(player: Player, stage: int) -> bool:
    player.pbem("mail", "in")
    return bool(player.status["stage"] >= stage)


def _ways(servers: Servers, folder: Path, table: Table) -> Iterator[Callable[[Player], None]]:
    """How an order goes: by NeoMutt, by s-nail, by ourselves, and again."""

    def with_program(program: Callable[..., None], player: Player) -> None:
        others = [one.account for one in table.values() if one is not player]
        program(servers, folder, player.account, others, player.text())
        player.pbem("mail", "out", "--sent", player.newest())

    def with_pbem(player: Player) -> None:
        player.pbem("mail", "out")

    yield from itertools.cycle([partial(with_program, neomutt), partial(with_program, s_nail), with_pbem])


@pytest.mark.long
def test_a_whole_game_turn_travels_by_mail_alone(table: Table, servers: Servers, tmp_path: Path) -> None:
    """The game master's part is the three commands of an unattended run, and nothing else."""
    gm, ways, sent = table["gm"], _ways(servers, tmp_path, table), 0
    while "Game turn 2" not in gm.status["place"]:
        assert sent < 100, "the turn does not end"
        for player in (table[name] for name in SEATS):
            if gm.status["stage"] >= 0:
                _until(partial(_has_stage, player, gm.status["stage"]))
            if player.owes and gm.status["stage"] >= 0:
                player.answer()
                next(ways)(player)
                sent += 1
                _until(partial(_has_order, gm, player.name))
        for command in (("mail", "in"), ("adjudicate", "--by", "Sunday"), ("mail", "out")):
            gm.pbem(*command)
    assert sent > 6, "too few mails to call it a turn"
    for player in table.values():
        if player is not gm:
            _until(partial(_has_stage, player, gm.status["stage"]))
        assert player.status["place"] == gm.status["place"]
        player.pbem("verify")
    _look_at_the_mailbox(servers, gm.account, sent)


def _look_at_the_mailbox(servers: Servers, account: str, sent: int) -> None:
    """What the game master's runs left there: everything that was taken is marked and moved, unread."""
    box = servers.box(account)
    try:
        assert box.select("Games.taken", readonly=True)[0] == "OK"
        (everything,) = box.search(None, "ALL")[1]
        (marked,) = box.search(None, "KEYWORD", KEYWORD, "UNSEEN")[1]
        assert len(everything.split()) >= sent
        assert marked == everything
    finally:
        box.logout()


def test_mail_of_others_is_left_alone(table: Table, servers: Servers, tmp_path: Path) -> None:
    gm = table["gm"]
    s_nail(servers, tmp_path, "ann", [gm.account], "Shall we have lunch?\n")
    servers.wait_for(gm.account, 1)
    gm.pbem("mail", "in")
    box = servers.box(gm.account)
    try:
        box.select("INBOX", readonly=True)
        (numbers,) = box.search(None, "BODY", "lunch", "UNSEEN", "UNKEYWORD", KEYWORD)[1]
        assert len(numbers.split()) == 1
    finally:
        box.logout()


def test_what_was_fetched_is_not_fetched_again(table: Table) -> None:
    red = table["red"]
    assert red.pbem("mail", "in", "--json").json["messages"] == 0
    assert red.pbem("mail", "in", "--all", "--json").json["messages"] >= 4
