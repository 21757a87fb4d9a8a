"""The page of games and what begins there: games that are kept, moved here, forgotten, or of several."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from pbem.archive import Folder
from pbem.cli.games.memory import Memory
from pbem.cli.games.practice import Person
from pbem.cli.web import pages, signing
from pbem.cli.web.desk import Desk, name_of
from pbem.text.diagnostics import Refused
from pbem.trust import keys
from tests.cli.play import Table, pbem, tree
from tests.cli.test_table import PORT, Said, Visitor
from tests.practising import practising

FORM = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}
FILE = {"CONTENT_TYPE": "multipart/form-data; boundary=x"}


class Host(Visitor):
    """Somebody at a folder of games, with a memory of its own."""

    def __init__(self, start: Path) -> None:
        start.mkdir(exist_ok=True)
        self.desk = Desk(start, Memory(start / "games.json"))
        super().__init__(self.desk)

    def fill(self, path: str, fields: Mapping[str, str]) -> Said:
        return self.ask("POST", path, urlencode(fields).encode(), **FORM)

    def send(self, path: str, data: bytes, **fields: str) -> Said:
        """Send a file and what is typed beside it."""
        named = {f'name="{name}"': value.encode() for name, value in fields.items()}
        parts = {'name="file"; filename="a"': data, **named}
        body = b"".join(
            f"--x\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + part + b"\r\n"
            for head, part in parts.items()
        )
        return self.ask("POST", path, body + b"--x--\r\n", **FILE)

    def text(self, path: str = "/") -> str:
        return html.unescape(self.ask("GET", path).text)


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    return Host(tmp_path / "here")


# ---- what is kept of a game


def test_the_page_of_games_says_the_same_of_a_game_that_was_kept(after: Any, tmp_path: Path) -> None:
    """Of each person's folder: who waits for whom, what came in, what is to be sent."""
    table: Table = after("open", 2)
    table.answer(table.players["north"])
    table.post()
    table.gm.pbem("adjudicate")
    table.post()
    table.players["north"].pbem("letter", "--to=south", "--text=well met")
    for seat in (table.gm, *table.players.values()):
        memory = Memory(tmp_path / f"{seat.root.name}.json")
        memory.remember(seat.root)
        at = Visitor(Desk(seat.root, memory))
        read = at.ask("GET", "/").text
        assert memory.noted(seat.root, "stood")["stage"] == 3 and "At dawn" in read
        assert at.ask("GET", "/").text == read


def test_a_game_with_a_deadline_is_read_anew_each_time(after: Any, tmp_path: Path) -> None:
    table: Table = after("open", 2)
    memory = Memory(tmp_path / "games.json")
    memory.remember(table.gm.root)
    assert "Sunday" in Visitor(Desk(table.gm.root, memory)).ask("GET", "/").text
    assert memory.noted(table.gm.root, "stood") is None


def test_another_program_reads_a_game_anew(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an earlier one kept may say it in other words."""
    root = host.desk.open(practising(host.desk, "victory", "red")).root
    host.text()

    def kept() -> str:
        return str(host.desk.memory.noted(root, "stood")["mark"])

    before = kept()
    host.text()
    assert kept() == before
    for globals_ in ({"fingerprint": "a"}, {"fingerprint": "b"}):
        monkeypatch.setitem(pages.environment().globals, "fingerprint", globals_["fingerprint"])
        host.text()
        assert kept() != before
        before = kept()


def test_what_is_unread_is_counted_from_the_last_report_looked_at(host: Host) -> None:
    name = practising(host.desk, "victory", "red")
    root = host.desk.open(name).root
    for read, said in ((None, ""), (-1, "1 unread"), (0, "")):
        host.desk.memory.remember(root, **({} if read is None else {"read": read}))
        shown = host.desk.memory.noted(root, "read")
        assert ("unread" in host.text()) == bool(said), (read, shown)


def test_a_game_that_cannot_be_opened_leaves_the_others_on_the_page(host: Host, table: Table) -> None:
    practising(host.desk, "victory", "red")
    table.gm.root.rename(host.desk.start / "broken")
    (host.desk.start / "broken" / "roster.json").write_text("{")
    page = host.text()
    assert "broken: " in page and "Sarn" in page


# ---- where the table opens


def test_the_first_page_is_the_game_in_whose_folder_the_table_was_opened(host: Host) -> None:
    assert host.desk.first_page() == "/", "there is no game"
    name = practising(host.desk, "victory", "red")
    root = host.desk.open(name).root
    assert host.desk.first_page() == "/", "games below the folder are on the page of games"
    for start in (root, root / "private", root.parent):
        assert Desk(start).first_page() == f"/g/{name}/table", start
    begun = Desk(host.desk.start, opened=["0123456789"])
    assert begun.first_page() == "/g/0123456789/table", "and so is one that was begun with the table"


def test_each_new_game_has_a_folder_of_its_own(host: Host) -> None:
    names = []
    for _ in range(3):
        root = host.desk.fresh("Köln & the Sea!")
        root.mkdir()
        names.append(root.name)
    assert names == [names[0], f"{names[0]}-2", f"{names[0]}-3"]
    assert {one.parent for one in host.desk.start.glob("*") if one.is_dir()} == {host.desk.start}


# ---- several persons at one computer


def test_a_folder_with_something_else_in_it_is_left_alone(host: Host) -> None:
    taken = host.desk.start / "victory-red"
    taken.mkdir()
    (taken / "notes.txt").write_text("mine")
    with pytest.raises(Refused) as refused:
        host.desk.practice("victory", "red")
    assert refused.value.diagnostics[0].code == "folder-in-use" and list(tree(taken)) == ["notes.txt"]
    (taken / "notes.txt").unlink()
    assert host.desk.practice("victory", "red"), "an empty one is as good as none"
    with pytest.raises(Refused) as refused:
        host.desk.lay("victory", "sarn_strait", {"pink": Person("You")})
    assert refused.value.diagnostics[0].code == "unknown-seat"


def test_a_game_of_several_is_forgotten_with_all_their_folders(host: Host) -> None:
    people = {"who-red": "person", "who-blue": "person", "name-red": "Ann", "passphrase-red": ""}
    said = host.fill("/around/victory/sarn_strait", people)
    assert said.status == 303
    name = said.headers["Location"].split("/")[-2]
    between = host.text(f"/g/{name}/")
    assert "show me my pages" in between and "R-AR" not in between
    assert host.ask("GET", f"/g/{name}/seated").status != 204
    assert host.fill(f"/g/{name}/sit", {}).headers["Location"].endswith(f"/g/{name}/")
    assert host.ask("GET", f"/g/{name}/seated").status == 204
    assert len(json.loads((host.desk.start / "games.json").read_text("utf-8"))["games"]) == 2
    assert host.fill("/forget", {"game": name}).status == 303
    assert json.loads((host.desk.start / "games.json").read_text("utf-8"))["games"] == []


# ---- a seat moves to another computer


def test_a_seat_moves_by_a_backup_and_its_passphrase(host: Host, tmp_path: Path) -> None:
    name = practising(host.desk, "victory", "red")
    saved = host.fill(f"/g/{name}/backup", {"passphrase": "a b c"})
    assert saved.status == 200 and saved.headers["Content-Type"] == "application/octet-stream"
    elsewhere = Host(tmp_path / "there")
    for words, told in (("", "passphrase"), ("another", "passphrase")):
        page = elsewhere.send("/restore", saved.body, passphrase=words)
        assert page.status == 200 and told in page.text and 'name="passphrase"' in page.text
        assert not [one for one in elsewhere.desk.start.iterdir() if one.is_dir()]
    said = elsewhere.send("/restore", saved.body, passphrase="a b c")
    (root,) = elsewhere.desk.games().values()
    assert said.status == 303 and said.headers["Location"].endswith(f"/g/{name_of(root)}/table")
    before, now = host.desk.open(name), Folder.open(root)
    assert now.me == "red" and now.stage == before.stage and now.facts() == before.facts()
    assert elsewhere.desk.memory.noted(root, "saved") is True, "and need not be saved again"


def test_a_seat_that_waits_for_the_game_moves_to_its_post(tmp_path: Path, monkeypatch: Any) -> None:
    for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    host, there = Host(tmp_path / "here"), Host(tmp_path / "there")
    begun = host.fill(
        "/new/victory/sarn_strait_two", {"name": "Ann", "mail": "ann@example.org", "title": "First"}
    )
    game = begun.headers["Location"].split("/")[-2]
    saved = host.fill(f"/g/{game}/backup", {"passphrase": "a b c"}).body
    said = there.send("/restore", saved, passphrase="a b c")
    assert said.headers["Location"].endswith("/post")


# ---- keys


def test_whoever_has_a_key_is_not_given_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where the key that there is cannot be read: it says so when it is needed."""
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    for kind, wanted in (("none", False), ("own", True), ("login", True), ("damaged", True)):
        home = tmp_path / kind
        for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME"):
            monkeypatch.setenv(name, str(home))
        (home / ".ssh").mkdir(parents=True)
        (home / "pbem").mkdir()
        place = {"login": home / ".ssh" / "id_ed25519"}.get(kind, home / "pbem" / "id_ed25519")
        if kind == "damaged":
            place.write_text("no key")
        elif kind != "none":
            pbem("key", "new", "--no-passphrase", "--file", place)
        assert signing.has_key() is wanted, kind
        desk = Desk(home)
        before = tree(home)
        desk.with_key("secret words", ["status"])
        made = set(tree(home)) - set(before)
        assert bool(made) is not wanted, kind
        assert {name: data for name, data in tree(home).items() if name in before} == before


def test_a_game_that_is_begun_without_a_key_says_why_none_was_made(host: Host) -> None:
    """The passphrase is asked for on the page; without any there is no key and no game."""
    fields = {"name": "Ann", "mail": "not an address", "title": "First"}
    said = host.fill("/new/victory/sarn_strait_two", fields)
    assert said.status == 200 and "not an address" in html.unescape(said.text)
    assert not (host.desk.start / "first").exists()


# ---- requests that are no page's


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"CONTENT_TYPE": "text/plain"}, 403),
        ({"CONTENT_TYPE": None}, 403),
        ({"CONTENT_TYPE": "application/json; charset=utf-8"}, 200),
        ({"CONTENT_TYPE": "application/jsonl"}, 403),
    ],
)
def test_only_a_question_of_a_script_is_answered(
    host: Host, sent: dict[str, str | None], status: int
) -> None:
    name = practising(host.desk, "victory", "red")
    assert host.ask("POST", f"/g/{name}/counter", b'{"at": "R-AR1"}', **sent).status == status


@pytest.mark.parametrize("body", [b"[1]", b"{", b"", b'"x"', b"\xff"])
def test_a_question_that_is_none_asks_nothing(host: Host, body: bytes) -> None:
    name = practising(host.desk, "victory", "red")
    said = host.ask("POST", f"/g/{name}/counter", body)
    assert said.status == 200 and json.loads(said.body)["text"] == ""


def test_what_breaks_is_told_in_words_and_nothing_of_it_shown(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = practising(host.desk, "victory", "red")

    def broken(folder: Folder) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr(Folder, "facts", broken)
    monkeypatch.setattr(Folder, "view", broken)
    page = host.ask("GET", f"/g/{name}/orders")
    assert page.status == 500 and "secret" not in page.text and "nothing was lost" in page.text
    for asked in (
        host.ask("GET", f"/g/{name}/board"),
        host.ask("GET", f"/g/{name}/orders", HTTP_ACCEPT="application/json"),
        host.ask("POST", f"/g/{name}/after", b"{}"),
    ):
        told = json.loads(asked.body)
        assert asked.status == 500 and asked.headers["Content-Type"] == "application/json"
        assert told["wrong"] and told["faults"] == [] and "secret" not in asked.text
    assert page.headers["Content-Security-Policy"] and asked.headers["Cache-Control"] == "no-store"


def test_a_link_of_another_table_opens_nothing_here(host: Host) -> None:
    assert host.gate.link() != host.gate.link()
    assert host.ask("GET", "/?token=x", HTTP_COOKIE=None).status == 403
    assert host.ask("GET", f"/g/0123456789/?token={host.gate.tokens[0]}", HTTP_COOKIE=None).status == 403
    assert host.ask("POST", f"/?token={host.gate.tokens[0]}", HTTP_COOKIE=None).status == 403
    assert len(host.gate.tokens) == 2, "and a link that was asked for wrongly still opens"
    assert host.ask("GET", f"/?token={host.gate.tokens[1]}", HTTP_COOKIE=f"pbem-{PORT}=old").status == 200
    assert len(host.gate.tokens) == 1


def test_the_key_of_a_new_user_is_locked_with_the_words_typed(host: Host) -> None:
    """The same words sign the invitation; they are written nowhere."""
    fields = {"name": "Ann", "mail": "ann@example.org", "title": "First", "passphrase": "moon and sun"}
    assert host.fill("/new/victory/sarn_strait_two", fields).status == 303
    (key,) = host.desk.start.parent.rglob("id_ed25519")
    assert key.stat().st_mode & 0o777 == 0o600 and keys.is_locked(key.read_bytes())
    keys.FileSigner.load(key.read_bytes(), lambda _: "moon and sun")
    (invitation,) = host.desk.start.glob("first/outbox/*.pbem-invitation")
    assert b"BEGIN" in invitation.read_bytes()
    assert not any(b"moon and sun" in data for data in tree(host.desk.start.parent).values())
