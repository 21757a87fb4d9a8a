"""A whole game under pseudonyms by email: nobody but the GM learns who plays (protocol-letters 4)."""

from __future__ import annotations

import email
import html
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
from tests.cli.test_seven_by_email import coded
from tests.cli.test_table_people import Someone
from tests.tools.independent_audit import Audit

SEATS = ("aldar", "brenn", "corva")
NEW = "brenn, later"
PEOPLE = {"aldar": "Quentinzxa", "brenn": "Oswaldinezy", "corva": "Theobrandzw", NEW: "Wilhelmxqua"}
GM, DORA = "umpire@club.example", "dora@deputy.example"
WORD = "Velvetqumbra"


def address(seat: str) -> str:
    return f"{PEOPLE[seat].lower()}@home-of-{PEOPLE[seat].lower()}.example"


class Post:
    """Emails go to whom their `To:` names, and to nobody else; a mail program puts in who sends."""

    def __init__(self, root: Path) -> None:
        self.gm = Seat(root / "gm")
        self.players = {seat: Seat(root / PEOPLE[seat].lower()) for seat in SEATS}
        self.dora: Seat | None = None
        self.left = ""
        self.sent: dict[Path, bytes] = {}
        self.told: dict[str, str] = {}
        self.got: dict[str, list[bytes]] = {GM: [], DORA: [], **{address(one): [] for one in PEOPLE}}
        self.box = root / "mails"
        self.box.mkdir()

    @property
    def playing(self) -> list[Seat]:
        return [one for seat, one in self.players.items() if seat != self.left]

    @property
    def homes(self) -> dict[str, Seat]:
        deputy = {DORA: self.dora} if self.dora is not None else {}
        return {GM: self.gm, **deputy, **{address(seat): one for seat, one in self.players.items()}}

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
                assert ways, f"{path} goes to nobody"
                assert len(ways) == 1 or set(ways) == {GM, DORA}, f"{path} goes to {ways}"
                del message["From"]
                message["From"] = sender
                letter = self.box / f"{len(self.sent):04}-{len(list(self.box.iterdir())):04}.eml"
                letter.write_bytes(message.as_bytes())
                for way in ways:
                    self.got[way].append(message.as_bytes())
                    if way in self.homes:
                        self.homes[way].pbem("receive", letter, code=None)


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
    said = made.players["aldar"].pbem("letter", "--to", "brenn", "--text", f"Hold the strait. {WORD}").err
    made.told["whom to mail a letter"] = said
    made.players["brenn"].pbem("letter", "--public", "--text", "To all: the ridge is ours.")
    made.players["corva"].pbem("protest", "My mail is slow.")
    made.go()
    assert not letters(made.players["brenn"]), "it never goes at once"
    made.gm.pbem("ack", code=None)
    made.go()
    stage(made, orders=True)
    stage(made, orders=True)
    return made


@pytest.fixture(scope="module")
def after(post: Post, tmp_path_factory: pytest.TempPathFactory) -> Post:
    """The same game later: somebody else has taken brenn over, a deputy was named and has run a stage."""
    root = tmp_path_factory.mktemp("after")
    post.players[NEW] = newcomer = Seat(root / PEOPLE[NEW].lower())
    who = ("--as", "brenn", "--name", PEOPLE[NEW], "--mail", address(NEW))
    pbem("join", archive_of(post, root / "archive"), newcomer.root, *who)
    (entry,) = (newcomer.root / "outbox").glob("*.eml")
    entry = sent_from(entry, address(NEW), root / "from-the-newcomer.eml")
    post.go()
    post.gm.pbem("amend", "takeover", entry, "--yes")
    agree(post, "aldar", "corva", NEW)
    stage(post)
    post.left = "brenn"
    stage(post, orders=True)
    post.dora = Seat(root / "dora")
    pbem("key", "new", "--no-passphrase", "--file", root / "dora.key")
    who = ("--as", "dora", "--name", "Dora", "--mail", DORA, "--key", str(root / "dora.key"))
    pbem("join", archive_of(post, root / "later"), post.dora.root, "--deputy", *who)
    (entry,) = (post.dora.root / "outbox").glob("*.eml")
    post.go()
    post.gm.pbem("amend", "deputy", entry, "--yes")
    post.go()
    post.dora.pbem("amend", "sign", "--yes")
    agree(post, "aldar", "corva", NEW)
    stage(post, orders=True)
    post.gm.pbem("deputy", "handover")
    post.go()
    post.dora.pbem("deputy", "ready")
    post.gm.pbem("deputy", "charge")
    post.go()
    post.players["corva"].pbem("letter", "--to", "brenn", "--text", f"While she is in charge: {WORD}")
    post.go()
    stage(post, orders=True, by=post.dora)
    post.gm.pbem("deputy", "return")
    stage(post, orders=True)
    return post


def archive_of(post: Post, to: Path) -> Path:
    """A copy of the GM's folder without its private side, as it is handed to somebody new."""
    shutil.copytree(post.gm.root, to, ignore=shutil.ignore_patterns("private", "outbox"))
    return to


def sent_from(path: Path, sender: str, to: Path) -> Path:
    """An email as it comes: the email program put in who sends it."""
    message = email.message_from_bytes(path.read_bytes(), policy=policy.default)
    del message["From"]
    message["From"] = sender
    to.write_bytes(message.as_bytes())
    return to


def agree(post: Post, *seats: str) -> None:
    """These sign the amendment that waits; the GM passes their signatures on."""
    post.go()
    for seat in seats:
        post.players[seat].pbem("amend", "sign", "--yes")
    post.go()
    post.gm.pbem("ack", code=None)
    post.go()


def stage(post: Post, orders: bool = False, by: Seat | None = None) -> None:
    for seat in post.playing if orders else ():
        if seat.owes:
            seat.pbem("orders", "new", "--force", "-o", seat.root / "orders.yaml")
            text = (seat.root / "orders.yaml").read_text("utf-8")
            file = re.sub(r"(?m)^(  \S+/moves:)$", r"\1 {orders: []}", text)
            (seat.root / "orders.yaml").write_text(file, "utf-8")
            seat.pbem("orders", "sign", seat.root / "orders.yaml")
    post.go()
    post.told["the GM ran a stage"] = (by or post.gm).pbem("adjudicate").err
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
    stages = {seat.status["stage"] for seat in (post.gm, *post.playing)}
    assert len(stages) == 1 and stages.pop() >= 2
    for seat in post.playing:
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


def test_somebody_new_plays_on_under_the_same_pseudonym(after: Post) -> None:
    assert PEOPLE["brenn"] not in after.players[NEW].pbem("status").out
    folders = [after.gm, after.dora, *after.playing]
    assert len({seat.status["stage"] for seat in folders if seat is not None}) == 1
    for seat in after.playing:
        pbem("verify", seat.root)
    kept = json.loads((after.gm.root / "private/addresses.json").read_bytes())
    assert kept == {seat: address(NEW if seat == "brenn" else seat) for seat in SEATS}


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_the_second_implementation_reads_pseudonyms_takeovers_and_deputies(
    after: Post, tmp_path: Path
) -> None:
    audit = Audit(after.players["aldar"].root)
    audit.run()
    assert audit.faults == [] and audit.counts["pseudonyms"] == 9, "as it began, and after two amendments"
    named = tmp_path / "named"
    shutil.copytree(after.players["aldar"].root, named, ignore=shutil.ignore_patterns("private"))
    roster = (named / "roster.json").read_text("utf-8")
    (named / "roster.json").write_text(roster.replace('"name":"corva"', '"name":"Cora"'), "utf-8")
    again = Audit(named)
    again.run()
    assert "roster: the entry of corva names somebody" in again.faults


def test_nothing_that_a_player_is_told_names_another(after: Post) -> None:
    for name, seat in after.players.items():
        others = marks(*sorted(set(PEOPLE) - {name}))
        for words in (
            "status",
            "report",
            "letters --all",
            "verify",
            "amend list",
            "mail out --list",
            "stats",
        ):
            ran = seat.pbem(*words.split(), code=None)
            assert not others.search((ran.out + ran.err).encode()), (name, words)


def test_who_was_replaced_hears_that_and_no_more(after: Post) -> None:
    last = [email.message_from_bytes(one) for one in after.got[address("brenn")]][-1]
    assert str(last["Subject"]).startswith("Masks 3:"), "the stage that his going closed"
    assert len(after.got[address(NEW)]) > 8


def test_a_deputy_who_acts_passes_letters_on_and_the_players_learn_of_no_address(after: Post) -> None:
    assert WORD in after.players[NEW].pbem("letters", "--with", "corva").out
    assert "ran this stage for the GM" in after.players["aldar"].pbem("report", "6").out
    assert after.dora is not None
    held = json.loads((after.dora.root / "private/addresses.json").read_bytes())
    assert held == json.loads((after.gm.root / "private/addresses.json").read_bytes())


def marks(*seats: str) -> re.Pattern[bytes]:
    return re.compile(b"|".join(re.escape(one) for seat in seats for one in _marks(seat)))


def _marks(seat: str) -> list[bytes]:
    """What would give a player away: name, address, parts of it; in clear, base64, and quoted."""
    words = (PEOPLE[seat], address(seat), f"home-of-{PEOPLE[seat].lower()}")
    return [one for word in words for one in coded(word)]


@pytest.mark.parametrize("when", ["post", "after"])
def test_no_folder_header_file_name_or_commit_tells_who_another_is(
    when: str, request: pytest.FixtureRequest
) -> None:
    post: Post = request.getfixturevalue(when)
    for name, seat in post.players.items():
        if shutil.which("git"):
            me = {"GIT_CONFIG_GLOBAL": "/dev/null"}
            for what in ("AUTHOR", "COMMITTER"):
                me |= {f"GIT_{what}_NAME": name, f"GIT_{what}_EMAIL": f"{name}@x.example"}
            seat.pbem("archive", **me)
            log = subprocess.run(["git", "log", "-p", "--stat"], cwd=seat.root, capture_output=True).stdout
            assert log
        others = marks(*sorted(set(PEOPLE) - {name}))
        for path in seat.root.rglob("*"):
            assert not others.search(str(path.relative_to(seat.root)).encode()), path
            assert not path.is_file() or not others.search(path.read_bytes()), (name, path)
        for got in post.got[address(name)]:
            assert not others.search(got), (name, got[:400])
        assert not shutil.which("git") or not others.search(log)
        own = [path for path in published(seat) if marks(name).search(path.read_bytes())]
        assert not own, f"what {name} may give away names {name}: {own}"


def published(seat: Seat) -> list[Path]:
    """The files that git takes."""
    if not shutil.which("git"):
        return []
    listed = subprocess.run(["git", "ls-files"], cwd=seat.root, capture_output=True, text=True).stdout
    return [seat.root / one for one in listed.splitlines()]


def test_the_gm_and_the_deputy_have_the_addresses_in_private_alone(after: Post) -> None:
    assert after.dora is not None
    for root in (after.gm.root, after.dora.root):
        for path in root.rglob("*"):
            if path.is_file() and "private" not in path.relative_to(root).parts:
                assert not marks(*PEOPLE).search(path.read_bytes()), path


def test_no_key_of_ones_own_is_taken(post: Post, tmp_path: Path) -> None:
    (invitation,) = (post.gm.root / "outbox").glob("*.pbem-invitation")
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "mine")
    who = ("--name", "X", "--mail", "x@y.example", "--key", tmp_path / "mine")
    refused = pbem("join", invitation, tmp_path / "there", "--as", "aldar", *who, code=2)
    assert "pseudonyms" in refused.err
    assert not (tmp_path / "there").exists()


def test_nobody_is_told_to_mail_to_all_where_everything_goes_by_way_of_the_gm(post: Post) -> None:
    assert "email it to the GM alone" in post.told["whom to mail a letter"]
    assert "one to each player" in post.told["the GM ran a stage"]
    assert not [words for words in post.told.values() if "email it to everyone" in words]


def test_before_signing_the_page_with_the_game_id_is_named(post: Post) -> None:
    told = post.told[post.players["brenn"].root.name]
    assert "on a page that you can read unobserved" in told and "Oswald" not in told
    fingerprints = [sshsig.fingerprint(sshsig.parse_public_line(p["sign"])) for p in _parties(post)]
    assert len(set(fingerprints)) == 4


def _parties(post: Post) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((post.gm.root / "roster.json").read_bytes())["parties"]
    return found


# ---- by pages -------------------------------------------------------------------------------------------


def test_a_newcomer_and_a_deputy_come_in_by_pages_and_the_pages_name_nobody(
    post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm, dan, eve = (Someone(tmp_path, name, monkeypatch) for name in ("gm", "danzwick", "eve"))
    shutil.copytree(post.gm.root, gm.home / "masks")
    gm.game = next(iter(gm.desk.games()))
    archive = {"masks.pbem-archive.zip": gm.get(f"/g/{gm.game}/archive").body}
    for person, seat in ((dan, "corva"), (eve, "deputy")):
        shown = html.unescape(person.drop("/mail", archive).text)
        assert "players go by their seats" in shown and "be the game master's deputy" in shown
        offered = re.search(r'name="archive" value="([^"]+)"', shown)
        assert offered is not None
        mail = f"{person.name}@pages.example"
        joined = person.post("/take-over", archive=offered[1], seat=seat, name=person.name, mail=mail)
        assert joined.status == 303, html.unescape(joined.text)
        person.game = joined.headers["Location"].split("/")[-2]
        (sent,) = person.letters().values()
        assert sent.count(b"danzwick") == (1 if person is dan else 0), (
            "it comes from there, and says it nowhere"
        )
        said = gm.takes({"entry.eml": sent})
        assert ("corva wants to take over corva" if person is dan else "eve would be the game master") in said
        carried_on = re.search(r'name="carried" value="([^"]+)"', said)
        assert carried_on is not None
        what = "amend-takeover" if person is dan else "amend-deputy"
        known = (gm.home / "masks/private/addresses.json").read_bytes()
        assert "must still sign" in html.unescape(gm.do(what, carried=carried_on[1], aware="1").text)
        assert (gm.home / "masks/private/addresses.json").read_bytes() == known, "it was a look"
        assert "must still sign" in gm.do(what, carried=carried_on[1], aware="1", yes="1").text
    proposals = {name: one for name, one in gm.letters().items() if one.startswith(b"To: danzwick@")}
    assert proposals
    dan.takes(proposals)
    assert "amend-sign" in dan.page("desk")
    gm.do("mail-address", seat="aldar", mail="another@pages.example")
    assert "another@pages.example" in (gm.home / "masks/private/addresses.json").read_text("utf-8")
    for person in (dan, eve):
        told = "".join(person.page(page) for page in ("desk", "trust", "post", "letters", ""))
        assert not marks(*PEOPLE).search(told.encode())
        assert "Change my name or address" not in told
    assert "The new player emails the game master alone" in dan.page("desk")


def test_gm_and_deputy_hand_the_game_to_each_other_by_pages(
    after: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert after.dora is not None
    gm, dora = (Someone(tmp_path, name, monkeypatch) for name in ("gm", "dora"))
    for person, root in ((gm, after.gm.root), (dora, after.dora.root)):
        shutil.copytree(root, person.home / "masks")
        person.game = next(iter(person.desk.games()))
    assert 'id="h-deputy"' in gm.page("desk") and 'value="takeover"' not in dora.page("desk")
    assert 'id="h-run"' not in dora.page("desk")
    assert "email" in gm.do("deputy", do="charge").text
    charge = {name: one for name, one in gm.letters().items() if "charge" in name and DORA.encode() in one}
    dora.takes(charge)
    assert 'id="h-run"' in dora.page("desk") and 'value="return"' in dora.page("desk")
    assert dora.do("deputy", do="return").status == 200
    assert 'id="h-run"' not in dora.page("desk")
    assert 'id="h-addresses"' in gm.page("desk") and address(NEW) not in gm.page("desk")
