"""Orders for a whole turn: what a block may do as lines to paste, and what was understood, a line a move."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.folder.game_folder import Folder
from pbem.cli.games.table import Table
from pbem.cli.writing.legal import Legal, data, lines
from pbem.cli.writing.naming import Names
from pbem.engine.resolve import Question
from pbem.engine.system import find
from pbem.model.elements import Written
from pbem.rules import Points
from pbem.text.schema import check
from pbem.text.schema import find as find_schema
from tests.cli.play import Ran, Seat
from tests.nightly import in_ci

QUESTION = Question("T2/turn-order", "0" * 12, "red", "turn-order", "4.2.3", {}, "sealed", False)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A game of `victory` in which somebody is asked for his first Player Turn, and who that is."""
    root = tmp_path_factory.mktemp("victory")
    table = Table(root, find("victory"), "sarn_strait_two")
    table.sit_down("First blood")
    for _ in range(9):
        asked = table.gm.folder.progress.asked
        if any("turn-order" in key for keys in asked.values() for key in keys):
            return root, next(iter(asked))
        table.play_stage()
    raise AssertionError(f"nobody is asked for a turn: {asked}")


@pytest.fixture
def seat(begun: tuple[Path, str], tmp_path: Path) -> Seat:
    root, party = begun
    shutil.copytree(root / party, tmp_path / party)
    return Seat(tmp_path / party)


def _key(seat: Seat) -> str:
    return str(seat.pbem("orders", "legal", "--json").json[0]["decision"])


def _unit(seat: Seat, kind: str = "march") -> str:
    """A block that may march."""
    options = seat.pbem("orders", "legal", "turn-order", "--after", "{choice: turn}", "--json").json
    moves = (one["new"]["value"] for one in options if one["new"]["under"] == "moves")
    return str(next(move["unit"] for move in moves if move["kind"] == kind))


def _written(seat: Seat, answer: Any) -> Path:
    status = seat.status
    text = f'game: "{status["game"][:12]}"\nstage: {status["stage"] + 1}\nanswers:\n{answer}\n'
    file = seat.root / "private" / "mine.yaml"
    file.write_text(text)
    return file


def _check(seat: Seat, answer: Any, code: int = 0) -> Ran:
    return seat.pbem("orders", "check", _written(seat, answer), code=code)


def test_what_a_unit_may_do_is_listed_without_the_rest_of_the_answer(seat: Seat) -> None:
    unit = _unit(seat)
    said = seat.pbem("orders", "legal", unit)
    mine, title, head, moves, *options = said.lines
    assert mine.startswith(f"# {unit} ") and " in " in mine
    assert title.startswith("# Round 1")
    assert head == f"  {_key(seat)}:   # with {{choice: turn}} before it"
    assert moves == "    moves:"
    assert check(seat.pbem("orders", "legal", unit, "--json").json, find_schema("legal")) == []
    assert len(options) > 3 and said.err == f"{len(options)} options\n"
    for line in options:
        assert line.startswith(f"      - {{unit: {unit}, kind: "), line
        assert "choice" not in line and '"unit"' not in line


def test_any_line_can_be_pasted_under_its_list(seat: Seat) -> None:
    unit = _unit(seat)
    _, _, head, moves, *options = seat.pbem("orders", "legal", unit).lines
    for line in options[:: max(1, len(options) // 4)]:
        said = _check(seat, "\n".join([head, "    choice: turn", moves, line]))
        assert f"    {unit} " in said.out
        assert line.split("   # ")[1].partition(" (")[0] in said.out


@in_ci
def test_after_what_stands_in_the_file_only_what_may_be_added_is_listed(seat: Seat) -> None:
    first = seat.pbem("orders", "legal", _unit(seat)).lines[4]
    after = "{choice: turn, moves: [" + first.split("- ", 1)[1].split("   #")[0] + "]}"
    said = seat.pbem("orders", "legal", "turn-order", "--after", after)
    head, moves, *options = said.lines[1:]
    assert head == f"  {_key(seat)}:" and moves == "    moves:"
    assert not [line for line in options if f"unit: {_unit(seat)}," in line], "it has moved already"
    again = seat.pbem("orders", "legal", _unit(seat), "--after", after, code=1)
    assert "error[no-option]" in again.err and again.out == ""


@in_ci
def test_a_battle_is_forecast_in_the_words_of_odds_in_each_language(seat: Seat) -> None:
    """Several elements stand below their question: their sentences are translated as well."""
    legal = seat.pbem("orders", "legal", "turn-order", "--after", "{choice: turn}", "--json").json
    (attack, *_) = [one for one in legal if "end" in one.get("points", {}) and "battle" in one["text"]]
    move, place = json.dumps(attack["new"]["value"]), attack["points"]["end"]
    answer = f"  {_key(seat)}:\n    choice: turn\n    moves: [{move}]"
    file = _written(seat, answer)
    for language, chances in (("en", f"take {place}: "), ("de", f"{place} nehmen: ")):
        odds = seat.pbem("--lang", language, "odds", place, "--with", attack["points"]["units"][0]).lines[1]
        first = odds.strip().partition(" · if ")[0].partition(" · wenn ")[0]
        assert first.startswith(chances)
        assert first in seat.pbem("--lang", language, "orders", "check", file).out


def test_an_item_that_grows_is_shown_whole_and_in_whose_place_it_goes() -> None:
    remote = {"su": "R-SU1", "mode": "remote"}
    longer = Written("reveal", {**remote, "targets": ["R-IN1"]})
    before = {"choice": "turn", "reveal": [remote]}
    one = Legal("R-SU1 activates R-IN1", added=longer, before=before, given=True)
    assert _lines(replace(one, instead=Written("reveal", remote))) == [
        "  T2/turn-order:",
        "    reveal:   # in place of {su: R-SU1, mode: remote}",
        "      - {su: R-SU1, mode: remote, targets: [R-IN1]}   # R-SU1 activates R-IN1",
    ]


@pytest.mark.parametrize(
    ("added", "shown"),
    [
        (Written(None, "0405"), ['    - "0405"   # so']),
        (Written(None, "0405", False, "R-IN1"), ['    R-IN1: "0405"   # so']),
        (Written("moves", "0405", False, "R-IN1"), ["    moves:", '      R-IN1: "0405"   # so']),
        (Written("more", True, False), ["    more: true   # so"]),
    ],
)
def test_an_element_is_a_line_that_can_be_pasted(added: Written, shown: list[str]) -> None:
    assert _lines(Legal("so", added=added, before=[], given=True)) == ["  T2/turn-order:", *shown]


def test_what_an_option_costs_and_risks_stands_behind_it() -> None:
    points = Points(("R-IN1",), way=("0405",), cost=(("MP", 3),), risk="3:1, column 7")
    one = Legal("R-IN1 to 0405", points=points, answer={"unit": "R-IN1", "to": "0405"})
    (line,) = _lines(one)
    assert line.endswith("   # R-IN1 to 0405 (3 MP; 3:1, column 7)")
    told = data(QUESTION, one)
    assert told["points"]["end"] == "0405" and told["points"]["cost"] == {"MP": 3}
    assert check([told], find_schema("legal")) == []


def _lines(one: Legal) -> list[str]:
    return [line for line, _ in lines(QUESTION, [one])]


def test_a_unit_that_does_not_exist_is_not_mistaken_for_one_that_can_do_nothing(seat: Seat) -> None:
    unit = _unit(seat)
    said = seat.pbem("orders", "legal", unit[:-1] + "99", code=1)
    assert "error[unknown-unit]" in said.err and "did you mean" in said.err and said.out == ""
    options = seat.pbem("orders", "legal", "turn-order", "--after", "{choice: turn}", "--json").out
    counters = seat.pbem("map", "--json").json["position"]["counters"]
    idle = next(name for name in counters if f'"{name}"' not in options)
    assert "error[no-option]" in seat.pbem("orders", "legal", idle, code=1).err


def test_a_place_where_nothing_begins_is_not_mistaken_for_one_that_is_not_on_the_map(seat: Seat) -> None:
    stacks = [one["hex"] for one in seat.pbem("map", "--json").json["position"]["counters"].values()]
    empty = next(hex for hex in ("0101", "0201", "0102", "0103") if hex not in stacks)
    assert "error[no-option]" in seat.pbem("orders", "legal", empty, code=1).err
    assert "error[unknown-unit]" in seat.pbem("orders", "legal", "9999", code=1).err


def test_a_unit_that_cannot_go_somewhere_is_refused_with_both_names(seat: Seat) -> None:
    unit = _unit(seat)
    said = seat.pbem("orders", "legal", unit, "0101", code=1).err
    assert "error[no-option]: no legal answer leads from" in said and "to 0101" in said
    assert "'9999' is not a question now" in seat.pbem("orders", "legal", unit, "9999", code=1).err
    assert "'7777' is not a question now" in seat.pbem("orders", "legal", "7777", "0101", code=1).err


def test_what_was_understood_has_a_line_for_every_move(seat: Seat) -> None:
    options = seat.pbem("orders", "legal", "turn-order", "--after", "{choice: turn}", "--json").json
    marches = {one["new"]["value"]["unit"]: one for one in options if one["new"]["value"]["kind"] == "march"}
    chosen = list(marches.values())[:2]
    answer = {"choice": "turn", "moves": [one["new"]["value"] for one in chosen]}
    said = _check(seat, f"  turn-order: {json.dumps(answer)}")
    assert said.lines[:2] == ["understood:", f"  {_key(seat)} (sealed):"]
    assert said.lines[2] == "    take a player turn"
    told = [line.strip() for line in said.lines[3:]]
    assert told[0].startswith(chosen[0]["text"]) and told[1].startswith(chosen[1]["new"]["value"]["unit"])
    assert "{" not in said.out


def test_templates_are_written_as_people_write(seat: Seat) -> None:
    text = seat.pbem("orders", "new", "-o", "-").out
    assert '"choice"' not in text and "{choice: turn}   take a player turn" in text
    assert "if you miss the deadline: {choice: pass}" in text


# ---- one's own units by name ---------------------------------------------------------------------------


def test_the_order_file_lists_my_units_with_what_they_may_do(seat: Seat) -> None:
    unit, text = _unit(seat), seat.pbem("orders", "new", "-o", "-").out
    names = Names.of(Folder.open(seat.root))
    owned = {id: names.view.owner(id) for id in names.view.position.counters}
    (line,) = [line for line in text.splitlines() if line.startswith(f"  #   {unit} ")]
    assert " in " in line and "march (" in line
    listed = text[text.index("your units that can act") : text.index("how to write a long answer")]
    named = [id for id in owned if re.search(rf"(?<![\w-]){re.escape(id)}(?![\w-])", listed)]
    assert len(named) > 5 and {owned[id] for id in named} == {seat.status["me"]}
    assert set(named) == {id for id, owner in owned.items() if owner == seat.status["me"]}


def test_units_and_places_may_be_written_in_any_case_and_by_their_names(seat: Seat) -> None:
    unit = _unit(seat)
    wanted = seat.pbem("orders", "legal", unit).out
    assert wanted and seat.pbem("orders", "legal", unit.lower()).out == wanted
    by_id, by_name = (seat.pbem("orders", "legal", where, code=None) for where in ("0606", "haska"))
    assert (by_id.code, by_id.out) == (by_name.code, by_name.out)
    said = seat.pbem("orders", "legal", unit + "9", code=1).err
    assert "did you mean" in said


def test_what_reads_on_a_counter_is_told_from_its_id(seat: Seat) -> None:
    unit = _unit(seat)
    names = Names.of(Folder.open(seat.root))
    reads = names.view.wording.short({"id": unit, **names.view.position.counters[unit]})
    said = seat.pbem("orders", "legal", reads.lower(), code=1).err
    assert "is printed on the counter; the unit id is one of" in said and unit in said


def test_an_order_file_may_name_them_so_too_and_says_how_it_was_read(seat: Seat) -> None:
    answer = "  turn-order: {choice: turn, moves: [{unit: %s, kind: march, path: %s}]}"
    option = next(
        one["new"]["value"]
        for one in seat.pbem("orders", "legal", "turn-order", "--after", "{choice: turn}", "--json").json
        if one["new"]["under"] == "moves" and one["new"]["value"]["kind"] == "march"
    )
    plain = _check(seat, answer % (option["unit"], json.dumps(option["path"])))
    loose = _check(seat, answer % (option["unit"].lower(), json.dumps(option["path"])))
    assert loose.out == plain.out
    assert f"warning[other-spelling]: {option['unit'].lower()} is read as {option['unit']}" in loose.err


def test_faults_of_form_and_of_rules_come_in_one_wave(seat: Seat) -> None:
    moves = [
        {"unit": "R-XX9", "kind": "march", "path": ["0101", "0102"]},
        {"unit": _unit(seat), "kind": "fly", "path": ["0101"]},
        {"unit": "R-YY9", "kind": "march", "path": ["0101", "0102"]},
    ]
    said = _check(seat, f"  turn-order: {json.dumps({'choice': 'turn', 'moves': moves})}", code=1).err
    assert said.count("error[") == 3
    assert "R-XX9" in said and "R-YY9" in said and "fly" in said
    caret = [line for line in said.splitlines() if "R-YY9 on the map" in line]
    assert caret, said


def test_an_answer_grows_in_a_dialogue(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    import click

    from pbem.cli.games import next_orders

    unit = _unit(seat)
    typed = ["u", "nowhere", unit.lower(), "b", unit, "1", "=", "d", "sign"]
    monkeypatch.setattr(next_orders, "asks", lambda: True)
    monkeypatch.setattr(click, "prompt", lambda *_, default="", **__: typed.pop(0) or default)
    said = seat.pbem("next")
    assert typed == []
    assert f"added: {unit} march" in said.err and "there is no unit or place 'nowhere'" in said.err
    assert "understood:" in said.out and f"{unit} march" in said.out
    assert not seat.owes


# ---- orders as people would say them -----------------------------------------------------------------------


def _march(seat: Seat) -> tuple[str, list[str]]:
    return next(
        (one["new"]["value"]["unit"], one["new"]["value"]["path"])
        for one in seat.pbem("orders", "legal", "turn-order", "--after", "{choice: turn}", "--json").json
        if one["new"]["under"] == "moves" and one["new"]["value"]["kind"] == "march"
    )


def test_an_order_in_plain_words_is_read_as_the_line_it_means(seat: Seat) -> None:
    unit, path = _march(seat)
    said = f"{unit.lower()} March {'-'.join(path)}"
    loose = _check(seat, f"  turn-order:\n    choice: Turn\n    moves:\n      - {said}\n")
    full = f"  turn-order: {{choice: turn, moves: [{{unit: {unit}, kind: march, path: {json.dumps(path)}}}]}}"
    assert loose.out == _check(seat, full).out
    assert f"{said} is read as {{unit: {unit}, kind: march" in loose.err


def test_an_answer_of_one_word_is_read_as_what_may_be_chosen(seat: Seat) -> None:
    assert _check(seat, "  turn-order: turn").out == _check(seat, "  turn-order: {choice: turn}").out


@pytest.mark.parametrize(
    ("answer", "way_out"),
    [
        ("  turn-order: {choice: turn, moves: [%s dances]}", "run `pbem orders legal` to list"),
        (
            "  turn-order: {choice: turn, moves: [{unit: %s, kind: march, path: 0405-406}]}",
            'write ["0405", "0406"]',
        ),
        ("  turn-order:{choice: turn}", "write a space after the colon"),
    ],
)
def test_what_cannot_be_read_so_says_how_it_is_written(answer: str, way_out: str, seat: Seat) -> None:
    answer = answer % _march(seat)[0] if "%s" in answer else answer
    assert f"= help: {way_out}" in _check(seat, answer, code=1).err


def test_a_number_without_its_zero_is_the_place_it_can_only_be(seat: Seat) -> None:
    unit, path = _march(seat)
    short = json.dumps([hex.lstrip("0") for hex in path])
    answer = f"  turn-order: {{choice: turn, moves: [{{unit: {unit}, kind: march, path: {short}}}]}}"
    assert f"{path[0].lstrip('0')} is read as {path[0]}" in _check(seat, answer).err


def test_the_standing_orders_in_a_form_name_units_of_ones_own(seat: Seat) -> None:
    text = seat.pbem("orders", "new", "--out", "-").out
    mine = seat.status["me"][0].upper()
    assert set(re.findall(r"\b([RBG])-[A-Z]{2,}[0-9]", text[text.index("# standing:") :])) == {mine}
