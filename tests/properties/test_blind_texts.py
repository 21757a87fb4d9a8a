"""Blindness to the last byte: what is hidden changes nothing in anybody else's report, map, or order file."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from pbem.archive.folder.game_folder import Folder
from pbem.archive.ordering import order_form
from pbem.bot.answers import clever
from pbem.bot.games import Stage, play, stages
from pbem.cli.games.reporting.meta import meta_from
from pbem.cli.games.table import Table
from pbem.cli.games.telling import renderer, report_view
from pbem.engine.adjudicate import Outcome, adjudicate, facts
from pbem.engine.answers import Inputs
from pbem.engine.system import System, find
from pbem.model.events import Told
from pbem.model.facts import GM_ONLY, PUBLIC, may_know
from pbem.report.composing.compose import compose
from pbem.report.data import as_json
from pbem.report.html import render as as_page
from pbem.report.svg.picture import svg
from pbem.report.text import render as as_text
from pbem.stages.views import PlayerView, told_to
from tests.primer import FOG

VICTORY = find("victory")


@cache
def larch() -> tuple[Stage, ...]:
    """The first stages of a game between sensible players."""
    return tuple(islice(stages(VICTORY, "sarn_strait", None, "larch", clever), 32))


def view_of(system: System, scenario: str, outcome: Outcome, reader: str | None, stage: int) -> PlayerView:
    known = {f.key: f.value for f in facts(system, outcome) if may_know(f.audience, reader)}
    events = [told.event for told in outcome.told if told.audience == PUBLIC]
    return PlayerView(system, scenario, reader, stage, known, told_to(events, known))  # type: ignore[arg-type]


def report(system: System, scenario: str, outcome: Outcome, reader: str | None) -> str:
    view = view_of(system, scenario, outcome, reader, 7)
    asked = {question.party: [question.key] for question in outcome.pending}
    meta = {"title": "A game", "game": "ab" * 32, "stage": 7, "head": "cd" * 32, "asked": asked}
    return renderer()(reader, view.told, view, meta)


def every_form(system: System, scenario: str, outcome: Outcome, reader: str | None) -> dict[str, str]:
    """The same report as text, as data, as a page with its map, and the map as a drawing of its own."""
    view = view_of(system, scenario, outcome, reader, 7)
    asked = {question.party: [question.key] for question in outcome.pending}
    facts: dict[str, object] = {"title": "A game", "game": "ab" * 32, "stage": 7, "head": "cd" * 32}
    facts |= {"asked": asked, "seed": "5e" * 32}
    seen = report_view(view)
    made = compose(reader, view.told, seen, meta_from(reader, view, facts, seen.wording))
    return {
        "text": as_text(made),
        "json": json.dumps(as_json(made)),
        "html": as_page(made),
        "svg": svg(made),
    }


def changed(system: System, outcome: Outcome, viewer: str | None, rng: random.Random) -> Iterator[Outcome]:
    """The same with other strength and types under counters that the viewer cannot look at."""
    friends = (
        system.friends(view_of(system, outcome.state.scenario, outcome, viewer, 1).game, viewer)
        if viewer
        else ()
    )
    number = "cv" if system is VICTORY else "steps"
    hidden = [
        (id, dict(fields))
        for id, fields in sorted(outcome.position.counters.items())
        if fields["owner"] not in friends and not fields.get("revealed")
    ]
    for id, fields in rng.sample(hidden, min(4, len(hidden))):
        position = outcome.position.copy()
        position.set(id, **{number: 1 + int(str(fields[number])) % 3})
        if fields.get("type") == "IN":
            position.set(id, type="AR")
        yield replace(outcome, position=position)


def with_secrets(outcome: Outcome, viewer: str | None, players: tuple[str, ...]) -> Outcome:
    """The same with private events and refusals of others among what was told."""
    others = [p for p in players if p != viewer and p not in _side(viewer, players)]
    secret = {
        "event": "unit-moved",
        "rule": "0",
        "owner": others[0],
        "unit": "X",
        "how": "x",
        "path": [],
        "at": "here",
    }
    told = [Told((others[0],), secret, 0), *outcome.told, Told(GM_ONLY, secret, 0)]  # type: ignore[list-item]
    return replace(outcome, told=tuple(told))


def _side(viewer: str | None, players: tuple[str, ...]) -> tuple[str, ...]:
    return ("blue", "green") if viewer in ("blue", "green") else (viewer or "",)


@pytest.mark.parametrize("viewer", ["red", "blue", None])
def test_a_report_does_not_change_with_what_its_reader_may_not_know(viewer: str | None) -> None:
    rng, compared = random.Random(3), 0
    for stage in larch()[1::5]:
        mine = report(VICTORY, "sarn_strait", stage.outcome, viewer)
        for other in changed(VICTORY, stage.outcome, viewer, rng):
            assert report(VICTORY, "sarn_strait", other, viewer) == mine
            compared += 1
        secret = with_secrets(stage.outcome, viewer, stage.outcome.state.players)
        assert report(VICTORY, "sarn_strait", secret, viewer) == mine
    assert compared > 12


@pytest.mark.parametrize("viewer", ["red", "blue", None])
def test_no_form_of_a_report_changes_with_what_its_reader_may_not_know(viewer: str | None) -> None:
    rng, compared = random.Random(4), 0
    for stage in larch()[2::10]:
        mine = every_form(VICTORY, "sarn_strait", stage.outcome, viewer)
        for other in [*islice(changed(VICTORY, stage.outcome, viewer, rng), 2)]:
            assert every_form(VICTORY, "sarn_strait", other, viewer) == mine
            compared += 1
        secret = with_secrets(stage.outcome, viewer, stage.outcome.state.players)
        assert every_form(VICTORY, "sarn_strait", secret, viewer) == mine
    assert compared >= 5


def test_every_form_shows_a_player_what_is_his() -> None:
    """The test above could not fail if a form showed nothing."""
    outcome = larch()[1].outcome
    position = outcome.position.copy()
    mine = next(
        id for id, f in sorted(position.counters.items()) if f["owner"] == "red" and f["type"] == "IN"
    )
    position.set(mine, type="AR", cv=1 + int(str(position.counters[mine]["cv"])) % 3)
    other = replace(outcome, position=position)
    before, after = (every_form(VICTORY, "sarn_strait", one, "red") for one in (outcome, other))
    assert all(before[form] != after[form] for form in before)
    before, after = (every_form(VICTORY, "sarn_strait", one, "blue") for one in (outcome, other))
    assert before == after


def test_what_a_player_may_know_does_change_his_report() -> None:
    """The test above could not fail if reports showed nothing."""
    outcome = larch()[1].outcome
    position = outcome.position.copy()
    mine = next(id for id, f in sorted(position.counters.items()) if f["owner"] == "red")
    position.set(mine, cv=1 + int(str(position.counters[mine]["cv"])) % 3)
    other = replace(outcome, position=position)
    assert report(VICTORY, "sarn_strait", other, "red") != report(VICTORY, "sarn_strait", outcome, "red")
    assert report(VICTORY, "sarn_strait", other, "blue") == report(VICTORY, "sarn_strait", outcome, "blue")


def test_the_primer_with_fog_tells_nobody_more_than_he_may_know() -> None:
    played = play(FOG, "ford", {"turns": 3}, "larch")
    for stage in played.stages[1:-1]:
        for viewer in ("north", "south", None):
            mine = report(FOG, "ford", stage.outcome, viewer)
            for other in changed(FOG, stage.outcome, viewer, random.Random(3)):
                assert report(FOG, "ford", other, viewer) == mine


# ---- order files ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A real game, some stages old."""
    made = Table(tmp_path_factory.mktemp("table"), VICTORY, "sarn_strait", seed="larch")
    made.sit_down("The Sarn Strait")
    made.play_stage()
    made.play_stage()
    return made


def test_an_order_file_does_not_change_with_what_its_author_may_not_know(table: Table) -> None:
    state = table.gm.folder.state()
    outcome = adjudicate(VICTORY, state, Inputs(stage=99))  # nothing comes in: the questions as they are
    asked = sorted({question.party for question in outcome.pending})
    assert asked
    for party in asked:
        folder = table.seats[party].folder
        stage = folder.stage
        written = order_form.template(_seeing(folder, view_of(VICTORY, "sarn_strait", outcome, party, stage)))
        assert written == order_form.template(folder), "the view made here is not the one in the folder"
        for other in changed(VICTORY, outcome, party, random.Random(5)):
            view = view_of(VICTORY, "sarn_strait", other, party, stage)
            assert order_form.template(_seeing(folder, view)) == written


def _seeing(folder: Folder, view: PlayerView) -> Folder:
    """The folder of somebody who has been told this."""
    folder = Folder.open(folder.root)
    folder.view = lambda *a, **k: view  # type: ignore[method-assign,assignment]
    return folder
