"""Text for named readers at the table: a form beside the orders, read by those named and the GM alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.archive import Folder
from pbem.cli.games.practice import Person
from pbem.cli.web import enclosed
from pbem.cli.web.desk import Desk, name_of
from pbem.cli.web.draft import OrderDraft
from tests.cli.play import pbem
from tests.cli.test_table import Visitor

TEXT = "I leave Rokken alone this year."


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Visitor, Path, str]:
    for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    desk = Desk(tmp_path / "games")
    desk.start.mkdir()
    desk.opened.append(desk.lay("diplomacy", "three_shores", {"aldar": Person("You")}))
    root = next(one.parent for one in (tmp_path / "games").rglob("aldar") if one.is_dir())
    return Visitor(desk), root, name_of(root / "aldar")


def test_a_text_for_one_reader_goes_with_the_orders(table: tuple[Visitor, Path, str]) -> None:
    visitor, root, game = table
    stacks = json.loads(visitor.ask("GET", f"/g/{game}/board").body)["stacks"]
    named = {one["at"]: one["name"] for one in stacks}
    assert named["LUM"].startswith("LUM ") and "(sc)" not in "".join(named.values())
    offered = json.loads(visitor.ask("GET", f"/g/{game}/now").body)["enclosed"]
    assert [(one["kind"], [each["id"] for each in one["others"]]) for one in offered] == [
        ("note", ["brenn", "corva"])
    ]
    said = visitor.json(f"/g/{game}/enclose", kind="note", to=["brenn"], text=f"  {TEXT} ")
    (kept,) = said["enclosed"]
    assert (kept["to"], kept["text"]) == (["brenn"], TEXT)
    key = said["questions"][0]["key"]
    options = visitor.json(f"/g/{game}/options", key=key, at="LUM")["options"]
    one = next(each for each in options if each["text"].endswith("moves to Hofmoor"))
    visitor.json(f"/g/{game}/choose", key=key, at="LUM", number=one["number"], text=one["text"])
    sign = json.loads(visitor.ask("GET", f"/g/{game}/now").body)["sign"]
    assert sign["may"] and any(TEXT in line for line in sign["would"]), "seen before it is signed"
    assert visitor.json(f"/g/{game}/sign", passphrase="")["ok"]
    reports = {one: pbem("-C", str(root / one), "report", "1").out for one in ("aldar", "brenn", "corva")}
    assert {one: TEXT in text for one, text in reports.items()} == {
        "aldar": True,
        "brenn": True,
        "corva": False,
    }


def test_a_text_is_taken_out_and_a_wrong_one_is_told(table: tuple[Visitor, Path, str]) -> None:
    visitor, root, game = table
    wrong = visitor.json(f"/g/{game}/enclose", kind="note", to=["aldar"], text=TEXT)
    assert any("note" in str(one) or "aldar" in one["message"] for one in wrong["faults"])
    visitor.json(f"/g/{game}/enclose", kind="moves", to=["brenn"], text="not for readers")
    gone = visitor.json(f"/g/{game}/enclose", kind="note", to=["brenn"], text=" ")
    assert gone["enclosed"][0]["text"] == "" and TEXT not in gone["text"] and "not for" not in gone["text"]
    orders = OrderDraft(Folder.open(root / "aldar"))
    assert "note" not in orders.answers and enclosed.kinds(orders.folder.system) == ["note"]
