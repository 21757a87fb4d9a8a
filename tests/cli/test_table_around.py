"""Several persons at one computer: each has his own seat and key, and between two of them nothing is seen."""

from __future__ import annotations

import html
import json
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbem.archive import Folder, verify
from pbem.cli.games.memory import Memory
from pbem.cli.games.practice import Practice, table_in
from pbem.cli.web import commands
from pbem.cli.web.desk import Desk, name_of
from tests.cli.play import carried
from tests.cli.test_table import Said, Visitor

FORM = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}
PAGES = ("", "orders", "standing", "post", "desk", "trust", "template", "report/0")
ASKED = ("state", "board")


class Around:
    """One computer, two persons; nobody sits there yet."""

    def __init__(self, home: Path) -> None:
        self.desk = Desk(home, Memory(home / "games.json"))
        self.visitor = Visitor(self.desk)
        self.root = home / "victory-red-blue"
        self.red, self.blue = (name_of(self.root / seat) for seat in ("red", "blue"))

    def begin(self) -> str:
        """Begin the game; the seat that is asked to sit down."""
        fields = {"who-red": "person", "name-red": "Rita", "who-blue": "person", "passphrase-blue": "moon"}
        said = self.post("/around/victory/sarn_strait", **fields)
        assert said.status == 303, said.text
        return said.headers["Location"].split("/")[-2]

    def get(self, path: str) -> Said:
        return self.visitor.ask("GET", path)

    def post(self, path: str, **fields: str) -> Said:
        return self.visitor.ask("POST", path, urlencode(fields).encode(), **FORM)

    def bids(self, name: str, value: int, **more: str) -> str:
        state = json.loads(self.get(f"/g/{name}/state").body)
        key = state["questions"][0]["key"]
        options = self.visitor.json(f"/g/{name}/options", key=key, at=None)["options"]
        one = next(each for each in options if each["text"].startswith(f"bid {value}"))
        self.visitor.json(f"/g/{name}/choose", key=key, at=None, number=one["number"], text=one["text"])
        return html.unescape(self.post(f"/g/{name}/sign", **more).text)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Do not change it: copy it."""
    home = tmp_path_factory.mktemp("around")
    around = Around(home)
    assert around.begin() == around.red, "who is awaited first is asked to sit down"
    return home


@pytest.fixture
def around(begun: Path, tmp_path: Path) -> Around:
    return Around(carried(begun, tmp_path / "around"))


def closed(said: Said) -> bool:
    """Is it the page between, or the answer that another player is using there?"""
    return "show me my pages" in said.text or "another player is using" in said.text


def test_nobody_sees_the_pages_of_another(around: Around) -> None:
    for name in (around.red, around.blue):
        for page in (*PAGES, *ASKED):
            said = around.get(f"/g/{name}/{page}")
            assert closed(said), said.text
        for page in ("options", "choose", "sign", "do", "backup", "post", "read", "orders", "standing/bid"):
            assert closed(around.post(f"/g/{name}/{page}", key="GT1/1.1/bid")), page
    late = around.get(f"/g/{around.red}/state")
    assert late.status == 200 and json.loads(late.body)["changed"]["left"], "it was asked before red left"
    assert json.loads(late.body)["faults"][0]["code"] == "not-seated"
    around.post(f"/g/{around.red}/sit")
    assert "Lock red&#39;s pages" in around.get(f"/g/{around.red}/orders").text
    assert all(closed(around.get(f"/g/{around.blue}/{page}")) for page in (*PAGES, *ASKED))


def test_a_key_with_a_passphrase_keeps_others_from_sitting_down(around: Around) -> None:
    for typed in ("", "sun"):
        said = around.post(f"/g/{around.blue}/sit", passphrase=typed)
        assert said.status == 409 and closed(around.get(f"/g/{around.blue}/"))
    assert around.post(f"/g/{around.blue}/sit", passphrase="moon").status == 303
    assert "To do" in around.get(f"/g/{around.blue}/").text
    assert closed(around.get(f"/g/{around.red}/")), "and whoever sat there does not any more"
    private = around.root / "blue" / "private" / "id_ed25519"
    assert private.stat().st_mode & 0o777 == 0o600


def test_each_orders_in_turn_and_the_game_goes_on_when_all_have(around: Around) -> None:
    around.post(f"/g/{around.red}/sit")
    said = around.bids(around.red, 5)
    assert "pass the computer to blue" in said and Folder.open(around.root / "red").stage == 0
    page = around.post("/leave", to=around.blue)
    assert page.headers["Location"].endswith(f"/g/{around.blue}/") and closed(
        around.get(f"/g/{around.blue}/")
    )
    lobby = html.unescape(around.get("/").text)
    assert lobby.count("Play as") == 2 and lobby.count("must answer") == 1
    around.post(f"/g/{around.blue}/sit", passphrase="moon")
    assert "5" not in json.loads(around.get(f"/g/{around.blue}/state").body)["text"].split("answers")[1]
    assert "The others have answered" in around.bids(around.blue, 1, passphrase="moon")
    stages = {Folder.open(around.root / seat).stage for seat in ("gm", "red", "blue", "green")}
    assert len(stages) == 1 and stages != {0}
    assert all(verify(around.root / seat).ok for seat in ("gm", "red", "blue"))


def test_a_mail_for_somebody_who_does_not_sit_there_opens_none_of_his_pages(around: Around) -> None:
    (letter,) = (around.root / "gm" / "outbox").glob("stage-0000-*report*.eml")
    said = around.post("/mail", text=letter.read_text("utf-8"))
    assert said.status == 303 and closed(around.get(f"/g/{said.headers['Location'].split('/')[-2]}/"))


def test_only_who_signed_last_takes_it_back(around: Around) -> None:
    around.post(f"/g/{around.red}/sit")
    around.bids(around.red, 5)
    around.post(f"/g/{around.blue}/sit", passphrase="moon")
    around.bids(around.blue, 1, passphrase="moon")
    stage = Folder.open(around.root / "red").stage
    assert not commands.run(around.root / "red", "undo", "--yes").ok
    assert commands.run(around.root / "blue", "undo", "--yes").ok
    assert Folder.open(around.root / "red").stage < stage
    assert list((around.root / "red").glob("outbox/*red-orders*")), "what red signed before still stands"


def test_a_game_that_is_begun_inside_another_ones_folder_lies_beside_it(tmp_path: Path) -> None:
    first = Desk(tmp_path / "games", Memory(tmp_path / "games.json"))
    (tmp_path / "games").mkdir()
    root = first.open(first.practice("victory", "red")).root
    inner = Desk(root, first.memory)
    assert inner.home == Desk(root.parent).home == tmp_path / "games"
    assert inner.open(inner.practice("wif", "axis")).root == tmp_path / "games" / "wif-axis" / "axis"
    assert len(first.games()) == 2


def test_somebody_has_to_play(around: Around) -> None:
    said = around.post("/around/victory/sarn_strait", **{"name-red": "Rita"})
    assert said.status == 409 and 'data-code="no-person"' in said.text


def test_whoever_plays_with_commands_takes_his_own_folder(tmp_path: Path) -> None:
    said = commands.run(tmp_path, "demo", "--play", "red,green", "--out", str(tmp_path / "two"))
    assert said.ok and "waiting for red and green" in " ".join(said.lines), said.lines
    assert sorted(one.name for one in Desk(tmp_path).games().values()) == ["green", "red"]


def test_two_play_alone_without_a_game_master(tmp_path: Path) -> None:
    """Each commits, orders and gives links in turn; who has a passphrase gives his link by sitting down."""
    place = Desk(tmp_path, Memory(tmp_path / "games.json"))
    visitor = Visitor(place)

    def post(path: str, **fields: str) -> Said:
        return visitor.ask("POST", path, urlencode(fields).encode(), **FORM)

    form = html.unescape(visitor.ask("GET", "/around/wif/narrow_sea_1943").text)
    assert "nobody: the two of you play alone" in form
    assert "nobody: the two" not in visitor.ask("GET", "/around/victory/sarn_strait_two").text, "units hide"
    both = {"who-allied": "person", "who-axis": "person", "passphrase-axis": "moon", "master": "nobody"}
    one = {**both, "who-axis": ""}
    assert 'data-code="not-alone"' in post("/around/wif/narrow_sea_1943", **one).text
    assert post("/around/wif/narrow_sea_1943", **both).status == 303
    root = tmp_path / "wif-allied-axis-alone"
    folders = {path.name for path in root.iterdir() if path.is_dir()} - {"private"}  # what the table locks
    assert folders == {"allied", "axis", "mails"}, "and nobody is master"
    signed = []
    for _ in range(5):
        seat = next(seat for seat in ("allied", "axis") if table_of(root).awaited() == [seat])
        name, typed = name_of(root / seat), {"passphrase": "moon"} if seat == "axis" else {}
        assert post(f"/g/{name}/sit", **typed).status == 303
        if table_of(root).awaited() != [seat]:
            continue  # only his link was wanted
        state = json.loads(visitor.ask("GET", f"/g/{name}/state").body)
        while not state["ok"]:
            key = next(one["key"] for one in state["questions"] if not one["complete"])
            option = visitor.json(f"/g/{name}/options", key=key, at=None)["options"][0]
            chosen = {"number": option["number"], "text": option["text"]}
            state = visitor.json(f"/g/{name}/choose", key=key, at=None, **chosen)
        assert "Signed" in post(f"/g/{name}/sign", **typed).text
        signed.append(seat)
    assert {"allied", "axis"} == set(signed)
    found = [verify(root / seat) for seat in ("allied", "axis")]
    assert all(one.ok for one in found) and found[0].stage == found[1].stage >= 1


def table_of(root: Path) -> Practice:
    found = table_in(root)
    assert found is not None
    return found
