"""`pbem stats`: the figures of a game, for one reader or for all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.folder.private_side import MAIL_TAKEN
from pbem.text.schema import check, find
from tests.cli.conftest import After
from tests.cli.play import Table, pbem

SAMPLE = Path(__file__).parents[2] / "sample_games/victory-sarn-strait"


@pytest.fixture(scope="module")
def everything() -> Any:
    """The figures of the bundled game, which everybody may read: it is unsealed."""
    return pbem("-C", SAMPLE, "stats", "--json").json


def test_the_bundled_game_says_who_could_have_filed_what() -> None:
    told = pbem("-C", SAMPLE, "stats").out
    words = " ".join(told.split())
    assert "for everyone: the game is unsealed" in words
    assert "Green, turn-order:" in words
    assert "as a standing order: - {decision: turn-order, answer: {choice: pass}}" in words
    assert "Fair dice do as well or better in" in words
    assert all(len(line) <= 72 for line in told.splitlines())


def test_as_data_it_fits_its_schema(everything: Any) -> None:
    assert check(everything, find("stats")) == []
    assert everything["reader"] == "gm" and sum(everything["mails"].values()) > everything["stages"]


def test_a_player_reads_his_own_answers_and_no_others(everything: Any) -> None:
    data = pbem("-C", SAMPLE, "stats", "--as", "green", "--json").json
    assert {stop["party"] for stop in everything["stops"] if "usual" in stop} > {"green"}
    assert {stop["party"] for stop in data["stops"] if "usual" in stop} == {"green"}
    assert all("standing" not in turn for turn in data["turns"])


def test_a_player_gets_his_figures_while_the_game_goes_on(after: After) -> None:
    fog = after("fog", 1)
    north = fog.players["north"]
    mine = north.pbem("stats", "--json").json
    assert mine["reader"] == "north" and mine["turns"][-1]["holdings"]
    assert "doesn't contain south's view" in north.pbem("stats", "--as", "south", code=1).err
    seen = [seat.pbem("stats", "--public", "--json").out for seat in fog.everybody]
    assert len(set(seen)) == 1, "what is public is the same in every folder"


@pytest.mark.parametrize("option", [("--lang", "de"), ("--public",)])
def test_it_works_before_and_after_anything_happened(table: Table, option: tuple[str, ...]) -> None:
    assert table.gm.pbem("stats", *option).out
    table.play_stage()
    assert table.gm.pbem("stats", *option).out


def test_what_is_not_translated_is_counted_once(table: Table) -> None:
    ran = table.gm.pbem("stats", "--lang", "de")
    assert ran.err.count("nicht nach de übersetzt") == 1
    assert "für alle: die Partie ist entsiegelt" in ran.out, "the primer hides nothing"


def test_before_the_game_has_begun_it_says_so(tmp_path: Path) -> None:
    assert "error" in pbem("-C", tmp_path, "stats", code=1).err


def test_days_are_counted_by_when_mails_came_in(after: After) -> None:
    table = after("open", 1)
    noted = table.gm.root / MAIL_TAKEN
    book = json.loads(noted.read_text())
    first, *others = sorted(book["arrived"])
    assert others, "more than one mail came in"
    book["arrived"] = dict.fromkeys(others, "2026-03-09T08:00:00+00:00") | {
        first: "2026-03-01T23:00:00+00:00"
    }
    noted.write_text(json.dumps(book))
    told = table.gm.pbem("stats")
    assert "days: from the first email of a game turn to its last" in " ".join(told.out.split())
    data = table.gm.pbem("stats", "--json").json
    assert check(data, find("stats")) == []
    assert max(turn.get("days", 0) for turn in data["turns"]) == 9
    assert "days" not in table.gm.pbem("stats", "--public").out
