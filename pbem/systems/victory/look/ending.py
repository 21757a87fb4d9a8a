"""4.9.2: The scenario's victory conditions, for the last report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.rules import Ending, Game, Headed, Message, bands, together

from ..rules.procedures.victory_check import cities_of
from ..rules.state import State
from ..rules.world import world_of

DRAW = "draw"


def ending(game: Game) -> Ending:
    """Return the running score that the bands count, their results, and the other conditions."""
    state, conditions = State.of(game), world_of(game).victory
    best = None if state.result is None else _best(game, state.result.text)
    also = tuple(
        Headed(_condition_in_words(game, condition))
        for condition in conditions
        if condition["kind"] != "bands"
    )
    last = next((condition for condition in conditions if condition["kind"] == "bands"), None)
    if last is None:
        return Ending(also=also, best=best)
    who = tuple(str(player) for player in last["who"])
    rows = [(int(band["at_least"]), "", str(band["result"])) for band in last["bands"]]
    points = sum(state.vp.get(player, 0) for player in who)
    reached = next((band.result for band in bands(rows) if band.holds(points)), "")
    counted = state.result is not None and state.result.text == reached
    return Ending(who, points, bands(rows), counted, also, best=best)


def _best(game: Game, result: str) -> tuple[str, ...] | None:
    """4.9.2: Return the players whom a result makes winners, or all in a draw.

    A scenario names results in words. Bands above a draw are for the players whose points they count, those
    below it for the others. None if the words do not tell.
    """
    if result.casefold() == DRAW:
        return game.players
    for condition in world_of(game).victory:
        who = tuple(str(player) for player in condition["who"])
        others = tuple(player for player in game.players if player not in who)
        if condition["kind"] == "bands" and result in (
            rows := [str(band["result"]) for band in condition["bands"]]
        ):
            place, last = rows.index(result), len(rows) - 1
            drawn = next((n for n, row in enumerate(rows) if row.casefold() == DRAW), None)
            if place == 0 or (drawn is not None and place < drawn):
                return who
            return others if place == last or drawn is not None else None
        if condition.get("result") == result:
            return others if condition["kind"] in ("city_points_at_most", "eliminated") else who
    return None


def _condition_in_words(game: Game, condition: Mapping[str, Any]) -> str:
    """Return a condition that ends the game in any game turn, in words."""
    players = tuple(map(str, condition["who"]))
    who, result = together(players), str(condition["result"])
    had = sum(sum(cities_of(game, player)) for player in players)
    match condition["kind"]:
        case "city_points":
            at_least = condition["at_least"]
            return Message("victory.ending.city-points", who=who, points=at_least, had=had, result=result)
        case "city_points_at_most":
            at_most = condition["at_most"]
            return Message("victory.ending.city-points-most", who=who, points=at_most, had=had, result=result)
        case "hold":
            places = tuple(world_of(game).place(str(hex)) for hex in condition["hexes"])
            return Message("victory.ending.controls", who=who, places=places, result=result)
        case _:
            return Message("victory.ending.out-of-game", who=who, result=result)
