"""A seat whose keys the GM holds: handed over to the deputy, who plays it while in charge, and back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import Folder, is_published
from pbem.cli.club.serving import serve
from pbem.cli.games import clock
from pbem.cli.post.proxied import held
from pbem.cli.shell import keys
from pbem.trust.keys import is_locked
from tests.cli.play import Seat, order_file, pbem
from tests.cli.test_plain_replies import PlainTable


class Lent(PlainTable):
    """South lends the keys to the GM; Dora is the deputy from the start."""

    def __init__(self, root: Path, system: str, *options: str) -> None:
        super().__init__(root, system, ("north", "south"), *options)
        self.dora = Seat(root / "dora's" / "game")
        self.encrypt: tuple[str, ...] = ()
        pbem("key", "new", "--no-passphrase", "--file", root / "keys" / "dora")

    @property
    def everybody(self) -> list[Seat]:
        return [self.gm, self.players["north"], self.dora]

    def join(self) -> None:
        super().join()
        who = ("--name", "Dora", "--mail", "dora@example.org", "--key", self.root / "keys" / "dora")
        pbem("join", self.invitation, self.dora.root, "--deputy", "--as", "dora", *who, *self.encrypt)

    def start(self) -> None:
        self.join()
        self.post()
        for seat in self.everybody:
            seat.pbem("sign", "--yes")
            self.post()
        self.run()

    def handed_over(self) -> None:
        said = self.gm.pbem("deputy", "handover")
        assert "has the keys of south" in said.err
        self.post()
        self.dora.pbem("deputy", "ready")
        self.post()
        self.gm.pbem("deputy", "charge")
        self.post()

    def play_for_south(self, seat: Seat) -> None:
        """Answer for South by hand, from the folder of whoever holds the keys."""
        options = seat.pbem("orders", "legal", "--as", "south", "--json").json
        answers: dict[str, Any] = {}
        for option in options:
            if option["complete"]:
                answers.setdefault(option["decision"], option["answer"])
        file = seat.root / "private" / "south.yaml"
        file.write_text(order_file(seat, answers))
        seat.pbem("orders", "sign", file, "--as", "south")

    def stage(self, judge: Seat) -> None:
        """A stage that one of GM and deputy runs, and plays South in."""
        if self.players["north"].owes:
            self.answer(self.players["north"])
        self.post()
        status = judge.status
        if any(one["id"] == "south" and one["awaited"] for one in status["parties"]):
            self.play_for_south(judge)
        judge.pbem("adjudicate")
        self.post()


@pytest.fixture
def lent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)

    def begun(*options: str, system: str = "primer", encrypt: bool = False) -> Lent:
        table = Lent(tmp_path / "games", system, *options)
        table.encrypt = ("--encrypt",) if encrypt else ()
        table.start()
        table.handed_over()
        return table

    return begun


@pytest.mark.parametrize("system", ["primer", "primer-fog"])
def test_the_deputy_in_charge_plays_a_lent_seat_and_the_gm_again_after_it(lent: Any, system: str) -> None:
    table = lent(system=system)
    for _ in range(3):
        table.stage(table.dora)
    played = Folder.open(table.gm.root)
    assert [one.sender for n in (1, 2, 3) for one in played.of(n, "report")] == ["dora"] * 3
    assert any(played.record(n).accepted.get("south") for n in (1, 2, 3))
    place = held(Folder.open(table.dora.root))["south"]
    assert place.parent == table.dora.root and not is_published("lent-south/private/signing-key")
    secret = [path for path in place.rglob("private/**/*") if path.is_file()]
    assert secret and {path.stat().st_mode & 0o777 for path in secret} == {0o600}
    table.gm.pbem("deputy", "return")
    table.post()
    assert held(Folder.open(table.dora.root)) == {}, "only who is in charge plays it"
    refused = table.dora.pbem("orders", "new", "--as", "south", code=1)
    assert "error[not-proxied]" in refused.err
    for _ in range(2):
        table.stage(table.gm)
    for seat in table.everybody:
        seat.pbem("verify")


def test_a_deputy_with_a_passphrase_types_it_once_and_plays_a_lent_seat(
    lent: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(keys, "is_terminal", lambda: True)
    monkeypatch.setattr(keys, "_hidden", lambda words: asked.append(words) or "pst")
    table = lent(system="primer-fog", encrypt=True)
    table.answer(table.players["north"])
    table.post()
    asked.clear()
    table.play_for_south(table.dora)
    assert set(asked) == {"passphrase of the private files of this game"}
    table.dora.pbem("adjudicate")
    assert Folder.open(table.dora.root).record(1).accepted["south"] is not None
    place = table.dora.root / "lent-south" / "private"
    assert is_locked((place / "signing-key").read_bytes()) and not (place / "secrets.json").exists()
    assert b"ENCRYPTED" in (place / "seal.pem").read_bytes()


def test_the_postmaster_of_a_deputy_plays_or_asks_as_the_gms_does(
    lent: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [word for one in ("answer_days=3", "grace_days=1") for word in ("--option", one)]
    table = lent(*words, "--option", "no_show=deputy")
    table.answer(table.players["north"])
    table.post()
    later = clock.now() + timedelta(days=5)
    monkeypatch.setattr(clock, "now", lambda: later)
    asks = [str(one) for one in serve(Folder.open(table.dora.root), [], -2).asks]
    assert any("pbem orders new --as south" in one for one in asks), asks
    assert not any("--as south" in str(one) for one in serve(Folder.open(table.gm.root), [], -2).asks)


def test_the_computer_plays_for_a_lent_seat_at_the_deputys(
    lent: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [word for one in ("answer_days=3", "grace_days=1") for word in ("--option", one)]
    table = lent(*words, "--option", "no_show=computer")
    table.answer(table.players["north"])
    table.post()
    later = clock.now() + timedelta(days=5)
    monkeypatch.setattr(clock, "now", lambda: later)
    did = " ".join(str(one) for one in serve(Folder.open(table.dora.root), [], -2).did)
    assert "the computer played for south" in did and "ran stage 1" in did
    table.post()
    assert Folder.open(table.gm.root).record(1).accepted["south"] is not None
    table.gm.pbem("verify")


def test_keys_that_are_not_the_players_are_refused(lent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = lent()
    wrong = {"south": {"chain": "1" * 64, "seal": "2" * 64, "sign": "3" * 64}}
    monkeypatch.setattr("pbem.cli.post.proxied.lent_keys", lambda _: wrong)
    table.gm.pbem("deputy", "handover")
    mail = max((table.gm.root / "outbox").glob("*handover*.eml"), key=lambda path: path.stat().st_mtime_ns)
    said = table.dora.pbem("receive", mail, code=None)
    assert "not that player's" in said.out + said.err
