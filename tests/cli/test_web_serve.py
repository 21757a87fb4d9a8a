"""The server of `pbem table` as a program beside it meets it: where it listens, what it says, how it ends."""

from __future__ import annotations

import gzip
import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.games.memory import Memory
from pbem.cli.web.desk import Desk
from pbem.cli.web.guard import Guard
from pbem.cli.web.pages import STATIC
from pbem.cli.web.serve import listening, run, stop
from tests.cli.test_table import Visitor


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Guard, Any, threading.Thread]]:
    """A table that has no game, and the thread that answers."""
    server, gate = listening(Desk(tmp_path, Memory(tmp_path / "games.json")), 0, "de")
    thread = threading.Thread(target=run, args=(server,), daemon=True)
    thread.start()
    yield gate, server, thread
    if thread.is_alive():
        stop(server)
        thread.join(10)


def ask(
    gate: Guard, path: str = "/", method: str = "GET", **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", gate.port, timeout=20)) as line:
        own = {"Cookie": f"{gate.cookie}={gate.session}", "Origin": f"http://127.0.0.1:{gate.port}"}
        line.request(method, path, headers={**own, **headers})
        said = line.getresponse()
        return said, said.read()


def test_no_other_address_of_this_computer_reaches_it(served: tuple[Guard, Any, threading.Thread]) -> None:
    """Not even one that only this computer has."""
    gate, _, _ = served
    assert ask(gate)[0].status == 200
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", gate.port), timeout=2):
        pass


def test_it_listens_on_the_port_that_it_was_given(tmp_path: Path) -> None:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server, gate = listening(Desk(tmp_path), port)
    assert gate.port == port and gate.link().startswith(f"http://127.0.0.1:{port}/?token=")
    server.close()


def test_it_does_not_say_what_program_answers(served: tuple[Guard, Any, threading.Thread]) -> None:
    said, page = ask(served[0])
    assert said.headers["Server"] is None and "Hier ist noch keine Partie" in page.decode()


def test_long_heads_are_refused_and_ordinary_ones_read(served: tuple[Guard, Any, threading.Thread]) -> None:
    gate, _, _ = served
    assert ask(gate, Other="x" * 60_000)[0].status == 200
    assert ask(gate, Other="x" * 70_000)[0].status == 431


def test_what_is_said_wrong_to_it_is_written_nowhere(
    served: tuple[Guard, Any, threading.Thread], caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    gate, _, _ = served
    with socket.create_connection(("127.0.0.1", gate.port), timeout=20) as line:
        line.sendall(b"GET / HTTP/1.1\r\nContent-Length: five\r\n\r\n")
        assert b" 400 " in line.recv(100)
    assert ask(gate, Cookie="no")[0].status == 403
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "") and not caplog.records


def test_styles_and_scripts_come_packed_where_a_browser_can_unpack(tmp_path: Path) -> None:
    visitor = Visitor(Desk(tmp_path))
    for name, kind in STATIC.items():
        plain = visitor.ask("GET", f"/static/{name}")
        packed = visitor.ask("GET", f"/static/{name}", HTTP_ACCEPT_ENCODING="br, gzip")
        assert plain.headers["Content-Type"].partition(";")[0] == kind, name
        assert packed.headers["Content-Type"] == plain.headers["Content-Type"], name
        assert "Content-Encoding" not in plain.headers and packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body and 200 < len(packed.body) < len(plain.body), name
    unknown = visitor.ask("GET", "/static/pages.py")
    assert unknown.status == 404 and "this page doesn&#39;t exist" in unknown.text


def test_stopped_it_answers_nobody(served: tuple[Guard, Any, threading.Thread]) -> None:
    gate, server, thread = served
    with socket.create_connection(("127.0.0.1", gate.port), timeout=20):
        stop(server)
        thread.join(10)
        assert not thread.is_alive()
    with pytest.raises(OSError):
        ask(gate)


def test_the_page_that_ends_the_table_is_the_last(served: tuple[Guard, Any, threading.Thread]) -> None:
    gate, _, thread = served
    assert ask(gate, "/end")[0].status == 405, "no address alone ends it"
    assert ask(gate, "/end", "POST", Origin="http://evil.example")[0].status == 403
    said, page = ask(gate, "/end", "POST")
    assert said.status == 200 and "Der Tisch ist geschlossen" in page.decode()
    thread.join(10)
    assert not thread.is_alive()
