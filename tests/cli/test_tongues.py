"""A short game told by every command in every language: nobody reads a word of English who asked for none.

German is searched for words of English. A pretended language, every sentence of which is the English between
brackets, is complete: what is outside of brackets then, no translation can reach (docs/languages.md).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.cli import _language
from pbem.engine.installed import entry_points
from pbem.engine.system import find
from tests.nightly import IN_CI
from tests.tools import tongues

# what is named in English everywhere: entries of data in a fault, names of the rules' versions
SAME = ("body.ops.0.party", "limited_intelligence", "weekly-1")
ONE = "victory"
SYSTEMS = [ONE, *(pytest.param(n, marks=IN_CI) for n in sorted(entry_points("pbem.systems")) if n != ONE)]
OTHERS = [code for code in _language.languages() if code != _language.ENGLISH]
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


@pytest.mark.parametrize("name", SYSTEMS)
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


def test_a_word_that_lacks_is_found(game: Game, tmp_path: Path) -> None:
    """The searches see what is English: one sentence is taken away, and shows."""
    folders = game(ONE)[:1]
    data = tongues.data_of(find(ONE), folders)
    with tongues.pretended(tmp_path, [ONE], leave_out=lambda key: key == "now: {a}") as code:
        ((_, told),) = [
            each for each in tongues.told(folders, code, "status") if each[0].endswith("pbem status")
        ]
    assert any("now" in line for line in tongues.unmarked(told, data))
    assert tongues.english("  was noch fehlt\n  there is nothing to do", data, "de") == [
        "there is nothing to do   <- there, is, nothing, to"
    ]
    assert not tongues.english("weiter: pbem orders new, 3 Steine (red), `there is`", data, "de")
