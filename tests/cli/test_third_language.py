"""A third language, begun with a few words: nothing breaks, the rest is English and says so, and what lacks
is named (docs/languages.md)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli.main import cli
from pbem.cli.shell import language as _language
from pbem.cli.web import words as table
from pbem.engine.system import find
from pbem.report import language as reports
from pbem.testing import gate
from pbem.text import catalogues, messages

SAMPLE = Path(__file__).parents[2] / "sample_games/victory-sarn-strait"


@pytest.fixture
def dutch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Dutch, as somebody has begun it: a few words in each of the places."""
    for name, folder, module in (
        ("reports", reports._FOLDER, reports),
        ("program", _language.FOLDER, _language),
        ("table", table.FOLDER, table),
        ("messages", messages.FOLDER, messages),
    ):
        shutil.copytree(folder, tmp_path / name)
        monkeypatch.setattr(module, "_FOLDER" if module is reports else "FOLDER", tmp_path / name)
    (tmp_path / "reports/nl.yaml").write_text("dice: Dobbelstenen\nin-short: Kortom\n", "utf-8")
    (tmp_path / "table/nl.yaml").write_text("{}\n", "utf-8")
    (tmp_path / "messages/nl").mkdir()
    (tmp_path / "program/nl").mkdir()
    (tmp_path / "program/nl/some.yaml").write_text('"now: {a}": "nu: {a}"\n"owes": "moet"\n', "utf-8")
    system = find("victory")
    words = tmp_path / "victory_words"
    (words / "nl").mkdir(parents=True)
    (words / "nl/some.yaml").write_text(
        'values: {red: Rood, blue: Blauw, "Game turn {n}": "Beurt {n}"}\n'
        'headlines: {initiative-taken: "{player} mag {quota} keer eerst"}\n',
        "utf-8",
    )
    monkeypatch.setitem(system.__dict__, "words_folder", words)
    monkeypatch.setattr(system, "_translations", {})
    caches = (reports.language, _language.words, table.words)
    for one in caches:
        one.cache_clear()
    _language._MERGED.clear()
    yield "nl"
    monkeypatch.undo()
    for one in caches:
        one.cache_clear()
    _language._MERGED.clear()


def run(*args: str) -> str:
    told = CliRunner().invoke(cli, ["-C", str(SAMPLE), *args], env={"PBEM_LANG": None})
    assert told.exit_code == 0, told.output
    return told.output


def test_a_report_in_it_is_told_with_english_where_it_lacks_words(dutch: str, tmp_path: Path) -> None:
    told = run("--lang", dutch, "report", "1")
    assert "Kortom\n" in told and any(f"{who} mag " in told for who in ("Blauw", "Rood", "Green"))
    assert "What happened\n" in told, "a heading that lacks is English"
    assert "Beurt 1, Activation, Round 1" in told or "Beurt 1" in told
    page = tmp_path / "page.html"
    run("report", "1", "--lang", dutch, "--out", str(page))
    html = page.read_text("utf-8")
    assert '<html lang="nl"' in html and '<span lang="en">' in html
    assert "Kortom" in html and '<span lang="en">Kortom' not in html


def test_commands_and_the_table_speak_what_there_is(dutch: str) -> None:
    assert "nl" in messages.languages()
    with _language.speaking(dutch):
        assert _language.spoken("now: nothing") == "nu: nothing"
        assert _language.spoken("the game waits for red") == "the game waits for red"
    assert table.words(dutch).say("games") == table.words("en").say("games")


def test_what_lacks_is_named_in_each_of_the_four_places(dutch: str) -> None:
    """The very tests that hold German to being whole name what Dutch lacks, with the place."""
    assert "cli.next.signed-orders" in catalogues.gaps("cli", dutch)
    rules = [fault.message for fault in gate.translations(find("victory"))]
    assert any(one.startswith("nl: events.bids-revealed is not translated") for one in rules)
    assert not any("headlines.initiative-taken" in one for one in rules)
    assert any("values has nothing for" in one for one in rules)
    assert reports.own_words("en").keys() - reports.own_words(dutch).keys()
    assert table.own("en").keys() - table.own(dutch).keys()
