"""Reports of the sample games of all systems, compared with files that somebody has read: the words in
English and German, and the structure.

After `python -m tests.tools.make_sample` other things happen in them: run `pytest tests/golden
--update-golden` and read the diff.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from pbem.archive import History
from pbem.cli.games.history import read
from pbem.cli.games.telling import chapter_report
from pbem.report.data import as_json
from pbem.report.structure import Report
from pbem.report.text import render
from pbem.text.canonical import Json
from pbem.text.schema import check
from pbem.text.schema import find as find_schema

SAMPLES = Path(__file__).parents[2] / "sample_games"
LANGUAGES = ("en", "de")
FOLDERS = {
    "ocs": "ocs-crossing-the-tol",
    "totaler-krieg": "totaler-krieg-lodestar",
    "victory": "victory-sarn-strait",
    "wbts": "wbts-marl-crossings",
    "wif": "wif-narrow-sea-1943",
}
PLAYERS = {"ocs": "bren", "totaler-krieg": "western", "victory": "green", "wbts": "south", "wif": "allied"}
# system, whose report: for each system two stages in which many kinds of events happened
SHOWN = [(system, reader) for system, player in PLAYERS.items() for reader in (None, player)]
Line = tuple[str, ...]


@cache
def history(system: str) -> History:
    return read(SAMPLES / FOLDERS[system], None)


def kinds(system: str, stage: int, reader: str | None) -> set[str]:
    past = history(system)
    view = past.view(past.chapters[stage], past.reader(reader) if reader is not None else None)
    return {str(told.event["event"]) for told in view.told}


@cache
def shown(system: str, reader: str | None) -> int:
    """Return the first stage whose report has most kinds of events; for a player most that are not in the
    public one."""
    stages = range(len(history(system).chapters))
    known = kinds(system, shown(system, None), None) if reader is not None else set[str]()
    return max(stages, key=lambda stage: (len(kinds(system, stage, reader) - known), -stage))


@cache
def composed(system: str, stage: int, reader: str | None, lang: str) -> Report:
    """The report of a stage of a sample game, as `pbem report` composes it."""
    past = history(system)
    who = past.reader(reader) if reader is not None else None
    return chapter_report(past, past.chapters[stage], who, lang, since=True)


def lasting(report: Report, text: str) -> str:
    """Return a text of a report without the digest of the rules, which changes with every comment in them."""
    return text.replace(report.digests["rules"], "<digest of the rules>")


def common(one: Json, other: Json) -> Json:
    """Return what is the same in two languages; what is not becomes `...`."""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        return {key: common(value, other[key]) for key, value in one.items()}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [common(*pair) for pair in zip(one, other, strict=True)]
    return one if one == other else "..."


def in_lines(data: Json) -> Iterator[str]:
    """Write each item of each section on a line of its own."""
    assert isinstance(data, dict)
    for section, value in data.items():
        if isinstance(value, dict) and value:
            yield from (f"{section}.{key}: {_short(item)}" for key, item in value.items())
        elif isinstance(value, list) and value:
            yield from (f"{section}[{number}]: {_short(item)}" for number, item in enumerate(value))
        else:
            yield f"{section}: {_short(value)}"


def _short(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def sentences(system: str, lang: str) -> dict[str, Line]:
    """What a player reads of the first event of each kind: sentence, headline, working."""
    first: dict[str, Line] = {}
    for chapter in history(system).chapters:
        for item in composed(system, chapter.stage, PLAYERS[system], lang).items:
            working = (f"{name}: {text}" for name, text in item.working)
            first.setdefault(item.kind, (item.text, item.headline or "-", *working))
    return first


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("system", "reader"), SHOWN)
def test_reports_of_sample_games_read_as_they_did(
    system: str, reader: str | None, lang: str, golden: Callable[[str, str], None]
) -> None:
    report = composed(system, shown(system, reader), reader, lang)
    golden(f"{system}-{reader or 'public'}-{lang}.txt", lasting(report, render(report)))


@pytest.mark.parametrize(("system", "reader"), SHOWN)
def test_reports_of_sample_games_have_the_structure_they_had(
    system: str, reader: str | None, golden: Callable[[str, str], None]
) -> None:
    """Whatever the words: they are left out where they differ between English and German."""
    english, german = (composed(system, shown(system, reader), reader, lang) for lang in LANGUAGES)
    data = as_json(english)
    assert check(data, find_schema("report")) == []
    lines = in_lines(common(data, as_json(german)))
    golden(f"{system}-{reader or 'public'}-structure.txt", lasting(english, "\n".join(lines)) + "\n")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("system", FOLDERS)
def test_each_kind_of_event_in_a_sample_game_reads_as_it_did(
    system: str, lang: str, golden: Callable[[str, str], None]
) -> None:
    lines = [
        f"{kind}\n" + "".join(f"  {text}\n" for text in texts)
        for kind, texts in sorted(sentences(system, lang).items())
    ]
    golden(f"{system}-sentences-{lang}.txt", "".join(lines))
