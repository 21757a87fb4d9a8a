"""`pbem table` for people without a command line: three of them begin a game, join, sign, order and verify by
pages alone; and what only a game master, or all together, may do."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from pbem.archive import Folder, verify
from pbem.cli.games.memory import Memory
from pbem.cli.web import commands
from pbem.cli.web.desk import Desk
from pbem.cli.web.handing_on import MOST_BYTES, unpacked
from pbem.text.diagnostics import Refused
from tests.cli.play import carried
from tests.cli.test_table import Said, Visitor

FORM = "application/x-www-form-urlencoded"
SEATS = ("red", "blue")


def coded(said: Said) -> str:
    """The code of the diagnostic on a page; empty if there is none."""
    found = re.search(r'data-code="([a-z-]+)"', said.text)
    return found[1] if found else ""


class Someone:
    """A person at a computer of his own: home, table, browser."""

    def __init__(self, root: Path, name: str, patch: pytest.MonkeyPatch) -> None:
        self.home, self.name, self.patch = root / name, name, patch
        self.home.mkdir(parents=True, exist_ok=True)
        self.desk = Desk(self.home, Memory(self.home / "games.json"))
        self.visitor = Visitor(self.desk)
        self.game = next(iter(self.desk.games()), "")

    def _at_home(self) -> None:
        for name in ("HOME", "USERPROFILE"):
            self.patch.setenv(name, str(self.home))
        self.patch.setenv("XDG_DATA_HOME", str(self.home / "data"))

    def get(self, path: str) -> Said:
        self._at_home()
        return self.visitor.ask("GET", path)

    def post(self, path: str, *pairs: tuple[str, str], **fields: str) -> Said:
        self._at_home()
        body = urlencode([*pairs, *fields.items()]).encode()
        return self.visitor.ask("POST", path, body, CONTENT_TYPE=FORM)

    def drop(self, path: str, files: Mapping[str, bytes]) -> Said:
        """Drop files, as a browser sends them."""
        self._at_home()
        parts = [
            f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n".encode()
            + data
            + b"\r\n"
            for name, data in files.items()
        ]
        body = b"".join(parts) + b"--x--\r\n"
        return self.visitor.ask("POST", path, body, CONTENT_TYPE="multipart/form-data; boundary=x")

    def page(self, name: str = "") -> str:
        said = self.get(f"/g/{self.game}/{name}")
        assert said.status == 200, said.text[-500:]
        return html.unescape(said.text)

    def do(self, what: str, **fields: str) -> Said:
        return self.post(f"/g/{self.game}/do", what=what, **fields)

    def takes(self, *files: Mapping[str, bytes]) -> str:
        said = self.drop(f"/g/{self.game}/post", {name: data for one in files for name, data in one.items()})
        assert said.status == 200, said.text[-500:]
        return html.unescape(said.text)

    def letters(self) -> dict[str, bytes]:
        """The letters that the page of post offers, as they are saved."""
        waiting = self.page("post").split('id="h-out"')[1].split("</section>")[0]
        found = re.findall(rf'href="/g/{self.game}/letter/([^"]+\.(?:eml|pbem-invitation))"', waiting)
        return {name: self.get(f"/g/{self.game}/letter/{name}").body for name in found}

    def folder(self) -> Folder:
        return self.desk.open(self.game)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ann invites, Bob and Cid join, all sign, the game begins: by pages alone. Do not change it: copy it."""
    root = tmp_path_factory.mktemp("people")
    with pytest.MonkeyPatch.context() as patch:
        ann, bob, cid = (Someone(root, name, patch) for name in ("ann", "bob", "cid"))
        begun = ann.post(
            "/new/victory/sarn_strait_two",
            name="Ann",
            mail="ann@example.org",
            title="First blood",
            dice="swift",
        )
        assert begun.status == 303, html.unescape(begun.text)
        ann.game = begun.headers["Location"].split("/")[-2]
        (invitation,) = ann.letters().values()
        for person, seat in ((bob, "red"), (cid, "blue")):
            shown = person.drop("/mail", {"first-blood.pbem-invitation": invitation})
            assert "First blood" in shown.text and "You have no signing key" in shown.text
            carried = re.search(r'name="invitation" value="([^"]+)"', shown.text)
            assert carried is not None
            joined = person.post(
                "/join", invitation=carried[1], seat=seat, name=person.name, mail=f"{person.name}@example.org"
            )
            assert joined.status == 303, html.unescape(joined.text)
            person.game = joined.headers["Location"].split("/")[-2]
        ann.takes(bob.letters(), cid.letters())
        assert "everyone has joined" in ann.page()
        assert ann.do("sign-roster").status == 200
        for person in (bob, cid):
            person.takes(ann.letters())
            assert "Compare the game id" in person.page()
            assert person.do("sign-roster").status == 200
        ann.takes(bob.letters(), cid.letters())
        assert ann.do("run").status == 200 and ann.folder().stage == 0
        for person in (bob, cid):
            person.takes(ann.letters())
            assert person.folder().stage == 0
    return root


@pytest.fixture
def people(
    begun: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Someone]:
    """Everybody at the first question of the game."""
    root = carried(begun, tmp_path_factory.mktemp("copies") / "people")
    return {name: Someone(root, name, monkeypatch) for name in ("ann", "bob", "cid")}


def test_a_game_is_begun_joined_and_signed_by_pages(people: dict[str, Someone]) -> None:
    bob = people["bob"]
    key = bob.home / "data" / "pbem" / "id_ed25519"
    assert key.stat().st_mode & 0o777 == 0o600, "his key was made, for him alone"
    assert "To do" in bob.page() and "First blood" in html.unescape(bob.get("/").text)


def test_the_game_master_looks_before_he_runs_and_reminds(people: dict[str, Someone]) -> None:
    ann = people["ann"]
    before = ann.folder().stage
    said = html.unescape(ann.do("look").text)
    assert "waits; nothing was run" in said and "red" in said and ann.folder().stage == before
    assert "reminder" in html.unescape(ann.do("remind", party="red").text)
    assert any("reminder" in name for name in ann.letters())


def test_a_ruling_is_shown_before_it_is_signed(people: dict[str, Someone]) -> None:
    ann = people["ann"]
    unit = next(iter(sorted(ann.folder().state().position.counters)))
    at = ann.folder().state().position.hex(unit)
    looked = html.unescape(ann.do("rule", reason="misplaced", move=f"{unit}={at}").text)
    assert "What you would sign" in looked and unit in looked
    assert not list(ann.folder().root.glob("stages/*/*rul*")), "nothing is signed by looking"
    wrong = html.unescape(ann.do("rule", reason="misplaced", move="nobody=0305").text)
    assert "Nothing was done" in wrong or "no counter" in wrong


def test_an_amendment_is_proposed_shown_and_signed_by_the_others(people: dict[str, Someone]) -> None:
    ann, bob, cid = people["ann"], people["bob"], people["cid"]
    assert "must still sign: gm, red, blue" in ann.do("amend-option", setting="absent=skip").text
    signed = html.unescape(ann.do("amend-option", setting="absent=skip", yes="1").text)
    assert "amend" in signed, signed[-400:]
    letter = {name: data for name, data in ann.letters().items() if "amend" in name}
    for person in (bob, cid):
        person.takes(letter)
        desk = person.page("desk")
        assert "absent" in desk and "Preview" in desk
        sid = re.search(r'name="sid" value="([0-9a-f]+)"', desk)
        assert sid is not None
        assert person.do("amend-sign", sid=sid[1], yes="1").status == 200
    desk = bob.page("desk")
    assert "signed by" in desk and 'name="sid"' not in desk, "he has signed it"


def test_orders_are_clicked_signed_taken_back_and_signed_again(people: dict[str, Someone]) -> None:
    ann, bob, cid = people["ann"], people["bob"], people["cid"]
    for person in (bob, cid):
        base = f"/g/{person.game}"
        state = json.loads(person.get(f"{base}/state").body)
        key = state["questions"][0]["key"]
        options = person.visitor.json(f"{base}/options", key=key, at=None)["options"]
        one = options[2]
        person.visitor.json(f"{base}/choose", key=key, at=None, number=one["number"], text=one["text"])
        assert "Signed" in person.post(f"{base}/sign").text
    assert "can take it back" in bob.page("post")
    assert "taken back" in html.unescape(bob.do("undo").text)
    assert "Signed" in bob.post(f"/g/{bob.game}/sign").text
    ann.takes(bob.letters(), cid.letters())
    ran = html.unescape(ann.do("run", by="Sunday").text)
    assert ann.folder().stage == 1, ran[-600:]
    bob.takes(ann.letters())
    assert bob.folder().stage == 1 and "initiative" in bob.page()
    assert verify(bob.folder().root).ok
    assert "No errors found" in bob.post(f"/g/{bob.game}/trust").text


def test_a_letter_is_noted_as_mailed(people: dict[str, Someone]) -> None:
    ann = people["ann"]
    name = next(iter(ann.letters()))
    said = html.unescape(ann.do("sent", letter=f"outbox/{name}").text)
    assert "noted" in said and name not in ann.letters() and name in ann.page("post")


def test_a_backup_is_locked_and_asked_for_until_it_is_done(people: dict[str, Someone]) -> None:
    bob = people["bob"]
    assert "Save a backup of your private files" in bob.page("trust")
    refused = bob.post(f"/g/{bob.game}/backup", passphrase="")
    assert refused.status == 409 and "a backup needs a passphrase" in refused.text
    saved = bob.post(f"/g/{bob.game}/backup", passphrase="correct horse")
    assert saved.status == 200 and b"private/me.json" not in saved.body
    assert "attachment" in saved.headers["Content-Disposition"]
    assert "was saved" in bob.page("trust")


def test_a_game_can_be_forgotten_and_its_folder_stays(people: dict[str, Someone]) -> None:
    cid = people["cid"]
    elsewhere = Desk(cid.home.parent / "ann" / "nowhere", cid.desk.memory)
    assert cid.game in elsewhere.games(), "it is known wherever the table is opened"
    root = cid.folder().root
    cid.post("/forget", game=cid.game)
    assert cid.game not in elsewhere.games() and root.is_dir()


def test_games_that_commands_opened_are_on_the_page_of_games(tmp_path: Path) -> None:
    """And those that the table opened are told by `pbem` alone."""
    known = Memory(tmp_path / "pbem" / "games.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        patch.setattr("pbem.cli.games.memory.usual", lambda: known.path)
        root = Desk(tmp_path / "here").open(Desk(tmp_path / "here").practice("victory", "red")).root
        assert known.games() == [], "a table without a memory notes nothing"
        assert commands.run(root, "status").ok and known.games() == [root]
        assert commands.run(root.parent / "blue", "status").ok and known.games() == [root], (
            "it is the computer's"
        )
        assert list(Desk(tmp_path / "elsewhere", known).games().values()) == [root]
        (tmp_path / "empty").mkdir()
        said = commands.run(tmp_path / "empty")
        assert "to do" in " ".join(said.lines) and "red" in " ".join(said.lines)
        assert known.path is not None
        before = known.path.stat()
        assert before.st_mode & 0o077 == 0
        assert commands.run(root, "map").ok
        assert known.path.stat().st_mtime_ns == before.st_mtime_ns, "what is known is not written again"


def test_a_heap_of_mails_is_taken_in_at_once(people: dict[str, Someone]) -> None:
    heap = {f"{n}.eml": b"Subject: chess\n\n" + b"e4 e5 " * 5000 + b"\n" for n in range(12)}
    assert people["bob"].takes(heap).count("nothing signed") == 1


def test_the_order_file_is_in_the_page_letter_by_letter(people: dict[str, Someone]) -> None:
    """Without a script it is written there and sent back, so nothing in it may be made visible, or go."""
    bob = people["bob"]
    orders = bob.get(f"/g/{bob.game}/orders").text
    text = re.search(r"<textarea[^>]*name=\"text\"[^>]*>(.*?)</textarea>", orders, re.S)
    assert text is not None and "\nstage: " in html.unescape(text[1])


# ---- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "fields", "code"),
    [
        ("do", {"what": "nonsense"}, "no-action"),
        ("do", {"what": "--help"}, "no-action"),
        ("standing/nonsense", {}, "no-form"),
        ("backup", {}, "no-passphrase"),
    ],
)
def test_what_is_not_offered_is_refused(
    people: dict[str, Someone], path: str, fields: dict[str, str], code: str
) -> None:
    bob = people["bob"]
    said = bob.post(f"/g/{bob.game}/{path}", **fields)
    assert said.status == 409 and coded(said) == code


@pytest.mark.parametrize("typed", ["--help", "-C/", "--key=/etc/passwd", "--yes", "-"])
def test_what_is_typed_is_never_an_option(people: dict[str, Someone], typed: str) -> None:
    ann, bob = people["ann"], people["bob"]
    for who, what, fields in (
        (bob, "protest", {"words": typed}),
        (bob, "withdraw", {"entry": typed}),
        (ann, "remind", {"party": typed}),
        (ann, "amend-option", {"setting": typed}),
        (ann, "amend-drop", {"party": typed}),
        (ann, "rewind", {"stage": typed}),
        (ann, "rule", {"reason": typed, "move": typed}),
        (bob, "sent", {"letter": typed}),
        (bob, "amend-key", {"who": typed, "mail": typed}),
    ):
        said = html.unescape(who.do(what, **fields).text)
        assert "Usage: pbem" not in said or "Error" in said or "error" in said, (what, typed)
        assert "root:" not in said and "Example:" not in said, (what, typed)


def test_a_mail_of_no_game_says_so(people: dict[str, Someone]) -> None:
    bob = people["bob"]
    said = bob.drop("/mail", {"hello.eml": b"From: a@example.org\n\nhello\n"})
    assert said.status == 409 and coded(said) == "nothing-found"
    assert "choose a file or paste a text first" in bob.drop("/mail", {}).text


def test_of_a_pile_each_game_takes_its_own(people: dict[str, Someone]) -> None:
    """Letters of two games at once, in one file and in several; nothing in them is for a third."""
    ann, bob, cid = people["ann"], people["bob"], people["cid"]
    first = ann.game
    bob.do("protest", words="the map is upside down")
    cid.do("protest", words="no, it is not")
    protests = {f"{who.name}-{name}": data for who in (bob, cid) for name, data in who.letters().items()}
    begun = ann.post("/new/victory/sarn_strait_two", name="Ann", mail="ann@example.org", title="Second blood")
    ann.game = begun.headers["Location"].split("/")[-2]
    (invitation,) = ann.letters().values()
    shown = bob.drop("/mail", {"second.pbem-invitation": invitation})
    carried = re.search(r'name="invitation" value="([^"]+)"', shown.text)
    assert carried is not None
    joined = bob.post("/join", invitation=carried[1], seat="red", name="Bob", mail="bob@example.org")
    bob.game = joined.headers["Location"].split("/")[-2]
    (join,) = bob.letters().values()
    (one, two) = protests.values()
    box = b"".join(b"From x\n" + data.replace(b"\r\n", b"\n") + b"\n\n" for data in (one, join))
    said = ann.drop("/mail", {"pile.mbox": box, "two.eml": two})
    assert said.status == 200, said.text[-500:]
    text = html.unescape(said.text)
    assert "First blood" in text and "Second blood" in text and "no game on this computer" not in text
    assert "red" in ann.page() and "joined" in ann.page(), "the second game has its entry"
    ann.game = first
    came = ann.page("post")
    assert came.count("protest") >= 2, "and the first one both protests"


def test_an_invitation_in_a_pile_is_answered_after_the_rest_is_taken_in(people: dict[str, Someone]) -> None:
    ann, bob = people["ann"], people["bob"]
    ann.do("protest", words="hurry up")
    letters = ann.letters()
    begun = ann.post("/new/victory/sarn_strait_two", name="Ann", mail="ann@example.org", title="Second blood")
    ann.game = begun.headers["Location"].split("/")[-2]
    said = bob.drop("/mail", letters | ann.letters())
    assert said.status == 200 and "First blood" in said.text
    carried = re.search(r'name="text" value="([^"]+)"', said.text)
    assert carried is not None and "Answer the invitation to Second blood" in said.text
    form = bob.post("/mail", text=html.unescape(carried[1]))
    assert form.status == 200 and "You are invited" in form.text and "Second blood" in form.text


def test_a_receipt_is_a_letter_to_read_wherever_it_is_dropped(people: dict[str, Someone]) -> None:
    ann, bob = people["ann"], people["bob"]
    bob.do("protest", words="the map is upside down")
    ann.takes(bob.letters())
    data = next((ann.folder().root / "outbox" / "receipts").glob("*.eml")).read_bytes()
    for said in (bob.drop("/mail", {"a.eml": data}).text, bob.takes({"a": data})):
        assert "1 email to read" in html.unescape(said) and "nothing signed" not in said


def test_a_mail_of_no_game_here_says_so_beside_those_that_are(
    people: dict[str, Someone], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = people["ann"], people["bob"]
    dan = Someone(tmp_path, "dan", monkeypatch)
    begun = dan.post("/new/victory/sarn_strait_two", name="Dan", mail="dan@example.org", title="Third")
    dan.game = begun.headers["Location"].split("/")[-2]
    (invitation,) = dan.letters().values()
    cid = people["cid"]
    shown = cid.drop("/mail", {"third.pbem-invitation": invitation})
    carried = re.search(r'name="invitation" value="([^"]+)"', shown.text)
    assert carried is not None
    joined = cid.post("/join", invitation=carried[1], seat="red", name="Cid", mail="cid@example.org")
    cid.game = joined.headers["Location"].split("/")[-2]
    ann.do("protest", words="hurry up")
    said = html.unescape(bob.drop("/mail", ann.letters() | cid.letters()).text)
    assert "First blood" in said and "a statement belongs to no game on this computer" in said


def test_standing_orders_wait_for_the_game(people: dict[str, Someone], tmp_path: Path) -> None:
    ann = people["ann"]
    begun = ann.post("/new/victory/sarn_strait", name="Ann", mail="ann@example.org", title="Another")
    game = begun.headers["Location"].split("/")[-2]
    assert coded(ann.get(f"/g/{game}/standing")) in ("not-begun", "wrong-role")
    assert coded(ann.get("/new/victory/nowhere")) == "no-scenario"
    assert "nobody has taken this seat yet" in html.unescape(ann.get(f"/g/{game}/").text)


# ---- joining late --------------------------------------------------------------------------------------


@pytest.fixture
def dan(people: dict[str, Someone]) -> Someone:
    """Somebody who was not there when the game began."""
    return Someone(people["ann"].home.parent, "dan", people["ann"].patch)


def test_somebody_takes_over_a_seat_of_a_running_game_by_pages_alone(
    people: dict[str, Someone], dan: Someone
) -> None:
    """The archive is saved and dropped, the entry mailed, proposed, signed by all; then he is asked."""
    ann, bob = people["ann"], people["bob"]
    assert f'href="/g/{ann.game}/archive"' in ann.page("desk")
    archive = ann.get(f"/g/{ann.game}/archive")
    assert archive.status == 200 and archive.body.startswith(b"PK") and b"private" not in archive.body
    shown = html.unescape(dan.drop("/mail", {"first-blood.pbem-archive.zip": archive.body}).text)
    assert "Take over a seat" in shown and "until now cid" in shown
    id = re.search(r"<code>([0-9a-f ]+)</code>", shown)
    assert id is not None and id[1] in ann.page("trust"), "the game's id, to be compared"
    carried = re.search(r'name="archive" value="([^"]+)"', shown)
    assert carried is not None
    fields = {"archive": carried[1], "seat": "blue", "name": "Dan", "mail": "dan@example.org"}
    joined = dan.post("/take-over", **fields)
    assert joined.status == 303, html.unescape(joined.text)
    dan.game = joined.headers["Location"].split("/")[-2]
    (entry,) = dan.letters().values()
    said = ann.takes({"join-blue.eml": entry})
    assert "Dan wants to take over blue" in said, said[:2000]
    offered = re.search(r'name="carried" value="([^"]+)"', said)
    assert offered is not None
    looked = html.unescape(ann.do("amend-takeover", carried=offered[1], aware="1").text)
    again = re.search(r'name="carried" value="([^"]+)"', looked)
    assert "Dan <dan@example.org> now plays blue" in looked and again is not None
    assert "must still sign" in ann.do("amend-takeover", carried=again[1], aware="1", yes="1").text
    letter = {name: data for name, data in ann.letters().items() if "amend" in name}
    for person in (bob, dan):
        person.takes(letter)
        sid = re.search(r'name="sid" value="([0-9a-f]+)"', person.page("desk"))
        assert sid is not None, "it waits for him"
        assert person.do("amend-sign", sid=sid[1], aware="1", yes="1").status == 200
    ann.takes({k: v for one in (bob, dan) for k, v in one.letters().items() if "amend" in k})
    assert ann.do("run").status == 200
    report = {name: data for name, data in ann.letters().items() if "report" in name}
    for person in (bob, dan):
        person.takes(report)
    assert dan.folder().stage == ann.folder().stage == bob.folder().stage
    assert verify(dan.folder().root).ok and dan.folder().need_roster() is not None
    assert dan.folder().progress.roster.by_id["blue"].name == "Dan"


@pytest.mark.parametrize(
    "names", [["../../evil"], ["roster.json", "../evil"], ["roster.json", "private/me.json", "/etc/evil"], []]
)
def test_an_archive_that_leads_elsewhere_writes_nothing(
    dan: Someone, tmp_path: Path, names: list[str]
) -> None:
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        for name in names:
            archive.writestr(name, "{}")
    into = tmp_path / "into"
    into.mkdir()
    with suppress(Refused):
        unpacked(made.getvalue(), into)
    assert {path.name for path in tmp_path.rglob("*")} <= {"into", "roster.json"}
    said = dan.drop("/mail", {"evil.zip": made.getvalue()})
    assert said.status == 409 and coded(said) in ("no-archive", "not-sound", "nothing-found")


def test_an_archive_that_swells_is_refused(dan: Someone) -> None:
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        archive.writestr("roster.json", b" " * (MOST_BYTES + 1))
    assert coded(dan.drop("/mail", {"bomb.zip": made.getvalue()})) == "too-large"
