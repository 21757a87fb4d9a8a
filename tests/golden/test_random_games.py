"""Reports, stories and figures of games played at random: other things happen than in the sample games.

A line is a stage as one reader was told it, in one language: the news as text, the rest as digests, then the
whole game. If a difference is meant, read the report and run `pytest tests/golden --update-golden`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import pytest

from pbem.bot.games import Stage, stages
from pbem.cli.games.reporting.meta import meta_from
from pbem.cli.games.telling import report_view
from pbem.engine.adjudicate import facts
from pbem.engine.system import System, find
from pbem.model.facts import PUBLIC, may_know
from pbem.report.composing.compose import compose
from pbem.report.replay import ranked, steps
from pbem.report.structure import Report
from pbem.report.whole import ledger
from pbem.report.whole.acts import acts
from pbem.report.whole.ending import careers, decisive, losses_by_hex
from pbem.report.whole.moments import moments
from pbem.report.whole.stats import Asking, Seen, entries, stats
from pbem.report.whole.stats_text import as_json, render
from pbem.stages.views import PlayerView, told_to
from tests.golden.digests import digest
from tests.golden.test_stages import told
from tests.nightly import in_ci

GAMES: Mapping[str, tuple[str, int, dict[str, Any]]] = {
    "diplomacy": ("three_shores", 10, {}),
    "ocs": ("reed_coast", 12, {"fow": "gm"}),
    "totaler-krieg": ("lodestar", 12, {}),
    "victory": ("sarn_strait", 14, {}),
    "wbts": ("marl_crossings", 20, {}),
    "wif": ("narrow_sea_1943", 8, {}),
}
"""Which scenario is played, for how many stages, and with which options."""


def views(system: System, scenario: str, played: Sequence[Stage], reader: str | None) -> Iterator[PlayerView]:
    for stage in played:
        known = {f.key: f.value for f in facts(system, stage.outcome) if may_know(f.audience, reader)}
        events = [one.event for one in stage.outcome.told if one.audience == PUBLIC]
        yield PlayerView(system, scenario, reader, stage.number, known, told_to(events, known))


def reports(
    views: Sequence[PlayerView], played: Sequence[Stage], reader: str | None, lang: str
) -> Iterator[Report]:
    """Yield the report of each stage; every fourth begins with what happened in the two before it."""
    for view, stage in zip(views, played, strict=True):
        asked: dict[str, list[str]] = {}
        for question in stage.outcome.pending:
            asked.setdefault(question.party, []).append(question.key)
        before = [views[n] for n in range(max(0, view.stage - 2), view.stage)] if view.stage % 4 == 3 else []
        data = {
            "title": "At random",
            "game": "94901e55" * 8,
            "stage": view.stage,
            "head": "0f" * 32,
            "asked": asked,
            "seed": "5e" * 32,
            "names": {party: f"Player {n}" for n, party in enumerate(view.game.players, 1)},
            "earlier": [{"stage": one.stage, "events": list(one.events)} for one in before],
            "before": lambda stage: views[stage].events,
        }
        seen = report_view(view, lang)
        yield compose(reader, view.told, seen, meta_from(reader, view, data, seen.wording))


def whole(made: Sequence[Report], views: Sequence[PlayerView], players: Sequence[str]) -> Iterator[str]:
    """Yield the story of a game, its player turns, careers and figures."""
    listed = steps(made)
    places = {number: place for place, number in enumerate(ranked(listed), 1)}
    for number, step in enumerate(listed):
        yield f"{step.stage} {step.part} {places[number]}: {step.headline} {digest(repr(step))[:6]}"
    turns = acts(made)
    for act in turns:
        battles = [(battle.stage, battle.number) for battle in act.battles]
        yield f"{act.turn}, {act.place}: {act.stages} {act.moves} {battles} {act.quiet} {act.title}"
    for name, parts in (
        ("decisive", decisive(turns)),
        ("moments", moments(made, turns)),
        ("careers", careers(made)),
        ("losses", sorted(losses_by_hex(made).items())),
    ):
        yield f"{name}: {len(parts)} {digest(repr(parts))[:6]}"
    asked = [Asking(party, kind) for party in players for kind in ("one", "two")]
    seen = [
        Seen(view.stage, view.told, report.view, asked, dict.fromkeys(players, 1))
        for view, report in zip(views, made, strict=True)
    ]
    last = made[-1]
    figures = stats(seen, players)
    yield render(figures, last.view, last.title, "everybody")
    yield f"figures: {digest(json.dumps(as_json(figures, None)))[:6]}"
    thrown = [entry for each in entries(seen).values() for entry in each]
    yield from ledger.ledger(thrown[-12:], players, last.words)
    yield f"dice: {digest(json.dumps(ledger.as_json(thrown)))[:6]}"


@in_ci
@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_game_at_random_is_told_as_it_was(name: str, golden: Callable[[str, str], None]) -> None:
    scenario, most, options = GAMES[name]
    system = find(name)
    played = list(islice(stages(system, scenario, options, "random"), most))
    players = tuple(played[0].outcome.state.players)
    lines: list[str] = []
    for reader, lang in ((None, "en"), (players[-1], "de")):
        known = list(views(system, scenario, played, reader))
        made = list(reports(known, played, reader, lang))
        lines += (line for report in made for line in told(report))
        lines += whole(made, known, players)
    golden(f"random-{name}.txt", "".join(f"{line}\n" for line in lines))
