"""Reports of stages of `victory` and `diplomacy`, for one reader each, compared with files that somebody has
read. Of the other systems there are sample games (`test_samples.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import Stage, stages
from pbem.cli.games.reporting.meta import meta_from
from pbem.cli.games.telling import report_view
from pbem.engine.adjudicate import facts
from pbem.engine.system import find
from pbem.model.facts import PUBLIC, may_know
from pbem.report import situation
from pbem.report.composing.compose import compose
from pbem.report.data import as_json
from pbem.report.plain import width
from pbem.report.structure import Report
from pbem.report.text import render
from pbem.stages.views import PlayerView, told_to
from pbem.text.schema import check
from pbem.text.schema import find as find_schema
from tests.golden.test_samples import common, in_lines

SEED = "golden"


@dataclass(frozen=True)
class Made:
    """A game between sensible players, whose reports are compared up to its stage `last`."""

    system: str
    scenario: str
    title: str
    last: int
    names: Mapping[str, str] = field(hash=False)


STRAIT = Made(
    "victory",
    "sarn_strait",
    "The Sarn Strait",
    15,
    {"gm": "Gwen", "red": "Rosa", "blue": "Bert", "green": "Gisela"},
)
# stage of the game with this seed, and whose report: a first bid, moves, an attack, battles, production
SHOWN = [(0, "red"), (2, "blue"), (3, "red"), (4, "red"), (4, None), (15, "green")]
SHORES = Made(
    "diplomacy",
    "three_shores",
    "Three Shores",
    11,
    {"gm": "Gwen", "aldar": "Anna", "brenn": "Bert", "corva": "Cora"},
)
# moves, support and a dislodged unit; a retreat and centres; a disbanded unit; the vote for a draw
SHOWN_OF_SHORES = [(2, "aldar"), (3, None), (5, "corva"), (11, None)]


@cache
def game(made: Made) -> Sequence[Stage]:
    """The first stages of one game between sensible players."""
    played: list[Stage] = []
    for stage in stages(find(made.system), made.scenario, seed=SEED, brains=clever):
        played.append(stage)
        if stage.number == made.last:
            break
    return played


def composed(number: int, reader: str | None, lang: str = "en", made: Made = STRAIT) -> Report:
    """The report of a stage for a reader, as the commands compose it."""
    stage, system = game(made)[number], find(made.system)
    outcome = stage.outcome
    known = {f.key: f.value for f in facts(system, outcome) if may_know(f.audience, reader)}
    events = [told.event for told in outcome.told if told.audience == PUBLIC]
    # as in the archive: stage 0 has no public events in its record
    view = PlayerView(system, made.scenario, reader, number, known, told_to(events, known))
    asked: dict[str, list[str]] = {}
    for question in outcome.pending:
        asked.setdefault(question.party, []).append(question.key)
    meta = {
        "title": made.title,
        "game": "94901e55" * 8,
        "stage": number,
        "head": "0f" * 32,
        "asked": asked,
        "seed": "5e" * 32,
        "names": made.names,
    }
    seen = report_view(view, lang)
    return compose(reader, view.told, seen, meta_from(reader, view, meta, seen.wording))


def report(number: int, reader: str | None, lang: str = "en", made: Made = STRAIT) -> str:
    # the digest changes with every comment in the rules
    text = render(composed(number, reader, lang, made))
    return text.replace(find(made.system).digest, "<digest of the rules>")


@pytest.mark.parametrize(("number", "reader"), SHOWN)
def test_reports_read_as_they_did(
    number: int, reader: str | None, golden: Callable[[str, str], None]
) -> None:
    golden(f"stage-{number:02}-{reader or 'public'}.txt", report(number, reader))


@pytest.mark.parametrize(("number", "reader"), [(4, "red"), (15, "green")])
def test_german_reports_read_as_they_did(
    number: int, reader: str, golden: Callable[[str, str], None]
) -> None:
    golden(f"stage-{number:02}-{reader}-de.txt", report(number, reader, "de"))


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(("number", "reader"), SHOWN_OF_SHORES)
def test_reports_of_diplomacy_read_as_they_did(
    number: int, reader: str | None, lang: str, golden: Callable[[str, str], None]
) -> None:
    name = f"diplomacy-{number:02}-{reader or 'public'}-{lang}.txt"
    golden(name, report(number, reader, lang, SHORES))


@pytest.mark.parametrize("lang", ["en", "de"])
def test_each_kind_of_event_of_diplomacy_reads_as_it_did(
    lang: str, golden: Callable[[str, str], None]
) -> None:
    first: dict[str, str] = {}
    for number in range(SHORES.last + 1):
        for item in composed(number, None, lang, SHORES).items:
            first.setdefault(item.kind, f"{item.kind}\n  {item.text}\n  {item.headline or '-'}\n")
    golden(f"diplomacy-sentences-{lang}.txt", "".join(first[kind] for kind in sorted(first)))


@pytest.mark.parametrize(("number", "reader"), [(5, "corva"), (11, None)])
def test_reports_of_diplomacy_have_the_structure_they_had(
    number: int, reader: str | None, golden: Callable[[str, str], None]
) -> None:
    english, german = (composed(number, reader, lang, SHORES) for lang in ("en", "de"))
    data = as_json(english)
    assert check(data, find_schema("report")) == []
    lines = "\n".join(in_lines(common(data, as_json(german)))) + "\n"
    name = f"diplomacy-{number:02}-{reader or 'public'}-structure.txt"
    golden(name, lines.replace(find("diplomacy").digest, "<digest of the rules>"))


SAID = [(4, "red", "en"), (4, None, "en"), (15, "blue", "de")]


@pytest.mark.parametrize(("number", "reader", "lang"), SAID)
def test_the_map_in_sentences_reads_as_it_did(
    number: int, reader: str | None, lang: str, golden: Callable[[str, str], None]
) -> None:
    lines = situation.render(composed(number, reader, lang))
    golden(f"map-{number:02}-{reader or 'public'}-{lang}.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("lang", ["en", "de"])
def test_no_line_of_any_report_is_too_long_for_a_mail(lang: str) -> None:
    for number, reader in SHOWN:
        assert all(width(line) <= 74 for line in report(number, reader, lang).splitlines())


@pytest.mark.parametrize(("number", "reader"), SHOWN)
def test_the_same_as_data_fits_the_published_schema(number: int, reader: str | None) -> None:
    data = as_json(composed(number, reader))
    assert check(data, find_schema("report")) == []
    assert check(data, find_schema("victory/report")) == []
    assert len(data["dice"]) == sum(len(item.rolls) for item in composed(number, reader).items)
    assert all("recompute" in roll for roll in data["dice"])
