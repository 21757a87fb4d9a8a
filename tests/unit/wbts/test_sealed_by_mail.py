"""A leader laid down sealed for a battle to come, in games of folders that share nothing but mails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.ordering import order_file
from pbem.archive.verifying.verify import verify
from pbem.engine.system import find
from tests.unit.archive.table import Seat, Table

WBTS = find("wbts")
RAID: dict[str, Any] = {"battles": [{"target": "0905", "naval": ["U-IC1"]}]}
SEALED = "sealed-commit/attack/1"
MODES = [
    "swift",
    pytest.param("pair", marks=pytest.mark.long),
    pytest.param("locked", marks=pytest.mark.long),
]


class Played:
    """Everybody passes, but the north's ironclad attacks Fort Tyler once, with Dane laid down sealed."""

    def __init__(self, root: Path, dice: str, standing: dict[str, list[Any]]) -> None:
        self.standing = standing
        self.raid = 0
        self.asked: list[tuple[str, list[str]]] = []
        self.table = Table(root, WBTS, "marl_crossings", ["north", "south"], chain_length=128, dice=dice)
        self.table.start()

    def answer_all(self, seat: Seat, _choose: object = None) -> Path:
        folder = seat.folder
        questions = order_file.questions(folder)
        answers = {one.key: next(iter(order_file.options(folder, one))).answer for one in questions}
        kinds = [one.kind for one in questions]
        if self.raid:
            self.asked.append((seat.name, kinds))
        if kinds == ["battles"] and seat.name == "north" and not self.raid:
            self.raid = folder.progress.open_stage
            answers = {questions[0].key: RAID, SEALED: {"1": "U-DANE"}}
        return seat.order(answers, self.standing.pop(seat.name, None))

    def until_the_raid_is_over(self) -> None:
        while not self.raid or "cleanup" not in str(self.asked):
            self.table.play_stage(lambda *_: None)
            assert self.table.progress.stage < 30


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Played]:
    def play(dice: str, **standing: list[Any]) -> Played:
        game = Played(tmp_path, dice, standing)
        monkeypatch.setattr(Seat, "answer_all", lambda seat, choose=None: game.answer_all(seat, choose))
        game.until_the_raid_is_over()
        return game

    return play


def opened_in(game: Played) -> list[tuple[int, Any]]:
    """Stages in whose records the sealed leader is opened, and what was in it."""
    folder = game.table.players["north"].folder
    found = []
    for stage in range(1, folder.stage + 1):
        openings: Any = folder.record(stage).data.get("openings", {})
        if SEALED in openings.get("north", {}):
            found.append((stage, openings["north"][SEALED]["value"]))
    return found


@pytest.mark.parametrize("dice", MODES)
def test_it_is_opened_when_its_battle_calls_for_it_and_in_no_mail_before(
    played: Callable[..., Played], dice: str
) -> None:
    game = played(dice)
    ((stage, value),) = opened_in(game)
    assert value == {"1": "U-DANE"} and stage > game.raid
    by_dice = ["required-retreat"]  # the ship may be driven off
    asked = [(who, kinds) for who, kinds in game.asked if kinds and kinds != by_dice]
    assert asked[:2] == [("south", ["defence"]), ("north", ["cleanup"])]
    found = verify(game.table.players["north"].root)
    assert found.ok, found.findings


@pytest.mark.long
def test_with_standing_orders_of_the_defender_the_raid_is_one_mail(played: Callable[..., Played]) -> None:
    game = played(
        "swift",
        south=[{"defence": {}}, {"supply_order": []}, {"losses": {}}],
        north=[{"losses": {}}, {"retreat": {"exempt": "stay"}}],
    )
    assert opened_in(game) == [(game.raid, {"1": "U-DANE"})]
    assert game.asked[0] == ("north", ["cleanup"])
