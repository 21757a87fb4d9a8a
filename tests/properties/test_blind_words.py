"""The map in sentences, reports in another language and figures: what is hidden changes nothing in them."""

from __future__ import annotations

import random

import pytest

from pbem.cli.games.reporting.meta import meta_from
from pbem.cli.games.telling import report_view
from pbem.engine.adjudicate import Outcome
from pbem.report import situation
from pbem.report.composing.compose import compose
from pbem.report.text import render
from pbem.report.whole import stats_text
from pbem.report.whole.stats import Seen, stats
from tests.properties.test_blind_texts import VICTORY, changed, larch, view_of, with_secrets


def said(outcome: Outcome, reader: str | None) -> str:
    """All that is made of one stage for a reader, in German where there is German."""
    view = view_of(VICTORY, "sarn_strait", outcome, reader, 7)
    meta = {"title": "A game", "game": "ab" * 32, "stage": 7, "head": "cd" * 32, "asked": {}}
    seen = report_view(view, "de")
    report = compose(reader, view.told, seen, meta_from(reader, view, meta, seen.wording))
    told = [item.event for item in report.items]
    shown = stats([Seen(7, [one for one in view.told if one.event in told], seen)], report.view.players)
    figures = stats_text.render(shown, seen, "A game", "x")
    return "\n".join([render(report), *situation.render(report), figures])


@pytest.mark.parametrize("viewer", ["red", "blue", None])
def test_nothing_that_is_told_changes_with_what_its_reader_may_not_know(viewer: str | None) -> None:
    rng, compared = random.Random(4), 0
    for stage in larch()[2::6]:
        mine = said(stage.outcome, viewer)
        for other in changed(VICTORY, stage.outcome, viewer, rng):
            assert said(other, viewer) == mine
            compared += 1
        secret = with_secrets(stage.outcome, viewer, stage.outcome.state.players)
        assert said(secret, viewer) == mine
    assert compared > 12


def test_what_a_player_may_know_does_change_what_he_is_told() -> None:
    """The test above could not fail if nothing were told."""
    outcome = larch()[2].outcome
    told = {reader: said(outcome, reader) for reader in ("red", "blue", None)}
    assert len(set(told.values())) == 3
