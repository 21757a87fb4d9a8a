"""Reports of stages of `victory`, for one reader each, compared with files that somebody has read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from pbem.archive.views import PlayerView, told_to
from pbem.bot.answers import clever
from pbem.bot.games import Stage, stages
from pbem.cli._telling import plain_renderer
from pbem.engine.adjudicate import facts
from pbem.engine.system import find
from pbem.model.facts import PUBLIC, may_know

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


def report(number: int, reader: str | None) -> str:
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
    }
    text = plain_renderer(NAMES)(reader, view.told, view, meta)
    return text.replace(VICTORY.digest, "<digest of the rules>")  # which changes with every comment in them


@pytest.mark.parametrize(("number", "reader"), SHOWN)
def test_reports_read_as_they_did(
    number: int, reader: str | None, golden: Callable[[str, str], None]
) -> None:
    golden(f"stage-{number:02}-{reader or 'public'}.txt", report(number, reader))
