"""What must hold at the table: drafts that commands go on with, nothing told that a player may not know,
nothing lost when it is killed, nothing that a stranger on the same computer can do."""

from __future__ import annotations

import html
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pbem.archive import Folder, verify
from pbem.cli.games.memory import Memory
from pbem.cli.web import commands, words
from pbem.cli.web.desk import Desk
from pbem.cli.web.guard import MOST
from pbem.cli.web.serve import listening, run, stop
from pbem.engine.system import find, installed
from pbem.text import copies
from tests.cli.test_table import Visitor
from tests.practising import practising

WEB = Path(words.__file__).parent
SYSTEMS = ("victory", "wbts", "ocs", "totaler-krieg", "wif")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Desk, str]]:
    """A practice game of every system, for its first seat."""
    found = {}
    for name in SYSTEMS:
        system = find(name)
        place = Desk(tmp_path_factory.mktemp(name), Memory(tmp_path_factory.mktemp("memory") / "games.json"))
        seat = system.players(system.scenario(system.scenarios()[0]))[0]
        found[name] = (place, practising(place, name, seat))
    return found


# ---- one draft, two faces ------------------------------------------------------------------------------


def test_a_draft_begun_in_the_page_is_finished_by_command(tables: dict[str, tuple[Desk, str]]) -> None:
    place, name = tables["victory"]
    visitor, root = Visitor(place), place.open(name).root
    key = json.loads(visitor.ask("GET", f"/g/{name}/state").body)["questions"][0]["key"]
    one = visitor.json(f"/g/{name}/options", key=key, at=None)["options"][4]
    visitor.json(f"/g/{name}/choose", key=key, at=None, number=one["number"], text=one["text"])
    said = commands.run(root, "orders", "check")
    assert said.ok and one["text"].split(":")[0] in " ".join(said.lines)


def test_a_draft_begun_by_command_is_finished_in_the_page(tables: dict[str, tuple[Desk, str]]) -> None:
    place, name = tables["victory"]
    visitor, root = Visitor(place), place.open(name).root
    path = root / "private" / "orders-0001.yaml"
    path.unlink(missing_ok=True)
    assert commands.run(root, "orders", "new", "--yes").ok or commands.run(root, "orders", "new").ok
    text = path.read_text("utf-8")
    key = json.loads(visitor.ask("GET", f"/g/{name}/state").body)["questions"][0]["key"]
    path.write_text(text.replace(f"{key}:\n", f"{key}: 2\n"), "utf-8")
    state = json.loads(visitor.ask("GET", f"/g/{name}/state").body)
    assert state["ok"] and "bid 2" in state["understood"][0], "what was written in an editor is in the page"
    assert path.read_text("utf-8") != text, "and looking at it has not changed the file"


def test_two_tabs_lose_nothing_to_each_other(tables: dict[str, tuple[Desk, str]]) -> None:
    """The second is told that the orders have changed, or works on what the first one wrote."""
    place, name = tables["wif"]
    one, other = Visitor(place), Visitor(place)
    key = json.loads(one.ask("GET", f"/g/{name}/state").body)["questions"][0]["key"]
    stale = other.json(f"/g/{name}/options", key=key, at=None)["options"]
    first = one.json(f"/g/{name}/options", key=key, at=None)["options"][1]
    one.json(f"/g/{name}/choose", key=key, at=None, number=first["number"], text=first["text"])
    said = other.json(f"/g/{name}/choose", key=key, at=None, number=stale[1]["number"], text=stale[1]["text"])
    after = json.loads(one.ask("GET", f"/g/{name}/state").body)
    assert "have changed" in str(said.get("faults")) or said["text"] == after["text"]


def test_against_the_computer_an_answer_is_taken_back_with_what_followed(tmp_path: Path) -> None:
    place = Desk(tmp_path)
    name = practising(place, "victory", "red")
    visitor, root = Visitor(place), place.open(name).root
    key = json.loads(visitor.ask("GET", f"/g/{name}/state").body)["questions"][0]["key"]
    one = visitor.json(f"/g/{name}/options", key=key, at=None)["options"][5]
    visitor.json(f"/g/{name}/choose", key=key, at=None, number=one["number"], text=one["text"])
    form = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}
    for back in (lambda: commands.run(root, "undo", "--yes").ok, lambda: undone(visitor, name, form)):
        assert "Signed" in visitor.ask("POST", f"/g/{name}/sign", b"", **form).text
        assert (
            Folder.open(root).stage == 1
            and "Take back my last answer" in visitor.ask("GET", f"/g/{name}/").text
        )
        assert back()
        assert Folder.open(root).stage == 0 and not list(root.glob("outbox/*orders*"))
        assert json.loads(visitor.ask("GET", f"/g/{name}/state").body)["ok"], "the draft is as it was"
    said = commands.run(root, "undo", "--yes")
    assert not said.ok and "nothing-to-undo" in " ".join(said.lines)
    # cut short between two folders, it is finished when the table is opened
    assert "Signed" in visitor.ask("POST", f"/g/{name}/sign", b"", **form).text
    table = root.parent
    (kept,) = (table / "before").glob("*.json")
    copies.restore(kept, table / "taking-back")
    copies.drop([kept])
    (table / "gm").rename(table / "taken-back")
    assert Folder.open(Desk(tmp_path).games()[name]).stage == 0
    assert not (table / "taking-back").exists() and verify(table / "gm").ok


def undone(visitor: Visitor, name: str, form: dict[str, str]) -> bool:
    return "taken back" in visitor.ask("POST", f"/g/{name}/do", b"what=undo", **form).text


# ---- clicks that lead nowhere ---------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["victory", "totaler-krieg", "wif"])
def test_whatever_illegal_is_clicked_is_answered_with_a_rule(
    tables: dict[str, tuple[Desk, str]], system: str
) -> None:
    """Counters and places by chance; what is legal after all is said to be."""
    place, name = tables[system]
    visitor, rng = Visitor(place), random.Random(7)
    questions = json.loads(visitor.ask("GET", f"/g/{name}/state").body)["questions"]
    board = _board(visitor, name)
    mine = [one["id"] for stack in board["stacks"] for one in stack["counters"] if one["mine"]]
    places = sorted(board["centres"])
    for _ in range(33):
        clicked = {"key": rng.choice(questions)["key"], "at": rng.choice(mine), "to": rng.choice(places)}
        said = visitor.json(f"/g/{name}/why", **clicked)
        assert said["legal"] or any(one["rule"] for one in said["faults"]), clicked


# ---- what a player may not know ------------------------------------------------------------------------


def secrets_of_others(place: Desk, name: str) -> set[str]:
    """Ids and texts that the game master and the other seats know and the owner of the table does not. What
    the rules print for everybody is no secret: examples, the names of places, the decks of a scenario."""
    mine = place.open(name)
    game = mine.view().game
    chart = game.system.map_of(game.world)
    places = [chart.number(i) for i in range(len(chart))] if chart is not None else []
    known = json.dumps([[one.key, one.value] for one in mine.facts()])
    decks = list(getattr(game.world, "cards", ()))
    known += json.dumps([mine.system.wording, places, decks], default=str)
    found: set[str] = set()
    for folder in (Folder.open(one) for one in mine.root.parent.iterdir() if (one / "roster.json").is_file()):
        for fact in folder.facts():
            found |= {word for word in _texts([fact.key.split("/"), fact.value]) if word not in known}
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str) and len(value) > 3:
        yield value
    elif isinstance(value, dict):
        yield from (text for key, item in value.items() for part in (key, item) for text in _texts(part))
    elif isinstance(value, list):
        yield from (text for item in value for text in _texts(item))


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_player_may_not_know_is_in_no_page_answer_or_address(
    tables: dict[str, tuple[Desk, str]], system: str, capfd: pytest.CaptureFixture[str]
) -> None:
    place, name = tables[system]
    secret = secrets_of_others(place, name)
    assert secret or not place.open(name).system.hidden, (
        "where units are hidden there is something to be hidden"
    )
    visitor = Visitor(place)
    said = [visitor.ask("GET", path) for path in ("/", *(f"/g/{name}/{one}" for one in _PAGES))]
    state = json.loads(visitor.ask("GET", f"/g/{name}/state").body)
    counters = [one["id"] for stack in _board(visitor, name)["stacks"] for one in stack["counters"]]
    asked: list[dict[str, Any]] = [{"at": one} for one in [*counters[:6], *sorted(secret)[:4]]]
    for body in asked:
        for path in ("counter", "past", "why", "options"):
            for question in state["questions"] or [{"key": ""}]:
                data = json.dumps({"key": question["key"], **body}).encode()
                said.append(visitor.ask("POST", f"/g/{name}/{path}", data))
    printed = capfd.readouterr()
    for one in said:
        text = html.unescape(one.text)
        named = {body["at"] for body in asked}  # what was asked is named in the answer
        told = {word for word in secret - named if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)}
        assert not told, one.text[:200]
    assert printed.out == "" and printed.err == "", "nothing is logged"


_PAGES = ("", "orders", "standing", "post", "desk", "trust", "state", "board", "template")


def _board(visitor: Visitor, name: str) -> Any:
    return json.loads(visitor.ask("GET", f"/g/{name}/board").body)


def test_of_a_practice_game_only_the_seat_of_the_person_can_be_opened(
    tables: dict[str, tuple[Desk, str]],
) -> None:
    for place, name in tables.values():
        assert list(place.games()) == [name]
        other = Desk(place.start).games()
        assert list(other) == [name], "the folders of the others beside it are no games of this table"


# ---- strangers on the same computer --------------------------------------------------------------------


def test_another_user_finds_nothing_to_read(tables: dict[str, tuple[Desk, str]]) -> None:
    place, name = tables["victory"]
    assert place.memory.path is not None and place.memory.path.stat().st_mode & 0o077 == 0
    private = place.open(name).root / "private"
    assert private.stat().st_mode & 0o077 == 0 or not [
        one for one in private.iterdir() if one.is_file() and one.stat().st_mode & 0o077
    ]


@pytest.fixture
def served(tables: dict[str, tuple[Desk, str]]) -> Iterator[tuple[int, str, str]]:
    """A real server: port, token, game."""
    place, name = tables["victory"]
    server, gate = listening(place, 0)
    thread = threading.Thread(target=run, args=(server,), daemon=True)
    thread.start()
    yield gate.port, gate.session, name
    stop(server)
    thread.join(10)


def _get(port: int, token: str, path: str = "/") -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as line:
        line.request("GET", path, headers={"Cookie": f"pbem-{port}={token}"})
        said = line.getresponse()
        return said.status, said.read()


def test_it_listens_on_the_loopback_address_alone(served: tuple[int, str, str]) -> None:
    port, token, _ = served
    assert _get(port, token)[0] == 200
    own = socket.gethostbyname(socket.gethostname())
    if not own.startswith("127."):
        with pytest.raises(OSError), socket.create_connection((own, port), timeout=2):
            pass


def test_who_connects_and_says_nothing_keeps_nobody_waiting(served: tuple[int, str, str]) -> None:
    port, token, _ = served
    idle = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(40)]
    for one in idle:
        one.sendall(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n")
    assert _get(port, token)[0] == 200
    for one in idle:
        one.close()


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"], ids=["silent", "half said"])
def test_hundreds_of_connections_that_say_nothing_keep_nobody_waiting(
    served: tuple[int, str, str], said: bytes
) -> None:
    """The oldest of them are closed, so that there is room for who asks. None of them times out before."""
    port, token, _ = served
    with ExitStack() as stack:
        for _ in range(300):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
            if said:
                with suppress(OSError):
                    one.sendall(said)
        assert [_get(port, token)[0] for _ in range(3)] == [200] * 3


def test_an_upload_without_end_is_cut_off(served: tuple[int, str, str]) -> None:
    """Its length is not said, and it is more than any mail."""
    port, token, name = served
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        head = (
            f"POST /g/{name}/post HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"Cookie: pbem-{port}={token}\r\nContent-Type: application/octet-stream\r\n"
            "Transfer-Encoding: chunked\r\n\r\n"
        )
        line.sendall(head.encode())
        chunk = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
        said = b""
        try:
            for _ in range((MOST >> 20) + 4):
                line.sendall(chunk)
            said = line.recv(200)
        except OSError:
            said = b"413"
    assert b"413" in said or said == b""
    assert _get(port, token)[0] == 200


def test_thousands_of_guesses_open_nothing(tables: dict[str, tuple[Desk, str]]) -> None:
    visitor = Visitor(tables["victory"][0])
    for n in range(2000):
        assert visitor.ask("GET", "/", HTTP_COOKIE=f"{visitor.gate.cookie}={n:043d}").status == 403


# ---- killed at any moment ------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="it is killed as POSIX kills")
def test_killed_at_any_moment_nothing_is_lost_or_half_written(tmp_path: Path) -> None:
    place = Desk(tmp_path)
    name = practising(place, "victory", "red")
    root = place.open(name).root
    environ = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    for kills, wait in enumerate((0.0, 0.02, 0.05), 1):
        command = [sys.executable, "-m", "pbem", "table", "--no-browser", str(tmp_path)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ
        ) as running:
            assert running.stdout is not None
            link = running.stdout.readline().decode().strip()
            port, token = by_link(link)
            clicks = threading.Thread(target=_clicking, args=(port, token, name), daemon=True)
            clicks.start()
            time.sleep(wait + 0.3)
            running.send_signal(signal.SIGKILL)
            running.wait(10)
        clicks.join(10)
        folder = Folder.open(root)
        path = root / "private" / "orders-0001.yaml"
        if path.is_file():
            assert path.read_text("utf-8").endswith("\n") and commands.run(root, "orders", "check").code in (
                0,
                1,
            )
        assert folder.stage == 0
        # what was being written when it was killed lies beside under a name that nobody reads
        assert len(list(root.glob("**/.pbem-*.tmp"))) <= kills


def by_link(link: str) -> tuple[int, str]:
    """Port and cookie of whoever opens a link."""
    found = urlsplit(link)
    assert found.port is not None
    with closing(http.client.HTTPConnection("127.0.0.1", found.port, timeout=60)) as line:
        line.request("GET", f"/?{found.query}")
        cookie = str(line.getresponse().headers["Set-Cookie"])
    return found.port, cookie.partition("=")[2].partition(";")[0]


def _clicking(port: int, token: str, name: str) -> None:
    """Choose and take back, as fast as it goes, until nobody answers."""
    head = {"Cookie": f"pbem-{port}={token}", "Origin": f"http://127.0.0.1:{port}"}
    head["Content-Type"] = "application/json"
    body = {"key": "GT1/1.1/bid", "number": 1, "text": "bid 1: that many turns, neither fewer nor more"}
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as line:
            while True:
                for path in ("options", "choose", "clear"):
                    line.request("POST", f"/g/{name}/{path}", json.dumps(body), head)
                    line.getresponse().read()
    except (OSError, http.client.HTTPException):
        return


# ---- without a script ----------------------------------------------------------------------------------


def test_without_a_script_orders_are_read_downloaded_filled_in_and_sent_back(
    tables: dict[str, tuple[Desk, str]],
) -> None:
    place, name = tables["victory"]
    visitor = Visitor(place)
    page = visitor.ask("GET", f"/g/{name}/orders").text
    assert "<svg" in page and "Units and places" in page, "the board is in the page itself"
    template = visitor.ask("GET", f"/g/{name}/template")
    assert "attachment" in template.headers["Content-Disposition"]
    key = "GT1/1.1/bid"
    filled = template.text.replace(f"{key}:\n", f"{key}: 4\n").encode()
    body = b'--x\r\nContent-Disposition: form-data; name="file"; filename="o.yaml"\r\n\r\n' + filled
    said = visitor.ask(
        "POST",
        f"/g/{name}/orders",
        body + b"\r\n--x--\r\n",
        CONTENT_TYPE="multipart/form-data; boundary=x",
    )
    assert said.status == 200 and "bid 4" in said.text
    assert b"4" in (place.open(name).root / "private" / "orders-0001.yaml").read_bytes()


# ---- words ---------------------------------------------------------------------------------------------


def said_in(scripts: str, prefix: str) -> set[str]:
    """The words that scripts say: a key, or one of two behind a condition."""
    keys = re.findall(r"\bsay\((?:[^()\"]*\? )?\"([a-z-]+)\"", scripts)
    return {f"{prefix}-{key}" for key in [*keys, *re.findall(r"say\([^()]*: \"([a-z-]+)\"", scripts)]}


def test_every_word_of_the_pages_stands_in_the_words_file_and_none_is_left_over() -> None:
    texts = "".join(path.read_text("utf-8") for path in [*WEB.rglob("*.py"), *WEB.glob("pages/*.j2")])
    table, editor = (
        "".join(path.read_text("utf-8") for path in WEB.glob("static/*.js") if named(path))
        for named in (lambda path: path.name[:5] != "edit-", lambda path: path.name[:5] == "edit-")
    )
    used = set(re.findall(r"\bt\(\s*\"([a-z-]+)\"", texts)) | set(
        re.findall(r"words\.say\(\"([a-z-]+)\"", texts)
    )
    used |= said_in(table, "js") | said_in(editor, "edit")
    made = (
        "page-",
        "tab-",
        "dice-",
        "rule-",
        "mail-",
        "login-",
        "try-",
        "board-",
        "edit-brush-",
        "edit-lying-",
        "edit-tool-",
        "edit-ended",
        "edit-error",
        "edit-warning",
    )  # put together from what they are about
    known = {key.removesuffix("-one") for key in words.own("en")}
    assert {key for key in used - known if not key.endswith("-")} == set()
    quoted = set(re.findall(r"[\"']([a-z-]+)[\"']", texts + table + editor))
    left = {key for key in known - used if not key.startswith(made) and key not in quoted}
    assert {key for key in left if key.partition("-")[2] not in quoted} == set()


def test_no_system_has_a_line_in_the_room_of_the_table() -> None:
    for path in [*WEB.rglob("*.py"), *WEB.rglob("*.j2"), *WEB.rglob("*.js"), *WEB.rglob("*.yaml")]:
        text = path.read_text("utf-8").lower()
        assert not [name for name in installed() if re.search(rf"\b{re.escape(name)}\b", text)], path


def test_the_pages_speak_the_language_of_their_reader(tables: dict[str, tuple[Desk, str]]) -> None:
    """What commands say, receipts, faults and questions too; the order file stays what it is."""
    place, name = tables["victory"]
    german, english = Visitor(place, "de"), Visitor(place)
    state = json.loads(german.ask("GET", f"/g/{name}/state").body)
    assert state["questions"][0]["text"].startswith("Wie viele Spielerzüge")
    key = state["questions"][0]["key"]
    german.json(f"/g/{name}/clear", key=key)
    told = json.loads(german.ask("GET", f"/g/{name}/state").body)
    assert told["faults"] == [] and not told["ok"], "a question that is not begun is no fault"
    stale = german.json(f"/g/{name}/choose", key=key, at=None, number=1, text="another")
    assert "inzwischen geändert" in stale["faults"][0]["message"]
    assert told["text"] == json.loads(english.ask("GET", f"/g/{name}/state").body)["text"]
    form = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}
    body = b"what=undo"
    assert "wurde nichts getan" in german.ask("POST", f"/g/{name}/do", body, **form).text
    assert "Zu tun: Wie viele" in german.ask("GET", f"/g/{name}/desk").text
    assert "gibt es hier nicht" in german.ask("GET", "/g/0000000000/").text, "and what went wrong"


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_nobody_may_do_now_is_told_with_its_rule(
    tables: dict[str, tuple[Desk, str]], system: str
) -> None:
    """No order of the kind is legal for anybody at this point of the game: why can I not attack now?"""
    place, name = tables[system]
    visitor = Visitor(place)
    stacks = _board(visitor, name)["stacks"]
    mine = next(one["id"] for each in stacks for one in each["counters"] if one["mine"])
    end = next(each["at"] for each in stacks if not any(one["mine"] for one in each["counters"]))
    for question in json.loads(visitor.ask("GET", f"/g/{name}/state").body)["questions"][:1]:
        for to in (None, end):
            said = visitor.json(f"/g/{name}/why", key=question["key"], at=mine, to=to)
            assert said["legal"] or (said["faults"] and all(one["rule"] for one in said["faults"])), said
            codes = {one["code"] for one in said["faults"]}
            assert "not-now" in codes or not question["key"].endswith("/bid"), codes


def test_a_hundred_clicks_on_what_is_illegal_break_nothing(tables: dict[str, tuple[Desk, str]]) -> None:
    """Every counter of every side to places all over the map, in every system: each is answered, nothing is
    in the orders after it."""
    for place, name in tables.values():
        visitor = Visitor(place)
        state = json.loads(visitor.ask("GET", f"/g/{name}/state").body)
        board = _board(visitor, name)
        ids = [one["id"] for each in board["stacks"] for one in each["counters"]]
        ends = sorted(board["centres"])
        for n in range(100 // len(tables)):
            at, to = ids[n * 7 % len(ids)], (ends[n * 13 % len(ends)] if ends else None)
            for question in state["questions"][:1]:
                said = visitor.ask(
                    "POST",
                    f"/g/{name}/why",
                    json.dumps({"key": question["key"], "at": at, "to": to}).encode(),
                )
                assert said.status == 200, (at, to, said.text)
        assert json.loads(visitor.ask("GET", f"/g/{name}/state").body)["text"] == state["text"]
