"""`--json` on every command that prints results; what they say is in `tests/golden/test_each_command.py`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.cli.games import clock
from pbem.cli.web.desk import Desk as Place
from pbem.engine import system as systems
from pbem.engine.system import System
from pbem.model.facts import Fact
from tests.architecture.commands import paths
from tests.cli.conftest import SEATS
from tests.cli.play import Seat, Table, order_file, pbem
from tests.cli.test_board_picture import aligned, png
from tests.cli.test_modes import People, begun, first_and_other
from tests.cli.test_plain_replies import begun as plain_game
from tests.primer import SYSTEM
from tests.unit.league.games import certificate

SCRIPT = {("completion",), ("help",), ("scenario", "edit"), ("site",), ("table",)}
"""What a shell reads has a form already; help, the table, the editor and a site are for people."""
GROUPS = {path[:1] for path in paths() if len(path) > 1}
COMMANDS = [path for path in paths() if path not in GROUPS | SCRIPT]
WHO = ("--name", "Ann", "--mail", "ann@example.org")
Args = list[str | Path]


class Deputised(Table):
    """A game with Dora, who is named as the GM's deputy as soon as all have signed."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, "primer", SEATS, "--option", "deputy_days=5")
        self.start()
        self.dora = Seat(root / "dora")
        key = root / "keys" / "dora"
        pbem("key", "new", "--no-passphrase", "--file", key)
        who = ("--name", "Dora", "--mail", "dora@example.org", "--key", key)
        pbem("join", self.gm.root, self.dora.root, "--deputy", "--as", "dora", *who)
        self.dora.mails()
        (self.entry,) = (self.dora.root / "outbox").glob("join-dora.pbem.txt")

    @property
    def everybody(self) -> list[Seat]:
        """All, and Dora too once she has joined."""
        return [*super().everybody, *([self.dora] if hasattr(self, "dora") else [])]

    def name(self) -> None:
        """All sign that Dora is the deputy."""
        self.gm.pbem("amend", "deputy", self.entry, "--yes")
        (proposal,) = self.gm.pbem("amend", "list", "--json").json
        self.post()
        for seat in (*self.players.values(), self.dora):
            seat.pbem("amend", "sign", str(proposal["sid"]), "--yes")
            self.post()
        self.play_stage()


class Desk:
    """Everything that any command needs: a game that is joined, one that is played, one that is over."""

    def __init__(self, table: Table, root: Path, patch: pytest.MonkeyPatch) -> None:
        self.table = table
        self.patch = patch
        self.root = root
        self.gm = table.gm
        self.asked = next(seat for seat in table.players.values() if seat.owes)
        self.key = root / "key"
        pbem("key", "new", "--no-passphrase", "--file", self.key)

    def hexes(self) -> Path:
        """A table of two hexes."""
        (self.root / "hexes.csv").write_text("hex,terrain\n0101,clear\n0102,forest\n", "utf-8")
        return self.root / "hexes.csv"

    def scenario(self) -> Path:
        """A folder with a scenario of one's own, in which Red wins at once."""
        folder = self.root / "river"
        pbem("scenario", "new", "victory", folder)
        text = (folder / "scenario.yaml").read_text("utf-8").replace("at_least: 9,", "at_least: 0,")
        (folder / "scenario.yaml").write_text(text, "utf-8")
        return folder

    def joining(self) -> Table:
        """Everybody has joined, nobody has signed."""
        table = Table(self.root / "joining", "primer", SEATS)
        table.join()
        table.post()
        return table

    def to_bids(self) -> None:
        while not self.asked.status["next"].startswith("pbem bid"):
            self.table.play_stage()
            self.asked = next(seat for seat in self.table.players.values() if seat.owes)

    def order_file(self) -> Path:
        option = self.asked.pbem("orders", "legal", "--json").json[0]
        file = self.root / "orders.yaml"
        file.write_text(order_file(self.asked, {option["decision"]: option["answer"]}))
        return file

    def order_mails(self) -> list[Path]:
        for seat in self.table.players.values():
            if seat.owes:
                self.table.answer(seat)
        return [mail for seat in self.table.players.values() for mail in seat.mails()]

    def short_letter(self) -> Path:
        self.order_mails()
        return next((self.asked.root / "outbox").glob("stage-*.eml"))

    def backup(self) -> Path:
        file = self.root / "backup"
        self.asked.pbem("key", "backup", file, PBEM_PASSPHRASE="pst")
        shutil.rmtree(self.asked.root / "private")
        return file

    def proposed(self) -> str:
        """The id of an option that somebody else has proposed."""
        self.asked.mails()
        self.asked.pbem("amend", "option", "absent=skip", "--yes")
        self.gm.pbem("receive", *self.asked.mails())
        (proposal,) = self.gm.pbem("amend", "list", "--json").json
        return str(proposal["sid"])

    def pair(self) -> tuple[People, Seat, Seat]:
        """A game of two: all people, who is asked, and the other."""
        people = begun(self.root / "pair", SEATS, "--pair", "--as", "north")
        mine, other = first_and_other(people)
        return people, people.seats[mine], people.seats[other]

    def deputised(self, *steps: str) -> Deputised:
        """A game with a deputy who has come as far as these steps."""
        table = Deputised(self.root / "deputised")
        table.name()
        for step in steps:
            (table.dora if step == "ready" else table.gm).pbem("deputy", step)
            table.post()
        return table


def _amend(*words: str) -> Callable[[Desk], Args]:
    return lambda desk: ["-C", desk.asked.root, "amend", *words, "--yes"]


def _amend_list(desk: Desk) -> Args:
    desk.proposed()
    return ["-C", desk.asked.root, "amend", "list"]


def _amend_sign(desk: Desk) -> Args:
    return ["-C", desk.gm.root, "amend", "sign", desk.proposed(), "--yes"]


def _amend_module(desk: Desk) -> Args:
    """Another file of the rules than the game was begun with."""
    other = replace(SYSTEM, revision=SYSTEM.revision + 1)
    vars(other)["digest"] = "ab" * 32
    desk.patch.setattr(systems, "find", lambda name: other)
    return ["-C", desk.gm.root, "amend", "module", "--yes"]


def _amend_takeover(desk: Desk) -> Args:
    (side,) = [name for name, seat in desk.table.players.items() if seat is not desk.asked]
    entrant = Seat(desk.root / "entrant")
    pbem("join", desk.gm.root, entrant.root, "--as", side, *WHO, "--key", desk.key)
    (entry,) = (entrant.root / "outbox").glob("*.pbem.txt")
    return ["-C", desk.gm.root, "amend", "takeover", entry, "--yes"]


def _amend_power(desk: Desk) -> Args:
    table = Table(desk.root / "powers", "congress/europe", ("axis", "allies"))
    table.start()
    return ["-C", table.gm.root, "amend", "power", "italy", "allies", "--yes"]


def _amend_deputy(desk: Desk) -> Args:
    table = Deputised(desk.root / "deputised")
    return ["-C", table.gm.root, "amend", "deputy", table.entry, "--yes"]


def _deputy_takeover(desk: Desk) -> Args:
    """The GM has been silent for longer than all agreed."""
    table = desk.deputised("handover", "ready")
    later = clock.now() + timedelta(days=5, minutes=1)
    desk.patch.setattr(clock, "now", lambda: later)
    return ["-C", table.dora.root, "deputy", "takeover"]


def _mail_address(desk: Desk) -> Args:
    table = Table(desk.root / "gunboat", "primer", SEATS, "--option", "gunboat=yes")
    return ["-C", table.gm.root, "mail", "address", SEATS[0], "tom@example.org"]


def _certificate(desk: Desk) -> Args:
    file = desk.root / "certificate.txt"
    file.write_text(certificate(), "utf-8")
    return ["certificate", "--check", file]


def _correct(desk: Desk) -> Args:
    """The newest stage was run by a program with a bug, and everybody has its report."""
    usual = System.facts
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(System, "facts", lambda self, game: [*usual(self, game), Fact("track/moon", "full")])
        desk.table.play_stage()
    desk.asked = next(seat for seat in desk.table.players.values() if seat.owes)
    desk.order_mails()
    return ["-C", desk.gm.root, "correct"]


def _orders_again(desk: Desk) -> Args:
    pbem(*_correct(desk))
    desk.asked.pbem("receive", *desk.gm.mails())
    return ["-C", desk.asked.root, "orders", "again"]


def _undo(desk: Desk) -> Args:
    desk.asked.pbem("orders", "sign", desk.order_file())
    return ["-C", desk.asked.root, "undo", "--yes"]


def _orders_withdraw(desk: Desk) -> Args:
    """What was sent ahead with the orders of the open stage."""
    file = desk.order_file()
    later = [{"decision": "next-move", "once": "pass", "answer": {}}]
    file.write_text(json.dumps(json.loads(file.read_text()) | {"ahead": later}))
    desk.asked.pbem("orders", "sign", file)
    return ["-C", desk.asked.root, "orders", "withdraw", "pass"]


def _rewind(desk: Desk) -> Args:
    desk.table.play_stage()
    return ["-C", desk.gm.root, "rewind", "0", "--yes"]


def _rule(desk: Desk) -> Args:
    counter = next(iter(systems.find("primer").scenario("ford")["counters"]))
    return ["-C", desk.gm.root, "rule", "--remove", counter, "--reason", "a slip", "--yes"]


def _claim(desk: Desk) -> Args:
    return ["-C", desk.pair()[2].root, "claim"]


def _compare(desk: Desk) -> Args:
    return ["-C", desk.pair()[1].root, "compare"]


def _link(desk: Desk) -> Args:
    people = begun(desk.root / "locked", ("gm", *SEATS), "--dice", "locked")
    gm = people.seats["gm"]
    gm.pbem("adjudicate")
    people.post()
    for one in gm.status["parties"]:
        people.answer(one["id"])
    people.post()
    gm.pbem("adjudicate")
    north = people.seats["north"]
    key = people.root / "keys" / "north"
    hidden = key.rename(key.with_suffix(".away"))
    north.pbem("receive", *gm.mails())
    return ["-C", north.root, "link", "--key", hidden]


def _receive(desk: Desk) -> Args:
    return ["-C", desk.gm.root, "receive", *desk.order_mails()]


def _adjudicate(desk: Desk) -> Args:
    desk.gm.pbem("receive", *desk.order_mails())
    return ["-C", desk.gm.root, "adjudicate"]


def _bid(desk: Desk) -> Args:
    desk.to_bids()
    return ["-C", desk.asked.root, "bid", "1"]


def _mail_out(desk: Desk) -> Args:
    settings = desk.asked.root / "private" / "mail.yaml"
    settings.write_text("out: {way: folder, folder: sent}\n")
    desk.order_mails()
    return ["-C", desk.asked.root, "mail", "out"]


def _with_a_map(desk: Desk) -> Path:
    place = Place(desk.root / "table")
    return place.at_hand(place.practice("victory", "red")).root


def _board_use(desk: Desk) -> Args:
    root = _with_a_map(desk)
    (desk.root / "scan.png").write_bytes(png())
    (desk.root / "board.json").write_text(json.dumps(aligned()), "utf-8")
    return ["-C", root, "board", "use", desk.root / "scan.png"]


def _mail_in(desk: Desk) -> Args:
    folder = desk.root / "mail"
    folder.mkdir()
    for mail in desk.order_mails():
        shutil.copy(mail, folder)
    settings = desk.gm.root / "private" / "mail.yaml"
    settings.write_text(f"in: {{way: files, paths: [{folder}]}}\n")
    return ["-C", desk.gm.root, "mail", "in"]


def _join(desk: Desk) -> Args:
    invitation = Table(desk.root / "new", "primer", SEATS).invitation
    return ["join", invitation, desk.root / "north", "--as", "north", *WHO, "--key", desk.key]


def _ack(desk: Desk) -> Args:
    desk.gm.pbem("receive", *desk.order_mails())
    return ["-C", desk.gm.root, "ack"]


WAYS: dict[str, Callable[[Desk], Args]] = {
    "amend chain": _amend("chain"),
    "amend deputy": _amend_deputy,
    "amend drop": lambda desk: ["-C", desk.gm.root, "amend", "drop", SEATS[0], "--yes"],
    "amend key": _amend("key", "--name", "Anne"),
    "amend list": _amend_list,
    "amend module": _amend_module,
    "amend power": _amend_power,
    "amend option": _amend("option", "absent=skip"),
    "amend proxy": _amend("proxy"),
    "amend sign": _amend_sign,
    "amend takeover": _amend_takeover,
    "claim": _claim,
    "compare": _compare,
    "correct": _correct,
    "link": _link,
    "rewind": _rewind,
    "rule": _rule,
    "archive": lambda desk: ["-C", desk.gm.root, "archive", "--bundle", desk.root / "game.bundle"],
    "ack": _ack,
    "adjudicate": _adjudicate,
    "bid": _bid,
    "board drop": lambda desk: ["-C", _with_a_map(desk), "board", "drop"],
    "board use": _board_use,
    "book": lambda desk: ["-C", desk.gm.root, "book", desk.root / "book"],
    "certificate": _certificate,
    "demo": lambda desk: ["demo", "primer", "--out", desk.root / "demo", "--turns", "1"],
    "deputy charge": lambda desk: ["-C", desk.deputised("handover", "ready").gm.root, "deputy", "charge"],
    "deputy handover": lambda desk: ["-C", desk.deputised().gm.root, "deputy", "handover"],
    "deputy ready": lambda desk: ["-C", desk.deputised("handover").dora.root, "deputy", "ready"],
    "deputy return": lambda desk: [
        "-C",
        desk.deputised("handover", "ready", "charge").dora.root,
        "deputy",
        "return",
    ],
    "deputy takeover": _deputy_takeover,
    "dice": lambda desk: ["-C", desk.gm.root, "dice"],
    "join": _join,
    "key backup": lambda desk: ["-C", desk.gm.root, "key", "backup", desk.root / "b"],
    "key new": lambda desk: ["key", "new", "--no-passphrase", "--file", desk.root / "k"],
    "key restore": lambda desk: ["key", "restore", desk.backup(), "-C", desk.asked.root],
    "key show": lambda desk: ["key", "show", "--key", desk.key],
    "league": lambda desk: ["league", desk.gm.root],
    "letter": lambda desk: ["-C", desk.asked.root, "letter", "--public", "--text", "Peace?", "--yes"],
    "letters": lambda desk: ["-C", desk.asked.root, "letters"],
    "mail address": _mail_address,
    "mail in": _mail_in,
    "mail link": lambda desk: ["-C", desk.asked.root, "mail", "link", desk.short_letter()],
    "mail list": lambda desk: ["-C", desk.asked.root, "mail", "list"],
    "mail out": _mail_out,
    "map": lambda desk: ["-C", desk.asked.root, "map"],
    "new": lambda desk: ["new", "primer/ford", desk.root / "game", *WHO, "--key", desk.key],
    "next": lambda desk: ["-C", desk.asked.root, "next"],
    "undo": _undo,
    "orders again": _orders_again,
    "orders ahead": lambda desk: ["-C", desk.asked.root, "orders", "ahead", desk.order_file()],
    "orders check": lambda desk: ["-C", desk.asked.root, "orders", "check", desk.order_file()],
    "orders facts": lambda desk: ["-C", desk.asked.root, "orders", "facts"],
    "orders legal": lambda desk: ["-C", desk.asked.root, "orders", "legal"],
    "orders new": lambda desk: ["-C", desk.asked.root, "orders", "new"],
    "orders withdraw": _orders_withdraw,
    "orders sign": lambda desk: ["-C", desk.asked.root, "orders", "sign", desk.order_file()],
    "plain": lambda desk: ["-C", plain_game(desk.root / "plain").gm.root, "plain"],
    "postmaster": lambda desk: ["postmaster", "--once", "--in", desk.gm.root],
    "protest": lambda desk: ["-C", desk.asked.root, "protest", "I have no report"],
    "receive": _receive,
    "odds": lambda desk: ["-C", desk.asked.root, "odds"],
    "remind": lambda desk: ["-C", desk.gm.root, "remind"],
    "report": lambda desk: ["-C", desk.asked.root, "report"],
    "rules lint": lambda desk: ["rules", "lint", SYSTEM.folder],
    "rules list": lambda desk: ["rules", "list"],
    "rules schemas": lambda desk: ["rules", "schemas", "victory", "--write", desk.root / "schemas"],
    "rules show": lambda desk: ["rules", "show", "victory"],
    "scenario check": lambda desk: ["scenario", "check", desk.scenario()],
    "scenario diff": lambda desk: ["scenario", "diff", "victory/sarn_strait_two", desk.scenario()],
    "scenario draw": lambda desk: ["scenario", "draw", desk.scenario()],
    "scenario import": lambda desk: ["scenario", "import", desk.hexes(), desk.root / "imported"],
    "scenario new": lambda desk: ["scenario", "new", "wbts", desk.root / "war"],
    "scenario try": lambda desk: ["scenario", "try", desk.scenario(), "--games", "1"],
    "sequence": lambda desk: ["-C", desk.gm.root, "sequence"],
    "sign": lambda desk: ["-C", desk.joining().gm.root, "sign", "--yes"],
    "stats": lambda desk: ["-C", desk.gm.root, "stats"],
    "status": lambda desk: ["-C", desk.asked.root, "status"],
    "unseal": lambda desk: ["-C", desk.gm.root, "unseal", "--early", "--yes"],
    "verify": lambda desk: ["-C", desk.asked.root, "verify"],
}


@pytest.fixture
def desk(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(table, tmp_path, monkeypatch)


def test_no_command_that_is_gone_is_walked() -> None:
    assert set(WAYS) == {" ".join(path) for path in COMMANDS}


def test_faults_are_json_too(desk: Desk) -> None:
    file = desk.root / "bad.yaml"
    file.write_text("answers: [")
    commands: list[Args] = [
        ["orders", "sign", file],
        ["bid", "many"],
        ["report", "99"],
        ["orders", "legal", "x"],
    ]
    commands += [["orders", "sign", desk.order_file(), "--key", desk.root / "no key"]]
    for command in commands:
        said = desk.asked.pbem(*command, "--json", code=1)
        assert said.out == ""
        assert all(fault["severity"] == "error" for fault in json.loads(said.err))


def test_nobody_is_asked_anything_in_the_middle_of_json(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.cli.shell.console.is_terminal", lambda: True)
    said = desk.gm.pbem("unseal", "--early", "--json", code=2)
    assert said.out == "" and "--yes" in said.err
