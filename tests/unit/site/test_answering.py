"""The table asked without a server, below a sub-path, and what it says it changed."""

from __future__ import annotations

import hashlib
import os
import random
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

import pytest

from pbem.cli.site.answering import Answering, Changes, Watched, warm
from pbem.cli.web import pages
from pbem.report import html
from pbem.text.writing import write_all
from tests.nightly import in_ci

BASE = "/games/pbem/t"
HOST = {"Host": "example.org"}
FORM = {**HOST, "Content-Type": "application/x-www-form-urlencoded"}
ADDRESS = re.compile(rb"""\b(?:href|action|src|formaction)=["']([^"'#][^"']*)""")


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Answering]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    made = Answering(str(tmp_path), BASE, "de-AT", "0123abcd")
    yield made
    made.end()
    pages.environment().globals["fingerprint"] = ""


def test_the_table_runs_below_a_sub_path(table: Answering) -> None:
    """No page leads out of the folder in which the site lies."""
    status, headers, _ = table.answer("POST", "/practice", "", FORM, b"system=victory&seat=red")
    assert status == 303
    to = urlsplit(dict(headers)["Location"])
    assert to.netloc == "example.org" and to.path.startswith(f"{BASE}/g/")
    game = to.path.removeprefix(BASE).removesuffix("/table")
    pages = ["/", "/new", "/new/victory/sarn_strait", "/around/victory/sarn_strait"]
    pages += [f"{game}/{one}" for one in ("table", "", "orders", "standing", "post", "desk", "trust")]
    for page in pages:
        status, headers, content = table.answer("GET", page, "", HOST, b"")
        assert status == 200, page
        leads = [one.decode() for one in ADDRESS.findall(content)]
        assert leads, page
        out = [one for one in leads if not urljoin(BASE + page, one).startswith((f"{BASE}/", "data:"))]
        assert out == [], page
        root = f'data-root="{BASE}"'.encode()
        assert root in content
    status, _, script = table.answer("GET", "/static/board-state.js", "", HOST, b"")
    assert status == 200 and b"dataset.root" in script


@in_ci
def test_no_page_is_compiled_after_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where the files have other times than when the site was built."""
    warm(BASE)
    with monkeypatch.context() as within:
        within.setattr("jinja2.loaders.FileSystemLoader.get_source", None)
        within.setattr("jinja2.loaders.os.path.getmtime", lambda path: 0.0)
        for templates in (html.environment(), pages.environment()):
            for name in templates.list_templates(extensions=["j2"]):
                assert templates.get_template(name)


def test_pages_are_in_the_language_of_the_reader_and_may_stand_in_the_frame(table: Answering) -> None:
    status, headers, content = table.answer("GET", "/", "", HOST, b"")
    told = dict(headers)
    assert status == 200 and b'lang="de"' in content
    assert b"0123abcd" in content, "players can compare which site this is"
    assert "frame-ancestors 'self'" in told["Content-Security-Policy"]
    assert "default-src 'none'" in told["Content-Security-Policy"]
    assert told["X-Frame-Options"] == "SAMEORIGIN"


def test_an_invitation_leads_to_a_page_that_takes_it(table: Answering) -> None:
    status, _, content = table.answer("GET", "/join", "", HOST, b"")
    assert status == 200 and b'<textarea id="pasted" name="text"' in content
    assert f'action="{BASE}/mail"'.encode() in content


def test_a_gm_takes_a_seat_for_a_player_without_a_program(table: Answering, tmp_path: Path) -> None:
    """By the own invitation, pasted on the same page: with a key of its own, and no email to oneself."""
    who = "name=Gina&mail=gina%40example.org"
    begun = f"{who}&dice=swift&absent=stop&option=plain_replies%3Dyes".encode()
    status, _, _ = table.answer("POST", "/new/victory/sarn_strait_two", "", FORM, begun)
    assert status == 303
    (invitation,) = (tmp_path / "games").glob("*/outbox/*.pbem-invitation")
    text = urlencode({"text": invitation.read_text()}).encode()
    status, _, content = table.answer("POST", "/mail", "", FORM, text)
    assert status == 200 and b'name="proxy"' in content
    carried = re.search(rb'name="invitation" value="([^"]+)"', content)
    assert carried is not None
    entry = {"invitation": carried[1].decode(), "seat": "blue", "proxy": "1"}
    entry |= {"name": "Bob", "mail": "bob@example.org"}
    status, _, content = table.answer("POST", "/join", "", FORM, urlencode(entry).encode())
    assert status == 303, content
    game = invitation.parents[1]
    assert {path.stem for path in (game / "inbox" / "joins").iterdir()} == {"blue", "gm"}
    keys = {path.read_bytes() for path in tmp_path.rglob("id_ed25519")}
    assert len(keys) == 2, "the player's key is not the GM's"


def test_a_backup_is_taken_in_with_its_passphrase_alone(table: Answering, tmp_path: Path) -> None:
    status, _, content = table.answer("GET", "/restore", "", HOST, b"")
    assert status == 200 and b"/restore" in content
    for file in (b"nothing", b"-----BEGIN PBEM KEY BACKUP-----\nAAAA\n-----END PBEM KEY BACKUP-----\n"):
        status, _, content = table.answer("POST", "/restore", "", *form(file, "correct horse"))
        assert status == 200 and b'role="alert"' in content
    assert not list((tmp_path / "games").glob("*"))


def form(file: bytes, words: str) -> tuple[dict[str, str], bytes]:
    """A form with a file and a passphrase, as browsers send it."""
    part = 'Content-Disposition: form-data; name="{}"{}\r\n\r\n'
    body = b"--cut\r\n" + part.format("file", '; filename="a.pbem-backup"').encode() + file + b"\r\n"
    body += b"--cut\r\n" + part.format("passphrase", "").encode() + words.encode() + b"\r\n--cut--\r\n"
    return {**HOST, "Content-Type": "multipart/form-data; boundary=cut"}, body


def test_faults_are_told_on_a_page(table: Answering) -> None:
    for method, path, wanted in (
        ("GET", "/no-such-page", 404),
        ("GET", "/g/0123456789/table", 409),
        ("PUT", "/", 403),
    ):
        status, _, content = table.answer(method, path, "", HOST, b"")
        assert status == wanted and b"<h1" in content, path


def test_what_a_request_changed_is_what_makes_the_folder_anew(table: Answering, tmp_path: Path) -> None:
    stored = Stored()
    for method, path, body in (("POST", "/practice", b"system=victory&seat=red"), ("GET", "/", b"")):
        table.answer(method, path, "", FORM, body)
        contents, files, files_gone, contents_gone = table.changed()
        stored.take(Changes(dict(contents), dict(files), files_gone, contents_gone))
    assert stored.disk() == _on_disk(tmp_path) and len(stored.files) > 50
    assert len(stored.contents) < len(stored.files), "what is the same is stored once"


def test_every_way_to_change_a_file_is_heard(tmp_path: Path) -> None:
    """By chance, for as long as it takes that each way follows each other."""
    root = tmp_path / "home"
    root.mkdir()
    (root / "first").write_bytes(b"0")
    watched = Watched(root)
    watched.begin({})
    (root / "first").write_bytes(b"1")
    stored = Stored()
    chance = random.Random(31)
    try:
        for number in range(300):
            _change(root, chance, number)
            if chance.random() < 0.3:
                stored.take(watched.changed())
                assert stored.disk() == _on_disk(root)
                assert set(stored.contents) == set(stored.files.values()), "nothing stays that no file needs"
    finally:
        watched.end()
    watched.changed()
    (root / "later").write_bytes(b"")
    assert watched.changed() == Changes({}, {}, [], []), "who hears no more tells nothing"


class Stored:
    """What a browser keeps, as the worker keeps it."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.files: dict[str, str] = {}

    def take(self, one: Changes) -> None:
        for digest in one.contents_gone:
            del self.contents[digest]
        self.contents |= one.contents
        for name in one.files_gone:
            del self.files[name]
        self.files |= one.files

    def disk(self) -> dict[str, bytes]:
        return {name: self.contents[digest] for name, digest in self.files.items()}


def _change(root: Path, chance: random.Random, number: int) -> None:
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    folders = [path for path in sorted(root.rglob("*")) if path.is_dir()]
    new = chance.choice([root, *folders]) / f"n{number}"
    way = chance.randrange(7)
    if way == 0:
        write_all({new: b"%d" % number, root / "often": b"%d" % number})
    elif way == 1:
        new.mkdir()
        (new / "inside").write_text(str(number))
    elif way == 2 and files:
        chance.choice(files).unlink()
    elif way == 3 and folders:
        shutil.rmtree(chance.choice(folders))
    elif way == 4 and folders:
        chance.choice(folders).rename(root / f"moved{number}")
    elif way == 5 and files:
        chance.choice(files).replace(new)
    elif files:
        with chance.choice(files).open("ab") as file:
            file.write(b"+")


def _on_disk(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def _through(path: Path, flags: int) -> None:
    file = os.open(path, flags, 0o600)
    os.write(file, b"through") if flags & (os.O_WRONLY | os.O_RDWR) else None
    os.close(file)


def _with(path: Path, mode: str) -> None:
    with path.open(mode) as file:
        file.write(b"+")


CHANGES: dict[str, Callable[[Path], object]] = {
    "written": lambda home: (home / "new").write_bytes(b"1"),
    "only made": lambda home: open(home / "new", "xb").close(),
    "longer": lambda home: _with(home / "old", "ab"),
    "in its middle": lambda home: _with(home / "old", "r+b"),
    "by a number": lambda home: _through(home / "new", os.O_WRONLY | os.O_CREAT),
    "read and written": lambda home: _through(home / "old", os.O_RDWR),
    "by a name in bytes": lambda home: open(os.fsencode(home / "old"), "wb").close(),
    "by a name from here": lambda home: Path("old").write_bytes(b"2"),
    "cut": lambda home: os.truncate(home / "old", 1),
    "linked": lambda home: os.link(home / "old", home / "new"),
    "moved in": lambda home: (home.parent / "other").rename(home / "new"),
    "moved out": lambda home: (home / "old").rename(home.parent / "gone"),
    "removed": lambda home: (home / "old").unlink(),
    "a folder is moved in": lambda home: (home.parent / "folder").rename(home / "folder"),
    "a folder is moved": lambda home: (home / "in").rename(home / "on"),
    "a folder goes": lambda home: shutil.rmtree(home / "in"),
}  # fmt: skip
BESIDE: dict[str, Callable[[Path], object]] = {
    "read": lambda home: (home / "unknown").read_bytes(),
    "read by a number": lambda home: _through(home / "unknown", os.O_RDONLY),
    "the same again": lambda home: (home / "old").write_bytes(b"old"),
    "made and gone": lambda home: ((home / "new").write_bytes(b"1"), (home / "new").unlink()),
    "elsewhere": lambda home: (home.parent / "new").write_bytes(b"1"),
    "where the name only begins so": lambda home: (home.parent / "home-2").write_bytes(b"1"),
    "an empty folder": lambda home: (home / "empty").mkdir(),
}


@pytest.mark.parametrize("way", [*CHANGES, *BESIDE])
def test_each_way_to_change_a_file_is_heard_and_nothing_else(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    for name in ("home/old", "home/in/one", "home/in/deep/two", "home/in-2", "other", "folder/a/b"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.rpartition("/")[2].encode())
    monkeypatch.chdir(home)
    stored, watched = Stored(), Watched(home)
    stored.files = {name: hashlib.sha256(data).hexdigest() for name, data in _on_disk(home).items()}
    stored.contents = {stored.files[name]: data for name, data in _on_disk(home).items()}
    (home / "unknown").write_bytes(b"of before")
    watched.begin(stored.files)
    try:
        (CHANGES | BESIDE)[way](home)
        changed = watched.changed()
    finally:
        watched.end()
    (home / "unknown").unlink()
    assert (changed == Changes({}, {}, [], [])) == (way in BESIDE)
    stored.take(changed)
    assert stored.disk() == _on_disk(home) and set(stored.contents) == set(stored.files.values())
