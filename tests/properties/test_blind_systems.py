"""Blindness in every system with hidden units: what is hidden changes nothing that a reader is shown."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from tests.nightly import IN_CI
from tests.properties.blind import GAMES, course, with_secrets

READERS = [
    pytest.param(name, reader, marks=() if reader == game.readers[0] else IN_CI)
    for name, game in GAMES.items()
    for reader in (*game.readers, None)
]


@pytest.mark.parametrize(("name", "viewer"), READERS)
def test_a_report_does_not_change_with_what_its_reader_may_not_know(name: str, viewer: str | None) -> None:
    game, rng, compared = GAMES[name], random.Random(3), 0
    for stage in course(name)[1::7]:
        mine = game.report(stage.outcome, viewer)
        for other in game.changed(stage.outcome, viewer, rng):
            assert game.report(other, viewer) == mine
            compared += 1
        assert game.report(with_secrets(stage.outcome, viewer), viewer) == mine
    assert compared > 12


@pytest.mark.parametrize(("name", "viewer"), READERS)
def test_no_form_of_a_report_changes_with_what_its_reader_may_not_know(name: str, viewer: str | None) -> None:
    game, rng = GAMES[name], random.Random(4)
    for stage in course(name)[2::20]:
        mine = game.every_form(stage.outcome, viewer)
        for other in [
            *islice(game.changed(stage.outcome, viewer, rng), 1),
            with_secrets(stage.outcome, viewer),
        ]:
            assert game.every_form(other, viewer) == mine


@pytest.mark.parametrize("name", sorted(GAMES))
def test_what_a_player_may_know_does_change_what_he_is_shown(name: str) -> None:
    """The tests above could not fail if nothing were shown."""
    game = GAMES[name]
    mine, others = game.readers
    outcome = course(name)[1].outcome
    other = game.shown(outcome)
    before, after = game.every_form(outcome, mine), game.every_form(other, mine)
    assert {form for form in before if before[form] != after[form]} >= {"json", "html", "svg"}
    assert game.every_form(outcome, others) == game.every_form(other, others)
