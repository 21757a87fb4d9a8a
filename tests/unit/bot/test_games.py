"""Whole games in memory."""

from __future__ import annotations

import pytest

from pbem.bot.answers import answer
from pbem.bot.games import Endless, Stage, play, seen_by
from pbem.engine.system import System
from tests.primer import FOG, SYSTEM


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["public", "fog"])
def test_a_game_is_played_to_its_end(system: System) -> None:
    watched: list[Stage] = []
    played = play(system, "ford", {"turns": 2}, "oak", watch=watched.append)
    assert played.last.finished and not played.last.pending
    assert [stage.number for stage in watched] == list(range(len(played.stages)))


def test_everything_follows_from_the_seed() -> None:
    one, other = play(FOG, "ford", None, "oak"), play(FOG, "ford", None, "oak")
    assert [s.outcome.state.digest() for s in one.stages] == [s.outcome.state.digest() for s in other.stages]
    assert one.last.state.digest() != play(FOG, "ford", None, "elm").last.state.digest()


def test_players_may_have_brains_of_their_own() -> None:
    asked: list[str] = []

    def noting(game, decision, rng):  # type: ignore[no-untyped-def]
        asked.append(decision.player)
        return answer(game, decision, rng)

    play(SYSTEM, "ford", None, "oak", brains={"north": noting, "south": answer})
    assert set(asked) == {"north"}


def test_a_game_that_goes_on_too_long_is_stopped() -> None:
    with pytest.raises(Endless):
        play(SYSTEM, "ford", None, "oak", most=2)


def test_a_player_sees_his_own_view() -> None:
    played = play(FOG, "ford", None, "oak", most=50)
    game = seen_by(FOG, played.stages[2].outcome, "north")
    assert game.viewer == "north"
    assert any(unit.startswith("unknown-south") for unit in game.position.counters)
