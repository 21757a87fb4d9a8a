"""`pbem verify --since`: results that were proved before are trusted only where their user says so."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import After
from tests.cli.play import Seat, Table, tree


def findings(seat: Seat, *args: str) -> dict[str, list[str]]:
    told: dict[str, list[str]] = {}
    for one in seat.pbem("verify", "--json", *args).json["findings"]:
        told.setdefault(one["class"], []).append(one["text"])
    return told


def results(told: dict[str, list[str]]) -> list[str]:
    return [text for text in told["proved"] if "adjudicated again" in text]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, _further: After) -> Seat:
    """South's folder after three stages, verified, and two more. Nobody changes it."""
    table = _further("open", 3).copy(tmp_path_factory.mktemp("since"))
    south = table.players["south"]
    south.pbem("verify")
    for _ in range(2):
        table.play_stage()
    return south


@pytest.fixture
def seat(played: Seat, tmp_path: Path) -> Seat:
    shutil.copytree(played.root, tmp_path / "south")
    return Seat(tmp_path / "south")


def test_only_what_came_since_is_played_again_and_the_rest_is_named(seat: Seat) -> None:
    told = findings(seat, "--since", "3")
    assert results(told)[0].startswith("stages 4 to 5: the results")
    assert any(text.startswith("the results of stages 0 to 3 were not checked") for text in told["claimed"])
    assert findings(seat, "--since", "last")["claimed"] == [
        "signatures, history, dice and texts of stages 0 to 5 were not checked again: no file in their "
        "folders has changed since the earlier verify, whose note you trust",
        "the last head " + seat.pbem("verify", "--json").json["head"] + " is signed only by the GM",
        "the results of stages 0 to 5 were not checked: you trust the note of an earlier verify",
    ]


def test_without_it_everything_is_looked_at_whatever_the_note_says(seat: Seat) -> None:
    note = seat.root / "private/verified.json"
    note.write_text("{}")
    assert results(findings(seat))[0].startswith("stages 0 to 5")


def test_from_the_first_stage_that_has_changed_signatures_and_history_are_looked_at_again(seat: Seat) -> None:
    (seat.root / "stages/0002/beside.txt").write_text("put here by somebody")
    told = findings(seat, "--since", "3")
    assert any(text.startswith("stages 2 to 5: ") and "each signed" in text for text in told["proved"])
    assert any("texts of stages 0 to 1 were not checked again" in text for text in told["claimed"])
    assert any("beside.txt" in text for text in told["claimed"])


def test_what_was_found_of_stages_that_have_not_changed_is_told_again(seat: Seat) -> None:
    (seat.root / "stages/0002/beside.txt").write_text("put here by somebody")
    told = findings(seat)["claimed"]
    again = findings(seat, "--since", "last")["claimed"]
    assert any("beside.txt" in text for text in again)
    assert [text for text in again if "trust" not in text] == told


@pytest.mark.parametrize("change", [{"program": "0.0.1"}, {"sealed": []}])
def test_what_another_version_found_is_not_taken_over(seat: Seat, change: dict[str, Any]) -> None:
    note = seat.root / "private/verified.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), **change}))
    told = findings(seat, "--since", "3")
    assert any(text.startswith("stages 0 to 5: ") and "each signed" in text for text in told["proved"])
    assert not any("checked again" in text for text in told["claimed"])


@pytest.mark.parametrize("stage", [0, 2, 3, 5])
def test_a_text_that_was_changed_is_found_in_whatever_stage(seat: Seat, stage: int) -> None:
    """It was said that no byte had changed while `report.txt` had."""
    path = seat.root / f"stages/{stage:04d}/report.txt"
    path.write_text(path.read_text("utf-8") + "The game is annulled.\n", "utf-8")
    told = seat.pbem("verify", "--since", "3", code=1).out
    assert f"stages/{stage:04d}/report.txt is not the report that follows" in told


def test_a_text_in_another_wording_is_named_where_it_has_changed_since(seat: Seat) -> None:
    """Nobody compares it then, but the note knows that it was another one."""
    path = seat.root / "stages/0002/report.txt"
    other = re.sub(r"\ben-[0-9a-f]{64}", "en-" + "0" * 64, path.read_text("utf-8"))
    path.write_text(other + "The game is annulled.\n", "utf-8")
    changed = "a file of this stage has changed, come or gone since the earlier verify"
    claimed = findings(seat, "--since", "3")["claimed"]
    assert changed in claimed
    assert any(text.startswith("report.txt of stage 2 was not compared") for text in claimed)
    again = findings(seat, "--since", "last")["claimed"]
    assert any(text.startswith("report.txt of stages 0 to 5 was not compared") for text in again)
    assert changed not in again


def test_a_state_file_that_was_changed_is_found_where_nothing_is_played_again(seat: Seat) -> None:
    seat.pbem("verify")
    path = seat.root / "state.yaml"
    text = path.read_text("utf-8")
    path.write_text(re.sub(r'"turn": ?\d+', '"turn": 77', text), "utf-8")
    assert path.read_text("utf-8") != text
    assert "state.yaml" in seat.pbem("verify", "--since", "last", code=1).out


def test_texts_that_the_earlier_verify_did_not_compare_are_named(seat: Seat) -> None:
    note = seat.root / "private/verified.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), "texts": False}))
    claimed = findings(seat, "--since", "3")["claimed"]
    assert any(text.startswith("report.txt of stages 0 to 3 was not compared") for text in claimed)


def test_a_signature_in_an_old_stage_is_missed_when_it_is_gone(seat: Seat) -> None:
    next((seat.root / "stages/0001").glob("*.sig")).unlink()
    assert "the signature of the statement" in seat.pbem("verify", "--since", "3", code=1).out


def test_a_statement_that_was_changed_in_an_old_stage_is_found(seat: Seat) -> None:
    path = next(p for p in sorted((seat.root / "stages/0001").glob("*.json")) if len(p.stem) == 64)
    path.write_bytes(path.read_bytes().replace(b'"rev":1', b'"rev":2'))
    assert seat.pbem("verify", "--since", "3", code=1).code == 1


@pytest.mark.parametrize("change", [{"head": "00" * 32}, {"game": "00" * 32}, {"stage": 2}, {"rules": "x"}])
def test_a_note_of_another_history_is_refused(seat: Seat, change: dict[str, Any]) -> None:
    note = seat.root / "private/verified.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), **change}))
    assert "belongs to another history or other rules" in seat.pbem("verify", "--since", "last", code=1).err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "pbem-verified/2"}', "[" * 10_000])
def test_a_note_that_cannot_be_read_is_refused(seat: Seat, text: str) -> None:
    (seat.root / "private/verified.json").write_text(text)
    told = seat.pbem("verify", "--since", "last", code=1).err
    assert "damaged" in told


def test_there_is_nothing_to_trust_before_the_first_verify(table: Table) -> None:
    seat = table.players["north"]
    assert "no earlier verify left a note" in seat.pbem("verify", "--since", "last", code=1).err


def test_another_stage_than_that_of_the_note_is_no_use(seat: Seat) -> None:
    assert "use --since 3" in seat.pbem("verify", "--since", "2", code=2).err


def test_a_folder_named_is_a_strangers_and_gets_no_note(seat: Seat) -> None:
    (seat.root / "private/verified.json").unlink()
    before = tree(seat.root)
    seat.pbem("verify", seat.root)
    assert tree(seat.root) == before
    seat.pbem("verify", seat.root, "--since", "last", code=2)
