"""Node 4, Victory check (rule 4.9): city points, players who are out, conditions in list order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.rules import Game, Message, procedure

from ..blocks import units
from ..events.victory_check import CityPointsScored, ConditionMet, GameWon, PlayerOut
from ..sides import controller
from ..state import Result, State, in_play
from ..world import world_of
from .movement import settle


@procedure("victory_check", rule="4.9")
async def victory_check(game: Game, phasing: str | None) -> None:
    """4.9: Score cities, put players out, test conditions; the first that is met ends the game (R-32)."""
    _score(game)
    _put_out(game)
    state = State.of(game)
    for number, condition in enumerate(world_of(game).victory, 1):
        verdict = judge(game, condition, state.turn)
        if verdict is not None:
            result, words = verdict
            state.result = Result(result, "4.9.2", state.turn)
            game.emit(ConditionMet(number, words))
            game.emit(GameWon(result))
            return


def cities_of(game: Game, player: str) -> list[int]:
    """4.9.1: Return the PP values of the cities that a player controls."""
    bases = world_of(game).bases.values()
    return [base.pp for base in bases if base.city and controller(game, base.hex) == player]


def _score(game: Game) -> None:
    vp = State.of(game).vp
    for player in in_play(game):
        points, before = sum(cities_of(game, player)), vp.get(player, 0)
        vp[player] = before + points
        game.emit(CityPointsScored(player, points, before, before + points))


def _put_out(game: Game) -> None:
    """4.0.2: Remove players without block and city from play; their home becomes neutral."""
    state = State.of(game)
    for player in in_play(game):
        if not cities_of(game, player) and not units(game, player):
            state.out = (*state.out, player)
            game.emit(PlayerOut(player))
            settle(game)


def judge(game: Game, condition: Mapping[str, Any], turn: int) -> tuple[str, str] | None:
    """4.9.2: Return the result of a condition if it is met now, with figures in words; or else None."""
    players = [str(player) for player in condition["who"]]
    names, met, words = " and ".join(players), False, ""
    points = sum(sum(cities_of(game, player)) for player in players)
    match condition["kind"]:
        case "city_points":
            met = points >= int(condition["at_least"])
            words = Message(
                "victory.victory-check.city-points",
                names=names,
                points=points,
                at_least=condition["at_least"],
            )
        case "city_points_at_most":
            met = points <= int(condition["at_most"])
            words = Message(
                "victory.victory-check.city-points-most",
                names=names,
                points=points,
                at_most=condition["at_most"],
            )
        case "hold":
            met = all(controller(game, str(hex)) in players for hex in condition["hexes"])
            places = tuple(world_of(game).place(str(h)) for h in condition["hexes"])
            words = Message("victory.victory-check.controls", names=names, places=places)
        case "eliminated":
            met = not any(player in in_play(game) for player in players)
            words = Message("victory.victory-check.out-of-game", names=names)
        case "bands":
            return _band(game, condition, players) if turn == condition["turn"] else None
        case kind:
            raise AssertionError(f"unknown victory condition {kind}")
    return (condition["result"], words) if met else None


def _band(game: Game, condition: Mapping[str, Any], players: list[str]) -> tuple[str, str] | None:
    """Return the highest band that the running score of these players reaches."""
    vp = State.of(game).vp
    score = sum(vp.get(player, 0) for player in players)
    for band in condition["bands"]:
        if score >= band["at_least"]:
            return band["result"], Message(
                "victory.victory-check.victory-points",
                who=" and ".join(players),
                score=score,
                at_least=band["at_least"],
            )
    return None
