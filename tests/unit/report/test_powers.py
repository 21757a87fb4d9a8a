"""Figures of games in which seats lead powers: losses, dice and points are those of the powers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.cli.games.history import read
from pbem.cli.games.telling import chapter_report
from pbem.report.reader import View
from pbem.report.whole.ending import points
from pbem.report.whole.ledger import ALL

SAMPLES = Path(__file__).parents[3] / "sample_games"


def test_what_is_a_powers_is_told_of_the_power_and_not_of_its_seat(view: View) -> None:
    tracks = {**view.position.tracks, "seats": {"uk": "south", "ge": "north", "it": "north"}}
    led = replace(view, position=replace_tracks(view, tracks))
    assert led.powers == ("ge", "it", "uk"), "seat by seat"
    assert led.rollers == ("ge", "it", "uk", "north", "south")
    assert view.powers == view.players


def replace_tracks(view: View, tracks: dict[str, object]) -> object:
    from pbem.board.position import Position

    return Position(view.position.counters, tracks)  # type: ignore[arg-type]


@pytest.mark.parametrize("sample", ["ocs-crossing-the-tol", "totaler-krieg-lodestar", "wif-narrow-sea-1943"])
def test_a_track_with_one_number_is_a_curve_of_its_own(sample: str) -> None:
    history = read(SAMPLES / sample, None)
    report = chapter_report(history, history.chapters[-1], None)
    assert list(points(report.view)) == [ALL]
