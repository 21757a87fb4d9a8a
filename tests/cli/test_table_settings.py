"""Mail settings as a form: the file that the commands read, tried at once, and no secret anywhere but in the
keyring."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbem.cli.games.memory import Memory
from pbem.cli.web import commands
from pbem.cli.web.desk import Desk
from pbem.mail.settings import Password, load
from tests.cli.play import carried, tree
from tests.cli.test_table import Said, Visitor
from tests.unit.mail.imap_server import Box, imap_server
from tests.unit.mail.smtp_server import Manners, certificate, smtp_server

FORM = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}
SECRET = "correct horse battery"


class Reader:
    """Somebody with a game, at the page of settings."""

    def __init__(self, root: Path) -> None:
        self.desk = Desk(root, Memory(root / "games.json"))
        self.game = self.desk.practice("victory", "red")  # begun, or gone back to
        self.folder = self.desk.open(self.game).root
        self.file = self.folder / "private" / "mail.yaml"
        self.visitor = Visitor(self.desk)

    def page(self, said: Said) -> str:
        assert SECRET not in said.text and said.status == 200, "a secret is on no page"
        return html.unescape(said.text)

    def fill(self, path: str = "", **fields: str) -> str:
        sent = urlencode({key.replace("_", "-", 1): value for key, value in fields.items()}).encode()
        return self.page(self.visitor.ask("POST", path or f"/g/{self.game}/settings", sent, **FORM))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Do not change it: copy it."""
    home = tmp_path_factory.mktemp("settings")
    Reader(home)
    return home


@pytest.fixture
def reader(begun: Path, tmp_path: Path) -> Reader:
    return Reader(carried(begun, tmp_path / "settings"))


def test_what_is_filled_in_is_the_file_that_commands_read_and_is_tried(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    keyring = pytest.importorskip("keyring")
    pytest.importorskip("imap_tools")
    kept: dict[tuple[str, str], str] = {}
    monkeypatch.setattr(
        keyring, "set_password", lambda service, user, typed: kept.update({(service, user): typed})
    )
    monkeypatch.setattr(keyring, "get_password", lambda service, user: kept.get((service, user)))
    monkeypatch.setenv("PBEM_TEST_MAIL", "demopass")
    manners, (trusted, context) = Manners(secret=SECRET), certificate(tmp_path)
    reader.file.write_text(f"out: {{way: smtp, server: old.example.org, certificates: {trusted}}}\n")
    with smtp_server(manners, starttls=context) as out, imap_server(Box({})) as into:
        said = reader.fill(
            out_way="smtp", out_server="localhost", out_port=str(out), out_user="red", out_secret="keyring",
            out_typed=SECRET, out_cc="none", in_way="imap", in_server="127.0.0.1", in_port=str(into),
            in_security="none", in_user="gm", in_secret="variable", in_variable="PBEM_TEST_MAIL",
            **{"try": "1"},
        )  # fmt: skip
        by_command = [commands.run(reader.folder, "mail", one, "--try") for one in ("out", "in")]
    assert (
        f"Sending: connected to localhost, port {out} (starttls), logged in as red; nothing was sent" in said
    )
    assert (
        "Fetching: connected to 127.0.0.1" in said and "the folder INBOX exists; nothing was fetched" in said
    )
    assert [one.ok for one in by_command] == [True, True], by_command
    assert manners.logins == [("red", SECRET)] * 2 and manners.mails == []
    found = load(reader.file.read_bytes(), "mail.yaml")
    assert found.out is not None and found.out.server is not None and not found.out.cc_all
    assert found.out.server.password == Password(keyring="pbem")
    assert found.out.server.certificates == str(trusted), "what the form does not know stays"
    assert kept == {("pbem", "red"): SECRET} and reader.file.stat().st_mode & 0o777 == 0o600
    assert SECRET not in str(tree(reader.folder)) and "".join(capfd.readouterr()) == ""
    again = reader.page(reader.visitor.ask("GET", f"/g/{reader.game}/settings"))
    assert 'value="localhost"' in again and "PBEM_TEST_MAIL" in again


def test_what_does_not_work_is_said_in_words(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_NOWHERE", raising=False)
    fields = {"out_way": "smtp", "out_server": "127.0.0.1", "out_port": "9", "out_security": "none"}
    assert "can't connect to 127.0.0.1, port 9" in reader.fill(**fields, **{"try": "1"})
    login = {**fields, "out_user": "red", "out_secret": "variable", "out_variable": "PBEM_NOWHERE"}
    assert "PBEM_NOWHERE gives none" in reader.fill(**login, **{"try": "1"})
    assert "there is no folder" in reader.fill(out_way="folder", out_folder="nowhere", **{"try": "1"})
    assert "nowhere.mbox doesn't exist" in reader.fill(
        in_way="files", in_paths="nowhere.mbox", **{"try": "1"}
    )
    reader.fill(out_way="folder", out_folder="private", in_way="files", in_paths="private", **{"try": "1"})
    said = commands.run(reader.folder, "mail", "out", "--try")
    assert said.ok and "nothing was written" in said.results[0]
    assert "Nothing to test" in reader.fill(**{"try": "1"})


def test_faults_leave_the_file_as_it_was(reader: Reader) -> None:
    reader.file.write_text("out: {way: folder, folder: here}\n")
    for fields in (
        {"out_way": "smtp", "out_server": "not a server"},
        {"out_way": "smtp", "out_server": "mail.example.org", "out_security": "none"},
        {"out_way": "smtp", "out_server": "mail.example.org", "out_user": "red", "out_secret": "other"},
        {"out_way": "folder"},
        {"in_way": "files"},
        {"out_way": "sendmail"},
    ):
        said = reader.fill(**fields, out_typed=SECRET)
        assert "data-code=" in said, fields
        assert reader.file.read_text() == "out: {way: folder, folder: here}\n", fields


def test_a_game_folder_names_no_program_and_all_games_may(
    reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "pbem" / "mail.yaml"
    monkeypatch.setattr("pbem.cli.post.mail.user_settings", lambda: own)
    assert 'data-code="program-in-game"' in reader.fill(out_way="sendmail")
    said = reader.fill("/settings", out_way="sendmail", **{"try": "1"})
    assert "way: sendmail" in own.read_text() and ("exists" in said or "there is no program" in said)
    own.write_text(
        "out: {way: smtp, server: a.example, user: red, password: {command: [pass, show, mail]}}\n"
    )
    reader.fill("/settings", out_way="smtp", out_server="b.example", out_user="red", out_secret="other")
    found = load(own.read_bytes(), "mail.yaml").out
    assert found is not None and found.server is not None and found.server.host == "b.example"
    assert found.server.password == Password(command=("pass", "show", "mail")), "and it stays"


def test_the_servers_of_a_provider_are_filled_in(reader: Reader) -> None:
    said = reader.fill(provider="Gmail", fill="1", out_way="", out_user="ann@example.org")
    assert 'value="smtp.gmail.com"' in said and 'value="ann@example.org"' in said
    assert not reader.file.exists(), "nothing is kept by looking"


def test_a_keyring_that_cannot_be_opened_is_said_without_the_secret(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring = pytest.importorskip("keyring")

    def locked(service: str, user: str, typed: str) -> None:
        raise RuntimeError(typed)

    monkeypatch.setattr(keyring, "set_password", locked)
    fields = {"out_way": "smtp", "out_server": "a.example", "out_user": "red", "out_secret": "keyring"}
    assert 'data-code="no-keyring"' in reader.fill(**fields, out_typed=SECRET)
    assert not reader.file.exists(), "nothing is kept of it"


REMARKED = """\
# our club's relay, ask Ann before you change it
out:
  way: smtp
  server: 'relay.example.org'  # not the old one
  user: "bob"
  password: {variable: RELAY}

# nothing is fetched here
"""


def test_remarks_of_the_file_stay_and_only_what_was_changed_changes(reader: Reader) -> None:
    reader.file.write_text(REMARKED, "utf-8")
    reader.fill(out_way="smtp", out_server="relay.example.org", out_user="bob", out_secret="elsewhere")
    assert reader.file.read_text("utf-8").rstrip() == REMARKED.rstrip(), "nothing was changed"
    reader.fill(out_way="smtp", out_server="mail.example.org", out_user="bob", out_secret="elsewhere")
    kept = reader.file.read_text("utf-8")
    assert load(kept.encode(), "mail.yaml").out is not None and "mail.example.org" in kept
    for remark in ("# our club's relay", "# not the old one", 'user: "bob"', "# nothing is fetched here"):
        assert remark in kept
    assert reader.file.stat().st_mode & 0o777 == 0o600
    reader.fill(out_way="")
    assert load(reader.file.read_bytes(), "mail.yaml").out is None
    reader.fill(out_way="folder", out_folder="post")
    assert load(reader.file.read_bytes(), "mail.yaml").out is not None


def test_the_language_of_letters_is_chosen_and_stays(reader: Reader) -> None:
    reader.fill(out_way="folder", out_folder="/tmp", language="de")
    assert load(reader.file.read_bytes(), "mail.yaml").language == "de"
    assert '<option value="de" selected>' in reader.page(
        reader.visitor.ask("GET", f"/g/{reader.game}/settings")
    )
    reader.fill(out_way="folder", out_folder="/tmp")
    assert load(reader.file.read_bytes(), "mail.yaml").language == "", "that of the program"


@pytest.mark.parametrize(
    ("secret", "chosen"),
    [
        ("password: {keyring: pbem}", "keyring"),
        ("password: {variable: RELAY}", "variable"),
        ("password: {command: [pass, show, mail]}", "other"),
        ("token: {command: [oauth, mail]}", "other"),
    ],
)
def test_where_the_secret_of_a_file_is_stands_in_the_form(reader: Reader, secret: str, chosen: str) -> None:
    text = f"out: {{way: smtp, server: a.example.org, user: red, {secret}}}\n"
    reader.file.write_text(text, "utf-8")
    page = reader.page(reader.visitor.ask("GET", f"/g/{reader.game}/settings"))
    form = page.split('name="out-secret"')[1].split("</select>")[0]
    assert re.findall(r'value="(\w+)" selected', form) == [chosen]
