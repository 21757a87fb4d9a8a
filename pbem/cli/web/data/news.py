"""The news since a player's last orders, for the board: the steps of the replay and their two orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import code
from pbem.cli.web.addresses.at_hand import once
from pbem.cli.web.words import words

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.report.replay import Step
    from pbem.report.structure import Report

MOST_STAGES = 30
"""Stages that are told at once; of more the last ones."""


def news(folder: Folder, since: int) -> dict[str, Any]:
    """Return what happened after a stage, as far as the reader saw it."""
    from pbem.report.replay import ranked, steps

    first = max(since + 1, folder.stage + 1 - MOST_STAGES, 0)
    reports = [report_at(folder, stage) for stage in range(first, folder.stage + 1)]
    shown = steps(reports)
    return {
        "since": first - 1,
        "stage": folder.stage,
        "stages": [{"stage": report.stage, "place": report.place} for report in reports],
        "steps": [_data(n, step) for n, step in enumerate(shown)],
        "ranked": ranked(shown),
        "happened": list(range(len(shown))),
        "parts": {part: words(code()).say(f"board-news-{part}") for part in ("own", "weight", "rest")},
    }


def report_at(folder: Folder, stage: int) -> Report:
    """Return the owner's report of a stage; a folder that stays open makes each once."""
    from pbem.cli.games.telling import stage_report

    return once(folder, ("report", stage, code()), lambda: stage_report(folder, stage, folder.reader, code()))


def _data(number: int, step: Step) -> dict[str, Any]:
    return {
        "n": number,
        "stage": step.stage,
        "rank": step.part,
        "headline": step.headline,
        "sentence": step.sentence,
        "rule": step.rule,
        "at": list(step.at),
        "way": list(step.ways[0]) if step.ways else [],
        "ways": [list(way) for way in step.ways],
        "units": list(step.units),
        "dice": list(step.dice),
        "fight": step.fight,
        "events": list(step.events),
    }
