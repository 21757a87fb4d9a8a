"""Files that pbem writes while games are played fit the published schemas; spoilt ones do not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.ordering import order_file, order_form
from pbem.bot.answers import answer
from pbem.engine import schemas
from pbem.engine import system as systems
from pbem.engine.resolve import Question
from pbem.engine.system import System
from pbem.model.state import dump
from pbem.testing.playing import whole_game
from pbem.text.json_first import read_state_text
from pbem.text.schema import check, find
from pbem.text.yaml import load
from tests.conformance.systems import ALL, over_all, over_scenarios
from tests.nightly import in_ci
from tests.unit.archive.table import Seat, Table

STAGES = 4
PLAIN = next(one for one in ALL if one.name == "victory")
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def table(tmp_path: Path, system: System, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Players of the first scenario around a game that has been played for some stages by mail."""
    known = {one.name: one for one in ALL}
    monkeypatch.setattr(systems, "find", lambda name: known[name])
    scenario = system.scenarios()[0]
    seats = list(system.players(system.scenario(scenario)))
    return Table(tmp_path, system, scenario, seats, chain_length=64)


def legal(seat: Seat, question: Question) -> Any:
    """A legal answer, found on the view of the one who is asked."""
    view = seat.folder.view()
    decision = view.system.decision(question.kind, question.party, question.fields)
    return answer(view.game, decision, random.Random(question.key))


def played(table: Table) -> Table:
    table.start()
    for _ in range(STAGES):
        table.play_stage(legal)
    return table


def data_of(path: Path) -> Any:
    return read_state_text(path.read_bytes(), path.name).data


@over_all
def test_game_yaml_fits_before_and_after_the_roster(table: Table, system: System) -> None:
    before = [
        load(seat.folder.root.joinpath("game.yaml").read_text("utf-8"), "game.yaml")
        for seat in table.everybody
    ]
    table.start()
    after = [
        load(seat.folder.root.joinpath("game.yaml").read_text("utf-8"), "game.yaml")
        for seat in table.everybody
    ]
    for document in before + after:
        assert check(document.data, find("game"), document) == []
    assert all(len(document.data["parties"]) == len(table.everybody) for document in after)


@over_all
def test_states_and_the_order_file_that_players_get_fit(table: Table, system: System) -> None:
    check_states(played(table))
    check_order_files(table, system)


def check_states(table: Table) -> None:
    whole, public = 0, 0
    for seat in table.everybody:
        found = [seat.root / "state.yaml", *(seat.root / "private").glob("state.yaml")]
        for path in found:
            data = data_of(path)
            name = {"pbem-state/1": "state", "pbem-public/1": "public"}[data["format"]]
            assert check(data, find(name)) == [], path
            whole, public = whole + (name == "state"), public + (name == "public")
    assert whole and bool(public) == bool(table.everybody[0].folder.system.hidden)


def check_order_files(table: Table, system: System) -> None:
    """They fit once they are filled in, and not with a wrong key."""
    seats = table.asked()
    assert seats
    for seat in seats:
        text = order_form.template(seat.folder)
        for question in order_file.questions(seat.folder):
            line = f"\n  {question.key}:"
            assert line in text
            text = text.replace(line, f"{line} {json.dumps(legal(seat, question))}", 1)
        for schema in (schemas.orders(system), find("orders")):
            document = load(text, "orders.yaml", schema)
            assert check(document.data, schema, document) == []
        spoilt = load(text.replace("stage:", "stgae:"), "orders.yaml", schemas.orders(system))
        assert {fault.code for fault in check(spoilt.data, schemas.orders(system))} == {
            "missing-key",
            "unknown-key",
        }


# ---- states of whole games, with journals of every kind ---------------------------------------------------


def states(system: System, scenario: str) -> Iterator[dict[str, Any]]:
    """Some states of a whole game as they come back from their file: journals with every kind of entry."""
    seen: set[frozenset[str]] = set()
    for stage in whole_game(system, scenario).stages:
        state = stage.outcome.state
        kinds = {frozenset(entry) for entry in state.open.journal} if state.open else set()
        if stage.number % 10 == 0 or not kinds <= seen:
            seen |= kinds
            yield read_state_text(dump(state.to_json()), "state.yaml").data


@over_scenarios
def test_states_of_a_whole_game_fit(system: System, scenario: str) -> None:
    for data in states(system, scenario):
        assert check(data, find("state")) == [], data["at"]


@in_ci
def test_the_games_looked_at_have_entries_of_every_kind_in_their_journals() -> None:
    kinds = {"ask", "dice", "shuffle", "seal", "open", "consult"}
    seen = {
        kind
        for system in ALL
        for data in states(system, system.scenarios()[0])
        for entry in data.get("open", {}).get("journal", [])
        for kind in kinds & set(entry)
    }
    # nobody is asked after a shuffle or an opening there, so no state holds one; see the entries below
    assert seen == kinds - {"shuffle", "open"}


def journal(**entry: Any) -> dict[str, Any]:
    return {"stage": 1, "h": "0123456789ab", **entry}


@pytest.mark.parametrize(
    "entry",
    [
        journal(ask="T1/bid", party="north", answer=1, by="open"),
        journal(dice="2d6", words=["wind"], label=["wind", 1], result=[1, 6]),
        journal(shuffle=["a", "b"], words=["clouds"], label=["clouds", 1], result=["b", "a"]),
        journal(seal="T1/card", party="north", **{"as": "card"}, commit="ab" * 32),
        journal(open="T1/card", party="north", value="calm"),
        journal(consult="reaction", party="south", orders=[{"retreat_at_most": 1}]),
    ],
    ids=lambda entry: list(entry)[2],
)
def test_entries_of_a_journal_are_told_apart(entry: dict[str, Any]) -> None:
    data = {**next(states(PLAIN, PLAIN.scenarios()[0])), "open": {"interim": "ab" * 32, "journal": [entry]}}
    assert check(data, find("state")) == []
    for member in entry:
        if member not in ("as", "commit", "value") or "open" in entry:
            short = {name: value for name, value in entry.items() if name != member}
            data["open"]["journal"] = [short]
            assert check(data, find("state")) != [], f"{member} was not missed"
    data["open"]["journal"] = [{**entry, "odd": 1}]
    assert [fault.path for fault in check(data, find("state"))] == [("open", "journal", 0, "odd")]


BROKEN: dict[str, Change] = {
    "another format": lambda s: s.update(format="pbem-state/9"),
    "no position": lambda s: s.pop("position"),
    "no place in the sequence": lambda s: s.update(at=[]),
    "a frame without an index": lambda s: s["at"][0].pop("do"),
    "players without a turn": lambda s: s["at"][0].update(players=["red"]),
    "a misspelt member": lambda s: s.update(positon={}),
    "a counter that is a text": lambda s: s["position"]["counters"].update(x="0305"),
    "a hex that is a number": lambda s: s["position"]["counters"].update(x={"hex": 305}),
    "a fraction": lambda s: s["position"]["tracks"].update(turn=1.5),
    "a fraction deep inside": lambda s: s["position"]["tracks"].update(deep={"a": [1, {"b": 0.5}]}),
    "a seat that is no party": lambda s: s.update(players=["Red Army"]),
    "a player twice": lambda s: s.update(players=["red", "red"]),
    "an option that is a list": lambda s: s["options"].update(odd=[1]),
    "standing orders of nobody": lambda s: s.update(standing={"The Reds": []}),
    "a digest that is none": lambda s: s.update(previous="abc"),
    "a revision in words": lambda s: s["rules"].update(revision="one"),
    "a question without an id": lambda s: s.update(
        open={"interim": "ab" * 32, "pending": [{"key": "T1/bid", "party": "red", "kind": "bid"}]}
    ),
    "an unknown way of answering": lambda s: s.update(
        open={"interim": "ab" * 32, "held": {"red:bid": {"answer": 1, "by": "guess"}}}
    ),
    "a game without a head": lambda s: s.update(game={"id": "ab" * 32, "stage": 1}),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_spoilt_state_is_refused(case: str) -> None:
    data = next(states(PLAIN, PLAIN.scenarios()[0]))
    assert check(data, find("state")) == []
    BROKEN[case](data)
    assert check(data, find("state")) != []
