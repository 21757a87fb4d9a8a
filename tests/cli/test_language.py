"""Reports, maps and dice in another language, and the mail in the language that the GM chooses."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.play import Table, pbem

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled game, without a private side."""
    copy = tmp_path_factory.mktemp("sample") / "game"
    shutil.copytree(ROOT / "sample_games/victory-sarn-strait", copy)
    return copy


def test_an_old_report_is_told_in_german_when_asked(sample: Path) -> None:
    told = pbem("-C", sample, "report", "5", "--as", "red", "--lang", "de").out
    assert "Bericht für Rot" in told and "Schlachtordnung" in told and "Spielzug 1" in told
    for english in ("Order of battle", "What happened", "Game turn", "The defender", "hitting on"):
        assert english not in told


def test_the_language_may_come_from_the_environment(table: Table) -> None:
    gm = table.gm
    asked = gm.pbem("report", "--lang", "de").out
    assert "Kurz gesagt" in asked and gm.pbem("report", PBEM_LANG="de").out == asked
    assert "Kurz gesagt" not in gm.pbem("report", "--lang", "en", PBEM_LANG="de").out


def test_map_and_dice_speak_it_too(sample: Path) -> None:
    assert "w Wald, h Hügel" in pbem("-C", sample, "map", "--public", "--lang", "de").out
    assert "Treffer bei" in pbem("-C", sample, "dice", "--stage", "8", "--lang", "de").out


def test_the_map_in_sentences_needs_no_drawing(sample: Path) -> None:
    said = pbem("-C", sample, "map", "4", "--as", "red", "--words").out
    drawn = pbem("-C", sample, "map", "4", "--as", "red").out
    assert "\\____/" not in said and "In contact" in said and "hexes northeast of" in said
    assert "\\____/" in drawn and said.strip() in drawn, "the drawing is followed by the same"


def test_a_language_that_nobody_speaks_is_refused_with_those_there_are(sample: Path) -> None:
    for command in (("report", "5", "--as", "red"), ("map",), ("dice",)):
        ran = pbem("-C", sample, *command, "--lang", "xx", code=1)
        assert "there is no language 'xx', wanted one of: de, en" in ran.err


def test_who_verifies_is_told_nothing_of_languages_that_he_did_not_ask_for(table: Table) -> None:
    """Texts are compared in every language; "151 sentences not translated" is for who reads one."""
    forged = table.gm.root / "stages/0000/report.txt"
    for _ in range(2):
        ran = table.gm.pbem("verify", code=None)
        assert "translated" not in ran.err + ran.out
        forged.write_text(forged.read_text() + "more\n")  # so that no language fits
    assert table.gm.pbem("verify", code=1)


def test_what_is_not_translated_is_told_in_english_and_counted(table: Table) -> None:
    ran = table.gm.pbem("report", "--lang", "de")
    assert "not translated into de: told in English" in ran.err
    assert "Was gefragt ist" in ran.out and "Game turn 1" in ran.out


def test_the_gm_may_mail_in_german_and_the_archive_stays_sound(table: Table) -> None:
    before = table.gm.status["stage"]
    for seat in table.players.values():
        if seat.owes:
            table.answer(seat)
    table.post()
    table.gm.pbem("adjudicate", "--lang", "xx", code=1)
    assert table.gm.status["stage"] == before
    table.gm.pbem("adjudicate", "--lang", "de")
    report = (table.gm.root / f"stages/{before + 1:04}/report.txt").read_text("utf-8")
    assert "öffentlicher Bericht" in report
    assert any(
        "öffentlicher Bericht" in mail.read_text("utf-8") for mail in table.gm.root.glob("outbox/*.txt")
    )
    table.post()
    for seat in table.everybody:
        assert "sound as far as it goes" in seat.pbem("verify").out
