"""A stage may be closed before anything was played: a player is dropped from a game that has just begun."""

from __future__ import annotations

from dataclasses import replace

from pbem.cli.games.reporting.meta import meta_from
from pbem.cli.games.telling import report_view
from pbem.engine.system import System
from pbem.report.composing.compose import compose
from pbem.report.text import render
from pbem.stages.views import PlayerView
from tests.conformance.systems import over_scenarios


@over_scenarios
def test_a_report_is_told_when_nothing_of_the_game_is_known_yet(system: System, scenario: str) -> None:
    for reader in (None, *system.players(system.scenario(scenario))):
        view = PlayerView(system, scenario, reader, 1, {}, ())
        seen = report_view(view)
        facts = {"title": "", "game": "ab" * 32, "stage": 1}
        meta = replace(meta_from(reader, view, facts, seen.wording), finished=False)
        assert "stage 1" in render(compose(reader, (), seen, meta))
