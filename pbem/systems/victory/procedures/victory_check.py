"""Node 4, Victory check (rule 4.9): city points, players who are out, conditions in list order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pbem.rules import Game, procedure

from ..blocks import controller, in_play, recompute_control, units, world_of
from ..events.victory_check import CityPointsScored, ConditionMet, GameWon, PlayerOut
from .movement import tell_control


@procedure("victory_check", rule="4.9")
async def victory_check(game: Game, phasing: str | None) -> None:
    """4.9 Score cities, see who is out, and test the conditions: the first true one ends the game."""
    _score(game)
    _put_out(game)
    turn = cast(int, game.tracks["turn"])
    for number, condition in enumerate(world_of(game).victory, 1):
        verdict = judge(game, condition, turn)
        if verdict is None:
            continue
        result, words = verdict
        game.tracks["result"] = {"text": result, "rule": "4.9.2", "turn": turn}
        game.emit(ConditionMet(number, words))
        game.emit(GameWon(result))
        return


def city_points(game: Game, player: str) -> int:
    """PP values of the cities a player controls (4.9.1)."""
    bases = world_of(game).bases.values()
    return sum(base.pp for base in bases if base.city and controller(game, base.hex) == player)


def _score(game: Game) -> None:
    vp = cast("dict[str, int]", game.tracks["vp"])
    for player in in_play(game):
        points, before = city_points(game, player), vp.get(player, 0)
        vp[player] = before + points
        game.emit(CityPointsScored(player, points, before, vp[player]))


def _put_out(game: Game) -> None:
    """4.0.2 A player without a block on the map and without a city is out; his home is nobody's then."""
    out = cast("list[str]", game.tracks.setdefault("out", []))
    for player in in_play(game):
        bases = world_of(game).bases.values()
        has_city = any(base.city and controller(game, base.hex) == player for base in bases)
        if not has_city and not units(game, player):
            out.append(player)
            game.emit(PlayerOut(player))
            tell_control(game, tuple(recompute_control(game)))


def judge(game: Game, condition: Mapping[str, Any], turn: int) -> tuple[str, str] | None:
    """The result of a condition and its figures in words if it is met now, else None (4.9.2)."""
    who = [str(player) for player in condition["who"]]
    names = " and ".join(who)
    points = sum(city_points(game, player) for player in who)
    match condition["kind"]:
        case "city_points":
            least = int(condition["at_least"])
            return (
                (condition["result"], f"{names}: {points} city points, needed {least}")
                if points >= least
                else None
            )
        case "city_points_at_most":
            most = int(condition["at_most"])
            words = f"{names}: {points} city points, at most {most}"
            return (condition["result"], words) if points <= most else None
        case "hold":
            hexes = [str(hex) for hex in condition["hexes"]]
            held = all(controller(game, hex) in who for hex in hexes)
            places = ", ".join(world_of(game).place(hex) for hex in hexes)
            return (condition["result"], f"{names} controls {places}") if held else None
        case "eliminated":
            gone = not any(player in in_play(game) for player in who)
            return (condition["result"], f"{names} out of the game") if gone else None
        case "bands":
            return _band(game, condition, who) if turn == condition["turn"] else None
        case kind:
            raise AssertionError(f"unknown victory condition {kind}")


def _band(game: Game, condition: Mapping[str, Any], who: list[str]) -> tuple[str, str] | None:
    """The highest band that the running score of these players reaches."""
    vp = cast("dict[str, int]", game.tracks["vp"])
    score = sum(vp.get(player, 0) for player in who)
    names = " and ".join(who)
    for band in condition["bands"]:
        if score >= band["at_least"]:
            return band["result"], f"{names}: {score} victory points, band from {band['at_least']}"
    return None
