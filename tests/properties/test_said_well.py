"""What people read of whole games, sentence by sentence: no field that was not filled in, no name of data, no
empty bracket, no word twice, no id where there is a name, nothing too long to be taken in at a glance.

Every event that the sample games and the worked examples have, every headline, card and task, of every
reader, in every language. Names of examples are invented: their sentences are looked at for their form alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pbem.cli.games.history import read
from pbem.cli.games.telling import chapter_report
from pbem.engine.system import find
from pbem.report.replay import steps
from pbem.report.structure import Report
from pbem.report.text import fight_words, news_lines, to_do_lines
from pbem.report.whole.acts import acts
from pbem.testing.examples import examples
from pbem.testing.runner import played_of
from pbem.testing.said import report_of
from tests.nightly import IN_CI

SAMPLES = Path(__file__).parents[2] / "sample_games"
QUICK = "wbts-marl-crossings"
LONGEST_HEADLINE, LONGEST_SENTENCE = 160, 420
WRONG = {
    "a field or a part that was not filled in": r"[{}]|\[\[|\]\]",
    "a plural in brackets": r"\w\(e?s\)",
    "a word twice": r"(?<![-\w])([^\W\d_]{2,}) \1(?![-\w])",
    "an empty bracket": r"\(\)|\( | \)|\([,;]",
    "a name of data": r"(?<![\w/.-])[a-z]+_[a-z_]+",
    "signs in a row": r"  | [,;]|[,;:] ?[,;:]|(?<!\.)\.\.(?!\.)",
    "a value of a program": r"\b(None(?! of)|True|False)\b",
    "nothing where something should be": r"–$|[:,] –",
    "a wrong plural": r"(?<![\w./-])(?:1 (?:steps|blocks|units|hits|rounds)|(?:[2-9]|[1-9]\d{1,2}) "
    r"(?:step|block|unit|hit|round))\b",
}
Said = tuple[str, str]  # what it is, and the sentence


@cache
def reports(sample: str, lang: str) -> tuple[Report, ...]:
    """Each stage of a sample game for each reader."""
    found, past = list[Report](), read(SAMPLES / sample, None)
    for reader in (*past.roster.players, None):
        who = past.reader(reader) if reader is not None else None
        words = None
        for chapter in past.chapters:
            found.append(chapter_report(past, chapter, who, lang, words, since=True))
            words = found[-1].words
    return tuple(found)


def said(report: Report) -> Iterator[Said]:
    for item in report.items:
        yield "sentence", item.text
        yield from (("headline", text) for text in (item.headline,) if text)
        yield from (("working", text) for _, text in item.working)
    yield from (("headline", text) for text in news_lines(report))
    yield from (("task", text) for text in to_do_lines(report))
    yield from (("card", text) for fight in report.fights for text in fight_words(fight, report))


SYSTEMS = ("victory", "wbts", "ocs", "totaler-krieg", "wif")
OF_ANY_GAME = {name: WRONG[name] for name in WRONG if name not in ("nothing where something should be",)}


@cache
def of_examples(system: str) -> tuple[Report, ...]:
    """What everybody is told of each worked example that plays."""
    found = find(system)
    played = (played_of(found, data) for _, data in examples(found))
    return tuple(report_of(*one, None) for one in played if one is not None)


@pytest.mark.parametrize(
    "system", [pytest.param(name, marks=() if name == "totaler-krieg" else IN_CI) for name in SYSTEMS]
)
def test_every_sentence_of_the_worked_examples_reads_well(system: str) -> None:
    """Kinds of events that no game of a demonstration has: landings, truces, lost beachheads."""
    told = {one for report in of_examples(system) for one in said(report) if one[0] != "task"}
    assert len(told) > 30
    wrong = [
        f"{why}: {kind}: {text}"
        for kind, text in sorted(told)
        for why, pattern in OF_ANY_GAME.items()
        if re.search(pattern, text)
    ]
    assert not wrong, "\n".join(wrong[:20])


def games() -> list[object]:
    names = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
    return [pytest.param(name, marks=() if name == QUICK else IN_CI) for name in names]


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("sample", games())
def test_every_sentence_of_a_whole_game_reads_well(sample: str, lang: str) -> None:
    told = {one for report in reports(sample, lang) for one in said(report)}
    assert len(told) > 100
    wrong = [
        f"{why}: {kind}: {text}"
        for kind, text in sorted(told)
        for why, pattern in WRONG.items()
        if (lang == "en" or why != "a wrong plural") and re.search(pattern, text)
    ]
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("sample", games())
def test_headlines_are_read_at_a_glance_and_no_sentence_is_endless(sample: str) -> None:
    told = {one for report in reports(sample, "en") for one in said(report)}
    limits = {"headline": LONGEST_HEADLINE, "sentence": LONGEST_SENTENCE}
    long = [text for kind, text in sorted(told) if len(text) > limits.get(kind, 1000)]
    assert not long, "\n".join(long[:10])


@pytest.mark.parametrize("sample", games())
def test_who_has_a_name_is_not_told_by_his_id(sample: str) -> None:
    wrong = set()
    for report in reports(sample, "en"):
        counters = report.view.position.counters
        named = {id: report.view.unit(id) for id in counters}
        nameless = {id for id, name in named.items() if id in name}
        for kind, text in said(report):
            words = set(re.findall(r"[A-Za-z0-9][\w-]*", text))
            wrong |= {f"{kind}: {text}" for id in words & counters.keys() if id not in nameless}
    assert not wrong, "\n".join(sorted(wrong)[:10])


@pytest.mark.parametrize("sample", games())
def test_every_player_turn_has_a_title_of_its_own_and_passes_fold(sample: str) -> None:
    public = [report for report in reports(sample, "en") if report.reader is None]
    told = acts(public)
    assert [stage for act in told for stage in act.stages] == [report.stage for report in public]
    assert all(act.title and len(act.title) <= 2 * LONGEST_HEADLINE for act in told)
    assert len(told) <= len(public), "stages that belong together are told together"
    places = [(battle.stage, battle.number) for act in told for battle in act.battles]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("sample", games())
def test_every_stage_can_be_shown_step_by_step(sample: str) -> None:
    """Also where a unit moved and died in the same stage."""
    shown = [steps([report]) for report in reports(sample, "en")]
    assert any(shown) and all(step.headline for each in shown for step in each)
