"""A short game told by every command in every language: nobody reads a word of English who asked for none.

German is searched for words of English. A pretended language, every sentence of which is the English between
brackets, is complete: what is outside of brackets then, no translation can reach (docs/languages.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pbem.cli.main import cli
from pbem.cli.shell.lazy import LazyGroup
from pbem.cli.web import catalogue
from pbem.cli.web.desk import Desk
from pbem.engine.installed import entry_points
from pbem.engine.system import find
from pbem.text.messages import languages
from tests.cli.test_table import Visitor
from tests.nightly import IN_CI, in_ci
from tests.practising import practising
from tests.tools import tongues

# what is named in English everywhere: entries of data in a fault, names of the rules' versions
SAME = ("body.ops.0.party", "limited_intelligence", "weekly-1", "ballot=secret")
GAMES = ("War Between the States",)  # names of published games, which nobody translates
ONE = "victory"
NAMES = sorted(entry_points("pbem.systems"))
SYSTEMS = [ONE, *(pytest.param(n, marks=pytest.mark.long) for n in NAMES if n != ONE)]
OTHERS = languages()[1:]
Game = Callable[[str], list[Path]]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The folders of a game that was played for a turn: of the game master and of the players."""
    played: dict[str, list[Path]] = {}

    def folders(name: str) -> list[Path]:
        if name not in played:
            played[name] = tongues.play(find(name), tmp_path_factory.mktemp(name) / "game")
        return played[name][:2] if name == ONE else played[name]  # the others by CI

    return folders


def asked(name: str) -> str:
    """All commands of one system; of the others what depends on it."""
    return "\n".join(
        line for line in tongues.ASKED.strip().split("\n") if line != "rules list" or name == ONE
    )


@in_ci  # no sentence can be passed over, as the pretended language shows, and none lacks in any language
@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("code", OTHERS)
def test_no_command_says_a_word_of_english(name: str, code: str, game: Game) -> None:
    folders = game(name)
    data = tongues.data_of(find(name), folders)
    said = list(tongues.told(folders, code, asked(name)))
    assert len(said) > 80 and not any("Traceback" in text for _, text in said)
    found = [
        f"{typed}: {line}"
        for typed, text in said
        for line in tongues.english(text, data, code)
        if not any(one in line for one in SAME)
    ]
    assert not found, f"{len(found)} lines of {name}:\n" + "\n".join(dict.fromkeys(found))


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=IN_CI if n == ONE else pytest.mark.long) for n in NAMES]
)
def test_every_sentence_can_be_translated(name: str, game: Game, tmp_path: Path) -> None:
    folders = game(name)
    data = tongues.data_of(find(name), folders)
    with tongues.pretended(tmp_path, [name]) as code:
        said = list(tongues.told(folders, code, asked("")))
    assert sum(text.count(tongues.OPEN) for _, text in said) > 1000, "the pretended language was not spoken"
    found = [
        f"{typed}: {line}"
        for typed, text in said
        for line in tongues.unmarked(text, data)
        if not any(one in line for one in SAME)
    ]
    assert not found, f"{len(found)} lines of {name}:\n" + "\n".join(dict.fromkeys(found))


@in_ci
def test_a_word_that_lacks_is_found(game: Game, tmp_path: Path) -> None:
    """The searches see what is English: one sentence is taken away, and shows."""
    folders = game(ONE)[:1]
    data = tongues.data_of(find(ONE), folders)
    with tongues.pretended(tmp_path, [ONE], leave_out=lambda key: key == "cli.next.now") as code:
        ((_, told),) = [
            each for each in tongues.told(folders, code, "status") if each[0].endswith("pbem status")
        ]
    assert any("now" in line for line in tongues.unmarked(told, data))
    assert tongues.english("  was noch fehlt\n  there is nothing to do", data, "de") == [
        "there is nothing to do   <- there, is, nothing, to"
    ]
    assert not tongues.english("weiter: pbem orders new, 3 Steine (red), `there is`", data, "de")


def pages(name: str, folders: list[Path], root: Path, code: str) -> Iterator[tuple[str, str]]:
    """Pages of a game in a language: reports, the book, the table's."""
    runner = CliRunner()
    for stage in ("1", "2"):
        page = root / f"report-{stage}.html"
        args = ["-C", str(folders[1]), "report", stage, "--lang", code, "--out", str(page)]
        assert runner.invoke(cli, args).exit_code == 0
        yield page.name, page.read_text("utf-8")
    if name != ONE:  # its parts are those of the report's page
        made = runner.invoke(cli, ["-C", str(folders[1]), "book", str(root / "book"), "--lang", code])
        assert made.exit_code == 0, made.output
    for page in sorted((root / "book").rglob("*.html")):
        yield f"book/{page.name}", page.read_text("utf-8")
    place = Desk(root / "table")
    laid = practising(place, name, folders[1].name)
    visitor = Visitor(place, lang=code)
    inside = ("", "orders", "standing", "post", "desk", "trust", "look")
    for path in ("/", "/scenarios", "/settings", *(f"/g/{laid}/{one}" for one in inside)):
        said = visitor.ask("GET", path)
        if said.status == 200:
            yield f"table {path}", said.text


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("code", OTHERS)
def test_what_is_in_another_language_on_a_page_says_so(
    name: str, code: str, game: Game, tmp_path: Path
) -> None:
    """Screen readers change their voice by `lang`; titles and labels stand where no element can."""
    system, folders = find(name), game(name)
    seats = {seat for each in catalogue.seats().values() for seat in each}  # the table offers all systems
    data = tongues.data_of(system, folders) | seats
    title = str(system.scenario(system.scenarios()[0])["title"])
    found, seen = [], 0
    for page, html in pages(name, folders, tmp_path, code):
        assert f'<html lang="{code}"' in html, page
        seen += 1
        for language, text in tongues.texts_of(html):
            if language == code:
                for name_of_game in (title, *GAMES):
                    text = text.replace(name_of_game, "")
                english = tongues.english(text, data, code)
                found += [f"{page}: {one}" for one in english if not any(same in one for same in SAME)]
        assert (
            f">{title}<" not in html.replace(f'<span lang="en">{title}</span>', "").partition("</title>")[2]
        ), page
    assert seen > 8
    assert not found, f"{len(found)} texts of {name}:\n" + "\n".join(dict.fromkeys(found))


def named(above: list[str], command: click.Command) -> Iterator[list[str]]:
    """Every command, by what is typed."""
    yield above
    if isinstance(command, LazyGroup):
        context = click.Context(command)
        for name in sorted(command.known):
            below = command.get_command(context, name)
            if below is not None:
                yield from named([*above, name], below)


@pytest.mark.parametrize("code", OTHERS)
def test_no_help_has_a_word_of_english(code: str) -> None:
    commands = list(named([], cli))
    assert len(commands) > 50
    names = frozenset(word for typed in commands for word in typed)
    asked = [[*typed, "--help"] for typed in commands]
    found = []
    for typed in (*asked, ["new", "--modes"]):
        said = CliRunner().invoke(cli, ["--lang", code, *typed], env={"COLUMNS": "100"}, prog_name="pbem")
        shown = re.sub(r"pbem [a-z ]*[\w./:=-]+( .*)?", "", said.output.replace('"', ""))
        found += [f"{' '.join(typed)}: {line}" for line in tongues.english(shown, names, code)]
        found += [
            f"{' '.join(typed)}: {one}"
            for one in re.findall(r'"[^"]* [^"]*"', said.output)
            if tongues.english(one.strip('"'), names, code)
        ]
    assert not found, "\n".join(found)
