"""Reports of stages of `victory`, for one reader each, compared with files that somebody has read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from pbem.bot.answers import clever
from pbem.bot.games import Stage, stages
from pbem.cli.games.telling import meta_from, report_view
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

VICTORY = find("victory")
SEED = "golden"
NAMES = {"gm": "Gwen", "red": "Rosa", "blue": "Bert", "green": "Gisela"}
# stage of the game with this seed, and whose report: a first bid, moves, an attack, battles, production
SHOWN = [(0, "red"), (2, "blue"), (3, "red"), (4, "red"), (4, None), (15, "green")]


@cache
def game() -> list[Stage]:
    """The first stages of one game between sensible players."""
    played: list[Stage] = []
    for stage in stages(VICTORY, "sarn_strait", seed=SEED, brains=clever):
        played.append(stage)
        if stage.number == max(number for number, _ in SHOWN):
            break
    return played


def composed(number: int, reader: str | None, lang: str = "en") -> Report:
    """The report of a stage for a reader, as the commands compose it."""
    stage = game()[number]
    outcome = stage.outcome
    known = {f.key: f.value for f in facts(VICTORY, outcome) if may_know(f.audience, reader)}
    events = [told.event for told in outcome.told if told.audience == PUBLIC]
    # as in the archive: stage 0 has no public events in its record
    view = PlayerView(VICTORY, "sarn_strait", reader, number, known, told_to(events, known))
    asked: dict[str, list[str]] = {}
    for question in outcome.pending:
        asked.setdefault(question.party, []).append(question.key)
    meta = {
        "title": "The Sarn Strait",
        "game": "94901e55" * 8,
        "stage": number,
        "head": "0f" * 32,
        "asked": asked,
        "seed": "5e" * 32,
        "names": NAMES,
    }
    seen = report_view(view, lang)
    return compose(reader, view.told, seen, meta_from(reader, view, meta, seen.wording))


def report(number: int, reader: str | None, lang: str = "en") -> str:
    # the digest changes with every comment in the rules
    return render(composed(number, reader, lang)).replace(VICTORY.digest, "<digest of the rules>")


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
