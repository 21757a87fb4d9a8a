"""In the middle of a game, where units are hidden: the pages of a player are the same to the byte whatever
the others hide, and name nothing of it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.folder import private_side
from pbem.cli.games.table import Table
from pbem.cli.games.telling import renderer, report_of
from pbem.cli.web.desk import Desk, name_of
from pbem.engine.adjudicate import game_of
from pbem.engine.game import Game
from pbem.engine.system import find
from pbem.model.facts import may_know
from pbem.report.composing import compose
from pbem.report.text import render
from tests.cli.test_table import Visitor
from tests.cli.test_table_holds import secrets_of_others
from tests.nightly import IN_CI

GAMES: dict[str, tuple[dict[str, Any], int, tuple[str, ...]]] = {
    "victory": ({}, 7, ("cv",)),
    "wbts": ({"limited_intelligence": True}, 6, ("sp", "supply")),
    "ocs": ({"fow": "gm"}, 6, ("points", "steps", "sp")),
}
"""Options that hide units, stages that are played, what is hidden of a unit that others see there."""
PAGES = (
    "",
    "orders",
    "standing",
    "post",
    "letters",
    "talk",
    "desk",
    "trust",
    "template",
    "state",
    "board",
    "report/2",
)


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=() if name == "victory" else IN_CI) for name in GAMES],
)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Some stages between players of the computer, each with a folder of his own."""
    options, stages, _ = GAMES[request.param]
    system = find(request.param)
    table = Table(tmp_path_factory.mktemp(request.param), system, system.scenarios()[0])
    table.ahead = False
    table.sit_down("Blind", options=options)
    for _ in range(stages):
        table.play_stage()
    return table


def pages(table: Table, seat: str) -> dict[str, bytes]:
    """Everything that the pages of a player show, and what they answer about any counter that he knows."""
    place = Desk(table.root / seat)
    name = name_of(table.root / seat)
    visitor, known = Visitor(place), place.open(name).view().game.position.counters
    found = {page: visitor.ask("GET", f"/g/{name}/{page}").body for page in PAGES}
    questions = json.loads(found["state"])["questions"] if b"questions" in found["state"] else []
    for id in sorted(known)[::5]:
        asked = [("counter", ""), ("past", "")]
        asked += [(path, one["key"]) for one in questions for path in ("options", "why")]
        for path, key in asked:
            data = json.dumps({"at": id, "key": key}).encode()
            found[f"{path} {id} {key}"] = visitor.ask("POST", f"/g/{name}/{path}", data).body
    return found


def facts_of(game: Game, seat: str) -> dict[str, Any]:
    return {one.key: one.value for one in game.system.facts(game) if may_know(one.audience, seat)}


def disguised(table: Table, seat: str) -> tuple[Game, Game]:
    """The truth, and one in which everything that this player does not see is of another strength."""
    gm = table.gm.folder
    state, seen = gm.state(), table.seats[seat].folder.view().game.position.counters
    now = gm.view().game.position  # what the state was saved with lacks what the open node has done since
    true, other = (game_of(gm.system, state, now.copy()) for _ in range(2))
    hidden, changed = GAMES[table.system.name][2], 0
    for id, fields in now.counters.items():
        if id not in seen:
            more = {key: fields[key] + 1 for key in hidden if isinstance(fields.get(key), int)}
            other.position.set(id, **more)
            changed += len(more)
    assert changed, "there is something to hide"
    return true, other


def test_the_pages_are_the_same_whatever_the_others_hide(played: Table) -> None:
    seat = played.players[0].id
    before = pages(played, seat)
    true, other = disguised(played, seat)
    path = played.root / seat / private_side.FACTS
    kept = json.loads(path.read_bytes())
    told = facts_of(other, seat)
    told = {key: json.loads(json.dumps(value)) for key, value in told.items()}
    assert told.keys() == facts_of(true, seat).keys()
    changed = [[key, told.get(key, value), audience] for key, value, audience in kept["facts"]]
    path.write_text(json.dumps({**kept, "facts": changed}))
    hidden = played.root / "hidden"
    hidden.mkdir()
    for one in [*played.seats, "mails"]:
        if one != seat:
            (played.root / one).rename(hidden / one)  # what lies beside counts for nothing either
    try:
        assert pages(played, seat) == before
    finally:
        for moved in hidden.iterdir():
            moved.rename(played.root / moved.name)
        hidden.rmdir()


def test_what_the_others_hide_is_named_nowhere(played: Table) -> None:
    seat = played.players[0].id
    found = secrets_of_others(Desk(played.root / seat), name_of(played.root / seat))
    secret = {
        word for word in found if re.search("[A-Z0-9]", word)
    }  # ids and texts, not what fields are called
    assert secret
    for page, body in pages(played, seat).items():
        if page.startswith(("past", "report")) or not page:
            continue  # who fought before all eyes has his name there
        text = html.unescape(body.decode())
        assert not {word for word in secret if _named(word, text)}, page


def _named(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def test_nothing_beside_his_folder_is_a_game_of_his(played: Table) -> None:
    games: Iterator[Path] = iter(Desk(played.root / played.players[0].id).games().values())
    assert [one.name for one in games] == [played.players[0].id]


def test_a_report_that_a_table_renders_once_is_each_players_own(
    played: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In each folder is what the player's own program would write, and the same again costs nothing."""
    composed: list[str | None] = []
    usual = compose.compose
    monkeypatch.setattr(
        compose, "compose", lambda reader, *more: (composed.append(reader), usual(reader, *more))[1]
    )
    shared = renderer(pages=False)
    for seat in played.players:
        folder = seat.folder
        view, facts = folder.view(), {"title": "Blind", "game": "0" * 64, "stage": folder.stage}
        written = seat.root / f"private/reports/{folder.stage:04}-{seat.id}.txt"
        assert written.read_text("utf-8") == render(report_of(folder, seat.id, view), whole=False)
        composed.clear()
        texts = [shared(seat.id, view.told, view, dict(facts)) for _ in range(2)]
        assert texts[0] == texts[1] and composed == [seat.id]
        assert shared(seat.id, view.told, view, {**facts, "title": "Other"}) != texts[0]
