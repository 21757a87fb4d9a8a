"""The program's own sentences in the reader's language: nothing lacks, nothing else changes."""

from __future__ import annotations

import ctypes
import json
import plistlib
import re
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner

from pbem.archive.letters import last_head
from pbem.cli.main import cli
from pbem.cli.shell import console
from pbem.cli.shell import language as _language
from pbem.cli.web import words as table
from pbem.cli.web.commands import run as run_for_a_page
from pbem.cli.writing.meaning import line_in_words
from pbem.engine import schemas
from pbem.engine.installed import entry_points
from pbem.engine.system import System, find
from pbem.report import language as reports
from pbem.text import messages
from pbem.text.diagnostics import Diagnostic
from pbem.text.loading import load_data
from pbem.text.messages import Message
from pbem.text.render import full
from pbem.text.translating import translated
from tests.cli.play import Table
from tests.tools import sentences

# what is drawn: signs of SVG and CSS, no sentences
DRAWN = ("report/svg/canvas", "report/svg/draw", "report/svg/foot", "report/svg/ground", "report/svg/heat",
         "report/svg/plaques", "report/svg/stage", "report/svg/units", "report/svg/far", "report/svg/holding",
         "report/svg/picture", "report/svg/places", "report/svg/stacks", "report/svg/terrain",
         "report/svg/ordered", "report/svg/pieces", "report/svg/provinces", "report/svg/shaped")  # fmt: skip
FOR_AUTHORS = ("model/forecasts",)  # what is wrong with a forecast, for the tests of a system
OTHERS = messages.languages()[1:]


def lacking(code: str) -> list[str]:
    """What the program says and a language has no words for, with the place where it is said."""
    known = _language.words(code)
    return [
        f"{where}: {text}"
        for text, where in sentences.everything().items()
        if text not in known and _is_sentence(text) and not where.startswith(DRAWN + FOR_AUTHORS)
    ]


def _is_sentence(text: str) -> bool:
    """Words, not names of commands, fields or signs."""
    plain = re.sub(r"`[^`]*`|\{[a-z]\}|--[a-z-]+|pbem [a-z ]+", "", text)
    return len(re.findall(r"[A-Za-z]{2,}", plain)) > 1


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_of_the_program_is_there_in_every_language(code: str) -> None:
    found = lacking(code)
    assert not found, f"{len(found)} sentences lack in '{code}':\n" + "\n".join(found)


def test_a_plain_sentence_in_the_code_is_found_and_named_with_its_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All rooms say messages now: whoever writes a sentence into the code is told."""
    (tmp_path / "mail").mkdir()
    code = 'def f(n):\n    raise Refused(Diagnostic("shut", f"door {n!r} is shut"))\n'
    (tmp_path / "mail" / "x.py").write_text(code, "utf-8")
    monkeypatch.setattr(sentences, "ROOT", tmp_path)
    sentences.everything.cache_clear()
    try:
        assert lacking("de") == ["mail/x.py:2: door {a} is shut"]
    finally:
        sentences.everything.cache_clear()


BY_OTHERS = {
    *(", then ", " and ", " or ", " to "),  # rules join their options so
    *("{a}: no such file or directory", "{a}: permission denied", "{a}: is a directory"),
    "no space left on device",
}


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_translated_that_nobody_says_any_more(code: str) -> None:
    """A sentence that is worded anew takes its translation along."""
    said = {sentences.shape(text) for text in sentences.everything()}
    source = "\n".join(path.read_text("utf-8") for path in sentences.ROOT.rglob("*.py"))
    for file in ("authors.yaml", "fragments.yaml", "status.yaml"):
        words = load_data((_language.FOLDER / code / file).read_bytes(), file)
        known = {text for text in words if sentences.shape(text) in said or f'"{text}"' in source}
        gone = words.keys() - known - BY_OTHERS
        assert not gone, f"{code}/{file} translates what is not said:\n" + "\n".join(gone)


@pytest.mark.parametrize("code", OTHERS)
def test_translations_have_the_fields_of_the_english(code: str) -> None:
    for english, other in _language.words(code).items():
        fields = sorted(re.findall(r"\{[a-z]\}", english))
        assert sorted(re.findall(r"\{[a-z]\}", other)) == fields, english


@pytest.mark.parametrize("code", OTHERS)
def test_the_table_has_every_word_with_its_fields(code: str) -> None:
    english, own = table.own(_language.ENGLISH), table.own(code)
    assert own.keys() == english.keys(), sorted(english.keys() ^ own.keys())
    for key, text in english.items():
        assert set(re.findall(r"\{\w+\}", own[key])) == set(re.findall(r"\{\w+\}", text)), key


SYSTEMS = sorted(entry_points("pbem.systems"))
_CONDITION = re.compile(r"face\(.*")  # as orders write it
_TYPE = re.compile(r"[a-z]+\[[\w, \[\]]+\]")  # as an annotation in quotes names it


def known_in(system: System, code: str) -> set[str]:
    """The shapes of what the file of refusals translates."""
    for document in system.translation_files(code):
        if document.name.endswith("/refusals.yaml"):
            return {sentences.shape(text) for text in document.data["values"]}
    return set()


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_sentence_of_the_rules_is_there_in_every_language(name: str) -> None:
    """Why an order is refused and what an option is called: a sentence that is worded anew fails here."""
    system = find(name)
    said = sentences.of_rules(system.folder.name)
    for code in system.languages():
        known = {sentences.shape(text) for text in system.translation(code)["values"]}
        known |= {sentences.shape(text) for text in _language.words(code)}
        lacks = [
            f"{where}: {text}"
            for text, where in said.items()
            if sentences.is_phrase(text)
            and sentences.shape(text) not in known
            and not _CONDITION.fullmatch(text)
            and not _TYPE.fullmatch(text)
        ]
        gone = known_in(system, code) - {sentences.shape(text) for text in said}
        assert not gone, f"{code}: refusals of {name} translate what is not said:\n" + "\n".join(gone)
        assert not lacks, f"{len(lacks)} sentences of {name} lack in '{code}':\n" + "\n".join(lacks)


def run(*args: str, language: str = "de") -> str:
    return CliRunner().invoke(cli, list(args), env={"PBEM_LANG": language}).output


def test_help_and_faults_are_told_in_the_language_that_is_chosen() -> None:
    assert "Für Spieler" in run("--help")
    assert "wo es steht" not in run("status", "--help") and "Mit 3 enden" in run("status", "--help")
    assert "es gibt keine Option" in run("status", "--foo")
    assert "geht weiter (skip). [Vorgabe: stop]" in " ".join(run("new", "--help").split()), (
        "and what click adds to it"
    )
    assert "For players" in run("--lang", "en", "--help"), "what is typed counts before the variable"
    assert "Für Spieler" in run("--lang", "de", "--help", language="en")


def test_what_programs_read_is_the_same_in_every_language(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.mkdir()
    told = [run("-C", str(wrong), "status", "--json", language=code) for code in ("en", "de")]
    assert told[0] == told[1] and json.loads(told[0])[0]["code"] == "no-game"


def test_a_language_that_has_half_of_the_words_tells_the_rest_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nl").mkdir()
    (tmp_path / "nl" / "some.yaml").write_text('"you owe: {a}": "je moet: {a}"\n', "utf-8")
    (tmp_path / "en").mkdir()
    for module in (_language, messages):
        monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.setenv("PBEM_LANG", "nl")
    _language.words.cache_clear()
    try:
        assert messages.languages() == ["en", "nl"]
        assert _language.spoken("  you owe: a bid") == "  je moet: a bid"
        assert _language.spoken("the game waits for red") == "the game waits for red"
    finally:
        _language.words.cache_clear()


def test_a_language_that_nobody_speaks_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_LANG", "xx")
    assert _language.spoken("you owe: a bid") == "you owe: a bid"


def test_a_message_is_told_by_its_id_with_the_blanks_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_LANG", "de")
    monkeypatch.setattr(_language, "words", lambda language: {})  # no pattern is looked up
    said = Message("cli.next.you-owe", line=Message("cli.standing.word-that-you-are-ready"))
    told = CliRunner().invoke(click.command()(lambda: console.note(said, before="  ")))
    assert told.output == "  zu tun: bestätige, dass du bereit bist; zu entscheiden ist nichts\n"


@pytest.mark.parametrize(
    ("code", "default", "typed", "agreed", "shown"),
    [
        ("de", False, "j", True, "Unterschreiben? [j/N]: j\n"),
        ("de", False, " JA ", True, "Unterschreiben? [j/N]:  JA \n"),
        ("de", False, "y", True, "Unterschreiben? [j/N]: y\n"),  # whoever is used to English
        ("de", True, "nein", False, "Unterschreiben? [J/n]: nein\n"),
        ("de", True, "", True, "Unterschreiben? [J/n]: \n"),
        ("de", False, "", False, "Unterschreiben? [j/N]: \n"),
        ("en", False, "yes", True, "Sign it? [y/N]: yes\n"),
        ("en", True, "n", False, "Sign it? [Y/n]: n\n"),
        ("en", True, "j\ny", True, "Sign it? [Y/n]: j\ntype y or n\nSign it? [Y/n]: y\n"),
    ],
)
def test_a_question_is_answered_with_yes_or_no_in_ones_language(
    monkeypatch: pytest.MonkeyPatch, code: str, default: bool, typed: str, agreed: bool, shown: str
) -> None:
    """A German `j` was "invalid input"."""
    monkeypatch.setenv("PBEM_LANG", code)
    answers: list[bool] = []
    asked = click.command()(lambda: answers.append(console.agrees(Message("cli.amend.sign-it"), default)))
    assert CliRunner().invoke(asked, input=f"{typed}\n").output == shown
    assert answers == [agreed]


def test_what_has_a_style_is_told_before_it_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_LANG", "de")
    styled = console.strong(Message("cli.demo.try-next"))
    assert styled == "\x1b[1mprobier als Nächstes\x1b[0m"
    assert _language.spoken(styled) == styled
    assert styled in _language.spoken(Message("cli.next.next-command", command=styled))


def test_a_diagnostic_keeps_its_code_and_its_places() -> None:
    fault = Diagnostic(
        "unknown-party", "there is no party 'rd', wanted one of: red", help=("did you mean 'red'?",)
    )
    told = full([fault], None, partial(_language.spoken_in, "de"))
    assert told.startswith("Fehler[unknown-party]: ") and "\n  = Hilfe: " in told


def test_a_wrong_word_is_named_in_the_language_that_is_typed(tmp_path: Path) -> None:
    assert "es gibt keine Option" in run("--lang", "de", "status", "--foo", language="en")
    with _language.speaking("de"):
        assert "es gibt keine Option" in run_for_a_page(tmp_path, "status", "--foo").notes[-1]
        assert _language.spoken(Message("cli.next.you-owe", line="a bid")) == "zu tun: a bid"
    with _language.speaking("en"):
        assert "No such option" in run_for_a_page(tmp_path, "status", "--foo").notes[-1]


def test_what_was_understood_is_told_with_its_key_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_LANG", "de")
    told = [line_in_words(line) for line in ("GT1/1.1/bid: no bid (sealed)", "T2/x/y (committed):", "  none")]
    assert told == ["GT1/1.1/bid: no bid (versiegelt)", "T2/x/y (festgelegt):", "  keine"]


def test_a_field_may_be_empty_where_it_hangs_on_a_word() -> None:
    known = {"fill it in:  pbem check{a}   and   sign{b}": "fülle sie aus:  pbem check{a}   und   sign{b}"}
    told = translated("fill it in:  pbem check   and   sign", known)
    assert told == "fülle sie aus:  pbem check   und   sign"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("R-A1: no way", "R-A1: kein Weg"),  # what is said of a name
        ("R-A1 is lost", "R-A1 ist verloren"),
        ("Fort Tyler to 0406", "Fort Tyler nach 0406"),  # a word between names
        ("no way, then is lost", "kein Weg, dann ist verloren"),
        ("he went to the front", "he went to the front"),  # half a sentence helps nobody
        ("the fleet sails in bad weather", "the fleet sails in bad weather"),
        ("Fleet in 0406", "Fleet bei 0406"),
    ],
)
def test_parts_are_told_where_all_of_them_are_known(text: str, wanted: str) -> None:
    words = {"no way": "kein Weg", "is lost": "ist verloren", " to ": " nach ", ", then ": ", dann "}
    assert translated(text, {**words, "{what} in {hex}": "{what} bei {hex}"}) == wanted


@pytest.mark.parametrize(
    ("computer", "chosen", "speaks"),
    [("de_DE.UTF-8", None, "de"), ("de_AT@euro", None, "de"), ("C.UTF-8", None, "en"), ("nl_NL", None, "en"),
     ("", None, "en"), ("de_DE.UTF-8", "en", "en")],
)  # fmt: skip
def test_what_the_computer_speaks_is_spoken_unless_somebody_chose(
    computer: str, chosen: str | None, speaks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "")
    monkeypatch.setenv("LC_MESSAGES", computer)
    monkeypatch.delenv("LANG", raising=False)
    if chosen is not None:
        monkeypatch.setenv("PBEM_LANG", chosen)
    told = CliRunner().invoke(cli, ["status", "--help"]).output
    assert ("Aufruf:" in told) == (speaks == "de")


@pytest.mark.parametrize(
    ("set_to", "speaks"),
    [
        (
            {"LANGUAGE": "nl:de:en", "LANG": "en_GB.UTF-8"},
            "de",
        ),  # a list, of which the first counts that is there
        ({"LANGUAGE": "de", "LANG": "C.UTF-8"}, "en"),  # no language is wanted at all
        ({"LANGUAGE": "de"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LC_ALL": "en_US", "LANG": "de_DE"}, "en"),
        ({"LC_CTYPE": "de_DE"}, "en"),  # signs alone
    ],
)
def test_variables_count_as_everywhere(
    set_to: dict[str, str], speaks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "PBEM_LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in set_to.items():
        monkeypatch.setenv(name, value)
    assert _language.of_computer() == speaks


@pytest.mark.parametrize(
    ("kept", "speaks"),
    [
        ({"AppleLanguages": ["de-DE", "en-DE"], "AppleLocale": "de_DE"}, "de"),
        ({"AppleLanguages": ["nl-NL", "de-CH"]}, "de"),
        ({"AppleLanguages": ["en-DE", "de-DE"], "AppleLocale": "en_DE"}, "en"),
        ({"AppleLocale": "de_AT"}, "de"),
        ({}, "en"),
        (None, "en"),
    ],
)
def test_macos_speaks_what_its_settings_say_where_no_variable_is_set(
    kept: dict[str, Any] | None, speaks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _unset(monkeypatch, "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    if kept is not None:
        (tmp_path / "Library/Preferences").mkdir(parents=True)
        there = tmp_path / "Library/Preferences/.GlobalPreferences.plist"
        there.write_bytes(plistlib.dumps(kept, fmt=plistlib.FMT_BINARY))
    assert _language.of_computer() == speaks
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    assert _language.of_computer() == "en", "what a terminal says counts first"


@pytest.mark.parametrize(
    ("number", "speaks"), [(0x0407, "de"), (0x0C07, "de"), (0x0409, "en"), (0x9999, "en")]
)
def test_windows_speaks_what_its_own_windows_do(
    number: int, speaks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _unset(monkeypatch, "win32")
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert _language.of_computer() == speaks


def _unset(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "PBEM_LANG"):
        monkeypatch.delenv(name, raising=False)


def test_what_is_data_in_the_comments_of_an_order_file_stays_data(table: Table) -> None:
    """Whoever takes the mark of a comment away has an example that is read."""

    def examples(code: str) -> list[str]:
        text = run("-C", str(table.players["north"].root), "orders", "new", "-o", "-", language=code)
        lines = [line.lstrip("# ") for line in text.splitlines() if line.strip()]
        return [line.partition("   ")[0] for line in lines if line.startswith(("- {", "{", "[", "ahead:"))]

    assert examples("de") == examples("en") and len(examples("en")) > 5


def test_letters_are_in_the_language_of_their_writer(tmp_path: Path) -> None:
    for code, said in (("de", "Um beizutreten, speichere diese E-Mail"), ("en", "To join, save this email")):
        root = tmp_path / code
        who = ("--name", "Ann", "--mail", "ann@example.org", "--key", str(_key(tmp_path / f"key-{code}")))
        done = CliRunner().invoke(
            cli, ["new", "victory/sarn_strait_two", str(root), *who], env={"PBEM_LANG": code}
        )
        assert done.exit_code == 0, done.output
        assert said in next((root / "outbox").glob("*.pbem-invitation")).read_text("utf-8")
        kept = root / "private" / "mail.yaml"
        assert kept.exists() == (code == "de"), "a machine that adjudicates at night speaks none"
        assert code == "en" or kept.read_text("utf-8") == "language: de\n"


def _key(path: Path) -> Path:
    CliRunner().invoke(cli, ["key", "new", "--file", str(path)])
    return path


@pytest.mark.parametrize("line", ["Last head in this folder, stage 3:", "Letzter bekannter Stand, Etappe 3:"])
def test_the_last_head_is_read_in_every_language(line: str) -> None:
    assert last_head.said([f"> {line}\n> {'ab' * 32}\n"]) == {(3, "ab" * 32)}


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_what_editors_show_of_orders_is_there_in_every_language(name: str, code: str) -> None:
    """Each description in the schema of a system's order files, and of each of its decisions."""
    system, lacks = find(name), list[str]()
    known = _language.known_in(code, system)

    def told(text: str) -> str:
        said = translated(text, known)
        if said == text and re.search("[a-z]{2}", text):
            lacks.append(text)
        return said

    made = schemas.orders(system, told=told)
    assert made["$defs"]["general"]["properties"]["answer"]["description"] == translated("the answer", known)
    assert not lacks, "\n".join(dict.fromkeys(lacks))


def test_schemas_are_written_in_a_language_if_somebody_says_so(tmp_path: Path) -> None:
    """What the program's own schemas are is English, whatever the computer speaks."""
    for more in ((), ("--lang", "de")):
        run("rules", "schemas", "victory", "--write", str(tmp_path / "-".join(more)), *more)
    written = [
        (tmp_path / where / "victory/bid.schema.json").read_text("utf-8") for where in ("", "--lang-de")
    ]
    assert "How many player turns do you bid" in written[0] and "Rule 4.1.1." in written[0]
    assert "Wie viele Spielerzüge bietest du" in written[1] and "Regel 4.1.1." in written[1]
    assert "How many" not in written[1]


def test_german_says_du() -> None:
    """Who plays together for a year says so; one who is called otherwise in one sentence wonders."""
    formal = re.compile(r"(?<=[\w,] )(?:Sie|Ihnen|Ihre?[nmrs]?)\b")
    folders = [_language.FOLDER / "de", *(find(name).words_folder / "de" for name in SYSTEMS)]
    files = [path for folder in folders for path in sorted(folder.glob("*.yaml"))]
    files += [reports._FOLDER / "de.yaml", table.FOLDER / "de.yaml"]
    assert len(files) > 40
    found = []
    for path in files:
        for entry in load_data(path.read_bytes(), path.name).values():
            said = entry.values() if isinstance(entry, dict) else [entry]
            found += [f"{path}: {text}" for text in said if formal.search(str(text))]
    assert not found, "\n".join(found)
