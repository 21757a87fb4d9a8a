"""Mail on a server, with pymap in the place of one: read, marked, moved, and never read twice."""

from __future__ import annotations

import imaplib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.mail import imap
from pbem.mail.imap import Imap, NoWay
from pbem.mail.settings import Server
from tests.unit.mail.imap_server import Box, imap_server

pytest.importorskip("pymap")
pytest.importorskip("imap_tools")
# the library leaves the socket of a failed beginning to the collector
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
USER, PASSWORD = "demouser", "demopass"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A server with some mail in it, for the tests of this file."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        number: int = free.getsockname()[1]
    main = "from pymap.main import main; main()"
    run = [sys.executable, "-c", main, "--host", "127.0.0.1", "--port", str(number), "--no-tls"]
    program = subprocess.Popen(
        [*run, "dict", "--demo-data"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(200):
            with suppress(OSError), socket.create_connection(("127.0.0.1", number), 1):
                break
            time.sleep(0.1)
        else:
            pytest.skip("pymap does not answer here")
        yield number
    finally:
        program.terminate()
        program.wait()


@contextmanager
def _looking(port: int) -> Iterator[imaplib.IMAP4]:
    """Another program than ours."""
    box = imaplib.IMAP4("127.0.0.1", port)
    box.login(USER, PASSWORD)
    try:
        yield box
    finally:
        box.logout()


@pytest.fixture
def box(port: int, request: pytest.FixtureRequest) -> str:
    """A folder with three mails."""
    name = f"Box{abs(hash(request.node.name)) % 10**6}"
    with _looking(port) as other:
        other.create(name)
        for number in range(3):
            other.append(name, "", "", f"Subject: {number}\r\n\r\nmail {number}\r\n".encode())  # type: ignore[arg-type]
    return name


def _server(port: int) -> Server:
    return Server("127.0.0.1", port, "none", USER)


def test_every_mail_is_read_and_stays_unread(port: int, box: str) -> None:
    with Imap(_server(port), PASSWORD, box) as mine:
        uids = mine.new(0)
        found = dict(mine.messages(uids))
    assert [found[uid].data for uid in uids] == [
        f"Subject: {n}\r\n\r\nmail {n}\r\n".encode() for n in range(3)
    ]
    with _looking(port) as other:
        other.select(box, readonly=True)
        assert len(other.search(None, "UNSEEN")[1][0].split()) == 3


def test_only_what_came_later_is_new(port: int, box: str) -> None:
    with Imap(_server(port), PASSWORD, box) as mine:
        uids = mine.new(0)
        assert mine.new(uids[0]) == uids[1:]
        assert mine.new(uids[-1]) == []


def test_a_mail_that_is_too_large_is_not_fetched(
    port: int, box: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "MAX_MESSAGE", 20)
    with Imap(_server(port), PASSWORD, box) as mine:
        assert [one.data for _, one in mine.messages(mine.new(0))] == [None] * 3


def test_a_server_that_has_no_keywords_is_left_alone(port: int, box: str) -> None:
    """pymap has none; that Dovecot sets it is in tests/mail_servers."""
    with Imap(_server(port), PASSWORD, box) as mine:
        uids = mine.new(0)
        mine.mark(uids[:1])
        assert mine.new(0) == uids


def test_what_was_taken_moves_into_a_folder_that_is_made(port: int, box: str) -> None:
    with Imap(_server(port), PASSWORD, box) as mine:
        uids = mine.new(0)
        assert mine.move(uids[:2], f"{box}/taken") == ""
    with _looking(port) as other:
        assert len(other.select(f"{box}/taken", readonly=True)[1]) == 1
        assert len(other.search(None, "ALL")[1][0].split()) == 2
        other.select(box, readonly=True)
        assert len(other.search(None, "ALL")[1][0].split()) == 1


def test_a_server_that_cannot_move_leaves_them(port: int, box: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Imap, "_can", lambda self, what: False)
    with Imap(_server(port), PASSWORD, box) as mine:
        uids = mine.new(0)
        assert "can't move" in mine.move(uids, "elsewhere")
        assert mine.new(0) == uids


def test_what_came_just_before_the_wait_is_heard_at_once() -> None:
    """The server says it in one piece with its answer, so that nothing more comes through the line."""
    box = Box({1: b"one"}, idle=True)
    with imap_server(box) as at, Imap(_server(at), PASSWORD, "INBOX") as line:
        assert not imap.wait([line], 0.01), "nothing came"
        box.mails[2] = b"two"
        assert imap.wait([line], 600)
        assert not imap.wait([line], 0.01), "it was heard"


def test_one_of_two_servers_is_enough() -> None:
    quiet, busy = Box({}, idle=True), Box({}, idle=True)
    with imap_server(quiet) as one, imap_server(busy) as other:
        boxes = [Imap(_server(at), PASSWORD, "INBOX") for at in (one, other)]
        with boxes[0], boxes[1]:
            assert all(each.announces for each in boxes)
            busy.mails[1] = b"one"
            assert imap.wait(boxes, 600)
            assert [line.new(0) for line in boxes] == [[], [1]]


def test_a_line_that_broke_is_told(port: int, box: str) -> None:
    with Imap(_server(port), PASSWORD, box) as line:
        line._box.client.sock.shutdown(socket.SHUT_RDWR)
        with pytest.raises(imap.Broken):
            imap.wait([line], 600)


def test_a_wrong_password_is_told_and_not_quoted(port: int) -> None:
    with (
        pytest.raises(NoWay, match="rejected the login of demouser") as told,
        Imap(_server(port), "hunter2", "INBOX"),
    ):
        pass
    assert "hunter2" not in str(told.value)


def test_a_folder_that_is_not_there(port: int) -> None:
    with pytest.raises(NoWay, match="no folder Nowhere"), Imap(_server(port), PASSWORD, "Nowhere"):
        pass


def test_nobody_at_home() -> None:
    with (
        pytest.raises(NoWay, match="can't connect to"),
        Imap(Server("127.0.0.1", 1, "none", USER), PASSWORD, "INBOX"),
    ):
        pass


def test_without_tls_offered_no_password_is_sent(port: int) -> None:
    server = Server("127.0.0.1", port, "starttls", USER)
    with pytest.raises(NoWay, match="can't connect to"), Imap(server, PASSWORD, "INBOX"):
        pass


def test_a_certificate_that_nobody_vouches_for_stops_it(tmp_path: Path) -> None:
    from threading import Thread

    from .smtp_server import certificate

    _, context = certificate(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            other, _ = listening.accept()
            with suppress(OSError), context.wrap_socket(other, server_side=True) as secure:
                secure.sendall(b"* OK hello\r\n")

        thread = Thread(target=answer)
        thread.start()
        server = Server("localhost", listening.getsockname()[1], "tls", USER)
        with pytest.raises(NoWay, match="certificate can't be trusted"), Imap(server, PASSWORD, "INBOX"):
            pass
        thread.join()


@pytest.mark.parametrize(
    ("said", "sent", "read"), [(9, 10, True), (10, 10, True), (10, 11, False), (0, 99, False), (11, 1, False)]
)
def test_an_email_that_is_larger_than_the_server_says_is_not_read(
    said: int, sent: int, read: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "MAX_MESSAGE", 10)
    box = Imap.__new__(Imap)
    answer: Any = [b"1", (b"1 (BODY[] {9}", b"x" * sent), b")"]
    monkeypatch.setattr(Imap, "_asked", lambda self, *words: answer)
    assert box._fetched(1, said) == (b"x" * sent if read else None)
