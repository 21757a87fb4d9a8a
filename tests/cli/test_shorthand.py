"""Orders of ocs in a few words: for stacks, fuel and construction, in both languages; the order file and the
table's page show how; lists say what units are worth."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pbem.cli.games.table import Table
from pbem.cli.web.desk import Desk
from pbem.engine.system import find
from tests.cli.play import Ran, Seat
from tests.cli.test_table import Visitor


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A game in which somebody is asked for the actions of the first Movement Segment, and who that is."""
    for number in range(6):  # who moves first is a throw of dice, and keys are new each time
        root = tmp_path_factory.mktemp(f"ocs-{number}")
        table = Table(root, find("ocs"), "crossing_the_tol")
        table.sit_down("Short words")
        for _ in range(6):
            for who, keys in table.gm.folder.progress.asked.items():
                if who == "aster" and any(key.endswith("T.2.C.2.m/actions/movement") for key in keys):
                    return root, who
            table.play_stage()
    raise AssertionError("aster is not asked for a movement")


@pytest.fixture
def seat(begun: tuple[Path, str], tmp_path: Path) -> Seat:
    root, party = begun
    shutil.copytree(root / party, tmp_path / party)
    return Seat(tmp_path / party)


def _check(seat: Seat, *said: str, lang: str = "en", code: int = 0) -> Ran:
    key = next(
        one["decision"] for one in seat.pbem("orders", "legal", "--json").json if "actions" in one["decision"]
    )
    text = seat.pbem("orders", "new", "--out", "-").out
    head = "\n".join(line for line in text.splitlines() if line.startswith(("game:", "stage:")))
    lines = "".join(f"      - {line}\n" for line in said)
    (seat.root / "mine.yaml").write_text(f"{head}\nanswers:\n  {key}:\n    actions:\n{lines}")
    return seat.pbem("--lang", lang, "orders", "check", str(seat.root / "mine.yaml"), code=code)


def test_stacks_fuel_and_construction_are_read_in_words(seat: Seat) -> None:
    ran = _check(seat, "fuel A5", "A5-1T, A5-2T to 06.05", "A-41E builds hedgehog")
    assert "fuel A5 is read as {fuel: {formation: A5}}" in ran.err
    assert 'A5-1T, A5-2T to 06.05 is read as {move: {units: [A5-1T, A5-2T], path: ["06.05"]}}' in ran.err
    assert "A-41E builds hedgehog is read as {build: {units: [A-41E], work: hedgehog" in ran.err


def test_what_the_rules_forbid_is_said_of_the_line_as_it_was_read(seat: Seat) -> None:
    ran = _check(seat, "A-31A to 07.06", "A-31A builds hedgehog", code=1)
    assert "E-BUILD-MODE" in ran.err and "A-31A has moved" in ran.err


def test_german_words_do_as_well(seat: Seat) -> None:
    ran = _check(seat, "betankt A5", "A5-1T und A5-2T nach 06.05", "A-41E baut Igelstellung", lang="de")
    assert "{move: {units: [A5-1T, A5-2T]" in ran.err and "work: hedgehog" in ran.err


def test_the_order_file_shows_such_lines_and_what_units_are_worth(seat: Seat) -> None:
    text = seat.pbem("orders", "new", "--out", "-").out
    assert "#     - A5-1T, A5-2T to 06.05" in text
    assert " reconnaissance (4-5-8 track; turned 2-5-16 track), formation A5, in 06.04: " in text
    assert "# Units: strength-action rating-movement" in text


def test_every_line_shown_in_german_is_read(seat: Seat) -> None:
    """The order file says these lines in the reader's language: each must mean what its English means."""
    text = seat.pbem("--lang", "de", "orders", "new", "--out", "-").out.splitlines()
    first = next(n for n, line in enumerate(text) if "in Worten" in line)
    shown = [line.partition("- ")[2] for line in text[first + 1 : first + 5]]
    ran = _check(seat, *shown, lang="de")
    assert "{fuel: {formation: A5}}" in ran.err and "work: hedgehog" in ran.err


def test_legal_orders_begin_with_what_the_unit_is(seat: Seat) -> None:
    out = seat.pbem("orders", "legal", "A-31A", "07.07").out
    assert out.startswith("# A-31A artillery (b20-3-3 leg, range 3; turned b10-3-12 truck) in 06.06\n")
    place = seat.pbem("orders", "legal", "05.05", "06.05").out
    assert "A5-OT transport (1 point of trucks, 45 MP), organic to A5, loaded with 4 T" in place
    assert "dump of 12 T (3 SP)" in place


def test_the_page_shows_such_lines_and_what_counters_and_places_are_worth(seat: Seat) -> None:
    place = Desk(seat.root)
    visitor, (name,) = Visitor(place), place.games()
    page = visitor.ask("GET", f"/g/{name}/orders").text
    assert "A5-1T, A5-2T to 06.05" in page and "can also write an item of a list in words" in page
    board = json.loads(visitor.ask("GET", f"/g/{name}/board").body)
    stacks = {one["at"]: one for one in board["stacks"]}
    assert any("dump of" in text for text in stacks["03.06"]["facilities"])
    (enemy,) = (one["text"] for one in stacks["08.06"]["counters"] if not one["mine"])
    assert enemy == "B-101 infantry (10-2-2 leg; turned 5-2-4 leg)"
    told = visitor.json(f"/g/{name}/counter", at="A-31A")["text"]
    assert "(b20-3-3 leg, range 3; turned b10-3-12 truck)" in told
