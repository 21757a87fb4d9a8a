"""`pbem table`: nobody but its user, and what a page is asked it does as the commands do."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.archive import Folder
from pbem.cli.games.memory import Memory
from pbem.cli.main import cli
from pbem.cli.web import app as web
from pbem.cli.web.desk import Desk
from pbem.cli.web.guard import MOST, Guard
from tests.nightly import in_ci
from tests.practising import practising

PORT = 45678
OWN = f"http://127.0.0.1:{PORT}"


class Said:
    """An answer of the server."""

    def __init__(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status, self.headers, self.body = int(status[:3]), dict(headers), body
        self.text = body.decode("utf-8", "replace")


class Visitor:
    """Somebody who asks: by default the user himself, with the cookie, from the page itself."""

    def __init__(self, place: Desk, lang: str = "en") -> None:
        self.gate = Guard(PORT, "t" * 43)
        self.app: Callable[..., Any] = web.application(place, self.gate, lang=lang)

    def ask(self, method: str, path: str, body: bytes = b"", **changes: str | None) -> Said:
        path, _, query = path.partition("?")
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": str(PORT), "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(body), "wsgi.errors": StringIO(), "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": "application/json", "HTTP_HOST": f"127.0.0.1:{PORT}", "HTTP_ORIGIN": OWN,
            "HTTP_COOKIE": f"{self.gate.cookie}={self.gate.session}",
        }  # fmt: skip
        for name, value in changes.items():
            environ.pop(name, None) if value is None else environ.update({name: value})
        found: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], fault: Any = None) -> None:
            found[:] = [status, headers]

        body = b"".join(self.app(environ, start))
        return Said(found[0], found[1], body)

    def json(self, path: str, **data: Any) -> Any:
        return json.loads(self.ask("POST", path, json.dumps(data).encode()).body)


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Desk, str]:
    place = Desk(tmp_path_factory.mktemp("table"))
    return place, practising(place, "victory", "red")


@pytest.fixture
def visitor(laid: tuple[Desk, str]) -> Visitor:
    return Visitor(laid[0])


# ---- who may ask ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "changes"),
    [
        ("a name that was made to lead here", {"HTTP_HOST": f"evil.example:{PORT}"}),
        ("another port's page", {"HTTP_HOST": "127.0.0.1:1"}),
        ("no host", {"HTTP_HOST": None}),
        ("no cookie", {"HTTP_COOKIE": None}),
        ("a guessed token", {"HTTP_COOKIE": f"pbem-{PORT}=" + "u" * 43}),
        ("a part of the token", {"HTTP_COOKIE": f"pbem-{PORT}=" + "t" * 42}),
        ("another table's cookie", {"HTTP_COOKIE": "pbem-1=" + "t" * 43}),
    ],
)
@pytest.mark.parametrize("path", ["/", "/static/table.js", "/g/{name}/", "/g/{name}/board", "/nowhere"])
def test_nobody_else_reads_anything(
    visitor: Visitor, laid: tuple[Desk, str], what: str, changes: dict[str, str | None], path: str
) -> None:
    said = visitor.ask("GET", path.format(name=laid[1]), **changes)
    assert said.status == 403, what
    assert "Sarn" not in said.text and laid[1] not in said.text and "R-AR" not in said.text


@pytest.mark.parametrize(
    "changes",
    [
        {"HTTP_ORIGIN": "http://evil.example"},
        {"HTTP_ORIGIN": "null"},
        {"HTTP_ORIGIN": f"https://127.0.0.1:{PORT}"},
        {"HTTP_ORIGIN": None},
        {"HTTP_ORIGIN": None, "HTTP_SEC_FETCH_SITE": "cross-site"},
        {"HTTP_COOKIE": None},
    ],
)
@pytest.mark.parametrize("path", ["/practice", "/g/{name}/sign", "/g/{name}/choose", "/g/{name}/post"])
def test_another_page_changes_nothing(
    visitor: Visitor, laid: tuple[Desk, str], changes: dict[str, str | None], path: str
) -> None:
    assert visitor.ask("POST", path.format(name=laid[1]), b"{}", **changes).status == 403


@pytest.mark.parametrize(
    ("origin", "site"),
    [(OWN, None), (f"http://localhost:{PORT}", "same-origin"), (OWN, "cross-site"), (None, "same-origin")],
)
def test_the_own_page_may_ask_even_where_a_browser_hides_its_origin(
    visitor: Visitor, laid: tuple[Desk, str], origin: str | None, site: str | None
) -> None:
    said = visitor.ask("POST", f"/g/{laid[1]}/counter", b"{}", HTTP_ORIGIN=origin, HTTP_SEC_FETCH_SITE=site)
    assert said.status == 200, said.text


def test_nothing_is_changed_by_get_or_by_other_methods(visitor: Visitor, laid: tuple[Desk, str]) -> None:
    for path in ("sign", "choose", "march", "put", "back", "clear", "do", "read", "backup"):
        assert visitor.ask("GET", f"/g/{laid[1]}/{path}").status == 405
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        assert visitor.ask(method, f"/g/{laid[1]}/sign").status == 403


def test_the_link_opens_once_and_leaves_no_token_in_the_address(visitor: Visitor) -> None:
    link = visitor.gate.link().removeprefix(OWN)
    evil = visitor.ask("GET", link, HTTP_COOKIE=None, HTTP_HOST=f"evil.example:{PORT}")
    assert evil.status == 403 and "Set-Cookie" not in evil.headers
    said = visitor.ask("GET", link, HTTP_COOKIE=None)
    assert said.status == 200 and 'content="0;url=/"' in said.text and "token" not in said.text
    cookie = said.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and visitor.gate.session in cookie
    assert link.partition("=")[2] not in cookie
    for other in (link, "/?token=wrong", "/?token=", f"/?token={visitor.gate.session}"):
        again = visitor.ask("GET", other, HTTP_COOKIE=None)
        assert again.status == 403 and "Set-Cookie" not in again.headers, other


def test_each_link_has_a_token_of_its_own(visitor: Visitor) -> None:
    links = [visitor.gate.link().removeprefix(OWN) for _ in range(3)]
    assert len(set(links)) == 3
    assert [visitor.ask("GET", one, HTTP_COOKIE=None).status for one in (*links, *links)] == [200] * 3 + [
        403
    ] * 3


@pytest.mark.skipif(os.name == "nt", reason="files of Windows have other rights")
def test_the_command_line_of_the_browser_has_no_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the name of a file that its owner alone can read, in a folder of the same kind."""
    from pbem.cli.commands.table import _open

    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    _open(tmp_path, "http://127.0.0.1:1/?token=secret&x")
    (file,) = opened
    assert "secret" not in file and file.startswith("file:///")
    (path,) = tmp_path.iterdir()
    assert (
        path.stat().st_mode & 0o777 == 0o600
        and 'url=http://127.0.0.1:1/?token=secret&amp;x"' in path.read_text()
    )


@pytest.mark.parametrize(
    "path",
    [
        "/static/../pages.py", "/static/..%2fpages.py", "/static/own.css", "/g/{name}/letter/../../game.yaml",
        "/g/{name}/letter/..%2f..%2fprivate%2fme.yaml", "/g/{name}/letter/%2fetc%2fpasswd", "/g/0000000000/",
        "/g/{name}/report/99999",
    ],
)  # fmt: skip
def test_no_address_leads_out_of_the_folder(visitor: Visitor, laid: tuple[Desk, str], path: str) -> None:
    said = visitor.ask("GET", path.format(name=laid[1]))
    assert said.status in (404, 409) and "root:" not in said.text and "import" not in said.text


def test_a_flood_is_refused_before_it_is_read(visitor: Visitor, laid: tuple[Desk, str]) -> None:
    said = visitor.ask("POST", f"/g/{laid[1]}/post", b"", CONTENT_LENGTH=str(MOST + 1))
    assert said.status == 413
    body = b'{"key": "' + b"x" * (1 << 20) + b'"}'
    assert visitor.ask("POST", f"/g/{laid[1]}/choose", body).status == 403
    deep = visitor.ask("POST", f"/g/{laid[1]}/choose", b"[" * 100_000)
    assert "no longer asked" in deep.text


def test_every_answer_allows_the_page_itself_and_nothing_else(visitor: Visitor) -> None:
    for said in (visitor.ask("GET", "/"), visitor.ask("GET", "/nowhere"), visitor.ask("PUT", "/")):
        assert said.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
        assert (
            said.headers["Cache-Control"] == "no-store" and "Access-Control-Allow-Origin" not in said.headers
        )


# ---- what the pages do ---------------------------------------------------------------------------------


def test_a_choice_is_in_the_order_file_and_can_be_taken_back(
    visitor: Visitor, laid: tuple[Desk, str]
) -> None:
    name = laid[1]
    state = json.loads(visitor.ask("GET", f"/g/{name}/state").body)
    key = state["questions"][0]["key"]
    options = visitor.json(f"/g/{name}/options", key=key, at=None)["options"]
    bid = next(one for one in options if one["text"].startswith("bid 3"))
    state = visitor.json(f"/g/{name}/choose", key=key, at=None, number=bid["number"], text=bid["text"])
    assert state["ok"] and "3" in state["understood"][0]
    path = laid[0].open(name).root / "private" / "orders-0001.yaml"
    assert f"{key}: 3" in path.read_text("utf-8") and path.stat().st_mode & 0o777 == 0o600
    assert not visitor.json(f"/g/{name}/back", key=key)["ok"]


def test_what_has_changed_meanwhile_is_not_chosen_blindly(visitor: Visitor, laid: tuple[Desk, str]) -> None:
    name = laid[1]
    key = json.loads(visitor.ask("GET", f"/g/{name}/state").body)["questions"][0]["key"]
    for asked, why in ((key, "have changed"), ("GT9/no/such", "no longer asked")):
        body = json.dumps({"key": asked, "at": None, "number": 1, "text": "something else"}).encode()
        said = visitor.ask("POST", f"/g/{name}/choose", body)
        assert said.status == 200, "a click that came too late is ordinary play, and no error of the page"
        assert why in json.loads(said.body)["changed"]["said"]


def test_pages_show_what_the_player_may_know_and_no_more(visitor: Visitor, laid: tuple[Desk, str]) -> None:
    """Blue's blocks have ids that red never learns; they are in no page, answer or address."""
    place, name = laid
    known = Folder.open(place.start / "victory-red" / "blue").view().game.position.counters
    theirs = [id for id in known if id.startswith("B-")]
    assert theirs
    for path in ("", "orders", "state", "board", "post", "trust"):
        said = visitor.ask("GET", f"/g/{name}/{path}")
        assert said.status == 200, path
        assert not [id for id in theirs if id in said.text], path


def test_a_mail_that_is_none_says_so(visitor: Visitor, laid: tuple[Desk, str]) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nhello\r\n--x--\r\n'
    said = visitor.ask("POST", f"/g/{laid[1]}/post", body, CONTENT_TYPE="multipart/form-data; boundary=x")
    assert said.status == 200 and "nothing signed for a game was found" in said.text


def test_a_place_without_games_offers_one_against_the_computer(tmp_path: Path) -> None:
    said = Visitor(Desk(tmp_path)).ask("GET", "/")
    assert "There is no game here yet" in said.text and "Play Victory" in said.text


def test_counters_stand_where_the_draft_leads_them(tmp_path: Path) -> None:
    """Before anything is signed; what is taken back leads nowhere."""
    place = Desk(tmp_path)
    name = practising(place, "victory", "red")
    visitor = Visitor(place)
    key = json.loads(visitor.ask("GET", f"/g/{name}/state").body)["questions"][0]["key"]
    one = visitor.json(f"/g/{name}/options", key=key, at=None)["options"][5]
    visitor.json(f"/g/{name}/choose", key=key, at=None, number=one["number"], text=one["text"])
    visitor.ask("POST", f"/g/{name}/sign", b"", CONTENT_TYPE="application/x-www-form-urlencoded")
    table = place.open(name).root.parent
    told = {path.name.removeprefix("0001-") for path in table.glob("*/private/reports/0001-*.txt")}
    assert told == {"red.txt"}, "what nobody reads is not written"
    blue = CliRunner().invoke(cli, ["-C", str(table / "blue"), "report", "1"])
    assert blue.exit_code == 0 and "blue" in blue.output, "it is made when somebody asks"
    question = json.loads(visitor.ask("GET", f"/g/{name}/state").body)["questions"][0]
    board = json.loads(visitor.ask("GET", f"/g/{name}/board").body)
    mine = [one["id"] for each in board["stacks"] for one in each["counters"] if one["mine"]]
    assert set(mine) <= set(board["faces"])
    option = next(
        each
        for id in mine
        for each in visitor.json(f"/g/{name}/options", key=question["key"], at=id)["options"]
        if each["end"] and each["counters"] == [id]
    )
    chosen = {"at": option["counters"][0], "number": option["number"], "text": option["text"]}
    state = visitor.json(f"/g/{name}/choose", key=question["key"], **chosen)
    assert state["moved"] == {option["counters"][0]: option["end"]}
    assert visitor.json(f"/g/{name}/back", key=question["key"])["moved"] == {}


@in_ci
def test_the_page_of_games_says_where_each_stands_without_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that was begun changes nothing of it. What came in is read with the rules."""
    place = Desk(tmp_path, Memory(tmp_path / "games.json"))
    game = place.open(practising(place, "victory", "red")).root
    whole = Visitor(place, "de").ask("GET", "/").text
    assert "Spielzug 1" in whole
    with monkeypatch.context() as without:
        without.setattr(Folder, "system", property(_no_rules))
        assert Visitor(place, "de").ask("GET", "/").text == whole
        (game / "private" / "orders-0001.yaml").write_text("an answer that was begun")
        assert Visitor(place, "de").ask("GET", "/").text == whole
        (game / "inbox" / "joins").mkdir(parents=True, exist_ok=True)
        (game / "inbox" / "joins" / "red.sig").write_text("something came")
        assert "no rules" in Visitor(place, "de").ask("GET", "/").text


def test_where_a_game_stands_is_kept_when_a_stage_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next visit to the page of games needs no rules; in another language it does."""
    place = Desk(tmp_path, Memory(tmp_path / "games.json"))
    name = practising(place, "victory", "red")
    place.play_on(place.open(name).root)
    monkeypatch.setattr(Folder, "system", property(_no_rules))
    assert "How many player turns do you bid" in Visitor(place).ask("GET", "/").text
    assert "no rules" in Visitor(place, "de").ask("GET", "/").text
    kept = json.loads((tmp_path / "games.json").read_text())
    kept["games"][0]["stood"]["awaited"] = 5  # written by hand
    (tmp_path / "games.json").write_text(json.dumps(kept))
    assert "no rules" in Visitor(place).ask("GET", "/").text


def _no_rules(folder: Folder) -> None:
    raise AssertionError("no rules")
