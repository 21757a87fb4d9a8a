"""A power of `wif` comes into another hand in the middle of a game of three: by commands and mails alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.archive.folder.game_folder import Folder
from tests.cli.play import Seat, Table, order_file

SEATS = ("west", "east", "axis")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Two Fronts 1943 at the first impulse of the first side, opening letters sent. Do not change it."""
    table = Table(tmp_path_factory.mktemp("wif"), "wif/two_fronts_1943", SEATS)
    table.start()
    turn_letters(table)
    return table


def turn_letters(table: Table) -> None:
    for name in SEATS:  # west leads the first power of its side and answers for it; east does not
        answer(table.players[name], "turn-letter", {} if name == "east" else {"order": "first"})
    table.post()
    table.run()


def question(seat: Seat) -> str:
    """The key of the one question that is open for a seat."""
    (one,) = {option["decision"] for option in seat.pbem("orders", "legal", "--json").json}
    return str(one)


def answer(seat: Seat, kind: str, said: dict[str, Any], code: int = 0) -> Any:
    """An order file, checked and signed; what the check says where it is refused."""
    file = seat.root / "private" / "answers.yaml"
    key = question(seat)
    assert kind in key.split("/"), key
    file.write_text(order_file(seat, {key: said}))
    ran = seat.pbem("orders", "check", file, code=code)
    if not code:
        seat.pbem("orders", "sign", file)
    return ran


def impulse(table: Table, side: tuple[str, ...], letters: dict[str, dict[str, Any]]) -> None:
    for name in side:
        answer(table.players[name], "impulse-letter", letters.get(name, {}))
    table.post()
    table.run()


def owed(table: Table) -> set[str]:
    return {name for name, seat in table.players.items() if seat.owes}


def until(table: Table, wanted: set[str]) -> None:
    """The axis passes until the other side is asked; where the turn ends, all send their turn letters."""
    while (asked := owed(table)) != wanted:
        if asked == set(SEATS):
            turn_letters(table)
        else:
            assert asked == {"axis"}
            impulse(table, ("axis",), {"axis": {"action": {"GE": "pass", "IT": "pass"}}})


def march(to: str) -> dict[str, Any]:
    return {"action": {"USA": "land"}, "i": [{"unit": "US-A1", "path": [to]}]}


def test_the_new_hand_orders_for_it_once_the_open_stage_is_over(begun: Table, tmp_path: Path) -> None:
    table = begun.copy(tmp_path / "handed")
    west, east = table.players["west"], table.players["east"]
    until(table, {"west", "east"})

    done = table.gm.pbem("amend", "power", "USA", "east", "--reason", "west is away in May", "--yes")
    assert "east takes over USA" in done.err + done.out
    table.post()
    for seat in table.everybody:
        assert "amendment" in seat.pbem("status").out
        assert "west is away in May" in seat.pbem("amend", "list").out

    refused = answer(east, "impulse-letter", march("w0102"), code=1)
    assert "E-PAYER" in refused.err and "yours: USSR" in refused.err, "until then it is his who was asked"
    impulse(table, ("west", "east"), {"west": march("w0102"), "east": {}})
    for seat in table.everybody:
        said = seat.pbem("report").out
        assert "west is away in May" in said, "the ruling stands in everybody's report"
        assert "east             leads USA, USSR" in seat.pbem("status").out
    assert where(table, "US-A1") == "w0102"

    until(table, {"west", "east"})
    refused = answer(west, "impulse-letter", march("w0103"), code=1)
    assert "E-PAYER" in refused.err and "yours: CW" in refused.err
    impulse(table, ("west", "east"), {"east": {**march("w0103"), "action": {"USA": "land", "USSR": "pass"}}})
    assert where(table, "US-A1") == "w0103"
    for seat in table.everybody:
        assert "leads USA" in seat.pbem("status").out
        seat.pbem("verify")


def where(table: Table, unit: str) -> str:
    """Where a counter is in the public state of the GM's folder."""
    return str(Folder.open(table.gm.root).state().position.counters[unit]["hex"])


def test_what_a_power_is_handed_to_must_be_there(begun: Table, tmp_path: Path) -> None:
    table = begun.copy(tmp_path / "wrong")
    for words, said in ((("USA", "north"), "north"), (("FR", "east"), "FR"), (("USA", "west"), "west")):
        ran = table.gm.pbem("amend", "power", *words, "--yes", code=None)
        assert ran.code in (1, 2) and said in ran.err, (words, ran)


def test_two_players_of_a_side_move_in_one_stage_each_by_one_letter(begun: Table, tmp_path: Path) -> None:
    """6.1, 4.0.3 Tanks of the USA and of the USSR change places between full hexes; who finds no room is told
    who is there. One letter of each player of the side, none of the other, one report."""
    table = begun.copy(tmp_path / "together")
    west, east, axis = (table.players[name] for name in SEATS)
    until(table, {"west", "east"})
    moved = ("--move", "US-A1=e0501", "--move", "SU-M1=e0601", "--set", "SU-M1.face=up")
    table.gm.pbem("rule", *moved, "--reason", "help for the east", "--yes")
    table.post()
    impulse(table, ("west", "east"), {})
    until(table, {"west", "east"})

    letter = {"action": {"CW": "pass", "USA": "land"}, "i": [{"unit": "US-A1", "path": ["e0502"]}]}
    said = answer(west, "impulse-letter", letter)
    assert "e0502 is full unless SU-A1, SU-I2 leave" in said.err, "the others' units: a doubt, no fault"
    moves = [{"unit": "SU-A1", "path": ["e0501"]}, {"unit": "SU-M1", "path": ["e0502"]}]
    answer(east, "impulse-letter", {"action": {"USSR": "land"}, "i": moves})
    letters = [len(seat.mails()) for seat in (west, east, axis)]
    assert letters == [1, 1, 0]
    for seat in (west, east, axis):
        seat.sent.clear()
    table.post()
    table.run()

    assert [where(table, unit) for unit in ("US-A1", "SU-A1", "SU-M1")] == ["e0502", "e0501", "e0601"]
    told = east.pbem("report").out.replace("\n    ", " ")
    assert "no room for SU-M1 in e0502: SU-I2, US-A1 there" in told
