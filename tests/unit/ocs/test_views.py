"""With `fow: gm` nobody learns from facts, events or reports what the other side keeps from him (7)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from pbem.bot.answers import answer, clever
from pbem.bot.games import Stage, play, stages
from pbem.engine.adjudicate import Outcome, facts, game_of, start, view_of
from pbem.engine.decisions import Decision
from pbem.engine.game import Game
from pbem.model.codec import from_json
from pbem.model.facts import may_know
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.views import note_sightings
from tests.nightly import IN_CI

FOG = {"fow": "gm"}
SCENARIO = "crossing_the_tol"


def board(options: dict[str, Any] | None = FOG, **tracks: Any) -> Game:
    game = game_of(SYSTEM, start(SYSTEM, SCENARIO, options))
    game.tracks.update(tracks)
    return game


def known(game: Game, reader: str | None) -> dict[str, Any]:
    return {f.key: f.value for f in game.system.facts(game) if may_know(f.audience, reader)}


def seen(game: Game, reader: str) -> Any:
    return SYSTEM.view_position(known(game, reader), reader, game.world)


def test_without_the_option_everybody_sees_everything() -> None:
    game = board(None)
    assert known(game, "aster") == known(game, "bren") == known(game, None)
    assert seen(game, "aster") == game.position


def test_of_a_stack_the_top_unit_is_seen_and_the_markers_there() -> None:
    game = board()
    told = known(game, "bren")
    assert told["stack/05.05/aster"]["unit"] == "A5-M", "the strongest of four, all with a zone"
    assert set(seen(game, "bren").at("05.05")) == {"A5-M"}
    game.position.set("A5-1T", marker="dg")
    assert known(game, "bren")["stack/05.05/aster"]["beneath"] == ["dg"]


def test_the_owner_lays_a_unit_on_top_but_one_with_a_zone_goes_before() -> None:
    game = board()
    game.position.set("A5-2T", top=True)
    assert known(game, "bren")["stack/05.05/aster"]["unit"] == "A5-2T"
    game.position.set("A5-2T", facing="move")
    assert known(game, "bren")["stack/05.05/aster"]["unit"] == "A5-M"


def test_losses_stocks_fuel_dumps_and_plans_are_the_owners() -> None:
    game = board()
    game.position.set("A-21", lost=2, internal="low", fuelled=True)
    there = seen(game, "bren")
    assert set(there.counters["A-21"]) == {"owner", "hex", "kind", "facing"} - {"facing"}
    assert "plans" not in there.tracks and "plans" in seen(game, "aster").tracks
    assert "05.05" not in there.tracks["dumps"], "a dump under a stack"
    assert there.tracks["dumps"]["03.06"]["t"] == 1, "a dump that lies open, without its size"
    assert seen(game, "aster").tracks["dumps"]["03.06"]["t"] == 32


def test_a_base_shows_its_fighter() -> None:
    there = seen(board(), "bren")
    aircraft = [id for id in there.at("03.05") if there.counters[id]["kind"] == "aircraft"]
    assert aircraft == ["A-F1"]


def sighted() -> Game:
    """A5-M lay on top in 05.05 when the last phase of turn 1 ended; now another unit lies there."""
    game = board(turn=1)
    note_sightings(game)
    game.position.set("A5-M", facing="move")
    game.tracks["turn"] = 2
    note_sightings(game)
    assert known(game, "bren")["stack/05.05/aster"]["unit"] != "A5-M"
    return game


def test_what_was_seen_and_is_seen_no_more_is_remembered_with_place_and_turn() -> None:
    game = sighted()
    told = known(game, "bren")
    assert told["sighting/A5-M/bren"] == {"hex": "05.05", "turn": 1}
    assert "A5-M" not in seen(game, "bren").counters
    assert seen(game, "bren").tracks["last_seen"] == ["A5-M in 05.05 (turn 1)"]
    for reader in ("aster", None):
        assert not any(key.startswith(("sighting/", "beneath/")) for key in known(game, reader))


def test_a_unit_that_was_seen_is_known_while_it_stays_beside_an_own_unit() -> None:
    game = sighted()
    game.position.move("B-102", "06.05")
    assert seen(game, "bren").counters["A5-M"]["hex"] == "05.05"
    assert "lost" not in seen(game, "bren").counters["A5-M"]
    game.position.move("A5-M", "06.04")
    assert "A5-M" not in seen(game, "bren").counters, "it has gone, and lies under A5-R"
    assert seen(game, "bren").tracks["last_seen"] == ["A5-M in 05.05 (turn 1)"]


def test_who_is_seen_again_is_no_memory_and_the_dead_are_forgotten() -> None:
    game = sighted()
    game.position.set("A5-M", facing="combat")
    note_sightings(game)
    assert not game.tracks["sightings"]["bren"].get("A5-M")
    game = sighted()
    game.position.remove("A5-M")
    note_sightings(game)
    assert not game.tracks["sightings"]["bren"]


# ---- whole games -------------------------------------------------------------------------------------


@cache
def alder() -> tuple[Stage, ...]:
    return tuple(islice(stages(SYSTEM, SCENARIO, FOG, "alder", clever), 60))


def known_facts(outcome: Outcome, reader: str) -> dict[str, Any]:
    return {f.key: f.value for f in facts(SYSTEM, outcome) if may_know(f.audience, reader)}


OPEN_KINDS = {
    "unit-eliminated", "step-lost", "arrived", "replacements-received", "breakout-rolled", "drop-rolled",
    "overstacked", "aircraft-checked", "plane-hit", "mission-flown", "air-round", "intercepted",
    "victory-counted",
}  # fmt: skip
"""What 7.2 reveals by name."""


def test_no_event_tells_the_other_side_of_a_unit_under_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looked at when it is told: what lies on top then may be named."""
    checked, emit = 0, Game.emit

    def watched(game: Game, event: Any, to: Any = None) -> None:
        nonlocal checked
        emit(game, event, to)
        told = game.told[-1]
        for reader in ("aster", "bren"):
            if event.kind in OPEN_KINDS or not may_know(told.audience, reader):
                continue
            shown = seen(game, reader).counters
            others = {id: f for id, f in game.position.counters.items() if f["owner"] != reader}
            hidden = {id for id, f in others.items() if f["kind"] != "aircraft" or not f.get("flew")} - set(
                shown
            )
            assert not set(words_in(told.event)) & hidden, told.event
            checked += 1

    monkeypatch.setattr(Game, "emit", watched)
    for _ in islice(stages(SYSTEM, SCENARIO, FOG, "elm", clever), 25):
        pass
    assert checked > 100


def words_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from words_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from words_in(item)


def test_what_is_legal_on_the_view_is_legal_on_the_whole_truth() -> None:
    compared = 0
    for stage in alder()[::5]:
        outcome = stage.outcome
        truth = game_of(SYSTEM, outcome.state, outcome.position)
        for question in outcome.pending:
            decision: Decision[Any] = SYSTEM.decision(question.kind, question.party, question.fields)
            view = view_of(SYSTEM, outcome.state, known_facts(outcome, question.party), question.party)
            for option in islice(decision.options(view), 40):
                assert not decision.check(truth, from_json(decision.answer, option.answer)), option
                compared += 1
    assert compared > 100


@pytest.mark.parametrize(("name", "brain"), [pytest.param("chance", answer, marks=IN_CI), ("sense", clever)])
def test_a_game_with_fog_is_played_to_its_end(name: str, brain: Any) -> None:
    broken: list[str] = []

    def watch(stage: Stage) -> None:
        broken.extend(SYSTEM.invariants(game_of(SYSTEM, stage.outcome.state, stage.outcome.position)))

    played = play(SYSTEM, SCENARIO, FOG, f"fog {name}", brain, watch=watch, most=200)
    assert played.last.finished and not broken and not played.refused
