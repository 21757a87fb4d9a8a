"""Seven play diplomacy by email, with press, a note, a grey letter, a no-show and a draw.

No folder and no email but those of its readers has a private word in clear.
"""

from __future__ import annotations

import base64
import email
import json
import re
from collections.abc import Sequence
from email import policy
from email.utils import getaddresses
from pathlib import Path
from typing import Any

import pytest

from tests.cli.play import Seat, pbem

POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
WORDS = {
    "Quorvelzyx": {"germany", "france", "italy"},  # a private letter
    "Mordwizqua": {"russia", "gm"},  # a letter to the GM alone
    "Tessilumbe": {"turkey", "austria", "gm"},  # a grey letter: its author, its reader, and who passes it on
    "Yandrophik": {"england", "france", "gm"},  # a note beside orders
    "Zephorblau": {"italy", "germany"},  # a letter after the end of the game
}

THREE = ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")


def address(who: str) -> str:
    return f"{who}@{who}.example"


class Seven:
    """A GM and seven players; each email goes to whom its To and Cc name, and to nobody else."""

    def __init__(self, root: Path) -> None:
        self.seats = {who: Seat(root / who) for who in ("gm", *POWERS)}
        self.got: dict[str, list[bytes]] = {who: [] for who in self.seats}
        self.sent: dict[Path, bytes] = {}
        self.box = root / "mails"
        self.box.mkdir()

    def by(self, who: str, *words: str | Path, **options: Any) -> str:
        ran = self.seats[who].pbem(*words, **options)
        return ran.out + ran.err

    def go(self) -> None:
        """Send what is new, until nothing is."""
        while new := [one for one in self._outgoing() if self.sent.get(one[1]) != one[1].read_bytes()]:
            for sender, path in new:
                data = self.sent[path] = path.read_bytes()
                message = email.message_from_bytes(data, policy=policy.default)
                named = {way for _, way in getaddresses([str(message["To"]), str(message["Cc"] or "")])}
                for who, seat in self.seats.items():
                    if address(who) in named and who != sender:
                        self.got[who].append(data)
                        mail = self.box / f"{len(list(self.box.iterdir())):05}.eml"
                        mail.write_bytes(data)
                        seat.pbem("receive", mail, code=None)

    def _outgoing(self) -> list[tuple[str, Path]]:
        places = ("outbox", "private/letters")
        return [
            (who, path)
            for who, seat in self.seats.items()
            for place in places
            for path in sorted((seat.root / place).glob("*.eml"))
        ]

    def order(self, who: str, vote: str = "", note: Any = None, orders: Sequence[str] = ()) -> None:
        """Give orders, or hold with all units, as an order file says it."""
        seat = self.seats[who]
        seat.pbem("orders", "new", "--force", "-o", seat.root / "orders.yaml")
        text = (seat.root / "orders.yaml").read_text("utf-8")
        said = f"{{orders: {json.dumps(list(orders))}" + (f", vote: {vote}" if vote else "") + "}"
        text = re.sub(r"(?m)^(  \S+/moves:)$", rf"\1 {said}", text)
        if note is not None:
            text = re.sub(r"(?m)^answers:$", f"answers:\n  note: {json.dumps(note)}", text)
        (seat.root / "orders.yaml").write_text(text, "utf-8")
        seat.pbem("orders", "sign", seat.root / "orders.yaml")
        (seat.root / "orders.yaml").unlink()

    def stage(self, *late: str) -> str:
        self.go()
        forfeits = [word for one in late for word in ("--forfeit", one)]
        said = self.by("gm", "adjudicate", *forfeits, *(["--deadline-passed"] if late else []))
        self.go()
        return said


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Seven:
    root = tmp_path_factory.mktemp("seven")
    made = Seven(root)
    for who in made.seats:
        pbem("key", "new", "--no-passphrase", "--file", root / "keys" / who)
    options = ("press=grey", "answer_days=3", "civil_disorder=true")
    terms = [word for one in options for word in ("--option", one)]
    who = ("--name", "Gus", "--mail", address("gm"), "--key", root / "keys/gm")
    gm = made.seats["gm"].root
    pbem("new", "diplomacy/standard", gm, "--title", "Seven", "--absent", "skip", *terms, *who)
    (invitation,) = (gm / "outbox").glob("*.pbem-invitation")
    for power in POWERS:
        one = ("--name", f"{power.title()}son", "--mail", address(power), "--key", root / "keys" / power)
        pbem("join", invitation, made.seats[power].root, "--as", power, *one)
    made.go()
    for seat in made.seats:
        made.by(seat, "sign", "--yes")
        made.go()
    made.stage()
    play(made)
    return made


def play(made: Seven) -> None:
    """Letters and a note; a stage without Russia; all vote for a draw; a letter after the end; unsealed."""
    made.by("germany", "letter", "--to", "france,italy", "--text", "Shall we split it? Quorvelzyx.")
    made.by("turkey", "letter", "--grey", "--to", "austria", "--text", "England means you. Tessilumbe.")
    made.by("russia", "letter", "--to", "gm", "--text", "I am away in May. Mordwizqua.")
    made.by("austria", "letter", "--public", "--text", "Good luck to all of you.")
    for power in POWERS:
        note = (
            {"to": ["france"], "text": "The Channel stays empty. Yandrophik."} if power == "england" else None
        )
        made.order(power, note=note, orders=THREE if power == "france" else ())
    made.stage()
    for power in POWERS:
        if power != "russia":
            made.order(power)
    made.stage("russia")
    for power in POWERS:
        made.order(power, vote="draw")
    made.stage()
    made.by("italy", "letter", "--to", "germany", "--text", "Well played. Zephorblau.")
    made.go()
    made.by("gm", "unseal", "--yes")
    made.go()


def test_the_game_ends_in_a_draw_and_every_folder_verifies(game: Seven) -> None:
    for who, seat in game.seats.items():
        assert seat.status["stage"] == 3, who
        assert "draw" in seat.pbem("report", "--public").out
        pbem("verify", seat.root)
    record = json.loads((game.seats["italy"].root / "stages/0002/record.json").read_bytes())
    assert record["forfeits"] == ["russia"]


def test_letters_and_the_note_are_read_by_those_they_are_for(game: Seven) -> None:
    for word, readers in WORDS.items():
        for who in sorted(readers):
            told = game.by(who, "letters", "--all") + game.by(who, "report", "1", "--as", who)
            assert word in told, (word, who)
    assert "grey" in game.by("austria", "letters", "--all")
    assert "Good luck" in game.by("turkey", "letters", "--all")


def coded(word: str) -> list[bytes]:
    """A word as it may stand in a file: plain, and inside base64 at each of three places."""
    plain = [word.encode(), word.lower().encode()]
    return plain + [base64.b64encode(b"x" * n + one)[4 if n else 0 : -4] for one in plain for n in range(3)]


def test_no_folder_and_no_email_but_those_of_readers_has_a_private_word(game: Seven) -> None:
    count = 0
    for word, readers in WORDS.items():
        pattern = re.compile(b"|".join(map(re.escape, coded(word))))
        for who, seat in game.seats.items():
            files = [path for path in seat.root.rglob("*") if path.is_file()]
            assert len(files) > 50
            found = [path for path in files if pattern.search(path.read_bytes())]
            count += len(found)
            if who in readers:
                assert found, (word, who)
                outside = [path for path in found if path.relative_to(seat.root).parts[0] != "private"]
                assert not outside, f"what may be published: {outside}"
            else:
                assert not found, (word, who, found)
                assert not [one for one in game.got[who] if pattern.search(one)]
        assert not [one for each in game.got.values() for one in each if pattern.search(one)], (
            "sealed under way"
        )
    assert count >= sum(map(len, WORDS.values()))


def test_who_wrote_the_grey_letter_is_in_no_folder_but_his_own_and_the_gms(game: Seven) -> None:
    authors = [path.stem for path in (game.seats["turkey"].root / "private/press").rglob("*.json")]
    sids = {stem for stem in authors if len(stem) == 64}
    assert sids
    for who, seat in game.seats.items():
        if who not in ("turkey", "gm"):
            assert not [path for path in seat.root.rglob("*") if path.stem in sids], who


def test_emails_are_small(game: Seven) -> None:
    (orders,) = (game.seats["france"].root / "outbox").glob("stage-0001-*orders*.eml")
    assert len(orders.read_bytes()) <= 3000, "three orders for seven people, with all headers"
    (quiet,) = (game.seats["gm"].root / "outbox").glob("stage-0002-gm-report*.eml")
    assert len(quiet.read_bytes()) <= 25_000, "a phase in which nobody moved"
