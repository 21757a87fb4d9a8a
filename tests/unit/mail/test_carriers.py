"""Mail leaves once, over connections that were checked, and afterwards we know what became of it."""

from __future__ import annotations

import re
import smtplib
import stat
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.mail import carriers
from pbem.mail.carriers import IntoFolder, NotHanded, Sendmail, Smtp, Unsure
from pbem.mail.settings import Server

from .smtp_server import Manners, certificate, smtp_server

MAIL = b"Subject: orders\r\n\r\nhere they are\r\n"
# the server in the test may be left with an open socket when its client hangs up
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
ME, ANN, BOB = "me@example.org", "ann@example.org", "bob@example.org"


def test_a_mail_reaches_everybody() -> None:
    manners = Manners()
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none"), None)
        assert way.hand_over("x", ME, [ANN, BOB], MAIL) == {}
        assert way.hand_over("y", ME, [BOB], MAIL) == {}
        way.close()
    assert manners.mails == [((ANN, BOB), MAIL), ((BOB,), MAIL)]


def test_starttls_with_a_login(tmp_path: Path) -> None:
    trusted, context = certificate(tmp_path)
    manners = Manners()
    with smtp_server(manners, starttls=context) as port:
        way = Smtp(Server("localhost", port, "starttls", "ann", None, str(trusted)), manners.secret)
        assert way.hand_over("x", ME, [ANN], MAIL) == {}
        way.close()
    assert manners.logins == [("ann", manners.secret)]
    assert len(manners.mails) == 1


def test_tls_from_the_first_byte(tmp_path: Path) -> None:
    trusted, context = certificate(tmp_path)
    manners = Manners()
    with smtp_server(manners, tls=context) as port:
        way = Smtp(Server("localhost", port, "tls", certificates=str(trusted)), None)
        assert way.hand_over("x", ME, [ANN], MAIL) == {}
        way.close()
    assert len(manners.mails) == 1


@pytest.mark.parametrize("security", ["tls", "starttls"])
@pytest.mark.parametrize("name", ["localhost", "somebody.invalid"])
def test_a_certificate_that_nobody_vouches_for_or_of_another_host_stops_it(
    tmp_path: Path, security: str, name: str
) -> None:
    trusted, context = certificate(tmp_path, name)
    manners = Manners()
    tls = {"tls": context} if security == "tls" else {"starttls": context}
    believed = "" if name == "localhost" else str(trusted)
    with smtp_server(manners, **tls) as port:
        way = Smtp(Server("localhost", port, security, "ann", None, believed), manners.secret)  # type: ignore[arg-type]
        with pytest.raises(NotHanded, match="certificate can't be trusted"):
            way.hand_over("x", ME, [ANN], MAIL)
    assert (manners.mails, manners.logins) == ([], [])


def test_a_server_without_starttls_gets_neither_password_nor_mail() -> None:
    manners = Manners()
    with smtp_server(manners) as port:
        way = Smtp(Server("localhost", port, "starttls", "ann"), manners.secret)
        with pytest.raises(NotHanded, match="STARTTLS"):
            way.hand_over("x", ME, [ANN], MAIL)
    assert (manners.mails, manners.logins) == ([], [])


def test_a_wrong_password_is_told_and_not_quoted(tmp_path: Path) -> None:
    trusted, context = certificate(tmp_path)
    manners = Manners()
    with smtp_server(manners, starttls=context) as port:
        way = Smtp(Server("localhost", port, "starttls", "ann", None, str(trusted)), "hunter2")
        for _ in range(2):  # nor is the second one sent over the line on which nobody logged in
            with pytest.raises(NotHanded, match="rejected the login of ann") as told:
                way.hand_over("x", ME, [ANN], MAIL)
    assert manners.mails == []
    assert "hunter2" not in str(told.value) + repr(told.value) + repr(way)


@pytest.mark.parametrize("without", ["XOAUTH2", "OAUTHBEARER"])
def test_a_token_in_place_of_a_password(tmp_path: Path, without: str) -> None:
    trusted, context = certificate(tmp_path)
    manners = Manners(token="ya29.fresh", without=(without,))
    with smtp_server(manners, starttls=context) as port:
        server = Server("localhost", port, "starttls", "ann@example.org", None, str(trusted), oauth=True)
        way = Smtp(server, "ya29.fresh")
        assert way.hand_over("x", ME, [ANN], MAIL) == {}
        way.close()
    name = {"XOAUTH2": "OAUTHBEARER n,a=", "OAUTHBEARER": "XOAUTH2 user="}[without]
    assert manners.said[0].startswith(f"{name}ann@example.org")
    assert len(manners.mails) == 1


@pytest.mark.parametrize("without", ["XOAUTH2", "OAUTHBEARER"])
def test_an_old_token_is_refused_with_the_way_out_and_not_quoted(tmp_path: Path, without: str) -> None:
    trusted, context = certificate(tmp_path)
    manners = Manners(token="ya29.fresh", without=(without,))
    with smtp_server(manners, starttls=context) as port:
        server = Server("localhost", port, "starttls", "ann", None, str(trusted), oauth=True)
        way = Smtp(server, "ya29.stale")
        with pytest.raises(NotHanded, match=r"did not accept the token \(401\).*new one") as told:
            way.hand_over("x", ME, [ANN], MAIL)
    assert "ya29" not in str(told.value) + repr(way)
    assert manners.mails == []


def test_a_server_that_takes_no_tokens_is_named(tmp_path: Path) -> None:
    trusted, context = certificate(tmp_path)
    with smtp_server(Manners(without=("XOAUTH2", "OAUTHBEARER")), starttls=context) as port:
        server = Server("localhost", port, "starttls", "ann", None, str(trusted), oauth=True)
        with pytest.raises(NotHanded, match="accepts no tokens"):
            Smtp(server, "ya29.fresh").hand_over("x", ME, [ANN], MAIL)


def test_a_password_with_letters_outside_ascii_is_sent_as_utf_8(tmp_path: Path) -> None:
    trusted, context = certificate(tmp_path)
    manners = Manners(secret="schlüssel")
    with smtp_server(manners, starttls=context) as port:
        server = Server("localhost", port, "starttls", "ann", None, str(trusted))
        way = Smtp(server, "schlüssel")
        assert way.hand_over("x", ME, [ANN], MAIL) == {}
        way.close()
        with pytest.raises(NotHanded, match="rejected the login of ann: code 535") as told:
            Smtp(server, "größer").hand_over("x", ME, [ANN], MAIL)
    assert manners.logins[0] == ("ann", "schlüssel")
    assert "gr" not in str(told.value)


@pytest.mark.parametrize("password", ["open sesame", "schlüssel"])
def test_a_server_that_knows_the_client_already_takes_its_mail(tmp_path: Path, password: str) -> None:
    trusted, context = certificate(tmp_path)
    manners = Manners(on_login="503 5.5.1 already authenticated")
    with smtp_server(manners, starttls=context) as port:
        way = Smtp(Server("localhost", port, "starttls", "ann", None, str(trusted)), password)
        assert way.hand_over("x", ME, [ANN], MAIL) == {}
        way.close()
    assert len(manners.mails) == 1


def test_a_password_that_the_server_cannot_take_is_not_quoted_in_part(tmp_path: Path) -> None:
    trusted, context = certificate(tmp_path)
    with smtp_server(Manners(without=("PLAIN",)), starttls=context) as port:
        server = Server("localhost", port, "starttls", "ann", None, str(trusted))
        with pytest.raises(NotHanded, match="no login method") as told:
            Smtp(server, "schlüssel").hand_over("x", ME, [ANN], MAIL)
    assert "ü" not in str(told.value) and "xfc" not in str(told.value)


@pytest.mark.parametrize(("user", "password"), [("", "hunter2"), ("ann", None)])
def test_nobody_logs_in_without_both_a_user_and_a_password(user: str, password: str | None) -> None:
    manners = Manners(without=("PLAIN", "LOGIN"))
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none", user), password)
        assert way.hand_over("x", ME, [ANN], MAIL) == {}
        way.close()
    assert manners.logins == [] and len(manners.mails) == 1


@pytest.mark.parametrize("there", [True, False])
def test_a_file_of_certificates_that_cannot_be_read_is_named(tmp_path: Path, there: bool) -> None:
    path = tmp_path / "own.pem"
    if there:
        path.write_text("rubbish")
    with pytest.raises(NotHanded, match=re.escape(str(path))) as told:
        Smtp(Server("localhost", 1, "tls", certificates=str(path)), None).knock()
    assert not told.value.for_good


def test_nobody_at_home() -> None:
    with pytest.raises(NotHanded, match=r"can't connect to 127\.0\.0\.1, port 1"):
        Smtp(Server("127.0.0.1", 1, "none"), None).hand_over("x", ME, [ANN], MAIL)


def test_one_refused_address_does_not_keep_the_mail_from_the_others() -> None:
    manners = Manners(refuse={ANN: "550 no such user"})
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none"), None)
        assert way.hand_over("x", ME, [ANN, BOB], MAIL) == {ANN: "550 no such user"}
        way.close()
    assert manners.mails == [((BOB,), MAIL)]


@pytest.mark.parametrize(("answer", "for_good"), [("550 no such user", True), ("451 later", False)])
def test_a_mail_that_no_address_takes_did_not_leave(answer: str, for_good: bool) -> None:
    manners = Manners(refuse={ANN: answer})
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none"), None)
        with pytest.raises(NotHanded) as told:
            way.hand_over("x", ME, [ANN], MAIL)
        assert told.value.for_good is for_good
        assert way.hand_over("y", ME, [BOB], MAIL) == {}  # and the next one goes
        way.close()


@pytest.mark.parametrize(("answer", "for_good"), [("554 spam", True), ("452 full", False)])
def test_a_mail_that_is_refused_as_a_whole_did_not_leave(answer: str, for_good: bool) -> None:
    manners = Manners(on_data=lambda: answer)
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none"), None)
        with pytest.raises(NotHanded, match=answer) as told:
            way.hand_over("x", ME, [ANN], MAIL)
        assert told.value.for_good is for_good
        way.close()


@pytest.mark.parametrize(("code", "for_good"), [(550, True), (451, False)])
def test_a_sender_whom_the_server_may_take_later_is_tried_again(code: int, for_good: bool) -> None:
    way = Smtp(Server("127.0.0.1", 25, "none"), None)
    client: Any = SimpleNamespace(mail=lambda sender: (code, b"not now"), rset=lambda: None)
    way._client = client
    with pytest.raises(NotHanded, match=f"{code} not now") as told:
        way.hand_over("x", ME, [ANN], MAIL)
    assert told.value.for_good is for_good


def test_who_is_named_twice_gets_the_mail_once() -> None:
    manners = Manners()
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none"), None)
        assert way.hand_over("x", ME, [ANN, BOB, ANN], MAIL) == {}
        way.close()
    assert manners.mails == [((ANN, BOB), MAIL)]


def test_a_mail_that_one_of_its_addresses_may_take_later_is_tried_again() -> None:
    manners = Manners(refuse={ANN: "550 no such user", BOB: "451 later"})
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none"), None)
        with pytest.raises(NotHanded) as told:
            way.hand_over("x", ME, [ANN, BOB], MAIL)
        way.close()
    assert not told.value.for_good


def test_an_address_from_which_the_server_sends_on_is_not_refused() -> None:
    manners = Manners(sends_on=(ANN,))
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none"), None)
        assert way.hand_over("x", ME, [ANN, BOB], MAIL) == {}
        way.close()
    assert manners.mails == [((ANN, BOB), MAIL)]


@pytest.mark.parametrize("answer", ["251 not here, but it goes on", "252 I try"])
def test_any_yes_to_the_whole_mail_means_that_the_server_has_it(answer: str) -> None:
    manners = Manners(on_data=lambda: answer)
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none"), None)
        assert way.hand_over("x", ME, [ANN], MAIL) == {}
        way.close()


@pytest.mark.parametrize("answer", ["25", "2x0 fine", "what?"])
def test_a_torn_answer_to_the_whole_mail_leaves_us_unsure(answer: str) -> None:
    manners = Manners(on_data=lambda: answer)
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none"), None)
        with pytest.raises(Unsure):
            way.hand_over("x", ME, [ANN], MAIL)
    assert len(manners.mails) == 1


def test_a_connection_that_breaks_after_the_mail_leaves_us_unsure() -> None:
    manners = Manners(hang_up_after_data=True)
    with smtp_server(manners) as port:
        way = Smtp(Server("127.0.0.1", port, "none"), None)
        with pytest.raises(Unsure):
            way.hand_over("x", ME, [ANN], MAIL)
    assert len(manners.mails) == 1


def _program(folder: Path, body: str) -> list[str]:
    """A program in the place of sendmail."""
    script = folder / "sendmail.py"
    script.write_text(f"import sys, os, pathlib\n{body}\n")
    return [sys.executable, str(script)]


def test_a_program_gets_addresses_and_mail(tmp_path: Path) -> None:
    body = (
        f"pathlib.Path({str(tmp_path / 'got')!r}).write_text(repr((sys.argv[1:], sys.stdin.buffer.read())))"
    )
    assert Sendmail(_program(tmp_path, body)).hand_over("x", ME, [ANN, BOB, ANN], MAIL) == {}
    wanted = (["-i", "-f", ME, "--", ANN, BOB], MAIL.replace(b"\r\n", b"\n"))
    assert (tmp_path / "got").read_text() == repr(wanted)


@pytest.mark.parametrize(("code", "for_good"), [(75, False), (67, True)])
def test_a_program_that_fails_did_not_take_it(tmp_path: Path, code: int, for_good: bool) -> None:
    way = Sendmail(_program(tmp_path, f"print('no luck', file=sys.stderr); sys.exit({code})"))
    with pytest.raises(NotHanded, match=f"exit code {code}: no luck") as told:
        way.hand_over("x", ME, [ANN], MAIL)
    assert told.value.for_good is for_good


def test_a_program_that_is_killed_leaves_us_unsure(tmp_path: Path) -> None:
    with pytest.raises(Unsure, match="signal 9"):
        Sendmail(_program(tmp_path, "os.kill(os.getpid(), 9)")).hand_over("x", ME, [ANN], MAIL)


def test_a_program_that_does_not_end_leaves_us_unsure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carriers, "PATIENCE", 0.2)
    with pytest.raises(Unsure, match=r"0\.2"):
        Sendmail(_program(tmp_path, "import time; time.sleep(60)")).hand_over("x", ME, [ANN], MAIL)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (smtplib.SMTPResponseException(450, b"try\r\n later\0"), "450 try later"),
        (OSError(111, "Connection refused"), "Connection refused"),
        (ValueError("two\nlines"), "two lines"),
        (ValueError(), "ValueError"),
        (ValueError("x" * 201), "x" * 200),
    ],
)
def test_a_fault_is_said_on_one_short_line(fault: Exception, words: str) -> None:
    assert carriers.said(fault) == words


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotHanded, match="can't start"):
        Sendmail([str(tmp_path / "nothing")]).hand_over("x", ME, [ANN], MAIL)


def test_a_folder_gets_files_for_a_mail_program(tmp_path: Path) -> None:
    """One for each mail, whatever it is called; the same mail twice is one."""
    for data in (MAIL, MAIL + b"more\r\n", MAIL):
        IntoFolder(tmp_path / "drafts").hand_over("stage-1", ME, [ANN], data)
    found = list((tmp_path / "drafts").iterdir())
    assert all(re.fullmatch(r"stage-1-[0-9a-f]{12}\.eml", path.name) for path in found)
    assert sorted(path.read_bytes() for path in found) == [MAIL, MAIL + b"more\r\n"]


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_is_there_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    """Not even one that comes while the mail is being written."""

    def late(source: Path, place: Path) -> None:
        Path(place).write_bytes(b"somebody else's")
        raise FileExistsError(17, "it is there", str(place)) if links else PermissionError

    monkeypatch.setattr("os.link", late)
    with pytest.raises(NotHanded, match="another file has this name"):
        IntoFolder(tmp_path).hand_over("stage-1", ME, [ANN], MAIL)
    (there,) = tmp_path.iterdir()
    assert there.read_bytes() == b"somebody else's"


def test_where_files_have_one_name_only_a_mail_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(source: Path, place: Path) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr("os.link", refused)
    IntoFolder(tmp_path).hand_over("stage-1", ME, [ANN], MAIL)
    (there,) = tmp_path.iterdir()
    assert there.read_bytes() == MAIL


def test_a_maildir_gets_new_mail_and_the_same_mail_once(tmp_path: Path) -> None:
    for part in ("cur", "new", "tmp"):
        (tmp_path / part).mkdir()
    for _ in range(2):
        IntoFolder(tmp_path).hand_over("stage-1", ME, [ANN], MAIL)
    (mail,) = (tmp_path / "new").iterdir()
    assert mail.read_bytes() == MAIL.replace(b"\r\n", b"\n")
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_folder_that_cannot_be_written_did_not_take_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotHanded):
        IntoFolder(tmp_path / "file").hand_over("x", ME, [ANN], MAIL)
    assert stat.S_ISREG((tmp_path / "file").stat().st_mode)
