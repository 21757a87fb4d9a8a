"""A whole game under pseudonyms by email: nobody but the GM learns who plays (protocol-letters 4)."""

from __future__ import annotations

import base64
import email
import json
import re
import shutil
import subprocess
from email import policy
from email.utils import getaddresses
from pathlib import Path

import pytest

from pbem.trust import sshsig
from tests.cli.play import Seat, pbem

SEATS = ("aldar", "brenn", "corva")
PEOPLE = {"aldar": "Quentinzxa", "brenn": "Oswaldinezy", "corva": "Theobrandzw"}
GM = "umpire@club.example"
WORD = "Velvetqumbra"


def address(seat: str) -> str:
    return f"{PEOPLE[seat].lower()}@home-of-{PEOPLE[seat].lower()}.example"


class Post:
    """Emails go to whom their `To:` names, and to nobody else; a mail program puts in who sends."""

    def __init__(self, root: Path) -> None:
        self.gm = Seat(root / "gm")
        self.players = {seat: Seat(root / PEOPLE[seat].lower()) for seat in SEATS}
        self.sent: dict[Path, bytes] = {}
        self.told: dict[str, str] = {}
        self.got: dict[str, list[bytes]] = {GM: [], **{address(seat): [] for seat in SEATS}}
        self.box = root / "mails"
        self.box.mkdir()

    @property
    def homes(self) -> dict[str, Seat]:
        return {GM: self.gm, **{address(seat): one for seat, one in self.players.items()}}

    def go(self) -> None:
        """Send what is new in every outbox until nothing is."""
        while True:
            mails = [
                (sender, path)
                for sender, seat in self.homes.items()
                for place in ("outbox", "private/letters")
                for path in sorted((seat.root / place).glob("*.eml"))
                if self.sent.get(path) != path.read_bytes()
            ]
            if not mails:
                return
            for sender, path in mails:
                data = self.sent[path] = path.read_bytes()
                message = email.message_from_bytes(data, policy=policy.default)
                assert "Cc" not in message, path
                ways = [one for _, one in getaddresses([str(message["To"])])]
                assert len(ways) == 1, f"{path} goes to {ways}"
                del message["From"]
                message["From"] = sender
                self.got[ways[0]].append(message.as_bytes())
                letter = self.box / f"{len(self.sent):04}-{len(list(self.box.iterdir())):04}.eml"
                letter.write_bytes(message.as_bytes())
                self.homes[ways[0]].pbem("receive", letter, code=None)


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Post:
    """A game of three under pseudonyms, played for two stages with letters, a protest and an amendment."""
    root = tmp_path_factory.mktemp("gunboat")
    made = Post(root)
    pbem("key", "new", "--no-passphrase", "--file", root / "keys" / "gm")
    who = ("--name", "The Umpire", "--mail", GM, "--key", root / "keys" / "gm")
    pbem("new", "diplomacy/three_shores", made.gm.root, "--title", "Masks", "--option", "gunboat=yes", *who)
    (invitation,) = (made.gm.root / "outbox").glob("*.pbem-invitation")
    (made.gm.root / "outbox" / invitation.name).with_suffix(".eml").unlink(missing_ok=True)
    for name, seat in made.players.items():
        pbem("join", invitation, seat.root, "--as", name, "--name", PEOPLE[name], "--mail", address(name))
    made.go()
    for seat in (made.gm, *made.players.values()):
        made.told[seat.root.name] = seat.pbem("sign", "--yes").err
        made.go()
    stage(made)
    made.players["aldar"].pbem("letter", "--to", "brenn", "--text", f"Hold the strait. {WORD}")
    made.players["brenn"].pbem("letter", "--public", "--text", "To all: the ridge is ours.")
    made.players["corva"].pbem("protest", "My mail is slow.")
    made.go()
    assert not letters(made.players["brenn"]), "it never goes at once"
    made.gm.pbem("ack", code=None)
    made.go()
    stage(made, orders=True)
    stage(made, orders=True)
    return made


def stage(post: Post, orders: bool = False) -> None:
    for seat in post.players.values() if orders else ():
        if seat.owes:
            seat.pbem("orders", "new", "--force", "-o", seat.root / "orders.yaml")
            text = (seat.root / "orders.yaml").read_text("utf-8")
            file = re.sub(r"(?m)^(  \S+/moves:)$", r"\1 {orders: []}", text)
            (seat.root / "orders.yaml").write_text(file, "utf-8")
            seat.pbem("orders", "sign", seat.root / "orders.yaml")
    post.go()
    post.gm.pbem("adjudicate")
    post.go()


def letters(seat: Seat) -> str:
    return WORD if WORD in seat.pbem("letters", "--with", "aldar", code=None).out else ""


def test_letters_come_by_way_of_the_gm_who_cannot_read_them(post: Post) -> None:
    assert letters(post.players["brenn"]) == WORD
    assert not letters(post.players["corva"])
    for seat in (post.gm, post.players["corva"]):
        assert not [p for p in seat.root.rglob("*") if p.is_file() and WORD.encode() in p.read_bytes()]
    for seat in (post.players["aldar"], post.players["corva"]):
        assert "the ridge is ours" in seat.pbem("letters", "--all").out


def test_all_play_on_and_every_folder_verifies(post: Post) -> None:
    stages = {seat.status["stage"] for seat in (post.gm, *post.players.values())}
    assert len(stages) == 1 and stages.pop() == 2
    for seat in post.players.values():
        pbem("verify", seat.root)
    found = [p.name for p in (post.players["aldar"].root / "stages").rglob("*.json")]
    assert found
    kinds = {
        json.loads(p.read_bytes()).get("type")
        for p in (post.players["aldar"].root / "stages").rglob("*.json")
        if re.fullmatch("[0-9a-f]{64}.json", p.name)
    }
    assert "protest" in kinds, "what one player says to all is sent on"


def test_entries_have_the_name_of_the_seat_the_address_of_the_gm_and_a_key_of_their_own(post: Post) -> None:
    roster = json.loads((post.gm.root / "roster.json").read_bytes())
    for party in roster["parties"]:
        if party["role"] == "player":
            assert (party["name"], party["mail"]) == (party["id"], GM)
    for seat in post.players.values():
        me = json.loads((seat.root / "private/me.json").read_bytes())
        assert Path(me["key_file"]).parent == seat.root / "private"


def marks(seat: str) -> list[bytes]:
    """What would give a player away: name, address, parts of it; in clear, base64, and quoted."""
    words = [PEOPLE[seat], PEOPLE[seat].lower(), address(seat), f"home-of-{PEOPLE[seat].lower()}"]
    plain = [word.encode() for word in words]
    coded = [base64.b64encode(b"x" * n + one)[4 if n else 0 : -4] for one in plain for n in range(3)]
    return [*plain, *coded]


def test_no_folder_header_file_name_or_commit_tells_who_another_is(post: Post) -> None:
    for name, seat in post.players.items():
        if shutil.which("git"):
            me = {"GIT_CONFIG_GLOBAL": "/dev/null"}
            for what in ("AUTHOR", "COMMITTER"):
                me |= {f"GIT_{what}_NAME": name, f"GIT_{what}_EMAIL": f"{name}@x.example"}
            seat.pbem("archive", **me)
            log = subprocess.run(["git", "log", "-p", "--stat"], cwd=seat.root, capture_output=True).stdout
            assert log
        for other in set(SEATS) - {name}:
            for mark in marks(other):
                for path in seat.root.rglob("*"):
                    assert mark not in str(path.relative_to(seat.root)).encode(), path
                    assert not path.is_file() or mark not in path.read_bytes(), (name, other, path)
                for got in post.got[address(name)]:
                    assert mark not in got, (name, other, got[:400])
                assert not shutil.which("git") or mark not in log
        own = [path for path in published(seat) if any(mark in path.read_bytes() for mark in marks(name))]
        assert not own, f"what {name} may give away names {name}: {own}"


def published(seat: Seat) -> list[Path]:
    """The files that git takes."""
    if not shutil.which("git"):
        return []
    listed = subprocess.run(["git", "ls-files"], cwd=seat.root, capture_output=True, text=True).stdout
    return [seat.root / one for one in listed.splitlines()]


def test_the_gm_has_the_addresses_in_private_alone(post: Post) -> None:
    kept = json.loads((post.gm.root / "private/addresses.json").read_bytes())
    assert kept == {seat: address(seat) for seat in SEATS}
    for path in post.gm.root.rglob("*"):
        if path.is_file() and "private" not in path.relative_to(post.gm.root).parts:
            data = path.read_bytes()
            assert not any(mark in data for seat in SEATS for mark in marks(seat)), path


def test_no_key_of_ones_own_is_taken(post: Post, tmp_path: Path) -> None:
    (invitation,) = (post.gm.root / "outbox").glob("*.pbem-invitation")
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "mine")
    who = ("--name", "X", "--mail", "x@y.example", "--key", tmp_path / "mine")
    refused = pbem("join", invitation, tmp_path / "there", "--as", "aldar", *who, code=2)
    assert "pseudonyms" in refused.err
    assert not (tmp_path / "there").exists()


def test_before_signing_the_page_with_the_game_id_is_named(post: Post) -> None:
    told = post.told[post.players["brenn"].root.name]
    assert "on a page that you can read unobserved" in told and "Oswald" not in told
    fingerprints = [sshsig.fingerprint(sshsig.parse_public_line(p["sign"])) for p in _parties(post)]
    assert len(set(fingerprints)) == 4


def _parties(post: Post) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((post.gm.root / "roster.json").read_bytes())["parties"]
    return found
